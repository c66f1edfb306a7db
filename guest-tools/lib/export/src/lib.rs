//! Makes documents of a lesson: markdown, Word and PDF, all of it or what is for pupils.
//!
//! Text goes in, bytes come out. It opens no file, fetches nothing, knows neither clock nor run: the same text gives
//! the same bytes. HTML in a text is not passed on, formulas are laid out and never shown as LaTeX, and however hostile
//! the text is, the answer is a document or an error with a code.
//!
//! Start reading at [`export`]; then `read` (markdown into blocks), `pupil`, and one module for each form.

mod clean;
mod document;
mod docx;
mod error;
mod limits;
mod markdown;
mod math;
mod pdf;
mod pupil;
mod read;

use document::{Block, text_of};
pub use error::ExportError;

/// A form of document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Form {
    /// The text itself.
    Markdown,
    /// Word, as Office Open XML.
    Docx,
    /// PDF: A4, tagged, with its fonts inside.
    Pdf,
}

/// How much of a lesson.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Part {
    /// All of it.
    #[default]
    All,
    /// What pupils read: no answers, no notes for the teacher.
    Pupil,
}

/// What a document is to be like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// How much of the lesson.
    pub part: Part,
    /// The title in the document's properties; without it the text's first heading.
    pub title: Option<String>,
    /// The language that readers aloud and spelling checkers are told.
    pub language: String,
}

impl Default for Options {
    fn default() -> Self {
        Self { part: Part::All, title: None, language: "en-GB".into() }
    }
}

/// A text that is ready to be laid out.
pub(crate) struct Prepared {
    pub(crate) title: String,
    pub(crate) language: String,
    pub(crate) part: Part,
    pub(crate) blocks: Vec<Block>,
}

/// Makes a document of a markdown text.
///
/// # Errors
///
/// The text is empty, too long, has nothing for pupils where that was asked for, or the language is none.
pub fn export(markdown: &str, form: Form, options: &Options) -> Result<Vec<u8>, ExportError> {
    if markdown.len() > limits::SOURCE_BYTES {
        return Err(ExportError::TooLarge { bytes: markdown.len() });
    }
    if !is_language(&options.language) {
        return Err(ExportError::Language(options.language.clone()));
    }
    let text = clean::nesting(&clean::characters(markdown));
    let text = match options.part {
        Part::All => text,
        Part::Pupil => pupil::pupil_part(&text).ok_or(ExportError::NoPupilPart)?,
    };
    if text.trim().is_empty() {
        return Err(ExportError::Empty);
    }
    if form == Form::Markdown {
        return Ok(markdown::write(&text));
    }
    let blocks = read::read(&clean::formulas(&text))?;
    if blocks.is_empty() {
        return Err(ExportError::Empty);
    }
    let title = options.title.clone().unwrap_or_else(|| title_of(&blocks));
    let prepared = Prepared {
        title: short(&clean::characters(&title)),
        language: options.language.clone(),
        part: options.part,
        blocks,
    };
    match form {
        Form::Docx => docx::write(&prepared),
        Form::Pdf | Form::Markdown => pdf::write(&prepared),
    }
}

/// The media type to serve a document with.
pub fn media_type(form: Form) -> &'static str {
    match form {
        Form::Markdown => "text/markdown; charset=utf-8",
        Form::Docx => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        Form::Pdf => "application/pdf",
    }
}

/// A name for the file: `adding-fractions-pupils.pdf`. Plain letters, so that every system takes it.
pub fn file_name(title: &str, form: Form, part: Part) -> String {
    let mut name = String::new();
    for c in title.chars().flat_map(char::to_lowercase) {
        if c.is_ascii_alphanumeric() {
            name.push(c);
        } else if !name.is_empty() && !name.ends_with('-') && !matches!(c, '\'' | '’') {
            name.push('-');
        }
        if name.len() >= 60 {
            break;
        }
    }
    let name = name.trim_end_matches('-');
    let name = if name.is_empty() { "lesson" } else { name };
    let part = if part == Part::Pupil { "-pupils" } else { "" };
    let ending = match form {
        Form::Markdown => "md",
        Form::Docx => "docx",
        Form::Pdf => "pdf",
    };
    // Not a name that Windows keeps for a device.
    let reserved = matches!(name, "con" | "prn" | "aux" | "nul")
        || (name.len() == 4 && (name.starts_with("com") || name.starts_with("lpt")));
    let before = if reserved && part.is_empty() { "lesson-" } else { "" };
    format!("{before}{name}{part}.{ending}")
}

/// The title that a document of this text has: its first heading.
pub fn title(markdown: &str) -> String {
    let lines = ta_curriculum::markdown::lines(markdown);
    let mut headings = lines.iter().filter_map(|line| match line.kind {
        ta_curriculum::markdown::Kind::Heading(_) => ta_curriculum::markdown::heading(line.text),
        _ => None,
    });
    let title = headings.next().map(|(_, title)| title.replace(['*', '`'], ""));
    short(&clean::characters(&title.filter(|it| !it.trim().is_empty()).unwrap_or_else(|| "Lesson".into())))
}

fn title_of(blocks: &[Block]) -> String {
    let mut headings = blocks.iter().filter_map(|block| match block {
        Block::Heading { inlines, .. } => Some(text_of(inlines)),
        _ => None,
    });
    headings.next().unwrap_or_else(|| "Lesson".into())
}

fn short(title: &str) -> String {
    let title = title.split_whitespace().collect::<Vec<_>>().join(" ");
    if title.is_empty() { "Lesson".into() } else { title.chars().take(limits::TITLE_CHARS).collect() }
}

/// The form of a language tag: `en`, `en-GB`, `gd`.
fn is_language(tag: &str) -> bool {
    let mut parts = tag.split('-');
    let first =
        parts.next().is_some_and(|it| (2..=3).contains(&it.len()) && it.chars().all(|c| c.is_ascii_alphabetic()));
    first
        && tag.len() <= 35
        && parts.all(|it| (1..=8).contains(&it.len()) && it.chars().all(|c| c.is_ascii_alphanumeric()))
}
