//! What SQLite reports, in the words of the store.

use std::io;
use std::path::Path;

use rusqlite::{ErrorCode, ffi};

use crate::error::StoreError;

/// What is damaged, where SQLite does not say which part of it.
pub(super) const JOURNAL: &str = "the journal";

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        let reason = error.to_string();
        let journal = || JOURNAL.to_owned();
        match error {
            rusqlite::Error::SqliteFailure(failure, _) => match failure.code {
                ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked | ErrorCode::FileLockingProtocolFailed => {
                    Self::Locked { reason }
                }
                ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => Self::Corrupt { what: journal(), reason },
                ErrorCode::DiskFull => Self::Full { reason },
                // The shared index of the log could not grow: the one thing that SQLite cannot tell from a bad disk.
                ErrorCode::SystemIoFailure if failure.extended_code == ffi::SQLITE_IOERR_SHMSIZE => {
                    Self::Full { reason }
                }
                ErrorCode::ReadOnly => Self::ReadOnly { what: journal(), reason },
                ErrorCode::TooBig => Self::Unstorable { what: "an event or blob".into(), reason },
                _ => Self::Failed { doing: "the journal's database".into(), reason },
            },
            // Every row was written with these types: another one was not written by us.
            rusqlite::Error::FromSqlConversionFailure(..)
            | rusqlite::Error::IntegralValueOutOfRange(..)
            | rusqlite::Error::InvalidColumnType(..)
            | rusqlite::Error::Utf8Error(..) => Self::Corrupt { what: journal(), reason },
            _ => Self::Failed { doing: "the journal's database".into(), reason },
        }
    }
}

/// What the file system reports about a path.
pub(super) fn io_fault(path: &Path, error: &io::Error) -> StoreError {
    let (what, reason) = (path.display().to_string(), error.to_string());
    match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => StoreError::ReadOnly { what, reason },
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => StoreError::Full { reason },
        _ => StoreError::Failed { doing: format!("opening {what}"), reason },
    }
}
