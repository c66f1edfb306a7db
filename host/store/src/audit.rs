//! The audit of memory: who read what, who wrote what, and what the person decided about it.

use serde::{Deserialize, Serialize};
use ta_core::memory::MemoryPath;

/// What was done to an owner's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AuditKind {
    /// A guest read a file, or notes of it were shown to a model.
    Read,
    /// A file was written or taken away.
    Written,
    /// The person decided on something that was proposed for memory.
    Decided,
}

impl AuditKind {
    /// The word in SQL, JSON and lists.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Written => "written",
            Self::Decided => "decided",
        }
    }
}

impl std::str::FromStr for AuditKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        [Self::Read, Self::Written, Self::Decided]
            .into_iter()
            .find(|kind| kind.name() == text)
            .ok_or_else(|| format!("nothing `{text}` is done to memory; the kinds are read, written, decided"))
    }
}

/// One thing that was done to an owner's memory, and the event that says so.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditRow {
    /// When, in milliseconds since 1970-01-01 UTC.
    pub at_ms: u64,
    /// Id of the session.
    pub session: String,
    /// Id of the run.
    pub run: String,
    /// Number of the event within the session.
    pub seq: u64,
    /// The hook, the tool or the tool call, `prompt`, `consolidation`, or who answered.
    pub by: String,
    /// What was done.
    pub kind: AuditKind,
    /// The file; none for a decision, which is about a proposal.
    pub path: Option<MemoryPath>,
    /// Of a read by a guest the SHA-256 of what it was told, of notes in a prompt how many; of a write what was
    /// changed; of a decision the item, the choice and the text. Parts of it are what a person or a model wrote:
    /// escape it before it is shown.
    pub detail: String,
}
