//! The limits of a call, named, with unit and reason.

use ta_core::kind::Kind;

use crate::shape::Shape;

const KIB: usize = 1024;
const MIB: usize = 1024 * KIB;

/// No manifest gets more memory than this: enough for guests that carry a Python or JavaScript runtime.
pub const MEMORY_CEILING_BYTES: usize = 256 * MIB;
/// A text that a document is made of, and a document, whether made or read.
pub const DOCUMENT_BYTES_MAX: usize = 32 * MIB;
/// A component's file. Guests that carry a runtime need the larger one, which the operator must allow.
pub(crate) const COMPONENT_BYTES_MAX: usize = 16 * MIB;
pub(crate) const COMPONENT_BYTES_CEILING: usize = 64 * MIB;
/// How often the clock of the kill switch ticks: the precision of every deadline.
pub(crate) const TICK_MS: u64 = 10;
/// Ticks without a call after which the clock stops: a run's calls follow each other sooner.
pub(crate) const IDLE_TICKS: u32 = 100;
/// Time beyond a call's CPU time that it may sleep in the host, all its sleeps together.
pub(crate) const WALL_GRACE_MS: u64 = 1_000;
/// Stack of a guest: deep enough for honest recursion, small enough to reserve for each call.
pub(crate) const STACK_BYTES: usize = 512 * KIB;
/// The fiber holds the guest's stack and the host's own frames above it.
pub(crate) const FIBER_BYTES: usize = 2 * MIB;
/// Core modules that one component may be made of: language runtimes come as a handful.
pub(crate) const INSTANCES_MAX: usize = 64;
pub(crate) const MEMORIES_MAX: usize = 16;
pub(crate) const TABLES_MAX: usize = 64;
/// Elements over all tables: function pointers of a large guest.
pub(crate) const TABLE_ELEMENTS_MAX: usize = 100_000;
/// Changes of memory that one call may stage: more than a person would look through.
pub(crate) const MEMORY_CHANGES_MAX: usize = 100;
/// Corrections of what the prompt shows that one call may stage.
pub(crate) const CORRECTIONS_MAX: usize = 100;
/// Sessions that one search answers with.
pub(crate) const SESSIONS_FOUND_MAX: u32 = 50;
/// Earlier runs that one call is shown.
pub(crate) const PAST_RUNS_MAX: u32 = 20;
/// What a guest may ask a model at once, in bytes: enough for a page and what is to be said about it.
pub(crate) const MODEL_PROMPT_BYTES_MAX: usize = 16 * KIB;
/// Tokens of an answer to a guest: a verdict with its reason, not a document.
pub(crate) const MODEL_TOKENS_MAX: u32 = 512;
/// Random bytes of one request.
pub(crate) const RANDOM_BYTES_MAX: u32 = 1024;
/// Random bytes of one request to WASI: a runtime seeds its generator with some thousands.
pub(crate) const WASI_RANDOM_BYTES_MAX: u64 = 64 * KIB as u64;
/// Components within components: a composition of compositions has three.
pub(crate) const NESTING_MAX: usize = 16;
/// What a component may be made of.
pub(crate) const SHAPE_MAX: Shape = Shape {
    modules: 32,
    functions: 20_000,
    squared_lengths: 100_000_000_000,
    calls: 200_000,
    signature: 256,
    results: 32,
    entries: 50_000,
    elements: 50_000,
    definitions: 20_000,
    instances: 1_000,
    type_depth: 200,
};
/// The same for a guest that carries a language runtime: at least twice what those of Python and SpiderMonkey have.
pub(crate) const SHAPE_MAX_WITH_RUNTIME: Shape = Shape {
    modules: 64,
    functions: 40_000,
    squared_lengths: 1_000_000_000_000,
    calls: 400_000,
    entries: 200_000,
    elements: 100_000,
    definitions: 100_000,
    ..SHAPE_MAX
};
/// The stack of a thread that compiles: what a main thread has.
pub(crate) const COMPILE_STACK_BYTES: usize = 8 * MIB;
/// Threads that one component is compiled on.
pub(crate) const COMPILE_THREADS_MAX: usize = 4;
/// CPU time of compiling a component, in seconds.
pub(crate) const COMPILE_CPU_S: u64 = 4;
/// From so many bytes on, its data left out, it gets more: below them only a component that was made to be slow takes as long.
pub(crate) const COMPILE_FREE_BYTES: u64 = 512 * 1024;
/// What it gets more for each MiB beyond them: a third of it is what compilers take.
pub(crate) const COMPILE_CPU_S_A_MIB: u64 = 8;
pub(crate) const COMPILE_CPU_S_MAX: u64 = 60;
/// Memory of compiling a component, in bytes; what a language runtime gets more, for each byte of it.
pub(crate) const COMPILE_MEMORY_BYTES: u64 = 500_000_000;
pub(crate) const COMPILE_MEMORY_BYTES_A_BYTE: u64 = 100;
pub(crate) const COMPILE_MEMORY_BYTES_MAX: u64 = 2_000_000_000;
/// Time after which nobody waits for a compiler any more, in CPU time that it would have had: a machine may be busy.
pub(crate) const COMPILE_WALL_FACTOR: u64 = 8;
/// Compiled code, in bytes.
pub(crate) const CODE_BYTES_MAX: u64 = 512 * MIB as u64;
/// What is kept beside it: names, tools.
pub(crate) const FACTS_BYTES_MAX: u64 = 4 * MIB as u64;
/// Texts that one call may read, together: they are kept until the call is journaled.
pub(crate) const READ_BYTES_MAX: usize = 32 * MIB;
/// Texts that one call may write, together, for the same reason.
pub(crate) const WRITE_BYTES_MAX: usize = 32 * MIB;
/// Files that one call may write.
pub(crate) const WRITES_MAX: usize = 100;
/// Tools of one component: a model is told about all of them, every time.
pub(crate) const TOOLS_MAX: usize = 64;
/// Tasks of a session.
pub(crate) const TASKS_MAX: usize = 100;
/// Items of a question, options of a choice.
pub(crate) const QUESTION_PARTS_MAX: usize = 200;
/// The name of an import or an export: package, interface, version.
pub(crate) const NAME_BYTES_MAX: usize = 256;
/// Text of a guest's failure that is kept.
pub(crate) const REASON_BYTES_MAX: usize = 2 * KIB;

