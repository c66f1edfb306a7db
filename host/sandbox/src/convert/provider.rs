//! Providers: what they are asked, and what they answer.

use std::collections::BTreeSet;

use ta_core::marked::{Marked, Piece};
use ta_core::message::{Message, Role, StopReason, ToolCall, ToolDefinition};
use ta_core::model::ModelRequest;

use crate::bindings::exports::teacher_assist::plugin::provider;
use crate::bindings::teacher_assist::plugin::types;

/// What a provider's component answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provided {
    /// The text.
    pub text: String,
    /// The tool calls, in order.
    pub calls: Vec<ToolCall>,
    /// Tokens of the request, as it counts them.
    pub input_tokens: u64,
    /// Tokens of the answer.
    pub output_tokens: u64,
    /// Why it stopped.
    pub stop: StopReason,
    /// Why it says no, where it does.
    pub declined: Option<String>,
}

/// Why a provider's component has no answer, in its own words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderFailure {
    /// A stable word.
    pub code: String,
    /// What went wrong.
    pub message: String,
    /// Whether the same request may be answered when it is made again.
    pub retryable: bool,
}

impl From<provider::Failure> for ProviderFailure {
    fn from(it: provider::Failure) -> Self {
        Self { code: it.code, message: it.message, retryable: it.retryable }
    }
}

impl From<&ModelRequest> for provider::Request {
    fn from(it: &ModelRequest) -> Self {
        Self {
            model: it.model.clone(),
            system: it.system.clone(),
            parts: pieces(&it.system).0,
            messages: it.messages.iter().map(Into::into).collect(),
            tools: it.tools.iter().map(Into::into).collect(),
            schema: it.output_schema.as_ref().map(ToString::to_string),
            max_tokens: it.max_output_tokens,
            effort: None,
        }
    }
}

/// What the host put into a text, and what else stands there.
fn pieces(text: &str) -> (Vec<provider::PromptPart>, String) {
    let Some(marked) = Marked::read(text) else { return (Vec::new(), text.trim().to_owned()) };
    let (pieces, outside) = marked.pieces();
    (pieces.into_iter().map(Into::into).collect(), outside)
}

impl From<Piece<'_>> for provider::PromptPart {
    fn from(it: Piece<'_>) -> Self {
        let entry = |(name, value): (&str, &str)| types::Entry { name: name.to_owned(), value: value.to_owned() };
        Self { name: it.name, about: it.about.into_iter().map(entry).collect(), text: it.text.to_owned() }
    }
}

impl From<&Message> for provider::Message {
    fn from(it: &Message) -> Self {
        let role = match it.role {
            Role::User => types::Role::User,
            Role::Assistant => types::Role::Assistant,
            Role::Tool => types::Role::Tool,
        };
        // Only the person's side holds what the host put there: a model and a tool write whatever they like.
        let (parts, said) = match it.role {
            Role::User => pieces(&it.text),
            Role::Assistant | Role::Tool => (Vec::new(), it.text.clone()),
        };
        Self {
            role,
            text: it.text.clone(),
            said,
            parts,
            calls: it.calls.iter().map(Into::into).collect(),
            result: it.result.as_ref().map(Into::into),
        }
    }
}

impl From<&ToolDefinition> for provider::Tool {
    fn from(it: &ToolDefinition) -> Self {
        Self { name: it.name.clone(), description: it.description.clone(), input_schema: it.input_schema.to_string() }
    }
}

/// An answer that the run can go on with; the error says what of it is not.
impl TryFrom<provider::Answer> for Provided {
    type Error = String;

    fn try_from(it: provider::Answer) -> Result<Self, String> {
        let mut ids = BTreeSet::new();
        for call in &it.calls {
            if call.id.is_empty() || !ids.insert(call.id.as_str()) {
                return Err(format!("the call of `{}` has no id of its own: `{}`", call.name, call.id));
            }
        }
        let (stop, declined) = match it.stop {
            provider::Stop::EndTurn => (StopReason::EndTurn, None),
            provider::Stop::ToolUse => (StopReason::ToolUse, None),
            provider::Stop::Length => (StopReason::Length, None),
            provider::Stop::Refusal => (StopReason::Refusal, None),
            provider::Stop::Declined(reason) => (StopReason::Declined, Some(reason)),
        };
        if declined.is_some() && !it.calls.is_empty() {
            return Err("it says no and calls tools at once".to_owned());
        }
        let calls = it.calls.into_iter().map(Into::into).collect();
        let (input_tokens, output_tokens) = (it.input_tokens, it.output_tokens);
        Ok(Self { text: it.text, calls, input_tokens, output_tokens, stop, declined })
    }
}
