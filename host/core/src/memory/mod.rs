//! Memory: what was learned about an owner's ways and about subjects, as markdown files under virtual paths.
//!
//! A file is lines of markdown; a line that begins with `- ` is a note, and of each note it is known where it comes
//! from, how much it matters and how often it was come to. Files are a view of the journal: [`MemoryFile::apply`] makes
//! them from [`Change`]s. Start reading at [`MemoryPath`], then [`file`], then [`select`] and [`consolidate`].

pub mod consolidate;
pub mod file;
mod path;
mod rules;
pub mod score;
pub mod select;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use consolidate::{Fate, Scored};
pub use file::{Cause, Line, MemoryFile, NoteRecord, changed};
pub use path::{MemoryPath, Of};
pub use rules::{KIND_DEFAULT, MemoryRules, NoteKind, Scope};
pub use score::Scores;
pub use select::{Chosen, Selection};

/// The owner on a host that serves one person.
pub const OWNER_DEFAULT: &str = "local";
/// Name of every scope's entry point.
pub const ENTRY_FILE: &str = "MEMORY.md";
/// Lines of an entry point that are read; what is beyond is for topic files.
pub const ENTRY_LINES_MAX: usize = 200;
/// Name of every scope's file of notes that were taken during sessions and have not been promoted.
pub const WORKING_FILE: &str = "working-notes.md";
/// Name of every scope's file of notes that had to leave the entry point.
pub const ARCHIVE_FILE: &str = "archive.md";
/// Bytes of a memory file.
pub const FILE_BYTES_MAX: usize = 64 * 1024;
/// Files of one owner.
pub const FILES_MAX: usize = 200;
/// Characters of a note.
pub const NOTE_CHARS_MAX: usize = 500;
/// Pieces of evidence of a note.
pub const EVIDENCE_MAX: usize = 8;

/// A note to be written down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Note {
    /// One line, without its mark.
    pub text: String,
    /// What it is about: one of the kinds that the plugin declares.
    pub kind: String,
    /// How much it matters, 0 to 100.
    pub importance: u8,
    /// What it rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<String>,
}

impl Note {
    /// The note, checked and folded into one line.
    ///
    /// # Errors
    /// Where it is empty or too long, in a sentence.
    pub fn checked(self) -> Result<Self, String> {
        let text = self.text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = text.trim_start_matches("- ").trim().to_owned();
        if text.is_empty() {
            return Err("a note needs a text".to_owned());
        }
        let chars = text.chars().count();
        if chars > NOTE_CHARS_MAX {
            return Err(format!(
                "a note has at most {NOTE_CHARS_MAX} characters; this one has {chars}: write a topic file"
            ));
        }
        let evidence = self.evidence.into_iter().take(EVIDENCE_MAX).map(|it| it.chars().take(NOTE_CHARS_MAX).collect());
        Ok(Self { text, kind: self.kind, importance: self.importance.min(100), evidence: evidence.collect() })
    }
}

/// A change of one memory file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "change", rename_all = "kebab-case")]
pub enum Change {
    /// A note was added at the end, or counted once more where it stands already.
    Remembered {
        /// The file.
        path: MemoryPath,
        /// The note.
        note: Note,
    },
    /// A note was taken out.
    Forgotten {
        /// The file.
        path: MemoryPath,
        /// The note's text.
        text: String,
    },
    /// The whole file was written.
    Written {
        /// The file.
        path: MemoryPath,
        /// SHA-256 of the text before; none where there was no file.
        before: Option<String>,
        /// The text.
        text: String,
        /// What notes that were not there before are about, by note, where it is not the default kind.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        kinds: BTreeMap<String, String>,
    },
    /// The file was taken away.
    Removed {
        /// The file.
        path: MemoryPath,
    },
}

impl Change {
    /// A whole file, as somebody typed it: what its notes are about is guessed from their words.
    #[must_use]
    pub fn written(path: MemoryPath, before: Option<String>, text: String, rules: &MemoryRules) -> Self {
        let kinds = file::kinds(&text, rules);
        Self::Written { path, before, text, kinds }
    }

    /// The file that changes.
    #[must_use]
    pub const fn path(&self) -> &MemoryPath {
        match self {
            Self::Remembered { path, .. }
            | Self::Forgotten { path, .. }
            | Self::Written { path, .. }
            | Self::Removed { path } => path,
        }
    }
}
