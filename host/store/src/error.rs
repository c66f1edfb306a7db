//! What can go wrong: a stable code, a sentence, and what to do about it.

use std::path::PathBuf;

use crate::limits::{ID_BYTES_MAX, PREFIX_CHARS_MIN};

/// Why the store refused or failed. Nothing of a refused request is stored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The session's last event is not the one that the writer had seen.
    #[error("session `{session}` ends at event {last}, not at {expected}: somebody else wrote to it")]
    Conflict {
        /// Id of the session.
        session: String,
        /// Number of the last event, as the writer believed.
        expected: u64,
        /// Number of the last event.
        last: u64,
    },
    /// Another one holds the session.
    #[error("session `{session}` is being written by `{holder}`")]
    Claimed {
        /// Id of the session.
        session: String,
        /// Who holds it.
        holder: String,
        /// Until when, in milliseconds since 1970-01-01 UTC, unless the holder renews its claim.
        until_ms: u64,
    },
    /// A run belongs to one session.
    #[error("run `{run}` belongs to session `{session}`")]
    RunElsewhere {
        /// Id of the run.
        run: String,
        /// Id of the session that it belongs to.
        session: String,
    },
    /// Several sessions or runs begin with the prefix.
    #[error("`{prefix}` could be {}{}", candidates.join(", "), if *more { " or others" } else { "" })]
    Ambiguous {
        /// The prefix.
        prefix: String,
        /// Ids that begin with it, in order.
        candidates: Vec<String>,
        /// Whether there are more.
        more: bool,
    },
    /// No session and no run has the id or begins with the prefix.
    #[error("there is no session and no run {id:?}")]
    NotFound {
        /// The id or prefix.
        id: String,
    },
    /// The session was erased for good.
    #[error("session `{id}` was erased")]
    Erased {
        /// Id of the session, or of a run in it.
        id: String,
    },
    /// Other sessions begin with its past.
    #[error("session `{session}` shares its records with its forks: {}", forks.join(", "))]
    Forked {
        /// Id of the session.
        session: String,
        /// Ids of the forks.
        forks: Vec<String>,
    },
    /// Sessions are erased, but not yet swept out of the file.
    #[error("it is erased, but the journal's file could not be written anew: {reason}")]
    Unswept {
        /// What the system said.
        reason: String,
    },
    /// The prefix is too short to mean anything.
    #[error("{prefix:?} is too short: an id can be cut to {PREFIX_CHARS_MIN} characters")]
    PrefixTooShort {
        /// The prefix.
        prefix: String,
    },
    /// An id that the store does not take.
    #[error("{id:?} is not an id: 1 to {ID_BYTES_MAX} letters, digits, `-`, `_` and `.` are")]
    BadId {
        /// The id.
        id: String,
    },
    /// A search for nothing that could be found.
    #[error("{query:?} cannot be searched for: {reason}")]
    BadQuery {
        /// What was typed.
        query: String,
        /// Why.
        reason: String,
    },
    /// An event or blob that could be written but not read again.
    #[error("{what} cannot be stored: {reason}")]
    Unstorable {
        /// The event's type, or `blob`.
        what: String,
        /// Why.
        reason: String,
    },
    /// A blob that an append takes for held is not there, or no longer.
    #[error("the journal holds no blob {sha256}")]
    BlobMissing {
        /// Its digest.
        sha256: String,
    },
    /// An event that this version does not know.
    #[error("event {seq} of session `{session}` is a `{kind}`, which this version cannot read: {reason}")]
    UnknownEvent {
        /// Id of the session.
        session: String,
        /// Place of the event.
        seq: u64,
        /// Its type.
        kind: String,
        /// What the reader stumbled over.
        reason: String,
    },
    /// The journal is damaged.
    #[error("{what} is damaged: {reason}")]
    Corrupt {
        /// The file or the part of it.
        what: String,
        /// What was found.
        reason: String,
    },
    /// A newer version wrote the journal.
    #[error("{} has schema {found}; this version knows {known}", path.display())]
    NewerSchema {
        /// The file.
        path: PathBuf,
        /// Its schema.
        found: i64,
        /// The newest that this version knows.
        known: i64,
    },
    /// An older version wrote the journal.
    #[error("{} has schema {found}, and this version reads {known}", path.display())]
    OlderSchema {
        /// The file.
        path: PathBuf,
        /// Its schema.
        found: i64,
        /// The one that this version reads.
        known: i64,
    },
    /// There is no journal to read.
    #[error("there is no journal at {}", path.display())]
    Missing {
        /// Where it would be.
        path: PathBuf,
    },
    /// A file stands where a backup was to be written.
    #[error("{} is already there", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A write to a journal that was opened to read alone.
    #[error("the journal was opened to read alone")]
    OpenedToRead,
    /// The file is something else.
    #[error("{} is not a journal: {reason}", path.display())]
    NotAJournal {
        /// The file.
        path: PathBuf,
        /// What it is instead.
        reason: String,
    },
    /// The data directory or a file in it cannot be written.
    #[error("{what} cannot be written: {reason}")]
    ReadOnly {
        /// The directory or file.
        what: String,
        /// What the system said.
        reason: String,
    },
    /// No space is left.
    #[error("no space is left for the journal: {reason}")]
    Full {
        /// What the system said.
        reason: String,
    },
    /// Another process held the journal for too long.
    #[error("another process holds the journal: {reason}")]
    Locked {
        /// What the system said.
        reason: String,
    },
    /// The store is shutting down, or its thread has ended.
    #[error("the journal is closed")]
    Closed,
    /// Anything else that the system or SQLite reports.
    #[error("{doing} failed: {reason}")]
    Failed {
        /// What was being done.
        doing: String,
        /// What the system said.
        reason: String,
    },
}

