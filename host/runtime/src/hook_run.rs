//! One component on one event: how a guest's author tries it, and how its behaviour is tested.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Value, json};
use ta_core::Point;
use ta_core::files::Files;
use ta_core::hook::{CallContext, Change, Finding, HookInput, Observation, Verdict};
use ta_core::kind::Kind;
use ta_core::machine::Ask;
use ta_core::parts;
use ta_core::question::{Answer, Outcome, Question, QuestionKind};
use ta_core::request::{ModelReply, NoAnswer, Request};
use ta_sandbox::{CallOutcome, Ended, Guest, HookResponse, Inputs, Invocation, Limits, Rights, Workspace};

use crate::components::{self, Source, component_file};
use crate::error::RuntimeError;
use crate::host::{Host, now_ms};
use crate::person::{Person, Reply, next_item};
use crate::{plugin, subject};

/// What a component on disk is granted when somebody runs it by hand: what harms nobody. Files come with
/// `--workspace`, everything else with `--grant`.
const LOOSE_GRANTS: [&str; 5] = ["log", "ask", "config", "clock", "random"];

/// Code of a call that needs another tool, where there is none.
pub(crate) const NO_TOOLS: &str = "tools.unavailable";

/// Why a component that is run by hand comes to no end.
pub(crate) fn not_alone(tool: &str) -> String {
    format!("it calls the tool `{tool}`, and no other component runs here")
}

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
    };
    let workspace = tried.open_workspace(host)?;
    let kinds = tried.kinds(host)?;
    let (input, context) = event(request, workspace.as_deref(), &kinds)?;
    let guest = tried.load(host, workspace.is_some()).await?;
    // A call that is run again after an answer is told the same time.
    let now_ms = now_ms();
    if !guest.exports(request.point) {
        let points: Vec<&str> = guest.inspection.points.iter().map(|point| point.name()).collect();
        let message = format!("{} does not export `{}`", guest.name, request.point);
        let hint = format!("it exports: {}", if points.is_empty() { "no point".to_owned() } else { points.join(", ") });
        return Err(RuntimeError::configuration("plugin.world_mismatch", message, hint));
    }
    let mut told = None;
    loop {
        let invocation = Invocation {
            workspace: workspace.clone(),
            inputs: told.take(),
            now_ms,
            ..Invocation::new(context.clone(), Arc::clone(&guest.rights), guest.limits)
        };
        let outcome = host.sandbox.call_hook(&guest, &input, invocation).await;
        match reply(person, &outcome).await {
            Some((import, json)) => told = Some(Arc::new(Inputs::answered(outcome, import, json))),
            None => return Ok(report(&guest, outcome)),
        }
    }
}

/// The answer to what a call asks for: a person's, or that no model can be asked; none where nobody answers. The import and
/// the answer as JSON.
pub(crate) async fn reply<T>(person: &dyn Person, outcome: &CallOutcome<T>) -> Option<(String, Vec<u8>)> {
    let Ended::Requested(requested) = &outcome.ended else { return None };
    let json = match &requested.request {
        Request::Ask { question } => serde_json::to_vec(&answer(person, question).await?),
        Request::Model(_) => {
            let why = "nobody can be asked in this run".to_owned();
            serde_json::to_vec(&ModelReply::Err(NoAnswer::Unavailable(why)))
        }
        Request::Tool { .. } => return None,
    };
    Some((requested.import(), json.unwrap_or_default()))
}

/// A component that somebody tries by hand.
pub(crate) struct Tried<'a> {
    pub(crate) component: &'a str,
    pub(crate) workspace: Option<&'a std::path::Path>,
    pub(crate) config: &'a BTreeMap<String, String>,
    pub(crate) grants: &'a [String],
    /// Whether it is to be a tool.
    pub(crate) tool: bool,
}

