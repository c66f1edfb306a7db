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

/// A piece that the host put into the system prompt or into a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// What it is, such as `command`; one within another is named with both, as `workspace/file`.
    pub name: String,
    /// What it is about: name and value, such as `path` with the file's.
    pub about: Vec<(String, String)>,
    /// Its text.
    pub text: String,
}

impl Part {
    /// A part with what it is about.
    #[must_use]
    pub fn new(name: &str, about: &[(&str, &str)], text: &str) -> Self {
        let entry = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
        Self { name: name.to_owned(), about: about.iter().map(entry).collect(), text: text.to_owned() }
    }

    /// What it says about itself under this name; empty where it says nothing.
    #[must_use]
    pub fn about(&self, name: &str) -> &str {
        self.about.iter().find(|(it, _)| it == name).map_or("", |(_, value)| value)
    }
}

/// A message of the conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Who it is from.
    pub role: Role,
    /// A person's own words, or what the planner answered; empty where the message holds only parts, calls or a result.
    pub said: String,
    /// What the host put into it, in order.
    pub parts: Vec<Part>,
    /// The calls of an assistant's message.
    pub calls: Vec<ToolCall>,
    /// The result, in a message of role `tool`.
    pub result: Option<ToolResult>,
}

impl Message {
    /// A message of the person.
    #[must_use]
    pub fn user(said: impl Into<String>) -> Self {
        Self { role: Role::User, said: said.into(), parts: Vec::new(), calls: Vec::new(), result: None }
    }

    /// A message of the planner.
    #[must_use]
    pub fn assistant(said: impl Into<String>, calls: Vec<ToolCall>) -> Self {
        Self { role: Role::Assistant, calls, ..Self::user(said) }
    }

    /// A tool's answer.
    #[must_use]
    pub fn tool(result: ToolResult) -> Self {
        Self { role: Role::Tool, result: Some(result), ..Self::user("") }
    }

    /// The same with a part that the host put into it.
    #[must_use]
    pub fn with(mut self, part: Part) -> Self {
        self.parts.push(part);
        self
    }

    /// The parts of this name.
    pub fn parts_of<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Part> {
        self.parts.iter().filter(move |part| part.name == name)
    }
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
    /// Whether the text says no: nothing was written, and why.
    pub declined: bool,
}
