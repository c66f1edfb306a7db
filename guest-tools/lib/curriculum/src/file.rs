//! Curriculum files: markdown in which each outcome has a heading that begins with its code.
//!
//! ```text
//! ---
//! subject: Computing Science
//! framework: CfE
//! version: 2017
//! text_kind: paraphrase
//! ---
//! ## TCH 3-14a: constructs of languages
//! - **Level:** third
//! - **Outcome:** explains constructs that represent structured information
//! ```
//!
//! Teachers edit these files by hand, so reading one never fails: what is not understood is left where it is, and an
//! entry that stands twice is kept twice.

use crate::code::{Code, Found, code_at_start, find_codes_with};
use crate::markdown::{Kind, Line, front_matter_lines, heading, item, lines, part};

/// A curriculum file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CurriculumFile {
    /// What its front matter says.
    pub meta: Meta,
    /// Its outcomes, in order: those whose codes are of the form of Curriculum for Excellence.
    pub entries: Vec<Entry>,
    /// The outcomes of another curriculum, in order. Their codes are kept as they are written: which are codes at all is
    /// for a pattern to say, and this reader knows none.
    pub labelled: Vec<Labelled>,
}

/// An outcome of another curriculum: `## KS3/Co/2: uses two languages`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Labelled {
    /// What stands before the heading's first colon that a space follows.
    pub label: String,
    /// The entry; it has no codes.
    pub entry: Entry,
}

/// The front matter of a curriculum file; what is missing or empty is `None`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Meta {
    /// The subject, such as `Computing Science`.
    pub subject: Option<String>,
    /// The file's title.
    pub title: Option<String>,
    /// The curriculum it belongs to, such as `CfE`.
    pub framework: Option<String>,
    /// The version of the document, since frameworks are replaced.
    pub version: Option<String>,
    /// Whether the wording is `official` or a `paraphrase`.
    pub text_kind: Option<String>,
    /// The document it was taken from.
    pub source: Option<String>,
}

/// One outcome, or several that share one text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The codes that its heading begins with; never empty but in an entry of another curriculum.
    pub codes: Vec<Code>,
    /// What follows the codes in the heading.
    pub title: String,
    /// Number of the heading's line, from 1.
    pub first_line: u32,
    /// Number of the last line that is not blank.
    pub last_line: u32,
    /// Its list items with a bold name.
    pub fields: Vec<Field>,
    /// The whole entry as it stands in the file, heading included.
    pub text: String,
}

/// A list item with a bold name: `- **Level:** third`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// The name without its colon.
    pub name: String,
    /// The value; continuation lines follow a line break, without their indentation.
    pub value: String,
    /// Number of the item's first line.
    pub line: u32,
}

impl Entry {
    /// The value of the first field with a name, whatever its case.
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|field| field.name.eq_ignore_ascii_case(name)).map(|field| field.value.as_str())
    }
}

impl CurriculumFile {
    /// Reads a curriculum file.
    pub fn parse(text: &str) -> Self {
        let lines = lines(text);
        let metadata = front_matter_lines(&lines);
        let count = usize::try_from(metadata).unwrap_or(0);
        let meta = Meta::read(lines.get(..count).unwrap_or_default());
        let body = lines.get(count..).unwrap_or_default();
        let labels = meta.is_of_another_curriculum();
        let heads: Vec<(usize, Head<'_>)> =
            body.iter().enumerate().filter_map(|(index, line)| Some((index, Head::read(line, labels)?))).collect();
        let ends = heads.iter().enumerate().map(|(at, (_, head))| {
            let later = heads.get(at + 1..).unwrap_or_default();
            later.iter().find(|(_, other)| head.ends_at(other)).map_or(body.len(), |&(index, _)| index)
        });
        let (mut entries, mut labelled) = (Vec::new(), Vec::new());
        for ((start, head), end) in heads.iter().zip(ends) {
            let Some(lines) = body.get(*start..end) else { continue };
            match head.label {
                Some(label) => labelled.push(Labelled { label: label.to_owned(), entry: entry(text, head, lines) }),
                None if head.codes.is_empty() => {}
                None => entries.push(entry(text, head, lines)),
            }
        }
        Self { meta, entries, labelled }
    }

    /// The entries of a code, in order; several when the file holds it twice.
    pub fn entries_of(&self, code: Code) -> impl Iterator<Item = &Entry> {
        self.entries.iter().filter(move |entry| entry.codes.contains(&code))
    }
}

/// A heading and the codes that it begins with, if any.
struct Head<'a> {
    level: u8,
    codes: Vec<Code>,
    label: Option<&'a str>,
    title: &'a str,
}

/// Bytes of the longest code of another curriculum.
const LABEL_BYTES_MAX: usize = 80;

impl<'a> Head<'a> {
    fn read(line: &Line<'a>, labels: bool) -> Option<Self> {
        if !matches!(line.kind, Kind::Heading(_)) {
            return None;
        }
        let (level, text) = heading(line.text)?;
        let text = text.trim_start_matches(['*', '_', '`', '[']);
        let Some(found) = code_at_start(text) else {
            let (label, title) = if labels && level >= 2 { labelled(text) } else { (None, text) };
            return Some(Self { level, codes: Vec::new(), label, title });
        };
        let (more, end) = more_codes(text, &found);
        let codes = found.codes.into_iter().chain(more).collect();
        let separators = |c: char| {
            c.is_whitespace() || matches!(c, ':' | '|' | '*' | '_' | '`' | ']') || crate::normalise::is_dash(c)
        };
        let title = part(text, end..text.len()).trim_start_matches(separators).trim_end_matches(['*', '_']);
        Some(Self { level, codes, label: None, title })
    }

