//! `guest test`: the built component on cases, each a directory of files below `cases`.
//!
//! ```text
//! cases/NAME/event.json       the event, with the fields of its context; for a tool {"tool": …, "arguments": …}
//! cases/NAME/world.json       time, configuration, answers, what a model and other tools answer; may be left out
//! cases/NAME/workspace/…      files of the workspace; may be left out
//! cases/NAME/memory/…         memory files; may be left out
//! cases/NAME/expected.json    what the call comes to; --accept writes it
//! ```

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use ta_runtime::{Host, RuntimeError};

use crate::project::Project;
use crate::trial::{self, Around, Call, Done};
use crate::{files, outcome};

/// The directory of a guest's cases.
pub const DIRECTORY: &str = "cases";
/// The files of a case.
pub const EVENT: &str = "event.json";
/// What stands around the call.
pub const WORLD: &str = "world.json";
/// What it comes to.
pub const EXPECTED: &str = "expected.json";
/// How deep the files of a workspace may lie.
const DEPTH_MAX: usize = 8;

/// A case.
#[derive(Debug, Clone)]
pub struct Case {
    /// Its name: that of its directory.
    pub name: String,
    /// Its directory.
    pub directory: PathBuf,
    /// What is called, and with what around it.
    pub call: Call,
    /// What it is to come to; none where nobody has said yet.
    pub expected: Option<Value>,
}

/// How a case ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It came to what was expected.
    Passed,
    /// It came to something else, or nothing was expected of it yet.
    Failed,
    /// The call could not be made.
    Refused,
    /// What it came to was written down as what is expected.
    Accepted,
}

/// A case that was run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ran {
    /// Its name.
    pub name: String,
    /// How it ended.
    pub verdict: Verdict,
    /// What differs, or why it could not be made; none where it passed.
    pub why: Option<String>,
    /// What came of the call; none where it could not be made.
    pub call: Option<Done>,
}

impl Ran {
    /// Whether it is as it should be.
    #[must_use]
    pub fn is_good(&self) -> bool {
        matches!(self.verdict, Verdict::Passed | Verdict::Accepted)
    }
}

/// Runs the guest's cases, those whose names are given or all. With `accept` what they come to is written down.
///
/// # Errors
/// `guest.no_cases`; `case.unknown`; a case that cannot be read, before any is run.
pub async fn run(host: &Host, project: &Project, names: &[String], accept: bool) -> Result<Vec<Ran>, RuntimeError> {
    let cases = read(project, names)?;
    let mut all = Vec::new();
    for case in cases {
        all.push(one(host, project, &case, accept).await?);
    }
    Ok(all)
}

async fn one(host: &Host, project: &Project, case: &Case, accept: bool) -> Result<Ran, RuntimeError> {
    let name = case.name.clone();
    let done = match trial::call(host, project, &project.component(), &case.call).await {
        Ok(done) => done,
        // Of use for no case, and so for all of them.
        Err(error) if error.code == "guest.not_built" => return Err(error),
        Err(error) => {
            let why = format!("{} [{}]\n{}", error.message, error.code, error.hint);
            return Ok(Ran { name, verdict: Verdict::Refused, why: Some(why), call: None });
        }
    };
    let why = match &case.expected {
        Some(expected) => outcome::difference(&outcome::without_empty(expected.clone()), &done.outcome),
        None => {
            Some(format!("nothing is expected of it yet; --accept writes down what it comes to:\n{:#}", done.outcome))
        }
    };
    let verdict = match (&why, accept) {
        (None, _) => Verdict::Passed,
        (Some(_), true) => {
            write_expected(&case.directory, &done.outcome)?;
            Verdict::Accepted
        }
        (Some(_), false) => Verdict::Failed,
    };
    Ok(Ran { name, verdict, why, call: Some(done) })
}

/// Writes down what a case comes to.
///
/// # Errors
/// What the disk says.
pub(crate) fn write_expected(case: &Path, outcome: &Value) -> Result<(), RuntimeError> {
    files::write(&case.join(EXPECTED), format!("{outcome:#}\n").as_bytes())
}

fn read(project: &Project, wanted: &[String]) -> Result<Vec<Case>, RuntimeError> {
    let directory = project.directory.join(DIRECTORY);
    let mut names = files::names(&directory)?;
    names.retain(|name| !name.starts_with('.') && directory.join(name).is_dir());
    if let Some(unknown) = wanted.iter().find(|name| !names.contains(name)) {
        let message = format!("there is no case `{unknown}`");
        return Err(RuntimeError::usage("case.unknown", message, format!("there are: {}", names.join(", "))));
    }
    names.retain(|name| wanted.is_empty() || wanted.contains(name));
    if names.is_empty() {
        let message = format!("there are no cases in {}", directory.display());
        let hint = format!("make a directory with an {EVENT}, or cut one from a run: guest record RUN --hook NAME");
        return Err(RuntimeError::usage("guest.no_cases", message, hint));
    }
    names.into_iter().map(|name| case(&directory.join(&name), name)).collect()
}

/// Reads a case.
fn case(directory: &Path, name: String) -> Result<Case, RuntimeError> {
    let Some(event) = json(&directory.join(EVENT))? else {
        let message = format!("the case `{name}` has no {EVENT}");
        return Err(RuntimeError::usage("case.event", message, "docs/cli.md lists the fields of each point's event"));
    };
    let around: Around = json(&directory.join(WORLD))?.unwrap_or_default();
    let workspace = Some(directory.join("workspace")).filter(|it| it.is_dir());
    let memory = directory.join("memory");
    let memory = memory.is_dir().then(|| texts(&memory)).transpose()?;
    let expected = json(&directory.join(EXPECTED))?;
    Ok(Case { name, directory: directory.to_owned(), call: Call { event, around, workspace, memory }, expected })
}

/// The texts below a directory, by their paths from the directory that it lies in.
fn texts(directory: &Path) -> Result<BTreeMap<String, String>, RuntimeError> {
    let mut found = BTreeMap::new();
    let mut open = vec![(directory.to_owned(), "memory".to_owned(), 0)];
    while let Some((directory, prefix, depth)) = open.pop() {
        for name in files::names(&directory)? {
            let (path, shown) = (directory.join(&name), format!("{prefix}/{name}"));
            if path.is_dir() && depth < DEPTH_MAX {
                open.push((path, shown, depth + 1));
            } else if let Some(text) = files::text(&path)? {
                found.insert(shown, text);
            }
        }
    }
    Ok(found)
}

/// A file's JSON; none where there is no such file.
///
/// # Errors
/// `case.json` with the place.
pub fn json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, RuntimeError> {
    let Some(text) = files::text(path)? else { return Ok(None) };
    let unreadable = |error: serde_json::Error| {
        let message = format!("{}: {error}", path.display());
        RuntimeError::usage("case.json", message, "mend the file: it is JSON, of the form that the reference shows")
    };
    serde_json::from_str(&text).map(Some).map_err(unreadable)
}
