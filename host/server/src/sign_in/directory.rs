//! The file of people as it is now: who is added, renamed, signed out or removed elsewhere is known here at once.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use ta_runtime::RuntimeError;

use super::people::People;

/// What tells one state of the file from another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp {
    length: u64,
    changed: Option<SystemTime>,
    #[cfg(unix)]
    inode: u64,
}

impl Stamp {
    fn of(file: &Path) -> Option<Self> {
        let metadata = std::fs::metadata(file).ok()?;
        Some(Self {
            length: metadata.len(),
            changed: metadata.modified().ok(),
            #[cfg(unix)]
            inode: std::os::unix::fs::MetadataExt::ino(&metadata),
        })
    }
}

/// The people of a server.
pub(crate) struct Directory {
    file: PathBuf,
    read: Mutex<(Option<Stamp>, Arc<People>)>,
}

impl Directory {
    /// Reads the file.
    ///
    /// # Errors
    /// Where it cannot be read or makes no sense.
    pub(crate) fn open(file: PathBuf) -> Result<Self, RuntimeError> {
        let stamp = Stamp::of(&file);
        let people = Arc::new(People::open(&file)?);
        Ok(Self { file, read: Mutex::new((stamp, people)) })
    }

    /// Where it is.
    pub(crate) fn file(&self) -> &Path {
        &self.file
    }

    /// Everybody, as the file says now. It is written whole, by rename; one that makes no sense is nobody's doing here, and is
    /// said: then those who were known stay.
    pub(crate) fn people(&self) -> Arc<People> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = Stamp::of(&self.file);
        if read.0 != stamp {
            read.0 = stamp;
            match People::open(&self.file) {
                Ok(people) => read.1 = Arc::new(people),
                Err(error) => eprintln!("the people stay as they were: {error}"),
            }
        }
        Arc::clone(&read.1)
    }
}
