//! The engine: one for the process, with the flags that make a verdict the same on every machine.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use wasmtime::component::{HasSelf, Linker};
use wasmtime::{Config, Engine};

use crate::bindings::Host_ as World;
use crate::cache::Cache;
use crate::failure::SandboxError;
use crate::limits::{FIBER_BYTES, STACK_BYTES, TICK_MS};
use crate::loaded::Loaded;
use crate::state::State;

/// What a sandbox needs to know.
#[derive(Debug, Clone, Default)]
pub struct SandboxConfig {
    /// Where compiled components are kept; none compiles every time.
    pub cache_dir: Option<PathBuf>,
}

/// Runs components. Cheap to clone.
#[derive(Clone)]
pub struct Sandbox {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) engine: Engine,
    /// Built once: for guests that import nothing but the contract.
    pub(crate) linker: Linker<State>,
    /// Built once: the same and the little of WASI that was granted.
    pub(crate) linker_with_wasi: Linker<State>,
    pub(crate) cache: Option<Cache>,
    /// What is in use, so that the runs of a process share its code.
    pub(crate) loaded: Loaded,
}

impl Sandbox {
    /// Makes the engine and starts its clock.
    ///
    /// # Errors
    /// Where the machine cannot run the engine.
    pub fn new(config: &SandboxConfig) -> Result<Self, SandboxError> {
        let broken = |error: wasmtime::Error| {
            let hint = "this machine or build cannot run the WebAssembly engine";
            SandboxError::new("sandbox.engine", format!("the engine does not start: {error:#}"), hint)
        };
        let engine = Engine::new(&engine_config()).map_err(broken)?;
        start_clock(&engine);
        let mut linker = Linker::new(&engine);
        World::add_to_linker::<State, HasSelf<State>>(&mut linker, |state| state).map_err(broken)?;
        let mut linker_with_wasi = linker.clone();
        wasmtime_wasi::p2::add_to_linker_async(&mut linker_with_wasi).map_err(broken)?;
        let cache = config.cache_dir.clone().map(Cache::new);
        Ok(Self { inner: Arc::new(Inner { engine, linker, linker_with_wasi, cache, loaded: Loaded::default() }) })
    }
}

fn engine_config() -> Config {
    let mut config = Config::new();
    config
        .consume_fuel(true)
        .epoch_interruption(true)
        .cranelift_nan_canonicalization(true)
        .relaxed_simd_deterministic(true)
        .max_wasm_stack(STACK_BYTES)
        .async_stack_size(FIBER_BYTES);
    config
}

/// Ticks for as long as the engine lives.
fn start_clock(engine: &Engine) {
    let engine = engine.weak();
    std::thread::spawn(move || {
        while let Some(engine) = engine.upgrade() {
            engine.increment_epoch();
            drop(engine);
            std::thread::sleep(Duration::from_millis(TICK_MS));
        }
    });
}
