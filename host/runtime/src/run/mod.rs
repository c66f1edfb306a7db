//! A run: started or resumed, driven action by action, until it ends or is parked.

mod answers;
mod drive;
mod effects;
mod output;
mod prompt;
mod start;
mod stop;

pub use drive::{Ended, RunEnd};
pub use prompt::dry_run;
pub use start::{RunRequest, resume, start};
