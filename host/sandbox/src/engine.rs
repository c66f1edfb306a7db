//! The engines: two for a process, alike in everything that code or a verdict depends on, unlike in where instances come
//! from.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use tokio::sync::{Semaphore, SemaphorePermit};
use wasmtime::component::{HasSelf, Linker};
use wasmtime::{Config, Engine};

use crate::bindings::Host_ as World;
use crate::cache::Cache;
use crate::compile::Compiler;
use crate::failure::SandboxError;
use crate::limits::{FIBER_BYTES, STACK_BYTES};
use crate::loaded::Loaded;
use crate::pool;
use crate::shipped::Shipped;
use crate::state::State;
use crate::ticker::Ticker;

/// What a sandbox needs to know.
#[derive(Debug, Clone)]
pub struct SandboxConfig {
    /// The program that compiles: one that calls [`crate::compile_child`] before anything else, as the host's own does.
    pub compiler: PathBuf,
    /// Where compiled components are kept; none compiles every time.
    pub cache_dir: Option<PathBuf>,
    /// The program beside which components may lie that were compiled when it was packaged.
    pub shipped_with: Option<PathBuf>,
    /// Whether instances come from a pool. Without one, the system makes and unmakes the memory of each.
    pub pool: bool,
}

impl SandboxConfig {
    /// A sandbox with a pool that keeps nothing.
    #[must_use]
    pub fn new(compiler: impl Into<PathBuf>) -> Self {
        Self { compiler: compiler.into(), cache_dir: None, shipped_with: None, pool: true }
    }
}

/// Runs components. Cheap to clone.
#[derive(Clone)]
pub struct Sandbox {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    /// Instances from a pool; none where the operator wants none, or the system has no room for one.
    pub(crate) pooled: Option<Arc<LinkedEngine>>,
    /// Every instance made and unmade: for what does not fit into the pool, and for what would keep its place for long.
    pub(crate) on_demand: Arc<LinkedEngine>,
    pub(crate) compiler: Arc<Compiler>,
    pub(crate) cache: Option<Cache>,
    pub(crate) shipped: Option<Shipped>,
    /// What is in use, so that the runs of a process share its code.
    pub(crate) loaded: Loaded,
    /// Interrupts what runs too long, in both engines.
    pub(crate) ticker: Ticker,
}

/// An engine, with what is built once for it.
pub(crate) struct LinkedEngine {
    pub(crate) engine: Engine,
    /// For guests that import nothing but the contract.
    plain: OnceLock<Linker<State>>,
    /// The same and the little of WASI that was granted.
    with_wasi: OnceLock<Linker<State>>,
    /// As many as there are places in the pool; none where there is no pool.
    places: Option<Semaphore>,
}

impl Sandbox {
    /// Makes the engines. Their clock starts with the first call.
    ///
    /// # Errors
    /// Where the machine cannot run the engine.
    pub fn new(config: &SandboxConfig) -> Result<Self, SandboxError> {
        let engine = Engine::new(&engine_config()).map_err(|error| broken(&error))?;
        // A system that gives a process little address space has no room for a pool; everything works without one.
        let pooled = config.pool.then(|| pooled_engine(pool::places())).and_then(Result::ok);
        let ticker = Ticker::start(std::iter::once(&engine).chain(pooled.as_ref()).map(Engine::weak).collect());
        let inner = Inner {
            pooled: pooled.map(|engine| Arc::new(LinkedEngine::new(engine, Some(pool::places())))),
            on_demand: Arc::new(LinkedEngine::new(engine, None)),
            compiler: Arc::new(Compiler::new(config.compiler.clone())),
            cache: config.cache_dir.clone().map(Cache::new),
            shipped: config.shipped_with.as_deref().and_then(Shipped::beside),
            loaded: Loaded::default(),
            ticker,
        };
        Ok(Self { inner: Arc::new(inner) })
    }
}

impl LinkedEngine {
    fn new(engine: Engine, places: Option<usize>) -> Self {
        Self { engine, plain: OnceLock::new(), with_wasi: OnceLock::new(), places: places.map(Semaphore::new) }
    }

