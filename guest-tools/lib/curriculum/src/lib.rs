//! The text formats that guests and host agree on: outcome codes, curriculum files, evidence pointers, lesson outlines.
//!
//! Part of the guest contract, like the WIT beside it: whoever writes a curriculum file, a lesson or a pointer, and
//! whoever checks one, reads it through this crate, so that both sides see the same thing.
//!
//! What is plain markdown in it, lines, links, sections and pointers, is read by `ta-text`, as the host reads it.
//!
//! It takes text and gives values with byte offsets and line numbers. It never opens a file, never decides whether a
//! claim is true (that is the `curriculum-evidence` guard), never rewrites what it was given, and depends on nothing else
//! but `std`, because it is compiled into small components.
//!
//! Start with [`pointer`](mod@pointer) (what a claim of alignment looks like), then [`file`](mod@file) (what it points to), then
//! [`code`] and [`level`]. [`markdown`] and [`inline`] say what counts as text at all.

pub mod code;
mod cursor;
pub mod file;
pub mod fold;
pub mod foreign;
pub mod front_matter;
pub mod level;
pub mod material;
pub mod pupils;

pub use ta_text::{inline, markdown, normalise, outline, pointer};
