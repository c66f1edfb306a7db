//! What a machine wants done.

use std::sync::{Arc, OnceLock};

use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::event::{
    CallReport, ContextCompacted, Crowded, Effects, HandoffMade, MessagesShown, RequestAnswered, RequestMade, Status,
    SubagentFinished, SubagentStarted, ToolSettled, WritesIntended,
};
use crate::flow::{AgentAnswered, FlowEvent, PersonWait};
use crate::hook::{Addition, CallContext, Correction, FileChange, HookInput};
use crate::message::{JsonSize, Messages, ToolCall, ToolDefinition};
use crate::point::Point;
use crate::question::{Decision, Question};
use crate::request::ModelQuestion;
use crate::tokens;

use super::guests::MostOf;

/// Who writes the final output, in `WritesIntended::by`.
pub const OUTPUT: &str = "output";

/// What is to be done now.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Action {
    /// Run a hook; answer with `HookFinished`, or with `RequestMade` where it asks for something from outside.
    RunHook(Box<HookCall>),
    /// Assemble the prompt; answer with `PromptAssembled`.
    Assemble(Box<Assemble>),
    /// Put a summary in the place of older messages; answer with this very `ContextCompacted`.
    Compact(Box<ContextCompacted>),
    /// Call the model; answer with `ModelAnswered`.
    CallModel(Arc<ModelCall>),
    /// Call models for several agents of a flow, all at once; answer each with `ModelAnswered`, in any order. A call that is
    /// under way stands here until it is answered.
    CallModels(Vec<Arc<ModelCall>>),
    /// Call these tools, all at once; answer each with `ToolFinished`, or with `RequestMade` where it asks for something from
    /// outside.
    CallTools(Vec<PlannedCall>),
    /// Ask on the host's own behalf: answer with this very `RequestMade`.
    PutQuestion(Box<RequestMade>),
    /// Put a call's changes of files in place: answer with this `WritesIntended`, then with `WritesDone`.
    PlaceWrites(WritesIntended),
    /// Let a call's other effects take effect, or nothing of it: answer with its `ToolSettled`, and the effects behind it.
    Settle(Box<Settlement>),
    /// Ask the person; answer with `ItemDecided` as decisions fall, and with `RequestAnswered`.
    Ask(Box<Ask>),
    /// Ask a model for a guest; answer with `RequestAnswered`, what the guest is told kept beside the journal.
    AskModel(Box<ModelAsk>),
    /// A request has its answer: answer with this `RequestAnswered`, what the guest is told kept beside the journal.
    Reply(Box<Reply>),
    /// Begin a subagent: answer with this `SubagentStarted`.
    Spawn(Box<SubagentStarted>),
    /// End a subagent: answer with this `SubagentFinished`.
    Return(Box<SubagentFinished>),
    /// Let another agent take over: answer with this `HandoffMade`.
    HandOff(Box<HandoffMade>),
    /// Save the output where it is to be saved, and answer with `RunFinished`.
    Finish(Box<Finish>),
    /// Call the flow's component; answer with `FlowStepped`, or with `FlowFailed`.
    CallFlow(Box<FlowCall>),
    /// Show the person something: answer with this very `MessagesShown`.
    Show(Box<MessagesShown>),
    /// Wait for what the person says: answer with `MessageSaid`, or with `FlowWoken` when the time has come.
    Listen(Box<PersonWait>),
    /// An agent that a flow asked is done: answer with this `AgentAnswered`.
    TakeAnswer(Box<AgentAnswered>),
    /// Nothing: the run has not begun, or is over.
    #[default]
    Wait,
}

impl Action {
    /// To call these models; none where there is none to call.
    pub(super) fn of_calls(mut calls: Vec<Arc<ModelCall>>) -> Option<Self> {
        match calls.len() {
            0 => None,
            1 => calls.pop().map(Self::CallModel),
            _ => Some(Self::CallModels(calls)),
        }
    }
}

/// The record that led to an action: the time and the seed that a guest is given come from it, so that they are the
/// same whenever the guest is run again.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Stamp {
    /// The record's number.
    pub seq: u64,
    /// The record's time in milliseconds.
    pub at_ms: u64,
}

/// A hook to be run.
#[derive(Debug, Clone, PartialEq)]
pub struct HookCall {
    /// The hook.
    pub hook: String,
    /// Where it runs.
    pub point: Point,
    /// What it is given.
    pub input: HookInput,
    /// What it is told about the run.
    pub context: CallContext,
    /// What it was told up to its last request, with the answer to that.
    pub earlier: Option<CallReport>,
    /// It, after all that wait for it: the tools and hooks that led to this call, each the caller of the next.
    pub callers: Vec<String>,
    /// When it was first run.
    pub stamp: Stamp,
}

/// A flow's component to be called.
#[derive(Debug, Clone, PartialEq)]
pub struct FlowCall {
    /// The flow.
    pub flow: String,
    /// SHA-256 of its state; none before its first step.
    pub state: Option<String>,
    /// What it is told.
    pub event: FlowEvent,
    /// What it is told about the run.
    pub context: CallContext,
    /// What it was told up to its last request, with the answer to that.
    pub earlier: Option<CallReport>,
    /// It alone: nobody waits for a flow.
    pub callers: Vec<String>,
    /// When it was first called.
    pub stamp: Stamp,
}

