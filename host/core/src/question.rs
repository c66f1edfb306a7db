//! Questions to the person and what becomes of them.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// One of the options of a choice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Choice {
    /// What the answer names.
    pub id: String,
    /// What the person reads.
    pub label: String,
    /// More about it, as markdown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// Something to decide on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Item {
    /// Stable within the question.
    pub id: String,
    /// What the person reads.
    pub label: String,
    /// What the decision is about, as markdown.
    pub detail: String,
}

/// A decision that may be taken on each item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OptionKind {
    /// What the decision names, such as `accept`.
    pub id: String,
    /// What the person reads.
    pub label: String,
    /// What to ask for when it is taken, where it needs a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text_prompt: Option<String>,
}

/// What kind of answer a question wants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum QuestionKind {
    /// One of several options.
    Choice {
        /// The options.
        choices: Vec<Choice>,
    },
    /// Free text.
    Text {
        /// A suggestion to start from.
        suggestion: Option<String>,
    },
    /// A decision on each item.
    Items {
        /// What to decide on.
        items: Vec<Item>,
        /// The decisions that may be taken.
        options: Vec<OptionKind>,
    },
}

/// A question of a guest to the person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Question {
    /// A stable name within the hook; scripted answers are addressed by it.
    pub id: String,
    /// What is asked.
    pub title: String,
    /// What the person should know, as markdown.
    pub detail: String,
    /// What kind of answer it wants.
    #[serde(flatten)]
    pub kind: QuestionKind,
}

impl Question {
    /// SHA-256 over the question's JSON: an answer is bound to it.
    #[must_use]
    pub fn hash(&self) -> String {
        let text = serde_json::to_vec(self).unwrap_or_default();
        hex::encode(Sha256::digest(text))
    }
}

/// A decision of the person on one item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Decision {
    /// Id of the item.
    pub item: String,
    /// Id of the option.
    pub choice: String,
    /// The text that goes with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// Id of the option.
    Choice(String),
    /// What the person wrote.
    Text(String),
    /// A decision on each item.
    Items(Vec<Decision>),
}

/// What became of a question: four different things.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "outcome", content = "answer", rename_all = "kebab-case")]
pub enum Outcome {
    /// The person answered.
    Answered(Answer),
    /// The person said no to answering.
    Declined,
    /// The person waved the question away.
    Dismissed,
    /// Nobody answered in time.
    TimedOut,
}
