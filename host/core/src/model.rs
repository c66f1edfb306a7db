//! What a model is asked and what it answers. Providers implement [`Model`].

use std::future::Future;
use std::pin::Pin;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::message::{Message, StopReason, ToolCall, ToolDefinition, Usage};

/// One call of a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelRequest {
    /// The provider's name of the model.
    pub model: String,
    /// The system prompt.
    pub system: String,
    /// The conversation, oldest first. Never empty.
    pub messages: Vec<Message>,
    /// The tools that may be called; none means that it must answer with text.
    pub tools: Vec<ToolDefinition>,
}

/// What a model answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ModelAnswer {
    /// The text; may be empty where there are calls.
    pub text: String,
    /// The tool calls, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ToolCall>,
    /// Why it stopped.
    pub stop: StopReason,
    /// Tokens of this call.
    pub usage: Usage,
    /// What this call cost, in US dollars.
    pub cost_usd: f64,
}

/// Why a model could not answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize, JsonSchema)]
#[error("{message}")]
pub struct ModelError {
    /// A stable word, such as `model.script_exhausted`.
    pub code: String,
    /// What happened.
    pub message: String,
    /// What to do.
    pub hint: String,
}

/// A future that can be sent between threads.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A provider's model behind one interface.
pub trait Model: Send + Sync {
    /// Name of the provider, such as `offline`.
    fn provider(&self) -> &str;

    /// Answers one request. Dropping the future gives the call up.
    ///
    /// # Errors
    /// Where the provider cannot answer, with a code and a hint.
    fn complete<'a>(&'a self, request: &'a ModelRequest) -> BoxFuture<'a, Result<ModelAnswer, ModelError>>;
}
