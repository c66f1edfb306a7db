//! The counterfactual: what would another component have said in a hook's place, to these very events?
//!
//! The run's course stays as it was: each call of the hook is made once more with the other component, on the same
//! event, with the same answers of the person, and told the same.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Serialize;
use ta_core::event::{ComponentPin, Event, HookFinished, Input};
use ta_core::hook::{Finding, Verdict};
use ta_core::machine::{Action, HookCall, Machine};
use ta_core::request::{ASK, Request};
use ta_core::text::line;
use ta_core::{Point, Record};
use ta_sandbox::{ComponentBytes, Ended, Guest, Inputs, Invocation, Playback};
use ta_store::Store;

use super::{Recorded, recorded};
use crate::components::{self, Swap};
use crate::error::RuntimeError;
use crate::host::Host;
use crate::inputs;
use crate::observer::Silent;
use crate::run::readers::Readers;

/// Characters of what a model would be asked that are shown.
const PROMPT_CHARS_MAX: usize = 200;

/// What a component said to one event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Said {
    /// `pass`, `modify`, `refuse`, `rework`, `abort`, `failed`, `asks` where it asks what no person or model was asked, or `calls`
    /// where it calls a tool that was not called.
    pub verdict: String,
    /// A stable word, where it aborted or failed.
    pub code: Option<String>,
    /// The reason, the instruction, or the question.
    pub reason: Option<String>,
    /// How many findings.
    pub findings: usize,
}

/// One call of the hook, then and now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CallSwap {
    /// Number of the record that holds the call.
    pub seq: u64,
    /// Where the hook runs.
    pub point: Point,
    /// Number of the turn.
    pub turn: u32,
    /// Rounds of rework before it.
    pub rework_round: u32,
    /// What the run's own component said.
    pub then: Said,
    /// What the other one says.
    pub now: Said,
    /// Findings of the other one that the run's own did not have.
    pub found_now_only: Vec<Finding>,
    /// Findings of the run's own that the other one does not have.
    pub found_then_only: Vec<Finding>,
}

impl CallSwap {
    /// Whether anything differs.
    #[must_use]
    pub fn differs(&self) -> bool {
        self.then != self.now || !self.found_now_only.is_empty() || !self.found_then_only.is_empty()
    }
}

/// One run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RunSwap {
    /// Id of the run.
    pub run: String,
    /// Id of its session.
    pub session: String,
    /// SHA-256 of the component that ran.
    pub sha256_then: String,
    /// Each call of the hook, in order.
    pub calls: Vec<CallSwap>,
}

/// Everything together.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Runs.
    pub runs: usize,
    /// Calls of the hook.
    pub calls: usize,
    /// Calls with another verdict.
    pub verdicts_changed: usize,
    /// Calls with other findings.
    pub findings_changed: usize,
    /// How often each verdict was given, then.
    pub verdicts_then: BTreeMap<String, usize>,
    /// And now.
    pub verdicts_now: BTreeMap<String, usize>,
    /// Findings by class that only the other component has.
    pub found_now_only: BTreeMap<String, usize>,
    /// Findings by class that only the run's own had.
    pub found_then_only: BTreeMap<String, usize>,
}

/// A component compared with the one that ran.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Swapped {
    /// The hook.
    pub hook: String,
    /// SHA-256 of the other component.
    pub sha256_now: String,
    /// Each run.
    pub runs: Vec<RunSwap>,
    /// All together.
    pub totals: Totals,
}

/// Compares a component with the one that ran in a hook's place, over runs.
///
/// # Errors
/// Where there is no such run or hook, or the component is refused.
pub async fn swap(host: &Host, ids: &[String], swap: &Swap) -> Result<Swapped, RuntimeError> {
    let store = host.store_to_read()?;
    let bytes: ComponentBytes = components::component_file(&swap.file)?.into();
    let mut runs: Vec<RunSwap> = Vec::new();
    let mut sha256_now = String::new();
    for id in ids {
        let recorded = recorded(&*store, id).await?;
        let (name, pin) = hook_of(&recorded, &swap.hook)?;
        let mut source = components::source_of_pin("swapped", &name, &pin, bytes.clone());
        source.pinned = None;
        let mut loaded = components::load(&host.sandbox, vec![source], &Silent).await?;
        let Some(guest) = loaded.guests.remove(&name) else { continue };
        exports_all(&recorded, &name, &guest)?;
        sha256_now.clone_from(&guest.sha256);
        let run = Counterfactual { store: &*store, host, guest, hook: name, fallback: Inputs::default() };
        runs.push(run.over(recorded, pin.sha256).await?);
    }
    let totals = totals(&runs);
    Ok(Swapped { hook: swap.hook.clone(), sha256_now, runs, totals })
}

