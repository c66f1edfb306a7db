//! One component on one event: how a guest's author tries it, and how its behaviour is tested.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;
use serde_json::{Value, json};
use ta_core::Point;
use ta_core::files::Files;
use ta_core::hook::{CallContext, Change, Finding, HookInput, Observation, Verdict};
use ta_core::manifest::ComponentEntry;
use ta_core::parts;
use ta_core::question::Question;
use ta_core::request::Request;
use ta_sandbox::{CallOutcome, Ended, Guest, HookResponse};

use crate::error::RuntimeError;
use crate::host::Host;
use crate::person::Person;
use crate::subject;
use crate::tried::{NO_TOOLS, Trial, Tried, Used, World, not_alone};

/// What is to be run.
#[derive(Debug, Clone)]
pub struct HookRequest {
    /// A file, or `plugin:hook`.
    pub component: String,
    /// The point.
    pub point: Point,
    /// The event: the fields of the point, and of the context.
    pub event: Value,
    /// The workspace, where it is given.
    pub workspace: Option<PathBuf>,
    /// Configuration on top of the manifest's.
    pub config: BTreeMap<String, String>,
    /// Rights on top of those that a component on disk has.
    pub grants: Vec<String>,
    /// What the author of a component on disk declares of it, in the place of what such a component has.
    pub declared: Option<ComponentEntry>,
    /// What it finds around it.
    pub world: World,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct HookReport {
    /// `pass`, `modify`, `rework`, `abort`, `parked` or `failed`.
    pub verdict: &'static str,
    /// A stable word: why it aborted or failed; `refuse` for a tool call that it refuses.
    pub code: Option<String>,
    /// The reason, or the instruction of a rework.
    pub reason: Option<String>,
    /// Its sentences for the trace.
    pub notes: Vec<String>,
    /// What it found.
    pub findings: Vec<Finding>,
    /// What it observed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub observations: Vec<Observation>,
    /// Whether it says no to what was asked, and reports no fault.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub declined: bool,
    /// Wall time of the call in microseconds.
    pub elapsed_us: u64,
    /// Fuel consumed.
    pub fuel: u64,
    /// SHA-256 of the component.
    pub sha256: String,
    /// What it changes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub change: Option<Change>,
    /// What it asks, where it waits for the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<Question>,
    /// What it logged.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub logs: Vec<String>,
    /// What it used beside its limits.
    #[serde(skip)]
    pub used: Used,
}

/// Runs one component on one event.
///
/// # Errors
/// Where the component is refused or the event does not fit the point.
pub async fn hook_run(host: &Host, request: &HookRequest, person: &dyn Person) -> Result<HookReport, RuntimeError> {
    let tried = Tried {
        component: &request.component,
        workspace: request.workspace.as_deref(),
        config: &request.config,
        grants: &request.grants,
        tool: false,
        declared: request.declared.as_ref(),
    };
    let workspace = tried.open_workspace(host)?;
    let kinds = tried.kinds(host)?;
    let (input, context) = event(request, workspace.as_deref(), &kinds)?;
    let guest = tried.load(host, workspace.is_some()).await?;
    if !guest.exports(request.point) {
        let points: Vec<&str> = guest.inspection.points.iter().map(|point| point.name()).collect();
        let message = format!("{} does not export `{}`", guest.name, request.point);
        let hint = format!("it exports: {}", if points.is_empty() { "no point".to_owned() } else { points.join(", ") });
        return Err(RuntimeError::configuration("plugin.world_mismatch", message, hint));
    }
    let mut trial = Trial::new(&request.world, workspace, person)?;
    loop {
        let outcome = host.sandbox.call_hook(&guest, &input, trial.invocation(&guest, context.clone())).await;
        if let Err(outcome) = trial.answered(outcome).await {
            return Ok(report(&guest, outcome));
        }
    }
}

/// The event and the context, from one object that holds the fields of both.
fn event(
    request: &HookRequest,
    workspace: Option<&dyn Files>,
    kinds: &subject::Kinds,
) -> Result<(HookInput, CallContext), RuntimeError> {
    let unfit = |why: String| {
        let hint = format!("an event of `{}` is a JSON object; the reference lists its fields", request.point);
        RuntimeError::usage("event.invalid", format!("the event does not fit `{}`: {why}", request.point), hint)
    };
    let Some(fields) = request.event.as_object() else { return Err(unfit("it is no object".to_owned())) };
    let mut fields = fields.clone();
    fields.insert("point".to_owned(), json!(request.point));
    if request.point == Point::PreLoop && !fields.contains_key("subjects") {
        let subjects = workspace.map(|workspace| subject::all(workspace, kinds)).transpose()?.unwrap_or_default();
        fields.insert("subjects".to_owned(), json!(subjects));
    }
    if request.point == Point::PostLoop
        && !fields.contains_key("parts")
        && let Some(output) = fields.get("output").and_then(Value::as_str)
    {
        fields.insert("parts".to_owned(), json!(parts::read(output)));
    }
    let input: HookInput =
        serde_json::from_value(Value::Object(fields.clone())).map_err(|error| unfit(error.to_string()))?;
    let subject = fields.get("subject").filter(|subject| !subject.is_null());
    let subject = subject.map(|subject| serde_json::from_value(subject.clone())).transpose();
    let subject = subject.map_err(|error| unfit(format!("subject: {error}")))?;
    let text = |name: &str| fields.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
    let number = |name: &str| fields.get(name).and_then(Value::as_u64).and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
    let context = CallContext {
        run: text("run"),
        session: text("session"),
        plugin: text("plugin"),
        command: text("command"),
        agent: text("agent"),
        subject,
        input: text("input"),
        turn: number("turn"),
        rework_round: number("rework_round"),
        extra: Vec::new(),
    };
    Ok((input, context))
}

fn report(guest: &Guest, outcome: CallOutcome<HookResponse>) -> HookReport {
    let mut report = HookReport {
        verdict: "failed",
        code: None,
        reason: None,
        notes: Vec::new(),
        findings: Vec::new(),
        observations: Vec::new(),
        declined: false,
        elapsed_us: outcome.report.elapsed_us,
        fuel: outcome.report.fuel,
        sha256: guest.sha256.clone(),
        change: None,
        question: None,
        used: Used::of(guest.limits, &outcome),
        logs: outcome.report.logs,
    };
    match outcome.ended {
        Ended::Requested(requested) => match requested.request {
            Request::Ask { question } => {
                report.verdict = "parked";
                report.reason = Some(question.title.clone());
                report.question = Some(question);
            }
            Request::Model(_) => report.verdict = "parked",
            Request::Tool { name, .. } => {
                report.code = Some(NO_TOOLS.to_owned());
                report.reason = Some(not_alone(&name));
            }
        },
        Ended::Failed(failure) => {
            report.code = Some(failure.code.to_owned());
            report.reason = Some(failure.reason);
        }
        Ended::Returned(response) => {
            report.notes = response.notes;
            report.findings = response.findings;
            report.observations = response.observations;
            report.declined = matches!(response.verdict, Verdict::Abort { declined: true, .. });
            (report.verdict, report.code, report.reason, report.change) = verdict(response.verdict);
        }
    }
    report
}

type Said = (&'static str, Option<String>, Option<String>, Option<Change>);

fn verdict(verdict: Verdict) -> Said {
    match verdict {
        Verdict::Pass => ("pass", None, None, None),
        Verdict::Modify(change) => ("modify", None, None, Some(change)),
        Verdict::Refuse { reason } => ("modify", Some("refuse".to_owned()), Some(reason), None),
        Verdict::Rework { instruction, .. } => ("rework", None, Some(instruction), None),
        Verdict::Abort { code, reason, .. } => ("abort", Some(code), Some(reason), None),
        Verdict::Failed { code, reason } => ("failed", Some(code), Some(reason), None),
    }
}
