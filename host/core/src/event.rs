//! The event catalogue: everything that can happen in a run, as the journal keeps it.
//!
//! The catalogue is a contract: interface, exports and replay read it. Within a version fields are added, never
//! changed or taken away. Its reference page and JSON Schema are generated from these types.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::confirm::ChangeRules;
use crate::flow::AgentAnswered;
use crate::hook::{CallContext, Finding, Observation, Subject, Verdict};
use crate::memory::MemoryRules;
use crate::observation::Declarations;
use crate::point::Point;

mod context;
mod delegation;
mod flow;
mod memory;
mod model;
mod prompt;
mod question;
mod read;
mod report;
mod request;
mod session;
mod settings;
mod study;
mod work;

pub use context::ContextCompacted;
pub use delegation::{AgentBinding, HandoffMade, SubagentFinished, SubagentStarted};
pub use flow::{FlowFailed, FlowStepped, MessageSaid, MessagesShown};
pub use memory::{MemoryConsolidated, MemoryWritten};
pub use model::{Crowded, ModelAnswered, ModelCalled, ModelFailed, ModelFellBack, ModelPartial};
pub use prompt::{PromptAssembled, PromptCorrected, PromptPart};
pub use question::ItemDecided;
pub use report::{CallReport, Input, SkillRead};
pub use request::{RequestAnswer, RequestAnswered, RequestMade};
pub use session::{ObservationsMade, SessionDeleted, SessionErased, SessionRenamed, SessionRestored};
pub use settings::{CallPrice, ComponentPin, GuestModel, HookBinding, Limits, SecondModel};
pub use study::{ConditionPins, StudyRecorded, StudyStarted, StudyStep};
pub use work::{
    Effects, Task, TaskStatus, TasksReplaced, ToolFinished, ToolSettled, ToolStarted, Write, WritesDone, WritesIntended,
};

/// Version of the catalogue, kept with every run.
pub const CATALOGUE_VERSION: u32 = 2;

/// An event with its place in the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Record {
    /// Id of the session.
    pub session: String,
    /// Place in the session, counted from 1 without gaps.
    pub seq: u64,
    /// Id of the run.
    pub run: String,
    /// When it was written, in milliseconds since 1970-01-01 UTC.
    pub at_ms: u64,
    /// What happened.
    #[serde(flatten)]
    pub event: Event,
}

