//! A guest and what must become of it: `NAME.wat` and `NAME.toml`, never one without the other.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{fs, io};

use serde::Deserialize;

/// When the sandbox must have noticed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Caught {
    /// When the component is loaded: it never becomes one that may be called.
    Load,
    /// When it is called.
    Call,
    /// Not at all: the call returns, and what it tried had no effect.
    Never,
    /// The call ends with a question.
    Parked,
}

/// What must become of a guest.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Expectation {
    /// The row of the torture list.
    pub row: String,
    /// What the guest does, in a sentence.
    pub what: String,
    /// The lifecycle point that it exports, or `tool`.
    pub point: String,
    /// Whose limits it gets: `guardrail`, `observer` or `tool`.
    pub kind: String,
    /// When it is caught.
    pub caught: Caught,
    /// The code that must come; one of several where the list allows several. Empty where nothing fails.
    #[serde(default)]
    pub codes: Vec<String>,
    /// Words that the reason must hold.
    #[serde(default)]
    pub says: Vec<String>,
    /// What it is granted, as words: `clock`, `workspace:lessons=read`.
    #[serde(default)]
    pub rights: Vec<String>,
    /// Where it is caught by the clock: milliseconds over the budget that it may take, with fuel switched off.
    pub over_ms_max: Option<u64>,
    /// Time that loading and calling may take together, in milliseconds.
    #[serde(default = "bounded_ms")]
    pub bounded_ms: u64,
    /// Lines logged that are kept.
    pub logs: Option<usize>,
    /// Lines logged that were cut or dropped, with a count.
    pub logs_dropped: Option<u64>,
    /// Text that a guest that is not caught must return.
    pub returns: Option<String>,
    /// Whether `teacher-assist hook run` can be given what the row needs.
    #[serde(default = "yes")]
    pub front_door: bool,
}

const fn yes() -> bool {
    true
}

/// Enough for every budget of a guardrail and for compiling what a row holds.
const fn bounded_ms() -> u64 {
    1_000
}

/// A guest with its expectation.
#[derive(Debug, Clone)]
pub struct Row {
    /// Name of both files, without their endings.
    pub name: String,
    /// The guest: a core module or a whole component, in the text format.
    pub wat: String,
    /// What must become of it.
    pub expectation: Expectation,
}

/// Where the guests are.
#[must_use]
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("torture")
}

/// Reads one guest.
///
/// # Errors
/// Where one of the two files is missing or the expectation cannot be read.
pub fn row(name: &str) -> Result<Row, String> {
    row_in(&folder(), name)
}

fn row_in(folder: &Path, name: &str) -> Result<Row, String> {
    let read = |ending: &str| {
        let path = folder.join(format!("{name}.{ending}"));
        fs::read_to_string(&path).map_err(|error| missing(&path, &error))
    };
    let wat = read("wat")?;
    let expectation = toml::from_str(&read("toml")?).map_err(|error| format!("{name}.toml: {error}"))?;
    Ok(Row { name: name.to_owned(), wat, expectation })
}

fn missing(path: &Path, error: &io::Error) -> String {
    format!("{}: {error}; every guest has a `.wat` and beside it a `.toml` with what must become of it", path.display())
}

/// Reads all guests, by name.
///
/// # Errors
/// All problems at once: a guest without an expectation, an expectation without a guest, one that cannot be read.
pub fn rows() -> Result<Vec<Row>, String> {
    rows_in(&folder())
}

fn rows_in(folder: &Path) -> Result<Vec<Row>, String> {
    let entries = fs::read_dir(folder).map_err(|error| missing(folder, &error))?;
    let mut names = BTreeSet::new();
    for entry in entries {
        let path = entry.map_err(|error| missing(folder, &error))?.path();
        let ending = path.extension().and_then(|ending| ending.to_str());
        if let (Some("wat" | "toml"), Some(name)) = (ending, path.file_stem().and_then(|name| name.to_str())) {
            names.insert(name.to_owned());
        }
    }
    let (rows, problems): (Vec<_>, Vec<_>) = names.iter().map(|name| row_in(folder, name)).partition(Result::is_ok);
    if problems.is_empty() {
        return Ok(rows.into_iter().filter_map(Result::ok).collect());
    }
    Err(problems.into_iter().filter_map(Result::err).collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guest_never_stands_alone() {
        let scratch = tempfile::tempdir().unwrap();
        fs::write(scratch.path().join("lonely.wat"), "(module)").unwrap();
        fs::write(scratch.path().join("empty.toml"), "").unwrap();
        let problems = rows_in(scratch.path()).unwrap_err();
        assert!(problems.contains("lonely.toml") && problems.contains("empty.wat"), "{problems}");
    }

    #[test]
    fn the_table_names_every_row() {
        let table = fs::read_to_string(folder().join("README.md")).unwrap();
        for row in rows().unwrap() {
            let (list, name) = (&row.expectation.row, &row.name);
            assert!(
                table.contains(&format!("| {list} |")) || list == "control",
                "`{list}` of {name} is not in the table"
            );
        }
    }
}
