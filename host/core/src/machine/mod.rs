//! The agent loop as a value: events in, actions out.
//!
//! [`Machine::next`] takes one record of the journal and answers with what is to be done now. It does nothing itself,
//! so a run is rebuilt by feeding it its own journal, and every limit is tested without a runtime.
//!
//! The steps: pre-loop hooks, prompt, then per turn: limits, room in the model's window, pre-model hooks, model, post-model hooks, for each tool
//! call pre-tool hooks, all calls at once, post-tool hooks; when the model asks for no more tools: post-loop hooks,
//! which may send the run round again, then the end.

mod action;
mod budget;
mod chain;
mod compact;
mod context;
mod finish;
mod guests;
mod progress;
mod schema;
mod seat;
mod tools;
mod turn;

pub use action::{Action, Ask, Assemble, Finish, HookCall, ModelCall, OUTPUT, PlannedCall, Stamp};
pub use context::{Asked, CallStatus, Context, ContextSummary, Draft, ToolCallState};
pub use guests::MostOf;

use std::collections::BTreeMap;

use crate::event::{
    Event, PromptAssembled, Record, RunFinished, RunForked, RunStarted, Task, WritesDone, WritesIntended,
};
use crate::hook::{Addition, CallContext, Correction, HookInput, Section};
use crate::message::Message;
use chain::Chain;
use guests::GuestCalls;
use progress::Progress;
use seat::Parent;
use tools::ToolRound;

/// A run, as far as its journal goes.
#[derive(Debug, Clone)]
pub struct Machine {
    start: RunStarted,
    run: String,
    session: String,
    context: Context,
    step: Step,
    pending: Action,
    stamp: Stamp,
    /// The agent at work.
    agent: String,
    /// The one that waits for it, where it is a subagent.
    parent: Option<Box<Parent>>,
    /// What the agent that takes over reads before its first turn.
    incoming: Option<String>,
    /// Model calls of this agent, and of those that handed over to it.
    sitting_turns: u32,
    /// Subagents so far.
    spawned: usize,
    input: String,
    additions: Vec<Addition>,
    corrections: Vec<Correction>,
    prompt: Option<PromptAssembled>,
    progress: Progress,
    accepted: Vec<Section>,
    /// Hooks that sent the run round again, once for each round.
    reworks: Vec<String>,
    /// How often each hook has asked a question of each id.
    asked: BTreeMap<(String, String), u32>,
    last_output: Option<String>,
    finalizing: bool,
    open_writes: Vec<WritesIntended>,
    output_intent: Option<WritesIntended>,
    finished: Option<RunFinished>,
    waiting: bool,
    /// How long the run has been at work.
    worked_ms: u64,
    /// Whether a model is being called.
    calling: bool,
    /// How often in a row an answer was sent back because it had not the form of the output.
    repairs: u32,
    /// What guests have asked a model.
    guests: GuestCalls,
    /// What the provider last counted.
    counted: Option<compact::Counted>,
    /// Whether it has been said that the window is nearly full.
    crowded_said: bool,
}

/// Where in the loop the run is.
#[derive(Debug, Clone)]
enum Step {
    New,
    Hooks(Box<Chain>),
    Prompt,
    Room,
    Model,
    Tools(Box<ToolRound>),
    Delegating(Box<ToolRound>),
    Finishing,
    Done,
}

impl Machine {
    /// A run that has not begun, in a session with this history.
    #[must_use]
    pub fn new(history: Vec<Message>) -> Self {
        Self {
            start: RunStarted::default(),
            run: String::new(),
            session: String::new(),
            context: Context::new(history),
            step: Step::New,
            pending: Action::Wait,
            stamp: Stamp::default(),
            agent: String::new(),
            parent: None,
            incoming: None,
            sitting_turns: 0,
            spawned: 0,
            input: String::new(),
            additions: Vec::new(),
            corrections: Vec::new(),
            prompt: None,
            progress: Progress::default(),
            accepted: Vec::new(),
            reworks: Vec::new(),
            asked: BTreeMap::new(),
            last_output: None,
            finalizing: false,
            open_writes: Vec::new(),
            output_intent: None,
            finished: None,
            waiting: false,
            worked_ms: 0,
            calling: false,
            repairs: 0,
            guests: GuestCalls::default(),
            counted: None,
            crowded_said: false,
        }
    }

    /// The same, with the session's tasks.
    #[must_use]
    pub fn with_tasks(history: Vec<Message>, tasks: Vec<Task>) -> Self {
        let mut machine = Self::new(history);
        machine.context.tasks = tasks;
        machine
    }

