//! The store through its front door; what only SQLite has to do stands in files of its own.

mod backup;
mod chain;
mod conformance;
mod durability;
mod erase;
mod kill;
mod later;
mod lists;
mod log;
mod look;
mod processes;
mod property;
mod refusals;
mod schema;
mod space;
mod texts;

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::SqliteStore;

/// A journal in a directory that vanishes.
fn sqlite() -> (TempDir, SqliteStore) {
    let dir = TempDir::new().unwrap();
    let store = open(dir.path());
    (dir, store)
}

fn open(dir: &Path) -> SqliteStore {
    SqliteStore::open(dir).unwrap()
}

/// Every file of a directory with its bytes.
fn files(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = std::fs::read_dir(dir).unwrap().map(Result::unwrap).filter(|entry| entry.path().is_file());
    files.map(|entry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())).collect()
}

/// The directory that this process is to work on, where it was started by [`child`].
fn of_parent() -> Option<String> {
    std::env::var(CHILD_DIR).ok()
}

/// Another process that runs one test of this program, which finds the directory by [`of_parent`].
fn child(program: &Path, test: &str, dir: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(["--exact", test, "--nocapture", "--test-threads=1"]).env(CHILD_DIR, dir);
    command
}

const CHILD_DIR: &str = "TA_STORE_TEST_DIR";
