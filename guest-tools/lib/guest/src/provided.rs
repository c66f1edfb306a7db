//! What a provider is asked and answers: parts found by name, answers in a word, requests to start from in its own tests.

use crate::provider::{Answer, Failure, Message, PromptPart, Request, Stop, Tool};
use crate::types::{Entry, Role, ToolCall, ToolResult};

/// Letters of a text that are counted as a token: about what vendors' models make of English.
const LETTERS_A_TOKEN: usize = 4;

/// Tokens that a text comes to, reckoned: a component has no vendor's tokeniser.
#[must_use]
pub fn tokens_of(text: &str) -> u64 {
    u64::try_from(text.len().div_ceil(LETTERS_A_TOKEN)).unwrap_or(u64::MAX)
}

impl PromptPart {
    /// A part, for a provider's own tests.
    #[must_use]
    pub fn new(name: &str, about: &[(&str, &str)], text: &str) -> Self {
        let entry = |(name, value): &(&str, &str)| Entry { name: (*name).into(), value: (*value).into() };
        Self { name: name.into(), about: about.iter().map(entry).collect(), text: text.into() }
    }

    /// What it says about itself under this name: `about("path")` of a file is its path.
    #[must_use]
    pub fn about(&self, name: &str) -> Option<&str> {
        self.about.iter().find(|entry| entry.name == name).map(|entry| entry.value.as_str())
    }
}

impl Request {
    /// The first part of the prompt with this name.
    #[must_use]
    pub fn part(&self, name: &str) -> Option<&PromptPart> {
        self.parts.iter().find(|part| part.name == name)
    }

    /// All parts of the prompt with this name, in order.
    pub fn parts_of<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a PromptPart> {
        self.parts.iter().filter(move |part| part.name == name)
    }

    /// Whether a tool of this name may be called.
    #[must_use]
    pub fn offers(&self, tool: &str) -> bool {
        self.tools.iter().any(|it| it.name == tool)
    }

    /// Tokens of the whole request, reckoned.
    #[must_use]
    pub fn tokens(&self) -> u64 {
        let of_message = |message: &Message| {
            let calls: u64 = message.calls.iter().map(|call| tokens_of(&call.arguments) + tokens_of(&call.name)).sum();
            let result = message.result.as_ref().map_or(0, |result| tokens_of(&result.text));
            tokens_of(&message.text) + calls + result
        };
        let of_tool = |it: &Tool| tokens_of(&it.name) + tokens_of(&it.description) + tokens_of(&it.input_schema);
        tokens_of(&self.system)
            + self.messages.iter().map(of_message).sum::<u64>()
            + self.tools.iter().map(of_tool).sum::<u64>()
            + self.schema.as_deref().map_or(0, tokens_of)
    }
}

impl Message {
    /// What a person said, for a provider's own tests.
    #[must_use]
    pub fn user(text: &str) -> Self {
        Self {
            role: Role::User,
            text: text.into(),
            said: text.into(),
            parts: Vec::new(),
            calls: Vec::new(),
            result: None,
        }
    }

    /// What the model answered, likewise.
    #[must_use]
    pub fn assistant(text: &str, calls: Vec<ToolCall>) -> Self {
        Self { role: Role::Assistant, calls, ..Self::user(text) }
    }

    /// What a tool answered, likewise.
    #[must_use]
    pub fn tool(result: ToolResult) -> Self {
        Self { role: Role::Tool, result: Some(result), ..Self::user("") }
    }
}

impl Answer {
    /// An answer in words, at its end; tokens are reckoned.
    #[must_use]
    pub fn text(request: &Request, text: impl Into<String>) -> Self {
        let text = text.into();
        let output_tokens = tokens_of(&text);
        Self { text, calls: Vec::new(), input_tokens: request.tokens(), output_tokens, stop: Stop::EndTurn }
    }

    /// An answer that asks for tools.
    #[must_use]
    pub fn calls(request: &Request, calls: Vec<ToolCall>) -> Self {
        let output_tokens = calls.iter().map(|call| tokens_of(&call.arguments) + tokens_of(&call.name)).sum();
        Self { text: String::new(), calls, input_tokens: request.tokens(), output_tokens, stop: Stop::ToolUse }
    }

    /// A polite no, with what the person reads.
    #[must_use]
    pub fn declined(request: &Request, reason: impl Into<String>) -> Self {
        let reason = reason.into();
        Self { stop: Stop::Declined(reason.clone()), ..Self::text(request, reason) }
    }
}

impl Failure {
    /// A failure that another try would not mend.
    #[must_use]
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into(), retryable: false }
    }
}

/// The request of nobody in particular, to start from in a provider's own tests.
impl Default for Request {
    fn default() -> Self {
        Self {
            model: String::new(),
            system: String::new(),
            parts: Vec::new(),
            messages: Vec::new(),
            tools: Vec::new(),
            schema: None,
            max_tokens: None,
            effort: None,
        }
    }
}
