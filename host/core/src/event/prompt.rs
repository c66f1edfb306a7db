//! Events about what the model is shown.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::hook::Correction;
use crate::memory::Selection;
use crate::message::ToolDefinition;

/// The prompt stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PromptAssembled {
    /// The system prompt.
    pub system: String,
    /// Its parts in order, each with its length.
    pub parts: Vec<PromptPart>,
    /// Tools that the model may call.
    pub tools: Vec<ToolDefinition>,
    /// SHA-256 of everything that the prompt was made of, kept beside the journal, so that a replay makes it again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts_sha256: Option<String>,
    /// Which memory notes were chosen for it, file by file.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memory: Vec<Selection>,
}

/// A part of the prompt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PromptPart {
    /// Its XML tag.
    pub tag: String,
    /// Its length in bytes.
    pub bytes: usize,
}

/// What the prompt and the tools show was corrected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PromptCorrected {
    /// The hook that the person corrected it through.
    pub hook: String,
    /// The corrections, in order.
    pub corrections: Vec<Correction>,
}