/// A component that does not run where the hook runs is refused rather than compared.
fn exports_all(recorded: &Recorded, hook: &str, guest: &Guest) -> Result<(), RuntimeError> {
    let start = recorded.records.iter().rev().find_map(|record| super::compare::start(&record.event));
    let all = start.iter().flat_map(|start| start.all_hooks());
    let mut points = all.filter(|it| it.hook == hook).map(|it| it.point);
    let Some(point) = points.find(|point| !guest.exports(*point)) else { return Ok(()) };
    let message = format!("the component does not export `{point}`, where `{hook}` runs");
    let hint = "give a component of the same kind; `inspect` shows what one exports";
    Err(RuntimeError::configuration("plugin.world_mismatch", message, hint))
}

/// The hook's name within the plugin, and the component that ran.
pub(super) fn hook_of(recorded: &Recorded, hook: &str) -> Result<(String, ComponentPin), RuntimeError> {
    let start = recorded.records.iter().rev().find_map(|record| super::compare::start(&record.event));
    let Some(start) = start else {
        let message = format!("the run {} has no beginning", recorded.run);
        return Err(RuntimeError::environment(
            "store.corrupt",
            message,
            "put a backup in its place with `teacher-assist restore FILE`",
        ));
    };
    let name = hook.strip_prefix(&format!("{}:", start.plugin)).unwrap_or(hook);
    match start.components.get(name).filter(|_| start.all_hooks().any(|it| it.hook == name)) {
        Some(pin) => Ok((name.to_owned(), pin.clone())),
        None => {
            let mut known: Vec<&str> = start.all_hooks().map(|it| it.hook.as_str()).collect();
            known.sort_unstable();
            known.dedup();
            let message = format!("the run {} has no hook `{hook}`", recorded.run);
            Err(RuntimeError::usage("hook.unknown", message, format!("its hooks are: {}", known.join(", "))))
        }
    }
}

struct Counterfactual<'a> {
    store: &'a dyn Store,
    host: &'a Host,
    guest: Arc<Guest>,
    hook: String,
    /// What any call of the run was told: another component may look at more than the one that ran.
    fallback: Inputs,
}

