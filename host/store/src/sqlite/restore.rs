//! A backup in the journal's place. What was there is set aside, never deleted.

use std::fs::{self, DirBuilder};
use std::io;
use std::path::{Path, PathBuf};

use super::backup::backup;
use super::fault::io_fault;
use super::hold::lock;
use super::mark::{MARK_FILE, log_of};
use super::open::{self, FILE, sync_dir};
use crate::error::StoreError;

/// The journal that comes, until it is whole.
const COMING: &str = "journal.db.restored";

/// Looks through a backup, then puts it in the place of the journal of a data directory. Gives the directory that the
/// files of the journal before it are in, where there was one.
///
/// At every moment either the journal before it is whole, or nothing opens until this is done again: the log goes before
/// the file that it belongs to, and the mark, which says that the log is missing, goes last.
pub(super) fn restore(dir: &Path, from: &Path) -> Result<Option<PathBuf>, StoreError> {
    let source = open::to_copy(from)?;
    open::check_pages(&source)?;
    open::make_dir(dir)?;
    let _held = lock(dir)?;
    let coming = dir.join(COMING);
    remove(&coming)?;
    backup(&source, &coming)?;
    drop(source);
    let journal = dir.join(FILE);
    let log = log_of(&journal);
    let index = dir.join(format!("{FILE}-shm"));
    let mark = dir.join(MARK_FILE);
    let aside = set_aside(dir, [&journal, &log, &index, &mark])?;
    remove(&log)?;
    remove(&index)?;
    fs::rename(&coming, &journal).map_err(|error| io_fault(&journal, &error))?;
    remove(&mark)?;
    sync_dir(dir)?;
    Ok(aside)
}

/// Copies of what is there, in a directory of their own, on disk before anything is touched.
fn set_aside(dir: &Path, files: [&Path; 4]) -> Result<Option<PathBuf>, StoreError> {
    let there: Vec<&Path> = files.into_iter().filter(|file| file.symlink_metadata().is_ok()).collect();
    if there.is_empty() {
        return Ok(None);
    }
    let aside = free_directory(dir)?;
    for file in there {
        let to = aside.join(file.file_name().unwrap_or_default());
        // A link takes no space; not every file system has them.
        let copied = fs::hard_link(file, &to).or_else(|_| fs::copy(file, &to).map(drop));
        copied.map_err(|error| io_fault(&to, &error))?;
    }
    sync_dir(&aside)?;
    sync_dir(dir)?;
    Ok(Some(aside))
}

/// A new directory below the data directory.
fn free_directory(dir: &Path) -> Result<PathBuf, StoreError> {
    for number in 1_u32.. {
        let path = dir.join(format!("replaced-{number}"));
        let mut builder = DirBuilder::new();
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        match builder.create(&path) {
            Ok(()) => return Ok(path),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(io_fault(&path, &error)),
        }
    }
    Err(StoreError::Exists { path: dir.to_owned() })
}

fn remove(file: &Path) -> Result<(), StoreError> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(io_fault(file, &error)),
        _ => Ok(()),
    }
}
