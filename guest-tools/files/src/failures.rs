//! What a model reads when a file tool fails: a stable word, what happened, what to do.

use ta_guest::granted::granted_name;
use ta_guest::tool::Failure;
use ta_guest::workspace::{Error, ErrorCode, Granted};

use crate::files::Files;
use crate::paths::{Place, granted_below, locate};

/// How many names a message lists.
const NAMES_MAX: usize = 30;

/// The failure for an error of the host at a place.
pub(crate) fn failure(files: &impl Files, place: &Place, error: &Error) -> Failure {
    let hint = match error.code {
        ErrorCode::NotFound => return not_found(files, place),
        ErrorCode::ReadOnly => return read_only(&files.granted(), place),
        ErrorCode::Outside => "Links are not followed and no path leads out of the workspace: name the file itself.",
        ErrorCode::Protected => "This file belongs to the host: leave it alone.",
        ErrorCode::TooLarge => "Work with a smaller file, or split the text over several.",
        ErrorCode::NotText => "Only text files in UTF-8 can be read.",
        ErrorCode::WrongKind => "Use list_directory for a directory and read_file for a file.",
        ErrorCode::Changed => "The file changed in the meantime: read it again, then repeat the change.",
        ErrorCode::Quota => "A limit of this call is used up: do less in one call.",
        ErrorCode::NotGranted => "Work in the directories that list_directory shows.",
        ErrorCode::Io => "The disk refused; try once more, then go on without this file.",
    };
    Failure::new(code(error.code), format!("`{}`: {} {hint}", place.shown, sentence(&error.message)))
}

/// The failure for a path that lies in no granted directory.
pub(crate) fn not_granted(granted: &[Granted], path: &str) -> Failure {
    let message = match granted {
        [] => format!("`{path}` cannot be used: no directory was granted to the file tools. Go on without files."),
        _ => format!("`{path}` is in none of the directories that were granted: {}.", listed(granted.iter())),
    };
    Failure::new("not-granted", message)
}

/// The failure for a write to a place that may only be read.
pub(crate) fn read_only(granted: &[Granted], place: &Place) -> Failure {
    let writable: Vec<&Granted> = granted.iter().filter(|granted| granted.writable).collect();
    let remedy = if writable.is_empty() {
        "Nothing may be written here: give the text in your answer instead.".to_owned()
    } else {
        format!("Write below one of: {}.", listed(writable.into_iter()))
    };
    Failure::new("read-only", format!("`{}` may be read but not written. {remedy}", place.shown))
}

/// Says what there is, in the nearest directory that exists.
fn not_found(files: &impl Files, place: &Place) -> Failure {
    let granted = files.granted();
    let mut at = place.shown.as_str();
    while at != "." {
        let (parent, wanted) = at.rsplit_once('/').unwrap_or((".", at));
        if let Some(names) = names_in(files, &granted, parent) {
            return Failure::new("not-found", there_is(&place.shown, parent, wanted, &names));
        }
        at = parent;
    }
    Failure::new("not-found", format!("There is no `{}`. Use list_directory to see what there is.", place.shown))
}

fn names_in(files: &impl Files, granted: &[Granted], directory: &str) -> Option<Vec<String>> {
    let Some(place) = locate(granted, directory) else {
        return Some(granted_below(granted, directory)).filter(|names| !names.is_empty());
    };
    let entries = files.entries(&place.directory, &place.path).ok()?;
    Some(entries.into_iter().map(|entry| printable(&entry.name)).collect())
}

fn there_is(shown: &str, parent: &str, wanted: &str, names: &[String]) -> String {
    let whole = |name: &str| {
        if parent == "." { name.to_owned() } else { format!("{parent}/{name}") }
    };
    let place = if parent == "." { "The workspace".to_owned() } else { format!("`{parent}`") };
    let same = |name: &&String| {
        let (name, wanted) = (name.to_lowercase(), wanted.to_lowercase());
        name == wanted || name.strip_suffix(".md") == Some(wanted.as_str())
    };
    let mut message = match names {
        [] => format!("There is no `{shown}`. {place} is empty."),
        _ => {
            let more =
                if names.len() > NAMES_MAX { format!(" and {} more", names.len() - NAMES_MAX) } else { String::new() };
            let first: Vec<&str> = names.iter().take(NAMES_MAX).map(String::as_str).collect();
            format!("There is no `{shown}`. {place} holds: {}{more}.", first.join(", "))
        }
    };
    if let Some(name) = names.iter().find(same) {
        message.push_str(&format!(" Did you mean `{}`?", whole(name)));
    }
    message
}

/// A name as it may stand in a line of its own.
pub(crate) fn printable(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

fn listed<'a>(granted: impl Iterator<Item = &'a Granted>) -> String {
    granted.map(|granted| format!("`{}`", granted_name(granted))).collect::<Vec<_>>().join(", ")
}

fn sentence(message: &str) -> String {
    let message = message.trim();
    if message.is_empty() || message.ends_with(['.', '!', '?']) { message.into() } else { format!("{message}.") }
}

const fn code(code: ErrorCode) -> &'static str {
    match code {
        ErrorCode::NotFound => "not-found",
        ErrorCode::Outside => "outside",
        ErrorCode::ReadOnly => "read-only",
        ErrorCode::Protected => "protected",
        ErrorCode::TooLarge => "too-large",
        ErrorCode::NotText => "not-text",
        ErrorCode::WrongKind => "wrong-kind",
        ErrorCode::Changed => "changed",
        ErrorCode::Quota => "quota",
        ErrorCode::NotGranted => "not-granted",
        ErrorCode::Io => "io",
    }
}
