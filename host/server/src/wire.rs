//! Rows and values as they go over the wire, each with its schema.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use ta_runtime::surface::{RunRow, SessionRow, State};
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{Object, Schema};
use utoipa::{PartialSchema, ToSchema};

/// Types of the journal: their schemas are made where they are defined, and put in by name (`routes::schemas`).
macro_rules! of_the_journal {
    ($($marker:ident => $name:literal),* $(,)?) => {
        $(
            #[doc = concat!("Stands for `", $name, "`.")]
            pub(crate) struct $marker;

            impl PartialSchema for $marker {
                fn schema() -> RefOr<Schema> {
                    Object::new().into()
                }
            }

            impl ToSchema for $marker {
                fn name() -> Cow<'static, str> {
                    Cow::Borrowed($name)
                }
            }
        )*
    };
}

of_the_journal! {
    RecordSchema => "Record",
    ShownMessageSchema => "ShownMessage",
    QuestionSchema => "Question",
    DecisionSchema => "Decision",
    OutcomeSchema => "Outcome",
    TraceSchema => "Trace",
}

/// Where a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Stands {
    /// It is at work.
    Running,
    /// It waits: for an answer, or because it was stopped or interrupted.
    Parked,
    /// It is over.
    Finished,
}

impl From<State> for Stands {
    fn from(state: State) -> Self {
        match state {
            State::Running => Self::Running,
            State::Parked => Self::Parked,
            State::Finished => Self::Finished,
        }
    }
}

/// What a run is about, such as `class` and `3B`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Subject {
    /// The kind of thing.
    pub(crate) kind: String,
    /// Which one of its kind.
    pub(crate) id: String,
}

impl From<ta_runtime::surface::Subject> for Subject {
    fn from(subject: ta_runtime::surface::Subject) -> Self {
        Self { kind: subject.kind, id: subject.id }
    }
}

/// A session at a glance.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = SessionRow)]
pub(crate) struct SessionLine {
    /// Id of the session.
    pub(crate) id: String,
    /// Name of the plugin.
    pub(crate) plugin: String,
    /// Name of the command, without its plugin.
    pub(crate) command: String,
    /// Name of the agent.
    pub(crate) agent: String,
    /// What the first request is about.
    pub(crate) subject: Option<Subject>,
    /// For whom it runs.
    pub(crate) owner: String,
    /// What the person called it, or the first request, cut. Plain text.
    pub(crate) title: String,
    /// Time of the first event.
    pub(crate) created_ms: u64,
    /// Time of the last event.
    pub(crate) updated_ms: u64,
    /// How many runs it has.
    pub(crate) runs: u64,
    /// Where its last run stands.
    pub(crate) state: Stands,
    /// How the last run that ended has ended, such as `success`.
    pub(crate) last_status: Option<String>,
    /// Id of the run of the last event.
    pub(crate) last_run: String,
    /// When it was taken out of the lists.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) deleted_ms: Option<u64>,
    /// Parts of its text that fit the words that were searched for, with what was found between `[` and `]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hits: Option<Vec<String>>,
}

impl From<SessionRow> for SessionLine {
    fn from(row: SessionRow) -> Self {
        Self {
            id: row.id,
            plugin: row.plugin,
            command: row.command,
            agent: row.agent,
            subject: row.subject.map(Into::into),
            owner: row.owner,
            title: row.title,
            created_ms: row.created_ms,
            updated_ms: row.updated_ms,
            runs: row.runs,
            state: row.state.into(),
            last_status: row.last_status,
            last_run: row.last_run,
            deleted_ms: row.deleted_ms,
            hits: None,
        }
    }
}

/// A run at a glance.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = RunRow)]
pub(crate) struct RunLine {
    /// Id of the run.
    pub(crate) id: String,
    /// Id of its session.
    pub(crate) session: String,
    /// Name of the command, without its plugin.
    pub(crate) command: String,
    /// Where it stands.
    pub(crate) state: Stands,
    /// How it ended, such as `success`.
    pub(crate) status: Option<String>,
    /// Time of its first event.
    pub(crate) started_ms: u64,
    /// When it ended.
    pub(crate) ended_ms: Option<u64>,
    /// Number of its first event within the session.
    pub(crate) first_seq: u64,
    /// Number of its last event within the session.
    pub(crate) last_seq: u64,
    /// The highest turn that a model answered.
    pub(crate) turns: u64,
    /// Tokens sent.
    pub(crate) input_tokens: u64,
    /// Tokens received.
    pub(crate) output_tokens: u64,
    /// What its model calls cost, in US dollars.
    pub(crate) cost_usd: f64,
}

impl RunLine {
    /// Whether it ended so, or stands so.
    pub(crate) fn is(&self, status: &str) -> bool {
        let stands = match self.state {
            Stands::Running => "running",
            Stands::Parked => "parked",
            Stands::Finished => "finished",
        };
        self.status.as_deref() == Some(status) || stands == status
    }

    /// A row, with where it stands now.
    pub(crate) fn of(row: RunRow, state: State) -> Self {
        Self {
            id: row.id,
            session: row.session,
            command: row.command,
            state: state.into(),
            status: row.status,
            started_ms: row.started_ms,
            ended_ms: row.ended_ms,
            first_seq: row.first_seq,
            last_seq: row.last_seq,
            turns: row.turns,
            input_tokens: row.input_tokens,
            output_tokens: row.output_tokens,
            cost_usd: row.cost_usd,
        }
    }
}
