//! Markdown as the host and its guests both read it: lines, links, the parts of a text, and pointers into a file.
//!
//! A part that a person accepts, a quote that a guard looks up and a link that a page shows have to be the same thing on both
//! sides of the contract, so both read them through this crate.
//!
//! It takes text and gives values with byte offsets and line numbers. It never opens a file, never knows what a text is about,
//! never rewrites what it was given, and depends on nothing but `std`, because it is compiled into small components.
//!
//! Start with [`markdown`], what counts as a line and a heading, then [`outline`], the parts of a text, and
//! [`pointer`](mod@pointer), a link to lines of a file with a quote, which [`normalise`] finds there.

pub mod inline;
pub mod markdown;
pub mod normalise;
pub mod outline;
pub mod pointer;
