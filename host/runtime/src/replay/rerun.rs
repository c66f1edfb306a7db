//! One record after the other: what led to it is done again, and compared with what it holds.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use ta_core::Record;
use ta_core::event::{
    CallReport, ContextCompacted, Event, ModelCalled, PromptAssembled, RequestMade, RunFinished, ToolSettled,
};
use ta_core::hook::{FileChange, Verdict};
use ta_core::machine::{Action, HOST, HookCall, Machine, OUTPUT};
use ta_core::prompt::{PromptParts, assemble};
use ta_core::step::Step;
use ta_sandbox::{Playback, Sandbox, StagedWrite};
use ta_store::Store;

use super::compare::{Difference, Divergence, differs};
use super::under_way::UnderWay;
use crate::components::Components;
use crate::error::RuntimeError;
use crate::inputs::{blob, recorded};
use crate::run::effects::{hook_invocation, hook_step, tool_invocation, tool_step};
use crate::run::flow::{flow_invocation, flow_step, state_of};
use crate::run::readers::Readers;
use crate::run::settle::settled;

/// Ends of a call that depend on how fast the machine is.
const OF_TIME: [&str; 1] = ["hook.deadline"];

/// A replay under way.
pub(super) struct Rerun<'a> {
    store: &'a dyn Store,
    sandbox: &'a Sandbox,
    pub(super) components: Components,
    /// Calls that are being made again, each with what it wants done: that must stand in the records that follow it.
    under_way: UnderWay<'a>,
    /// The memory that calls may change; what it holds they are told.
    readers: Readers,
}

impl<'a> Rerun<'a> {
    pub(super) fn new(store: &'a dyn Store, sandbox: &'a Sandbox) -> Self {
        let (components, under_way) = (Components::default(), UnderWay::default());
        Self { store, sandbox, components, under_way, readers: Readers::default() }
    }

    /// Does again what led to a record, before the machine has taken it in. The divergence is the first of all records so far;
    /// of calls that are still being made it is told later.
    pub(super) async fn check(
        &mut self,
        machine: &Machine,
        record: &'a Record,
    ) -> Result<Option<Divergence>, RuntimeError> {
        match self.difference(machine, record).await? {
            None => self.under_way.make_room().await,
            // A call before it may have gone otherwise first.
            Some(difference) => Ok(self.end().await?.or_else(|| Some(Divergence::at(record, difference)))),
        }
    }

    /// Calls that were made again and compared.
    pub(super) const fn calls(&self) -> usize {
        self.under_way.compared
    }

    /// Waits for the calls that are still being made.
    pub(super) async fn end(&mut self) -> Result<Option<Divergence>, RuntimeError> {
        self.under_way.end().await
    }

