//! A call of a model: begun, answered, failed, broken off.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::message::Usage;
use crate::model::{ModelAnswer, ModelError};

/// A model is about to be called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelCalled {
    /// Number of the turn, counted from 1.
    pub turn: u32,
    /// Name of the provider.
    pub provider: String,
    /// Name of the model.
    pub model: String,
    /// How many messages are sent.
    pub messages: usize,
    /// SHA-256 over two SHA-256: that of system prompt, tools and the output's schema, where there is one, as JSON; and that of a
    /// chain over the messages, each link of which is the SHA-256 of the link before it and of the SHA-256 of a message's JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_sha256: Option<String>,
    /// What it comes to, where that is more of the window than is good and no older message can make room. Said of a
    /// run's first call of that kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crowded: Option<Crowded>,
}

/// A request that fills most of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Crowded {
    /// About how many tokens it comes to.
    pub tokens: u64,
    /// The model's window, in tokens.
    pub window: u64,
}

/// A model answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelAnswered {
    /// Number of the turn.
    pub turn: u32,
    /// The answer.
    pub answer: ModelAnswer,
    /// Wall time in milliseconds.
    pub elapsed_ms: u64,
}

/// A model could not answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelFailed {
    /// Number of the turn.
    pub turn: u32,
    /// Why.
    pub error: ModelError,
}

/// A model could not answer, and another one is asked the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelFellBack {
    /// Number of the turn.
    pub turn: u32,
    /// Who failed, as `provider/model`.
    pub failed: String,
    /// Who takes over, as `provider/model`.
    pub by: String,
    /// Why.
    pub error: ModelError,
}

/// A try that was given up, cut, or lost with the host: what had come of it, and what it is taken to have used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelPartial {
    /// Number of the turn.
    pub turn: u32,
    /// The text that had come; empty also where only calls or reasoning had come, or nobody knows. It is never joined to
    /// another.
    pub text: String,
    /// What the try is taken to have used: what the provider had counted by then, what had come where that is more, and all
    /// that was set aside for it where the host was killed.
    pub usage: Usage,
    /// What it is taken to have cost, in US dollars; 0 where no price is known.
    pub cost_usd: f64,
}
