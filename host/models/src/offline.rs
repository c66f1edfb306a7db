//! A deterministic planner: no network, no language model, no text that was written in advance for a topic.
//!
//! It sees what a language model would see (system prompt, conversation, tools) and works the same loop: look around,
//! read the class and the curriculum, read skills, write the lesson.
pub(crate) mod advice;
pub(crate) mod bank;
pub(crate) mod choose;
pub(crate) mod compose;
pub(crate) mod gather;
pub(crate) mod matching;
pub(crate) mod material;
pub(crate) mod means;
pub(crate) mod needs;
pub(crate) mod phrase;
pub(crate) mod profile;
pub(crate) mod prompt;
pub(crate) mod questions;
pub(crate) mod render;
pub(crate) mod request;
pub(crate) mod sections;
pub(crate) mod sources;
pub(crate) mod talk;
pub(crate) mod timing;
pub(crate) mod title;
pub(crate) mod weave;
pub(crate) mod wish;
pub(crate) mod words;

/// The offline planner.
#[derive(Debug, Clone, Copy, Default)]
pub struct Offline;
