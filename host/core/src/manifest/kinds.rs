//! What only one kind of component has in a manifest: providers, actions, writers, readers.

use std::collections::BTreeMap;

use super::declared::NAME_CHARS_MAX;
use super::{ComponentEntry, ReaderEntry, WriterEntry, actions};
use crate::capability::Capability;
use crate::definition::{PROVIDER_OFFLINE, PROVIDERS};
use crate::text::visible;
use ta_fields::fields::Fields;
use ta_fields::problem::Problem;

/// What may stand in the table of a provider.
pub(super) const PROVIDER_FIELDS: [&str; 6] = ["component", "sha256", "capabilities", "optional", "config", "limits"];

/// What a provider may ask for: it is told the whole conversation, and reaches nothing else.
const OF_PROVIDERS: [Capability; 6] =
    [Capability::Log, Capability::Skills, Capability::Clock, Capability::Random, Capability::Config, Capability::Wasi];

/// A provider must not be called as one that the host brings, and must not ask for more than a provider may be granted.
pub(super) fn provider(name: &str, fields: &Fields, line: Option<usize>, problems: &mut Vec<Problem>) {
    if name != PROVIDER_OFFLINE && PROVIDERS.contains(&name) {
        let message = format!("`{name}` is a provider of the host's own");
        let remedy = format!("give it another name; `{PROVIDER_OFFLINE}` is asked where an agent's own has no key");
        problems.push(Problem::new("field.value", &fields.file, message, remedy).at(line).field(&fields.path));
    }
    only_capabilities(fields, line, ("a provider", "the conversation", &OF_PROVIDERS), problems);
}

/// An action must not ask for more than one may be granted.
pub(super) fn action(fields: &Fields, line: Option<usize>, problems: &mut Vec<Problem>) {
    only_capabilities(fields, line, ("an action", "its arguments and files", &actions::OF_ACTIONS), problems);
}

/// What some components cannot be granted: who, what they are told instead, and what they may ask for.
fn only_capabilities(
    fields: &Fields,
    line: Option<usize>,
    (who, told, allowed): (&str, &str, &[Capability]),
    problems: &mut Vec<Problem>,
) {
    let asked = ["capabilities", "optional"].map(|list| fields.list(list, &mut Vec::new()));
    let refused = |name: &&String| name.parse::<Capability>().is_ok_and(|it| !allowed.contains(&it));
    for name in asked.iter().flatten().filter(refused) {
        let line = fields.fields.get("capabilities").map(|field| field.line).or(line);
        let message = format!("{who} cannot be granted `{name}`: it is told {told} and reaches nothing else");
        let known: Vec<&str> = allowed.iter().map(|it| it.name()).collect();
        let remedy = format!("use some of: {}", known.join(", "));
        let problem = Problem::new("field.value", &fields.file, message, remedy).at(line);
        problems.push(problem.field(&format!("{}.capabilities", fields.path)));
    }
}

/// What may stand in the table of a writer.
pub(super) const WRITER_FIELDS: [&str; 7] =
    ["component", "sha256", "capabilities", "config", "limits", "formats", "parts"];
/// What may stand in the table of a reader.
pub(super) const READER_FIELDS: [&str; 6] = ["component", "sha256", "capabilities", "config", "limits", "formats"];

/// What a writer or a reader may ask for: it is told the text or the file, and reaches nothing else.
const OF_DOCUMENTS: [Capability; 2] = [Capability::Log, Capability::Wasi];

/// What has documents of several forms: the words that its problems are told in.
struct Documents {
    who: &'static str,
    told: &'static str,
    missing: &'static str,
    remedy: &'static str,
    does: &'static str,
}

const WRITES: Documents = Documents {
    who: "writer",
    told: "the text",
    missing: "a writer needs at least one form of document",
    remedy: "add `formats = [\"pdf\"]`, the forms of the documents that it makes",
    does: "makes",
};
const READS: Documents = Documents {
    who: "reader",
    told: "the file",
    missing: "a reader needs at least one form of document",
    remedy: "add `formats = [\"pdf\"]`, the endings of the names of what it reads",
    does: "reads",
};

/// A writer: its component, and what it can write.
pub(super) fn writer(
    component: ComponentEntry,
    fields: &Fields,
    line: Option<usize>,
    others: &BTreeMap<String, WriterEntry>,
    problems: &mut Vec<Problem>,
) -> WriterEntry {
    let others = others.iter().map(|(name, it)| (name.as_str(), it.formats.as_slice()));
    let formats = formats(fields, line, &WRITES, others, problems);
    WriterEntry { component, formats, parts: plain_names(fields, "parts", problems) }
}

/// A reader: its component, and what it can read.
pub(super) fn reader(
    component: ComponentEntry,
    fields: &Fields,
    line: Option<usize>,
    others: &BTreeMap<String, ReaderEntry>,
    problems: &mut Vec<Problem>,
) -> ReaderEntry {
    let others = others.iter().map(|(name, it)| (name.as_str(), it.formats.as_slice()));
    ReaderEntry { component, formats: formats(fields, line, &READS, others, problems) }
}

/// The forms of documents that a writer or a reader has. A form belongs to one of them in a plugin, so that the form alone says
/// who is asked.
fn formats<'a>(
    fields: &Fields,
    line: Option<usize>,
    words: &Documents,
    others: impl Iterator<Item = (&'a str, &'a [String])>,
    problems: &mut Vec<Problem>,
) -> Vec<String> {
    only_capabilities(fields, line, (&format!("a {}", words.who), words.told, &OF_DOCUMENTS), problems);
    let formats = plain_names(fields, "formats", problems);
    let mut refused = |code: &str, message: String, remedy: &str| {
        let line = fields.fields.get("formats").map(|field| field.line).or(line);
        let problem = Problem::new(code, &fields.file, message, remedy).at(line);
        problems.push(problem.field(&format!("{}.formats", fields.path)));
    };
    if formats.is_empty() {
        refused("field.missing", words.missing.to_owned(), words.remedy);
    }
    for (other, theirs) in others {
        for name in formats.iter().filter(|name| theirs.contains(name)) {
            let message = format!("the {} `{other}` {} `{name}` as well", words.who, words.does);
            refused("field.value", message, "leave the form to one of them");
        }
    }
    formats
}

/// A list of plain names, each of them once.
fn plain_names(fields: &Fields, list: &str, problems: &mut Vec<Problem>) -> Vec<String> {
    let names = fields.list(list, problems);
    let plain = |name: &str| {
        let mut letters = name.chars();
        (1..=NAME_CHARS_MAX).contains(&name.len())
            && letters.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    };
    let line = fields.fields.get(list).map(|field| field.line);
    let mut refused = |message: String, remedy: &str| {
        let problem = Problem::new("field.value", &fields.file, message, remedy).at(line);
        problems.push(problem.field(&format!("{}.{list}", fields.path)));
    };
    for (index, name) in names.iter().enumerate() {
        if !plain(name) {
            let message = format!("`{}` is no plain name", visible(name));
            refused(message, "write lower-case letters, digits and `-`: `pdf`");
        } else if names.iter().take(index).any(|earlier| earlier == name) {
            refused(format!("`{list}` names `{name}` twice"), "name it once");
        }
    }
    names
}
