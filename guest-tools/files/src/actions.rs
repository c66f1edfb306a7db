//! What the four tools do.

use ta_guest::FileDigest;
use ta_guest::arguments::Arguments;
use ta_guest::tool::Failure;
use ta_guest::workspace::{EntryKind, Listed};

use crate::failures::{failure, not_granted, printable, read_only};
use crate::files::Files;
use crate::paths::{Place, clean, granted_below, locate};

/// Lines that one call gives: as many as a model reads with profit.
const LINES_MAX: usize = 2000;

/// Lines that a message about an ambiguous passage names.
const LINES_NAMED_MAX: usize = 10;

/// Digits of a digest that tell two versions of a file apart.
const DIGEST_DIGITS: usize = 12;

pub(crate) fn read_file(files: &impl Files, arguments: &Arguments) -> Result<String, Failure> {
    let place = place(files, arguments)?;
    let file = files.read(&place.directory, &place.path).map_err(|error| failure(files, &place, &error))?;
    let count = file.text.lines().count();
    if count == 0 {
        return Ok("[the file is empty]".into());
    }
    let first = number(arguments, "offset", 1);
    if first > count {
        let message = format!("`offset`: `{}` has {count} lines, so there is no line {first}.", place.shown);
        return Err(Failure::new("arguments", message));
    }
    let limit = number(arguments, "limit", LINES_MAX).min(LINES_MAX);
    let numbered = (1..).zip(file.text.lines()).skip(first - 1).take(limit);
    let mut shown: Vec<String> = numbered.map(|(number, line): (usize, &str)| format!("{number:>6}\t{line}")).collect();
    let last = first - 1 + shown.len();
    if shown.len() < count {
        shown.push(format!("[lines {first}-{last} of {count}]"));
    }
    Ok(shown.join("\n"))
}

pub(crate) fn write_file(files: &impl Files, arguments: &Arguments) -> Result<String, Failure> {
    let place = writable(files, arguments)?;
    let content = arguments.text("content").unwrap_or_default();
    let written = files.write(&place.directory, &place.path, content, None);
    let written = written.map_err(|error| failure(files, &place, &error))?;
    Ok(format!("Wrote `{}`: {}.", place.shown, measured(content, &written)))
}

pub(crate) fn str_replace(files: &impl Files, arguments: &Arguments) -> Result<String, Failure> {
    let place = writable(files, arguments)?;
    let (old, new) = (arguments.text("old").unwrap_or_default(), arguments.text("new").unwrap_or_default());
    if old.is_empty() || old == new {
        let problem = if old.is_empty() { "`old` is empty" } else { "`old` and `new` are the same" };
        return Err(Failure::new("arguments", format!("{problem}, so there is nothing to replace.")));
    }
    let file = files.read(&place.directory, &place.path).map_err(|error| failure(files, &place, &error))?;
    let (old, new) = with_line_ends_of(&file.text, old, new);
    let starts = occurrences(&file.text, &old);
    let (start, line) = match starts.as_slice() {
        [] => return Err(missing(&place, &old)),
        [start] => (*start, line_of(&file.text, *start)),
        several => return Err(ambiguous(&place, &file.text, several)),
    };
    let (before, after) = (file.text.get(..start), file.text.get(start + old.len()..));
    let text = [before.unwrap_or_default(), new.as_str(), after.unwrap_or_default()].concat();
    // Only the file that was searched may be replaced.
    let written = files.write(&place.directory, &place.path, &text, Some(&file.sha256));
    let written = written.map_err(|error| failure(files, &place, &error))?;
    Ok(format!("Replaced the passage at line {line} of `{}`: {}.", place.shown, measured(&text, &written)))
}

