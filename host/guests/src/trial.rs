//! One call of a guest's component, in the real sandbox, with what its author declares.

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use ta_runtime::hook_run::{HookRequest, hook_run};
use ta_runtime::inputs::Told;
use ta_runtime::person::{AnswersFile, Nobody, Person};
use ta_runtime::surface::Point;
use ta_runtime::tool_run::{ToolRequest, tool_run};
use ta_runtime::tried::{Used, World};
use ta_runtime::{Host, RuntimeError};

use crate::outcome;
use crate::project::{Project, Role};

/// What a call finds around it, as `world.json` says it. Files of the workspace and of memory lie beside it, in directories.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Around {
    /// The time that it is told, in milliseconds since 1970-01-01 UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub now_ms: Option<u64>,
    /// The seed of its random bytes: 64 hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
    /// Configuration on top of what `guest.toml` says.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub config: BTreeMap<String, String>,
    /// What the person answers, as in a file of answers.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<Value>,
    /// What a model answers, in this order.
    #[serde(skip_serializing_if = "VecDeque::is_empty")]
    pub model: VecDeque<String>,
    /// What other tools answer, by name, each in this order.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub tools: BTreeMap<String, VecDeque<String>>,
    /// What it was told in the run that the case was cut from. Then it is told nothing else.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub told: Option<Told>,
}

/// A call to be made.
#[derive(Debug, Clone, Default)]
pub struct Call {
    /// The event of a hook, or `{tool, arguments}`.
    pub event: Value,
    /// What stands around it.
    pub around: Around,
    /// Files of the workspace, where there are any.
    pub workspace: Option<PathBuf>,
    /// Memory files by their paths, where there are any.
    pub memory: Option<BTreeMap<String, String>>,
}

/// What came of a call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Done {
    /// What it came to: verdict, findings, logs, or what the tool answered.
    pub outcome: Value,
    /// Wall time in microseconds.
    pub elapsed_us: u64,
    /// CPU time that it may take, in milliseconds.
    pub cpu_ms_max: u64,
    /// Fuel consumed, about one unit per instruction.
    pub fuel: u64,
    /// Fuel that it may consume.
    pub fuel_max: u64,
    /// Linear memory at the end, in bytes.
    pub memory_bytes: u64,
    /// Linear memory that it may have, in bytes.
    pub memory_bytes_max: u64,
}

impl Done {
    fn new(outcome: Value, elapsed_us: u64, fuel: u64, used: Used) -> Self {
        let Used { memory_bytes, memory_bytes_max, fuel_max, cpu_ms_max } = used;
        Self { outcome, elapsed_us, cpu_ms_max, fuel, fuel_max, memory_bytes, memory_bytes_max }
    }
}

/// Makes a call of the guest's component.
///
/// # Errors
/// An event that does not fit, a world that makes no sense, a component that is refused.
pub async fn call(host: &Host, project: &Project, component: &Path, call: &Call) -> Result<Done, RuntimeError> {
    if !component.is_file() {
        let message = format!("there is no component {}", component.display());
        return Err(RuntimeError::usage("guest.not_built", message, "build it: teacher-assist guest build"));
    }
    let person = person(&call.around.answers)?;
    let world = world(call)?;
    let (component, declared) = (component.to_string_lossy().into_owned(), Some(project.entry.clone()));
    let (workspace, config) = (call.workspace.clone(), call.around.config.clone());
    match project.role {
        Role::Hook => {
            let point = point(project, &call.event)?;
            let (event, grants) = (call.event.clone(), Vec::new());
            let request = HookRequest { component, point, event, workspace, config, grants, declared, world };
            let report = hook_run(host, &request, &*person).await?;
            Ok(Done::new(outcome::of_hook(&report), report.elapsed_us, report.fuel, report.used))
        }
        Role::Tool => {
            let tool = call.event.get("tool").and_then(Value::as_str).map(ToOwned::to_owned);
            let arguments = call.event.get("arguments").cloned().unwrap_or_else(|| json!({}));
            let (grants, apply) = (Vec::new(), false);
            let request = ToolRequest { component, tool, arguments, workspace, grants, apply, config, declared, world };
            let report = tool_run(host, &request, &*person).await?;
            Ok(Done::new(outcome::of_tool(&report), report.elapsed_us, report.fuel, report.used))
        }
    }
}

fn person(answers: &[Value]) -> Result<Box<dyn Person>, RuntimeError> {
    if answers.is_empty() {
        return Ok(Box::new(Nobody));
    }
    let text = json!({ "answers": answers }).to_string();
    let wrong = |why: String| {
        let message = format!("the answers cannot be used: {why}");
        RuntimeError::usage("answers.invalid", message, "docs/cli.md shows the form of answers")
    };
    Ok(Box::new(AnswersFile::parse(&text).map_err(wrong)?))
}

fn world(call: &Call) -> Result<World, RuntimeError> {
    let around = &call.around;
    let unfit =
        || RuntimeError::usage("world.invalid", "`seed` has 64 hexadecimal digits", "mend world.json, or leave it out");
    let seed = match &around.seed {
        Some(text) => hex::decode(text).ok().and_then(|bytes| bytes.try_into().ok()).ok_or_else(unfit)?,
        None => [0; 32],
    };
    Ok(World {
        now_ms: around.now_ms,
        seed,
        memory: call.memory.clone(),
        model: around.model.clone(),
        tools: around.tools.clone(),
        told: around.told.clone().map(Told::into_inputs),
    })
}

/// The point of an event: the one that it names, or the only one of the guest.
fn point(project: &Project, event: &Value) -> Result<Point, RuntimeError> {
    let points = &project.entry.points;
    let several = || {
        let names: Vec<&str> = points.iter().map(|point| point.name()).collect();
        let message = "the event does not say at which point it is";
        RuntimeError::usage("event.invalid", message, format!("add \"point\", one of: {}", names.join(", ")))
    };
    match event.get("point").and_then(Value::as_str) {
        Some(name) => name.parse().map_err(|why: String| RuntimeError::usage("event.invalid", why, "mend `point`")),
        None => match points.as_slice() {
            [only] => Ok(*only),
            _ => Err(several()),
        },
    }
}
