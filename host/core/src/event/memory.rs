//! Events about memory.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::memory::{Change, Scored};

/// A memory file was written, or taken away.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryWritten {
    /// The owner whose memory it is.
    pub owner: String,
    /// The tool call, the hook, `consolidation`, or `person`.
    pub by: String,
    /// What was done.
    pub change: Change,
}

/// Notes were scored: which have come to be worth a person's yes, and which leave an entry point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryConsolidated {
    /// The owner whose memory it is.
    pub owner: String,
    /// The working notes that were looked at, each with its scores and what became of it.
    pub notes: Vec<Scored>,
}