    /// An entry ends at the next heading of its level or higher, and at the next one that begins an entry of its own.
    fn ends_at(&self, other: &Self) -> bool {
        other.level <= self.level || !other.codes.is_empty() || other.label.is_some()
    }
}

/// What stands before the first colon that a space follows, if it has a digit as codes do, and what stands after it.
fn labelled(text: &str) -> (Option<&str>, &str) {
    let (label, title) = text.split_once(": ").or_else(|| Some((text.strip_suffix(':')?, ""))).unwrap_or(("", text));
    let code = label.len() <= LABEL_BYTES_MAX && label.bytes().any(|b| b.is_ascii_digit());
    if code { (Some(label.trim()), title.trim()) } else { (None, text) }
}

/// The codes that follow the first ones after a comma, and where the last of them ends: "TCH 3-13a, 3-13b: …".
fn more_codes(text: &str, first: &Found) -> (Vec<Code>, usize) {
    let is_joint = |c: char| matches!(c, ' ' | ',' | '&' | ';');
    let mut codes = Vec::new();
    let mut end = first.end;
    if !part(text, end..text.len()).trim_start().starts_with(is_joint) {
        return (codes, end);
    }
    let organisers: Vec<String> = first.codes.iter().map(|code| code.organiser().to_owned()).collect();
    for next in find_codes_with(text, &organisers) {
        if next.start < end {
            continue;
        }
        if !part(text, end..next.start).chars().all(is_joint) {
            break;
        }
        end = next.end;
        codes.extend(next.codes);
    }
    (codes, end)
}

fn entry(text: &str, head: &Head<'_>, lines: &[Line<'_>]) -> Entry {
    let filled = lines.iter().rposition(|line| line.kind != Kind::Blank).map_or(0, |last| last + 1);
    let lines = lines.get(..filled).unwrap_or_default();
    let start = lines.first().map_or(0, |line| line.start);
    let end = lines.last().map_or(start, Line::end);
    Entry {
        codes: head.codes.clone(),
        title: head.title.to_owned(),
        first_line: lines.first().map_or(0, |line| line.number),
        last_line: lines.last().map_or(0, |line| line.number),
        fields: fields(lines),
        text: part(text, start..end).to_owned(),
    }
}

fn fields(lines: &[Line<'_>]) -> Vec<Field> {
    let mut fields: Vec<Field> = Vec::new();
    let mut open = false;
    for line in lines {
        let indented = line.text.starts_with([' ', '\t']);
        if let Some((name, value)) = named_item(line).filter(|_| !(open && indented)) {
            fields.push(Field { name: name.to_owned(), value: value.to_owned(), line: line.number });
            open = true;
        } else if open && indented && matches!(line.kind, Kind::Text | Kind::Item | Kind::Row) {
            if let Some(field) = fields.last_mut() {
                if !field.value.is_empty() {
                    field.value.push('\n');
                }
                field.value.push_str(line.text.trim());
            }
        } else if line.kind != Kind::Blank {
            open = false;
        }
    }
    fields
}

/// Reads `- **Name:** value` or `* **Name**: value`.
fn named_item<'a>(line: &Line<'a>) -> Option<(&'a str, &'a str)> {
    if line.kind != Kind::Item && line.kind != Kind::Row {
        return None;
    }
    let text = item(line.text)?;
    let mark = ["**", "__"].into_iter().find(|mark| text.starts_with(mark))?;
    let (name, value) = text.strip_prefix(mark)?.split_once(mark)?;
    let named = name.trim_end().strip_suffix(':');
    let name = named.unwrap_or(name).trim();
    let value = value.trim_start();
    let value = if named.is_some() { value } else { value.strip_prefix(':')? };
    (!name.is_empty()).then(|| (name, value.trim()))
}

impl Meta {
    /// Whether the file says that it belongs to another curriculum than Curriculum for Excellence.
    pub fn is_of_another_curriculum(&self) -> bool {
        let own = |name: &str| ["cfe", "curriculum for excellence"].iter().any(|own| name.eq_ignore_ascii_case(own));
        self.framework.as_deref().is_some_and(|name| !own(name.trim()))
    }

    fn read(lines: &[Line<'_>]) -> Self {
        let mut meta = Self::default();
        for (key, value) in lines.iter().filter_map(|line| line.text.split_once(':')) {
            let slot = match key.trim() {
                "subject" => &mut meta.subject,
                "title" => &mut meta.title,
                "framework" => &mut meta.framework,
                "version" => &mut meta.version,
                "text_kind" => &mut meta.text_kind,
                "source" => &mut meta.source,
                _ => continue,
            };
            *slot = Some(plain_value(value)).filter(|value| !value.is_empty());
        }
        meta
    }
}

/// A value without its quotation marks or the comment after it.
fn plain_value(value: &str) -> String {
    let value = value.trim();
    for mark in ['"', '\''] {
        if let Some((inner, _)) = value.strip_prefix(mark).and_then(|rest| rest.split_once(mark)) {
            return inner.to_owned();
        }
    }
    let comment = if value.starts_with('#') { Some(0) } else { value.find(" #") };
    part(value, 0..comment.unwrap_or(value.len())).trim().to_owned()
}

#[cfg(test)]
mod tests;
