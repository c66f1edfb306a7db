//! Hooks and tools: run in the sandbox, their effects put in place when their events are in the journal.

use std::sync::Arc;

use futures::StreamExt;
use futures::stream::FuturesUnordered;
use sha2::{Digest, Sha256};
use ta_core::event::{
    Event, HookFinished, QuestionAsked, TasksReplaced, ToolFinished, ToolStarted, Write, WritesDone, WritesIntended,
};
use ta_core::hook::Verdict;
use ta_core::machine::{HookCall, PlannedCall, Stamp};
use ta_core::message::ToolResult;
use ta_core::skill::Skill;
use ta_sandbox::{
    Answered, Applied, CallOutcome, Ended as CallEnded, Guest, HookResponse, Invocation, SkillReader, SkillText,
    ToolFailure,
};

use super::drive::{Driver, Step};
use crate::error::RuntimeError;
use crate::observer::Starting;

/// The skills that an agent may read.
pub(super) struct AgentSkills(pub(super) std::collections::BTreeMap<String, Skill>);

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
        let answers =
            call.answers.iter().map(|(hash, outcome)| Answered { hash: hash.clone(), outcome: outcome.clone() });
        let mut invocation = self.invocation(&guest, call.context.clone(), call.stamp, &call.hook);
        invocation.answers = answers.collect();
        let outcome = self.sandbox.call_hook(&guest, &call.input, invocation).await;
        if let CallEnded::Parked(question) = outcome.ended {
            let hash = question.hash();
            let asked = QuestionAsked { hook: call.hook, point: call.point, question: *question, hash };
            self.append(vec![Event::QuestionAsked(Box::new(asked))], Vec::new()).await?;
            return Ok(Step::On);
        }
        let (verdict, notes, findings) = match &outcome.ended {
            CallEnded::Returned(HookResponse { verdict, notes, findings }) => {
                (verdict.clone(), notes.clone(), findings.clone())
            }
            CallEnded::Failed(failure) => {
                let reason = format!("{}: {}", guest.name, failure.reason);
                (Verdict::Failed { code: failure.code.to_owned(), reason }, Vec::new(), Vec::new())
            }
            CallEnded::Parked(_) => return Ok(Step::On),
        };
        let finished = HookFinished {
            hook: call.hook.clone(),
            point: call.point,
            sha256: guest.sha256.clone(),
            context: call.context,
            verdict,
            notes,
            findings,
            report: outcome.report.clone(),
        };
        let (events, blobs) = effects(&call.hook, outcome, Event::HookFinished(Box::new(finished)));
        self.append(events, blobs).await?;
        Ok(Step::On)
    }

    /// Calls that only look run all at once; one that changes something runs alone, in its place.
    pub(super) async fn call_tools(&mut self, calls: Vec<PlannedCall>) -> Result<Step, RuntimeError> {
        let batch = match calls.iter().position(|planned| !self.repeatable(&planned.call.name)) {
            Some(0) => calls.get(..1),
            Some(first) => calls.get(..first),
            None => Some(calls.as_slice()),
        };
        let batch = batch.unwrap_or_default();
        let mut started = Vec::new();
        let mut prepared = Vec::new();
        for planned in batch {
            let (component, guest) = self.guest_of_tool(&planned.call.name)?;
            let invocation = self.invocation(&guest, planned.context.clone(), planned.stamp, &planned.call.id);
            let (call, sha256) = (planned.call.clone(), guest.sha256.clone());
            started.push(Event::ToolStarted(ToolStarted { call: call.clone(), component, sha256 }));
            prepared.push((guest, call, invocation));
        }
        self.append(started, Vec::new()).await?;
        self.observer.starting(&Starting::Tools(batch.iter().map(|planned| planned.call.name.clone()).collect()));
        let sandbox = self.sandbox.clone();
        let mut running: FuturesUnordered<_> = prepared
            .iter()
            .map(|(guest, call, invocation)| {
                let sandbox = sandbox.clone();
                async move { (guest, call, sandbox.call_tool(guest, call, invocation.clone()).await) }
            })
            .collect();
        while let Some((guest, call, outcome)) = running.next().await {
            let (failed, code, text) = result(guest, &outcome);
            let result = ToolResult { id: call.id.clone(), name: call.name.clone(), failed, text };
            let finished = ToolFinished { result, code, report: outcome.report.clone() };
            let (mut events, blobs) = effects(&call.id, outcome, Event::ToolFinished(Box::new(finished)));
            if failed {
                // A tool that fails has changed nothing.
                events.truncate(1);
            }
            self.append(events, blobs).await?;
        }
        Ok(Step::On)
    }

    fn repeatable(&self, tool: &str) -> bool {
        let component = self.components.tools.get(tool).and_then(|name| self.components.guests.get(name));
        component
            .is_some_and(|guest| guest.tools.iter().any(|definition| definition.name == tool && definition.repeatable))
    }

    /// Completes writes that are in the journal and not known to be on the disk.
    pub(super) async fn complete_writes(&mut self) -> Result<(), RuntimeError> {
        for intended in self.machine.open_writes().to_vec() {
            let mut done = WritesDone { by: intended.by.clone(), paths: Vec::new(), refused: Vec::new() };
            for write in &intended.writes {
                let text = self.store.blob(&write.after).await?.ok_or_else(|| {
                    let message = format!("the journal does not hold the text of {}", write.path);
                    RuntimeError::environment("store.corrupt", message, "restore the journal from a backup")
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

    fn guest(&self, name: &str) -> Result<Arc<Guest>, RuntimeError> {
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

    /// All that a call sees. Time and seed come from the record that led to it, so that they are the same whenever it
    /// is run again.
    fn invocation(&self, guest: &Guest, context: ta_core::hook::CallContext, stamp: Stamp, what: &str) -> Invocation {
        let seed = Sha256::digest(format!("{}\0{}\0{what}", self.run, stamp.seq)).into();
        Invocation {
            context,
            rights: Arc::clone(&guest.rights),
            limits: guest.limits,
            workspace: Some(Arc::clone(&self.workspace)),
            skills: Some(Arc::clone(&self.skills)),
            tasks: self.machine.context().tasks.clone(),
            answers: Vec::new(),
            now_ms: stamp.at_ms,
            seed,
        }
    }
}

/// The events of a call that is over, its own first, with the texts that belong to them.
fn effects<T>(by: &str, outcome: CallOutcome<T>, own: Event) -> (Vec<Event>, Vec<Vec<u8>>) {
    let mut events = vec![own];
    let mut blobs: Vec<Vec<u8>> = outcome.read_texts.into_iter().map(String::into_bytes).collect();
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
        CallEnded::Parked(_) => (true, Some("hook.questions".to_owned()), "a tool cannot ask the person".to_owned()),
    }
}
