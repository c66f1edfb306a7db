//! Reads a folder of recorded exchanges and reports what became of each.
//!
//! The files are YAML, one document an exchange: `when` is the request (path, headers, body), `then` the response
//! (status, headers, body). Every response goes through our decoding three ways: whole, byte for byte, and cut at
//! random places. All have to come to the same. A response is read, or refused with a typed error; which of them is
//! right, the status of the recording says. Where the recording goes on, the next request tells independently what
//! calls the answer held.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;
use ta_core::model::Unwatched;

use crate::failure::{Failure, Kind};
use crate::wire::{Decoder, Reply, Wire, refused};

/// How often a response is cut at random places.
const CUTS: u64 = 8;
/// The cuts are the same in every run.
const SEED: u64 = 4;

/// What became of one exchange.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The file, below the folder.
    pub file: String,
    /// Which of the file's exchanges, counted from 1.
    pub number: usize,
    /// The wire format, or the path where it is none of ours.
    pub format: String,
    /// Whether it was an event stream or came line by line.
    pub streamed: bool,
    /// HTTP status.
    pub status: u16,
    /// What it became in a word, or the code of its error.
    pub outcome: String,
    /// The reply, where there is one.
    pub reply: Option<Reply>,
    /// Whether the next request of the recording holds the calls that we read; `None` where none tells.
    pub confirmed: Option<bool>,
    /// What is wrong with what became of it.
    pub problem: Option<String>,
}

/// What became of a folder.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// Every exchange, in the order of the files.
    pub entries: Vec<Entry>,
    /// How many files were read.
    pub files: usize,
    /// Files that hold no exchanges, and why.
    pub unreadable: Vec<(String, String)>,
}

impl Report {
    /// Whether every exchange was read rightly or refused with a typed error.
    #[must_use]
    pub fn sound(&self) -> bool {
        self.unreadable.is_empty() && self.entries.iter().all(|entry| entry.problem.is_none())
    }
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut rows: BTreeMap<(&str, bool, u16, &str), usize> = BTreeMap::new();
        for entry in &self.entries {
            *rows.entry((&entry.format, entry.streamed, entry.status, &entry.outcome)).or_default() += 1;
        }
        writeln!(f, "{:<36} {:<7} {:>6} {:>6}  became", "format", "stream", "status", "count")?;
        for ((format, streamed, status, outcome), count) in rows {
            let streamed = if streamed { "yes" } else { "no" };
            writeln!(f, "{format:<36} {streamed:<7} {status:>6} {count:>6}  {outcome}")?;
        }
        let told = self.entries.iter().filter(|entry| entry.confirmed.is_some()).count();
        let confirmed = self.entries.iter().filter(|entry| entry.confirmed == Some(true)).count();
        writeln!(
            f,
            "{} exchanges in {} files; calls confirmed by the next request: {confirmed} of {told}",
            self.entries.len(),
            self.files
        )?;
        for entry in self.entries.iter().filter(|entry| entry.confirmed == Some(false)) {
            writeln!(f, "unlike the next request: {} #{}", entry.file, entry.number)?;
        }
        for entry in &self.entries {
            if let Some(problem) = &entry.problem {
                writeln!(f, "PROBLEM {} #{}: {problem}", entry.file, entry.number)?;
            }
        }
        for (file, why) in &self.unreadable {
            writeln!(f, "UNREADABLE {file}: {why}")?;
        }
        Ok(())
    }
}

#[derive(Debug, Deserialize)]
struct Exchange {
    when: When,
    then: Then,
}

#[derive(Debug, Deserialize)]
struct When {
    path: String,
    #[serde(default)]
    body: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Then {
    status: u16,
    #[serde(default)]
    header: Vec<Header>,
    #[serde(default)]
    body: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Header {
    name: String,
    value: Value,
}

/// Reads every `.yaml` file of a folder and of those in it.
///
/// # Errors
/// Where the folder cannot be read. A file that cannot is in the report.
pub fn wire_report(folder: &Path) -> std::io::Result<Report> {
    let mut files = Vec::new();
    gather(folder, &mut files)?;
    files.sort();
    let mut report = Report::default();
    for path in files {
        let file = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
        report.files += 1;
        match exchanges(&path) {
            Ok(exchanges) => {
                for (place, exchange) in exchanges.iter().enumerate() {
                    let next = exchanges.get(place + 1).and_then(|next| next.when.body.as_deref());
                    report.entries.push(examine(&file, place + 1, exchange, next));
                }
            }
            Err(why) => report.unreadable.push((file, why)),
        }
    }
    Ok(report)
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            gather(&path, files)?;
        } else if path.extension().is_some_and(|it| it == "yaml" || it == "yml") {
            files.push(path);
        }
    }
    Ok(())
}

fn exchanges(path: &Path) -> Result<Vec<Exchange>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    serde_saphyr::from_multiple(&text).map_err(|error| error.to_string())
}

/// Which format a path speaks. Google's other endpoints are read as its format, which has to refuse them.
fn format(path: &str) -> Option<Wire> {
    let ends = |end: &str| path.ends_with(end);
    match path {
        _ if ends("/messages") => Some(Wire::Anthropic),
        _ if ends("/responses") => Some(Wire::Responses),
        _ if ends("/chat/completions") => Some(Wire::Chat),
        _ if ends("/api/chat") => Some(Wire::Ollama),
        _ if path.starts_with("/v1beta/") => Some(Wire::Gemini),
        _ => None,
    }
}

