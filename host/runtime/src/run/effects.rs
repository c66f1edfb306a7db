//! Hooks and tools: run in the sandbox, their effects put in place when their events are in the journal.

use std::sync::Arc;

use futures::StreamExt as _;
use futures::stream::FuturesUnordered;
use ta_core::Point;
use ta_core::capability::Capability;
use ta_core::event::{
    CallReport, Effects, Event, HookBinding, HookFinished, RequestMade, RunStarted, ToolFinished, ToolStarted, Write,
};
use ta_core::hook::{FileChange, OnFailure, Verdict};
use ta_core::machine::{HookCall, Machine, PlannedCall};
use ta_core::message::{ToolCall, ToolResult};
use ta_core::skill::Skill;
use ta_core::step::Step;
use ta_sandbox::{
    CallOutcome, Ended as CallEnded, Guest, HookResponse, Inputs, Invocation, Playback, Requested, SkillReader,
    SkillText, StagedWrite, ToolFailure,
};

use super::drive::{Driver, Step as Next};
use super::readers::Readers;
use crate::change::changes;
use crate::error::RuntimeError;
use crate::inputs::recorded;
use crate::observer::Starting;

/// The skills that an agent may read.
pub(crate) struct AgentSkills(pub(crate) std::collections::BTreeMap<String, Skill>);

impl SkillReader for AgentSkills {
    fn read(&self, reference: &str) -> Result<SkillText, String> {
        let read = ta_core::skill::read(&self.0, reference)?;
        Ok(SkillText { tier: read.tier, text: read.text, problems: read.problems })
    }
}

impl Driver<'_> {
    pub(super) async fn run_hook(&mut self, call: HookCall) -> Result<Next, RuntimeError> {
        let guest = self.guest(&call.hook)?;
        self.observer.starting(&Starting::Hook(call.hook.clone()));
        let inputs = self.inputs_before(call.earlier.as_ref()).await?;
        let readers = self.readers_of(&guest).await?;
        let invocation = hook_invocation(&readers, &self.machine, &guest, &call, inputs);
        let outcome = self.sandbox.call_hook(&guest, &call.input, invocation).await;
        let owner = self.machine.start().owner.clone();
        let made = hook_step(&guest, call, outcome, &owner);
        let notice = skipped(self.machine.start(), made.own());
        self.append(made).await?;
        if let Some(notice) = notice {
            self.observer.notice(&notice);
        }
        Ok(Next::On)
    }

    /// What a call was told up to its last request. Whatever has changed since, it is told the same up to there.
    pub(super) async fn inputs_before(&self, report: Option<&CallReport>) -> Result<Option<Inputs>, RuntimeError> {
        match report {
            Some(report) => recorded(&*self.store, &report.inputs, Playback::ThenLive).await.map(Some),
            None => Ok(None),
        }
    }

    /// What a component's calls may read from.
    pub(super) async fn readers_of(&self, guest: &Guest) -> Result<Readers, RuntimeError> {
        let (start, remembers) = (self.machine.start(), self.machine.remembers());
        let mut readers = self.readers.clone();
        readers.skills = self.skills.get(self.machine.agent()).cloned();
        let has = |capability| guest.rights.has(capability);
        if remembers && (has(Capability::Memory) || has(Capability::MemoryUpdate)) {
            readers.memory = Some(Arc::new(self.store.memory(&start.owner).await?));
        }
        if !remembers || !has(Capability::Sessions) {
            readers.sessions = None;
        }
        Ok(readers)
    }
}

/// A hook's call, as it is made and made again.
pub(crate) fn hook_invocation(
    readers: &Readers,
    machine: &Machine,
    guest: &Guest,
    call: &HookCall,
    inputs: Option<Inputs>,
) -> Invocation {
    let (inputs, callers) = (inputs.map(Arc::new), Some(call.callers.clone()));
    Invocation { inputs, callers, ..readers.invocation(machine, guest, call.context.clone(), call.stamp, &call.hook) }
}

/// A tool's call, likewise.
pub(crate) fn tool_invocation(
    readers: &Readers,
    machine: &Machine,
    guest: &Guest,
    planned: &PlannedCall,
    inputs: Option<Inputs>,
) -> Invocation {
    let (inputs, context, callers) = (inputs.map(Arc::new), planned.context.clone(), Some(planned.callers.clone()));
    Invocation { inputs, callers, ..readers.invocation(machine, guest, context, planned.stamp, &planned.call.id) }
}

