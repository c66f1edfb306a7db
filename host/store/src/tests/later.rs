//! What is not durable yet: nobody else sees it, nothing of it is half there, and a killed process loses an end alone.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Mutex, mpsc};

use ta_core::event::Status;
use tempfile::TempDir;

use super::{child, of_parent, open, sqlite};
use crate::conformance::{called, finished, renamed, started_for};
use crate::sqlite::MARK_FILE;
use crate::{SqliteStore, Store, digest, verify_chain};

#[tokio::test]
async fn nobody_else_sees_it_before_the_barrier() {
    let (dir, store) = sqlite();
    store.append("s-1", "r-1", 0, 10, vec![started_for("ana", "3B", "Loops")], vec![]).await.unwrap();
    let other = SqliteStore::open_read_only(dir.path()).unwrap();
    let mark = || fs::read_to_string(dir.path().join(MARK_FILE)).unwrap();
    let end = async || other.last_seq("s-1").await.unwrap();
    for last in 1..4 {
        store.append_later("s-1", "r-1", last, 20, vec![called(1)], vec![vec![7; 10].into()]).await.unwrap();
        assert_eq!(end().await, 1);
    }
    assert!(mark().starts_with("1 s-1 "));
    store.barrier("s-1").await.unwrap();
    assert_eq!(end().await, 4);
    assert!(mark().starts_with("4 s-1 "));
    // The barrier of another session, an append of another, a claim: all are behind what was accepted before.
    store.append_later("s-1", "r-1", 4, 20, vec![called(1)], vec![]).await.unwrap();
    store.barrier("s-2").await.unwrap();
    assert_eq!(end().await, 5);
    store.append_later("s-1", "r-1", 5, 20, vec![called(1)], vec![]).await.unwrap();
    store.append("s-2", "r-2", 0, 20, vec![called(1)], vec![]).await.unwrap();
    assert_eq!(end().await, 6);
    store.append_later("s-1", "r-1", 6, 20, vec![called(1)], vec![]).await.unwrap();
    store.claim("s-3", "node-a", 10, 10).await.unwrap();
    assert_eq!(end().await, 7);
}

/// Somebody names the session at the same moment: what the run was told to be accepted keeps its place.
#[tokio::test]
async fn what_was_accepted_goes_before_what_another_asks_for_in_the_same_group() {
    for barrier in [false, true] {
        let (_dir, store) = sqlite();
        store.append("s-1", "r-1", 0, 10, vec![started_for("ana", "3B", "Loops")], vec![]).await.unwrap();
        let (go, wait) = mpsc::channel::<()>();
        let wait = Mutex::new(wait);
        // While the writer waits, the others queue up behind it, in this order.
        let (held, later, named, next, ()) = tokio::join!(
            store.tamper(move |_| {
                wait.lock().unwrap().recv().unwrap();
                Ok(())
            }),
            store.append_later("s-1", "r-1", 1, 20, vec![called(1)], vec![]),
            store.append("s-1", "r-1", 1, 20, vec![renamed("Loops, again")], vec![]),
            async {
                match barrier {
                    true => store.barrier("s-1").await,
                    false => store.append("s-1", "r-1", 2, 20, vec![called(2)], vec![]).await.map(drop),
                }
            },
            async { go.send(()).unwrap() },
        );
        held.unwrap();
        assert_eq!(later.unwrap()[0].seq, 2);
        assert_eq!(named.unwrap_err().code(), "store.conflict");
        next.unwrap();
        let kinds: Vec<&str> = store.read("s-1", 0, 9).await.unwrap().iter().map(|it| it.event.name()).collect();
        assert_eq!(kinds[..2], ["run.started", "model.called"]);
    }
}

/// How often the journal was committed: the log's frames that end a transaction.
fn commits(dir: &Path) -> usize {
    let log = fs::read(dir.join("journal.db-wal")).unwrap();
    let frames = log.get(32..).unwrap_or_default().chunks_exact(24 + 4096);
    frames.filter(|frame| frame[4..8] != [0; 4]).count()
}

#[tokio::test]
async fn what_comes_before_a_barrier_is_one_transaction() {
    let (dir, store) = sqlite();
    store.append("s-1", "r-1", 0, 10, vec![started_for("ana", "3B", "Loops")], vec![]).await.unwrap();
    let before = commits(dir.path());
    for last in 1..9 {
        store.append_later("s-1", "r-1", last, 20, vec![called(1)], vec![]).await.unwrap();
    }
    store.append("s-1", "r-1", 9, 20, vec![called(1)], vec![]).await.unwrap();
    assert_eq!(commits(dir.path()) - before, 1);
    store.barrier("s-1").await.unwrap();
    assert_eq!(commits(dir.path()) - before, 1, "there is nothing left to write");
}

#[tokio::test]
async fn much_is_not_kept_for_long() {
    let (dir, store) = sqlite();
    store.append("s-1", "r-1", 0, 10, vec![called(1)], vec![]).await.unwrap();
    let other = SqliteStore::open_read_only(dir.path()).unwrap();
    for (last, byte) in (1..7).zip(1_u8..) {
        store.append_later("s-1", "r-1", last, 20, vec![called(1)], vec![vec![byte; 1_000_000].into()]).await.unwrap();
    }
    // Five were too much, and were written before the sixth was accepted.
    assert_eq!(other.last_seq("s-1").await.unwrap(), 6);
}

