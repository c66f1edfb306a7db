//! What a person decides while a question is open.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::question::Decision;

/// The person decided on one item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ItemDecided {
    /// Hash of the question.
    pub hash: String,
    /// The decision.
    pub decision: Decision,
    /// How long it took, in milliseconds.
    pub elapsed_ms: u64,
}
