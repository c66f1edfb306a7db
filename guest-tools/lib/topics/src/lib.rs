//! Which outcome of a curriculum a topic means, where that is certain, and which ones to offer where it is not.
//!
//! The failure to fear is a lesson on a real outcome that nobody asked for. So a topic is taken for an outcome only where
//! the outcome's own wording covers every word of the topic; everything else is a question to the person, with the
//! nearest outcomes to choose from. This crate reads no files and asks nobody.
//!
//! Start reading at [`Index::new`], what is known of the files; then [`Index::look`].

mod decide;
mod index;
mod request;
mod spelling;
mod words;

pub use decide::{CHOICES_MAX, Finding};
pub use index::{Index, Outcome, Source};
pub use request::Request;
