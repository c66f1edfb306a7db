//! A guest's call of a model.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{CallPrice, Input};
use crate::message::Usage;

/// The model that guests may ask in a run, and what all of them together may use of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GuestModel {
    /// Name of the provider.
    pub provider: String,
    /// The provider's name of the model.
    pub model: String,
    /// Where the provider was said to be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// What a call is reckoned at before it is made; none where no price is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<CallPrice>,
    /// Calls at the most, over all guests.
    pub max_calls: u32,
    /// Tokens at the most, sent and received.
    pub max_tokens: u64,
    /// US dollars at the most.
    pub max_usd: f64,
}

/// A guest is about to be answered by a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GuestModelCalled {
    /// The hook, or the id of the tool call.
    pub by: String,
    /// Number of the record that led to the guest's call.
    pub call: u64,
    /// The import with what it was asked: `model.ask` and the SHA-256 of the question.
    pub import: String,
    /// What the call was told from outside itself before: when it is run again it is told the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub inputs: Vec<Input>,
    /// Name of the provider.
    pub provider: String,
    /// Name of the model.
    pub model: String,
    /// The most tokens that it can come to; set aside until it is answered.
    pub max_tokens: u64,
    /// The most that it can cost, in US dollars; set aside likewise, and taken as paid where no answer is recorded.
    pub max_usd: f64,
}

/// A guest's question to a model was answered, well or badly.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct GuestModelAnswered {
    /// The hook, or the id of the tool call.
    pub by: String,
    /// Number of the record that led to the guest's call.
    pub call: u64,
    /// As when it was called.
    pub import: String,
    /// SHA-256 of what the guest was told, as JSON, kept beside the journal: it is told the same when it is run again.
    pub sha256: String,
    /// Tokens of the call.
    pub usage: Usage,
    /// What it cost, in US dollars; 0 where no price is known.
    pub cost_usd: f64,
    /// Wall time in milliseconds.
    pub elapsed_ms: u64,
    /// Code of the error, where there was no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}
