//! Whether the file is the one that we closed, so that its pages need not be looked through again.
//!
//! Reading all pages takes as long as the journal is large. So when a journal is closed well, its file's identity is noted
//! beside it: which file it is, how long, and when it was changed. A file that was copied, put back, cut, or written by
//! anything else has another one; and where a log is left, nobody closed it.

use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::mark::log_of;
use super::open::{bytes, private};
use crate::prepare::digest;

/// The note within a data directory.
pub(crate) const CHECKED_FILE: &str = "journal.checked";

/// What tells a file from another, and from itself after it was changed.
fn identity(metadata: &Metadata) -> String {
    let modified = metadata.modified().ok().and_then(|at| at.duration_since(std::time::UNIX_EPOCH).ok());
    let identity = format!("{} {}", metadata.len(), modified.unwrap_or_default().as_nanos());
    #[cfg(unix)]
    let identity = {
        use std::os::unix::fs::MetadataExt as _;
        let (device, inode) = (metadata.dev(), metadata.ino());
        // Nobody can set this one back.
        let changed = (metadata.ctime(), metadata.ctime_nsec());
        format!("{identity} {device} {inode} {}.{:09}", changed.0, changed.1)
    };
    identity
}

fn line(identity: &str) -> String {
    format!("{identity} {}\n", digest(identity.as_bytes()))
}

/// Whether the file is as it was when it was closed well.
pub(super) fn is_as_it_was(dir: &Path, path: &Path) -> bool {
    let noted = fs::read_to_string(dir.join(CHECKED_FILE));
    let Ok(metadata) = fs::metadata(path) else { return false };
    bytes(&log_of(path)) == 0 && noted.is_ok_and(|noted| noted == line(&identity(&metadata)))
}

/// Notes the file's identity when it is dropped, after everything that writes it.
#[derive(Debug)]
pub(super) struct Note {
    dir: PathBuf,
    path: PathBuf,
    /// Whether all pages are known to be whole.
    whole: Arc<AtomicBool>,
}

impl Note {
    pub(super) fn new(dir: &Path, path: &Path, whole: Arc<AtomicBool>) -> Self {
        Self { dir: dir.to_owned(), path: path.to_owned(), whole }
    }
}

impl Drop for Note {
    fn drop(&mut self) {
        // With a log the file is not all there is: somebody still reads it, or it could not be emptied.
        if bytes(&log_of(&self.path)) > 0 || !self.whole.load(Ordering::Acquire) {
            return;
        }
        let Ok(metadata) = fs::metadata(&self.path) else { return };
        let note = self.dir.join(CHECKED_FILE);
        let mut options = fs::OpenOptions::new();
        let file = private(options.write(true).create(true).truncate(true)).open(note);
        // Without a note the pages are looked through once more.
        let _ = file.and_then(|mut file| std::io::Write::write_all(&mut file, line(&identity(&metadata)).as_bytes()));
    }
}
