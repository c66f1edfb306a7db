//! Curriculum files, written: the form that `ta_curriculum::file` reads, and read back by it before anybody keeps it.

use std::fmt::Write as _;

use ta_curriculum::file::{CurriculumFile, Entry};

use crate::error::ImportError;
use crate::framework::{BUILT_IN, Framework};
use crate::outcomes::Outcome;
use crate::source::Document;
use crate::text::{escaped, shortened};

/// Characters of a heading's title.
const TITLE_CHARS_MAX: usize = 80;

/// What stands in the front matter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct About {
    /// The subject.
    pub subject: String,
    /// The title.
    pub title: String,
    /// The document's version or year.
    pub version: String,
    /// The document, as a person would find it.
    pub source: String,
}

/// The text of a curriculum file.
///
/// # Errors
/// When our own reader does not read back what was written: a fault of this program, and no file is better than a wrong
/// one.
pub fn curriculum_file(
    outcomes: &[Outcome],
    framework: &Framework,
    about: &About,
    document: &Document,
) -> Result<String, ImportError> {
    let mut text = front_matter(&[
        ("subject", &about.subject),
        ("title", &about.title),
        ("framework", &framework.name),
        ("version", &about.version),
        ("text_kind", "official"),
        ("status", "unverified"),
        ("source", &about.source),
        ("source_file", &document.name),
        ("source_sha256", &document.sha256),
    ]);
    let _ = write!(
        text,
        "\n# {}\n\nEvery text below was taken from the source by a program. `unverified` means that nobody has compared it with the source yet:\n\
         do that before you report on it, at the place that is named, and then write `verified`.\n",
        escaped(&about.title)
    );
    for outcome in outcomes {
        text.push_str(&entry(outcome, outcomes, framework));
    }
    read_back(&text, outcomes, framework)?;
    Ok(text)
}

/// Front matter with every value in quotes, so that none of them means anything.
pub(crate) fn front_matter(fields: &[(&str, &str)]) -> String {
    let mut text = "---\n".to_owned();
    for (name, value) in fields.iter().filter(|(_, value)| !value.is_empty()) {
        let plain = !value.is_empty()
            && value.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ' ' | '.' | '(' | ')'))
            && value.starts_with(|c: char| c.is_ascii_alphabetic())
            && !matches!(value.to_ascii_lowercase().as_str(), "true" | "false" | "null" | "yes" | "no" | "on" | "off");
        let _ = if plain { writeln!(text, "{name}: {value}") } else { writeln!(text, "{name}: \"{}\"", quoted(value)) };
    }
    text.push_str("---\n");
    text
}

/// The reader of front matter in guests knows no escapes within quotes.
fn quoted(value: &str) -> String {
    value.chars().filter(|c| !c.is_control()).map(|c| if matches!(c, '"' | '\\') { '\'' } else { c }).collect()
}

fn entry(outcome: &Outcome, all: &[Outcome], framework: &Framework) -> String {
    let title = escaped(&shortened(&outcome.text, TITLE_CHARS_MAX));
    let mut text = format!("\n## {}: {title}\n\n", outcome.heading());
    let levels: Vec<&str> = level_names(outcome, framework);
    if !levels.is_empty() {
        let _ = writeln!(text, "- **Level:** {}", levels.join("/"));
    }
    let _ = writeln!(text, "- **Status:** unverified");
    let _ = writeln!(text, "- **Outcome:** {}", escaped(&outcome.text));
    let _ = writeln!(text, "- **Place:** {}", outcome.place);
    if framework.strands {
        for (name, step) in [("Before", -1), ("After", 1)] {
            let steps = steps(outcome, all, step);
            if !steps.is_empty() {
                let _ = writeln!(text, "- **{name}:** {}", steps.join(", "));
            }
        }
    }
    for (place, other) in &outcome.others {
        let _ = writeln!(text, "- **Other text, {place}:** {}", escaped(other));
    }
    text
}

fn level_names<'a>(outcome: &Outcome, framework: &'a Framework) -> Vec<&'a str> {
    let mut levels: Vec<usize> = outcome.codes.iter().filter_map(|code| code.level).collect();
    levels.sort_unstable();
    levels.dedup();
    levels.into_iter().map(|level| framework.level_name(level)).collect()
}

/// The codes of the same strand, one level down or up.
fn steps(outcome: &Outcome, all: &[Outcome], step: isize) -> Vec<String> {
    let wanted: Vec<_> = outcome
        .codes
        .iter()
        .filter_map(|code| Some((&code.organiser, code.level?.checked_add_signed(step)?, &code.number)))
        .collect();
    let codes = all.iter().flat_map(|outcome| &outcome.codes);
    let same = codes.filter(|code| {
        !outcome.codes.contains(code)
            && wanted.iter().any(|(organiser, level, number)| {
                **organiser == code.organiser && code.level == Some(*level) && **number == code.number
            })
    });
    same.map(|code| code.text.clone()).collect()
}

/// Every outcome must come out of our own reader as it went in.
fn read_back(text: &str, outcomes: &[Outcome], framework: &Framework) -> Result<(), ImportError> {
    let file = CurriculumFile::parse(text);
    let matches = |outcome: &Outcome, entry: &Entry, codes: &str| {
        codes == outcome.heading() && entry.field("Outcome") == Some(escaped(&outcome.text).as_str())
    };
    let read: Vec<(String, &Entry)> = if framework.name == BUILT_IN {
        let heading = |entry: &Entry| entry.codes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" / ");
        file.entries.iter().map(|entry| (heading(entry), entry)).collect()
    } else {
        file.labelled.iter().map(|it| (it.label.clone(), &it.entry)).collect()
    };
    let bad = outcomes
        .iter()
        .zip(read.iter().map(Some).chain(std::iter::repeat(None)))
        .find(|(outcome, read)| !read.is_some_and(|(codes, entry)| matches(outcome, entry, codes)));
    match bad {
        None if read.len() == outcomes.len() => Ok(()),
        None => Err(unread("more entries come out than went in", "")),
        Some((outcome, _)) => Err(unread("it does not come out of the reader as it went in", &outcome.heading())),
    }
}

fn unread(why: &str, code: &str) -> ImportError {
    let message = format!("the file for {code} was not written: {why}");
    ImportError::new("import.read-back", message, "report it with the source; import the rest as text meanwhile")
}
