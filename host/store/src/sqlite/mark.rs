//! The mark: which event was committed last, kept beside the journal, so that a log that vanished or was cut is noticed.
//!
//! What was committed last may stand in the write-ahead log alone. SQLite takes a missing log for an empty one, and of
//! a cut one reads what is whole: either way it would go on without those events and say nothing. So after each commit
//! the last event is named in a file of its own, and whoever opens the journal looks whether that event is there.
//!
//! Never a false alarm: the mark is written when the event is durable already, and events never go. It is not forced to
//! disk, which would double the cost of a commit: a killed process leaves it up to date, a power cut may leave an older
//! one, or none that adds up, and then the log's end is not vouched for. Nor are blobs and claims that were
//! written without an event. A backup that is put in the journal's place has to come without the mark.

use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, params};

use super::fault::io_fault;
use super::open::private;
use super::value::Natural;
use crate::error::StoreError;
use crate::prepare::digest;

/// The mark within a data directory.
pub(crate) const MARK_FILE: &str = "journal.mark";

/// Bytes of the file, whatever it names: written in one piece, and never longer or shorter than before.
const BYTES: usize = 128;

/// Characters of the digest: enough to tell a whole mark from a torn one.
const DIGEST_CHARS: usize = 16;

/// An event by its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Marked {
    session: String,
    seq: u64,
}

/// The mark of a journal that is open to write.
#[derive(Debug)]
pub(super) struct Mark {
    file: File,
}

impl Mark {
    /// Opens the mark of a data directory, as it stands.
    pub(super) fn open(dir: &Path) -> Result<Self, StoreError> {
        let path = dir.join(MARK_FILE);
        let options = &mut OpenOptions::new();
        let file = private(options.write(true).create(true).truncate(false)).open(&path);
        Ok(Self { file: file.map_err(|error| io_fault(&path, &error))? })
    }

    /// Names the event that was committed last.
    pub(super) fn set(&self, session: &str, seq: u64) {
        let named = format!("{seq} {session}");
        let line = format!("{named} {}", check(&named));
        let bytes = format!("{line:<width$}\n", width = BYTES - 1);
        let mut file = &self.file;
        // The events are safe either way: where this fails, an older event stays named.
        let _ = file.seek(SeekFrom::Start(0)).and_then(|_| file.write_all(bytes.as_bytes()));
    }
}

fn check(named: &str) -> String {
    digest(named.as_bytes()).chars().take(DIGEST_CHARS).collect()
}

/// The event that the mark of a data directory names; none where there is no mark that adds up.
pub(super) fn read(dir: &Path) -> Option<Marked> {
    let text = fs::read_to_string(dir.join(MARK_FILE)).ok()?;
    let (named, found) = text.trim_end().rsplit_once(' ')?;
    let (seq, session) = named.split_once(' ')?;
    (check(named) == found).then_some(())?;
    Some(Marked { session: session.to_owned(), seq: seq.parse().ok()? })
}

/// Refuses a journal without the event that its mark names. Reads only.
pub(super) fn verify(connection: &Connection, path: &Path, marked: Option<&Marked>) -> Result<(), StoreError> {
    let Some(Marked { session, seq }) = marked else { return Ok(()) };
    let mut one = connection.prepare("SELECT 1 FROM records WHERE session_id = ?1 AND seq = ?2")?;
    if one.query_row(params![session, Natural(*seq)], |_| Ok(())).optional()?.is_some() {
        return Ok(());
    }
    let log = log_of(path);
    Err(StoreError::Corrupt {
        what: log.display().to_string(),
        reason: format!(
            "event {seq} of session `{session}` was stored and is not there, so the log was deleted or cut"
        ),
    })
}

/// The write-ahead log of a journal.
pub(super) fn log_of(path: &Path) -> PathBuf {
    path.with_extension("db-wal")
}
