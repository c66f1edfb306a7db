//! Turns published curricula, course specifications and papers into files of a workspace, and checks such files.
//!
//! It takes bytes and gives values: a [`source::Source`] becomes a [`source::Document`] of blocks, each with its page, line
//! or row; [`outcomes`] finds codes and their texts in it, [`write`](mod@write) makes a curriculum file of them, [`papers`] does the
//! same for questions, [`check`](mod@check) looks at the files of a workspace as a whole. What was uncertain is a
//! [`doubt::Doubt`], never a silent choice.
//!
//! It never opens or writes a file, and trusts nothing that it reads: every source is read under [`limits`], in a thread of
//! its own, with a clock.

pub mod check;
pub mod doubt;
mod error;
pub mod framework;
mod hits;
pub mod limits;
pub mod outcomes;
pub mod papers;
pub mod source;
pub mod text;
pub mod write;

pub use error::ImportError;

/// Reads a curriculum file of the workspace.
pub fn curriculum_file(text: &str) -> ta_curriculum::file::CurriculumFile {
    ta_curriculum::file::CurriculumFile::parse(text)
}
