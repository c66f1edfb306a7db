//! One call: a fresh instance, its limits, its end.

use std::time::{Duration, Instant};

use ta_core::event::{CallReport, Task};
use ta_core::flow::FlowEvent;
use ta_core::hook::{Correction, Finding, HookInput, Observation, Verdict};
use ta_core::memory::Change;
use ta_core::message::{ToolCall, ToolDefinition};
use ta_core::model::ModelRequest;
use ta_core::observation;
use wasmtime::component::Instance;
use wasmtime::{Store, UpdateDeadline};

use crate::bindings::exports::teacher_assist::plugin::tool::Definition;
use crate::bindings::exports::teacher_assist::plugin::{reader, writer};
use crate::bindings::teacher_assist::plugin::types;
use crate::clock::End;
use crate::convert::{
    Document, DocumentFailure, DocumentRequest, Provided, ProviderFailure, Reading, ReadingRequest, Stepped, context,
};
use crate::engine::Sandbox;
use crate::failure::{Failure, Stop, of_error};
use crate::guest::{Guest, Ready};
use crate::inputs::Answer;
use crate::invocation::{Invocation, Requested, StagedWrite};
use crate::limits::{TOOLS_MAX, WALL_GRACE_MS};
use crate::only_reads;
use crate::state::State;

include!("../../../wit/plugin/lists.rs");

/// How a call ended.
#[derive(Debug, Clone, PartialEq)]
pub enum Ended<T> {
    /// It returned.
    Returned(T),
    /// It asks for something from outside; it is to be run again from its start when there is an answer.
    Requested(Box<Requested>),
    /// It failed; nothing of it takes effect.
    Failed(Failure),
}

/// What a hook returned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookResponse {
    /// Its verdict.
    pub verdict: Verdict,
    /// Sentences for the trace.
    pub notes: Vec<String>,
    /// What it found.
    pub findings: Vec<Finding>,
    /// What it observed.
    pub observations: Vec<Observation>,
}

/// Why a tool failed, in its own words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolFailure {
    /// A stable word.
    pub code: String,
    /// What went wrong.
    pub message: String,
}

/// A call that is over.
#[derive(Debug)]
pub struct CallOutcome<T> {
    /// How it ended.
    pub ended: Ended<T>,
    /// What it used.
    pub report: CallReport,
    /// Texts of the files in `report.reads`, in the same order.
    pub read_texts: Vec<String>,
    /// Writes that are to be put in place; empty unless it returned.
    pub writes: Vec<StagedWrite>,
    /// Answers of its imports as JSON, in the order of `report.inputs`.
    pub answers: Vec<Vec<u8>>,
    /// The task list that it wants; none unless it returned.
    pub tasks: Option<Vec<Task>>,
    /// Changes of memory that it wants; empty unless it returned.
    pub memory: Vec<Change>,
    /// Corrections of what the prompt shows; empty unless it returned.
    pub corrections: Vec<Correction>,
}

