//! Hooks and tools: run in the sandbox, their effects put in place when their events are in the journal.

use std::sync::Arc;

use futures::stream::FuturesUnordered;
use ta_core::Point;
use ta_core::capability::Capability;
use ta_core::event::{
    CallReport, Event, HookBinding, HookFinished, MemoryWritten, PromptCorrected, QuestionAsked, RunStarted,
    TasksReplaced, ToolFinished, ToolRequested, ToolStarted, Write, WritesDone, WritesIntended,
};
use ta_core::hook::{FileChange, OnFailure, Verdict};
use ta_core::machine::{HookCall, Machine, PlannedCall, Stamp};
use ta_core::message::{ToolCall, ToolResult};
use ta_core::question::Outcome;
use ta_core::skill::Skill;
use ta_sandbox::{
    Answered, Applied, CallOutcome, Ended as CallEnded, Guest, HookResponse, Inputs, Invocation, Playback, SkillReader,
    SkillText, ToolFailure, ToolWanted,
};

use super::drive::{Driver, Step};
use super::guest_model::Lines;
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
    pub(super) async fn run_hook(&mut self, call: HookCall) -> Result<Step, RuntimeError> {
        let guest = self.guest(&call.hook)?;
        self.observer.starting(&Starting::Hook(call.hook.clone()));
        let inputs = self.inputs_before(call.earlier.as_ref(), &call.hook, call.stamp).await?;
        let readers = self.readers_of(&guest).await?;
        let mut lines = Lines::new();
        let model = self.line(&guest, &lines, (&call.hook, call.stamp));
        let invocation = Invocation { model, ..hook_invocation(&readers, &self.machine, &guest, &call, inputs) };
        let sandbox = self.sandbox.clone();
        let made = futures::stream::once(sandbox.call_hook(&guest, &call.input, invocation));
        let Some(outcome) = self.beside(&mut Box::pin(made), &mut lines).await? else { return Ok(Step::On) };
        let owner = self.machine.start().owner.clone();
        let (events, blobs) = hook_events(&guest, call, outcome, &owner);
        let notice = events.first().and_then(|event| skipped(self.machine.start(), event));
        self.append(events, blobs).await?;
        if let Some(notice) = notice {
            self.observer.notice(&notice);
        }
        Ok(Step::On)
    }

    /// What a call was told before it asked the person or called a tool, or before the host was stopped in it. Whatever has changed since, it is
    /// told the same up to there.
    pub(super) async fn inputs_before(
        &self,
        report: Option<&CallReport>,
        by: &str,
        stamp: Stamp,
    ) -> Result<Option<Inputs>, RuntimeError> {
        // Both are beginnings of the same sequence.
        let of_report = report.map(|report| report.inputs.as_slice()).unwrap_or_default();
        let of_requests = self.inputs_of(by, stamp);
        let inputs = if of_requests.len() > of_report.len() { of_requests } else { of_report };
        if inputs.is_empty() {
            return Ok(None);
        }
        recorded(&*self.store, inputs, Playback::ThenLive).await.map(Some)
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
    let (answers, inputs, callers) = (answered(&call.answers), inputs.map(Arc::new), Some(call.callers.clone()));
    Invocation {
        answers,
        inputs,
        callers,
        ..readers.invocation(machine, guest, call.context.clone(), call.stamp, &call.hook)
    }
}

/// A tool's call, likewise.
pub(crate) fn tool_invocation(
    readers: &Readers,
    machine: &Machine,
    guest: &Guest,
    planned: &PlannedCall,
    inputs: Option<Inputs>,
) -> Invocation {
    let (answers, inputs) = (answered(&planned.answers), inputs.map(Arc::new));
    let (context, callers) = (planned.context.clone(), Some(planned.callers.clone()));
    Invocation {
        answers,
        inputs,
        callers,
        ..readers.invocation(machine, guest, context, planned.stamp, &planned.call.id)
    }
}

