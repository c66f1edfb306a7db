//! Measures the matcher on a set of labelled topics: `cargo run --example measure -p ta-topics -- WORKSPACE SET.jsonl [--all]`.
//!
//! Right: the outcome taken is among those that the label accepts. Asked: the person is asked; `near` counts where an accepted
//! outcome is among the choices. Wrong: an outcome was taken that the label does not accept.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use ta_curriculum::file::CurriculumFile;
use ta_curriculum::front_matter::{field, list};
use ta_curriculum::level::{Level, Levels};
use ta_topics::{Finding, Index, Request, Source};

type Problem = Box<dyn std::error::Error>;

#[derive(Deserialize)]
struct Item {
    request: String,
    group: String,
    label: String,
    #[serde(default)]
    expect: Option<Expect>,
}

#[derive(Deserialize)]
struct Expect {
    #[serde(default)]
    codes: Vec<String>,
}

fn main() -> Result<(), Problem> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [workspace, set, rest @ ..] = arguments.as_slice() else { return Err("WORKSPACE SET.jsonl [--all]".into()) };
    let workspace = Path::new(workspace);
    let index = Index::new(&sources(workspace)?);
    let mut counts: BTreeMap<(String, &str), usize> = BTreeMap::new();
    for line in std::fs::read_to_string(set)?.lines() {
        let item: Item = serde_json::from_str(line)?;
        let (outcome, what) = judged(workspace, &index, &item)?;
        *counts.entry((item.label.clone(), outcome)).or_default() += 1;
        *counts.entry(("all".into(), outcome)).or_default() += 1;
        if outcome == "WRONG" || outcome == "asked" || rest.iter().any(|word| word == "--all") {
            println!("{outcome:6} {:22} {:60} {what}", item.group, item.request);
        }
    }
    for ((label, outcome), count) in counts {
        println!("{label:14} {outcome:6} {count}");
    }
    Ok(())
}

fn sources(workspace: &Path) -> Result<Vec<Source>, Problem> {
    let mut paths: Vec<_> =
        std::fs::read_dir(workspace.join("curriculum"))?.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let source = |path: &Path| -> Result<Source, Problem> {
        let file = CurriculumFile::parse(&std::fs::read_to_string(path)?);
        Ok(Source { path: path.display().to_string(), file })
    };
    paths.iter().map(|path| source(path)).collect()
}

/// What its profile says of a class.
#[derive(Default)]
struct Class {
    name: Option<String>,
    subjects: Vec<String>,
    level: Option<Level>,
}

/// The class that a request names.
fn class(workspace: &Path, request: &str) -> Result<Class, Problem> {
    for entry in std::fs::read_dir(workspace.join("classes"))?.flatten() {
        let name = entry.path().file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let named = request.split(|c: char| !c.is_alphanumeric()).any(|word| word.eq_ignore_ascii_case(&name));
        if named {
            let text = std::fs::read_to_string(entry.path())?;
            let level = field(&text, "level").and_then(|level| level.parse().ok()).map(Levels::low);
            return Ok(Class { name: Some(name), subjects: list(&text, "subjects"), level });
        }
    }
    Ok(Class::default())
}

fn judged(workspace: &Path, index: &Index, item: &Item) -> Result<(&'static str, String), Problem> {
    let Class { name, subjects, level } = class(workspace, &item.request)?;
    let request = Request::read(index, &item.request, name.as_deref(), &subjects);
    let accepted = item.expect.as_ref().map(|expect| expect.codes.clone()).unwrap_or_default();
    Ok(match index.look(&request, &subjects, level) {
        Finding::Certain(outcome) if accepted.contains(&outcome.code) => ("right", outcome.code.clone()),
        Finding::Certain(outcome) => ("WRONG", format!("{} not {accepted:?} {request:?}", outcome.code)),
        Finding::Unsure(near) if accepted.is_empty() => ("asked-", format!("{} choices", near.len())),
        Finding::Unsure(near) if near.iter().any(|outcome| accepted.contains(&outcome.code)) => {
            ("near", format!("{accepted:?} {request:?}"))
        }
        Finding::Unsure(_) => ("asked", format!("{accepted:?} {request:?}")),
    })
}
