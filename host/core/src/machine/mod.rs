//! A run as a value: events in, actions out.
//!
//! [`Machine::next`] takes one record of the journal and answers with what is to be done now. It does nothing itself,
//! so a run is rebuilt by feeding it its own journal, and every limit is tested without a runtime.
//!
//! Three parts: the [`Ledger`] is what every run has; a [`Conversation`] is one agent's; the flow says what comes next.
//! The steps of a conversation: pre-loop hooks, prompt, then per turn: limits, room in the model's window, pre-model hooks,
//! model, post-model hooks, for each tool call pre-tool hooks, all calls at once, post-tool hooks; when the model asks for no
//! more tools: post-loop hooks, which may send it round again, then the end.

mod action;
mod budget;
mod compact;
mod conversation;
mod delegation;
mod exchange;
mod finish;
mod guests;
mod hooks;
mod lanes;
mod ledger;
mod progress;
mod questions;
mod reply;
mod requests;
mod schema;
mod tools;
mod turn;

pub use action::{
    Action, Ask, Assemble, Finish, FlowCall, Framing, HookCall, ModelAsk, ModelCall, OUTPUT, PlannedCall, PromptForm,
    Reply, Settlement, Stamp,
};
pub use conversation::{Conversation, Draft};
pub use guests::MostOf;
pub use ledger::{Asked, CallStatus, Ledger, RunSummary, ToolCallState};
pub use questions::HOST;

use crate::event::{Event, PromptAssembled, Record, RunForked, RunStarted, Task, WritesDone, WritesIntended};
use crate::hook::{CallContext, Entry};
use crate::message::{Message, Messages};
use crate::summary::Summary;
use crate::tokens;
use delegation::Delegator;
use exchange::Exchanges;
use hooks::HookRound;
use lanes::Lanes;
use tools::ToolRound;

/// A run, as far as its journal goes.
#[derive(Debug, Clone, Default)]
pub struct Machine {
    ledger: Ledger,
    /// Of the agent at work.
    conversation: Conversation,
    /// The agent that waits for it, where it is a subagent.
    delegator: Option<Box<Delegator>>,
    exchanges: Exchanges,
    /// The agents that a flow waits for.
    lanes: Lanes,
    step: Step,
    pending: Action,
    misplaced: Vec<Misplaced>,
}

/// Where the run is.
#[derive(Debug, Clone, Default)]
enum Step {
    #[default]
    New,
    Hooks(Box<HookRound>),
    Prompt,
    Room,
    Model,
    Tools(Box<ToolRound>),
    Delegating(Box<ToolRound>),
    /// A flow's component is being called.
    Flow(Box<FlowCall>),
    /// A request waits for its answer.
    Requested(Box<requests::Waiting>),
    /// The person is being shown something.
    Showing,
    /// A flow waits for the person.
    Person,
    /// A flow waits for agents, and none of them is at work in the machine: their models are.
    Agents,
    /// An agent that a flow asked is done.
    Answering,
    Finishing,
    Done,
}

impl Step {
    const fn name(&self) -> &'static str {
        match self {
            Self::New => "before its beginning",
            Self::Hooks(_) => "running hooks",
            Self::Prompt => "assembling a prompt",
            Self::Room => "making room",
            Self::Model => "calling a model",
            Self::Tools(_) => "calling tools",
            Self::Delegating(_) => "giving work to another agent",
            Self::Flow(_) => "calling its flow",
            Self::Requested(_) => "waiting for the answer to a request",
            Self::Showing => "showing a message",
            Self::Person => "waiting for the person",
            Self::Agents => "waiting for agents",
            Self::Answering => "taking an agent's answer",
            Self::Finishing => "ending",
            Self::Done => "over",
        }
    }
}

/// What earlier runs of a session leave to the next.
#[derive(Debug, Clone, Default)]
pub struct Past {
    /// The conversation.
    pub messages: Messages,
    /// The tasks.
    pub tasks: Vec<Task>,
    /// What was decided, and what is known of messages that made room.
    pub earlier: Summary,
}

/// A record that cannot belong where it stands: the journal is not what this version would have written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Misplaced {
    /// Number of the record.
    pub seq: u64,
    /// Its type.
    pub event: &'static str,
    /// Where the run was.
    pub step: &'static str,
}

impl Machine {
    /// A run that has not begun, in a session with this past.
    #[must_use]
    pub fn after(past: Past) -> Self {
        let mut conversation = Conversation::new(past.messages);
        conversation.earlier = past.earlier;
        Self { ledger: Ledger { tasks: past.tasks, ..Ledger::default() }, conversation, ..Self::default() }
    }

    /// Takes one record of the run and answers with what is to be done now.
    ///
    /// Records that only tell what is going on leave the action as it was. A record that cannot belong where the run is
    /// changes nothing either, and is told by [`Machine::misplaced`].
    pub fn next(&mut self, record: &Record) -> &Action {
        if record.event.beside_runs() {
            return &self.pending;
        }
        self.work(record);
        self.model_under_way(&record.event);
        self.ledger.stamp = Stamp { seq: record.seq, at_ms: record.at_ms };
        self.ledger.parked = matches!(record.event, Event::RunParked(_));
        let step = self.step.name();
        if !self.take(record) {
            self.misplaced.push(Misplaced { seq: record.seq, event: record.event.name(), step });
        }
        self.tend_lanes();
        &self.pending
    }

