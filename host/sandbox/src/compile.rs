//! From bytes to a compiled component: refused early, compiled beside the runtime, for a limited time.

use std::sync::Arc;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use tokio::sync::oneshot;

use crate::cache::CacheReport;
use crate::code::{Artefact, Code};
use crate::engine::{Inner, Sandbox};
use crate::failure::SandboxError;
use crate::limits::{COMPILE_STACK_BYTES, Limits};
use crate::shape;

type Compiled = Result<(Arc<Code>, CacheReport), SandboxError>;

impl Sandbox {
    /// The component in its compiled form. Compiling happens on a thread of its own, so that no other run waits for it.
    pub(crate) async fn compile(&self, bytes: &[u8], sha256: &str, limits: &Limits, pooled: bool) -> Compiled {
        let rejected = match self.begin(bytes, sha256, limits, pooled)? {
            Begun::Ready(code, report) => return Ok((code, report)),
            Begun::ToDo { rejected } => rejected,
        };
        let (sender, receiver) = oneshot::channel();
        let limit = Duration::from_millis(limits.compile().compile_ms);
        self.start(bytes, sha256, pooled, rejected, move |compiled| drop(sender.send(compiled)))?;
        match tokio::time::timeout(limit, receiver).await {
            Ok(Ok(compiled)) => compiled,
            Ok(Err(_)) => Err(panicked()),
            Err(_) => Err(too_slow(limit)),
        }
    }

    /// The same for callers that have no runtime.
    pub(crate) fn compile_blocking(&self, bytes: &[u8], sha256: &str, limits: &Limits) -> Compiled {
        let rejected = match self.begin(bytes, sha256, limits, true)? {
            Begun::Ready(code, report) => return Ok((code, report)),
            Begun::ToDo { rejected } => rejected,
        };
        let (sender, receiver) = mpsc::channel();
        let limit = Duration::from_millis(limits.compile().compile_ms);
        self.start(bytes, sha256, true, rejected, move |compiled| drop(sender.send(compiled)))?;
        match receiver.recv_timeout(limit) {
            Ok(compiled) => compiled,
            Err(mpsc::RecvTimeoutError::Disconnected) => Err(panicked()),
            Err(mpsc::RecvTimeoutError::Timeout) => Err(too_slow(limit)),
        }
    }

    /// What can be said without compiling.
    fn begin(&self, bytes: &[u8], sha256: &str, limits: &Limits, pooled: bool) -> Result<Begun, SandboxError> {
        header(bytes, limits)?;
        let ready = |code: Arc<Code>| Ok(Begun::Ready(code, CacheReport { hit: true, rejected: None }));
        if let Some(code) = self.inner.loaded.get(sha256, pooled) {
            return ready(code);
        }
        let mut rejected = None;
        if let Some(cache) = &self.inner.cache {
            let kept = cache.load(&self.inner.on_demand.engine, sha256);
            match kept.and_then(|kept| kept.map(|artefact| self.inner.runnable(&artefact, pooled)).transpose()) {
                Ok(Some(code)) => return ready(self.inner.loaded.share(sha256, pooled, code)),
                Ok(None) => {}
                Err(reason) => rejected = Some(reason),
            }
        }
        shape::check(bytes, &limits.compile())?;
        Ok(Begun::ToDo { rejected })
    }

    /// Compiles on a thread of its own. It cannot be stopped: one that takes too long is left to come to its end, which
    /// the shape has bounded.
    fn start(
        &self,
        bytes: &[u8],
        sha256: &str,
        pooled: bool,
        rejected: Option<String>,
        done: impl FnOnce(Compiled) + Send + 'static,
    ) -> Result<(), SandboxError> {
        let (inner, bytes, sha256) = (Arc::clone(&self.inner), bytes.to_vec(), sha256.to_owned());
        let thread = thread::Builder::new().name("compile".into()).stack_size(COMPILE_STACK_BYTES);
        let started = thread.spawn(move || done(compile(&inner, &bytes, &sha256, pooled, rejected)));
        started.map(drop).map_err(|error| {
            SandboxError::new(
                "sandbox.engine",
                format!("no thread to compile on: {error}"),
                "close what else runs on this machine",
            )
        })
    }
}

enum Begun {
    Ready(Arc<Code>, CacheReport),
    ToDo { rejected: Option<String> },
}

fn compile(inner: &Inner, bytes: &[u8], sha256: &str, pooled: bool, rejected: Option<String>) -> Compiled {
    let malformed = |why: String| {
        let hint = "build it again; `cargo xtask guests` rebuilds the shipped ones";
        SandboxError::new("plugin.malformed", format!("this is no valid component: {why}"), hint)
    };
    let engine = &inner.on_demand.engine;
    let artefact = Artefact::compile(engine, bytes).map_err(|error| malformed(format!("{error:#}")))?;
    // A cache that cannot be written costs time, nothing else.
    let kept = inner.cache.as_ref().map_or(Ok(()), |cache| cache.store(engine, sha256, &artefact));
    let code = inner.runnable(&artefact, pooled).map_err(malformed)?;
    Ok((inner.loaded.share(sha256, pooled, code), CacheReport { hit: false, rejected: rejected.or(kept.err()) }))
}

/// Refuses what is no component before anything else looks at it.
fn header(bytes: &[u8], limits: &Limits) -> Result<(), SandboxError> {
    if bytes.len() > limits.component_bytes {
        let message = format!("the component has {} bytes; it may have {}", bytes.len(), limits.component_bytes);
        let hint = "a guest that carries a language runtime needs the capability `wasi`, which allows more";
        return Err(SandboxError::new("plugin.too_large", message, hint));
    }
    let malformed = |message: &str, hint: &str| Err(SandboxError::new("plugin.malformed", message, hint));
    match bytes.get(..8) {
        Some(b"\0asm\x0d\0\x01\0") => Ok(()),
        Some(b"\0asm\x01\0\0\0") => {
            malformed("this is a core module, not a component", "turn it into one with wit-component")
        }
        _ => malformed("this is no WebAssembly component", "give a `.wasm` file that was built as a component"),
    }
}

fn panicked() -> SandboxError {
    SandboxError::new("host.bug", "the compiler panicked over this component", "please report it, with the component")
}

fn too_slow(limit: Duration) -> SandboxError {
    let message = format!("it takes more than {} s to compile", limit.as_secs());
    SandboxError::new("hook.limit", message, "split large functions, or compile on a faster machine and keep the cache")
}
