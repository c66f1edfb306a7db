//! Putting a text in place. Whoever looks sees the old text or the new one, never half of either; and of two who write
//! the same name at once, one is told that the other was first.

use std::io::{Error, ErrorKind, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use cap_fs_ext::{FollowSymlinks, OpenOptionsFollowExt};
use cap_std::fs::{Dir, OpenOptions};
use rustix::fs::{RenameFlags, renameat_with};
use rustix::io::Errno;
use sha2::{Digest, Sha256};

use ta_core::files::{Applied, Files as _, Result, writable};

use super::{Workspace, io};

/// Held from the look at the file that is replaced to its replacement: two runs of this process would both find the
/// old one otherwise, and the first text would be lost.
static REPLACING: Mutex<()> = Mutex::new(());

/// Numbers the temporary names of this process.
static TEMPORARY: AtomicU64 = AtomicU64::new(0);

/// Temporary names tried. One is taken only where a killed process of the same id has left it behind.
const TEMPORARY_NAMES_MAX: usize = 1_000;

impl Workspace {
    /// As [`ta_core::files::Files::apply`].
    pub(super) fn replace(&self, path: &str, before: Option<&str>, text: &[u8]) -> Result<Applied> {
        writable(path)?;
        let after = hex::encode(Sha256::digest(text));
        let held = REPLACING.lock().unwrap_or_else(PoisonError::into_inner);
        let present = self.digest(path)?;
        if present.as_deref() == Some(after.as_str()) {
            return Ok(Applied::AlreadyThere);
        }
        if present.as_deref() != before {
            return Ok(Applied::Conflict);
        }
        if before.is_none() {
            drop(held);
            return self.make(path, text);
        }
        self.put(path, text, |parent, temporary, name| {
            // Whoever may read the old text may read the new one, and nobody else.
            parent.set_permissions(temporary, parent.symlink_metadata(name)?.permissions())?;
            parent.rename(temporary, parent, name)
        })?;
        Ok(Applied::Written)
    }

    /// As [`ta_core::files::Files::create`].
    pub(super) fn make(&self, path: &str, text: &[u8]) -> Result<Applied> {
        writable(path)?;
        let mut taken = false;
        self.put(path, text, |parent, temporary, name| {
            let named = name_if_free(parent, temporary, name, text);
            taken = named.as_ref().is_err_and(|error| error.kind() == ErrorKind::AlreadyExists);
            if taken { parent.remove_file(temporary) } else { named }
        })?;
        Ok(if taken { Applied::Conflict } else { Applied::Written })
    }

    /// As [`ta_core::files::Files::clear_left_behind`].
    pub(super) fn clear(&self, path: &str) {
        let Ok((_, parents)) = writable(path) else { return };
        let Ok(parent) = self.walk(&parents, path) else { return };
        let Ok(entries) = parent.entries() else { return };
        for name in entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()) {
            let process = name.strip_prefix('.').and_then(|rest| rest.strip_suffix(".tmp"));
            let process = process.and_then(|rest| rest.split_once('-')).and_then(|(id, _)| id.parse::<u32>().ok());
            if process.is_some_and(|id| id != std::process::id() && gone(id)) {
                let _ = parent.remove_file(&name);
            }
        }
    }

    /// As [`ta_core::files::Files::remove`].
    pub(super) fn take_away(&self, path: &str, before: &str) -> Result<Applied> {
        writable(path)?;
        let _held = REPLACING.lock().unwrap_or_else(PoisonError::into_inner);
        match self.digest(path)? {
            None => return Ok(Applied::AlreadyThere),
            Some(present) if present != before => return Ok(Applied::Conflict),
            Some(_) => {}
        }
        let (last, parents) = writable(path)?;
        let parent = self.walk(&parents, path)?;
        let removed = parent.remove_file(last).and_then(|()| parent.open(".")?.sync_all());
        removed.map_err(|error| io(path, &error))?;
        Ok(Applied::Written)
    }

    /// Writes a file beside the place and lets `settle` give it its name there.
    fn put(&self, path: &str, text: &[u8], settle: impl FnOnce(&Dir, &str, &str) -> std::io::Result<()>) -> Result<()> {
        let (last, parents) = writable(path)?;
        let parent = self.make_parents(&parents, path)?;
        let put = write_temporary(&parent, text).and_then(|temporary| {
            settle(&parent, &temporary, last).inspect_err(|_| {
                // Best effort: the error that matters is the first one.
                let _ = parent.remove_file(&temporary);
            })?;
            parent.open(".")?.sync_all()
        });
        put.map_err(|error| io(path, &error))
    }
}

/// Whether no process of this id is at work; where that cannot be told, it is taken to be.
fn gone(process: u32) -> bool {
    let all = std::path::Path::new("/proc");
    all.join("self").exists() && !all.join(process.to_string()).exists()
}

