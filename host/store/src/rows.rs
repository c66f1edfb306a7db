//! Rows of the views: a line about each session and each run.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use ta_core::hook::Subject;

/// Where a run stands, and with its last run its session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// It has begun, or goes on, and is not over. Also where its process was killed.
    Running,
    /// It waits, holding nothing.
    Parked,
    /// It is over.
    Finished,
}

impl State {
    /// The word in SQL, JSON and lists.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Parked => "parked",
            Self::Finished => "finished",
        }
    }
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for State {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        [Self::Running, Self::Parked, Self::Finished]
            .into_iter()
            .find(|state| state.name() == text)
            .ok_or_else(|| format!("there is no state `{text}`; the states are running, parked, finished"))
    }
}

/// A session at a glance. Texts are those of its first run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionRow {
    /// Id of the session.
    pub id: String,
    /// Name of the plugin; empty until a run has started.
    pub plugin: String,
    /// Name of the command, without its plugin; empty until a run has started.
    pub command: String,
    /// Name of the agent; empty until a run has started.
    pub agent: String,
    /// What it is about, as the first run that started says.
    pub subject: Option<Subject>,
    /// The owner for whom it runs; empty until a run has started.
    pub owner: String,
    /// What the person called it, or the first input, cut at [`TITLE_CHARS_MAX`](crate::TITLE_CHARS_MAX) characters. It is what a person typed:
    /// escape it before it is shown.
    pub title: String,
    /// Time of the first event, in milliseconds since 1970-01-01 UTC.
    pub created_ms: u64,
    /// Time of the last event, in milliseconds since 1970-01-01 UTC.
    pub updated_ms: u64,
    /// How many runs it has.
    pub runs: u64,
    /// Where its last run stands.
    pub state: State,
    /// How the last run that ended has ended.
    pub last_status: Option<String>,
    /// Id of the run of the last event.
    pub last_run: String,
    /// The session whose past it shares, where it began as a fork.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<String>,
    /// When a person took it out of the lists, in milliseconds since 1970-01-01 UTC; none where it is in them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted_ms: Option<u64>,
    /// When its flow is to be woken, in milliseconds since 1970-01-01 UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due_ms: Option<u64>,
}

impl SessionRow {
    /// The place of this session in the list, to ask for what comes after it.
    #[must_use]
    pub fn cursor(&self) -> Cursor {
        Cursor { created_ms: self.created_ms, id: self.id.clone() }
    }
}

/// A run at a glance.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRow {
    /// Id of the run.
    pub id: String,
    /// Id of its session.
    pub session: String,
    /// Name of the command, without its plugin; empty until it has started.
    pub command: String,
    /// Where it stands.
    pub state: State,
    /// How it ended.
    pub status: Option<String>,
    /// Time of its first event, in milliseconds since 1970-01-01 UTC.
    pub started_ms: u64,
    /// When it ended, in milliseconds since 1970-01-01 UTC.
    pub ended_ms: Option<u64>,
    /// Number of its first event within the session.
    pub first_seq: u64,
    /// Number of its last event within the session.
    pub last_seq: u64,
    /// The highest turn that a model answered.
    pub turns: u64,
    /// Tokens sent.
    pub input_tokens: u64,
    /// Tokens received.
    pub output_tokens: u64,
    /// What its model calls cost, in US dollars.
    pub cost_usd: f64,
}

/// A place in the list of sessions, newest first. Sessions that begin later do not move it.
///
/// As text it is `<milliseconds>.<id>`, which goes into a URL as it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Cursor {
    /// When the session at this place was created, in milliseconds since 1970-01-01 UTC.
    pub created_ms: u64,
    /// Its id, which decides between sessions of the same millisecond.
    pub id: String,
}

impl fmt::Display for Cursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.created_ms, self.id)
    }
}

impl FromStr for Cursor {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let expected = || format!("`{text}` is not a cursor: expected `<milliseconds>.<id>`");
        let (created_ms, id) = text.split_once('.').ok_or_else(expected)?;
        Ok(Self { created_ms: created_ms.parse().map_err(|_| expected())?, id: id.to_owned() })
    }
}