impl Tried<'_> {
    pub(crate) async fn load(&self, host: &Host, files: bool) -> Result<Guest, RuntimeError> {
        let mut source = match self.named() {
            Some((plugin, name)) => self.named_source(host, plugin, name)?,
            None => self.loose_source(files)?,
        };
        source.rights.config.extend(self.config.clone());
        let extra = Rights::from_words(self.grants, BTreeMap::new());
        source.rights.capabilities.extend(extra.capabilities);
        source.rights.directories.extend(extra.directories);
        source.rights.withheld.extend(extra.withheld);
        let Source { full_name, bytes, pinned, rights, limits, .. } = source;
        Ok(host.sandbox.load(&full_name, &bytes, pinned.as_deref(), rights, limits).await?)
    }

    /// `plugin:component`, unless there is a file of that name.
    fn named(&self) -> Option<(&str, &str)> {
        let named = self.component.split_once(':')?;
        (!std::path::Path::new(self.component).exists()).then_some(named)
    }

    fn named_source(&self, host: &Host, plugin: &str, name: &str) -> Result<Source, RuntimeError> {
        let plugin = plugin::named(host.config.plugins.as_deref(), plugin)?;
        let (what, entries) = match self.tool {
            true => ("tool", &plugin.manifest.tools),
            false => ("hook", &plugin.manifest.hooks),
        };
        // What people call is tried like what models call.
        let actions = plugin.manifest.actions.iter().filter(|_| self.tool);
        let known: std::collections::BTreeMap<_, _> = entries.iter().chain(actions).collect();
        let Some(entry) = known.get(&name.to_owned()) else {
            let known: Vec<&str> = known.keys().map(|name| name.as_str()).collect();
            let message = format!("the plugin `{}` has no {what} `{name}`", plugin.manifest.name);
            let hint = format!("its {what}s are: {}", known.join(", "));
            return Err(RuntimeError::configuration(&format!("{what}.unknown"), message, hint));
        };
        components::source(&plugin, name, entry, None, &host.grants()?)
    }

    /// What runs of the component's plugin can be about; of one that belongs to none, what runs of any plugin can be about.
    fn kinds(&self, host: &Host) -> Result<subject::Kinds, RuntimeError> {
        let directory = host.config.plugins.as_deref();
        match self.named() {
            Some((plugin, _)) => Ok(plugin::named(directory, plugin)?.manifest.subjects),
            None => Ok(subject::of_all(&plugin::all(directory, &mut Vec::new())?)),
        }
    }

    fn loose_source(&self, files: bool) -> Result<Source, RuntimeError> {
        let path = PathBuf::from(self.component);
        let bytes = component_file(&path)?;
        let mut words: Vec<String> = LOOSE_GRANTS.iter().map(|word| (*word).to_owned()).collect();
        if files {
            words.extend(["workspace".to_owned(), "workspace:.=read".to_owned()]);
        }
        let name =
            path.file_stem().map_or_else(|| self.component.to_owned(), |stem| stem.to_string_lossy().into_owned());
        let kind = if self.tool { Kind::Tool } else { Kind::Guardrail };
        Ok(Source {
            name: name.clone(),
            full_name: name,
            bytes: bytes.into(),
            pinned: None,
            rights: Rights::from_words(&words, BTreeMap::new()),
            limits: Limits::of(kind),
            asks: words,
            kind,
        })
    }

    pub(crate) fn open_workspace(&self, host: &Host) -> Result<Option<Arc<dyn Files>>, RuntimeError> {
        match self.workspace {
            Some(directory) if !directory.is_dir() => {
                let message = format!("there is no workspace at {}", directory.display());
                Err(RuntimeError::configuration("workspace.missing", message, "give a directory with --workspace"))
            }
            Some(directory) => Ok(Some(Arc::new(Workspace::open(directory)?))),
            None if self.named().is_some() && host.config.workspace.is_dir() => host.workspace().map(Some),
            None => Ok(None),
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

/// The person's answer; none where there is nobody.
async fn answer(person: &dyn Person, question: &Question) -> Option<Outcome> {
    let (request, by, hash, decided) = (String::new(), String::new(), question.hash(), Vec::new());
    let mut ask = Ask { request, by, question: question.clone(), hash, decided, time: 1 };
    loop {
        if matches!(ask.question.kind, QuestionKind::Items { .. }) && next_item(&ask).is_none() {
            return Some(Outcome::Answered(Answer::Items(ask.decided)));
        }
        match person.ask(&ask).await {
            Reply::Later => return None,
            Reply::Outcome(outcome) => return Some(outcome),
            Reply::Decided(decision) => ask.decided.push(decision),
        }
    }
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
