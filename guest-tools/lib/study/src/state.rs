//! What a session is at: everything that the flow has to know between two messages.

use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::begin::Begin;
use crate::conversation::Conversation;
use crate::plan::Plan;

/// Questions in a session that are remembered, so that none is asked twice.
pub const ASKED_MAX: usize = 60;
/// Bytes of the agents' log that are kept with the state; the journal has all of it.
pub const LOG_BYTES_MAX: usize = 96 * 1024;
/// Bytes of the notes on the learner.
pub const NOTES_BYTES_MAX: usize = 24 * 1024;
/// Alerts that are kept.
pub const ALERTS_MAX: usize = 60;
/// Characters of what a person says.
pub const SAID_CHARS_MAX: usize = 1_000;

/// How a session stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// The learner works, or can.
    #[default]
    Active,
    /// All steps are completed.
    Completed,
    /// A teacher is waited for.
    Intervention,
    /// Somebody ended it before.
    Ended,
}

/// What the executor is asked for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wanted {
    /// Whatever comes next in the step.
    #[default]
    Next,
    /// A hint on the question that is open.
    Hint,
}

/// What is under way.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "at", rename_all = "kebab-case")]
pub enum Stage {
    /// The learner says which topic.
    #[default]
    Choosing,
    /// The planner makes the plan, or makes it anew for this reason.
    Planning {
        /// Why it is made anew; none for the first one.
        reason: Option<String>,
        /// How often it was asked.
        tries: u32,
    },
    /// The executor writes.
    Writing {
        /// What.
        wanted: Wanted,
        /// How often it was asked.
        tries: u32,
    },
    /// The summariser writes, before the evaluator is asked.
    Summarising,
    /// The evaluator judges.
    Judging {
        /// How often it was asked.
        tries: u32,
    },
    /// The learner is waited for.
    Listening,
    /// The teacher is waited for.
    Teacher,
    /// Nothing.
    Over,
}

/// A question that is open.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Within its step, counted from 1.
    pub question_number: u32,
    /// Its words.
    pub text: String,
    /// How hard it is.
    pub difficulty: String,
    /// Hints that were given.
    pub hints: u32,
    /// Answers that were judged.
    pub attempts: u32,
}

/// What somebody is told at the end of the exchange that is under way.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Exchange {
    /// What was said.
    pub reply: String,
    /// What is told about it.
    pub feedback: Option<String>,
    /// Its score, 0 to 1.
    pub score: Option<f64>,
    /// Whether the plan was changed.
    pub plan_updated: bool,
    /// Why.
    pub replan_reason: Option<String>,
    /// What comes next.
    pub next_message: Option<String>,
}

/// An agent's work, as the documented log has it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Log {
    /// Who: planner, executor, evaluator, summariser.
    pub agent: String,
    /// When it had answered.
    pub timestamp: String,
    /// What it was asked, in a line.
    pub input_summary: String,
    /// What it answered.
    pub output: Json,
    /// Why, in its own words; what code made of it is added.
    pub reasoning: String,
    /// From question to answer, in milliseconds.
    pub duration_ms: u64,
}

/// Something that a teacher should look at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alert {
    /// When.
    pub timestamp: String,
    /// `intervention`, `safeguarding`, `stuck`, `off_topic`, `error`.
    pub kind: String,
    /// What is the matter.
    pub message: String,
}

/// Counts over the whole session.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Totals {
    /// Replies of the learner.
    pub replies: u32,
    /// Those that were off-topic.
    pub off_topic: u32,
    /// Hints that were given.
    pub hints: u32,
    /// Times that a teacher was asked for.
    pub interventions: u32,
}

/// A session.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// What it began with.
    pub begin: Begin,
    /// When, in milliseconds since 1970-01-01 UTC.
    pub began_ms: u64,
    /// How it stands.
    pub standing: Standing,
    /// What is under way.
    pub stage: Stage,
    /// The plan; empty before it is made.
    pub plan: Plan,
    /// Notes on the learner, a line each, with their time.
    pub notes: String,
    /// What was said.
    pub conversation: Conversation,
    /// The question that is open.
    pub open: Option<Question>,
    /// Questions that were asked.
    pub asked: Vec<String>,
    /// Wrong answers in a row, in the step that is taught.
    pub wrong_in_a_row: u32,
    /// Replies in a row that were off-topic.
    pub off_topic_in_a_row: u32,
    /// What is told at the end of the exchange.
    pub exchange: Exchange,
    /// What agents did, newest last.
    pub logs: Vec<Log>,
    /// Entries that made room.
    pub logs_left_out: u32,
    /// What a teacher should look at.
    pub alerts: Vec<Alert>,
    /// Counts.
    pub totals: Totals,
    /// When an agent was asked, or the person last spoke.
    pub at_ms: u64,
    /// Whether a silence was spoken into.
    pub nudged: bool,
    /// Whether there is no model: data answer.
    pub offline: bool,
}

impl State {
    /// Adds a note on the learner; the oldest make room.
    pub fn note(&mut self, at: &str, note: &str) {
        let line = note.split_whitespace().collect::<Vec<_>>().join(" ");
        if line.is_empty() {
            return;
        }
        if !self.notes.is_empty() {
            self.notes.push('\n');
        }
        self.notes.push_str(&format!("{at} - {}", clipped(&line, 400)));
        while self.notes.len() > NOTES_BYTES_MAX {
            self.notes = self.notes.split_once('\n').map(|(_, rest)| rest.to_owned()).unwrap_or_default();
        }
    }

    /// Keeps what an agent did; the oldest make room.
    pub fn log(&mut self, log: Log) {
        self.logs.push(log);
        let size = |log: &Log| serde_json::to_string(log).map_or(0, |text| text.len());
        let mut bytes: usize = self.logs.iter().map(size).sum();
        while bytes > LOG_BYTES_MAX && !self.logs.is_empty() {
            bytes = bytes.saturating_sub(size(&self.logs.remove(0)));
            self.logs_left_out += 1;
        }
    }

    /// Remembers a question.
    pub fn asks(&mut self, question: &str) {
        self.asked.push(question.to_owned());
        if self.asked.len() > ASKED_MAX {
            self.asked.remove(0);
        }
    }
}

/// The beginning of a text.
#[must_use]
pub fn clipped(text: &str, chars: usize) -> String {
    text.chars().take(chars).collect()
}
