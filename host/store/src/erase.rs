//! Erasing sessions for good: what is asked for, and what stays.

use serde::{Deserialize, Serialize};

/// Sessions whose records are to say nothing any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Erasure {
    /// Ids of the sessions: all of them or none is erased.
    pub sessions: Vec<String>,
    /// Whoever claimed them; a claim of another one is respected.
    pub claimed_by: String,
    /// Id of the session in which stands what is to be said of memory afterwards, where an owner has none yet.
    pub memory_session: String,
    /// Who wants it, for the tombstones.
    pub by: String,
    /// When, in milliseconds since 1970-01-01 UTC.
    pub at_ms: u64,
}

/// What was erased.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Erased {
    /// When, in milliseconds since 1970-01-01 UTC.
    pub at_ms: u64,
    /// One for each session, in the order in which they were given.
    pub tombstones: Vec<Tombstone>,
}

/// What the last record of an erased session says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tombstone {
    /// Id of the session.
    pub session: String,
    /// Number of that record.
    pub seq: u64,
    /// Records that say nothing any more.
    pub records: u64,
    /// Blobs that belonged to no other session and are gone.
    pub blobs: u64,
    /// Bytes of these bodies, their salts, and these blobs.
    pub bytes: u64,
}