/// Fuel that a hook gets more for each byte of its event.
pub(crate) const FUEL_A_BYTE: u64 = 2_000;
/// Memory that a hook gets more for each byte of its event, up to [`MEMORY_CEILING_BYTES`].
pub(crate) const MEMORY_BYTES_A_BYTE: usize = 24;
/// Fuel that a machine ten times slower than the one of the benchmark burns in a millisecond: the kill switch is far beyond the budget, so that a
/// slow machine comes to the same verdict.
pub(crate) const FUEL_A_MS: u64 = 450_000;

/// What one call may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Units of fuel, about one per instruction: the budget, the same on every machine.
    pub fuel: u64,
    /// CPU time in milliseconds: the kill switch.
    pub cpu_ms: u64,
    /// Linear memory over all memories, in bytes.
    pub memory_bytes: usize,
    /// Bytes that one crossing from guest to host may carry.
    pub payload_bytes: usize,
    /// Calls of imports.
    pub host_calls: u32,
    /// Lines logged.
    pub log_lines: u32,
    /// Bytes logged.
    pub log_bytes: usize,
    /// Resource handles at one time.
    pub handles: usize,
    /// Whether it may ask the person.
    pub asks: bool,
    /// Questions to the person and to a model, and calls of tools, together.
    pub requests: u32,
    /// Questions put to a model.
    pub model_calls: u32,
    /// Bytes of the component's file.
    pub component_bytes: usize,
}