/// Writes a file under a name that nothing else has, and gives back that name. It is hidden, and short whatever the
/// file is to be called.
fn write_temporary(parent: &Dir, text: &[u8]) -> std::io::Result<String> {
    for _ in 0..TEMPORARY_NAMES_MAX {
        let number = TEMPORARY.fetch_add(1, Ordering::Relaxed);
        let name = format!(".{}-{number}.tmp", std::process::id());
        match write_new(parent, &name, text) {
            Ok(()) => return Ok(name),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => {
                // Best effort: the error that matters is the first one.
                let _ = parent.remove_file(&name);
                return Err(error);
            }
        }
    }
    Err(Error::new(ErrorKind::AlreadyExists, "every temporary name is taken"))
}

fn write_new(parent: &Dir, name: &str, text: &[u8]) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true).follow(FollowSymlinks::No);
    let mut file = parent.open_with(name, &options)?;
    file.write_all(text)?;
    file.sync_all()
}

/// Renames a file, unless the name is taken: then `AlreadyExists`, and nothing has changed.
fn name_if_free(parent: &Dir, temporary: &str, name: &str, text: &[u8]) -> std::io::Result<()> {
    match renameat_with(parent, temporary, parent, name, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => write_if_free(parent, temporary, name, text),
        renamed => renamed.map_err(Error::from),
    }
}

/// The same on file systems that cannot (shares over a network): the file is made under its name. Somebody may read its
/// beginning before its end is there, but nothing is overwritten.
fn write_if_free(parent: &Dir, temporary: &str, name: &str, text: &[u8]) -> std::io::Result<()> {
    write_new(parent, name, text)?;
    parent.remove_file(temporary)
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use cap_std::ambient_authority;

    use super::*;

    fn workspace() -> (tempfile::TempDir, Workspace) {
        let directory = tempfile::tempdir().unwrap();
        let workspace = Workspace::open(directory.path()).unwrap();
        (directory, workspace)
    }

    fn names(directory: &tempfile::TempDir) -> Vec<String> {
        let entries = std::fs::read_dir(directory.path()).unwrap();
        let mut names: Vec<String> = entries.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn it_passes_the_suite() {
        let made = std::cell::RefCell::new(Vec::new());
        ta_core::files::conformance::check(&|| {
            let (directory, workspace) = workspace();
            made.borrow_mut().push(directory);
            workspace
        })
        .unwrap();
    }

    #[test]
    fn a_name_is_given_once() {
        let (directory, workspace) = workspace();
        let barrier = Barrier::new(8);
        let made: Vec<Applied> = std::thread::scope(|scope| {
            let threads = (0..8).map(|number: u8| {
                let (workspace, barrier) = (&workspace, &barrier);
                scope.spawn(move || {
                    barrier.wait();
                    workspace.create("lesson.md", &[number]).unwrap()
                })
            });
            let threads: Vec<_> = threads.collect();
            threads.into_iter().map(|it| it.join().unwrap()).collect()
        });
        assert_eq!(made.iter().filter(|it| **it == Applied::Written).count(), 1);
        assert_eq!(made.iter().filter(|it| **it == Applied::Conflict).count(), 7);
        assert_eq!(names(&directory), ["lesson.md"]);
    }

    #[test]
    fn one_of_two_that_replace_the_same_text_is_told() {
        let (directory, workspace) = workspace();
        for _ in 0..50 {
            let _ = std::fs::remove_file(directory.path().join("a.md"));
            workspace.create("a.md", b"old").unwrap();
            let before = workspace.digest("a.md").unwrap();
            let barrier = Barrier::new(2);
            let replaced: Vec<Applied> = std::thread::scope(|scope| {
                let threads = [b"one", b"two"].map(|text| {
                    let (workspace, barrier, before) = (&workspace, &barrier, before.as_deref());
                    scope.spawn(move || {
                        barrier.wait();
                        workspace.apply("a.md", before, text).unwrap()
                    })
                });
                threads.into_iter().map(|it| it.join().unwrap()).collect()
            });
            assert!(replaced.contains(&Applied::Written) && replaced.contains(&Applied::Conflict), "{replaced:?}");
        }
    }

    #[test]
    fn a_long_name_is_no_reason_to_fail() {
        let (directory, workspace) = workspace();
        let name = format!("{}.md", "x".repeat(250));
        assert_eq!(workspace.create(&name, b"text").unwrap(), Applied::Written);
        assert_eq!(names(&directory), [name]);
    }

    #[test]
    fn where_no_rename_can_be_exclusive_the_file_is() {
        let (directory, _) = workspace();
        let parent = Dir::open_ambient_dir(directory.path(), ambient_authority()).unwrap();
        let temporary = write_temporary(&parent, b"text").unwrap();
        write_if_free(&parent, &temporary, "a.md", b"text").unwrap();
        assert_eq!(names(&directory), ["a.md"]);
        let temporary = write_temporary(&parent, b"more").unwrap();
        let taken = write_if_free(&parent, &temporary, "a.md", b"more").unwrap_err();
        assert_eq!(taken.kind(), ErrorKind::AlreadyExists);
        assert_eq!(parent.read("a.md").unwrap(), b"text");
    }
}
