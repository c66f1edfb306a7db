//! Runs guests: WebAssembly components, each call in a fresh instance, with nothing but what was granted.
//!
//! Only this crate names wasmtime, and only this crate opens files of a workspace. It never reads a manifest,
//! never touches the journal and never decides what a verdict means.
//!
//! Start reading at [`Sandbox`], then [`Guest`], a component that may be called, and [`Invocation`], all that a call sees.

mod bindings;
mod bytes;
mod cache;
mod call;
mod clock;
mod code;
mod compile;
mod compiler;
mod convert;
mod engine;
mod facts;
mod failure;
mod guest;
mod host;
mod inputs;
mod inspect;
mod invocation;
mod limits;
mod loaded;
mod only_reads;
mod pool;
mod private;
mod rights;
mod shape;
mod shipped;
mod state;
mod ticker;
mod wasi;
mod workspace;

pub use bytes::{ComponentBytes, Fetch};
pub use cache::CacheReport;
pub use call::{CallOutcome, Ended, HookResponse, ToolFailure};
pub use compiler::compile_child;
pub use convert::{
    Block, Cell, Document, DocumentFailure, DocumentRequest, Doubt, Place, Provided, ProviderFailure, Reading,
    ReadingRequest, Shape, Stepped,
};
pub use engine::{Sandbox, SandboxConfig};
pub use failure::{Failure, SandboxError};
pub use guest::Guest;
pub use inputs::{Inputs, Playback, READ};
pub use inspect::Inspection;
pub use invocation::{
    Invocation, PastRun, Requested, RunSoFar, SessionFound, SessionQuery, SessionReader, SkillReader, SkillText,
    StagedWrite,
};
pub use limits::{DOCUMENT_BYTES_MAX, Limits, MEMORY_CEILING_BYTES};
pub use rights::{Access, Rights};
pub use workspace::Workspace;
