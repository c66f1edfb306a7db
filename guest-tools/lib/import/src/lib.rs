//! Turns published curricula, course specifications and papers into files of a workspace, and checks such files.
//!
//! It takes bytes and gives values: a [`source::Source`] becomes a [`source::Reading`] of blocks, each with its page, line
//! or row; of the blocks, whoever read them, [`draft`] makes a file: [`outcomes`] finds codes and their texts in them and
//! [`write`](mod@write) makes a curriculum file, [`papers`] does the same for questions. [`check`](mod@check) looks at the files of a workspace as a
//! whole. What was uncertain is a [`doubt::Doubt`], never a silent choice.
//!
//! It never opens or writes a file, and trusts nothing that it reads: it works within [`limits`], in a component whose time and
//! memory the host limits.

pub mod check;
pub mod doubt;
pub mod draft;
mod error;
pub mod framework;
mod hits;
pub mod limits;
pub mod outcomes;
pub mod papers;
pub mod source;
mod text;
pub mod write;

pub use error::ImportError;
