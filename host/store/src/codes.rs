//! Access codes: what opens one place for somebody who has no account, for a time, until it is revoked.
//!
//! They are no records: nothing of a run depends on one, and a code that is forgotten leaves nothing.

use serde::{Deserialize, Serialize};

/// An access code. The code itself is known to whoever it was given to; here is its digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CodeRow {
    /// By what it is spoken of: it opens nothing.
    pub id: String,
    /// SHA-256 of the code, in lowercase hexadecimal.
    pub sha256: String,
    /// Who gave it.
    pub owner: String,
    /// What it opens, such as `flows/quiz/quiz`.
    pub opens: String,
    /// The role of whoever has it.
    pub role: String,
    /// What it is for, in the words of whoever gave it, such as a class.
    pub subject: Option<String>,
    /// When it was given, in milliseconds since 1970-01-01 UTC.
    pub created_ms: u64,
    /// When it ends, in milliseconds since 1970-01-01 UTC.
    pub expires_ms: u64,
    /// When it was revoked, in milliseconds since 1970-01-01 UTC.
    pub revoked_ms: Option<u64>,
    /// The one session that it opens, once there is one.
    pub session: Option<String>,
}

/// Which access codes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CodeFilter {
    /// The one with this digest.
    Sha256(String),
    /// The one with this id.
    Id(String),
    /// The one that opens this session.
    Session(String),
    /// Those that somebody gave, for one thing or for all, the first given first.
    Of {
        /// Who gave them.
        owner: String,
        /// What they open; everything where none is named.
        opens: Option<String>,
    },
}

impl CodeFilter {
    pub(crate) fn wants(&self, row: &CodeRow) -> bool {
        match self {
            Self::Sha256(sha256) => row.sha256 == *sha256,
            Self::Id(id) => row.id == *id,
            Self::Session(session) => row.session.as_ref() == Some(session),
            Self::Of { owner, opens } => row.owner == *owner && opens.as_ref().is_none_or(|opens| row.opens == *opens),
        }
    }
}

/// What is done to an access code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CodeChange {
    /// It opens this session, unless it opens one already.
    Open {
        /// Id of the session, which need not exist yet.
        session: String,
    },
    /// It opens nothing any more.
    Revoke {
        /// When, in milliseconds since 1970-01-01 UTC.
        at_ms: u64,
    },
    /// It was never there.
    Forget,
}

impl CodeChange {
    pub(crate) fn apply(&self, row: &mut CodeRow) {
        match self {
            Self::Open { session } => drop(row.session.get_or_insert_with(|| session.clone())),
            Self::Revoke { at_ms } => drop(row.revoked_ms.get_or_insert(*at_ms)),
            Self::Forget => {}
        }
    }
}
