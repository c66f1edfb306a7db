//! Carries out what the core's machine wants done: runs hooks and tools in the sandbox, calls models, asks people,
//! appends every event to the journal. One task per live run; a parked run holds nothing.
//!
//! The only crate that knows core, sandbox, models and store at once. It never decides what comes next (that is the
//! machine's), never talks to a terminal or a socket (that is the surfaces').
//!
//! Start reading at [`Host`], then [`run`].

pub mod actions;
pub mod advice;
pub mod agents;
mod change;
pub mod check;
pub mod circuits;
pub mod codes;
pub mod compiler;
pub mod components;
pub mod documents;
pub mod erase;
pub mod error;
mod fallback;
pub mod files;
pub mod flows;
pub mod grants;
pub mod history;
pub mod hook_run;
pub mod host;
pub mod inputs;
pub mod inspect;
pub mod journal_check;
pub mod memory;
pub mod models;
pub mod observer;
mod packed;
pub mod person;
pub mod plugin;
pub mod project;
pub(crate) mod provided;
pub mod providers;
pub mod readings;
pub mod replay;
pub mod run;
pub mod sample;
pub mod sessions;
pub mod standing;
pub mod stop;
pub mod subject;
pub mod surface;
pub mod telemetry;
pub mod tool_run;
pub mod tried;
pub mod undo;
pub mod validate;

pub use error::RuntimeError;
pub use host::{Host, HostConfig};
pub use observer::{Observer, Starting};
pub use person::{Person, Reply};
pub use run::{Ended, ForkRequest, OpenQuestion, RunEnd, RunRequest};
