//! What a model is asked and what it answers. Providers implement [`Model`].

use std::future::Future;
use std::pin::Pin;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::event::CallReport;
use crate::message::{Messages, StopReason, ToolCall, ToolDefinition, Usage};

/// One call of a model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelRequest {
    /// The provider's name of the model.
    pub model: String,
    /// The system prompt.
    pub system: String,
    /// The conversation, oldest first. Never empty.
    pub messages: Messages,
    /// The tools that may be called; none means that it must answer with text.
    pub tools: Vec<ToolDefinition>,
    /// JSON Schema that the answer's text has to fit. A provider is asked for it where it can be; nobody may rely on it
    /// having obeyed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<serde_json::Value>,
    /// The most tokens that the answer may have; the provider's own limit where none is given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_output_tokens: Option<u32>,
    /// When it is asked, for whom it matters: a component's world depends on nothing else. Never sent.
    #[serde(skip)]
    pub moment: Moment,
}

/// What a component that answers as a model is told of time and chance: it comes from the record that led to the call.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Moment {
    /// The time in milliseconds since 1970-01-01 UTC.
    pub at_ms: u64,
    /// The seed of its random bytes.
    pub seed: [u8; 32],
}

/// What a model answered.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    /// What this call cost, in US dollars; 0 where no price is known.
    pub cost_usd: f64,
    /// What the provider's prompt cache saved on this call, in US dollars, over the same tokens without it; below 0 where
    /// putting them in cost more than was saved yet.
    #[serde(default, skip_serializing_if = "nothing")]
    pub cache_saved_usd: f64,
    /// Whether the answer is a kept one: nothing was sent, and nothing is paid.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cached: bool,
    /// Who answered, as `provider/model`, where it is another than was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered_by: Option<String>,
    /// Why it says no, where it stopped with `declined`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declined: Option<String>,
    /// The component that answered, where one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub component: Option<Box<ProviderCall>>,
}

/// A component that answered as a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProviderCall {
    /// Its name within the plugin.
    pub name: String,
    /// SHA-256 of its bytes.
    pub sha256: String,
    /// What its call used.
    pub report: CallReport,
}

/// Whether an amount is left out of the journal: most calls save nothing.
fn nothing(amount: &f64) -> bool {
    amount.abs() < f64::EPSILON
}

impl ModelAnswer {
    /// Tokens that count: none where nothing was sent.
    #[must_use]
    pub fn used(&self) -> Usage {
        if self.cached { Usage::default() } else { self.usage }
    }
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

/// Who watches an answer come. What is shown this way is for the eye alone: the finished [`ModelAnswer`] counts.
pub trait Deltas: Send + Sync {
    /// More of the text.
    fn text(&self, delta: &str);

    /// Something worth knowing meanwhile, in a sentence: a try that failed and when the next one comes.
    fn notice(&self, text: &str);

    /// The text so far is void: the call begins anew.
    fn restarted(&self) {}

    /// The provider has taken the request and begins to answer: from here on it is paid for, whatever comes of it.
    fn begun(&self) {}

    /// So many bytes more of what is not shown: arguments of a call, reasoning.
    fn unseen(&self, _bytes: usize) {}

    /// What the provider has counted so far.
    fn counted(&self, _usage: &Usage) {}

    /// This try has come to nothing, and another one follows.
    fn lost(&self) {}
}

/// Nobody watches.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unwatched;

impl Deltas for Unwatched {
    fn text(&self, _: &str) {}
    fn notice(&self, _: &str) {}
}

/// A provider's model behind one interface.
pub trait Model: Send + Sync {
    /// Name of the provider, such as `offline`.
    fn provider(&self) -> &str;

    /// Answers one request. Dropping the future gives the call up.
    ///
    /// # Errors
    /// Where the provider cannot answer, with a code and a hint.
    fn complete<'a>(&'a self, request: &'a ModelRequest) -> BoxFuture<'a, Result<ModelAnswer, ModelError>>;

    /// Answers one request and shows the text as it comes. Without a way of its own a provider shows it all at once.
    ///
    /// # Errors
    /// As [`Model::complete`].
    fn stream<'a>(
        &'a self,
        request: &'a ModelRequest,
        deltas: &'a dyn Deltas,
    ) -> BoxFuture<'a, Result<ModelAnswer, ModelError>> {
        Box::pin(async move {
            let answer = self.complete(request).await?;
            if !answer.text.is_empty() {
                deltas.text(&answer.text);
            }
            Ok(answer)
        })
    }
}
