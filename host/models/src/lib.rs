//! Models that need no network: who answers when the agent loop asks.
//!
//! Two providers implement [`ta_core::model::Model`]. [`Offline`] is a planner that works by rules: it sees what a
//! language model would see, works the same tool loop, and says in every lesson what it is. [`Script`] answers from a
//! file, for tests and evals.
//!
//! This crate never does IO. It reads no file, knows no clock and keeps no state between calls that could change an
//! answer: what [`Offline`] says is a function of the request alone.
//!
//! Start reading at [`script`] for the small provider; then at [`offline`], which tells the planner's way of working.

mod estimate;
pub mod offline;
pub mod script;

pub use offline::Offline;
pub use script::{Script, ScriptError};
