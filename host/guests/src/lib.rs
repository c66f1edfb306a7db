//! What the author of a guest does: begins one, builds it, tries it on cases, puts it into a plugin, cuts cases from real runs.
//!
//! The contract and the SDK travel inside the binary, so that a guest is written anywhere. This crate runs the tools of a
//! language and changes files that its author names; what a component may do and what it said, the runtime says.
//!
//! Start reading at [`project::Project`], then at the module of a command: [`new`], [`build`], [`cases`], [`add`], [`record`], [`doctor`].

pub mod add;
pub mod build;
pub mod cases;
pub mod doctor;
pub mod files;
pub mod junit;
pub mod kit;
pub mod language;
pub mod new;
pub mod outcome;
mod points;
mod points_c;
pub mod project;
pub mod record;
pub mod scrub;
pub mod trial;

pub use language::Language;
