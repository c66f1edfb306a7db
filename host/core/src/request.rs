//! What guests ask for from outside while they are called: a person, a model, another tool.
//!
//! A guest that makes a request ends there, and is run again from its start, told the answer. The run makes the call of a tool
//! in a round of its own. Whoever waits for a tool is among its callers, so that no two wait for each other.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::question::Question;

/// Tools that may wait for each other: what a tool at this depth calls is refused.
pub const TOOL_DEPTH_MAX: usize = 3;
/// Tools that guests may call in one run.
pub const TOOL_REQUESTS_MAX: u32 = 1_000;
/// Bytes of one call's arguments.
pub const ARGUMENTS_BYTES_MAX: usize = 1024 * 1024;
/// The import of a question to the person.
pub const ASK: &str = "ask";

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Request {
    /// An answer of the person.
    Ask {
        /// The question.
        question: Question,
    },
    /// An answer of a model.
    Model(ModelQuestion),
    /// The call of another tool.
    Tool {
        /// Name of the tool.
        name: String,
        /// A JSON object.
        arguments: String,
    },
}

/// What a guest asks a model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ModelQuestion {
    /// What the model is to be.
    pub system: String,
    /// What it is asked.
    pub prompt: String,
    /// Tokens of the answer at the most.
    pub max_tokens: u32,
}

impl Request {
    /// SHA-256 of what is asked for: the answer is bound to it.
    #[must_use]
    pub fn hash(&self) -> String {
        let asked = match self {
            Self::Ask { question } => return question.hash(),
            Self::Model(question) => serde_json::to_vec(question).unwrap_or_default(),
            Self::Tool { name, arguments } => format!("{name}\0{arguments}").into_bytes(),
        };
        hex::encode(Sha256::digest(asked))
    }

    /// The import with the hash of what it is asked, as a call's report names it.
    #[must_use]
    pub fn import(&self, hash: &str) -> String {
        let import = match self {
            Self::Ask { .. } => ASK,
            Self::Model(_) => "model.ask",
            Self::Tool { .. } => "tools.call",
        };
        format!("{import} {hash}")
    }
}

/// Why a guest has no answer of a model, each with a sentence.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoAnswer {
    /// It was not granted.
    Denied(String),
    /// Nobody can be asked.
    Unavailable(String),
    /// What may be asked or spent is used up.
    OverBudget(String),
    /// It is longer than may be asked.
    TooLong(String),
}

/// What a guest is told of what it asked a model.
pub type ModelReply = Result<String, NoAnswer>;

/// Why a guest's call of a tool came to nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolRefusal {
    /// A stable word: the tool's own, or `tools.denied`, `tools.unavailable`, `tools.arguments`, `tools.cycle`, `tools.depth`,
    /// `tools.over_budget`, `tools.refused`, `tools.not_written`, `tools.failed`.
    pub code: String,
    /// What went wrong.
    pub message: String,
}

/// What a guest is told of a tool that it called.
pub type ToolAnswer = Result<String, ToolRefusal>;

impl ToolRefusal {
    /// A refusal.
    #[must_use]
    pub fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.to_owned(), message: message.into() }
    }
}

/// A hook as a caller.
#[must_use]
pub fn hook(name: &str) -> String {
    format!("hook {name}")
}

/// A tool as a caller.
#[must_use]
pub fn tool(name: &str) -> String {
    format!("tool {name}")
}

/// A flow as a caller.
#[must_use]
pub fn flow(name: &str) -> String {
    format!("flow {name}")
}

/// Whether the last of these callers may call a tool; those before it wait for it, each for the next.
///
/// # Errors
/// `tools.cycle` where the tool, or the caller itself, waits already; `tools.depth` where too many wait.
pub fn may_call(callers: &[String], name: &str) -> Result<(), ToolRefusal> {
    let called = tool(name);
    let (own, waiting) = callers.split_last().map_or(("", callers), |(own, waiting)| (own.as_str(), waiting));
    let path = || callers.iter().map(String::as_str).chain([called.as_str()]).collect::<Vec<_>>().join(" calls ");
    if callers.contains(&called) || waiting.iter().any(|it| it == own) {
        return Err(ToolRefusal::new("tools.cycle", format!("it would wait for itself: {}", path())));
    }
    if waiting.len() >= TOOL_DEPTH_MAX {
        let message = format!("at most {TOOL_DEPTH_MAX} tools may wait for each other: {}", path());
        return Err(ToolRefusal::new("tools.depth", message));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(callers: &[&str], name: &str) -> Option<String> {
        let callers: Vec<String> = callers.iter().map(|it| (*it).to_owned()).collect();
        may_call(&callers, name).err().map(|refusal| refusal.code)
    }

    #[test]
    fn three_tools_may_wait_for_each_other() {
        assert_eq!(refused(&["hook h"], "a"), None);
        assert_eq!(refused(&["hook h", "tool a", "tool b"], "c"), None);
        assert_eq!(refused(&["hook h", "tool a", "tool b", "tool c"], "d"), Some("tools.depth".to_owned()));
        assert_eq!(refused(&["tool m", "tool a", "tool b"], "c"), None);
        assert_eq!(refused(&["tool m", "tool a", "tool b", "tool c"], "d"), Some("tools.depth".to_owned()));
    }

    #[test]
    fn nobody_waits_for_itself() {
        assert_eq!(refused(&["tool a"], "a"), Some("tools.cycle".to_owned()));
        assert_eq!(refused(&["hook h", "tool a", "tool b"], "a"), Some("tools.cycle".to_owned()));
        assert_eq!(
            refused(&["hook h", "tool a", "hook h"], "b"),
            Some("tools.cycle".to_owned()),
            "a hook on its own call"
        );
        assert_eq!(refused(&["hook a"], "a"), None, "a hook is no tool");
    }
}
