//! The tool `read_memory`: what has been written down about the teacher and about classes, with where it comes from.
//!
//! This crate changes nothing and ranks nothing: it lists files and shows one, each note with its day and how many sessions
//! came to it. Start reading at [`read_memory`].

mod day;

use ta_guest::Context;
use ta_guest::arguments::Arguments;
use ta_guest::memory::{self, File, Note};
use ta_guest::tool::{Definition, Failure};
use ta_guest::types::ToolCall;

use crate::day::day;

const READ_MEMORY: &str = r#"{
    "type": "object", "additionalProperties": false,
    "properties": {
        "path": { "type": "string", "description": "A file, such as memory/classes/3B/lessons.md. Leave it out for the list of files" },
        "from_line": { "type": "integer", "minimum": 1, "description": "First line to show, for a long file" }
    }
}"#;

/// Lines shown in one answer: an entry point and as much again.
const LINES_MAX: usize = 400;

/// Files listed in one answer.
const FILES_MAX: usize = 200;

/// Longest line shown, in characters.
const LINE_CHARS_MAX: usize = 1_000;

ta_guest::tool!(definitions, call);

/// Where memory comes from: the host in a component, a table in tests.
trait Memory {
    fn files(&self) -> Vec<String>;
    fn read(&self, path: &str) -> Result<File, String>;
}

struct Host;

impl Memory for Host {
    fn files(&self) -> Vec<String> {
        memory::files()
    }

    fn read(&self, path: &str) -> Result<File, String> {
        memory::read(path)
    }
}

fn definitions() -> Vec<Definition> {
    vec![Definition {
        name: "read_memory".into(),
        description: "Reads what was learned in earlier sessions about the teacher and about classes. Without a path it \
                      lists the files; the entry points (MEMORY.md) of the teacher and of the request's class are in your \
                      prompt already. Each note says when it was written down and how many sessions came to it: the more, \
                      the surer."
            .into(),
        input_schema: READ_MEMORY.into(),
        idempotent: true,
        only_reads: true,
    }]
}

fn call(_: &Context, call: &ToolCall) -> Result<String, Failure> {
    dispatch(&Host, call)
}

fn dispatch(memory: &impl Memory, call: &ToolCall) -> Result<String, Failure> {
    match call.name.as_str() {
        "read_memory" => read_memory(memory, &Arguments::parse(call, READ_MEMORY)?),
        other => Err(Failure::new("unknown-tool", format!("There is no tool `{other}` here; there is read_memory."))),
    }
}

fn read_memory(memory: &impl Memory, arguments: &Arguments) -> Result<String, Failure> {
    let Some(path) = arguments.text("path").map(path).filter(|path| !path.is_empty()) else {
        return Ok(listed(&memory.files()));
    };
    let file =
        memory.read(&path).map_err(|message| Failure::new("not-found", with_files(&message, &memory.files())))?;
    let from = arguments.integer("from_line").and_then(|line| usize::try_from(line).ok()).unwrap_or(1);
    shown(&file, from.saturating_sub(1))
}

/// The path that a model means: `classes/3B/lessons.md` lies below `memory` as well.
fn path(name: &str) -> String {
    let slashed = name.trim().replace('\\', "/");
    let name = slashed.trim_start_matches("./").trim_matches('/');
    match name.strip_prefix("memory") {
        Some("") => String::new(),
        Some(rest) if rest.starts_with('/') => name.to_owned(),
        _ if name.is_empty() => String::new(),
        _ => format!("memory/{name}"),
    }
}

fn listed(files: &[String]) -> String {
    if files.is_empty() {
        return "Nothing has been written down yet.".into();
    }
    let shown = files.iter().take(FILES_MAX).map(|file| format!("- {file}"));
    let left = files.len().saturating_sub(FILES_MAX);
    let left = (left > 0).then(|| format!("(and {left} more)"));
    shown.chain(left).collect::<Vec<_>>().join("\n")
}

/// What went wrong, with what there is where the message does not say.
fn with_files(message: &str, files: &[String]) -> String {
    if files.first().is_none_or(|first| message.contains(first.as_str())) {
        return message.to_owned();
    }
    format!("{message}\nThere is:\n{}", listed(files))
}

/// The text from a line on, each note with where it comes from.
fn shown(file: &File, skipped: usize) -> Result<String, Failure> {
    let all = file.text.lines().count();
    if all == 0 {
        return Ok(format!("{} is empty.", file.path));
    }
    if skipped >= all {
        return Err(Failure::new("arguments", format!("`from_line`: {} has {all} lines.", file.path)));
    }
    let mut notes = file.notes.iter().peekable();
    let lines = file.text.lines().map(|line| {
        let note = line.trim_start().strip_prefix("- ").map(str::trim);
        let note = notes.next_if(|next| note == Some(next.text.trim()));
        match note {
            Some(note) => format!("{} ({})", cut(line.trim_end()), origin(note)),
            None => cut(line),
        }
    });
    let mut lines: Vec<String> = lines.skip(skipped).take(LINES_MAX).collect();
    let next = skipped.saturating_add(LINES_MAX);
    if next < all {
        lines.push(format!("(lines {} to {all} follow: read on with from_line {})", next + 1, next + 1));
    }
    Ok(lines.join("\n"))
}

/// Where a note comes from: `timing, noted 2026-11-12, 2 sessions`.
fn origin(note: &Note) -> String {
    let sessions = if note.times == 1 { "1 session".to_owned() } else { format!("{} sessions", note.times) };
    let kind = if note.kind.is_empty() { "other" } else { &note.kind };
    format!("{kind}, noted {}, {sessions}", day(note.created))
}

fn cut(line: &str) -> String {
    match line.char_indices().nth(LINE_CHARS_MAX) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default()),
        None => line.to_owned(),
    }
}

#[cfg(test)]
mod tests;