impl Counterfactual<'_> {
    async fn over(mut self, recorded: Recorded, sha256_then: String) -> Result<RunSwap, RuntimeError> {
        for record in &recorded.records {
            let report = match &record.event {
                Event::HookFinished(it) => &it.report,
                Event::ToolFinished(it) => &it.report,
                _ => continue,
            };
            // An answer of the person is for the call that asked.
            let told: Vec<Input> = report.inputs.iter().filter(|input| !is_answer(input)).cloned().collect();
            self.fallback.fill(&inputs::recorded(self.store, &told, Playback::ByImport).await?);
        }
        let Recorded { run, session, records, mut machine } = recorded;
        let mut calls = Vec::new();
        for record in &records {
            if let (Event::HookFinished(finished), Action::RunHook(call)) = (&record.event, machine.pending())
                && finished.hook == self.hook
                && call.hook == self.hook
            {
                calls.push(self.call(&machine, (**call).clone(), record, finished).await?);
            }
            machine.next(record);
        }
        Ok(RunSwap { run, session, sha256_then, calls })
    }

    async fn call(
        &self,
        machine: &Machine,
        call: HookCall,
        record: &Record,
        finished: &HookFinished,
    ) -> Result<CallSwap, RuntimeError> {
        let (now, findings) = self.say(machine, &call, finished).await?;
        let only = |these: &[Finding], those: &[Finding]| {
            these.iter().filter(|finding| !those.contains(finding)).cloned().collect::<Vec<_>>()
        };
        Ok(CallSwap {
            seq: record.seq,
            point: finished.point,
            turn: finished.context.turn,
            rework_round: finished.context.rework_round,
            then: said(&finished.verdict, finished.findings.len()),
            now,
            found_now_only: only(&findings, &finished.findings),
            found_then_only: only(&finished.findings, &findings),
        })
    }

    async fn say(
        &self,
        machine: &Machine,
        call: &HookCall,
        finished: &HookFinished,
    ) -> Result<(Said, Vec<Finding>), RuntimeError> {
        let mut inputs = inputs::recorded(self.store, &finished.report.inputs, Playback::ByImport).await?;
        inputs.fill(&self.fallback);
        let readers = Readers { memory: machine.remembers().then(Default::default), ..Readers::default() };
        // What the person said in this call, by the question's id: another component may word it otherwise.
        let earlier = call.earlier.iter().flat_map(|report| &report.inputs).filter(|input| is_answer(input)).count();
        let count = machine.ledger().questions.len().saturating_sub(earlier);
        let asked = machine.ledger().questions.get(count..).unwrap_or_default();
        loop {
            let invocation = Invocation {
                inputs: Some(Arc::new(inputs.clone())),
                callers: Some(call.callers.clone()),
                ..readers.invocation(machine, &self.guest, call.context.clone(), call.stamp, &call.hook)
            };
            let outcome = self.host.sandbox.call_hook(&self.guest, &call.input, invocation).await;
            let requested = match outcome.ended {
                Ended::Returned(response) => {
                    return Ok((said(&response.verdict, response.findings.len()), response.findings));
                }
                Ended::Failed(failure) => {
                    let verdict = Verdict::Failed { code: failure.code.to_owned(), reason: failure.reason };
                    return Ok((said(&verdict, 0), Vec::new()));
                }
                Ended::Requested(requested) => requested,
            };
            let import = requested.import();
            let answer = match &requested.request {
                Request::Ask { question } => asked.iter().find(|it| it.question.id == question.id),
                Request::Model(_) | Request::Tool { .. } => None,
            };
            let Some(answer) = answer else { return Ok((open(requested.request), Vec::new())) };
            inputs.sequence.push((import, serde_json::to_vec(&answer.outcome).unwrap_or_default()));
        }
    }
}

/// Whether it is what the person answered.
fn is_answer(input: &Input) -> bool {
    input.import.split_once(' ').is_some_and(|(import, _)| import == ASK)
}

/// A call that asks for what nobody was asked for then.
fn open(request: Request) -> Said {
    let (verdict, reason) = match request {
        Request::Ask { question } => ("asks", question.title),
        Request::Model(question) => ("asks", format!("a model: {}", line(&question.prompt, PROMPT_CHARS_MAX))),
        Request::Tool { name, .. } => ("calls", name),
    };
    Said { verdict: verdict.to_owned(), code: None, reason: Some(reason), findings: 0 }
}

fn said(verdict: &Verdict, findings: usize) -> Said {
    let (code, reason) = match verdict {
        Verdict::Abort { code, reason, .. } | Verdict::Failed { code, reason } => (Some(code), Some(reason)),
        Verdict::Refuse { reason } | Verdict::Rework { instruction: reason, .. } => (None, Some(reason)),
        Verdict::Pass | Verdict::Modify(_) => (None, None),
    };
    Said { verdict: verdict.name().to_owned(), code: code.cloned(), reason: reason.cloned(), findings }
}

fn totals(runs: &[RunSwap]) -> Totals {
    let mut totals = Totals { runs: runs.len(), ..Totals::default() };
    for call in runs.iter().flat_map(|run| &run.calls) {
        totals.calls += 1;
        totals.verdicts_changed += usize::from(call.then.verdict != call.now.verdict);
        totals.findings_changed += usize::from(!call.found_now_only.is_empty() || !call.found_then_only.is_empty());
        *totals.verdicts_then.entry(call.then.verdict.clone()).or_default() += 1;
        *totals.verdicts_now.entry(call.now.verdict.clone()).or_default() += 1;
        for (findings, counts) in
            [(&call.found_now_only, &mut totals.found_now_only), (&call.found_then_only, &mut totals.found_then_only)]
        {
            for finding in findings {
                *counts.entry(finding.class.clone()).or_default() += 1;
            }
        }
    }
    totals
}
