//! Copies of the journal, made while it is written.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::fault::io_fault;
use super::open::{private, sync_dir};
use crate::error::StoreError;

/// Writes the whole journal, as it stands now, into a new file, which appears under its name when it is whole and on
/// disk.
pub(super) fn backup(connection: &Connection, to: &Path) -> Result<(), StoreError> {
    let at = |path: &Path| {
        let path = path.to_owned();
        move |error: io::Error| io_fault(&path, &error)
    };
    if to.symlink_metadata().is_ok() {
        return Err(StoreError::Exists { path: to.to_owned() });
    }
    let part = part_of(to);
    // Whoever made a backup of this name before may have been killed here.
    match fs::remove_file(&part) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(at(&part)(error)),
        _ => {}
    }
    // For its owner alone; SQLite takes an empty file for none.
    private(OpenOptions::new().write(true).create_new(true)).open(&part).map_err(at(&part))?;
    let copied = copy(connection, &part, to);
    if copied.is_err() {
        let _ = fs::remove_file(&part);
    }
    copied
}

fn copy(connection: &Connection, part: &Path, to: &Path) -> Result<(), StoreError> {
    let name = part.to_str().ok_or_else(|| StoreError::Failed {
        doing: format!("a backup to {}", to.display()),
        reason: "its name is not UTF-8".into(),
    })?;
    connection.execute("VACUUM INTO ?1", [name])?;
    File::open(part).and_then(|file| file.sync_all()).map_err(|error| io_fault(part, &error))?;
    // A link, unlike a rename, never replaces a file that has appeared meanwhile.
    let placed = match fs::hard_link(part, to) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            return Err(StoreError::Exists { path: to.to_owned() });
        }
        Ok(()) => fs::remove_file(part),
        // Not every file system has links.
        Err(_) => fs::rename(part, to),
    };
    placed.map_err(|error| io_fault(to, &error))?;
    to.parent().map_or(Ok(()), |dir| sync_dir(if dir.as_os_str().is_empty() { Path::new(".") } else { dir }))
}

/// The backup in the making.
fn part_of(to: &Path) -> PathBuf {
    let mut name = to.as_os_str().to_owned();
    name.push(".part");
    PathBuf::from(name)
}
