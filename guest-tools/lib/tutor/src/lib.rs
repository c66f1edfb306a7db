//! A tutor of mathematics that asks, hints and shows: all that is decided, in plain Rust.
//!
//! A topic is a file of data ([`topic`]): sections, what counts as mastery, and shapes of problems whose numbers are drawn
//! ([`draw`]). What happens after an answer is decided from the checker's verdict by a matrix ([`matrix`]) and by the section's
//! rubric ([`mastery`]), both data. Agents only put into words what was decided, and where there are none the topic's words are
//! shown. This crate opens no file, asks no model and knows no time: it is told by a [`tutor::World`].
//!
//! Start reading at [`tutor::step`].

pub mod agents;
mod answer;
pub mod check;
mod decide;
pub mod draw;
pub mod exact;
pub mod expression;
pub mod functions;
pub mod mastery;
pub mod matrix;
pub mod message;
pub mod places;
pub mod speech;
pub mod state;
pub mod topic;
pub mod tutor;
pub mod validate;
pub mod value;
pub mod view;
pub mod visual;
mod words;