impl Limits {
    /// The limits of a kind.
    #[must_use]
    pub const fn of(kind: Kind) -> Self {
        match kind {
            Kind::Guardrail | Kind::Dialogue => Self {
                fuel: 200_000_000,
                cpu_ms: 250,
                memory_bytes: 32 * MIB,
                payload_bytes: MIB,
                host_calls: 1_024,
                log_lines: 32,
                log_bytes: 8 * KIB,
                handles: 64,
                asks: true,
                requests: 16,
                model_calls: 2,
                component_bytes: COMPONENT_BYTES_MAX,
            },
            Kind::Observer => Self {
                fuel: 50_000_000,
                cpu_ms: 100,
                memory_bytes: 16 * MIB,
                payload_bytes: 256 * KIB,
                host_calls: 256,
                log_lines: 32,
                log_bytes: 8 * KIB,
                handles: 16,
                asks: false,
                requests: 16,
                model_calls: 1,
                component_bytes: COMPONENT_BYTES_MAX,
            },
            // A flow waits for the person between its steps.
            Kind::Flow => Self { asks: false, ..Self::of(Kind::Tool) },
            // A provider's whole world is its request.
            Kind::Provider => Self { asks: false, requests: 0, model_calls: 0, ..Self::of(Kind::Tool) },
            // A writer lays out a whole document at once, and its person waits for it.
            Kind::Writer => Self {
                cpu_ms: 5_000,
                memory_bytes: MEMORY_CEILING_BYTES,
                payload_bytes: DOCUMENT_BYTES_MAX + MIB,
                log_lines: 32,
                log_bytes: 8 * KIB,
                ..Self::of(Kind::Provider)
            },
            // A reader is given the file of a stranger, and the blocks that come of it are many.
            Kind::Reader => Self { fuel: 20_000_000_000, ..Self::of(Kind::Writer) },
            Kind::Tool => Self {
                fuel: 2_000_000_000,
                cpu_ms: 10_000,
                memory_bytes: 128 * MIB,
                payload_bytes: 4 * MIB,
                host_calls: 4_096,
                log_lines: 200,
                log_bytes: 64 * KIB,
                handles: 256,
                asks: true,
                requests: 64,
                model_calls: 2,
                component_bytes: COMPONENT_BYTES_MAX,
            },
        }
    }

    /// The same for a hook whose event has so many bytes: what is larger takes longer to look through.
    #[must_use]
    pub fn for_event(mut self, bytes: usize) -> Self {
        let fuel = FUEL_A_BYTE.saturating_mul(u64::try_from(bytes).unwrap_or(u64::MAX));
        self.fuel = self.fuel.saturating_add(fuel);
        // What was set beforehand stays: somebody may set the clock far below the fuel.
        self.cpu_ms = self.cpu_ms.saturating_add(fuel / FUEL_A_MS);
        let memory = self.memory_bytes.saturating_add(MEMORY_BYTES_A_BYTE.saturating_mul(bytes));
        self.memory_bytes = memory.min(MEMORY_CEILING_BYTES.max(self.memory_bytes));
        // What comes back may be the whole event with a few words changed.
        self.payload_bytes = self.payload_bytes.max(bytes.saturating_mul(2));
        self
    }

    /// The same, with what a guest that carries a language runtime needs; for components that the operator grants `wasi`.
    #[must_use]
    pub fn with_runtime(mut self) -> Self {
        self.component_bytes = COMPONENT_BYTES_CEILING;
        self.memory_bytes = self.memory_bytes.max(64 * MIB);
        self
    }
}

#[cfg(test)]
mod tests {
    use ta_core::kind::Kind;

    use super::{Limits, MEMORY_CEILING_BYTES, MIB};

    #[test]
    fn limits_grow_with_the_event_and_the_clock_stays_far_behind_the_fuel() {
        let base = Limits::of(Kind::Guardrail);
        let small = base.for_event(0);
        assert_eq!(
            (small.fuel, small.memory_bytes, small.payload_bytes),
            (base.fuel, base.memory_bytes, base.payload_bytes)
        );
        let grown = base.for_event(400_000);
        assert_eq!(grown.fuel, base.fuel + 800_000_000);
        assert_eq!(grown.memory_bytes, base.memory_bytes + 9_600_000);
        assert!(grown.cpu_ms >= 2_000 && small.cpu_ms >= base.cpu_ms);
        let huge = base.for_event(100 * MIB);
        assert_eq!(huge.memory_bytes, MEMORY_CEILING_BYTES);
        assert_eq!(base.for_event(usize::MAX).fuel, u64::MAX, "no sum runs over");
    }
}