pub(crate) fn list_directory(files: &impl Files, arguments: &Arguments) -> Result<String, Failure> {
    let granted = files.granted();
    let path = clean(files, arguments.text("path").unwrap_or("."))?;
    let Some(place) = locate(&granted, &path) else {
        // The way to what was granted can be walked even where the directories on it were not.
        let names = granted_below(&granted, &path);
        let lines: Vec<String> = names.iter().map(|name| format!("{}/", printable(name))).collect();
        return if lines.is_empty() { Err(not_granted(&granted, &path)) } else { Ok(lines.join("\n")) };
    };
    let entries = files.entries(&place.directory, &place.path).map_err(|error| failure(files, &place, &error))?;
    if entries.is_empty() {
        return Ok("[the directory is empty]".into());
    }
    Ok(entries.iter().map(entry_line).collect::<Vec<_>>().join("\n"))
}

fn entry_line(entry: &Listed) -> String {
    let name = printable(&entry.name);
    match entry.kind {
        EntryKind::Directory => format!("{name}/"),
        EntryKind::File => format!("{name} ({} bytes)", entry.size),
        EntryKind::Other => format!("{name} (neither file nor directory)"),
    }
}

fn place(files: &impl Files, arguments: &Arguments) -> Result<Place, Failure> {
    let path = clean(files, arguments.text("path").unwrap_or_default())?;
    if path == "." {
        return Err(Failure::new("arguments", "`path`: name a file below the workspace, such as `classes/3B.md`."));
    }
    let granted = files.granted();
    locate(&granted, &path).ok_or_else(|| not_granted(&granted, &path))
}

fn writable(files: &impl Files, arguments: &Arguments) -> Result<Place, Failure> {
    let place = place(files, arguments)?;
    if place.writable { Ok(place) } else { Err(read_only(&files.granted(), &place)) }
}

fn number(arguments: &Arguments, name: &str, default: usize) -> usize {
    arguments.integer(name).map_or(default, |number| usize::try_from(number).unwrap_or(usize::MAX))
}

/// `old` and `new` as they would stand in a file with Windows line ends, which [`read_file`] does not show.
fn with_line_ends_of(text: &str, old: &str, new: &str) -> (String, String) {
    let windows = |text: &str| text.replace('\n', "\r\n");
    if text.contains("\r\n") && !text.contains(old) && !old.contains('\r') && text.contains(&windows(old)) {
        return (windows(old), windows(&new.replace("\r\n", "\n")));
    }
    (old.into(), new.into())
}

/// Where `old` begins; two that overlap are two.
fn occurrences(text: &str, old: &str) -> Vec<usize> {
    let mut starts: Vec<usize> = text.match_indices(old).map(|(start, _)| start).collect();
    if let [start] = *starts.as_slice() {
        let next = start + old.chars().next().map_or(1, char::len_utf8);
        let overlapping = text.get(next..).and_then(|rest| rest.find(old));
        starts.extend(overlapping.map(|at| next + at));
    }
    starts
}

fn line_of(text: &str, start: usize) -> usize {
    text.get(..start).unwrap_or_default().matches('\n').count() + 1
}

fn missing(place: &Place, old: &str) -> Failure {
    let numbered =
        old.lines().all(|line| line.split_once('\t').is_some_and(|(number, _)| number.trim().parse::<usize>().is_ok()));
    let hint = if numbered {
        "Leave out the line numbers that read_file puts before each line."
    } else {
        "Read the file again and copy the passage exactly, with its spaces and line breaks."
    };
    Failure::new("no-match", format!("`old` occurs nowhere in `{}`. {hint}", place.shown))
}

fn ambiguous(place: &Place, text: &str, starts: &[usize]) -> Failure {
    let lines: Vec<String> =
        starts.iter().take(LINES_NAMED_MAX).map(|start| line_of(text, *start).to_string()).collect();
    let more = if starts.len() > LINES_NAMED_MAX { ", …" } else { "" };
    Failure::new(
        "ambiguous",
        format!(
            "`old` occurs {} times in `{}`, at lines {}{more}. Add the lines around the one you mean, so that it occurs once.",
            starts.len(),
            place.shown,
            lines.join(", ")
        ),
    )
}

fn measured(text: &str, written: &FileDigest) -> String {
    let digits: String = written.sha256.chars().take(DIGEST_DIGITS).collect();
    format!("{} bytes, digest {digits}", text.len())
}

#[cfg(test)]
#[path = "actions_tests.rs"]
mod tests;
