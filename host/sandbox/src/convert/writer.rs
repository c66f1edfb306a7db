//! Writers: what they are asked, and the documents that come back.

use ta_core::text::visible;

use crate::bindings::exports::teacher_assist::plugin::writer;
use crate::bindings::teacher_assist::plugin::types;
use crate::limits::DOCUMENT_BYTES_MAX;

/// Letters of a document's name, and of what it is.
const NAME_CHARS_MAX: usize = 120;

/// What a writer is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DocumentRequest<'a> {
    /// The form of the document, such as `pdf`.
    pub format: &'a str,
    /// The text, in markdown.
    pub text: &'a str,
    /// The part of it that is wanted; none for the whole.
    pub part: Option<&'a str>,
}

/// A document, and what to call it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The file.
    pub bytes: Vec<u8>,
    /// What it is, fit for a header of HTTP.
    pub media_type: String,
    /// A name for the file, without any directory: ASCII letters, digits, `-`, `_` and `.`.
    pub name: String,
}

/// Why a writer made no document, or a reader read none, in its own words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentFailure {
    /// A stable word of lower-case letters, digits and `-`.
    pub code: String,
    /// What is wrong.
    pub message: String,
    /// What the person can do.
    pub hint: String,
}

impl writer::Request {
    pub(crate) fn of(it: &DocumentRequest<'_>, options: &std::collections::BTreeMap<String, String>) -> Self {
        let option = |(name, value): (&String, &String)| types::Entry { name: name.clone(), value: value.clone() };
        Self {
            format: it.format.to_owned(),
            text: it.text.to_owned(),
            part: it.part.map(ToOwned::to_owned),
            options: options.iter().map(option).collect(),
        }
    }
}

/// A document that can be written and sent; the error says what of it cannot.
impl TryFrom<writer::Document> for Document {
    type Error = String;

    fn try_from(it: writer::Document) -> Result<Self, String> {
        if it.bytes.len() > DOCUMENT_BYTES_MAX {
            return Err(format!("the document has {} bytes; it may have {DOCUMENT_BYTES_MAX}", it.bytes.len()));
        }
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let named = (1..=NAME_CHARS_MAX).contains(&it.name.len()) && !it.name.starts_with('.');
        if !named || !it.name.chars().all(plain) {
            return Err(format!("`{}` is no name for a file", visible(&it.name)));
        }
        let sendable = |c: char| c.is_ascii_graphic() || c == ' ';
        let slashed = it.media_type.split_once('/').is_some_and(|(kind, rest)| !kind.is_empty() && !rest.is_empty());
        if !slashed || it.media_type.len() > NAME_CHARS_MAX || !it.media_type.chars().all(sendable) {
            return Err(format!("`{}` is no media type", visible(&it.media_type)));
        }
        Ok(Self { bytes: it.bytes, media_type: it.media_type, name: it.name })
    }
}

/// A failure whose code can be shown as one of this host's; the error says why it cannot.
impl TryFrom<writer::Failure> for DocumentFailure {
    type Error = String;

    fn try_from(it: writer::Failure) -> Result<Self, String> {
        failed(it.code, &it.message, &it.hint)
    }
}

/// A failure in words of the guest that a person may be shown.
pub(super) fn failed(code: String, message: &str, hint: &str) -> Result<DocumentFailure, String> {
    plain_word(&code, "code of a failure")?;
    Ok(DocumentFailure { code, message: visible(message), hint: visible(hint) })
}

/// Whether a word can be shown as one of this host's; the error says that it cannot.
pub(super) fn plain_word(word: &str, what: &str) -> Result<(), String> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if (1..=NAME_CHARS_MAX).contains(&word.len()) && word.chars().all(plain) {
        return Ok(());
    }
    Err(format!("`{}` is no {what}", visible(word)))
}
