//! A guest's directory, and its file `guest.toml`: what the guest is called, how it is built, what it asks for.
//!
//! ```toml
//! name = "unfinished"
//! language = "rust"
//! contract = "0.2.0"
//!
//! [hook]                        # or [tool]; the keys are those of `[hooks.NAME]` in a plugin's manifest
//! points = ["post-loop"]
//! kind = "guardrail"
//! capabilities = ["log", "config"]
//!
//! [hook.config]
//! mark = "TODO"
//! ```

use std::path::{Path, PathBuf};

use ta_runtime::RuntimeError;
use ta_runtime::surface::{ComponentEntry, read_manifest};
use toml_edit::{DocumentMut, Item, Table, value};

use crate::Language;
use crate::files;

/// The file of a guest's directory.
pub const FILE: &str = "guest.toml";

/// The keys that only a plugin's manifest has: they follow from the component.
const OF_MANIFEST: [&str; 2] = ["component", "sha256"];

/// What a component is in a plugin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It runs at lifecycle points.
    Hook,
    /// It offers tools to models.
    Tool,
}

impl Role {
    const ALL: [Self; 2] = [Self::Hook, Self::Tool];

    /// Its table in `guest.toml`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Hook => "hook",
            Self::Tool => "tool",
        }
    }

    /// The table of a manifest that it stands in.
    #[must_use]
    pub const fn section(self) -> &'static str {
        match self {
            Self::Hook => "hooks",
            Self::Tool => "tools",
        }
    }
}

/// A guest's directory.
#[derive(Debug, Clone)]
pub struct Project {
    /// Where it is.
    pub directory: PathBuf,
    /// The guest's name, and that of its component's file.
    pub name: String,
    /// What it is written in.
    pub language: Language,
    /// What it is.
    pub role: Role,
    /// What it asks for, as in a manifest.
    pub entry: ComponentEntry,
    /// The table of its manifest as it stands in the file.
    pub table: Table,
}

impl Project {
    /// Reads the guest in a directory.
    ///
    /// # Errors
    /// `guest.none` where there is none; problems of its file, all of them.
    pub fn open(directory: &Path) -> Result<Self, RuntimeError> {
        let path = directory.join(FILE);
        let Some(text) = files::text(&path)? else {
            let message = format!("there is no guest in {}: no file {FILE}", directory.display());
            let hint = "go into a guest's directory, or begin one: teacher-assist guest new NAME --point post-loop";
            return Err(RuntimeError::usage("guest.none", message, hint));
        };
        Self::read(directory, &text)
    }

    /// Reads what such a file says.
    ///
    /// # Errors
    /// As [`Project::open`].
    pub fn read(directory: &Path, text: &str) -> Result<Self, RuntimeError> {
        let wrong = |why: String, hint: &str| RuntimeError::configuration("guest.file", format!("{FILE}: {why}"), hint);
        let document: DocumentMut =
            text.parse().map_err(|error: toml_edit::TomlError| wrong(error.to_string(), "mend the file"))?;
        let word = |key: &str| {
            let found = document.get(key).and_then(Item::as_str).map(ToOwned::to_owned);
            found.ok_or_else(|| wrong(format!("there is no text `{key}`"), "write it as `guest new` does"))
        };
        let name = word("name")?;
        check_name(&name)?;
        let language = word("language")?.parse().map_err(|why: String| wrong(why, "use one of them"))?;
        let tables: Vec<(Role, &Table)> = Role::ALL
            .into_iter()
            .filter_map(|role| Some((role, document.get(role.name()).and_then(Item::as_table)?)))
            .collect();
        let [(role, table)] = tables.as_slice() else {
            return Err(wrong("there must be one table, [hook] or [tool]".to_owned(), "say there what it asks for"));
        };
        let entry = entry(&name, *role, table)?;
        Ok(Self { directory: directory.to_owned(), name, language, role: *role, entry, table: (*table).clone() })
    }

    /// The component that is built.
    #[must_use]
    pub fn component(&self) -> PathBuf {
        self.directory.join(format!("{}.wasm", self.name))
    }
}

