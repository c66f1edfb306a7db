//! Course specifications, past papers and marking instructions: parted into questions or sections, each tagged with the
//! codes it exercises.
//!
//! Papers name no codes as a rule. A code that stands in the text, or that a person gives, is a tag; one that follows from the
//! words alone is a suggestion, and says by which words.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use ta_curriculum::file::CurriculumFile;
use ta_curriculum::outline::Outline;

use crate::doubt::{Doubt, Kind};
use crate::error::ImportError;
use crate::framework::Framework;
use crate::hits;
use crate::source::{Document, Place, Shape};
use crate::text::{escaped, on_one_line, shortened, trimmed};
use crate::write::{About, front_matter};

/// The name of the index, beside the papers.
pub const INDEX: &str = "by-code.md";
/// Suggestions for one question.
const SUGGESTIONS_MAX: usize = 3;
/// Letters of a word that says what a question is about.
const WORD_LETTERS_MIN: usize = 4;
/// The highest number of a question.
const QUESTION_MAX: u32 = 200;
/// Characters of a section's title.
const TITLE_CHARS_MAX: usize = 100;

/// What kind of paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PaperKind {
    /// A course specification: sections under headings.
    Specification,
    /// A question paper.
    PastPaper,
    /// Marking instructions: by the numbers of the questions.
    Marking,
}

impl PaperKind {
    /// The name in front matter.
    pub fn name(self) -> &'static str {
        match self {
            Self::Specification => "specification",
            Self::PastPaper => "past-paper",
            Self::Marking => "marking",
        }
    }
}

/// A question or a section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Item {
    /// Its heading: `Question 3`, or the section's own.
    pub title: String,
    /// Its paragraphs, each on one line.
    pub lines: Vec<String>,
    /// Where it begins.
    pub place: Place,
    /// Codes that stand in it or that a person gave.
    pub codes: Vec<String>,
    /// Codes that its words suggest, with these words.
    pub suggested: Vec<(String, Vec<String>)>,
    /// Marks, where it says so.
    pub marks: Option<u32>,
}

/// What the words of a question are compared with: a code and its topics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Topics {
    /// The code.
    pub code: String,
    /// Topics and keywords.
    pub phrases: Vec<String>,
}

impl Topics {
    /// The topics and keywords of a curriculum file's entries.
    pub fn of(file: &CurriculumFile) -> Vec<Self> {
        let own = file.entries.iter().flat_map(|entry| entry.codes.iter().map(move |code| (code.to_string(), entry)));
        let others = file.labelled.iter().map(|it| (it.label.clone(), &it.entry));
        own.chain(others)
            .map(|(code, entry)| {
                let topics = entry.field("Topics").unwrap_or_default().split(',');
                let keywords = entry.field("Keywords").unwrap_or_default().split(';');
                let keywords = keywords.filter_map(|keyword| keyword.split(':').next());
                let phrases = topics.chain(keywords).map(|phrase| phrase.trim().to_lowercase());
                let mut phrases: Vec<String> = phrases.filter(|phrase| phrase.len() >= WORD_LETTERS_MIN).collect();
                phrases.sort();
                phrases.dedup();
                Self { code, phrases }
            })
            .collect()
    }
}

/// How papers are tagged.
#[derive(Debug, Clone, Copy)]
pub struct Tagging<'a> {
    /// Codes for whatever names none itself.
    pub given: &'a [String],
    /// What words are compared with.
    pub topics: &'a [Topics],
}

/// Parts a document into questions or sections, and tags them.
pub fn find(
    document: &Document,
    framework: &Framework,
    kind: PaperKind,
    tagging: Tagging<'_>,
) -> (Vec<Item>, Vec<Doubt>) {
    let mut parter = Parter { items: Vec::new(), last: 0, kind };
    for block in &document.blocks {
        match &block.shape {
            Shape::Heading(text) => parter.heading(text, block.place),
            Shape::Text(text) => parter.text(text, block.place),
            Shape::Row(cells) => {
                let cells: Vec<String> = cells.iter().map(|cell| on_one_line(&cell.text).0).collect();
                parter.text(
                    &cells.iter().filter(|cell| !cell.is_empty()).cloned().collect::<Vec<_>>().join(" "),
                    block.place,
                );
            }
        }
    }
    let mut doubts = Vec::new();
    let mut items = parter.items;
    items.retain(|item| !item.lines.is_empty());
    for item in &mut items {
        tag(item, framework, tagging, &mut doubts);
    }
    (items, doubts)
}

struct Parter {
    items: Vec<Item>,
    /// The number of the last question.
    last: u32,
    kind: PaperKind,
}

impl Parter {
    fn open(&mut self, title: String, place: Place) {
        let (lines, codes, suggested) = (Vec::new(), Vec::new(), Vec::new());
        self.items.push(Item { title, lines, place, codes, suggested, marks: None });
    }

    fn heading(&mut self, text: &str, place: Place) {
        let (text, _) = on_one_line(text);
        match self.kind {
            PaperKind::Specification => self.open(shortened(&text, TITLE_CHARS_MAX), place),
            PaperKind::PastPaper | PaperKind::Marking => self.text(&text, place),
        }
    }