impl StoreError {
    /// The stable word for it.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Conflict { .. } => "store.conflict",
            Self::Claimed { .. } => "store.claimed",
            Self::RunElsewhere { .. } => "store.run_elsewhere",
            Self::Ambiguous { .. } => "store.ambiguous",
            Self::NotFound { .. } => "store.not_found",
            Self::Erased { .. } => "session.erased",
            Self::Forked { .. } => "session.forked",
            Self::Unswept { .. } => "store.unswept",
            Self::PrefixTooShort { .. } => "store.prefix_too_short",
            Self::BadId { .. } => "store.bad_id",
            Self::BadQuery { .. } => "store.bad_query",
            Self::Unstorable { .. } => "store.unstorable",
            Self::BlobMissing { .. } => "store.blob_missing",
            Self::UnknownEvent { .. } => "store.unknown_event",
            Self::Corrupt { .. } => "store.corrupt",
            Self::NewerSchema { .. } => "store.newer_schema",
            Self::OlderSchema { .. } => "store.older_schema",
            Self::Missing { .. } => "store.missing",
            Self::Exists { .. } => "store.exists",
            Self::NotAJournal { .. } => "store.not_a_journal",
            Self::OpenedToRead | Self::ReadOnly { .. } => "store.read_only",
            Self::Full { .. } => "store.full",
            Self::Locked { .. } => "store.locked",
            Self::Closed => "store.closed",
            Self::Failed { .. } => "store.failed",
        }
    }

    /// What to do about it.
    #[must_use]
    pub const fn hint(&self) -> &'static str {
        match self {
            Self::Conflict { .. } => "Read the session again and go on from its last event.",
            Self::Claimed { .. } => "Wait for the other process to end its run, or end that process.",
            Self::RunElsewhere { .. } => "Give the new run an id of its own.",
            Self::Ambiguous { .. } => "Give more characters of the id.",
            Self::NotFound { .. } => "List the sessions to see which there are.",
            Self::Erased { .. } => "Nothing of it can be read any more; list the sessions to see which there are.",
            Self::Forked { .. } => "Erase the forks as well, or first.",
            Self::Unswept { .. } => {
                "What was erased may still be found in the file. Free some space, end whoever reads the journal, and open it \
                 again to write: that finishes it."
            }
            Self::PrefixTooShort { .. } => "Give more characters of the id.",
            Self::BadId { .. } => "Use an id as the host prints it.",
            Self::BadQuery { .. } => {
                "Give a few words, such as `bubble sort` or `recurs*`, or none to list the newest."
            }
            Self::Unstorable { .. } => "This is a bug of whoever made it; the journal holds everything before it.",
            Self::BlobMissing { .. } => "Try again: it was erased a moment ago, with the last session that had it.",
            Self::UnknownEvent { .. } => "Read this session with the version that wrote it, or with a newer one.",
            Self::Corrupt { .. } => {
                "Put a backup in its place with `teacher-assist restore FILE`, or move the data directory away to start \
                 anew. Nothing was changed."
            }
            Self::NewerSchema { .. } => "Use the version that wrote it, or a newer one. Nothing was changed.",
            Self::OlderSchema { .. } => {
                "Use the version that wrote it, or move the data directory away to start anew. Nothing was changed."
            }
            Self::Missing { .. } => "Choose the data directory of the host, or start a run, which makes the journal.",
            Self::Exists { .. } => "Choose another name: a backup replaces no file.",
            Self::OpenedToRead => "Do it in the process that writes the journal, or end that and open it to write.",
            Self::NotAJournal { .. } => "Choose another data directory, or move the file away. Nothing was changed.",
            Self::ReadOnly { .. } => "Make the data directory and its files writable for you, or choose another one.",
            Self::Full { .. } => "Free some space and go on: what was stored before is safe.",
            Self::Locked { .. } => "End the other process, or wait until it is done.",
            Self::Closed => "Start the host again: what was stored is safe.",
            Self::Failed { .. } => "Look at the disk and at the permissions of the data directory, then try again.",
        }
    }
}