    async fn difference(&mut self, machine: &Machine, record: &'a Record) -> Result<Option<Difference>, RuntimeError> {
        self.readers.memory = machine.remembers().then(Default::default);
        Ok(match &record.event {
            Event::PromptAssembled(prompt) => self.prompt(machine, prompt).await?,
            Event::RequestMade(made) if made.by == HOST => delegated(machine, &record.event),
            Event::RequestMade(made) => self.request(machine, record, made).await?,
            Event::HookFinished(finished) => match &finished.verdict {
                Verdict::Failed { code, .. } if OF_TIME.contains(&code.as_str()) => None,
                _ => self.hook(machine, record, &finished.hook, &finished.report).await?,
            },
            Event::ToolFinished(it) if it.code.as_deref().is_some_and(|code| OF_TIME.contains(&code)) => None,
            Event::ToolFinished(it) => self.tool(machine, record, (&it.result.id, &it.report), &it.staged).await?,
            Event::ToolSettled(settled) => self.settled(machine, record, settled),
            Event::ModelCalled(called) => sent(machine, called),
            Event::ContextCompacted(recorded) => made_room(machine, recorded),
            Event::RequestAnswered(answered) => match machine.pending() {
                Action::Ask(ask) if ask.request == answered.id && ask.hash == answered.hash => None,
                Action::AskModel(ask) if ask.id == answered.id && ask.hash == answered.hash => None,
                Action::Reply(_) => delegated(machine, &record.event),
                other => Some(elsewhere(other, "a request is answered")),
            },
            Event::FlowStepped(stepped) => self.flow(machine, record, &stepped.report).await?,
            Event::FlowFailed(failed) if OF_TIME.contains(&failed.code.as_str()) => None,
            Event::FlowFailed(failed) => self.flow(machine, record, &failed.report).await?,
            Event::SubagentStarted(_)
            | Event::SubagentFinished(_)
            | Event::HandoffMade(_)
            | Event::AgentAnswered(_)
            | Event::MessagesShown(_) => delegated(machine, &record.event),
            Event::MessageSaid(_) | Event::FlowWoken => match machine.pending() {
                Action::Listen(_) => None,
                other => Some(elsewhere(other, "the person says something")),
            },
            Event::RunFinished(finished) => finish(machine, finished),
            Event::WritesIntended(intended) if intended.by == OUTPUT => None,
            Event::WritesIntended(_) if matches!(machine.pending(), Action::PlaceWrites(_)) => {
                delegated(machine, &record.event)
            }
            Event::WritesIntended(_)
            | Event::TasksReplaced(_)
            | Event::PromptCorrected(_)
            | Event::MemoryWritten(_) => self.under_way.effect(record),
            // Given from outside, by the person, a model, the disk or the clock; or no more than a beginning.
            Event::RunStarted(_)
            | Event::RunForked(_)
            | Event::RunParked(_)
            | Event::RunResumed(_)
            | Event::ItemDecided(_)
            | Event::ModelAnswered(_)
            | Event::ModelFailed(_)
            | Event::ModelFellBack(_)
            | Event::ModelPartial(_)
            | Event::ToolStarted(_)
            | Event::WritesDone(_)
            | Event::MemoryConsolidated(_)
            | Event::ObservationsMade(_)
            | Event::SessionRenamed(_)
            | Event::SessionDeleted(_)
            | Event::SessionRestored(_)
            | Event::SessionErased(_)
            | Event::StudyRecorded(_) => None,
        })
    }

    /// A call that ended with a request.
    async fn request(
        &mut self,
        machine: &Machine,
        record: &'a Record,
        made: &RequestMade,
    ) -> Result<Option<Difference>, RuntimeError> {
        match (&made.call, made.point) {
            (Some(call), _) => self.tool(machine, record, (call, &made.report), &[]).await,
            (None, Some(_)) => self.hook(machine, record, &made.by, &made.report).await,
            (None, None) => self.flow(machine, record, &made.report).await,
        }
    }

    async fn prompt(&self, machine: &Machine, recorded: &PromptAssembled) -> Result<Option<Difference>, RuntimeError> {
        let Action::Assemble(wanted) = machine.pending() else {
            return Ok(Some(elsewhere(machine.pending(), "the prompt is assembled")));
        };
        let Some(sha256) = &recorded.parts_sha256 else { return Ok(None) };
        let kept = blob(self.store, sha256, "the parts of the prompt").await?;
        let parts: PromptParts = serde_json::from_slice(&kept).map_err(|error| {
            let message = format!("the parts of the prompt cannot be read: {error}");
            RuntimeError::environment(
                "store.corrupt",
                message,
                "put a backup in its place with `teacher-assist restore FILE`",
            )
        })?;
        let parts = parts.in_run(&machine.ledger().tasks, &wanted.additions, &wanted.corrections);
        let (system, _) = assemble(&parts);
        let same = system == recorded.system;
        Ok((!same).then(|| ("the prompt is another".to_owned(), json!(recorded.system), json!(system))))
    }

    async fn hook(
        &mut self,
        machine: &Machine,
        record: &'a Record,
        hook: &str,
        report: &CallReport,
    ) -> Result<Option<Difference>, RuntimeError> {
        let call: HookCall = match machine.pending() {
            Action::RunHook(call) if call.hook == hook => (**call).clone(),
            other => return Ok(Some(elsewhere(other, &format!("the hook `{hook}` runs")))),
        };
        let Some(guest) = self.components.guests.get(hook).cloned() else {
            return Ok(Some((format!("the run has no component `{hook}`"), json!(hook), Value::Null)));
        };
        let inputs = recorded(self.store, &report.inputs, Playback::ThenNothing).await?;
        let invocation = hook_invocation(&self.readers, machine, &guest, &call, Some(inputs));
        let (sandbox, owner) = (self.sandbox.clone(), machine.start().owner.clone());
        self.begin(record, async move {
            let outcome = sandbox.call_hook(&guest, &call.input, invocation).await;
            hook_step(&guest, call, outcome, &owner)
        });
        Ok(None)
    }