    /// Takes one record of the run and answers with what is to be done now.
    ///
    /// Records that only tell what is going on leave the action as it was; a record that does not belong where the
    /// run is changes nothing either, so a journal with more in it than this version knows does no harm.
    pub fn next(&mut self, record: &Record) -> &Action {
        if record.event.beside_runs() {
            return &self.pending;
        }
        self.work(record);
        self.model_under_way(&record.event);
        self.stamp = Stamp { seq: record.seq, at_ms: record.at_ms };
        self.waiting = matches!(record.event, Event::RunParked(_));
        match &record.event {
            Event::RunStarted(start) => self.begin(record, start),
            Event::PromptAssembled(prompt) => self.prompt_assembled(prompt),
            Event::HookFinished(finished) => self.hook_finished(finished),
            Event::QuestionAsked(asked) => self.question_asked(asked),
            Event::ItemDecided(decided) => self.item_decided(decided),
            Event::QuestionAnswered(answered) => self.question_answered(answered),
            Event::ContextCompacted(compacted) => self.compacted(compacted),
            Event::ModelAnswered(answered) => self.model_answered(answered),
            Event::ModelPartial(partial) => self.model_broke_off(partial),
            Event::GuestModelCalled(called) => self.guest_model_called(called),
            Event::GuestModelAnswered(answered) => self.guest_model_answered(answered),
            Event::ToolFinished(finished) => self.tool_finished(finished),
            Event::TasksReplaced(replaced) => self.context.tasks.clone_from(&replaced.tasks),
            Event::PromptCorrected(corrected) => self.corrected(&corrected.corrections),
            Event::RunForked(forked) => self.forked(record, forked),
            Event::WritesIntended(intended) => self.writes_intended(intended),
            Event::WritesDone(done) => self.writes_done(done),
            Event::SubagentStarted(started) => self.subagent_started(started),
            Event::SubagentFinished(finished) => self.subagent_finished(finished),
            Event::HandoffMade(made) => self.handoff_made(made),
            Event::RunFinished(finished) => self.run_finished(finished),
            Event::ModelCalled(_)
            | Event::ModelFailed(_)
            | Event::ModelFellBack(_)
            | Event::ToolStarted(_)
            | Event::MemoryWritten(_)
            | Event::MemoryConsolidated(_)
            | Event::RunParked(_)
            | Event::RunResumed(_)
            | Event::SessionRenamed(_)
            | Event::SessionDeleted(_)
            | Event::SessionRestored(_)
            | Event::SessionErased(_) => {}
        }
        &self.pending
    }

    /// What is to be done now.
    #[must_use]
    pub const fn pending(&self) -> &Action {
        &self.pending
    }

    /// The context object: history, calls, tasks, feedback.
    #[must_use]
    pub const fn context(&self) -> &Context {
        &self.context
    }

    /// What the run began with; empty before it did.
    #[must_use]
    pub const fn start(&self) -> &RunStarted {
        &self.start
    }

    /// Whether the run is over.
    #[must_use]
    pub const fn finished(&self) -> bool {
        self.finished.is_some()
    }

    /// How the run ended, where it has.
    #[must_use]
    pub const fn finished_with(&self) -> Option<&RunFinished> {
        self.finished.as_ref()
    }

    /// Whether the last that happened was that the run was parked.
    #[must_use]
    pub const fn waiting(&self) -> bool {
        self.waiting
    }

    /// Writes that were begun and are not known to be in place: to be completed before anything else.
    #[must_use]
    pub fn open_writes(&self) -> &[WritesIntended] {
        &self.open_writes
    }

    /// The write of the final output, where it was begun.
    #[must_use]
    pub const fn output_intent(&self) -> Option<&WritesIntended> {
        self.output_intent.as_ref()
    }

    /// The last output that there was.
    #[must_use]
    pub fn last_output(&self) -> Option<&str> {
        self.last_output.as_deref()
    }

    /// What the person corrected of what prompt and tools show.
    #[must_use]
    pub fn corrections(&self) -> &[Correction] {
        &self.corrections
    }

    /// A call's corrections follow the call, after which the prompt may be next already.
    fn corrected(&mut self, corrections: &[Correction]) {
        self.corrections.extend(corrections.iter().cloned());
        if let Action::Assemble(assemble) = &mut self.pending {
            assemble.corrections.clone_from(&self.corrections);
        }
    }

    /// Goes on as another run, from where the shared past has led.
    fn forked(&mut self, record: &Record, forked: &RunForked) {
        self.run.clone_from(&record.run);
        self.session.clone_from(&record.session);
        self.start = forked.start.clone();
    }

    fn begin(&mut self, record: &Record, start: &RunStarted) {
        self.run.clone_from(&record.run);
        self.session.clone_from(&record.session);
        self.start = start.clone();
        self.agent.clone_from(&start.agent);
        self.input.clone_from(&start.input);
        let input = HookInput::PreLoop { input: self.input.clone(), classes: start.classes.clone() };
        self.run_hooks(input, None);
    }

    fn prompt_assembled(&mut self, prompt: &PromptAssembled) {
        if matches!(self.step, Step::Prompt) {
            self.prompt = Some(prompt.clone());
            let message = self.first_message();
            self.context.history.push(Message::user(message));
            self.begin_turn();
        }
    }

    fn writes_intended(&mut self, intended: &WritesIntended) {
        if intended.by == action::OUTPUT {
            self.output_intent = Some(intended.clone());
        }
        self.open_writes.push(intended.clone());
    }

    fn writes_done(&mut self, done: &WritesDone) {
        self.open_writes.retain(|open| open.by != done.by);
        self.context.written.extend(done.paths.iter().cloned());
    }

    fn call_context(&self) -> CallContext {
        CallContext {
            run: self.run.clone(),
            session: self.session.clone(),
            plugin: self.start.plugin.clone(),
            command: self.start.command.clone(),
            agent: self.agent.clone(),
            class: self.start.class.clone(),
            input: self.input.clone(),
            turn: self.context.turns,
            rework_round: self.context.rework_rounds,
        }
    }
}
