//! Studies: who meets which condition, in which order, doing what; all of it pinned at the start and journaled.
//!
//! Stands on the runtime, which carries out the runs. It never decides what happens within a run, never ranks or profiles who
//! takes part, and never prints or serves anything: command line and server do that. What a participant says lies in
//! sessions of the participant alone, which a withdrawal erases; the study's own session holds no more than numbers.
//!
//! Start reading at [`definition`] (what `study.toml` says) and [`design`] (who meets what), then [`study`] and [`sitting`].

mod asking;
pub mod check;
pub mod definition;
pub mod design;
pub mod draws;
pub mod export;
mod home;
pub mod page;
pub mod plan;
pub mod power;
pub mod runs;
pub mod sitting;
pub mod status;
pub mod steps;
pub mod study;
pub mod under;
pub mod withdraw;
