//! The tool `update_memory`: working notes, written while the agent works.
//!
//! A working note is a guess until it has proved itself, so it never goes into an entry point (`MEMORY.md`), which is read
//! into every prompt: those are written by the teacher's confirmation. This crate reads nothing and decides nothing about
//! promotion. Start reading at [`update_memory`]; [`place`] says which file a note belongs into.

mod place;

use ta_guest::arguments::{Arguments, folded};
use ta_guest::memory_update::{self, NewNote};
use ta_guest::tool::{Definition, Failure};
use ta_guest::types::ToolCall;
use ta_guest::{Context, ask, config};

use crate::place::path;

const UPDATE_MEMORY: &str = r#"{
    "type": "object", "additionalProperties": false,
    "properties": {
        "note": { "type": "string", "description": "What was learned, on one line of at most 500 characters. Refer to groups, never to a person by name" },
        "scope": { "type": "string", "description": "teacher, or the class that it is about, such as 3B" },
        "kind": { "type": "string", "enum": ["safeguarding", "need", "preference", "timing", "topic", "other"] },
        "importance": { "type": "integer", "minimum": 0, "maximum": 100, "description": "0 to 100; 50 when left out" },
        "evidence": { "type": "string", "description": "What it rests on, such as the request's own words" },
        "file": { "type": "string", "description": "A topic file beside the working notes, such as lessons.md; working-notes.md when left out" },
        "forget": { "type": "string", "description": "Instead of note: the text of a working note that no longer holds" }
    }
}"#;

/// Longest note, in characters: the host's limit, named here.
const NOTE_CHARS_MAX: usize = 500;

/// Longest evidence, in characters.
const EVIDENCE_CHARS_MAX: usize = 300;

const IMPORTANCE_DEFAULT: u64 = 50;
const IMPORTANCE_MAX: u64 = 100;
/// Whom a note is about where nobody is named.
const SCOPE_DEFAULT: &str = "teacher";

ta_guest::tool!(definitions, call);

/// Where notes go: the host in a component, a list in tests.
trait Memory {
    fn remember(&self, path: &str, note: &NewNote) -> Result<String, String>;
    fn forget(&self, path: &str, text: &str) -> Result<(), String>;
    /// What the person says to a change; none where nobody is to be asked.
    fn confirm(&self, question: &ask::Question) -> Option<ask::Outcome>;
}

struct Host;

impl Memory for Host {
    fn remember(&self, path: &str, note: &NewNote) -> Result<String, String> {
        memory_update::remember(path, note)
    }

    fn forget(&self, path: &str, text: &str) -> Result<(), String> {
        memory_update::forget(path, text)
    }

    fn confirm(&self, question: &ask::Question) -> Option<ask::Outcome> {
        (config::get("confirm").as_deref() == Some("true")).then(|| ask::put(question))
    }
}

fn definitions() -> Vec<Definition> {
    vec![Definition {
        name: "update_memory".into(),
        description:
            "Writes down a working note about the teacher or a class, for later sessions: something you learned \
                      that no file of the workspace says. Give note and scope. With forget instead of note it takes a \
                      working note out again. Refer to groups (\"the early finishers\"), never to a person by name. \
                      What the teacher has confirmed (MEMORY.md) is not changed by this tool."
                .into(),
        input_schema: UPDATE_MEMORY.into(),
        // Said a second time, a note is counted a second time.
        idempotent: false,
        only_reads: false,
    }]
}

fn call(_: &Context, call: &ToolCall) -> Result<String, Failure> {
    dispatch(&Host, call)
}

fn dispatch(memory: &impl Memory, call: &ToolCall) -> Result<String, Failure> {
    match call.name.as_str() {
        "update_memory" => update_memory(memory, &Arguments::parse(call, UPDATE_MEMORY)?),
        other => Err(Failure::new("unknown-tool", format!("There is no tool `{other}` here; there is update_memory."))),
    }
}

