//! Instances from a pool: memory, tables and stacks that were used before, wiped and used again.
//!
//! A fresh instance costs the system more than the guest: mapping, protecting and unmapping gigabytes of addresses. Places
//! in a pool are mapped once. What a guest wrote is set back to what its component says, or to zero, before anybody else
//! is given the place; the tests below and `evals/tests/torture/pool.rs` read every byte.

use wasmtime::{Enabled, PoolingAllocationConfig};

use crate::limits::TABLE_ELEMENTS_MAX;

/// Calls at a time for each core: more than run at once, so that one that waits for a file keeps nobody from the core.
const PLACES_PER_CORE: usize = 4;
/// Beyond this many a place is only address space that nobody uses.
const PLACES_MAX: usize = 256;
/// Core instances of one component: a language runtime is a handful.
const CORE_INSTANCES: usize = 16;
/// Memories of one component, and of one of its core modules.
const MEMORIES: usize = 2;
/// A place of a memory goes back to the component that had it last, where it can, and then needs no mapping: so there are
/// more than calls, for the components of a whole run.
const MEMORY_PLACES_MIN: usize = 32;
/// Tables of one component, and of one of its core modules.
const TABLES: usize = 8;
const TABLES_OF_MODULE: usize = 4;
/// Bytes of a memory that stay with its place: they are set back by writing, what lies beyond by the system. More is no
/// faster for guests whose stack is small, as ours are, and every place keeps what it was once used for.
const MEMORY_RESIDENT_BYTES: usize = 512 * 1024;
/// The same for a table.
const TABLE_RESIDENT_BYTES: usize = 64 * 1024;
/// The same for a stack: what calls of small guests use.
const STACK_RESIDENT_BYTES: usize = 16 * 1024;

/// How many calls have a place at one time.
pub(crate) fn places() -> usize {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    (cores * PLACES_PER_CORE).min(PLACES_MAX)
}

/// The pool. What a guest may do is the same with and without it: memories and tables grow as far as [`crate::limits`] let
/// them. A component of more parts than these is refused by the pool's engine, and made on demand.
pub(crate) fn allocation(places: usize, pagemap_scan: Enabled) -> PoolingAllocationConfig {
    let count = |each: usize| u32::try_from(places * each).unwrap_or(u32::MAX);
    let each = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
    let mut pool = PoolingAllocationConfig::new();
    pool.total_component_instances(count(1))
        .total_stacks(count(1))
        .total_core_instances(count(CORE_INSTANCES))
        .max_core_instances_per_component(each(CORE_INSTANCES))
        .total_memories(count(MEMORIES).max(each(MEMORY_PLACES_MIN)))
        .max_memories_per_component(each(MEMORIES))
        .max_memories_per_module(each(MEMORIES))
        .total_tables(count(TABLES))
        .max_tables_per_component(each(TABLES))
        .max_tables_per_module(each(TABLES_OF_MODULE))
        .table_elements(TABLE_ELEMENTS_MAX)
        .linear_memory_keep_resident(MEMORY_RESIDENT_BYTES)
        .table_keep_resident(TABLE_RESIDENT_BYTES)
        .async_stack_keep_resident(STACK_RESIDENT_BYTES)
        .pagemap_scan(pagemap_scan);
    pool
}

#[cfg(test)]
mod tests {
    use wasmtime::{Engine, Instance, Module, Ref, Store, Val};

    use super::*;
    use crate::engine::engine_config;

    /// More than what stays resident with a place.
    const GROWN_BYTES: usize = 16 * MEMORY_RESIDENT_BYTES;

    /// A module of as many parts as a module may have.
    fn module(engine: &Engine, data: &str) -> Module {
        let text = format!(
            r#"(module
              (memory (export "m0") 1) (memory (export "m1") 1)
              (table (export "t0") 8 funcref) (table (export "t1") 8 funcref)
              (table (export "t2") 8 funcref) (table (export "t3") 8 funcref)
              (global (export "g") (mut i64) (i64.const 1))
              (func (export "f"))
              (data (i32.const 4096) "{data}"))"#
        );
        Module::new(engine, wat::parse_str(text).unwrap()).unwrap()
    }

    /// Grows everything, and reads every byte and element of it; then writes a secret over all of it.
    fn visit(engine: &Engine, module: &Module, data: &str) -> Store<()> {
        let mut store = Store::new(engine, ());
        store.set_fuel(u64::MAX).unwrap();
        store.set_epoch_deadline(1);
        let instance = Instance::new(&mut store, module, &[]).unwrap();
        for name in ["m0", "m1"] {
            let memory = instance.get_memory(&mut store, name).unwrap();
            memory.grow(&mut store, (GROWN_BYTES / 65_536) as u64).unwrap();
            let mut expected = vec![0; memory.data_size(&store)];
            if name == "m0" {
                expected[4096..4096 + data.len()].copy_from_slice(data.as_bytes());
            }
            assert!(memory.data(&store) == expected, "{name} is not as its module says");
            memory.data_mut(&mut store).fill(0x5e);
        }
        let secret = instance.get_func(&mut store, "f").unwrap();
        for name in ["t0", "t1", "t2", "t3"] {
            let table = instance.get_table(&mut store, name).unwrap();
            table.grow(&mut store, 10_000, Ref::Func(None)).unwrap();
            for index in 0..table.size(&store) {
                assert!(table.get(&mut store, index).is_some_and(|element| element.is_null()), "{name} {index}");
            }
            let size = table.size(&store);
            table.fill(&mut store, 0, Ref::Func(Some(secret)), size).unwrap();
        }
        let global = instance.get_global(&mut store, "g").unwrap();
        assert_eq!(global.get(&mut store).i64(), Some(1));
        global.set(&mut store, Val::I64(-1)).unwrap();
        store
    }

    /// With the kernel's help and without it: how a place is wiped is not the same.
    #[test]
    fn whoever_has_a_place_next_finds_what_its_module_says() {
        for scan in [Enabled::Auto, Enabled::No] {
            let mut pool = allocation(1, scan);
            // A place that was used by another module comes before one that nobody has used.
            pool.max_unused_warm_slots(0);
            let engine = Engine::new(engine_config().allocation_strategy(pool)).unwrap();
            let (one, two) = (module(&engine, "the first"), module(&engine, "second"));
            for (module, data) in [(&one, "the first"), (&one, "the first"), (&two, "second"), (&one, "the first")] {
                // As many at one time as there are places of tables.
                let held: Vec<_> = (0..TABLES / TABLES_OF_MODULE).map(|_| visit(&engine, module, data)).collect();
                drop(held);
                let places = engine.pooling_allocator_metrics().unwrap();
                let used = (places.unused_warm_memories(), places.unused_warm_tables());
                assert_eq!(used, (4, 8), "no place was taken that was never used, so those used were wiped");
            }
        }
    }
}