    /// Takes a record in; whether it belongs where the run is.
    fn take(&mut self, record: &Record) -> bool {
        match &record.event {
            Event::RunStarted(start) => self.begin(record, start),
            Event::PromptAssembled(prompt) => self.prompt_assembled(prompt),
            Event::HookFinished(finished) => self.hook_finished(finished),
            Event::RequestMade(made) => self.request_made(made),
            Event::RequestAnswered(answered) => self.request_answered(answered),
            Event::ItemDecided(decided) => self.item_decided(decided),
            Event::ContextCompacted(compacted) => self.compacted(compacted),
            Event::ModelAnswered(answered) => self.model_answered(answered),
            Event::ModelPartial(partial) => self.model_broke_off(partial),
            Event::ToolFinished(finished) => self.tool_finished(finished),
            Event::ToolSettled(settled) => self.tool_settled(settled),
            Event::TasksReplaced(replaced) => {
                self.ledger.tasks.clone_from(&replaced.tasks);
                true
            }
            Event::PromptCorrected(corrected) => self.corrected(&corrected.corrections),
            Event::RunForked(forked) => self.forked(record, forked),
            Event::RunResumed(_) => self.resumed(),
            Event::WritesIntended(intended) => self.writes_intended(intended),
            Event::WritesDone(done) => self.writes_done(done),
            Event::SubagentStarted(started) => self.subagent_started(started),
            Event::SubagentFinished(finished) => self.subagent_finished(finished),
            Event::HandoffMade(made) => self.handoff_made(made),
            Event::FlowStepped(stepped) => self.flow_stepped(stepped),
            Event::FlowFailed(failed) => self.flow_failed(failed),
            Event::FlowWoken => self.flow_woken(),
            Event::AgentAnswered(answered) => self.agent_answered(answered),
            Event::MessageSaid(said) => self.message_said(said),
            Event::MessagesShown(shown) => self.messages_shown(shown),
            Event::RunFinished(finished) => self.run_finished(finished),
            Event::ModelCalled(_)
            | Event::ModelFailed(_)
            | Event::ModelFellBack(_)
            | Event::ToolStarted(_)
            | Event::MemoryWritten(_)
            | Event::MemoryConsolidated(_)
            | Event::RunParked(_)
            | Event::ObservationsMade(_)
            | Event::SessionRenamed(_)
            | Event::SessionDeleted(_)
            | Event::SessionRestored(_)
            | Event::SessionErased(_)
            | Event::StudyRecorded(_) => true,
        }
    }

    /// What is to be done now.
    #[must_use]
    pub const fn pending(&self) -> &Action {
        &self.pending
    }

    /// What every run has.
    #[must_use]
    pub const fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The conversation of the agent at work; the flow's own while models write for agents of a flow.
    #[must_use]
    pub const fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    /// What the run began with; empty before it did.
    #[must_use]
    pub const fn start(&self) -> &RunStarted {
        &self.ledger.start
    }

    /// Records that could not belong where they stood.
    #[must_use]
    pub fn misplaced(&self) -> &[Misplaced] {
        &self.misplaced
    }

    /// A call's corrections follow the call, after which the prompt may be next already.
    fn corrected(&mut self, corrections: &[crate::hook::Correction]) -> bool {
        self.ledger.corrections.extend(corrections.iter().cloned());
        if let Action::Assemble(assemble) = &mut self.pending {
            assemble.corrections.clone_from(&self.ledger.corrections);
        }
        true
    }

    /// Goes on as another run, from where the shared past has led.
    fn forked(&mut self, record: &Record, forked: &RunForked) -> bool {
        self.ledger.run.clone_from(&record.run);
        self.ledger.session.clone_from(&record.session);
        self.ledger.start = forked.start.clone();
        true
    }

    fn begin(&mut self, record: &Record, start: &RunStarted) -> bool {
        if !matches!(self.step, Step::New) {
            return false;
        }
        self.ledger.run.clone_from(&record.run);
        self.ledger.session.clone_from(&record.session);
        self.ledger.start = start.clone();
        self.begin_exchange(start.input.clone());
        true
    }

    fn prompt_assembled(&mut self, prompt: &PromptAssembled) -> bool {
        if !matches!(self.step, Step::Prompt) {
            return false;
        }
        self.conversation.prompt = Some(prompt.clone());
        self.conversation.prompt_bytes = tokens::framing_bytes(&prompt.system, &prompt.tools);
        let message = self.first_message();
        self.conversation.history.push(Message::user(message));
        self.begin_turn();
        true
    }

    fn writes_intended(&mut self, intended: &WritesIntended) -> bool {
        if intended.by == action::OUTPUT {
            self.ledger.output_intent = Some(intended.clone());
        }
        self.ledger.open_writes.push(intended.clone());
        true
    }

    fn writes_done(&mut self, done: &WritesDone) -> bool {
        let open = self.ledger.open_writes.len();
        self.ledger.open_writes.retain(|open| open.by != done.by);
        self.ledger.written.extend(done.paths.iter().cloned());
        if done.by == action::OUTPUT && done.paths.is_empty() {
            // Somebody else has that name: the output is still to be saved.
            self.ledger.output_intent = None;
        }
        self.tool_wrote(done);
        self.ledger.open_writes.len() < open
    }

    fn call_context(&self) -> CallContext {
        let ledger = &self.ledger;
        CallContext {
            run: ledger.run.clone(),
            session: ledger.session.clone(),
            plugin: ledger.start.plugin.clone(),
            command: ledger.start.command.clone(),
            agent: self.conversation.agent.clone(),
            subject: ledger.start.subject.clone(),
            input: self.conversation.input.clone(),
            turn: ledger.turns,
            rework_round: ledger.rework_rounds,
            extra: if ledger.start.history_through > 0 {
                // The request follows others of its session, so it may be about what they came to.
                vec![Entry { name: "follows".to_owned(), value: "true".to_owned() }]
            } else {
                Vec::new()
            },
        }
    }
}
