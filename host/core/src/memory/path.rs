//! Virtual paths of memory files.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{ENTRY_FILE, WORKING_FILE};

/// Characters of a directory's, a subject's or a file's name.
const NAME_CHARS_MAX: usize = 60;

/// Where a memory file is: `memory/MEMORY.md`, `memory/habits.md`, `memory/releases/1.4.0/MEMORY.md`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "String", into = "String")]
#[schemars(with = "String")]
pub struct MemoryPath {
    /// What it is about, for one that is not the owner's own.
    pub of: Option<Of>,
    /// The file's name.
    pub file: String,
}

/// What a memory file is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Of {
    /// The directory of its kind, such as `releases`.
    pub directory: String,
    /// Which one of its kind, such as `1.4.0`.
    pub id: String,
}

impl MemoryPath {
    /// The entry point of a scope: the owner's own, or that of a subject, given as directory and id.
    #[must_use]
    pub fn entry(of: Option<(&str, &str)>) -> Self {
        let of = of.map(|(directory, id)| Of { directory: directory.to_owned(), id: id.to_owned() });
        Self { of, file: ENTRY_FILE.to_owned() }
    }

    /// The working notes of a scope.
    #[must_use]
    pub fn working(of: Option<(&str, &str)>) -> Self {
        Self::entry(of).beside(WORKING_FILE)
    }

    /// Another file of the same scope.
    #[must_use]
    pub fn beside(&self, file: &str) -> Self {
        Self { of: self.of.clone(), file: file.to_owned() }
    }

    /// Whether it is the entry point of its scope.
    #[must_use]
    pub fn is_entry(&self) -> bool {
        self.file == ENTRY_FILE
    }
}

impl fmt::Display for MemoryPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.of {
            Some(Of { directory, id }) => write!(f, "memory/{directory}/{id}/{}", self.file),
            None => write!(f, "memory/{}", self.file),
        }
    }
}

impl From<MemoryPath> for String {
    fn from(path: MemoryPath) -> Self {
        path.to_string()
    }
}

impl TryFrom<String> for MemoryPath {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl FromStr for MemoryPath {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let unfit = || {
            format!(
                "`{text}` is no memory path; those are `memory/MEMORY.md`, `memory/<topic>.md`, \
                 `memory/<scope>/<id>/MEMORY.md` and `memory/<scope>/<id>/<topic>.md`"
            )
        };
        let parts: Vec<&str> = text.split('/').collect();
        let (of, file) = match parts.as_slice() {
            ["memory", file] => (None, *file),
            ["memory", directory, id, file] if name(directory) && name(id) => {
                (Some(Of { directory: (*directory).to_owned(), id: (*id).to_owned() }), *file)
            }
            _ => return Err(unfit()),
        };
        let stem = file.strip_suffix(".md").filter(|stem| name(stem)).ok_or_else(unfit)?;
        Ok(Self { of, file: format!("{stem}.md") })
    }
}

/// A name that is the same on every system: letters, digits, `-` and `_`, with spaces and dots inside, as in
/// `S1 Maths`.
fn name(text: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ' ' | '.');
    let edge = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    text.chars().count() <= NAME_CHARS_MAX
        && text.chars().all(inside)
        && edge(text.chars().next())
        && edge(text.chars().last())
        && !text.contains("..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_read_and_written_the_same() {
        for path in [
            "memory/MEMORY.md",
            "memory/planning-patterns.md",
            "memory/classes/3B/MEMORY.md",
            "memory/classes/S1 Maths/lessons.md",
        ] {
            let read: MemoryPath = path.parse().unwrap();
            assert_eq!(read.to_string(), path);
        }
    }

    #[test]
    fn other_paths_are_refused() {
        for path in [
            "",
            "MEMORY.md",
            "memory/",
            "memory/.md",
            "memory/a/b.md",
            "memory/classes/3B",
            "memory/classes/../MEMORY.md",
            "memory/../x.md",
            "/memory/x.md",
            "memory/x.txt",
            "memory/classes//x.md",
            "memory/\u{0}.md",
            "memory/a\nb.md",
        ] {
            assert!(path.parse::<MemoryPath>().is_err(), "{path:?}");
        }
    }
}