/// What the person is told where a dialogue failed: it was to speak with them, and the run goes on without.
fn skipped(start: &RunStarted, event: &Event) -> Option<String> {
    let Event::HookFinished(finished) = event else { return None };
    let Verdict::Failed { reason, .. } = &finished.verdict else { return None };
    let is_dialogue =
        |it: &&HookBinding| (&it.hook, it.point, it.on_failure) == (&finished.hook, finished.point, OnFailure::Tell);
    start.all_hooks().find(is_dialogue)?;
    Some(format!("`{}` could not speak with you, and the run goes on without it: {reason}", finished.hook))
}

/// What a hook's call comes to.
pub(crate) fn hook_step(guest: &Guest, call: HookCall, outcome: CallOutcome<HookResponse>, owner: &str) -> Step {
    let HookResponse { verdict, notes, findings, observations } = match &outcome.ended {
        CallEnded::Returned(response) => response.clone(),
        CallEnded::Failed(failure) => {
            let reason = format!("{}: {}", guest.name, failure.reason);
            let verdict = Verdict::Failed { code: failure.code.to_owned(), reason };
            HookResponse { verdict, notes: Vec::new(), findings: Vec::new(), observations: Vec::new() }
        }
        CallEnded::Requested(wanted) => {
            let within = format!("{}@{}", call.hook, call.stamp.seq);
            let event = request_made(&call.hook, (Some(call.point), None), &within, wanted, &outcome.report);
            return with_effects(&call.hook, owner, outcome, event);
        }
    };
    let finished = HookFinished {
        hook: call.hook.clone(),
        point: call.point,
        sha256: guest.sha256.clone(),
        context: call.context,
        verdict,
        notes,
        findings,
        observations,
        report: outcome.report.clone(),
    };
    with_effects(&call.hook, owner, outcome, Event::HookFinished(Box::new(finished)))
}

impl Driver<'_> {
    /// Calls that only look run all at once; one that changes something, or may make a request, runs alone, in its place.
    pub(super) async fn call_tools(&mut self, calls: Vec<PlannedCall>) -> Result<Next, RuntimeError> {
        let batch = match calls.iter().position(|planned| !self.beside_others(&planned.call.name)) {
            Some(0) => calls.get(..1),
            Some(first) => calls.get(..first),
            None => Some(calls.as_slice()),
        };
        let batch = batch.unwrap_or_default();
        let mut started = Vec::new();
        let mut prepared = Vec::new();
        for planned in batch {
            let (component, guest) = self.guest_of_tool(&planned.call.name)?;
            let inputs = self.inputs_before(planned.earlier.as_ref()).await?;
            let readers = self.readers_of(&guest).await?;
            let invocation = tool_invocation(&readers, &self.machine, &guest, planned, inputs);
            let (call, sha256) = (planned.call.clone(), guest.sha256.clone());
            if planned.earlier.is_none() {
                let component = component.clone();
                started.push(Event::ToolStarted(ToolStarted { call: call.clone(), component, sha256 }));
            }
            prepared.push((component, guest, call, invocation));
        }
        for begun in started {
            self.append(begun).await?;
        }
        self.observer.starting(&Starting::Tools(batch.iter().map(|planned| planned.call.name.clone()).collect()));
        let sandbox = self.sandbox.clone();
        let owner = self.machine.start().owner.clone();
        let mut running: FuturesUnordered<_> = prepared
            .iter()
            .map(|(component, guest, call, invocation)| {
                let sandbox = sandbox.clone();
                async move { (component, guest, call, sandbox.call_tool(guest, call, invocation.clone()).await) }
            })
            .collect();
        while let Some((component, guest, call, outcome)) = running.next().await {
            let (staged, before) = changes(&*self.workspace, &outcome.writes);
            let made = tool_step((component, guest), call, outcome, &owner, staged);
            // So that a person can have it back: what a call overwrites nothing else may hold.
            self.append(made.with_blobs(before)).await?;
        }
        Ok(Next::On)
    }

    fn beside_others(&self, tool: &str) -> bool {
        let component = self.components.tools.get(tool).and_then(|name| self.components.guests.get(name));
        component.is_some_and(|guest| {
            let only_reads = guest.tools.iter().any(|definition| definition.name == tool && definition.only_reads);
            let requests = [Capability::Ask, Capability::Model, Capability::Tools];
            only_reads && !requests.into_iter().any(|capability| guest.rights.has(capability))
        })
    }

    pub(super) fn guest(&self, name: &str) -> Result<Arc<Guest>, RuntimeError> {
        self.components.guests.get(name).cloned().ok_or_else(|| {
            RuntimeError::environment(
                "host.bug",
                format!("the component `{name}` is not loaded"),
                "this is a bug; please report it",
            )
        })
    }

    fn guest_of_tool(&self, tool: &str) -> Result<(String, Arc<Guest>), RuntimeError> {
        let component = self.components.tools.get(tool).cloned().unwrap_or_default();
        self.guest(&component).map(|guest| (component, guest))
    }
}

