//! A write-ahead log that is gone, cut or damaged is noticed, and nothing is touched.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::refusals::refuses;
use super::{open, sqlite};
use crate::conformance::{called, started};
use crate::sqlite::MARK_FILE;
use crate::{SqliteStore, Store};

const LOG: &str = "journal.db-wal";

/// What a process leaves that is killed after so many appends: a journal and its log.
async fn killed(appends: u64) -> TempDir {
    let (dir, store) = sqlite();
    for last in 0..appends {
        store
            .append("s-1", "r-1", last, 10, vec![started("teacher", "plan", "loops"), called(1)].split_off(1), vec![])
            .await
            .unwrap();
    }
    let left = TempDir::new().unwrap();
    copy(dir.path(), left.path());
    left
}

fn copy(from: &Path, to: &Path) {
    for (name, bytes) in super::files(from) {
        fs::write(to.join(name), bytes).unwrap();
    }
}

/// Opening is refused, to write and to read alone, and says which event is missing.
fn notices(dir: &Path, seq: u64) {
    let error = refuses(dir, "store.corrupt").to_string();
    assert!(error.contains(&format!("event {seq} of session `s-1` was stored and is not there")), "{error}");
    let reading = SqliteStore::open_read_only(dir).unwrap_err();
    assert_eq!(reading.code(), "store.corrupt", "{reading}");
}

#[tokio::test]
async fn left_by_a_killed_process_it_is_read() {
    let dir = killed(10).await;
    assert_eq!(open(dir.path()).last_seq("s-1").await.unwrap(), 10);
}

#[tokio::test]
async fn deleted() {
    let dir = killed(10).await;
    fs::remove_file(dir.path().join(LOG)).unwrap();
    notices(dir.path(), 10);
    let dir = killed(10).await;
    fs::remove_file(dir.path().join(LOG)).unwrap();
    fs::remove_file(dir.path().join("journal.db-shm")).unwrap();
    notices(dir.path(), 10);
}

#[tokio::test]
async fn cut() {
    let whole = fs::read(killed(10).await.path().join(LOG)).unwrap();
    for bytes in [0, 10, 32, 4_000, whole.len() / 2, whole.len() - 1] {
        let dir = killed(10).await;
        fs::write(dir.path().join(LOG), &whole[..bytes]).unwrap();
        notices(dir.path(), 10);
    }
}

#[tokio::test]
async fn damaged() {
    for place in [8, 40, 5_000] {
        let dir = killed(10).await;
        let mut bytes = fs::read(dir.path().join(LOG)).unwrap();
        bytes[place] ^= 0x40;
        fs::write(dir.path().join(LOG), bytes).unwrap();
        notices(dir.path(), 10);
    }
}

#[tokio::test]
async fn an_older_journal_in_its_place() {
    let old = killed(5).await;
    let (dir, store) = sqlite();
    for last in 0..20 {
        store.append("s-1", "r-1", last, 10, vec![called(1)], vec![]).await.unwrap();
    }
    drop(store);
    drop(open(old.path()));
    fs::copy(old.path().join("journal.db"), dir.path().join("journal.db")).unwrap();
    notices(dir.path(), 20);
    // What the hint says.
    fs::remove_file(dir.path().join(MARK_FILE)).unwrap();
    assert_eq!(open(dir.path()).last_seq("s-1").await.unwrap(), 5);
}

#[tokio::test]
async fn a_mark_that_does_not_add_up_vouches_for_nothing() {
    for mark in ["", "12 s-1 0000000000000000\n", "garbage", "\u{0}"] {
        let dir = killed(10).await;
        fs::write(dir.path().join(MARK_FILE), mark).unwrap();
        let store = open(dir.path());
        store.append("s-1", "r-1", 10, 10, vec![called(1)], vec![]).await.unwrap();
        drop(store);
        assert_eq!(open(dir.path()).last_seq("s-1").await.unwrap(), 11);
    }
}

#[tokio::test]
async fn the_mark_names_the_last_event() {
    let (dir, store) = sqlite();
    let long = "s".repeat(crate::ID_BYTES_MAX);
    let mark = || fs::read_to_string(dir.path().join(MARK_FILE)).unwrap();
    store.append(&long, "r-1", 0, 10, vec![called(1), called(2)], vec![]).await.unwrap();
    assert!(mark().starts_with(&format!("2 {long} ")) && mark().len() == 128, "{}", mark());
    store.append("s-1", "r-2", 0, 10, vec![called(1)], vec![]).await.unwrap();
    store.append("s-1", "r-2", 0, 10, vec![called(1)], vec![]).await.unwrap_err();
    store.claim("s-2", "node-a", 1, 1).await.unwrap();
    assert!(mark().starts_with("1 s-1 ") && mark().len() == 128, "{}", mark());
}