/// Makes the type of the events, with their names and their reading, from the one table of them.
macro_rules! events {
    ($($(#[$doc:meta])+ $variant:ident $(($body:ty))? $name:literal,)+) => {
        /// What can happen.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(tag = "type")]
        pub enum Event {
            $($(#[$doc])+ #[serde(rename = $name)] $variant $(($body))?,)+
        }

        impl Event {
            /// The name under `type`.
            #[must_use]
            pub const fn name(&self) -> &'static str {
                match self {
                    $(Self::$variant { .. } => $name,)+
                }
            }

            /// Reads the event of this name from its JSON, which need not begin with the type; none where the event has no
            /// fields, or there is none of this name.
            fn of_name(name: &str, json: &str) -> Option<serde_json::Result<Self>> {
                match name {
                    $($($name => Some(serde_json::from_str::<$body>(json).map(Self::$variant)),)?)+
                    _ => None,
                }
            }
        }
    };
}

events! {
    /// A run began. Holds everything that decides how it goes on.
    RunStarted(Box<RunStarted>) "run.started",
    /// The prompt stands; it stays the same for the run.
    PromptAssembled(Box<PromptAssembled>) "prompt.assembled",
    /// A hook was run to its end, well or badly.
    HookFinished(Box<HookFinished>) "hook.finished",
    /// A guest, or the host, asks for something from outside: a person, a model, another tool. A guest's call ends there, and
    /// it is run again when there is an answer.
    RequestMade(Box<RequestMade>) "request.made",
    /// A request has its answer.
    RequestAnswered(Box<RequestAnswered>) "request.answered",
    /// The person decided on one item of a question.
    ItemDecided(ItemDecided) "question.item_decided",
    /// Older messages made room in the model's window; a summary stands in their place.
    ContextCompacted(Box<ContextCompacted>) "context.compacted",
    /// A model is about to be called.
    ModelCalled(ModelCalled) "model.called",
    /// A model answered.
    ModelAnswered(Box<ModelAnswered>) "model.answered",
    /// A model could not answer; the run waits.
    ModelFailed(ModelFailed) "model.failed",
    /// A model could not answer, also after its tries; a second provider is asked the same.
    ModelFellBack(ModelFellBack) "model.fell_back",
    /// A call was given up or cut in the middle of its answer; what had come of it. No part of the conversation.
    ModelPartial(ModelPartial) "model.partial",
    /// A tool is about to be called.
    ToolStarted(ToolStarted) "tool.started",
    /// A tool answered, well or badly.
    ToolFinished(Box<ToolFinished>) "tool.finished",
    /// What a tool's call would change took effect, or was refused.
    ToolSettled(Box<ToolSettled>) "tool.settled",
    /// A call ended well and its writes are about to be put in place.
    WritesIntended(WritesIntended) "writes.intended",
    /// The writes are in place.
    WritesDone(WritesDone) "writes.done",
    /// A subagent begins.
    SubagentStarted(Box<SubagentStarted>) "subagent.started",
    /// A subagent is over.
    SubagentFinished(Box<SubagentFinished>) "subagent.finished",
    /// An agent handed over to another.
    HandoffMade(Box<HandoffMade>) "handoff.made",
    /// The task list changed.
    TasksReplaced(TasksReplaced) "tasks.replaced",
    /// The run waits, holding nothing: for an answer, or because it was interrupted.
    RunParked(RunParked) "run.parked",
    /// What the prompt and the tools show was corrected by the person, through a hook.
    PromptCorrected(PromptCorrected) "prompt.corrected",
    /// A memory file was written, or taken away.
    MemoryWritten(Box<MemoryWritten>) "memory.written",
    /// Notes were scored: which have come to be worth a person's yes, and which leave an entry point.
    MemoryConsolidated(MemoryConsolidated) "memory.consolidated",
    /// A run that waited goes on.
    RunResumed(RunResumed) "run.resumed",
    /// This run shares the past of another and goes on differently.
    RunForked(Box<RunForked>) "run.forked",
    /// A flow took a step.
    FlowStepped(Box<FlowStepped>) "flow.stepped",
    /// A flow failed; the exchange is undone.
    FlowFailed(Box<FlowFailed>) "flow.failed",
    /// The time that a flow waited for has come.
    FlowWoken "flow.woken",
    /// An agent that a flow asked is done.
    AgentAnswered(Box<AgentAnswered>) "agent.answered",
    /// The person said something to a flow.
    MessageSaid(MessageSaid) "message.said",
    /// The person was shown something.
    MessagesShown(Box<MessagesShown>) "message.shown",
    /// The run is over.
    RunFinished(Box<RunFinished>) "run.finished",
    /// A surface has observed something of the run, beside it.
    ObservationsMade(Box<ObservationsMade>) "observations.made",
    /// The session was given another title, beside any run of it.
    SessionRenamed(SessionRenamed) "session.renamed",
    /// The session was taken out of the lists. Nothing of it is lost.
    SessionDeleted(SessionDeleted) "session.deleted",
    /// The session was put back into the lists.
    SessionRestored(SessionRestored) "session.restored",
    /// The session was erased for good.
    SessionErased(SessionErased) "session.erased",
    /// Something happened in a study, beside any run.
    StudyRecorded(Box<StudyRecorded>) "study.recorded",
}

impl Event {
    /// Number of the model's call that it is about, where it is about one.
    #[must_use]
    pub const fn turn(&self) -> Option<u32> {
        match self {
            Self::ModelCalled(it) => Some(it.turn),
            Self::ModelAnswered(it) => Some(it.turn),
            Self::ModelFailed(it) => Some(it.turn),
            Self::ModelFellBack(it) => Some(it.turn),
            Self::ModelPartial(it) => Some(it.turn),
            _ => None,
        }
    }

    /// Whether it is about the session as a whole or observed from outside, and means nothing to the run that it stands beside.
    #[must_use]
    pub const fn beside_runs(&self) -> bool {
        matches!(
            self,
            Self::ObservationsMade(_)
                | Self::SessionRenamed(_)
                | Self::SessionDeleted(_)
                | Self::SessionRestored(_)
                | Self::SessionErased(_)
                | Self::StudyRecorded(_)
        )
    }
}

/// A run began.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunStarted {
    /// Version of the event catalogue.
    pub catalogue: u32,
    /// Version of the host.
    pub host: String,
    /// Name of the plugin.
    pub plugin: String,
    /// Version of the plugin.
    pub plugin_version: String,
    /// Name of the command, without its plugin.
    pub command: String,
    /// Name of the agent.
    pub agent: String,
    /// What the person asked for.
    pub input: String,
    /// What it is about, where the request or its session names something.
    pub subject: Option<Subject>,
    /// For whom it runs: memory and sessions are this owner's alone.
    pub owner: String,
    /// Whether memory is shown to the model and may be written.
    pub memory: bool,
    /// Whose memory files there are, and what notes can be about.
    pub memory_rules: MemoryRules,
    /// Which changes of files may be made, and which of them the person has to see first.
    pub changes: ChangeRules,
    /// Shapes of words in results of tools that stay where messages make room.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept_shapes: Vec<String>,
    /// What a request could be about: everything of that kind in the workspace.
    pub subjects: Vec<Subject>,
    /// The workspace directory.
    pub workspace: String,
    /// Name of the provider.
    pub provider: String,
    /// The provider's name of the model.
    pub model: String,
    /// Where the provider was said to be; for the provider `cassette`, the directory that is played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// What a call is reckoned at before it is made; none where no price is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<CallPrice>,
    /// The model's window in tokens; none where conversations may be as long as they like.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context_window: Option<u64>,
    /// The model that takes over where that one fails.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fallback: Option<SecondModel>,
    /// Whether it belongs to a study: no answer may be one that was kept from another run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub study: bool,
    /// The model that guests may ask; none where none of them was granted `model`, or nobody can be asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guest_model: Option<GuestModel>,
    /// Where the output is saved, below the workspace, with `{subject}` and `{topic}`.
    pub writes: Option<String>,
    /// JSON Schema that the output has to fit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_schema: Option<serde_json::Value>,
    /// Limits of the run.
    pub limits: Limits,
    /// Hooks in the order in which they run.
    pub hooks: Vec<HookBinding>,
    /// The flow component that says what comes next; none for the built-in loop.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flow: Option<String>,
    /// What its components may observe, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub observations: Declarations,
    /// The other agents that the run may come to, by spawning or handing over; none where it has to do with one.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub agents: BTreeMap<String, AgentBinding>,
    /// Every component that may run, by its name.
    pub components: BTreeMap<String, ComponentPin>,
    /// SHA-256 of the plugin's texts (agents, commands, skills, manifest) as one JSON object by path, kept beside the journal:
    /// the run goes on with these, whatever becomes of the files.
    pub plugin_sha256: String,
    /// SHA-256 of the workspace's `soul.md`, kept beside the journal; none where there is none.
    pub identity_sha256: Option<String>,
    /// Events of the session up to this number are its history; 0 where there is none.
    pub history_through: u64,
}

impl RunStarted {
    /// Which one of its kind it is about.
    #[must_use]
    pub fn about(&self) -> Option<&str> {
        self.subject.as_ref().map(|subject| subject.id.as_str())
    }

    /// The hooks of every agent that the run may come to.
    pub fn all_hooks(&self) -> impl Iterator<Item = &HookBinding> {
        self.hooks.iter().chain(self.agents.values().flat_map(|agent| &agent.hooks))
    }
}

/// A hook was run to its end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct HookFinished {
    /// The hook's name.
    pub hook: String,
    /// Where it ran.
    pub point: Point,
    /// SHA-256 of its component.
    pub sha256: String,
    /// What it was told about the run.
    pub context: CallContext,
    /// What it said.
    pub verdict: Verdict,
    /// Sentences for the trace.
    pub notes: Vec<String>,
    /// What it found.
    pub findings: Vec<Finding>,
    /// What it observed, for dashboards and studies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observations: Vec<Observation>,
    /// What the call used.
    pub report: CallReport,
}

/// The run waits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunParked {
    /// Why: `question`, `interrupted`, `provider`.
    pub reason: String,
}

