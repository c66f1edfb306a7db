//! The conversation, where it no longer fits the model's window.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::summary::Summary;

/// Older messages made room: a summary stands in their place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ContextCompacted {
    /// Number of the turn before which it happened, counted from 1.
    pub turn: u32,
    /// The model's window, in tokens.
    pub window: u64,
    /// Tokens that the next request would have come to.
    pub tokens_before: u64,
    /// Tokens that it comes to now.
    pub tokens_after: u64,
    /// Whether both rest on our estimate alone; otherwise on it and on what the provider last counted.
    pub estimated: bool,
    /// The first message that is kept, and all after it are; counted from 0.
    pub cut: usize,
    /// Messages before it that are kept all the same: the request, the latest draft and what was asked of it.
    pub spared: Vec<usize>,
    /// What is known of the others.
    pub summary: Summary,
    /// The message that the model reads in their place.
    pub text: String,
}