    /// Lines of a paragraph; each may begin a question.
    fn text(&mut self, text: &str, place: Place) {
        let mut open: Vec<&str> = Vec::new();
        for line in text.split('\n') {
            let numbered = (self.kind != PaperKind::Specification).then(|| self.number(line)).flatten();
            if let Some((number, rest)) = numbered {
                self.close(&open);
                open.clear();
                self.last = number;
                self.open(format!("Question {number}"), place);
                open.push(rest);
            } else {
                open.push(line);
            }
        }
        self.close(&open);
    }

    fn close(&mut self, lines: &[&str]) {
        let (text, _) = on_one_line(&lines.join("\n"));
        let text = trimmed(&text);
        if text.is_empty() {
            return;
        }
        // What stands before the first question is the cover.
        if let Some(item) = self.items.last_mut() {
            item.lines.push(text.to_owned());
        }
    }

    /// The number of a question that a line begins, and the rest of the line. Numbers count up by one, so a year or a
    /// measure at the beginning of a line is none.
    fn number<'a>(&self, line: &'a str) -> Option<(u32, &'a str)> {
        let line = line.trim_start();
        let bare = ["Question", "QUESTION", "Q"].iter().find_map(|word| line.strip_prefix(word));
        let rest = bare.unwrap_or(line).trim_start_matches(['.', ' ']);
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (number, rest) = rest.split_at_checked(digits)?;
        let number: u32 = number.parse().ok()?;
        let parted = rest.is_empty() || rest.starts_with([' ', '.', ')', ':', '(', '\t']);
        let decimal = rest.starts_with('.') && rest.chars().nth(1).is_some_and(|c| c.is_ascii_digit());
        let next = number == self.last + 1 && number <= QUESTION_MAX;
        (next && parted && !decimal).then(|| (number, rest.trim_start_matches(['.', ')', ':', ' ', '\t'])))
    }
}

fn tag(item: &mut Item, framework: &Framework, tagging: Tagging<'_>, doubts: &mut Vec<Doubt>) {
    let text = format!("{}\n{}", item.title, item.lines.join("\n"));
    for hit in hits::read(framework, &text).hits {
        for code in hit.found.codes {
            if !item.codes.contains(&code.text) {
                item.codes.push(code.text);
            }
        }
    }
    if item.codes.is_empty() {
        item.codes.extend(tagging.given.iter().cloned());
    }
    item.marks = marks(&item.lines);
    item.suggested = suggested(&text, tagging.topics);
    item.suggested.retain(|(code, _)| !item.codes.contains(code));
    if item.codes.is_empty() {
        let (kind, message) = match item.suggested.first() {
            Some((code, words)) => {
                let message = format!("{} names no code; its words ({}) suggest {code}", item.title, words.join(", "));
                (Kind::Suggested, message)
            }
            None => (Kind::Untagged, format!("{} names no code and its words suggest none", item.title)),
        };
        doubts.push(Doubt::at(kind, item.place, message));
    }
}

/// "(3 marks)", "3 marks", or a number alone in brackets at the end of a line; added up over the parts of a question.
fn marks(lines: &[String]) -> Option<u32> {
    let mut sum = 0;
    for line in lines {
        let words: Vec<&str> = line.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']')).collect();
        for pair in words.windows(2) {
            if let [number, word] = *pair
                && matches!(word.trim_end_matches(['.', ',', ';']), "mark" | "marks")
            {
                sum += number.parse::<u32>().unwrap_or(0);
            }
        }
    }
    (sum > 0 && sum <= 500).then_some(sum)
}

/// The codes whose topics occur in a text: a phrase of several words counts twice, and one word alone is not enough.
fn suggested(text: &str, topics: &[Topics]) -> Vec<(String, Vec<String>)> {
    let words: Vec<String> =
        text.to_lowercase().split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty()).map(stem).collect();
    let mut scored: Vec<(usize, &Topics, Vec<String>)> = Vec::new();
    for topic in topics {
        let occurs = |phrase: &&String| {
            let phrase: Vec<String> =
                phrase.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty()).map(stem).collect();
            !phrase.is_empty() && words.windows(phrase.len()).any(|window| window == phrase)
        };
        let found: Vec<String> = topic.phrases.iter().filter(occurs).cloned().collect();
        let score: usize = found.iter().map(|phrase| if phrase.contains([' ', '-']) { 2 } else { 1 }).sum();
        if score >= 2 {
            scored.push((score, topic, found));
        }
    }
    scored.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.code.cmp(&b.1.code)));
    scored.into_iter().take(SUGGESTIONS_MAX).map(|(_, topic, found)| (topic.code.clone(), found)).collect()
}

/// A word without the ending of its plural.
fn stem(word: &str) -> String {
    let plain = word.strip_suffix("es").filter(|stem| stem.ends_with(['s', 'x', 'z', 'h']));
    let plain = plain
        .or_else(|| word.strip_suffix('s').filter(|stem| stem.len() >= WORD_LETTERS_MIN - 1 && !stem.ends_with('s')));
    plain.unwrap_or(word).to_owned()
}