    async fn tool(
        &mut self,
        machine: &Machine,
        record: &'a Record,
        (id, report): (&str, &CallReport),
        staged: &'a [FileChange],
    ) -> Result<Option<Difference>, RuntimeError> {
        let Action::CallTools(calls) = machine.pending() else {
            return Ok(Some(elsewhere(machine.pending(), "a tool answers")));
        };
        let Some(planned) = calls.iter().find(|planned| planned.call.id == id) else {
            let planned: Vec<&str> = calls.iter().map(|planned| planned.call.id.as_str()).collect();
            return Ok(Some(("another tool would be called".to_owned(), json!(id), json!(planned))));
        };
        let component = self.components.tools.get(&planned.call.name);
        let found = component.and_then(|name| Some((name.clone(), self.components.guests.get(name)?.clone())));
        let Some((component, guest)) = found else {
            return Ok(Some(("the run has no such tool".to_owned(), json!(planned.call.name), Value::Null)));
        };
        let inputs = recorded(self.store, &report.inputs, Playback::ThenNothing).await?;
        let invocation = tool_invocation(&self.readers, machine, &guest, planned, Some(inputs));
        let (sandbox, owner) = (self.sandbox.clone(), machine.start().owner.clone());
        let (call, recorded) = (planned.call.clone(), staged.to_vec());
        self.begin(record, async move {
            let outcome = sandbox.call_tool(&guest, &call, invocation).await;
            let staged = outcome.writes.iter().map(|write| as_recorded(write, &recorded)).collect();
            tool_step((&component, &guest), &call, outcome, &owner, staged)
        });
        Ok(None)
    }

    async fn flow(
        &mut self,
        machine: &Machine,
        record: &'a Record,
        report: &CallReport,
    ) -> Result<Option<Difference>, RuntimeError> {
        let Action::CallFlow(call) = machine.pending() else {
            return Ok(Some(elsewhere(machine.pending(), "the flow steps")));
        };
        let Some(guest) = self.components.guests.get(&call.flow).cloned() else {
            return Ok(Some((format!("the run has no flow `{}`", call.flow), json!(call.flow), Value::Null)));
        };
        let inputs = recorded(self.store, &report.inputs, Playback::ThenNothing).await?;
        let state = state_of(self.store, call).await?;
        let invocation = flow_invocation(&self.readers, machine, &guest, call, Some(inputs));
        let (sandbox, owner, call) = (self.sandbox.clone(), machine.start().owner.clone(), (**call).clone());
        let agents: BTreeSet<String> = machine.start().agents.keys().cloned().collect();
        self.begin(record, async move {
            let outcome = sandbox.call_flow(&guest, state.as_deref(), &call.event, invocation).await;
            flow_step(&guest, call, outcome, &owner, |agent| agents.contains(agent))
        });
        Ok(None)
    }

    /// Whether a call would be settled the same way. Which of the refused files stood so already was the disk's to say.
    fn settled(&mut self, machine: &Machine, record: &'a Record, recorded: &ToolSettled) -> Option<Difference> {
        let Action::Settle(due) = machine.pending() else {
            return Some(elsewhere(machine.pending(), "a tool's call is settled"));
        };
        let (own, effects) = settled((**due).clone(), &machine.start().owner, &recorded.standing).into_own();
        self.under_way.wants(record, effects.into());
        differs("it would be settled otherwise", &record.event, &own)
    }

    /// Begins a call, which gives its own event and what else it wants.
    fn begin(&mut self, record: &'a Record, call: impl Future<Output = Step> + Send + 'static) {
        self.under_way.begun(record, tokio::spawn(call));
    }
}

/// What a call would do to a file. The file as it was is gone: the difference is the one that was shown then, where both
/// sides of it are the same.
fn as_recorded(write: &StagedWrite, recorded: &[FileChange]) -> FileChange {
    let (path, before, after) = (write.path.clone(), write.before.clone(), write.after.clone());
    let same = |it: &&FileChange| it.path == path && it.before == before && it.after == after;
    let difference = recorded.iter().find(same).map(|it| it.difference.clone()).unwrap_or_default();
    FileChange { path, before, after, difference }
}

