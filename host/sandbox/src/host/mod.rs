//! The imports, one file for each capability. Every function counts itself, then does what was granted.
//!
//! A component that was not granted a capability is refused when it is loaded; the checks here hold for the
//! grants themselves.

mod ask;
mod clock;
mod config;
mod conversation;
mod journal;
mod log;
mod memory;
mod model;
mod prompt;
mod random;
mod sessions;
mod skills;
mod tasks;
mod tools;
mod workspace;
