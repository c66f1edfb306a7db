//! What a tool is about to write.

use serde_json::Value;

use crate::diff::unified;

/// A file as it stands.
pub(crate) enum Read {
    Text(String),
    Missing,
    /// It is there and cannot be read: what would change cannot be shown.
    Failed,
}

/// Where files are read from: the host in a component, a text in tests.
pub(crate) trait Files {
    fn read(&self, path: &str) -> Read;
}

/// What a call comes to.
pub(crate) enum Change {
    /// It writes nothing, or fails by itself.
    None,
    Refused(String),
    To {
        path: String,
        shown: String,
    },
}

/// Works out what a call changes. `paths` are those that may be changed: files, and directories with a slash at the end.
pub(crate) fn change(tool: &str, arguments: &str, paths: &str, files: &impl Files) -> Change {
    if !["write_file", "str_replace", "update_memory"].contains(&tool) {
        return Change::None;
    }
    let Ok(arguments) = serde_json::from_str::<Value>(arguments) else { return Change::None };
    let text = |name: &str| arguments.get(name).and_then(Value::as_str);
    if tool == "update_memory" {
        return note(text("note"), text("forget"), text("scope").unwrap_or("teacher"));
    }
    let Some(path) = text("path") else { return Change::None };
    if !may_change(path, paths) {
        return Change::Refused(format!("{path} is not among what may be changed here: {paths}."));
    }
    let before = match files.read(path) {
        Read::Text(text) => Some(text),
        Read::Missing => None,
        Read::Failed => return Change::Refused(format!("{path} cannot be read, so its change cannot be shown.")),
    };
    let after = match (tool, &before) {
        ("write_file", _) => text("content").map(str::to_owned),
        (_, Some(before)) => replaced(before, text("old").unwrap_or_default(), text("new").unwrap_or_default()),
        _ => None,
    };
    let before = before.unwrap_or_default();
    match after.filter(|after| *after != before) {
        Some(after) => Change::To { path: path.to_owned(), shown: unified(path, &before, &after) },
        None => Change::None,
    }
}

fn note(note: Option<&str>, forget: Option<&str>, scope: &str) -> Change {
    let shown = match (note, forget) {
        (Some(note), _) => format!("+- {note}\n"),
        (None, Some(forget)) => format!("-- {forget}\n"),
        (None, None) => return Change::None,
    };
    Change::To { path: format!("memory of {scope}"), shown }
}

/// The text with one passage exchanged; none where the tool would refuse it.
fn replaced(before: &str, old: &str, new: &str) -> Option<String> {
    let once = !old.is_empty() && before.matches(old).count() == 1;
    once.then(|| before.replacen(old, new, 1))
}

fn may_change(path: &str, paths: &str) -> bool {
    let plain = path.split('/').all(|part| !part.is_empty() && part != "." && part != "..");
    let fits = |allowed: &str| if allowed.ends_with('/') { path.starts_with(allowed) } else { path == allowed };
    plain && paths.split(',').map(str::trim).filter(|allowed| !allowed.is_empty()).any(fits)
}
