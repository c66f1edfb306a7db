//! Memory: what was learned about a teacher and about classes, as markdown files under virtual paths.
//!
//! A file is lines of markdown; a line that begins with `- ` is a note, and of each note it is known where it comes
//! from, how much it matters and how often it was come to. Files are a view of the journal: [`MemoryFile::apply`] makes
//! them from [`Change`]s. Start reading at [`MemoryPath`], then [`file`], then [`select`] and [`consolidate`].

pub mod consolidate;
pub mod file;
mod path;
pub mod score;
pub mod select;

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use consolidate::{Fate, Scored};
pub use file::{Cause, Line, MemoryFile, NoteRecord, changed};
pub use path::MemoryPath;
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

/// What a note is about: it decides what comes first where room is short.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Somebody's safety or health.
    Safeguarding,
    /// What a class or a group in it needs.
    Need,
    /// How the teacher likes it.
    Preference,
    /// How long something takes.
    Timing,
    /// What was taught.
    Topic,
    /// Anything else.
    Other,
}

impl Kind {
    /// All kinds, the one that comes first first.
    pub const ALL: [Self; 6] =
        [Self::Safeguarding, Self::Need, Self::Preference, Self::Timing, Self::Topic, Self::Other];

    /// The word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Safeguarding => "safeguarding",
            Self::Need => "need",
            Self::Preference => "preference",
            Self::Timing => "timing",
            Self::Topic => "topic",
            Self::Other => "other",
        }
    }

    /// Whether it is included before anything is weighed.
    #[must_use]
    pub const fn first(self) -> bool {
        matches!(self, Self::Safeguarding | Self::Need)
    }

    /// What a line that a person typed is about, from its words.
    #[must_use]
    pub fn guess(text: &str) -> Self {
        const SAFEGUARDING: [&str; 9] =
            ["safeguard", "allerg", "epilep", "diabet", "medic", "asthma", "inhaler", "protection", "trauma"];
        const NEED: [&str; 9] =
            ["need", "dyslex", "autis", "eal", "hearing", "visual impair", "support", "anxi", "language"];
        let text = text.to_lowercase();
        let names = |words: &[&str]| {
            words.iter().any(|word| text.split(|c: char| !c.is_alphanumeric()).any(|it| it.starts_with(word)))
        };
        if names(&SAFEGUARDING) {
            Self::Safeguarding
        } else if names(&NEED) || text.contains("visual impair") {
            Self::Need
        } else if text.contains("minute") {
            Self::Timing
        } else {
            Self::Other
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = || Self::ALL.map(Self::name).join(", ");
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == text)
            .ok_or_else(|| format!("`{text}` is no kind of note; the kinds are: {}", known()))
    }
}

/// A note to be written down.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Note {
    /// One line, without its mark.
    pub text: String,
    /// What it is about.
    pub kind: Kind,
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
    },
    /// The file was taken away.
    Removed {
        /// The file.
        path: MemoryPath,
    },
}

impl Change {
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