fn answered(answers: &[(String, Outcome)]) -> Vec<Answered> {
    answers.iter().map(|(hash, outcome)| Answered { hash: hash.clone(), outcome: outcome.clone() }).collect()
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

/// The events of a hook's call, with the texts that belong to them.
pub(crate) fn hook_events(
    guest: &Guest,
    call: HookCall,
    outcome: CallOutcome<HookResponse>,
    owner: &str,
) -> (Vec<Event>, Vec<Vec<u8>>) {
    let HookResponse { verdict, notes, findings, observations } = match &outcome.ended {
        CallEnded::Returned(response) => response.clone(),
        CallEnded::Failed(failure) => {
            let reason = format!("{}: {}", guest.name, failure.reason);
            let verdict = Verdict::Failed { code: failure.code.to_owned(), reason };
            HookResponse { verdict, notes: Vec::new(), findings: Vec::new(), observations: Vec::new() }
        }
        CallEnded::Called(wanted) => {
            let prefix = format!("{}@{}", call.hook, call.stamp.seq);
            let event = requested(&call.hook, (Some(call.point), None), &prefix, wanted, &outcome.report);
            return effects(&call.hook, owner, outcome, event);
        }
        CallEnded::Parked(question) => {
            let (question, report) = ((**question).clone(), outcome.report.clone());
            let hash = question.hash();
            let (by, point) = (call.hook.clone(), Some(call.point));
            let asked = QuestionAsked { by, point, call: None, question, hash, report };
            return effects(&call.hook, owner, outcome, Event::QuestionAsked(Box::new(asked)));
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
    effects(&call.hook, owner, outcome, Event::HookFinished(Box::new(finished)))
}

impl Driver<'_> {
    /// Calls that only look run all at once; one that changes something, or may ask the person or call
    /// a tool, runs alone, in its place.
    pub(super) async fn call_tools(&mut self, calls: Vec<PlannedCall>) -> Result<Step, RuntimeError> {
        let batch = match calls.iter().position(|planned| !self.beside_others(&planned.call.name)) {
            Some(0) => calls.get(..1),
            Some(first) => calls.get(..first),
            None => Some(calls.as_slice()),
        };
        let batch = batch.unwrap_or_default();
        let mut started = Vec::new();
        let mut prepared = Vec::new();
        let mut lines = Lines::new();
        for planned in batch {
            let (component, guest) = self.guest_of_tool(&planned.call.name)?;
            let model = self.line(&guest, &lines, (&planned.call.id, planned.stamp));
            let inputs = self.inputs_before(planned.earlier.as_ref(), &planned.call.id, planned.stamp).await?;
            let readers = self.readers_of(&guest).await?;
            let invocation = Invocation { model, ..tool_invocation(&readers, &self.machine, &guest, planned, inputs) };
            let (call, sha256) = (planned.call.clone(), guest.sha256.clone());
            if planned.earlier.is_none() {
                let component = component.clone();
                started.push(Event::ToolStarted(ToolStarted { call: call.clone(), component, sha256 }));
            }
            prepared.push((component, guest, call, invocation));
        }
        self.append(started, Vec::new()).await?;
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
        while let Some((component, guest, call, outcome)) = self.beside(&mut running, &mut lines).await? {
            let staged = changes(&self.workspace, &outcome.writes);
            let (events, blobs) = tool_events((component, guest), call, outcome, &owner, staged);
            self.append(events, blobs).await?;
        }
        Ok(Step::On)
    }

    fn beside_others(&self, tool: &str) -> bool {
        let component = self.components.tools.get(tool).and_then(|name| self.components.guests.get(name));
        component.is_some_and(|guest| {
            let only_reads = guest.tools.iter().any(|definition| definition.name == tool && definition.only_reads);
            only_reads && !guest.rights.has(Capability::Ask) && !guest.rights.has(Capability::Tools)
        })
    }

    /// Completes writes that are in the journal and not known to be on the disk.
    pub(super) async fn complete_writes(&mut self) -> Result<(), RuntimeError> {
        for intended in self.machine.ledger().open_writes.clone() {
            let mut done = WritesDone { by: intended.by.clone(), paths: Vec::new(), refused: Vec::new() };
            for write in &intended.writes {
                let text = self.store.blob(&write.after).await?.ok_or_else(|| {
                    let message = format!("the journal does not hold the text of {}", write.path);
                    RuntimeError::environment(
                        "store.corrupt",
                        message,
                        "put a backup in its place with `teacher-assist restore FILE`",
                    )
                })?;
                match self.workspace.apply(&write.path, write.before.as_deref(), &text) {
                    Ok(Applied::Written | Applied::AlreadyThere) => done.paths.push(write.path.clone()),
                    Ok(Applied::Conflict) => {
                        done.refused.push(format!("{}: somebody else has changed it meanwhile", write.path));
                    }
                    // The disk may have room again later: the intent stays open, and resuming tries again.
                    Err(error) if error.code == ta_sandbox::WorkspaceErrorCode::Io => return Err(error.into()),
                    Err(error) => done.refused.push(error.to_string()),
                }
            }
            self.append(vec![Event::WritesDone(done)], Vec::new()).await?;
        }
        Ok(())
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

/// The events of a tool's call, with the texts that belong to them. What it would do to files stands in its own event: the
/// machine says when it is done.
pub(crate) fn tool_events(
    (component, guest): (&str, &Guest),
    call: &ToolCall,
    mut outcome: CallOutcome<Result<String, ToolFailure>>,
    owner: &str,
    staged: Vec<FileChange>,
) -> (Vec<Event>, Vec<Vec<u8>>) {
    if let CallEnded::Parked(question) = &outcome.ended {
        let (by, call, hash) = (component.to_owned(), Some(call.id.clone()), question.hash());
        let (question, report) = ((**question).clone(), outcome.report.clone());
        let asked = QuestionAsked { by, point: None, call, question, hash, report };
        return effects(component, owner, outcome, Event::QuestionAsked(Box::new(asked)));
    }
    if let CallEnded::Called(wanted) = &outcome.ended {
        let event = requested(component, (None, Some(call.id.clone())), &call.id, wanted, &outcome.report);
        return effects(component, owner, outcome, event);
    }
    let (failed, code, text) = result(guest, &outcome);
    let result = ToolResult { id: call.id.clone(), name: call.name.clone(), failed, text };
    let writes = std::mem::take(&mut outcome.writes);
    // A tool that fails has changed nothing.
    let staged = if failed { Vec::new() } else { staged };
    let finished = ToolFinished { result, code, staged, report: outcome.report.clone() };
    let (mut events, mut blobs) = effects(&call.id, owner, outcome, Event::ToolFinished(Box::new(finished)));
    if failed {
        events.truncate(1);
    } else {
        blobs.extend(writes.into_iter().map(|write| write.text.into_bytes()));
    }
    (events, blobs)
}

/// The event of a call that ended with the call of a tool. Its id follows from the caller's and from what the caller was told
/// before, so that a replay comes to the same.
pub(super) fn requested(
    by: &str,
    (point, call): (Option<Point>, Option<String>),
    prefix: &str,
    wanted: &ToolWanted,
    report: &CallReport,
) -> Event {
    let ToolWanted { name, arguments, import, number } = wanted.clone();
    let request = ToolCall { id: format!("{prefix}/{number}"), name, arguments };
    Event::ToolRequested(Box::new(ToolRequested {
        by: by.to_owned(),
        point,
        call,
        request,
        import,
        report: report.clone(),
    }))
}

/// The events of a call that is over, its own first, with the texts that belong to them.
pub(super) fn effects<T>(by: &str, owner: &str, outcome: CallOutcome<T>, own: Event) -> (Vec<Event>, Vec<Vec<u8>>) {
    let mut events = vec![own];
    let mut blobs: Vec<Vec<u8>> = outcome.read_texts.into_iter().map(String::into_bytes).collect();
    blobs.extend(outcome.answers);
    if !outcome.writes.is_empty() {
        let write = |it: &ta_sandbox::StagedWrite| Write {
            path: it.path.clone(),
            before: it.before.clone(),
            after: it.after.clone(),
        };
        let writes = outcome.writes.iter().map(write).collect();
        events.push(Event::WritesIntended(WritesIntended { by: by.to_owned(), writes }));
        blobs.extend(outcome.writes.into_iter().map(|write| write.text.into_bytes()));
    }
    events.extend(outcome.tasks.map(|tasks| Event::TasksReplaced(TasksReplaced { tasks })));
    if !outcome.corrections.is_empty() {
        let (hook, corrections) = (by.to_owned(), outcome.corrections);
        events.push(Event::PromptCorrected(PromptCorrected { hook, corrections }));
    }
    events.extend(outcome.memory.into_iter().map(|change| {
        let (owner, by) = (owner.to_owned(), by.to_owned());
        Event::MemoryWritten(Box::new(MemoryWritten { owner, by, change }))
    }));
    (events, blobs)
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
        CallEnded::Parked(question) => (true, Some("host.bug".to_owned()), format!("it asks: {}", question.title)),
        CallEnded::Called(wanted) => (true, Some("host.bug".to_owned()), format!("it calls: {}", wanted.name)),
    }
}
