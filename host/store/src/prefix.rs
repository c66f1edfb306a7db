//! Ids cut short: which ids a prefix can stand for, and which of them it means.

use crate::error::StoreError;
use crate::limits::{CANDIDATES_MAX, PREFIX_CHARS_MIN};
use crate::prepare::check_id;

/// What a prefix means.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// The session with this id.
    Session(String),
    /// The run with this id.
    Run(String),
    /// A session that was erased, or a run of it.
    Erased(String),
}

/// How many ids of each kind a backend has to look up: one more than can be named, to know that there are more.
pub(crate) const LOOKUP_MAX: usize = CANDIDATES_MAX + 1;

/// The first and the end of the range of ids that begin with the prefix.
///
/// Refuses what cannot be the beginning of an id, so that the end can be the prefix and a byte above the alphabet.
pub(crate) fn range(prefix: &str) -> Result<(String, String), StoreError> {
    check_id(prefix).map_err(|_| not_found(prefix))?;
    Ok((prefix.to_owned(), format!("{prefix}\u{7f}")))
}

/// Decides between the first [`LOOKUP_MAX`] sessions, runs and erased ones that begin with the prefix, each in order of
/// their ids.
pub(crate) fn resolve(
    prefix: &str,
    sessions: Vec<String>,
    runs: Vec<String>,
    erased: Vec<String>,
) -> Result<Meaning, StoreError> {
    // In order, so an id that is the whole prefix comes first.
    if sessions.first().is_some_and(|id| id == prefix) {
        return Ok(Meaning::Session(prefix.to_owned()));
    }
    if runs.first().is_some_and(|id| id == prefix) {
        return Ok(Meaning::Run(prefix.to_owned()));
    }
    if erased.first().is_some_and(|id| id == prefix) {
        return Ok(Meaning::Erased(prefix.to_owned()));
    }
    if prefix.len() < PREFIX_CHARS_MIN {
        return Err(StoreError::PrefixTooShort { prefix: prefix.to_owned() });
    }
    match (sessions.as_slice(), runs.as_slice(), erased.as_slice()) {
        ([], [], []) => Err(not_found(prefix)),
        ([session], [], []) => Ok(Meaning::Session(session.clone())),
        ([], [run], []) => Ok(Meaning::Run(run.clone())),
        ([], [], [id]) => Ok(Meaning::Erased(id.clone())),
        _ => {
            let mut candidates = [sessions, runs, erased].concat();
            candidates.sort();
            candidates.dedup();
            let more = candidates.len() > CANDIDATES_MAX;
            candidates.truncate(CANDIDATES_MAX);
            Err(StoreError::Ambiguous { prefix: prefix.to_owned(), candidates, more })
        }
    }
}

/// No session and no run.
pub(crate) fn not_found(id: &str) -> StoreError {
    StoreError::NotFound { id: id.to_owned() }
}