    /// What a component's imports are linked with, built when it is first needed.
    ///
    /// # Errors
    /// Where the host does not fit its own contract.
    pub(crate) fn linker(&self, wasi: bool) -> Result<&Linker<State>, SandboxError> {
        let slot = if wasi { &self.with_wasi } else { &self.plain };
        if let Some(linker) = slot.get() {
            return Ok(linker);
        }
        let linker = linker(&self.engine, wasi).map_err(|error| broken(&error))?;
        Ok(slot.get_or_init(|| linker))
    }

    /// A place in the pool for one call, and how long it was waited for. Whoever comes first is served first.
    pub(crate) async fn place(&self) -> (Option<SemaphorePermit<'_>>, Duration) {
        let Some(places) = &self.places else { return (None, Duration::ZERO) };
        if let Ok(place) = places.try_acquire() {
            return (Some(place), Duration::ZERO);
        }
        let began = Instant::now();
        // It fails only where the semaphore was closed, which nobody does.
        (places.acquire().await.ok(), began.elapsed())
    }
}

fn linker(engine: &Engine, wasi: bool) -> wasmtime::Result<Linker<State>> {
    let mut linker = Linker::new(engine);
    World::add_to_linker::<State, HasSelf<State>>(&mut linker, |state| state)?;
    if wasi {
        wasmtime_wasi::p2::add_to_linker_async(&mut linker)?;
    }
    Ok(linker)
}

fn broken(error: &wasmtime::Error) -> SandboxError {
    let hint = "this machine or build cannot run the WebAssembly engine";
    SandboxError::new("sandbox.engine", format!("the engine does not start: {error:#}"), hint)
}

fn pooled_engine(places: usize) -> wasmtime::Result<Engine> {
    Engine::new(engine_config().allocation_strategy(pool::allocation(places, wasmtime::Enabled::Auto)))
}

/// What code and verdicts depend on: the same for both engines, so that code compiled for one is code for the other.
pub(crate) fn engine_config() -> Config {
    let mut config = Config::new();
    config
        .consume_fuel(true)
        .epoch_interruption(true)
        .cranelift_nan_canonicalization(true)
        .relaxed_simd_deterministic(true)
        .max_wasm_stack(STACK_BYTES)
        .async_stack_size(FIBER_BYTES)
        .async_stack_zeroing(true);
    config
}

#[cfg(test)]
mod tests {
    use std::hash::{DefaultHasher, Hash, Hasher};

    use super::*;

    fn code_depends_on(engine: &Engine) -> u64 {
        let mut hasher = DefaultHasher::new();
        engine.precompile_compatibility_hash().hash(&mut hasher);
        hasher.finish()
    }

    #[test]
    fn code_for_one_engine_is_code_for_the_other() {
        let (pooled, on_demand) = (pooled_engine(2).unwrap(), Engine::new(&engine_config()).unwrap());
        assert_eq!(code_depends_on(&pooled), code_depends_on(&on_demand));
    }

    #[tokio::test]
    async fn a_full_pool_means_waiting_and_says_for_how_long() {
        let engine = LinkedEngine::new(Engine::new(&engine_config()).unwrap(), Some(2));
        let (one, two) = (engine.place().await, engine.place().await);
        assert_eq!((one.1, two.1), (Duration::ZERO, Duration::ZERO));
        let mut third = std::pin::pin!(engine.place());
        tokio::select! {
            biased;
            _ = &mut third => panic!("there are two places"),
            () = tokio::time::sleep(Duration::from_millis(5)) => {}
        }
        drop(one);
        let (place, queued) = third.await;
        assert!(place.is_some() && queued >= Duration::from_millis(5), "{queued:?}");
    }

    #[tokio::test]
    async fn without_a_pool_nobody_waits() {
        let engine = LinkedEngine::new(Engine::new(&engine_config()).unwrap(), None);
        for _ in 0..1_000 {
            assert!(engine.place().await.0.is_none());
        }
    }
}
