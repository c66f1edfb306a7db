//! Sources, read: whatever the format, a document is a list of blocks, each with its place.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::doubt::Doubt;
use crate::error::ImportError;
use crate::framework::Sight;

mod docx;
mod markup;
mod pdf;
mod plain;
mod sheet;

/// Where something stands in a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// A page of a PDF.
    Page(u32),
    /// A line of a text or of HTML.
    Line(u32),
    /// A row of a table, or a paragraph of a DOCX.
    Row(u32),
    /// A paragraph of a DOCX, which has no pages before it is printed.
    Paragraph(u32),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Page(number) => write!(f, "page {number}"),
            Self::Line(number) => write!(f, "line {number}"),
            Self::Row(number) => write!(f, "row {number}"),
            Self::Paragraph(number) => write!(f, "paragraph {number}"),
        }
    }
}

/// In reports a place is what a person reads; the host hands it on as `{"page": 3}`.
impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Place {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(rename_all = "kebab-case")]
        enum Handed {
            Page(u32),
            Line(u32),
            Row(u32),
            Paragraph(u32),
        }
        Ok(match Handed::deserialize(deserializer)? {
            Handed::Page(number) => Self::Page(number),
            Handed::Line(number) => Self::Line(number),
            Handed::Row(number) => Self::Row(number),
            Handed::Paragraph(number) => Self::Paragraph(number),
        })
    }
}

/// One cell of a row.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Cell {
    /// What the head of its column says; empty where the table has none.
    pub head: String,
    /// Its text; lines as they are broken in the source.
    pub text: String,
}

/// What a block is.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// A heading.
    Heading(String),
    /// A paragraph; lines as they are broken in the source.
    Text(String),
    /// A row of a table.
    Row(Vec<Cell>),
}

/// A heading, paragraph or row, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Block {
    /// Where.
    pub place: Place,
    /// In which column of the page; 0 where there is but one.
    pub column: u32,
    /// What.
    pub shape: Shape,
}

impl Block {
    pub(crate) fn text(place: Place, text: impl Into<String>) -> Self {
        Self { place, column: 0, shape: Shape::Text(text.into()) }
    }
}

/// The format of a source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Portable Document Format.
    Pdf,
    /// A web page.
    Html,
    /// A Word document.
    Docx,
    /// A table as text.
    Csv,
    /// Plain text, markdown included.
    Text,
}

impl Format {
    /// The format, by the first bytes, and where these say nothing, by the name.
    ///
    /// # Errors
    /// When it is none of these.
    pub fn of(name: &str, bytes: &[u8]) -> Result<Self, ImportError> {
        let extension = name.rsplit_once('.').map(|(_, end)| end.to_ascii_lowercase()).unwrap_or_default();
        let head = bytes.get(..bytes.len().min(1024)).unwrap_or_default();
        if head.windows(5).any(|window| window == b"%PDF-") {
            return Ok(Self::Pdf);
        }
        if head.starts_with(b"PK\x03\x04") {
            return if matches!(extension.as_str(), "docx" | "docm") {
                Ok(Self::Docx)
            } else {
                Err(Self::unknown(name, "it is a zip and not a Word document"))
            };
        }
        if head.contains(&0) {
            return Err(Self::unknown(name, "it is binary and none of these"));
        }
        let start = String::from_utf8_lossy(head).trim_start_matches('\u{feff}').trim_start().to_ascii_lowercase();
        match extension.as_str() {
            "pdf" | "docx" => Err(Self::unknown(name, "its name says one of these, its contents do not")),
            "html" | "htm" | "xhtml" => Ok(Self::Html),
            "csv" | "tsv" => Ok(Self::Csv),
            _ if start.starts_with("<!doctype html") || start.starts_with("<html") => Ok(Self::Html),
            "txt" | "md" | "text" | "" => Ok(Self::Text),
            _ => Err(Self::unknown(name, "its name does not say what it is")),
        }
    }

    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pdf => "pdf",
            Self::Html => "html",
            Self::Docx => "docx",
            Self::Csv => "csv",
            Self::Text => "text",
        }
    }

    fn unknown(name: &str, why: &str) -> ImportError {
        let message = format!("{name} is no PDF, HTML, DOCX, CSV or text: {why}");
        ImportError::new("import.format", message, "save it as one of these, with the usual ending")
    }
}

/// Bytes with a name.
#[derive(Debug, Clone)]
pub struct Source {
    /// The file's name, without its directory.
    pub name: String,
    /// What it holds.
    pub bytes: Vec<u8>,
}

/// A source, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// The format.
    pub format: Format,
    /// Pages, where it has pages.
    pub pages: Option<u32>,
    /// Its blocks, in reading order.
    pub blocks: Vec<Block>,
    /// What was uncertain on the way.
    pub doubts: Vec<Doubt>,
}

/// A source that some reader read, and the file that it was.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Document {
    /// The file's name.
    pub name: String,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
    /// Its blocks, in reading order.
    pub blocks: Vec<Block>,
    /// What was uncertain on the way.
    pub doubts: Vec<Doubt>,
}

impl Source {
    /// Reads the source. What codes are `sight` says: in a PDF, a code in the margin belongs to the text beside it, and what
    /// holds a code is no footer.
    ///
    /// # Errors
    /// When it is none of the formats, exceeds a limit, is encrypted, or cannot be read.
    pub fn read(self, sight: &dyn Fn(&str) -> Sight) -> Result<Reading, ImportError> {
        if self.bytes.is_empty() {
            let message = format!("{} is empty", self.name);
            return Err(ImportError::new("import.empty", message, "give a file that holds the published text"));
        }
        let format = Format::of(&self.name, &self.bytes)?;
        let Parts { pages, blocks, doubts } = match format {
            Format::Pdf => pdf::read(&self.name, self.bytes, sight),
            Format::Docx => docx::read(&self.name, &self.bytes),
            Format::Html => markup::html(&plain::decoded(&self.bytes)),
            Format::Csv => sheet::read(&self.name, &self.bytes),
            Format::Text => plain::read(&plain::decoded(&self.bytes)),
        }?;
        Ok(Reading { format, pages, blocks, doubts })
    }
}

/// What a reader gives.
#[derive(Debug, Default)]
struct Parts {
    pages: Option<u32>,
    blocks: Vec<Block>,
    doubts: Vec<Doubt>,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn the_format_is_what_the_bytes_say() {
        let of = |name: &str, bytes: &[u8]| Format::of(name, bytes).map_err(|error| error.code);
        assert_eq!(of("a.txt", b"%PDF-1.7 ..."), Ok(Format::Pdf));
        assert_eq!(of("a.docx", b"PK\x03\x04rest"), Ok(Format::Docx));
        assert_eq!(of("page", b"\xef\xbb\xbf<!DOCTYPE html><p>"), Ok(Format::Html));
        assert_eq!(of("a.csv", b"code,text"), Ok(Format::Csv));
        assert_eq!(of("notes.txt", b"TCH 3-14a"), Ok(Format::Text));
        for (name, bytes) in [("a.pdf", &b"text"[..]), ("a.xlsx", b"PK\x03\x04"), ("a.txt", b"a\0b"), ("a.odt", b"x")] {
            assert_eq!(of(name, bytes), Err("import.format"), "{name}");
        }
    }
}
