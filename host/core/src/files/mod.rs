//! Files below one place, as the host sees them: read, listed, and put in place by digest. What is behind it, a directory
//! of this machine or something else, is the implementation's business; [`paths`] says what a path is for all of them, and
//! `conformance` what each of them must do.
//!
//! Staging is not here: what a call writes is kept until the call has ended well, and only then put in place.

#[cfg(any(test, feature = "conformance"))]
pub mod conformance;
pub mod paths;
#[cfg(any(test, feature = "conformance"))]
pub mod ram;

use std::fmt::Debug;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Bytes of a file that is read or written.
pub const FILE_BYTES_MAX: u64 = 1024 * 1024;
/// Entries of a directory that are listed.
pub const ENTRIES_MAX: usize = 2_000;

/// What went wrong with a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum WorkspaceErrorCode {
    /// No such file or directory.
    NotFound,
    /// Outside, absolute, or through a link.
    Outside,
    /// Granted for reading only.
    ReadOnly,
    /// Belongs to the host.
    Protected,
    /// Larger than a file may be.
    TooLarge,
    /// Not UTF-8 text.
    NotText,
    /// Not a regular file, or not a directory.
    WrongKind,
    /// Not the file that was expected.
    Changed,
    /// A limit was reached.
    Quota,
    /// The name was not granted.
    NotGranted,
    /// The disk said no.
    Io,
}

impl WorkspaceErrorCode {
    /// The stable word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::NotFound => "path.not_found",
            Self::Outside => "path.outside",
            Self::ReadOnly => "path.read_only",
            Self::Protected => "path.protected",
            Self::TooLarge => "path.too_large",
            Self::NotText => "path.not_text",
            Self::WrongKind => "path.wrong_kind",
            Self::Changed => "path.changed",
            Self::Quota => "path.quota",
            Self::NotGranted => "path.not_granted",
            Self::Io => "path.io",
        }
    }
}

/// Why a path could not be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{message}")]
pub struct WorkspaceError {
    /// What kind of problem.
    pub code: WorkspaceErrorCode,
    /// What happened, with the path.
    pub message: String,
}

impl WorkspaceError {
    /// A problem, and a sentence that names the path.
    pub fn new(code: WorkspaceErrorCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }
}

/// What looking at files answers with.
pub type Result<T> = std::result::Result<T, WorkspaceError>;

/// An entry of a directory.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FileEntry {
    /// Its name.
    pub name: String,
    /// Whether it is a directory.
    pub directory: bool,
    /// Whether it is a regular file; links and everything else are neither.
    pub file: bool,
    /// Bytes, for a file.
    pub size: u64,
}

/// What became of a write that was put in place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Applied {
    /// The file holds the text now.
    Written,
    /// It held it already.
    AlreadyThere,
    /// It is neither what it was nor what it should become: somebody else wrote; nothing was touched.
    Conflict,
}

/// Files below one place, and nothing outside it. Paths are those of [`paths::names`]; digests are SHA-256 in hexadecimal.
pub trait Files: Debug + Send + Sync {
    /// The bytes of a file, text or not.
    ///
    /// # Errors
    /// Where the path leads outside, through a link, to something that is no regular file of at most [`FILE_BYTES_MAX`].
    fn bytes(&self, path: &str) -> Result<Vec<u8>>;

    /// The entries of a directory, sorted by name.
    ///
    /// # Errors
    /// As for reading; more than [`ENTRIES_MAX`] entries are a quota error.
    fn entries(&self, path: &str) -> Result<Vec<FileEntry>>;

    /// When a file was last changed, in milliseconds since 1970-01-01 UTC; none where nobody can say.
    fn changed_ms(&self, path: &str) -> Option<u64>;

    /// Puts a text in the place of the one of digest `before`, durably, unless somebody else has written meanwhile. Can be
    /// repeated. Where there was no file before, a file that somebody else makes in this very moment is left alone.
    ///
    /// # Errors
    /// Where the place belongs to the host or the disk says no; the old file is then still there, whole.
    fn apply(&self, path: &str, before: Option<&str>, text: &[u8]) -> Result<Applied>;

    /// Makes a file, durably, unless there is one of that name, whatever it holds.
    ///
    /// # Errors
    /// As for [`Files::apply`]; there is no such file then.
    fn create(&self, path: &str, text: &[u8]) -> Result<Applied>;

    /// Takes a file away, unless it is no longer the one of this digest. One that is gone already is `AlreadyThere`.
    ///
    /// # Errors
    /// As for reading, and where the disk says no; the file is then still there.
    fn remove(&self, path: &str, before: &str) -> Result<Applied>;

    /// Takes away what a killed process left beside this file: texts that never got their name. What cannot be taken away
    /// stays: it is hidden, and in nobody's way.
    fn clear_left_behind(&self, path: &str);

    /// The text of a file with its digest.
    ///
    /// # Errors
    /// As for its bytes, and where they are not UTF-8.
    fn read(&self, path: &str) -> Result<(String, String)> {
        let bytes = self.bytes(path)?;
        let sha256 = hex::encode(Sha256::digest(&bytes));
        let text = String::from_utf8(bytes)
            .map_err(|_| WorkspaceError::new(WorkspaceErrorCode::NotText, format!("`{path}` is not UTF-8 text")))?;
        Ok((text, sha256))
    }

    /// The digest of a file, none where there is none.
    ///
    /// # Errors
    /// As for its bytes.
    fn digest(&self, path: &str) -> Result<Option<String>> {
        match self.bytes(path) {
            Ok(bytes) => Ok(Some(hex::encode(Sha256::digest(bytes)))),
            Err(error) if error.code == WorkspaceErrorCode::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// The name of a file, and the directories on the way to it, where the host's own files are none of them.
///
/// # Errors
/// Where it is no path, a directory, or belongs to the host.
pub fn writable(path: &str) -> Result<(&str, Vec<&str>)> {
    let mut names = paths::names(path)?;
    if paths::protected_path(path) {
        return Err(WorkspaceError::new(WorkspaceErrorCode::Protected, format!("`{path}` belongs to the host")));
    }
    match names.pop() {
        Some(last) => Ok((last, names)),
        None => Err(WorkspaceError::new(WorkspaceErrorCode::WrongKind, format!("`{path}` is a directory"))),
    }
}
