//! The guard: every outcome code in an output is a claim, and every claim needs a pointer to the words it rests on.
//!
//! The failure to fear is not the invented code but the real code with the wrong text, so the guard follows each pointer
//! into the file and compares: do the cited lines exist, do they hold the quote, do they belong to this code, is what the
//! lesson says beside the code what the file says. What it finds it names by [`Class`]; one finding for one problem, the
//! most specific class first.
//!
//! The way through: `page` reads the output, `library` the files, then `pointers`, `levels` and `wording` look at one kind
//! of problem each, and `codes` at each code as a whole. It never says that a lesson is good, only that its
//! claims can be followed.

use ta_curriculum::level::Levels;

mod codes;
mod levels;
mod library;
mod page;
mod pointers;
mod rework;
mod wording;
mod words;

pub use rework::rework_instruction;

use library::Library;
use page::Page;

/// What is wrong with a claim. The names are the same in traces, studies and messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// No curriculum file of the workspace has the code.
    UnknownCode,
    /// The text around the code says another level.
    WrongLevel,
    /// A real code with a text that is not its own.
    WrongText,
    /// The quote does not stand on the lines pointed to.
    QuoteNotFound,
    /// The file has no such lines.
    RangeOutsideFile,
    /// The file cannot be read.
    FileMissing,
    /// The file is not the one that was read earlier in this run.
    FileChanged,
    /// The code or its file belongs to another curriculum than the class's.
    OtherCurriculum,
    /// Nothing in the output points to the code's text.
    NoPointer,
}

impl Class {
    /// All classes.
    pub const ALL: [Self; 9] = [
        Self::UnknownCode,
        Self::WrongLevel,
        Self::WrongText,
        Self::QuoteNotFound,
        Self::RangeOutsideFile,
        Self::FileMissing,
        Self::FileChanged,
        Self::OtherCurriculum,
        Self::NoPointer,
    ];

    /// The name in traces and studies.
    pub fn name(self) -> &'static str {
        match self {
            Self::UnknownCode => "unknown-code",
            Self::WrongLevel => "wrong-level",
            Self::WrongText => "wrong-text",
            Self::QuoteNotFound => "quote-not-found",
            Self::RangeOutsideFile => "range-outside-file",
            Self::FileMissing => "file-missing",
            Self::FileChanged => "file-changed",
            Self::OtherCurriculum => "other-curriculum",
            Self::NoPointer => "no-pointer",
        }
    }
}

/// One problem with one claim.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What is wrong.
    pub class: Class,
    /// The code that is claimed, in its one right form where it has one.
    pub code: Option<String>,
    /// The title of the section that it stands in; `None` before the first.
    pub section: Option<String>,
    /// Number of the output's line, from 1.
    pub line: u32,
    /// What was expected, what was found and what to do, in at most [`MESSAGE_CHARS_MAX`] characters.
    pub message: String,
}

/// The longest message, so that twenty findings still fit into an instruction.
pub const MESSAGE_CHARS_MAX: usize = 300;

/// What the guard has to say about an output.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// The problems, by line; empty when every claim can be followed.
    pub findings: Vec<Finding>,
    /// How many things were checked: different codes claimed, and pointers followed.
    pub checked: usize,
}

/// What is known besides the output.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Context {
    /// The level or levels that the class works at; `None` when the profile does not say or the class follows a course.
    pub class_level: Option<Levels>,
    /// The class's curriculum, as in the front matter of curriculum files; `None` lets every file count.
    pub framework: Option<String>,
    /// Path and SHA-256 of what the run has read, in order; the last reading of a path counts.
    pub reads: Vec<(String, String)>,
}

/// The workspace, as far as the guard needs it.
pub trait Files {
    /// Reads a file by its path from the workspace's root.
    ///
    /// # Errors
    /// When there is no such file or it may not be read.
    fn read(&mut self, path: &str) -> Result<Text, ReadError>;

    /// The paths of all curriculum files.
    fn curriculum_paths(&mut self) -> Vec<String>;
}

/// A file's text and the SHA-256 of its bytes, in hexadecimal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    /// The text.
    pub text: String,
    /// The digest.
    pub sha256: String,
}

/// Why a file could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadError {
    /// There is no such file.
    NotFound,
    /// The path leads out of the workspace.
    Outside,
    /// This component may not read there.
    NotGranted,
    /// The file is larger than a guest may read.
    TooLarge,
    /// It is there and cannot be read as text.
    Unreadable,
}

impl ReadError {
    fn reason(self) -> &'static str {
        match self {
            Self::NotFound => "there is no such file in the workspace",
            Self::Outside => "the path leads out of the workspace",
            Self::NotGranted => "the guard may not read there",
            Self::TooLarge => "the file is too large to read",
            Self::Unreadable => "the file cannot be read as text",
        }
    }
}

/// Checks the claims of an output.
pub fn check(output: &str, context: &Context, files: &mut dyn Files) -> Report {
    let mut library = Library::open(files);
    let page = Page::read(output, library.organisers());
    for pointer in &page.pointers {
        library.fetch(&pointer.path, files);
    }
    let standings = codes::standings(&page, &library, context);
    let mut findings = Vec::new();
    let followed = pointers::check(&page, &library, context, &standings, &mut findings);
    codes::check(&page, &library, context, &standings, &followed, &mut findings);
    levels::check(&page, &library, context, &standings, &mut findings);
    wording::check(&page, &library, &standings, &mut findings);
    findings.sort_by_key(|finding| finding.line);
    for finding in &mut findings {
        finding.message = clipped(&finding.message, MESSAGE_CHARS_MAX - 1);
    }
    Report { findings, checked: standings.len() + page.foreign.len() + followed.count }
}

/// Cuts a text to some characters, and then marks that it was cut.
fn clipped(text: &str, chars_max: usize) -> String {
    match text.char_indices().nth(chars_max) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default().trim_end()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
