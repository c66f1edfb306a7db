//! The agent loop and everything else that is pure: events, the machine that turns events into actions, prompt
//! assembly, front matter, skills, limits, traces.
//!
//! This crate never does IO: it knows nothing of tokio, wasmtime, SQL, HTTP, files or the clock. Whoever runs it
//! carries out its [`Action`]s and feeds the resulting [`Event`]s back.
//!
//! Start reading at [`event`], the catalogue of what can happen, then [`machine`], which says what happens next.

pub mod capability;
pub mod confirm;
pub mod contract;
pub mod definition;
pub mod delegation;
pub mod event;
pub mod files;
pub mod flow;
pub mod hook;
pub mod kind;
pub mod machine;
pub mod manifest;
pub mod marked;
pub mod memory;
pub mod message;
pub mod model;
pub mod observation;
pub mod output_schema;
pub mod parts;
pub mod point;
pub mod project;
pub mod prompt;
pub mod question;
pub mod request;
pub mod shape;
pub mod skill;
pub mod step;
pub mod subject;
pub mod summary;
pub mod telemetry;
pub mod text;
pub mod tokens;
pub mod trace;

pub use event::{Event, Record};
pub use point::Point;
