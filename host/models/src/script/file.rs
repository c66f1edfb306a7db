//! The file of a script, and what is said about one that cannot be read.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use ta_core::message::{StopReason, Usage};
use ta_core::model::ModelError;

/// Why a script could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("script, line {line}, column {column}: {message}")]
pub struct ScriptError {
    /// The line, counted from 1.
    pub line: usize,
    /// The column, counted from 1; 0 where the line is empty.
    pub column: usize,
    /// What was expected and what was found.
    pub message: String,
    /// What to do.
    pub hint: String,
}

impl ScriptError {
    /// A stable word for reports.
    pub const CODE: &'static str = "model.script_unreadable";
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScriptFile {
    pub(super) answers: Vec<Entry>,
    #[serde(default)]
    pub(super) repeat_last: bool,
    #[serde(default)]
    pub(super) agents: BTreeMap<String, Vec<Entry>>,
}

/// One entry of `answers`.
#[derive(Debug)]
pub(super) enum Entry {
    Answer(Answer),
    Error(ModelError),
}

#[derive(Debug)]
pub(super) struct Answer {
    pub(super) text: String,
    pub(super) calls: Vec<Call>,
    pub(super) usage: Option<Usage>,
    pub(super) cost_usd: f64,
    pub(super) stop: Option<StopReason>,
    pub(super) when: Option<String>,
    pub(super) delay: Duration,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Call {
    pub(super) name: String,
    #[serde(default = "no_arguments", deserialize_with = "arguments")]
    pub(super) arguments: String,
}

fn no_arguments() -> String {
    "{}".to_owned()
}

/// An object becomes its text; a string stays as it is, so that broken arguments can be tried.
fn arguments<'de, D: Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    match serde_json::Value::deserialize(from)? {
        serde_json::Value::String(raw) => Ok(raw),
        value @ serde_json::Value::Object(_) => Ok(value.to_string()),
        other => Err(D::Error::custom(format!("`arguments` is an object or a string, not {other}"))),
    }
}

/// Every field that an entry may have; which of them belong together is checked afterwards.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    text: Option<String>,
    #[serde(default)]
    calls: Vec<Call>,
    usage: Option<Usage>,
    cost_usd: Option<f64>,
    stop: Option<StopReason>,
    when: Option<String>,
    delay_ms: Option<u64>,
    error: Option<RawError>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawError {
    code: String,
    message: String,
    #[serde(default)]
    hint: String,
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(EntryVisitor)
    }
}

/// Checks the entry while its object is being read: an error is then reported on the entry's own line.
struct EntryVisitor;

impl<'de> Visitor<'de> for EntryVisitor {
    type Value = Entry;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an answer or an error")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Entry, A::Error> {
        Raw::deserialize(MapAccessDeserializer::new(map))?.checked().map_err(A::Error::custom)
    }
}

impl Raw {
    fn checked(self) -> Result<Entry, &'static str> {
        let raw = self;
        let has_answer = raw.text.is_some() || !raw.calls.is_empty();
        match raw.error {
            Some(_) if has_answer => Err("an entry has `error` or an answer (`text`, `calls`), not both"),
            Some(error) => Ok(Entry::Error(ModelError { code: error.code, message: error.message, hint: error.hint })),
            None if !has_answer => Err("an entry needs `text`, `calls` or `error`"),
            None => Ok(Entry::Answer(Answer {
                text: raw.text.unwrap_or_default(),
                calls: raw.calls,
                usage: raw.usage,
                cost_usd: raw.cost_usd.unwrap_or(0.0),
                stop: raw.stop,
                when: raw.when,
                delay: Duration::from_millis(raw.delay_ms.unwrap_or_default()),
            })),
        }
    }
}

pub(super) fn read(text: &str) -> Result<ScriptFile, ScriptError> {
    serde_json::from_str(text).map_err(|error| explained(&error))
}

fn explained(error: &serde_json::Error) -> ScriptError {
    let full = error.to_string();
    // The position is said in fields of its own; serde repeats it at the end of the sentence.
    let message = full.rsplit_once(" at line ").map_or(full.as_str(), |(message, _)| message).to_owned();
    let hint = if message.starts_with("unknown field") {
        "Fields of an answer are `text`, `calls`, `usage`, `cost_usd`, `stop`, `when`, `delay_ms`, or `error` alone."
    } else if message.starts_with("unknown variant") {
        "`stop` is one of \"end-turn\", \"tool-use\", \"length\", \"refusal\", \"other\"."
    } else if message.starts_with("missing field") {
        "A script is {\"answers\": […]}; a call needs `name`; usage needs both token counts; an error needs `code` and `message`."
    } else if message.starts_with("an entry") || message.starts_with("`arguments`") {
        "See the table in the documentation of the script provider."
    } else {
        "The file must be JSON: quotes around names and texts, no comma after the last item, no comments."
    };
    ScriptError { line: error.line(), column: error.column(), message, hint: hint.to_owned() }
}
