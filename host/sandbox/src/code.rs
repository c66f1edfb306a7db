//! Compiled code: what may be run, and the one place that makes it runnable.

use std::borrow::Cow;
use std::fs::File;
use std::io::{Read as _, Seek as _};
use std::os::fd::AsRawFd as _;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use wasmtime::Engine;
use wasmtime::component::Component;

use crate::engine::{Inner, LinkedEngine};
use crate::limits::CODE_BYTES_MAX;

/// A component's compiled form, which may be run: nobody but this crate can make one.
pub(crate) struct Artefact(Form);

enum Form {
    Memory(Vec<u8>),
    File(File),
}

impl Artefact {
    /// What the compiler has just answered.
    pub(crate) const fn made(bytes: Vec<u8>) -> Self {
        Self(Form::Memory(bytes))
    }

    /// A file that was opened without following a link, is this user's alone, and holds what the compiler once answered:
    /// its MAC has shown that, or that it is the very file that was written or checked then. Nobody writes it any more.
    pub(crate) const fn kept(file: File) -> Self {
        Self(Form::File(file))
    }

    /// Its bytes, where it was just made.
    pub(crate) fn bytes(&self) -> Option<&[u8]> {
        match &self.0 {
            Form::Memory(bytes) => Some(bytes),
            Form::File(_) => None,
        }
    }
}

/// A component's code, made runnable when it is first needed.
pub(crate) struct Code {
    artefact: Mutex<Option<Artefact>>,
    runnable: OnceLock<Runnable>,
}

/// A component that can be instantiated, with the engine that it belongs to.
pub(crate) struct Runnable {
    pub(crate) component: Component,
    pub(crate) engine: Arc<LinkedEngine>,
}

impl Code {
    pub(crate) const fn new(artefact: Artefact) -> Self {
        Self { artefact: Mutex::new(Some(artefact)), runnable: OnceLock::new() }
    }

    /// The component: in the pool, unless it does not fit there.
    ///
    /// # Errors
    /// Why the engine refuses it.
    pub(crate) fn runnable(&self, inner: &Inner) -> Result<&Runnable, String> {
        if let Some(runnable) = self.runnable.get() {
            return Ok(runnable);
        }
        let mut artefact = self.artefact.lock().unwrap_or_else(PoisonError::into_inner);
        // Another was faster.
        if let Some(runnable) = self.runnable.get() {
            return Ok(runnable);
        }
        let held = artefact.as_ref().ok_or("it is gone")?;
        let fits = |engine: &Arc<LinkedEngine>| {
            let component = load(&engine.engine, held)?;
            Ok::<_, String>(Runnable { component, engine: Arc::clone(engine) })
        };
        let pooled = inner.pooled.as_ref().and_then(|engine| fits(engine).ok());
        let runnable = pooled.map_or_else(|| fits(&inner.on_demand), Ok)?;
        // What is mapped needs no file any more.
        *artefact = None;
        Ok(self.runnable.get_or_init(|| runnable))
    }
}

/// The one place that turns bytes into code.
#[allow(unsafe_code, reason = "loading a compiled component is unsafe by nature; the proof stands below")]
fn load(engine: &Engine, artefact: &Artefact) -> Result<Component, String> {
    let source = artefact.source()?;
    // SAFETY: the bytes must come from `Engine::precompile_component` of an engine with this configuration, and a file must
    // not change while it is mapped. An artefact is made in two ways only.
    // - `made`: what the compiler process has answered, a process of this very program, over a pipe that nobody else holds.
    //   It lies in this process's memory.
    // - `kept`: a file of the cache, opened once, and mapped by that descriptor. Its bytes were once `made`: either
    //   HMAC-SHA-256 over all of them and the file's name was checked, under a key that was drawn on this installation,
    //   lies in a directory of mode 0700 that belongs to this user, and has never been used for anything else; or a record
    //   under that key says of this file, by device, inode, size and both times to the nanosecond, that its bytes were
    //   written or checked so before. Or it is a file that was shipped beside this program, which only those can write who
    //   can write the program. Such files have mode 0400 and are never opened to be written: a new file takes the name, and
    //   whoever has mapped the old one keeps it. Other users cannot write them. Other processes of this user could, as they
    //   could write this process's memory; they are not held off.
    // The name holds the engine's compatibility hash, which is the same for both engines; the engine checks its own again.
    let component = unsafe {
        match &source {
            Source::Memory(bytes) => Component::deserialize(engine, bytes),
            Source::Mapped(path) => Component::deserialize_file(engine, path),
        }
    };
    component.map_err(|error| format!("the engine refuses it: {error}"))
}

enum Source<'a> {
    Memory(Cow<'a, [u8]>),
    Mapped(PathBuf),
}

impl Artefact {
    fn source(&self) -> Result<Source<'_>, String> {
        let mut file = match &self.0 {
            Form::Memory(bytes) => return Ok(Source::Memory(Cow::Borrowed(bytes))),
            Form::File(file) => file,
        };
        // Leads to the open file itself, whatever has become of its name.
        let path = PathBuf::from(format!("/proc/self/fd/{}", file.as_raw_fd()));
        if path.exists() {
            return Ok(Source::Mapped(path));
        }
        let mut bytes = Vec::new();
        let read = file.rewind().and_then(|()| file.take(CODE_BYTES_MAX).read_to_end(&mut bytes));
        read.map_err(|error| format!("it cannot be read: {error}"))?;
        Ok(Source::Memory(Cow::Owned(bytes)))
    }
}
