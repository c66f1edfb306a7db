//! A study as data for others: tables, a list of events, a codebook, and scripts that read them.
//!
//! No path, no name of a user or a machine, and nothing of whoever has withdrawn stands in any file.

mod blind;
mod rows;
pub mod tables;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;
use ta_runtime::surface::{Event, Record, Store, StudyRecorded, StudyStep, digest};
use ta_runtime::{Host, RuntimeError, history};

use crate::definition::StudyFiles;
use crate::study::{Standing, begun, decide, decide_with, session_of, session_of_participant};
use blind::Key;
use rows::{Material, Tables, event};
use tables::{codebook, csv};

/// The script that prints the descriptive tables, in R.
const SCRIPT_R: &str = include_str!("analyse.R");
/// The same in Python, which needs nothing but Python itself.
const SCRIPT_PYTHON: &str = include_str!("analyse.py");

/// How a study is exported.
#[derive(Debug, Clone)]
pub struct ExportRequest {
    /// A directory that does not exist yet.
    pub to: PathBuf,
    /// Whether participants and conditions become codes, and times are shifted.
    pub blinded: bool,
    /// Whether the words that participants wrote are in it; never where it is blinded.
    pub texts: bool,
}

/// What was exported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Exported {
    /// Names of the files with their digests.
    pub files: BTreeMap<String, String>,
    /// What the export is known by: the digest over these.
    pub sha256: String,
    /// Participants in it.
    pub participants: usize,
    /// Runs and tasks in it.
    pub runs: usize,
    /// Whether it is blinded.
    pub blinded: bool,
}

/// Exports a study, as it stands now: also while sessions run.
///
/// # Errors
/// `study.not_started`, `export.exists`, `export.unwritten`; nothing is left of the export then.
pub async fn export(host: &Host, files: &StudyFiles, request: &ExportRequest) -> Result<Exported, RuntimeError> {
    if request.to.exists() {
        let message = format!("{} is there already", request.to.display());
        return Err(RuntimeError::usage("export.exists", message, "give a directory that does not exist with --out"));
    }
    let store = host.store()?;
    let (standing, _, study) = begun(&*store, files).await?;
    let mut all = Vec::new();
    for (participant, state) in &standing.participants {
        if state.gone == Some("withdrawn") || state.assigned.is_none() {
            continue;
        }
        let mut material = material(&*store, &study.name, participant).await?;
        (material.finished, material.dropped_out) = (state.finished, state.gone.is_some());
        all.push(material);
    }
    let conditions: Vec<String> = study.conditions.keys().cloned().collect();
    let key = if request.blinded { Some(Key::draw(&all, &conditions)?) } else { None };
    if let Some(key) = &key {
        key.blind(&mut all);
    }
    let texts = request.texts && !request.blinded;
    let mut tables = Tables::default();
    all.iter().for_each(|material| tables.add(material, texts));
    let contents = contents(&tables, &all);
    let names: BTreeMap<String, String> =
        contents.iter().map(|(name, text)| ((*name).to_owned(), digest(text.as_bytes()))).collect();
    let sha256 = digest(names.values().cloned().collect::<String>().as_bytes());
    write(&request.to, &contents)?;
    record(&*store, &study.name, (&sha256, request.blinded), key).await.inspect_err(|_| {
        let _ = std::fs::remove_dir_all(&request.to);
    })?;
    let (participants, runs) = (tables.participants.len(), tables.runs.len());
    Ok(Exported { files: names, sha256, participants, runs, blinded: request.blinded })
}

fn contents(tables: &Tables, all: &[Material]) -> Vec<(&'static str, String)> {
    vec![
        ("participants.csv", csv(&tables.participants)),
        ("runs.csv", csv(&tables.runs)),
        ("sections.csv", csv(&tables.sections)),
        ("decisions.csv", csv(&tables.decisions)),
        ("answers.csv", csv(&tables.answers)),
        ("events.jsonl", events(all)),
        ("codebook.md", codebook()),
        ("analyse.R", SCRIPT_R.to_owned()),
        ("analyse.py", SCRIPT_PYTHON.to_owned()),
    ]
}

