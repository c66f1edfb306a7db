//! The conversation with a model, in one form for every provider.

use std::borrow::Cow;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, OnceLock};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};

mod list;

pub use list::{JsonSum, Messages};

/// Who a message is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person, or the host speaking for a hook.
    User,
    /// The model.
    Assistant,
    /// A tool's answer.
    Tool,
}

/// A tool call that a model asks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolCall {
    /// The provider's id of the call.
    pub id: String,
    /// Name of the tool.
    pub name: String,
    /// The arguments: the text of a JSON object.
    pub arguments: String,
}

/// The one key of the arguments that stand in place of arguments nobody can read.
const INVALID_ARGUMENTS: &str = "invalid_arguments";

impl ToolCall {
    /// A call whose arguments cannot be used: it stays in the history as valid JSON, is never made, and the model reads
    /// the reason as its result.
    #[must_use]
    pub fn unusable(id: impl Into<String>, name: impl Into<String>, reason: &str) -> Self {
        let arguments = serde_json::json!({ INVALID_ARGUMENTS: reason }).to_string();
        Self { id: id.into(), name: name.into(), arguments }
    }

    /// Why the call cannot be made, where it is one of [`ToolCall::unusable`].
    #[must_use]
    pub fn unusable_because(&self) -> Option<String> {
        let value: serde_json::Value = serde_json::from_str(&self.arguments).ok()?;
        let object = value.as_object().filter(|object| object.len() == 1)?;
        object.get(INVALID_ARGUMENTS)?.as_str().map(ToOwned::to_owned)
    }
}

/// What a tool answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ToolResult {
    /// Id of the call that it answers.
    pub id: String,
    /// Name of the tool.
    pub name: String,
    /// Whether the tool failed. The model reads `text` either way.
    pub failed: bool,
    /// The result, or what went wrong and what to do.
    pub text: String,
}

/// A message of the conversation. Every turn hands the whole conversation on, to hooks, to a provider, to a digest: a message is shared, so
/// that a copy costs nothing whatever it holds.
#[derive(Clone, PartialEq, Eq)]
pub struct Message(Arc<Shared>);

#[derive(Clone)]
struct Shared {
    body: Body,
    json: OnceLock<JsonSize>,
}

/// What the JSON of something comes to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct JsonSize {
    /// SHA-256.
    pub sha256: [u8; 32],
    /// Bytes that are ASCII.
    pub ascii: usize,
    /// The other bytes.
    pub other: usize,
}

impl JsonSize {
    /// That of a value; of one that has no JSON, that of nothing.
    #[must_use]
    pub fn of(value: &impl Serialize) -> Self {
        let json = serde_json::to_vec(value).unwrap_or_default();
        let ascii = json.iter().filter(|byte| byte.is_ascii()).count();
        Self { sha256: Sha256::digest(&json).into(), ascii, other: json.len() - ascii }
    }
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "Message")]
pub struct Body {
    /// Who it is from.
    pub role: Role,
    /// The text; empty where the message holds only calls or a result.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The calls of an assistant's message.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ToolCall>,
    /// The result, in a message of role `tool`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<ToolResult>,
}

impl Message {
    /// A message of the person.
    #[must_use]
    pub fn user(text: impl Into<String>) -> Self {
        Body { role: Role::User, text: text.into(), calls: Vec::new(), result: None }.into()
    }

    /// A message of the model.
    #[must_use]
    pub fn assistant(text: impl Into<String>, calls: Vec<ToolCall>) -> Self {
        Body { role: Role::Assistant, text: text.into(), calls, result: None }.into()
    }

    /// A tool's answer.
    #[must_use]
    pub fn tool(result: ToolResult) -> Self {
        Body { role: Role::Tool, text: String::new(), calls: Vec::new(), result: Some(result) }.into()
    }

    /// What its JSON comes to, reckoned once.
    #[must_use]
    pub fn json(&self) -> &JsonSize {
        self.0.json.get_or_init(|| JsonSize::of(&self.0.body))
    }
}

impl From<Body> for Message {
    fn from(body: Body) -> Self {
        Self(Arc::new(Shared { body, json: OnceLock::new() }))
    }
}

impl Deref for Message {
    type Target = Body;

    fn deref(&self) -> &Body {
        &self.0.body
    }
}

/// A message that others hold is copied first.
impl DerefMut for Message {
    fn deref_mut(&mut self) -> &mut Body {
        let shared = Arc::make_mut(&mut self.0);
        shared.json = OnceLock::new();
        &mut shared.body
    }
}

impl PartialEq for Shared {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || self.body == other.body
    }
}

impl Eq for Shared {}

impl std::fmt::Debug for Message {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.body.fmt(formatter)
    }
}

impl Serialize for Message {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.body.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Message {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Body::deserialize(deserializer).map(Self::from)
    }
}

impl JsonSchema for Message {
    fn schema_name() -> Cow<'static, str> {
        Body::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        Body::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Body::json_schema(generator)
    }
}

/// What a model is told about a tool.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ToolDefinition {
    /// Name of the tool.
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// JSON Schema of its arguments.
    pub input_schema: serde_json::Value,
    /// Whether calling it twice does what calling it once does: a call that may have run already is made again.
    #[serde(default)]
    pub idempotent: bool,
    /// Whether a call changes nothing. A call that tries fails; only such calls run side by side.
    #[serde(default)]
    pub only_reads: bool,
}

/// Whether a count is left out of the journal: most providers cache nothing.
const fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Tokens of one model call, or of several added up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Usage {
    /// Tokens sent, those of a cache included.
    pub input_tokens: u64,
    /// Tokens received, those of its reasoning included.
    pub output_tokens: u64,
    /// Of the tokens sent, those that the provider had in its cache.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cached_read_tokens: u64,
    /// Of the tokens sent, those that the provider put into its cache.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cached_write_tokens: u64,
    /// Whether the figures are the provider's own or an estimate of ours.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub estimated: bool,
}

impl Usage {
    /// The sum; an estimate if either is one.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            input_tokens: self.input_tokens.saturating_add(other.input_tokens),
            output_tokens: self.output_tokens.saturating_add(other.output_tokens),
            cached_read_tokens: self.cached_read_tokens.saturating_add(other.cached_read_tokens),
            cached_write_tokens: self.cached_write_tokens.saturating_add(other.cached_write_tokens),
            estimated: self.estimated || other.estimated,
        }
    }
}

/// Why a model stopped. Whether there are tool calls is decided from the message, never from this.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum StopReason {
    /// It had said what it wanted to say.
    #[default]
    EndTurn,
    /// It asks for tools.
    ToolUse,
    /// It reached the limit of output tokens: no tool of the message may run.
    Length,
    /// It will not answer such a request.
    Refusal,
    /// It says no to this request, politely and with a reason: nothing is wrong.
    Declined,
    /// Something else.
    Other,
}
