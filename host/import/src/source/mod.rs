//! Sources, read: whatever the format, a document is a list of blocks, each with its place.

use std::any::Any;
use std::sync::mpsc;
use std::{fmt, panic, thread};

use serde::{Serialize, Serializer};
use sha2::{Digest as _, Sha256};

use crate::doubt::Doubt;
use crate::error::ImportError;
use crate::framework::Sight;
use crate::limits::{READING_TIME_MAX, SOURCE_BYTES_MAX, STACK_BYTES};

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

impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// One cell of a row.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cell {
    /// What the head of its column says; empty where the table has none.
    pub head: String,
    /// Its text; lines as they are broken in the source.
    pub text: String,
}

/// What a block is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shape {
    /// A heading.
    Heading(String),
    /// A paragraph; lines as they are broken in the source.
    Text(String),
    /// A row of a table.
    Row(Vec<Cell>),
}

/// A heading, paragraph or row, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
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

    /// Whether a file of this name is one to look at in a directory.
    pub fn is_known(name: &str) -> bool {
        const KNOWN: [&str; 8] = ["pdf", "html", "htm", "xhtml", "docx", "csv", "tsv", "txt"];
        name.rsplit_once('.').is_some_and(|(_, end)| KNOWN.iter().any(|known| known.eq_ignore_ascii_case(end)))
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
pub struct Document {
    /// The file's name.
    pub name: String,
    /// SHA-256 of its bytes, in hexadecimal.
    pub sha256: String,
    /// The format.
    pub format: Format,
    /// Pages, where it has pages.
    pub pages: Option<u32>,
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
    pub fn read(self, sight: impl Fn(&str) -> Sight + Send + 'static) -> Result<Document, ImportError> {
        if self.bytes.len() > SOURCE_BYTES_MAX {
            let message = format!("{} has {} bytes; at most {SOURCE_BYTES_MAX} are read", self.name, self.bytes.len());
            return Err(ImportError::new("import.too-large", message, "split the document"));
        }
        if self.bytes.is_empty() {
            let message = format!("{} is empty", self.name);
            return Err(ImportError::new("import.empty", message, "give a file that holds the published text"));
        }
        let format = Format::of(&self.name, &self.bytes)?;
        let sha256 = hex::encode(Sha256::digest(&self.bytes));
        let name = self.name.clone();
        let parts = guarded(&name, move || match format {
            Format::Pdf => pdf::read(&self.name, self.bytes, &sight),
            Format::Docx => docx::read(&self.name, &self.bytes),
            Format::Html => markup::html(&plain::decoded(&self.bytes)),
            Format::Csv => sheet::read(&self.name, &self.bytes),
            Format::Text => plain::read(&plain::decoded(&self.bytes)),
        })?;
        Ok(Document { name, sha256, format, pages: parts.pages, blocks: parts.blocks, doubts: parts.doubts })
    }
}

/// What a reader gives.
#[derive(Debug, Default)]
struct Parts {
    pages: Option<u32>,
    blocks: Vec<Block>,
    doubts: Vec<Doubt>,
}

/// The name of the thread that reads, by which a panic in it is kept from the terminal.
const THREAD: &str = "curriculum-reader";

/// Runs a reader in a thread with a large stack and a clock. A panic of a library becomes an error with a name; a reader
/// that takes too long is left behind and ends with the process.
fn guarded<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> Result<T, ImportError> + Send + 'static,
) -> Result<T, ImportError> {
    quiet_panics();
    let (sender, receiver) = mpsc::channel();
    let run = move || {
        let result = panic::catch_unwind(panic::AssertUnwindSafe(work));
        let _ = sender.send(result);
    };
    let started = thread::Builder::new().name(THREAD.to_owned()).stack_size(STACK_BYTES).spawn(run);
    if let Err(error) = started {
        return Err(ImportError::new("import.thread", format!("no thread to read in: {error}"), "free some memory"));
    }
    match receiver.recv_timeout(READING_TIME_MAX) {
        Ok(Ok(result)) => result,
        Ok(Err(panic)) => {
            let message = format!("{name} cannot be read: the reader stopped at \"{}\"", reason(&*panic));
            Err(ImportError::new("import.malformed", message, "open it, save it anew as PDF or text, and import that"))
        }
        Err(_) => {
            let message = format!("{name} was not read within {} seconds", READING_TIME_MAX.as_secs());
            Err(ImportError::new("import.too-slow", message, "split the document, or save it as text"))
        }
    }
}

fn reason(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic".to_owned())
}

/// Keeps panics of the reading thread from the terminal; all others are shown as before.
fn quiet_panics() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let before = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if thread::current().name() != Some(THREAD) {
                before(info);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_panic_of_a_reader_is_an_error_with_a_name() {
        let error = guarded::<()>("a.pdf", || panic!("out of bounds")).unwrap_err();
        assert_eq!(error.code, "import.malformed");
        assert!(error.message.contains("out of bounds"), "{error}");
    }

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
