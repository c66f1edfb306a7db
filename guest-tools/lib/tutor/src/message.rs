//! What a learner is shown, and where its words come from.

use serde::{Deserialize, Serialize};

use crate::speech::spoken;
use crate::visual::Visual;

/// A message.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    /// What it is: `question`, `hint`, `solution`, `feedback`, `celebration`.
    pub kind: Kind,
    /// What is said: plain text.
    pub speech: String,
    /// How it is said.
    pub emotion: Emotion,
    /// What is shown: markdown with LaTeX.
    pub display: String,
    /// What is drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visual: Option<Visual>,
}

/// What a message is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A problem.
    #[default]
    Question,
    /// A hint.
    Hint,
    /// A worked solution.
    Solution,
    /// What is said about an answer, or about where the learner is.
    Feedback,
    /// The end.
    Celebration,
}

/// How something is said.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Emotion {
    /// As it is.
    #[default]
    Neutral,
    /// You are on your way.
    Encouraging,
    /// This is hard, and that is fine.
    Supportive,
    /// Done!
    Celebratory,
}

impl Emotion {
    /// Its name in the contract.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Neutral => "neutral",
            Self::Encouraging => "encouraging",
            Self::Supportive => "supportive",
            Self::Celebratory => "celebratory",
        }
    }
}

impl Shown {
    /// A message whose speech is what it shows, in words.
    #[must_use]
    pub fn of(kind: Kind, emotion: Emotion, display: impl Into<String>) -> Self {
        let display = display.into();
        Self { kind, speech: spoken(&display), emotion, display, visual: None }
    }

    /// With a drawing.
    #[must_use]
    pub fn with(self, visual: Option<Visual>) -> Self {
        Self { visual, ..self }
    }
}

/// Who wrote the first message of a narration.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// An agent.
    Agent,
    /// The topic's data.
    #[default]
    Data,
    /// Fixed words that hold nothing of the problem.
    Plain,
}

/// What is to be told: the topic's words for it, and who may put the first message into other ones.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Narration {
    /// The agent that may: `question`, `tutor`, `solution`.
    pub agent: String,
    /// What it is told about why.
    pub reasoning: String,
    /// What the learner wrote last.
    pub given: String,
    /// The hint's number, from 1; 0 before any hint, 4 for a worked solution.
    pub level: u32,
    /// The messages, in the topic's words.
    pub messages: Vec<Shown>,
    /// What stands in the place of the first one when its own words may not be shown.
    pub plain: String,
    /// Who wrote the first message that was shown last.
    pub by: By,
    /// How often the agent was asked.
    pub tries: u32,
    /// Whether the session is over behind it.
    pub ends: bool,
}
