//! `guest record`: cases cut from a real run, without what says whose run it was.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;
use ta_runtime::replay::cut::{CutCall, cut};
use ta_runtime::surface::{ComponentEntry, ComponentPin, OnFailure};
use ta_runtime::{Host, RuntimeError};

use crate::Language;
use crate::cases::{EVENT, WORLD, write_expected};
use crate::files;
use crate::project::{Project, Role};
use crate::scrub::Scrub;
use crate::trial::{self, Around, Call};

/// A case that was cut.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Recorded {
    /// Its directory.
    pub directory: PathBuf,
    /// Number of the run's record that it was cut from.
    pub seq: u64,
    /// The verdict in the run.
    pub verdict: String,
    /// Whether the component that ran comes to that verdict with the case as well. What was scrubbed may change it.
    pub same: bool,
    /// Places that were scrubbed.
    pub scrubbed: usize,
}

/// Cuts a case from each call of a hook in a run.
///
/// # Errors
/// No such run or hook; no call of it; a directory that is there already.
pub async fn record(
    host: &Host,
    run: &str,
    hook: &str,
    into: &Path,
    words: &[String],
) -> Result<Vec<Recorded>, RuntimeError> {
    let cut = cut(host, run, hook).await?;
    if cut.calls.is_empty() {
        let message = format!("the run has no finished call of `{}`", cut.hook);
        return Err(RuntimeError::usage("hook.unknown", message, "--trace RUN shows which hooks ran"));
    }
    let scrub = Scrub::new(words)?;
    // What ran then says what is expected of a case: what was scrubbed is no longer what it was told.
    let fresh = into.join(format!(".{}.{}.wasm", cut.hook, std::process::id()));
    files::write(&fresh, &cut.bytes)?;
    let mut all = Vec::new();
    let mut done = Ok(());
    for call in &cut.calls {
        match one(host, &cut.hook, &cut.pin, call, &fresh, into, &scrub).await {
            Ok(recorded) => all.push(recorded),
            Err(error) => {
                done = Err(error);
                break;
            }
        }
    }
    let _ = std::fs::remove_file(&fresh);
    done.map(|()| all)
}

async fn one(
    host: &Host,
    hook: &str,
    pin: &ComponentPin,
    cut: &CutCall,
    component: &Path,
    into: &Path,
    scrub: &Scrub,
) -> Result<Recorded, RuntimeError> {
    let directory = into.join(format!("{hook}-{}", cut.seq));
    if directory.exists() {
        let message = format!("{} exists already", directory.display());
        return Err(RuntimeError::usage(
            "case.exists",
            message,
            "give another directory with --into, or remove the case",
        ));
    }
    let around = Around {
        now_ms: Some(cut.now_ms),
        seed: Some(hex::encode(cut.seed)),
        config: pin.config.clone(),
        told: Some(cut.told.clone()),
        ..Around::default()
    };
    let unfit = |error: serde_json::Error| {
        RuntimeError::environment("case.json", error.to_string(), "tell the makers of the hook")
    };
    let mut scrubbed = 0;
    let event = scrub.value(cut.event.clone(), &mut scrubbed);
    let around = scrub.value(serde_json::to_value(&around).map_err(unfit)?, &mut scrubbed);
    let call =
        Call { event, around: serde_json::from_value(around.clone()).map_err(unfit)?, workspace: None, memory: None };
    let project = as_it_was(hook, pin);
    let done = trial::call(host, &project, component, &call).await?;
    put(&directory.join(EVENT), &call.event)?;
    put(&directory.join(WORLD), &around)?;
    write_expected(&directory, &done.outcome)?;
    let now = done.outcome.get("verdict").and_then(Value::as_str).unwrap_or_default();
    // A refusal of a call is one of the ways to change it.
    let same = now == cut.verdict || (cut.verdict == "refuse" && now == "modify");
    Ok(Recorded { directory, seq: cut.seq, verdict: cut.verdict.clone(), same, scrubbed })
}

fn put(path: &Path, value: &Value) -> Result<(), RuntimeError> {
    files::write(path, format!("{value:#}\n").as_bytes())
}

/// The guest as the run pinned it.
fn as_it_was(hook: &str, pin: &ComponentPin) -> Project {
    let (mut capabilities, mut directories, mut calls) = (Vec::new(), BTreeMap::new(), Vec::new());
    for word in &pin.granted {
        let directory = word.strip_prefix("workspace:").and_then(|rest| rest.rsplit_once('='));
        match (directory, word.strip_prefix("calls:")) {
            (Some((name, access)), _) => drop(directories.insert(name.to_owned(), access.to_owned())),
            (None, Some(tool)) => calls.push(tool.to_owned()),
            (None, None) => capabilities.push(word.clone()),
        }
    }
    let number = |value: u64| u32::try_from(value).unwrap_or(u32::MAX);
    let mut limits = BTreeMap::from([
        ("fuel-millions".to_owned(), number(pin.fuel / 1_000_000)),
        ("cpu-ms".to_owned(), number(pin.cpu_ms)),
        ("memory-mib".to_owned(), number(pin.memory_bytes / (1024 * 1024))),
    ]);
    limits.extend(pin.model_calls.map(|calls| ("model-calls".to_owned(), calls)));
    let entry = ComponentEntry {
        component: String::new(),
        sha256: pin.sha256.clone(),
        points: Vec::new(),
        kind: pin.kind,
        on_failure: OnFailure::Abort,
        capabilities,
        optional: Vec::new(),
        calls,
        calls_line: None,
        directories,
        config: pin.config.clone(),
        limits,
        line: None,
    };
    let directory = PathBuf::from(".");
    let table = toml_edit::Table::new();
    Project { directory, name: hook.to_owned(), language: Language::Rust, role: Role::Hook, entry, table }
}
