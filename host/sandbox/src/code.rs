//! Compiled code: what may be run, and the one place that makes it runnable.

use std::sync::Arc;

use wasmtime::Engine;
use wasmtime::component::Component;

use crate::engine::{Inner, LinkedEngine};

/// A component's compiled form, which may be run.
pub(crate) struct Artefact(Vec<u8>);

/// A component that can be instantiated, with the engine that it belongs to.
pub(crate) struct Code {
    pub(crate) component: Component,
    pub(crate) engine: Arc<LinkedEngine>,
}

impl Artefact {
    /// Compiles a component.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(crate) fn compile(engine: &Engine, bytes: &[u8]) -> wasmtime::Result<Self> {
        engine.precompile_component(bytes).map(Self)
    }

    /// Bytes that [`Artefact::compile`] made, and of which a MAC has shown that nobody has changed them since.
    pub(crate) const fn trusted(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl Inner {
    /// Makes an artefact runnable: in the pool, unless it does not fit there or shall not be.
    ///
    /// # Errors
    /// Why the engine refuses it.
    pub(crate) fn runnable(&self, artefact: &Artefact, pooled: bool) -> Result<Code, String> {
        if let Some(engine) = self.pooled.as_ref().filter(|_| pooled)
            && let Ok(component) = deserialize(&engine.engine, artefact)
        {
            return Ok(Code { component, engine: Arc::clone(engine) });
        }
        let engine = Arc::clone(&self.on_demand);
        deserialize(&engine.engine, artefact).map(|component| Code { component, engine })
    }
}

/// The one place that turns bytes into code.
#[allow(unsafe_code, reason = "loading a compiled component is unsafe by nature; the proof stands below")]
fn deserialize(engine: &Engine, artefact: &Artefact) -> Result<Component, String> {
    // SAFETY: the bytes must come from `Engine::precompile_component` of an engine with this configuration. An artefact
    // is made in two ways only: by that function, in this process; or from a file of the cache whose HMAC-SHA-256 over
    // exactly these bytes and their name was checked, under a key that was drawn on this installation, lies in a directory
    // of mode 0700 that belongs to this user, and has never been used for anything but artefacts of the first kind. The
    // bytes were copied from the file before the check, so nothing can change them afterwards. The name holds the engine's
    // compatibility hash, which is the same for both engines; the engine checks its own version again.
    unsafe { Component::deserialize(engine, artefact.bytes()) }
        .map_err(|error| format!("the engine refuses it: {error}"))
}