/// What a tool's call comes to. What it would do to files stands in its own event: the machine says when it is done.
pub(crate) fn tool_step(
    (component, guest): (&str, &Guest),
    call: &ToolCall,
    mut outcome: CallOutcome<Result<String, ToolFailure>>,
    owner: &str,
    staged: Vec<FileChange>,
) -> Step {
    if let CallEnded::Requested(wanted) = &outcome.ended {
        let event = request_made(component, (None, Some(call.id.clone())), &call.id, wanted, &outcome.report);
        return with_effects(component, owner, outcome, event);
    }
    let (failed, code, text) = result(guest, &outcome);
    let result = ToolResult { id: call.id.clone(), name: call.name.clone(), failed, text };
    let CallOutcome { writes, tasks, memory, corrections, .. } = &mut outcome;
    let (writes, tasks) = (std::mem::take(writes), tasks.take());
    let (memory, corrections) = (std::mem::take(memory), std::mem::take(corrections));
    // A tool that fails has changed nothing.
    let (staged, effects_of_call, texts) = match failed {
        true => (Vec::new(), Effects::default(), Vec::new()),
        false => (staged, Effects { tasks, corrections, memory }, writes),
    };
    let finished = ToolFinished { result, code, staged, effects: effects_of_call, report: outcome.report.clone() };
    let step = with_effects(&call.id, owner, outcome, Event::ToolFinished(Box::new(finished)));
    step.with_blobs(texts.into_iter().map(|write| write.text.into_bytes()))
}

/// The event of a call that ended with a request. Its id follows from the call and from what the call was told before, so that
/// a replay comes to the same.
pub(super) fn request_made(
    by: &str,
    (point, call): (Option<Point>, Option<String>),
    within: &str,
    requested: &Requested,
    report: &CallReport,
) -> Event {
    let Requested { request, hash, number } = requested.clone();
    let (id, by, report) = (format!("{within}/{number}"), by.to_owned(), report.clone());
    Event::RequestMade(Box::new(RequestMade { id, by, point, call, number, hash, request, report }))
}

/// A call that is over, with what it does and with the texts that belong to that.
pub(super) fn with_effects<T>(by: &str, owner: &str, outcome: CallOutcome<T>, own: Event) -> Step {
    let write = |it: &StagedWrite| Write { path: it.path.clone(), before: it.before.clone(), after: it.after.clone() };
    let writes = outcome.writes.iter().map(write).collect();
    let (tasks, corrections, memory) = (outcome.tasks, outcome.corrections, outcome.memory);
    Step::from(own)
        .with_blobs(outcome.read_texts.into_iter().map(String::into_bytes))
        .with_blobs(outcome.answers)
        .with_writes(by, writes)
        .with_blobs(outcome.writes.into_iter().map(|write| write.text.into_bytes()))
        .with_effects(by, owner, Effects { tasks, corrections, memory })
}

/// What the model reads: whether it failed, the code, the text.
fn result(guest: &Guest, outcome: &CallOutcome<Result<String, ToolFailure>>) -> (bool, Option<String>, String) {
    match &outcome.ended {
        CallEnded::Returned(Ok(text)) => (false, None, text.clone()),
        CallEnded::Returned(Err(failure)) => (true, Some(failure.code.clone()), failure.message.clone()),
        CallEnded::Failed(failure) => {
            let text = format!("{}: {} ({})", guest.name, failure.reason, failure.code);
            (true, Some(failure.code.to_owned()), text)
        }
        CallEnded::Requested(wanted) => {
            (true, Some("host.bug".to_owned()), format!("it asks for `{}`", wanted.import()))
        }
    }
}
