//! A run: started or resumed, driven action by action, until it ends or is parked.

mod answering;
mod answers;
mod drive;
mod durability;
pub(crate) mod effects;
pub(crate) mod flow;
mod fork;
mod guest_model;
mod memory;
mod model;
mod output;
mod partial;
pub(crate) mod prompt;
pub(crate) mod readers;
pub(crate) mod settle;
pub(crate) mod start;
mod stopped;

pub use answers::{check_decision, check_outcome};
pub(crate) use drive::open_question;
pub use drive::{Ended, OpenQuestion, RunEnd};
pub use fork::{ForkRequest, fork};
pub use prompt::dry_run;
pub use start::{RunRequest, own_session, resume, start};
pub use stopped::stopped;