/// Every event of every run, a line each.
fn events(all: &[Material]) -> String {
    let mut lines = String::new();
    for material in all {
        for (_, step) in &material.steps {
            let StudyStep::TaskBegun { task, condition, session: Some(session), .. } = step else { continue };
            for record in material.runs.get(session).into_iter().flatten() {
                lines.push_str(&event(material, session, record, (task, condition)).to_string());
                lines.push('\n');
            }
        }
    }
    lines
}

/// What a participant did, from the journal.
async fn material(store: &dyn Store, study: &str, participant: &str) -> Result<Material, RuntimeError> {
    let session = session_of_participant(study, participant);
    let mut steps = Vec::new();
    for Record { at_ms, event, .. } in history::records(store, &session).await? {
        if let Event::StudyRecorded(recorded) = event {
            steps.push((at_ms, recorded.what));
        }
    }
    let (mut runs, mut used) = (BTreeMap::new(), BTreeMap::new());
    for (_, step) in &steps {
        let StudyStep::TaskBegun { session: Some(session), .. } = step else { continue };
        let records = history::records(store, session).await?;
        let mut sum = (0, 0, 0, 0.0);
        for run in store.runs(session).await? {
            sum = (sum.0 + run.turns, sum.1 + run.input_tokens, sum.2 + run.output_tokens, sum.3 + run.cost_usd);
        }
        used.insert(session.clone(), sum);
        runs.insert(session.clone(), records);
    }
    let participant = participant.to_owned();
    Ok(Material { participant, finished: false, dropped_out: false, steps, runs, used })
}

/// Writes all files beside, and puts them in place together.
fn write(to: &Path, contents: &[(&str, String)]) -> Result<(), RuntimeError> {
    let beside = to.with_extension("part");
    let put = || -> std::io::Result<()> {
        let _ = std::fs::remove_dir_all(&beside);
        std::fs::create_dir_all(&beside)?;
        for (name, text) in contents {
            std::fs::write(beside.join(name), text)?;
        }
        std::fs::rename(&beside, to)
    };
    put().map_err(|error| {
        let _ = std::fs::remove_dir_all(&beside);
        let message = format!("the export {} cannot be written: {error}", to.display());
        RuntimeError::environment("export.unwritten", message, "look at the disk: space, rights")
    })
}

/// Notes an export, with the key of a blinded one beside the journal.
async fn record(
    store: &dyn Store,
    study: &str,
    (sha256, blinded): (&str, bool),
    key: Option<Key>,
) -> Result<(), RuntimeError> {
    let key = key.map(|key| serde_json::to_vec(&key).unwrap_or_default());
    let key_sha256 = key.as_deref().map(digest);
    let what = StudyStep::Exported { sha256: sha256.to_owned(), blinded, key_sha256 };
    let key: Vec<Vec<u8>> = key.into_iter().collect();
    decide_with(store, study, &key, |_| Ok(Some((None, what.clone())))).await.map(drop)
}

/// Opens the key of a blinded export; that it was opened is kept for ever.
///
/// # Errors
/// `export.unknown` where there is no blinded export that begins so.
pub async fn unblind(host: &Host, files: &StudyFiles, export: &str) -> Result<Key, RuntimeError> {
    let store = host.store()?;
    Standing::of(&*store, &files.name).await?.started(&files.name)?;
    for record in history::records(&*store, &session_of(&files.name)).await? {
        let Event::StudyRecorded(recorded) = record.event else { continue };
        let StudyRecorded { what: StudyStep::Exported { sha256, key_sha256: Some(key), .. }, .. } = *recorded else {
            continue;
        };
        if export.is_empty() || !sha256.starts_with(export) {
            continue;
        }
        let bytes = store.blob(&key).await?.unwrap_or_default();
        let key = serde_json::from_slice(&bytes).map_err(|error| {
            let hint = "put a backup in its place with `teacher-assist restore FILE`";
            RuntimeError::environment("store.corrupt", format!("the key of the export is not whole: {error}"), hint)
        })?;
        let what = StudyStep::Unblinded { sha256 };
        decide(&*store, &files.name, |_| Ok(Some((None, what.clone())))).await?;
        return Ok(key);
    }
    let message = format!("the study `{}` has no blinded export `{export}`", files.name);
    Err(RuntimeError::usage("export.unknown", message, "give the digest that `study export` printed, or its beginning"))
}