fn update_memory(memory: &impl Memory, arguments: &Arguments) -> Result<String, Failure> {
    let note = line(arguments, "note", NOTE_CHARS_MAX)?;
    let forget = line(arguments, "forget", NOTE_CHARS_MAX)?;
    let path = || path(arguments.text("scope"), arguments.text("file"));
    match (note, forget) {
        (Some(note), None) => remember(memory, &path()?, note, arguments),
        (None, Some(text)) => {
            let path = path()?;
            confirmed(memory, arguments, &format!("-- {text}"), &format!("File: {path}"))?;
            // What a file holds instead is for the host to say.
            memory.forget(&path, &text).map_err(|message| Failure::new("memory", message))?;
            Ok(format!("Forgotten, in {path}: {text}"))
        }
        (None, None) => Err(invalid("note", "say what was learned, or with `forget` what no longer holds")),
        (Some(_), Some(_)) => {
            Err(invalid("forget", "give either `note` or `forget`; to replace a note, forget first and note then"))
        }
    }
}

fn remember(memory: &impl Memory, path: &str, text: String, arguments: &Arguments) -> Result<String, Failure> {
    let importance = arguments.integer("importance").unwrap_or(IMPORTANCE_DEFAULT);
    let importance = u8::try_from(importance).ok().filter(|importance| u64::from(*importance) <= IMPORTANCE_MAX);
    let importance = importance.ok_or_else(|| invalid("importance", "expected a whole number from 0 to 100"))?;
    let kind = arguments.text("kind").map_or_else(|| "other".into(), folded);
    let evidence = line(arguments, "evidence", EVIDENCE_CHARS_MAX)?.into_iter().collect();
    let scope = arguments.text("scope").unwrap_or(SCOPE_DEFAULT);
    let about = format!("Kind: {kind} · Scope: {scope} · Importance: {importance} of {IMPORTANCE_MAX} · File: {path}");
    confirmed(memory, arguments, &format!("+- {text}"), &about)?;
    let note = NewNote { text, kind, importance, evidence };
    match memory.remember(path, &note).map_err(|message| Failure::new("memory", message))?.as_str() {
        "reinforced" => Ok(format!("Noted before in {path}; counted once more.")),
        _ => Ok(format!("Noted in {path}.")),
    }
}

/// Shows the person the line that comes or goes, and what is known of it, where the configuration says so.
///
/// # Errors
/// Where they do not say yes.
fn confirmed(memory: &impl Memory, arguments: &Arguments, line: &str, about: &str) -> Result<(), Failure> {
    let scope = arguments.text("scope").unwrap_or(SCOPE_DEFAULT);
    let choice = |id: &str, label: &str| ask::Choice { id: id.into(), label: label.into(), detail: None };
    let question = ask::Question {
        id: format!("change:memory of {scope}"),
        title: format!("Change memory of {scope}?"),
        detail: format!("```diff\n{line}\n```\n\n{about}"),
        kind: ask::Kind::Choice(vec![choice("yes", "Write it"), choice("no", "Leave it as it is")]),
    };
    match memory.confirm(&question) {
        None => Ok(()),
        Some(ask::Outcome::Answered(ask::Answer::Choice(choice))) if choice == "yes" => Ok(()),
        Some(_) => Err(Failure::new(
            "not-confirmed",
            "The person did not agree to this change of memory. Nothing was written. Do not try it again in other words; say \
             that it was not made.",
        )),
    }
}

/// A text on one line; none where it is left out or blank. A mark of a list in front is the file's, not the note's.
fn line(arguments: &Arguments, name: &str, chars_max: usize) -> Result<Option<String>, Failure> {
    let text = arguments.text(name).unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ");
    let text = text.strip_prefix("- ").unwrap_or(&text).to_owned();
    match text.chars().count() {
        0 => Ok(None),
        count if count > chars_max => {
            Err(invalid(name, &format!("{count} characters; at most {chars_max}, so say the one thing that lasts")))
        }
        _ => Ok(Some(text)),
    }
}

pub(crate) fn invalid(name: &str, problem: &str) -> Failure {
    Failure::new("arguments", format!("`{name}`: {problem}."))
}

#[cfg(test)]
mod tests;
