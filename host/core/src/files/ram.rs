//! Files in memory: the second implementation of [`Files`], with which the suite is shown to ask for nothing of a disk.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use sha2::{Digest, Sha256};

use super::{
    Applied, ENTRIES_MAX, FILE_BYTES_MAX, FileEntry, Files, Result, WorkspaceError, WorkspaceErrorCode, paths, writable,
};

/// Files by their path, in names with `/` between them.
#[derive(Debug, Default)]
pub struct RamFiles {
    files: Mutex<BTreeMap<String, Vec<u8>>>,
}

impl RamFiles {
    /// No files.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn files(&self) -> MutexGuard<'_, BTreeMap<String, Vec<u8>>> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn missing(path: &str) -> WorkspaceError {
    WorkspaceError::new(WorkspaceErrorCode::NotFound, format!("there is no `{path}`"))
}

fn wrong_kind(path: &str, what: &str) -> WorkspaceError {
    WorkspaceError::new(WorkspaceErrorCode::WrongKind, format!("`{path}` is {what}"))
}

/// The bytes of a file, by its names.
fn found<'a>(files: &'a BTreeMap<String, Vec<u8>>, path: &str) -> Result<&'a Vec<u8>> {
    let names = paths::names(path)?;
    let name = names.join("/");
    let below = format!("{name}/");
    let directory = names.is_empty() || files.keys().any(|file| file.starts_with(&below));
    match files.get(&name) {
        Some(bytes) => Ok(bytes),
        None if directory => Err(wrong_kind(path, "not a regular file")),
        None => Err(missing(path)),
    }
}

fn put(files: &mut BTreeMap<String, Vec<u8>>, path: &str, text: &[u8]) -> Result<()> {
    let (last, parents) = writable(path)?;
    let mut name = String::new();
    for parent in parents {
        name.push_str(parent);
        if files.contains_key(&name) {
            return Err(wrong_kind(path, "below something that is no directory"));
        }
        name.push('/');
    }
    name.push_str(last);
    files.insert(name, text.to_vec());
    Ok(())
}

fn sha256(bytes: &[u8]) -> String {
    hex::encode(Sha256::digest(bytes))
}

impl Files for RamFiles {
    fn bytes(&self, path: &str) -> Result<Vec<u8>> {
        let files = self.files();
        let bytes = found(&files, path)?;
        if bytes.len() as u64 > FILE_BYTES_MAX {
            let message = format!("`{path}` has more than {FILE_BYTES_MAX} bytes");
            return Err(WorkspaceError::new(WorkspaceErrorCode::TooLarge, message));
        }
        Ok(bytes.clone())
    }

    fn entries(&self, path: &str) -> Result<Vec<FileEntry>> {
        let names = paths::names(path)?;
        let files = self.files();
        if files.contains_key(&names.join("/")) {
            return Err(wrong_kind(path, "not a directory"));
        }
        let prefix = if names.is_empty() { String::new() } else { format!("{}/", names.join("/")) };
        let mut entries = BTreeSet::new();
        for (name, bytes) in files.iter() {
            let Some(below) = name.strip_prefix(&prefix) else { continue };
            entries.insert(match below.split_once('/') {
                Some((name, _)) => FileEntry { name: name.to_owned(), directory: true, file: false, size: 0 },
                None => FileEntry { name: below.to_owned(), directory: false, file: true, size: bytes.len() as u64 },
            });
        }
        if entries.is_empty() && !names.is_empty() {
            return Err(missing(path));
        }
        if entries.len() > ENTRIES_MAX {
            let message = format!("`{path}` has more than {ENTRIES_MAX} entries");
            return Err(WorkspaceError::new(WorkspaceErrorCode::Quota, message));
        }
        Ok(entries.into_iter().collect())
    }

    fn changed_ms(&self, _: &str) -> Option<u64> {
        None
    }

    fn apply(&self, path: &str, before: Option<&str>, text: &[u8]) -> Result<Applied> {
        writable(path)?;
        let mut files = self.files();
        let present = match found(&files, path) {
            Ok(bytes) => Some(sha256(bytes)),
            Err(error) if error.code == WorkspaceErrorCode::NotFound => None,
            Err(error) => return Err(error),
        };
        if present.as_deref() == Some(sha256(text).as_str()) {
            return Ok(Applied::AlreadyThere);
        }
        if present.as_deref() != before {
            return Ok(Applied::Conflict);
        }
        put(&mut files, path, text).map(|()| Applied::Written)
    }

    fn create(&self, path: &str, text: &[u8]) -> Result<Applied> {
        writable(path)?;
        let mut files = self.files();
        match found(&files, path) {
            Err(error) if error.code == WorkspaceErrorCode::NotFound => {
                put(&mut files, path, text).map(|()| Applied::Written)
            }
            _ => Ok(Applied::Conflict),
        }
    }

    fn remove(&self, path: &str, before: &str) -> Result<Applied> {
        let (last, mut names) = writable(path)?;
        let mut files = self.files();
        match found(&files, path) {
            Err(error) if error.code == WorkspaceErrorCode::NotFound => return Ok(Applied::AlreadyThere),
            Err(error) => return Err(error),
            Ok(present) if sha256(present) != before => return Ok(Applied::Conflict),
            Ok(_) => {}
        }
        names.push(last);
        files.remove(&names.join("/"));
        Ok(Applied::Written)
    }

    fn clear_left_behind(&self, _: &str) {}
}

#[cfg(test)]
mod tests {
    use super::RamFiles;
    use crate::files::conformance;

    #[test]
    fn it_passes_the_suite() {
        conformance::check(&|| RamFiles::new()).unwrap();
    }
}