/// What a prompt is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromptForm {
    /// Everything.
    Whole,
    /// Neither the command's framing nor agents to give work to.
    Subagent,
    /// The agent's own text alone, unless its front matter says otherwise.
    Plain,
}

/// A prompt to be assembled.
#[derive(Debug, Clone, PartialEq)]
pub struct Assemble {
    /// The agent whose prompt it is.
    pub agent: String,
    /// What it is made of.
    pub form: PromptForm,
    /// The request, as the pre-loop hooks left it.
    pub input: String,
    /// What they added.
    pub additions: Vec<Addition>,
    /// What the person corrected.
    pub corrections: Vec<Correction>,
}

/// What a model is sent beside the messages: the same in every turn of an agent, so it is made once and shared.
#[derive(Debug, Clone, Default)]
pub struct Framing {
    system: String,
    tools: Vec<ToolDefinition>,
    output_schema: Option<Value>,
    json: OnceLock<JsonSize>,
    bytes: OnceLock<usize>,
}

impl Framing {
    /// The system prompt, the tools on offer, and the JSON Schema that the final answer has to fit.
    #[must_use]
    pub fn new(system: String, tools: Vec<ToolDefinition>, output_schema: Option<Value>) -> Self {
        Self { system, tools, output_schema, ..Self::default() }
    }

    /// The system prompt.
    #[must_use]
    pub fn system(&self) -> &str {
        &self.system
    }

    /// The tools on offer.
    #[must_use]
    pub fn tools(&self) -> &[ToolDefinition] {
        &self.tools
    }

    /// JSON Schema that the final answer has to fit.
    #[must_use]
    pub const fn output_schema(&self) -> Option<&Value> {
        self.output_schema.as_ref()
    }

    /// Whether it is made of these.
    pub(super) fn is_of(&self, parts: (&str, &[ToolDefinition], Option<&Value>)) -> bool {
        (self.system(), self.tools(), self.output_schema()) == parts
    }

    /// What its JSON comes to, reckoned once.
    #[must_use]
    pub fn json(&self) -> &JsonSize {
        self.json.get_or_init(|| JsonSize::of(&(&self.system, &self.tools, &self.output_schema)))
    }

    /// Bytes of it that a model reads, reckoned once.
    #[must_use]
    pub fn bytes(&self) -> usize {
        *self.bytes.get_or_init(|| tokens::framing_bytes(&self.system, &self.tools))
    }
}

impl PartialEq for Framing {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || self.is_of((other.system(), other.tools(), other.output_schema()))
    }
}

/// A model call to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelCall {
    /// Number of the turn, counted from 1.
    pub turn: u32,
    /// What stands beside the messages.
    pub framing: Arc<Framing>,
    /// The conversation.
    pub messages: Messages,
    /// The most tokens that the answer may have; the provider's own limit where none is given.
    pub max_output_tokens: Option<u32>,
    /// What it comes to, where it is the first of the run that fills most of the window.
    pub crowded: Option<Crowded>,
    /// When it was wanted first.
    pub stamp: Stamp,
}

impl ModelCall {
    /// SHA-256 over everything that the model is sent: over the SHA-256 of the JSON of system prompt, tools and schema, and
    /// the chain over the messages. What a replay compares.
    #[must_use]
    pub fn request_sha256(&self) -> String {
        let digest = Sha256::new().chain_update(self.framing.json().sha256);
        hex::encode(digest.chain_update(self.messages.json_sum().chain).finalize())
    }
}

/// A tool call to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedCall {
    /// The call, as the pre-tool hooks left it.
    pub call: ToolCall,
    /// What it is told about the run.
    pub context: CallContext,
    /// What it was told up to its last request, with the answer to that.
    pub earlier: Option<CallReport>,
    /// It, after all that wait for it.
    pub callers: Vec<String>,
    /// When it was decided.
    pub stamp: Stamp,
}

/// A question of a guest to a model.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelAsk {
    /// Id of the request.
    pub id: String,
    /// Who asks: a hook, or the component of a tool.
    pub by: String,
    /// Hash of the question.
    pub hash: String,
    /// The question.
    pub question: ModelQuestion,
    /// What it comes to at the most.
    pub most: MostOf,
}

/// What a guest is told of a request.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The event.
    pub answered: RequestAnswered,
    /// The answer as JSON, whose digest the event holds.
    pub json: Vec<u8>,
}

/// What becomes of a tool's call.
#[derive(Debug, Clone, PartialEq)]
pub struct Settlement {
    /// What is said of it; [`ToolSettled::with_standing`] adds what the disk says.
    pub settled: ToolSettled,
    /// What takes effect now.
    pub effects: Effects,
    /// Changes of files that were refused.
    pub refused: Vec<FileChange>,
}

/// A question to be put to the person.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// Id of the request.
    pub request: String,
    /// Who asks: a hook, the component of a tool, or `host`.
    pub by: String,
    /// The question.
    pub question: Question,
    /// Its hash.
    pub hash: String,
    /// Decisions that have fallen already.
    pub decided: Vec<Decision>,
    /// The how-manieth time they ask a question of this id, counted from 1.
    pub time: u32,
}

/// An end.
#[derive(Debug, Clone, PartialEq)]
pub struct Finish {
    /// How the run ends.
    pub status: Status,
    /// Why, where it does not end well.
    pub reason: Option<String>,
    /// The output; where the run does not end well, the last one there was.
    pub output: Option<String>,
}