/// A name of a guest: that of a file, of a crate and of a table of a manifest.
///
/// # Errors
/// `guest.name`.
pub fn check_name(name: &str) -> Result<(), RuntimeError> {
    let of_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    let good = name.len() <= 64
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(of_name)
        && !name.ends_with('-')
        && !name.contains("--");
    if good {
        return Ok(());
    }
    let message = format!("`{}` is no name of a guest", ta_runtime::surface::visible(name));
    let hint = "use small letters, digits and single hyphens, with a letter first, at most 64: mentions-subject";
    Err(RuntimeError::usage("guest.name", message, hint))
}

/// What a table asks for, read as the table of a manifest, with all problems.
///
/// # Errors
/// Those of a manifest.
fn entry(name: &str, role: Role, table: &Table) -> Result<ComponentEntry, RuntimeError> {
    let text = as_manifest(name, role, table, &"0".repeat(64));
    let mut problems = Vec::new();
    let manifest = read_manifest(FILE, &text, &mut problems);
    if let Some(key) = OF_MANIFEST.into_iter().find(|key| table.contains_key(key)) {
        let message = format!("{FILE}: `{key}` follows from the component and is not written here");
        return Err(RuntimeError::configuration("guest.file", message, format!("take out the line `{key}`")));
    }
    // Lines are those of the text that was made of the table.
    problems.iter_mut().for_each(|problem| problem.line = None);
    if !problems.is_empty() {
        return Err(RuntimeError::problems(FILE, problems));
    }
    let entries = manifest.map(|manifest| match role {
        Role::Hook => manifest.hooks,
        Role::Tool => manifest.tools,
    });
    entries.and_then(|mut entries| entries.remove(name)).ok_or_else(|| {
        RuntimeError::configuration("guest.file", format!("{FILE} cannot be read"), "write it as `guest new` does")
    })
}

/// The least manifest that holds a table.
fn as_manifest(name: &str, role: Role, table: &Table, sha256: &str) -> String {
    let mut manifest = DocumentMut::new();
    manifest.insert("name", value("guest"));
    manifest.insert("version", value("0"));
    let mut own = table.clone();
    own.insert("component", value(format!("{name}.wasm")));
    own.insert("sha256", value(sha256));
    let mut section = Table::new();
    section.insert(name, Item::Table(without_places(own)));
    manifest.insert(role.section(), Item::Table(section));
    manifest.to_string()
}

/// A table that is written where it is put, and not where it stood in the file that it comes from.
pub(crate) fn without_places(mut table: Table) -> Table {
    table.set_position(None);
    for (_, item) in table.iter_mut() {
        if let Item::Table(inner) = item {
            *inner = without_places(std::mem::take(inner));
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Project, RuntimeError> {
        Project::read(Path::new("."), text)
    }

    #[test]
    fn a_guest_asks_for_what_its_table_says() {
        let project = read(
            "name = 'unfinished'\nlanguage = 'rust'\n[hook]\npoints = ['post-loop']\ncapabilities = ['log']\n[hook.config]\nmark = 'X'\n",
        )
        .unwrap();
        assert_eq!((project.role, project.entry.config["mark"].as_str()), (Role::Hook, "X"));
        assert_eq!(project.entry.capabilities, ["log"]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_field() {
        let text = "name = 'a'\nlanguage = 'rust'\n[hook]\npoints = ['before']\ncapabilities = ['network']\n";
        let error = read(text).unwrap_err();
        assert_eq!(error.problems.len(), 2, "{error:?}");
        for (text, code) in [
            ("name = 'A b'\nlanguage = 'rust'\n[hook]\n", "guest.name"),
            ("name = '../x'\nlanguage = 'rust'\n[hook]\n", "guest.name"),
            ("name = 'a'\nlanguage = 'cobol'\n[hook]\n", "guest.file"),
            ("name = 'a'\nlanguage = 'rust'\n", "guest.file"),
            ("name = 'a'\nlanguage = 'rust'\n[hook]\npoints = ['post-loop']\nsha256 = '0'\n", "guest.file"),
            ("name = ", "guest.file"),
        ] {
            assert_eq!(read(text).unwrap_err().code, code, "{text}");
        }
    }
}
