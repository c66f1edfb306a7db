//! The planner at work: whole runs over small workspaces, as examples of what it does.

mod create;
mod form;
mod given;
mod hooks;
mod properties;
mod review;
mod reworks;
mod room;
mod samples;
mod team;
mod workspace;