/// The text of a paper's file.
///
/// # Errors
/// When it does not come out of the reader as it went in.
pub fn paper_file(
    items: &[Item],
    kind: PaperKind,
    framework: &Framework,
    about: &About,
    document: &Document,
) -> Result<String, ImportError> {
    let mut text = front_matter(&[
        ("kind", kind.name()),
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
        "\n# {}\n\nTaken from the source by a program. `Codes` stand in the source or were given by hand; `Suggested codes` follow from the words\n\
         in brackets: move those that are right to `Codes`.\n",
        escaped(&about.title)
    );
    for item in items {
        let _ = write!(text, "\n## {}\n\n", escaped(&item.title));
        if !item.codes.is_empty() {
            let _ = writeln!(text, "- **Codes:** {}", item.codes.join(", "));
        }
        if !item.suggested.is_empty() {
            let suggested: Vec<String> =
                item.suggested.iter().map(|(code, words)| format!("{code} ({})", escaped(&words.join(", ")))).collect();
            let _ = writeln!(text, "- **Suggested codes:** {}", suggested.join("; "));
        }
        if let Some(marks) = item.marks {
            let _ = writeln!(text, "- **Marks:** {marks}");
        }
        let _ = writeln!(text, "- **Place:** {}", item.place);
        let lines: Vec<String> = item.lines.iter().map(|line| escaped(line)).collect();
        let _ = writeln!(text, "- **Text:** {}", lines.join("\n  "));
    }
    let read = entries(&text);
    let same = read.len() == items.len()
        && read
            .iter()
            .zip(items)
            .all(|(entry, item)| entry.title == escaped(&item.title) && tags(&entry.codes, framework) == item.codes);
    if same {
        return Ok(text);
    }
    let message = "the file does not come out of the reader as it went in and was not written";
    Err(ImportError::new("import.read-back", message, "report it with the source"))
}

fn tags(field: &str, framework: &Framework) -> Vec<String> {
    framework.find(field).into_iter().flat_map(|found| found.codes).map(|code| code.text).collect()
}

/// An entry of a paper's file, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaperEntry {
    /// Its heading.
    pub title: String,
    /// Number of the heading's line.
    pub first_line: u32,
    /// Number of its last line that is not blank.
    pub last_line: u32,
    /// The field `Codes`, as it is written.
    pub codes: String,
    /// The field `Suggested codes`.
    pub suggested: String,
    /// Number of the line of `Codes`.
    pub codes_line: u32,
}

/// Reads the entries of a paper's file.
pub fn entries(text: &str) -> Vec<PaperEntry> {
    let mut read = Vec::new();
    for section in Outline::read(text).sections {
        let body = text.get(section.range.clone()).unwrap_or_default();
        let mut entry = PaperEntry {
            title: section.title,
            first_line: section.first_line,
            last_line: section.first_line,
            codes: String::new(),
            suggested: String::new(),
            codes_line: section.first_line,
        };
        for (number, line) in (section.first_line..).zip(body.lines()) {
            if !line.trim().is_empty() {
                entry.last_line = number;
            }
            if let Some(codes) = line.strip_prefix("- **Codes:**") {
                (entry.codes, entry.codes_line) = (codes.trim().to_owned(), number);
            } else if let Some(codes) = line.strip_prefix("- **Suggested codes:**") {
                codes.trim().clone_into(&mut entry.suggested);
            }
        }
        read.push(entry);
    }
    read
}

/// The index: for each code the questions and sections that exercise it, each with its file and lines. Papers come with
/// their names below the workspace.
pub fn index(papers: &[(String, String)], framework_of: impl Fn(&str) -> Option<Framework>) -> String {
    let mut by_code: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, text) in papers {
        let meta = CurriculumFile::parse(text).meta;
        let Some(framework) = framework_of(meta.framework.as_deref().unwrap_or(crate::framework::BUILT_IN)) else {
            continue;
        };
        let title = meta.title.unwrap_or_else(|| path.clone());
        for entry in entries(text) {
            let place = format!("{path}#L{}-L{}", entry.first_line, entry.last_line);
            let link = format!("[{}, {}]({place})", escaped(&title), entry.title);
            let certain = tags(&entry.codes, &framework);
            for code in tags(&entry.suggested, &framework).into_iter().filter(|code| !certain.contains(code)) {
                by_code.entry(code).or_default().push(format!("{link} (suggested)"));
            }
            for code in certain {
                by_code.entry(code).or_default().push(link.clone());
            }
        }
    }
    let mut text = "# Papers by code\n\nMade by `curriculum import`; a change by hand is lost with the next import. Each line names a code and the\n\
        questions and sections that exercise it, with file and lines. `suggested` means: by its words only.\n\n"
        .to_owned();
    for (code, links) in by_code {
        let _ = writeln!(text, "- **{code}:** {}", links.join("; "));
    }
    text
}