fn examine(file: &str, number: usize, exchange: &Exchange, next: Option<&str>) -> Entry {
    let (path, then) = (exchange.when.path.as_str(), &exchange.then);
    let body = then.body.as_deref().unwrap_or_default().as_bytes();
    let label = |header: &&Header| header.name.eq_ignore_ascii_case("content-type");
    let label = then.header.iter().find(label).and_then(|header| header.value.as_str()).unwrap_or_default();
    let wire = format(path);
    let ours = !path.starts_with("/v1beta/") || path.contains("enerateContent");
    let mut entry = Entry {
        file: file.to_owned(),
        number,
        format: wire.filter(|_| ours).map_or_else(|| shortened(path), |wire| wire.name().to_owned()),
        streamed: label.contains("event-stream") || label.contains("ndjson"),
        status: then.status,
        outcome: String::new(),
        reply: None,
        confirmed: None,
        problem: None,
    };
    let Some(wire) = wire else {
        list(path, then.status, body, &mut entry);
        return entry;
    };
    let well = (200..300).contains(&then.status);
    let read = if well { read_all_ways(wire, body) } else { Ok(Err(refusal(then, body))) };
    match read {
        Err(problem) => {
            "read differently".clone_into(&mut entry.outcome);
            entry.problem = Some(problem);
        }
        Ok(Ok(reply)) => {
            reply.outcome().clone_into(&mut entry.outcome);
            entry.confirmed = next.and_then(|next| confirmed(&reply, next));
            entry.problem = (!ours).then(|| "it is of another format, and was read".to_owned());
            entry.reply = Some(reply);
        }
        Ok(Err(failure)) => {
            failure.kind.code().clone_into(&mut entry.outcome);
            // With status 200 an error is right where the provider itself announces one; otherwise we failed to read.
            let unread = matches!(failure.kind, Kind::StreamCut | Kind::Unreadable | Kind::ReplyTooLarge);
            let expected = !well || if ours { !unread } else { failure.kind == Kind::Unreadable };
            entry.problem = (!expected).then_some(failure.message);
        }
    }
    entry
}

/// A path of another kind, without the names in it.
fn shortened(path: &str) -> String {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.truncate(4);
    parts.join("/")
}

/// A list of models is no answer of a model.
fn list(path: &str, status: u16, body: &[u8], entry: &mut Entry) {
    if !(200..300).contains(&status) {
        refused("the provider", status, &[], body).kind.code().clone_into(&mut entry.outcome);
        return;
    }
    let wire = if path.ends_with("/tags") { Wire::Ollama } else { Wire::Chat };
    let models = serde_json::from_slice(body).map(|answer| wire.models(&answer)).unwrap_or_default();
    entry.problem = models.is_empty().then(|| "no model was found in it".to_owned());
    "models".clone_into(&mut entry.outcome);
}

fn refusal(then: &Then, body: &[u8]) -> Failure {
    let headers = then.header.iter().map(|header| (header.name.to_lowercase(), header.value.to_string()));
    refused("the provider", then.status, &headers.collect::<Vec<_>>(), body)
}

/// Decodes a body whole, byte for byte and cut at random; an error says which came to something else.
fn read_all_ways(wire: Wire, body: &[u8]) -> Result<Result<Reply, Failure>, String> {
    let whole = decode(wire, std::iter::once(body));
    if decode(wire, body.chunks(1)) != whole {
        return Err("byte for byte it became something else than whole".to_owned());
    }
    let mut chance = fastrand::Rng::with_seed(SEED);
    for _ in 0..CUTS {
        let mut pieces = Vec::new();
        let mut rest = body;
        while !rest.is_empty() {
            let (piece, after) = rest.split_at(chance.usize(1..=rest.len().min(200)));
            pieces.push(piece);
            rest = after;
        }
        if decode(wire, pieces) != whole {
            return Err("cut at random places it became something else than whole".to_owned());
        }
    }
    Ok(whole)
}

fn decode<'a>(wire: Wire, pieces: impl IntoIterator<Item = &'a [u8]>) -> Result<Reply, Failure> {
    let mut decoder = Decoder::of_turn(wire, 1);
    for piece in pieces {
        decoder.push(piece, &Unwatched)?;
    }
    decoder.finish(&Unwatched)
}

/// Whether the next request repeats the calls: each with its name and its arguments, as an object or as text.
fn confirmed(reply: &Reply, next: &str) -> Option<bool> {
    let next: Value = serde_json::from_str(next).ok()?;
    let calls = reply.calls.iter().filter(|call| call.unusable_because().is_none());
    let mut told = calls.map(|call| {
        let arguments = serde_json::from_str::<Value>(&call.arguments).unwrap_or_default();
        holds(&next, &call.name, &arguments)
    });
    let first = told.next()?;
    Some(told.fold(first, |all, one| all && one))
}

fn holds(value: &Value, name: &str, arguments: &Value) -> bool {
    match value {
        Value::Object(object) => {
            let named = object.get("name").is_some_and(|it| it == name);
            let given = ["input", "args", "arguments"].iter().filter_map(|field| object.get(*field)).any(|it| {
                let text = it.as_str().map(|text| serde_json::from_str::<Value>(text).unwrap_or_default());
                text.as_ref().unwrap_or(it) == arguments
            });
            (named && given) || object.values().any(|value| holds(value, name, arguments))
        }
        Value::Array(values) => values.iter().any(|value| holds(value, name, arguments)),
        _ => false,
    }
}