/// What is asked of an instance.
pub(crate) enum Work<'a> {
    Check,
    Hook(&'a HookInput),
    Tool(&'a ToolCall),
    Flow(Option<&'a str>, &'a FlowEvent),
    View(&'a str, &'a str),
    Provider(&'a ModelRequest),
    Writer(DocumentRequest<'a>),
    Reader(ReadingRequest<'a>),
}

/// What an instance answered.
pub(crate) enum Done {
    Checked(Vec<ToolDefinition>),
    Hook(HookResponse),
    Tool(Result<String, ToolFailure>),
    Flow(Result<Stepped, ToolFailure>),
    View(Result<String, ToolFailure>),
    Provider(Result<Provided, ProviderFailure>),
    Writer(Result<Document, DocumentFailure>),
    Reader(Result<Reading, DocumentFailure>),
}

impl Done {
    pub(crate) fn into_definitions(self) -> Vec<ToolDefinition> {
        if let Self::Checked(definitions) = self { definitions } else { Vec::new() }
    }
}

impl Sandbox {
    /// Calls a hook at the point that `input` belongs to. The guest must export it.
    pub async fn call_hook(
        &self,
        guest: &Guest,
        input: &HookInput,
        invocation: Invocation,
    ) -> CallOutcome<HookResponse> {
        let outcome = self.perform(guest, Work::Hook(input), invocation).await;
        outcome.map(|done| if let Done::Hook(response) = done { Some(response) } else { None })
    }

    /// Calls a tool.
    pub async fn call_tool(
        &self,
        guest: &Guest,
        call: &ToolCall,
        invocation: Invocation,
    ) -> CallOutcome<Result<String, ToolFailure>> {
        let outcome = self.perform(guest, Work::Tool(call), invocation).await;
        let outcome = outcome.map(|done| if let Done::Tool(result) = done { Some(result) } else { None });
        only_reads::enforce(guest, call, outcome)
    }

    /// Calls a flow with its state, none at the beginning.
    pub async fn call_flow(
        &self,
        guest: &Guest,
        state: Option<&str>,
        event: &FlowEvent,
        invocation: Invocation,
    ) -> CallOutcome<Result<Stepped, ToolFailure>> {
        let outcome = self.perform(guest, Work::Flow(state, event), invocation).await;
        outcome.map(|done| if let Done::Flow(result) = done { Some(result) } else { None })
    }

    /// What a surface shows of a flow's state to somebody of this role, as JSON.
    pub async fn view_flow(
        &self,
        guest: &Guest,
        state: &str,
        role: &str,
        invocation: Invocation,
    ) -> CallOutcome<Result<String, ToolFailure>> {
        let outcome = self.perform(guest, Work::View(state, role), invocation).await;
        outcome.map(|done| if let Done::View(result) = done { Some(result) } else { None })
    }

    /// Asks a provider.
    pub async fn call_provider(
        &self,
        guest: &Guest,
        request: &ModelRequest,
        invocation: Invocation,
    ) -> CallOutcome<Result<Provided, ProviderFailure>> {
        let outcome = self.perform(guest, Work::Provider(request), invocation).await;
        outcome.map(|done| if let Done::Provider(result) = done { Some(result) } else { None })
    }

    /// Has a writer make a document. Its options are the configuration that it was granted.
    pub async fn call_writer(
        &self,
        guest: &Guest,
        request: DocumentRequest<'_>,
        invocation: Invocation,
    ) -> CallOutcome<Result<Document, DocumentFailure>> {
        let outcome = self.perform(guest, Work::Writer(request), invocation).await;
        outcome.map(|done| if let Done::Writer(result) = done { Some(result) } else { None })
    }

    /// Has a reader read a document. Its options are the configuration that it was granted, and the caller's after them.
    pub async fn call_reader(
        &self,
        guest: &Guest,
        request: ReadingRequest<'_>,
        invocation: Invocation,
    ) -> CallOutcome<Result<Reading, DocumentFailure>> {
        let outcome = self.perform(guest, Work::Reader(request), invocation).await;
        outcome.map(|done| if let Done::Reader(result) = done { Some(result) } else { None })
    }

    pub(crate) async fn perform(&self, guest: &Guest, work: Work<'_>, mut invocation: Invocation) -> CallOutcome<Done> {
        let ready = match guest.ready(&self.inner) {
            Ok(ready) => ready,
            Err(error) => return CallOutcome::failed(Failure::new(error.code, error.message)),
        };
        // Held until the store is gone.
        let (_place, queued) = ready.engine.place().await;
        let _ticking = self.inner.ticker.ticking();
        let started = Instant::now();
        if let Work::Hook(input) = &work {
            invocation.limits = invocation.limits.for_event(bytes_of(input));
        }
        let limits = invocation.limits;
        let mut store = Store::new(&ready.engine.engine, State::new(&guest.name, invocation, None));
        let ended = match prepare(&mut store) {
            Err(error) => Ended::Failed(Failure::new("host.bug", error.to_string())),
            Ok(()) => {
                let cpu = store.data().cpu.clone();
                let patience = Duration::from_millis(limits.cpu_ms.saturating_add(WALL_GRACE_MS));
                match cpu.measure(patience, run(ready, work, &mut store)).await {
                    End::Returned(ended) => ended,
                    End::Panicked => Ended::Failed(Failure::new("host.bug", "a function of the host panicked")),
                    End::Waited => Ended::Failed(Failure::new("hook.deadline", "it waited longer than it may")),
                }
            }
        };
        finish(ended, store, limits.fuel, queued, started)
    }
}

/// How long an event is, as JSON; it is counted, not kept.
fn bytes_of(input: &HookInput) -> usize {
    // A conversation keeps its length up as it grows.
    if let HookInput::PreModel { messages, .. } = input {
        return messages.bytes();
    }
    struct Counter(usize);
    impl std::io::Write for Counter {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut counter = Counter(0);
    // An event is made of texts, numbers and lists, which JSON always has a form for; what was counted until then is enough.
    let _ = serde_json::to_writer(&mut counter, input);
    counter.0
}

/// Sets every limit. Before the instance is made: a start function counts.
fn prepare(store: &mut Store<State>) -> wasmtime::Result<()> {
    let limits = store.data().invocation.limits;
    store.limiter(|state| state);
    store.set_fuel(limits.fuel)?;
    store.set_hostcall_fuel(limits.payload_bytes);
    store.set_max_component_handles(limits.handles);
    store.set_epoch_deadline(1);
    let cpu = store.data().cpu.clone();
    store.epoch_deadline_callback(move |_| {
        if cpu.now_ms() >= limits.cpu_ms {
            return Ok(UpdateDeadline::Interrupt);
        }
        // The runtime has its turn, and other runs.
        cpu.give_way();
        Ok(UpdateDeadline::Yield(1))
    });
    Ok(())
}

async fn run(guest: &Ready, work: Work<'_>, store: &mut Store<State>) -> Ended<Done> {
    let instance = match guest.pre.instantiate_async(&mut *store).await {
        Ok(instance) => instance,
        Err(error) => return ended(&error, true),
    };
    match dispatch(guest, work, store, &instance).await {
        Ok(done) => Ended::Returned(done),
        Err(error) => ended(&error, false),
    }
}

fn ended(error: &wasmtime::Error, instantiating: bool) -> Ended<Done> {
    match error.downcast_ref::<Stop>() {
        Some(Stop::Requested(wanted)) => Ended::Requested(wanted.clone()),
        _ => Ended::Failed(of_error(error, instantiating)),
    }
}

async fn dispatch(
    guest: &Ready,
    work: Work<'_>,
    store: &mut Store<State>,
    instance: &Instance,
) -> wasmtime::Result<Done> {
    match work {
        Work::Check => check(guest, store, instance).await,
        Work::Hook(input) => {
            let context = context(&store.data().invocation.context);
            hook(guest, input, &context, store, instance).await
        }
        Work::Tool(call) => {
            let context = context(&store.data().invocation.context);
            let tool = guest.indices.tool.as_ref().ok_or_else(|| missing("tool"))?.load(&mut *store, instance)?;
            let result = tool.call_call(store, &context, &call.into()).await?;
            Ok(Done::Tool(result.map_err(|failure| ToolFailure { code: failure.code, message: failure.message })))
        }
        Work::Flow(state, event) => {
            let context = context(&store.data().invocation.context);
            let flow = guest.indices.flow.as_ref().ok_or_else(|| missing("flow"))?.load(&mut *store, instance)?;
            let result = match flow.call_step(&mut *store, &context, state, &event.into()).await? {
                Ok(step) => {
                    let step = Stepped::try_from(step).map_err(|reason| Stop::limit("flow.malformed", reason))?;
                    declared(store, &step.observations)?;
                    Ok(step)
                }
                Err(failure) => Err(ToolFailure { code: failure.code, message: failure.message }),
            };
            Ok(Done::Flow(result))
        }
        Work::View(state, role) => {
            let flow = guest.indices.flow.as_ref().ok_or_else(|| missing("flow"))?.load(&mut *store, instance)?;
            let result = flow.call_view(store, state, role).await?;
            Ok(Done::View(result.map_err(|failure| ToolFailure { code: failure.code, message: failure.message })))
        }
        Work::Writer(request) => {
            let indices = guest.indices.writer.as_ref().ok_or_else(|| missing("writer"))?;
            let request = writer::Request::of(&request, &store.data().invocation.rights.config);
            let written = indices.load(&mut *store, instance)?.call_write(store, &request).await?;
            let malformed = |reason| Stop::limit("writer.malformed", reason);
            Ok(Done::Writer(match written {
                Ok(document) => Ok(Document::try_from(document).map_err(malformed)?),
                Err(failure) => Err(DocumentFailure::try_from(failure).map_err(malformed)?),
            }))
        }
        Work::Reader(request) => {
            let indices = guest.indices.reader.as_ref().ok_or_else(|| missing("reader"))?;
            let request = reader::Request::of(&request, &store.data().invocation.rights.config);
            let read = indices.load(&mut *store, instance)?.call_read(store, &request).await?;
            let malformed = |reason| Stop::limit("reader.malformed", reason);
            Ok(Done::Reader(match read {
                Ok(document) => Ok(Reading::try_from(document).map_err(malformed)?),
                Err(failure) => Err(DocumentFailure::try_from(failure).map_err(malformed)?),
            }))
        }
        Work::Provider(request) => {
            let provider = guest.indices.provider.as_ref().ok_or_else(|| missing("provider"))?;
            let answered = provider.load(&mut *store, instance)?.call_complete(store, &request.into()).await?;
            Ok(Done::Provider(match answered {
                Ok(answer) => {
                    Ok(Provided::try_from(answer).map_err(|reason| Stop::limit("provider.malformed", reason))?)
                }
                Err(failure) => Err(failure.into()),
            }))
        }
    }
}

/// Observations must be of the kinds that the plugin declares.
fn declared(store: &Store<State>, observations: &[Observation]) -> wasmtime::Result<()> {
    let Some(declared) = &store.data().invocation.observations else { return Ok(()) };
    observation::check(declared, observations).map_err(|reason| Stop::limit("hook.malformed", reason))
}

fn missing(point: &str) -> wasmtime::Error {
    Stop::limit("hook.malformed", format!("it does not export `{point}`"))
}

/// Checks the types of everything that is exported, and asks for the tools.
async fn check(guest: &Ready, store: &mut Store<State>, instance: &Instance) -> wasmtime::Result<Done> {
    guest.indices.check(store, instance)?;
    let Some(indices) = &guest.indices.tool else { return Ok(Done::Checked(Vec::new())) };
    let definitions = indices.load(&mut *store, instance)?.call_definitions(store).await?;
    tools(definitions).map(Done::Checked).map_err(|reason| Stop::limit("hook.malformed", reason))
}

/// Tools that a model can be told about: not too many, and each with a name of its own.
fn tools(definitions: Vec<Definition>) -> Result<Vec<ToolDefinition>, String> {
    if definitions.len() > TOOLS_MAX {
        return Err(format!("it offers {} tools; it may offer {TOOLS_MAX}", definitions.len()));
    }
    let mut tools: Vec<ToolDefinition> = Vec::new();
    for definition in definitions {
        let tool = ToolDefinition::try_from(definition)?;
        if tools.iter().any(|earlier| earlier.name == tool.name) {
            return Err(format!("it offers two tools of the name `{}`", tool.name));
        }
        tools.push(tool);
    }
    Ok(tools)
}

async fn hook(
    guest: &Ready,
    input: &HookInput,
    context: &types::Context,
    store: &mut Store<State>,
    instance: &Instance,
) -> wasmtime::Result<Done> {
    // What holds a handle is given away, the rest is lent.
    macro_rules! given {
        (pre_model $event:ident) => {
            $event
        };
        ($point:ident $event:ident) => {
            &$event
        };
    }
    macro_rules! call {
        ($point:ident) => {{
            let indices = guest.indices.$point.as_ref().ok_or_else(|| missing(input.point().name()))?;
            let table = &mut store.data_mut().table;
            let event = crate::convert::$point(input, table).ok_or_else(|| missing(input.point().name()))?;
            let event = given!($point event);
            let response = indices.load(&mut *store, instance)?.call_run(&mut *store, context, event).await?;
            let response = HookResponse::from(response);
            declared(store, &response.observations)?;
            Ok(Done::Hook(response))
        }};
    }
    macro_rules! dispatch {
        ([] $($variant:ident $module:ident $name:literal $world:literal $when:literal;)*) => {
            match input {
                $(HookInput::$variant { .. } => call!($module),)*
            }
        };
    }
    points!(dispatch)
}

fn finish(ended: Ended<Done>, store: Store<State>, fuel: u64, queued: Duration, started: Instant) -> CallOutcome<Done> {
    let spent = fuel.saturating_sub(store.get_fuel().unwrap_or(0));
    let state = store.into_data();
    let returned = matches!(ended, Ended::Returned(_));
    let report = CallReport {
        elapsed_us: micros(started.elapsed()),
        queued_us: micros(queued),
        fuel: spent,
        memory_bytes: state.usage.memory_bytes as u64,
        logs: state.trail.logs,
        logs_dropped: state.trail.logs_dropped,
        reads: state.trail.reads,
        skills: state.trail.skills,
        inputs: state.trail.answers.iter().map(Answer::input).collect(),
    };
    CallOutcome {
        ended,
        report,
        read_texts: state.trail.read_texts,
        answers: state.trail.answers.into_iter().map(|answer| answer.json).collect(),
        writes: if returned { state.trail.writes } else { Vec::new() },
        tasks: if returned { state.trail.tasks } else { None },
        memory: if returned { state.trail.memory } else { Vec::new() },
        corrections: if returned { state.trail.corrections } else { Vec::new() },
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

impl CallOutcome<Done> {
    /// A call that did not begin.
    fn failed(failure: Failure) -> Self {
        Self {
            ended: Ended::Failed(failure),
            report: CallReport::default(),
            read_texts: Vec::new(),
            writes: Vec::new(),
            answers: Vec::new(),
            tasks: None,
            memory: Vec::new(),
            corrections: Vec::new(),
        }
    }

    fn map<T>(self, pick: impl FnOnce(Done) -> Option<T>) -> CallOutcome<T> {
        let ended = match self.ended {
            Ended::Returned(done) => match pick(done) {
                Some(value) => Ended::Returned(value),
                None => Ended::Failed(Failure::new("host.bug", "a call answered for another")),
            },
            Ended::Requested(wanted) => Ended::Requested(wanted),
            Ended::Failed(failure) => Ended::Failed(failure),
        };
        let CallOutcome { report, read_texts, answers, writes, tasks, memory, corrections, .. } = self;
        CallOutcome { ended, report, read_texts, answers, writes, tasks, memory, corrections }
    }
}