/// This run shares the past of another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunForked {
    /// The other session.
    pub session: String,
    /// The run in it.
    pub run: String,
    /// The last record of that session that is shared.
    pub through: u64,
    /// How this run goes on: the other's beginning, with what is different.
    pub start: RunStarted,
}

/// A run that waited goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunResumed {
    /// Version of the host that goes on.
    pub host: String,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// With an output that every hook let pass.
    Success,
    /// What was asked for was declined, politely: nothing is wrong.
    Declined,
    /// It used all its turns.
    ErrorMaxTurns,
    /// It used all its money.
    ErrorMaxBudget,
    /// A hook ended it.
    ErrorHookAbort,
    /// A tool failed too often in a row.
    ErrorToolRetryExhausted,
    /// It went on without getting anywhere.
    ErrorNoProgress,
    /// Its answer did not fit the output's schema, also after repairs.
    ErrorOutputSchema,
    /// Its answer was cut off at its length limit, also when it was asked for a shorter one.
    ErrorMaxOutput,
    /// The model declined to answer.
    ErrorRefusal,
    /// What was to be sent is longer than the model's window, also after older messages made room.
    ErrorTooLong,
}

impl Status {
    /// How a run ends that a hook has ended: a polite no and a fault are two things.
    #[must_use]
    pub const fn of_abort(declined: bool) -> Self {
        if declined { Self::Declined } else { Self::ErrorHookAbort }
    }

    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Success,
        Self::Declined,
        Self::ErrorMaxTurns,
        Self::ErrorMaxBudget,
        Self::ErrorHookAbort,
        Self::ErrorToolRetryExhausted,
        Self::ErrorNoProgress,
        Self::ErrorOutputSchema,
        Self::ErrorMaxOutput,
        Self::ErrorRefusal,
        Self::ErrorTooLong,
    ];

    /// The status of that name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }

    /// The word in JSON and traces.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Declined => "declined",
            Self::ErrorMaxTurns => "error_max_turns",
            Self::ErrorMaxBudget => "error_max_budget",
            Self::ErrorHookAbort => "error_hook_abort",
            Self::ErrorToolRetryExhausted => "error_tool_retry_exhausted",
            Self::ErrorNoProgress => "error_no_progress",
            Self::ErrorOutputSchema => "error_output_schema",
            Self::ErrorMaxOutput => "error_max_output",
            Self::ErrorRefusal => "error_refusal",
            Self::ErrorTooLong => "error_too_long",
        }
    }
}

/// The run is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RunFinished {
    /// How it ended.
    pub status: Status,
    /// Why, where it did not end well.
    pub reason: Option<String>,
    /// The final output; where the run did not end well, the last one there was.
    pub output: Option<String>,
    /// Where the output was saved, below the workspace.
    pub saved: Option<String>,
}
