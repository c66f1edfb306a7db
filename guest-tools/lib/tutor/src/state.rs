//! What a session is at: everything that the flow has to know between two messages.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use crate::draw::Problem;
use crate::mastery::{Level, Record};
use crate::matrix::Understanding;
use crate::message::{Narration, Shown};
use crate::topic::Difficulty;

/// Problems of a section that its level is reckoned from, at the most.
pub const RECORDS_MAX: usize = 20;
/// Messages that agents see.
pub const HISTORY_MAX: usize = 6;
/// Exchanges that a teacher can look back on.
pub const LOG_MAX: usize = 150;
/// Characters of a learner's message that are kept and shown to agents.
pub const GIVEN_CHARS_MAX: usize = 300;
/// Contexts that are not repeated where there are others.
pub const CONTEXTS_MAX: usize = 5;

/// How a session stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// Somebody works at it.
    #[default]
    Active,
    /// Everything is mastered.
    Completed,
    /// A person should look.
    Intervention,
    /// The learner ended it.
    Ended,
}

/// What the flow waits for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(tag = "at", rename_all = "kebab-case")]
pub enum Stage {
    /// The learner says which topic.
    #[default]
    Choosing,
    /// The learner answers.
    Answering,
    /// The evaluator looks at an answer.
    Judging(Judged),
    /// An agent writes what the learner is shown.
    Writing,
    /// Nothing: the session is over.
    Over,
}

/// An answer and what the checker said about it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judged {
    /// What the learner wrote.
    pub given: String,
    /// Whether it is right.
    pub right: bool,
    /// What the checker says.
    pub why: String,
    /// What a known mistake tells the learner.
    pub mistake: Option<String>,
    /// How often the evaluator was asked.
    pub tries: u32,
}

/// A section and how far the learner is with it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Its name.
    pub id: String,
    /// What a learner calls it.
    pub title: String,
    /// How hard it is.
    pub difficulty: Difficulty,
    /// When the learner came to it first, in milliseconds since 1970-01-01 UTC.
    pub entered_at: Option<u64>,
    /// When it was mastered.
    pub mastered_at: Option<u64>,
    /// Problems that are over.
    pub attempted: u32,
    /// Those with a right answer.
    pub correct: u32,
    /// Hints that were given.
    pub hints: u32,
    /// Worked solutions that were shown.
    pub solutions: u32,
    /// The level.
    pub level: Level,
    /// Signs that the evaluator reported as met; none where nobody judged them.
    pub signs: Option<BTreeSet<String>>,
    /// The last problems that are over.
    pub records: Vec<Record>,
    /// The problem that the learner left when they went elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left: Option<Box<Open>>,
}

/// A problem that waits for its answer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Open {
    /// The problem.
    pub problem: Problem,
    /// Which one of the session it is, counted from 1.
    pub number: u32,
    /// Wrong answers so far.
    pub attempts: u32,
    /// Hints so far.
    pub hints: u32,
    /// What was answered.
    pub given: Vec<String>,
}

/// A message, as agents see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// Whether the learner wrote it.
    pub learner: bool,
    /// The text.
    pub text: String,
}

/// An exchange, as a teacher sees it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Exchange {
    /// When, in milliseconds since 1970-01-01 UTC.
    pub at: u64,
    /// The section.
    pub section: String,
    /// Number of the problem.
    pub problem: u32,
    /// What the learner wrote.
    pub given: String,
    /// What it was taken for: `right`, `wrong`, `undecided`, `hint`, `solution`, `withheld`, `silent`.
    pub taken: String,
    /// What was done.
    pub action: String,
    /// The hint's number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<u32>,
    /// Why: what the checker said, and what the evaluator reasoned.
    pub reasoning: String,
    /// Where the evaluator wanted something else, what.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub differs: Option<String>,
}

/// Something that a person should know of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alert {
    /// When, in milliseconds since 1970-01-01 UTC.
    pub at: u64,
    /// `intervention`, `safeguarding`, `stuck` or `off-topic`.
    pub kind: String,
    /// The section.
    pub section: String,
    /// In a sentence.
    pub says: String,
}

/// A session.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The topic's file, without its ending.
    pub file: String,
    /// The topic's title.
    pub title: String,
    /// How the session stands.
    pub status: Status,
    /// What the flow waits for.
    pub stage: Stage,
    /// The sections.
    pub sections: Vec<Progress>,
    /// Which of them the learner is in.
    pub current: usize,
    /// The problem that waits for its answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub open: Option<Open>,
    /// Problems so far.
    pub number: u32,
    /// What the last problems were about, newest first.
    pub contexts: Vec<String>,
    /// The last messages of this section.
    pub history: Vec<Line>,
    /// What is being told, or was told last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub narration: Option<Narration>,
    /// What was shown last.
    pub shown: Vec<Shown>,
    /// Messages in a row that nobody could read as an answer.
    pub unread: u32,
    /// Whether the learner was spoken to in a silence of this problem.
    pub nudged: bool,
    /// How well the learner understood last, as the evaluator or the counts say.
    pub understanding: Understanding,
    /// What was counted, by what a message was taken for.
    pub counts: BTreeMap<String, u32>,
    /// What happened, oldest first.
    pub log: Vec<Exchange>,
    /// What a person should know of.
    pub alerts: Vec<Alert>,
}

impl State {
    /// The section that the learner is in.
    #[must_use]
    pub fn section(&self) -> Option<&Progress> {
        self.sections.get(self.current)
    }

    /// Sections that are mastered.
    #[must_use]
    pub fn mastered(&self) -> usize {
        self.sections.iter().filter(|section| section.mastered_at.is_some()).count()
    }

    /// The next section that is not mastered: behind this one, else before it.
    #[must_use]
    pub fn next_open(&self) -> Option<usize> {
        let count = self.sections.len();
        let behind = (1..=count).map(|step| (self.current + step) % count.max(1));
        behind.into_iter().find(|index| self.sections.get(*index).is_some_and(|it| it.mastered_at.is_none()))
    }

    /// Keeps a message for the agents.
    pub fn remember(&mut self, learner: bool, text: &str) {
        self.history.push(Line { learner, text: clipped(text) });
        let over = self.history.len().saturating_sub(HISTORY_MAX);
        self.history.drain(..over);
    }

    /// Keeps an exchange for the teacher, and counts what it was taken for.
    pub fn note(&mut self, exchange: Exchange) {
        *self.counts.entry(exchange.taken.clone()).or_default() += 1;
        self.log.push(exchange);
        let over = self.log.len().saturating_sub(LOG_MAX);
        self.log.drain(..over);
    }
}

/// As much of a learner's message as is kept.
#[must_use]
pub fn clipped(text: &str) -> String {
    text.chars().take(GIVEN_CHARS_MAX).collect()
}
