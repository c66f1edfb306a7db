//! One call of a tool: how a guest's author tries it, and how its behaviour is tested.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;
use serde_json::{Value, json};
use ta_core::files::{Applied, Files};
use ta_core::hook::CallContext;
use ta_core::manifest::ComponentEntry;
use ta_core::message::ToolCall;
use ta_core::question::Question;
use ta_core::request::Request;
use ta_sandbox::{CallOutcome, Ended, Guest, StagedWrite, ToolFailure};

use crate::error::RuntimeError;
use crate::host::Host;
use crate::person::Person;
use crate::tried::{NO_TOOLS, Trial, Tried, Used, World, not_alone};

/// What is to be run.
#[derive(Debug, Clone)]
pub struct ToolRequest {
    /// A file, or `plugin:component`.
    pub component: String,
    /// The tool, where the component offers several.
    pub tool: Option<String>,
    /// Its arguments: a JSON object.
    pub arguments: Value,
    /// The workspace, where it is given.
    pub workspace: Option<PathBuf>,
    /// Rights on top of those that the component has.
    pub grants: Vec<String>,
    /// Whether what it writes is put in place.
    pub apply: bool,
    /// Configuration on top of the manifest's.
    pub config: BTreeMap<String, String>,
    /// What the author of a component on disk declares of it, in the place of what such a component has.
    pub declared: Option<ComponentEntry>,
    /// What it finds around it.
    pub world: World,
}

/// Why the tool failed, in its own words or the host's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ToolError {
    /// A stable word.
    pub code: String,
    /// What went wrong.
    pub message: String,
}

/// A file that the tool writes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ToolWrite {
    /// Path below the workspace.
    pub path: String,
    /// SHA-256 of the file before; none where there was none.
    pub before: Option<String>,
    /// SHA-256 of what it will hold.
    pub after: String,
    /// What it will hold.
    pub text: String,
    /// Whether it was put in place.
    pub applied: bool,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ToolReport {
    /// The tool.
    pub tool: String,
    /// What a model would read; none where it failed or asks.
    pub result: Option<String>,
    /// The result as JSON, where it is JSON.
    pub json: Option<Value>,
    /// Why it failed.
    pub error: Option<ToolError>,
    /// What it asks, where it waits for the person.
    pub question: Option<Question>,
    /// What it logged.
    pub notes: Vec<String>,
    /// What it writes.
    pub writes: Vec<ToolWrite>,
    /// Wall time of the call in microseconds.
    pub elapsed_us: u64,
    /// Fuel consumed.
    pub fuel: u64,
    /// SHA-256 of the component.
    pub sha256: String,
    /// What it used beside its limits.
    #[serde(skip)]
    pub used: Used,
}

/// Calls a tool once.
///
/// # Errors
/// Where the component is refused, has no such tool, or the arguments are no object.
pub async fn tool_run(host: &Host, request: &ToolRequest, person: &dyn Person) -> Result<ToolReport, RuntimeError> {
    if !request.arguments.is_object() {
        let hint = "give a JSON object with --arguments, or a file that holds one as --arguments @FILE";
        return Err(RuntimeError::usage("arguments.invalid", "the arguments are no JSON object", hint));
    }
    let tried = Tried {
        component: &request.component,
        workspace: request.workspace.as_deref(),
        config: &request.config,
        grants: &request.grants,
        tool: true,
        declared: request.declared.as_ref(),
    };
    let workspace = tried.open_workspace(host)?;
    let guest = tried.load(host, workspace.is_some()).await?;
    let tool = tool_of(&guest, request.tool.as_deref())?;
    let arguments = request.arguments.to_string();
    let call = ToolCall { id: "1".to_owned(), name: tool.clone(), arguments };
    let mut trial = Trial::new(&request.world, workspace.clone(), person)?;
    loop {
        let invocation = trial.invocation(&guest, CallContext::default());
        let outcome = host.sandbox.call_tool(&guest, &call, invocation).await;
        let Err(outcome) = trial.answered(outcome).await else { continue };
        let mut report = report(&guest, tool, &outcome);
        for write in outcome.writes {
            let applied = request.apply && apply(workspace.as_deref(), &write)?;
            let StagedWrite { path, before, after, text } = write;
            report.writes.push(ToolWrite { path, before, after, text, applied });
        }
        return Ok(report);
    }
}

/// The tool that is meant: the one that is named, or the only one.
fn tool_of(guest: &Guest, name: Option<&str>) -> Result<String, RuntimeError> {
    let known: Vec<&str> = guest.tools.iter().map(|tool| tool.name.as_str()).collect();
    match (name, known.as_slice()) {
        (Some(name), known) if known.contains(&name) => Ok(name.to_owned()),
        (None, [only]) => Ok((*only).to_owned()),
        (_, []) => {
            let message = format!("{} offers no tool", guest.name);
            Err(RuntimeError::configuration("plugin.world_mismatch", message, "`hook run` tries hooks"))
        }
        (Some(name), _) => {
            let message = format!("{} offers no tool `{name}`", guest.name);
            Err(RuntimeError::usage("tool.unknown", message, format!("it offers: {}", known.join(", "))))
        }
        (None, _) => {
            let message = format!("{} offers several tools", guest.name);
            Err(RuntimeError::usage("tool.unknown", message, format!("name one with --tool: {}", known.join(", "))))
        }
    }
}

fn apply(workspace: Option<&dyn Files>, write: &StagedWrite) -> Result<bool, RuntimeError> {
    let Some(workspace) = workspace else { return Ok(false) };
    let applied = workspace.apply(&write.path, write.before.as_deref(), write.text.as_bytes())?;
    Ok(matches!(applied, Applied::Written | Applied::AlreadyThere))
}

fn report(guest: &Guest, tool: String, outcome: &CallOutcome<Result<String, ToolFailure>>) -> ToolReport {
    let (mut result, mut error, mut question) = (None, None, None);
    match &outcome.ended {
        Ended::Returned(Ok(text)) => result = Some(text.clone()),
        Ended::Returned(Err(failure)) => {
            error = Some(ToolError { code: failure.code.clone(), message: failure.message.clone() });
        }
        Ended::Failed(failure) => {
            error = Some(ToolError { code: failure.code.to_owned(), message: failure.reason.clone() });
        }
        Ended::Requested(requested) => match &requested.request {
            Request::Ask { question: asked } => question = Some(asked.clone()),
            Request::Model(_) => {}
            Request::Tool { name, .. } => {
                error = Some(ToolError { code: NO_TOOLS.to_owned(), message: not_alone(name) });
            }
        },
    }
    ToolReport {
        tool,
        json: result.as_deref().and_then(|text| serde_json::from_str(text).ok()),
        result,
        error,
        question,
        notes: outcome.report.logs.clone(),
        writes: Vec::new(),
        elapsed_us: outcome.report.elapsed_us,
        fuel: outcome.report.fuel,
        sha256: guest.sha256.clone(),
        used: Used::of(guest.limits, outcome),
    }
}

impl ToolReport {
    /// A component that was refused, for programs: the tool failed, and why.
    #[must_use]
    pub fn refused(error: &RuntimeError) -> Value {
        json!({ "tool": null, "result": null, "json": null, "error": { "code": error.code, "message": error.message },
            "question": null, "notes": [], "writes": [], "elapsed_us": 0, "fuel": 0, "sha256": "" })
    }
}
