//! What the planner is asked and what it answers: the records of the contract's interface `provider`, as plain Rust.

/// Who a message is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The person, or the host speaking for a hook.
    User,
    /// The planner itself.
    Assistant,
    /// A tool's answer.
    Tool,
}

/// A call of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolCall {
    /// Unique in the conversation.
    pub id: String,
    /// Name of the tool.
    pub name: String,
    /// The arguments: the text of a JSON object.
    pub arguments: String,
}

/// What a tool answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolResult {
    /// Id of the call that it answers.
    pub id: String,
    /// Name of the tool.
    pub name: String,
    /// Whether the tool failed.
    pub failed: bool,
    /// The result, or what went wrong.
    pub text: String,
}

/// A message of the conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Who it is from.
    pub role: Role,
    /// The text; empty where the message holds only calls or a result.
    pub text: String,
    /// The calls of an assistant's message.
    pub calls: Vec<ToolCall>,
    /// The result, in a message of role `tool`.
    pub result: Option<ToolResult>,
}

impl Message {
    /// A message of the person.
    #[must_use]
    pub fn user(text: impl Into<String>) -> Self {
        Self { role: Role::User, text: text.into(), calls: Vec::new(), result: None }
    }

    /// A message of the planner.
    #[must_use]
    pub fn assistant(text: impl Into<String>, calls: Vec<ToolCall>) -> Self {
        Self { role: Role::Assistant, text: text.into(), calls, result: None }
    }

    /// A tool's answer.
    #[must_use]
    pub const fn tool(result: ToolResult) -> Self {
        Self { role: Role::Tool, text: String::new(), calls: Vec::new(), result: Some(result) }
    }
}

/// A part of the system prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// What it is, such as `command`.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// One request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Request {
    /// The parts of the system prompt, in their order.
    pub parts: Vec<Part>,
    /// The conversation, oldest first.
    pub messages: Vec<Message>,
    /// Names of the tools that may be called; none means that the answer must be text.
    pub tools: Vec<String>,
}

/// What is answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The text; empty where there are calls.
    pub text: String,
    /// The tool calls, in order.
    pub calls: Vec<ToolCall>,
}
