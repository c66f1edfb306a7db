//! A journal that somebody else touched is looked through; a large one while work goes on.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::{files, open, sqlite};
use crate::conformance::called;
use crate::sqlite::{CHECKED_FILE, FILE, is_as_it_was};
use crate::{Erasure, SqliteStore, Store, StoreError, verify_chain};

/// A closed journal of twelve megabytes.
async fn large() -> TempDir {
    let (dir, store) = sqlite();
    for last in 0..12 {
        let blob = vec![u8::try_from(last).unwrap(); 1_000_000];
        store.append("s-1", "r-1", last, 10, vec![called(1)], vec![blob.into()]).await.unwrap();
    }
    dir
}

/// Makes of the beginning of a page in the middle, which says where the next one is, something else. Gives all of the file.
fn damage(dir: &Path) -> Vec<u8> {
    let file = dir.join(FILE);
    let mut bytes = fs::read(&file).unwrap();
    let half = bytes.len() / 2;
    let page = half - half % 4096;
    bytes[page..page + 4].fill(0xff);
    fs::write(&file, &bytes).unwrap();
    bytes
}

fn copy(from: &Path) -> TempDir {
    let to = TempDir::new().unwrap();
    for (name, bytes) in files(from) {
        fs::write(to.path().join(name), bytes).unwrap();
    }
    to
}

#[tokio::test]
async fn what_we_closed_is_taken_as_it_was() {
    let (dir, store) = sqlite();
    let known = || is_as_it_was(dir.path());
    assert!(!known(), "it is open");
    store.append("s-1", "r-1", 0, 10, vec![called(1)], vec![]).await.unwrap();
    drop(store);
    assert!(known());
    drop(open(dir.path()));
    assert!(known());
    // Reading alone changes nothing.
    SqliteStore::open_read_only(dir.path()).unwrap().last_seq("s-1").await.unwrap();
    assert!(known());

    assert!(!is_as_it_was(copy(dir.path()).path()), "a copy is another file");
    let file = dir.path().join(FILE);
    let (bytes, modified) = (fs::read(&file).unwrap(), fs::metadata(&file).unwrap().modified().unwrap());
    fs::write(&file, &bytes).unwrap();
    fs::File::options().write(true).open(&file).unwrap().set_modified(modified).unwrap();
    assert!(!known(), "it was written, and its time was set back");
    drop(open(dir.path()));
    assert!(known(), "it was looked through");
    let note = dir.path().join(CHECKED_FILE);
    fs::write(&note, fs::read_to_string(&note).unwrap().replace(' ', "  ")).unwrap();
    assert!(!known(), "the note is another one");
    fs::remove_file(&note).unwrap();
    assert!(!known());
    drop(open(dir.path()));
    assert!(known());
}

#[tokio::test]
async fn a_killed_process_leaves_it_in_doubt() {
    let (dir, store) = sqlite();
    store.append("s-1", "r-1", 0, 10, vec![called(1)], vec![]).await.unwrap();
    drop(store);
    let store = open(dir.path());
    store.append("s-1", "r-1", 1, 10, vec![called(1)], vec![]).await.unwrap();
    assert!(!is_as_it_was(dir.path()), "a log is there");
    drop(store);
    assert!(is_as_it_was(dir.path()));
}

#[tokio::test]
async fn a_large_one_goes_on_when_it_was_looked_through() {
    let dir = copy(large().await.path());
    let store = open(dir.path());
    store.append("s-1", "r-1", 12, 10, vec![called(1)], vec![]).await.unwrap();
    store.append_later("s-1", "r-1", 13, 10, vec![called(1)], vec![]).await.unwrap();
    drop(store);
    assert!(!dir.path().join("journal.db-wal").exists(), "a closed journal is one file");
    assert!(is_as_it_was(dir.path()));
    let store = open(dir.path());
    assert_eq!(store.last_seq("s-1").await.unwrap(), 14);
    assert_eq!(verify_chain(&store, "s-1").await.unwrap(), []);
}

#[tokio::test]
async fn damage_in_a_large_one_ends_all_writing() {
    let dir = large().await;
    let file = dir.path().join(FILE);
    let backup = TempDir::new().unwrap();
    let kept = backup.path().join("kept.db");
    SqliteStore::open_read_only(dir.path()).unwrap().backup(&kept).await.unwrap();
    let bytes = damage(dir.path());

    let store = open(dir.path());
    let mut last = 12;
    let error = loop {
        assert!(last < 100_000, "nobody noticed");
        match store.append("s-1", "r-1", last, 10, vec![called(1)], vec![]).await {
            Ok(_) => last += 1,
            Err(error) => break error,
        }
    };
    assert_eq!(error.code(), "store.corrupt", "{error}");
    assert!(error.to_string().contains("journal.db is damaged"), "{error}");
    assert_eq!(store.claim("s-2", "node-a", 1, 1).await.unwrap_err(), error);
    let later = store.append_later("s-1", "r-1", last, 10, vec![called(1)], vec![]).await;
    assert_eq!(later.unwrap_err(), error);
    assert_eq!(store.last_seq("s-1").await.unwrap(), last, "what is whole is read");
    drop(store);
    assert!(fs::read(&file).unwrap() == bytes, "the file is as it was");
    assert!(!is_as_it_was(dir.path()));
    // Closed before the look was done, it is no better.
    drop(open(dir.path()));
    assert!(fs::read(&file).unwrap() == bytes && !is_as_it_was(dir.path()));

    SqliteStore::restore(dir.path(), &kept).unwrap().unwrap();
    let store = open(dir.path());
    assert_eq!(store.last_seq("s-1").await.unwrap(), 12);
    store.append("s-1", "r-1", 12, 10, vec![called(1)], vec![]).await.unwrap();
}

#[tokio::test]
async fn a_large_one_that_ends_early_is_refused_at_once() {
    let dir = large().await;
    let file = dir.path().join(FILE);
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() - 4096]).unwrap();
    let error: StoreError = super::refusals::refuses(dir.path(), "store.corrupt");
    assert!(!error.hint().is_empty());
}

#[tokio::test]
async fn a_large_one_is_looked_through_before_anything_is_erased() {
    let dir = large().await;
    open(dir.path()).append("s-2", "r-2", 0, 10, vec![called(1)], vec![]).await.unwrap();
    let bytes = damage(dir.path());
    let store = open(dir.path());
    let erasure = Erasure {
        sessions: vec!["s-2".into()],
        claimed_by: "e".into(),
        memory_session: "m-new".into(),
        by: "person".into(),
        at_ms: 20,
    };
    assert_eq!(store.erase(erasure).await.unwrap_err().code(), "store.corrupt");
    assert_eq!(store.read("s-2", 0, 9).await.unwrap().len(), 1, "nothing was erased");
    drop(store);
    assert!(fs::read(dir.path().join(FILE)).unwrap() == bytes, "the file is as it was");
}

#[tokio::test]
async fn a_large_one_is_looked_through_before_it_is_swept() {
    let dir = large().await;
    let unswept =
        |connection: &rusqlite::Connection| connection.execute("INSERT INTO sweeps DEFAULT VALUES", []).map(drop);
    open(dir.path()).tamper(unswept).await.unwrap();
    let bytes = damage(dir.path());
    assert_eq!(SqliteStore::open(dir.path()).unwrap_err().code(), "store.corrupt");
    assert!(fs::read(dir.path().join(FILE)).unwrap() == bytes, "the file is as it was");
}