/// What the machine says whole: work given to another agent and what came of it, what the host asks and writes.
fn delegated(machine: &Machine, recorded: &Event) -> Option<Difference> {
    let now = match machine.pending().clone() {
        Action::Spawn(started) => Event::SubagentStarted(started),
        Action::Return(finished) => Event::SubagentFinished(finished),
        Action::HandOff(made) => Event::HandoffMade(made),
        Action::TakeAnswer(answered) => Event::AgentAnswered(answered),
        Action::Show(shown) => Event::MessagesShown(shown),
        Action::PutQuestion(asked) => Event::RequestMade(asked),
        Action::Reply(reply) => Event::RequestAnswered(Box::new(reply.answered)),
        Action::PlaceWrites(intended) => Event::WritesIntended(intended),
        other => return Some(elsewhere(&other, recorded.name())),
    };
    differs("it came out otherwise", recorded, &now)
}

fn finish(machine: &Machine, recorded: &RunFinished) -> Option<Difference> {
    let Action::Finish(finish) = machine.pending() else { return Some(elsewhere(machine.pending(), "the run ends")) };
    let digest = |output: &Option<String>| output.as_ref().map(|it| hex::encode(Sha256::digest(it.as_bytes())));
    let then =
        json!({ "status": recorded.status, "reason": recorded.reason, "output_sha256": digest(&recorded.output) });
    let now = json!({ "status": finish.status, "reason": finish.reason, "output_sha256": digest(&finish.output) });
    (then != now).then(|| ("the run would end otherwise".to_owned(), then, now))
}

/// Whether a model would be sent the same.
fn sent(machine: &Machine, called: &ModelCalled) -> Option<Difference> {
    let Some(call) = machine.model_calls().iter().find(|call| call.turn == called.turn) else {
        return Some(elsewhere(machine.pending(), "a model is called"));
    };
    let recorded = called.request_sha256.as_ref()?;
    let now = call.request_sha256();
    let what = || "the model would be sent something else".to_owned();
    (*recorded != now).then(|| (what(), json!(recorded), json!(now)))
}

/// Whether the same messages would make room.
fn made_room(machine: &Machine, recorded: &ContextCompacted) -> Option<Difference> {
    match machine.pending() {
        Action::Compact(wanted) if **wanted == *recorded => None,
        Action::Compact(wanted) => Some(("other messages would make room".to_owned(), json!(recorded), json!(wanted))),
        other => Some(elsewhere(other, "older messages make room")),
    }
}

/// The machine wants something else than what is recorded.
fn elsewhere(pending: &Action, recorded: &str) -> Difference {
    let now = match pending {
        Action::RunHook(call) => format!("the hook `{}` would run", call.hook),
        Action::Assemble(_) => "the prompt would be assembled".to_owned(),
        Action::Compact(_) => "older messages would make room".to_owned(),
        Action::CallModel(call) => format!("the model would be called, turn {}", call.turn),
        Action::CallModels(calls) => format!("{} models would be called", calls.len()),
        Action::CallTools(calls) => format!("{} tool calls would be made", calls.len()),
        Action::PutQuestion(asked) => format!("`{}` would be asked", asked.id),
        Action::AskModel(ask) => format!("a model would be asked for `{}`", ask.by),
        Action::Reply(reply) => format!("the request `{}` would be answered", reply.answered.id),
        Action::PlaceWrites(intended) => format!("{} files would be written", intended.writes.len()),
        Action::Settle(due) => format!("the call `{}` would be settled", due.settled.result.id),
        Action::Ask(ask) => format!("the question `{}` would be asked", ask.question.id),
        Action::Spawn(started) => format!("the subagent `{}` would begin", started.order.agent),
        Action::Return(finished) => format!("the subagent `{}` would be over", finished.agent),
        Action::HandOff(made) => format!("`{}` would take over", made.target),
        Action::CallFlow(call) => format!("the flow would be told `{}`", call.event.name()),
        Action::Show(_) => "the person would be shown something".to_owned(),
        Action::Listen(_) => "the person would be waited for".to_owned(),
        Action::TakeAnswer(answered) => format!("`{}` would have answered its flow", answered.agent),
        Action::Finish(finish) => format!("the run would end with {}", finish.status.name()),
        Action::Wait => "nothing would be done".to_owned(),
    };
    ("the run would be elsewhere".to_owned(), json!(recorded), json!(now))
}