#[tokio::test]
async fn closing_makes_it_durable() {
    let (dir, store) = sqlite();
    store.append_later("s-1", "r-1", 0, 10, vec![called(1)], vec![]).await.unwrap();
    drop(store);
    assert_eq!(open(dir.path()).last_seq("s-1").await.unwrap(), 1);
}

#[tokio::test]
async fn a_killed_process_loses_an_end_alone() {
    const TEST: &str = "tests::later::a_killed_process_loses_an_end_alone";
    if let Some(dir) = of_parent() {
        let store = open(Path::new(&dir));
        for last in 0..20 {
            let events = vec![started_for("ana", "3B", "Loops")];
            if last % 5 == 0 {
                store.append("s-1", "r-1", last, 10, events, vec![]).await.unwrap();
            } else {
                store.append_later("s-1", "r-1", last, 10, events, vec![vec![7; 10].into()]).await.unwrap();
            }
        }
        // No destructor runs, nothing is closed.
        std::process::abort();
    }
    let dir = TempDir::new().unwrap();
    let program = std::env::current_exe().unwrap();
    assert!(!child(&program, TEST, dir.path()).stdout(Stdio::null()).status().unwrap().success());
    let store = open(dir.path());
    assert_eq!(store.last_seq("s-1").await.unwrap(), 16, "all up to the last barrier, and nothing behind it");
    assert_eq!(verify_chain(&store, "s-1").await.unwrap(), []);
    store.append("s-1", "r-1", 16, 20, vec![finished(Status::Success)], vec![]).await.unwrap();
    assert_eq!(store.session("s-1").await.unwrap().unwrap().runs, 1);
}

/// Lets the file grow by so many pages and no further, as a full disk would.
async fn leave(store: &SqliteStore, pages: i64) {
    let limit = move |connection: &rusqlite::Connection| {
        let used: i64 = connection.pragma_query_value(None, "page_count", |row| row.get(0))?;
        connection.pragma_update_and_check(None, "max_page_count", used + pages, |_| Ok(()))
    };
    store.tamper(limit).await.unwrap();
}

#[tokio::test]
async fn a_full_disk_is_said_at_the_barrier() {
    let (dir, store) = sqlite();
    let records = store.append("s-1", "r-1", 0, 10, vec![called(1)], vec![]).await.unwrap();
    leave(&store, 10).await;
    let large = vec![7; 1_000_000];
    store.append_later("s-1", "r-1", 1, 20, vec![called(2)], vec![large.clone().into()]).await.unwrap();
    store.append_later("s-1", "r-1", 2, 20, vec![called(3)], vec![]).await.unwrap();
    // Another session is not held up, and what was durable is read.
    store.append("s-2", "r-2", 0, 20, vec![called(1)], vec![]).await.unwrap();
    assert_eq!(store.read("s-1", 0, 10).await.unwrap(), records);
    let full = store.barrier("s-1").await.unwrap_err();
    assert_eq!(full.code(), "store.full");
    store.barrier("s-1").await.unwrap();
    // None of it is there, and whoever goes on as if it were is told.
    let ahead = store.append("s-1", "r-1", 3, 20, vec![called(4)], vec![]).await.unwrap_err();
    assert_eq!(ahead.code(), "store.conflict");
    assert_eq!(store.blob(&digest(&large)).await.unwrap(), None);
    store.append_later("s-1", "r-1", 1, 20, vec![called(2)], vec![]).await.unwrap();
    store.append("s-1", "r-1", 2, 20, vec![called(3)], vec![]).await.unwrap();
    drop(store);
    assert_eq!(open(dir.path()).last_seq("s-1").await.unwrap(), 3);
}

#[tokio::test]
async fn a_full_disk_is_said_by_the_append_behind_it() {
    let (_dir, store) = sqlite();
    store.append("s-1", "r-1", 0, 10, vec![called(1)], vec![]).await.unwrap();
    leave(&store, 10).await;
    store.append_later("s-1", "r-1", 1, 20, vec![called(2)], vec![vec![7; 1_000_000].into()]).await.unwrap();
    let full = store.append("s-1", "r-1", 2, 20, vec![called(3)], vec![]).await.unwrap_err();
    assert_eq!(full.code(), "store.full");
    assert_eq!(store.last_seq("s-1").await.unwrap(), 1);
}

#[tokio::test]
async fn space_that_comes_back_is_used() {
    let (_dir, store) = sqlite();
    store.append("s-1", "r-1", 0, 10, vec![called(1)], vec![]).await.unwrap();
    leave(&store, 10).await;
    store.append_later("s-1", "r-1", 1, 20, vec![called(2)], vec![vec![7; 1_000_000].into()]).await.unwrap();
    assert_eq!(store.last_seq("s-1").await.unwrap(), 1);
    // While there is trouble nothing more is only kept.
    let full = store.append_later("s-1", "r-1", 2, 20, vec![called(3)], vec![]).await.unwrap_err();
    assert_eq!(full.code(), "store.full");
    store.append_later("s-2", "r-2", 0, 20, vec![called(1)], vec![vec![8; 1_000_000].into()]).await.unwrap();
    leave(&store, 1_000).await;
    assert_eq!(store.last_seq("s-2").await.unwrap(), 1);
}
