//! The agent loop and everything else that is pure: events, the machine that turns events into actions, prompt
//! assembly, front matter, skills, limits, traces.
//!
//! This crate never does IO: it knows nothing of tokio, wasmtime, SQL, HTTP, files or the clock. Whoever runs it
//! carries out its [`Action`]s and feeds the resulting [`Event`]s back.
//!
//! Start reading at [`event`], the catalogue of what can happen, then [`machine`], which says what happens next.

pub mod event;
pub mod hook;
pub mod message;
pub mod model;
pub mod point;
pub mod problem;
pub mod question;

pub use event::{Event, Record};
pub use point::Point;
