//! What was acknowledged is there: after reopening, after a kill, from many writers and from several processes.

use std::env::current_exe;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

use tempfile::TempDir;
use tokio::task::JoinSet;

use super::{child, of_parent, open, sqlite};
use crate::conformance::{called, finished, parked, started};
use crate::{Store, digest};
use ta_core::event::Status;

#[tokio::test]
async fn everything_is_there_after_reopening() {
    let (dir, store) = sqlite();
    let events = vec![started("teacher", "plan", "iteration"), parked()];
    let records = store.append("s-1", "r-1", 0, 10, events, vec![b"blob".to_vec().into()]).await.unwrap();
    store.claim("s-1", "node-a", 10, 1_000).await.unwrap();
    let rows = (store.session("s-1").await.unwrap(), store.runs("s-1").await.unwrap());
    drop(store);
    assert!(!dir.path().join("journal.db-wal").exists(), "a closed journal is one file");

    let store = open(dir.path());
    assert_eq!(store.read("s-1", 0, 10).await.unwrap(), records);
    assert_eq!((store.session("s-1").await.unwrap(), store.runs("s-1").await.unwrap()), rows);
    assert_eq!(store.blob(&digest(b"blob")).await.unwrap(), Some(b"blob".to_vec()));
    // One process writes at a time, so whoever claimed the session is gone.
    store.claim("s-1", "node-b", 11, 1_000).await.unwrap();
    let next = store.append("s-1", "r-1", 2, 20, vec![finished(Status::Success)], vec![]).await.unwrap();
    assert_eq!(next[0].seq, 3);
}

#[tokio::test]
async fn an_acknowledged_event_survives_the_end_of_its_process() {
    const TEST: &str = "tests::durability::an_acknowledged_event_survives_the_end_of_its_process";
    if let Some(dir) = of_parent() {
        let store = open(Path::new(&dir));
        for last in 0..20 {
            store.append("s-1", "r-1", last, 10, vec![called(1)], vec![]).await.unwrap();
        }
        // No destructor runs, nothing is closed.
        std::process::abort();
    }
    let dir = TempDir::new().unwrap();
    let status = child(&current_exe().unwrap(), TEST, dir.path()).stdout(Stdio::null()).status().unwrap();
    assert!(!status.success());
    assert!(dir.path().join("journal.db-wal").exists(), "the process did not close the journal");
    let store = open(dir.path());
    assert_eq!(store.read("s-1", 0, 100).await.unwrap().len(), 20);
    assert_eq!(store.append("s-1", "r-1", 20, 10, vec![called(1)], vec![]).await.unwrap()[0].seq, 21);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sixty_four_writers_lose_nothing() {
    const APPENDS: u64 = 1_000;
    let (_dir, store) = sqlite();
    let store = Arc::new(store);
    let mut tasks = JoinSet::new();
    for writer in 0..64 {
        let store = Arc::clone(&store);
        tasks.spawn(async move {
            let (session, run) = (format!("s-{writer}"), format!("r-{writer}"));
            for last in 0..APPENDS {
                let blobs = if last % 20 == 0 { vec![format!("{writer} {last}").into_bytes().into()] } else { vec![] };
                store.append(&session, &run, last, last, vec![called(1)], blobs).await?;
            }
            store.read(&session, 0, 2_000).await
        });
    }
    for records in tasks.join_all().await {
        let seqs: Vec<_> = records.unwrap().into_iter().map(|record| record.seq).collect();
        assert_eq!(seqs, (1..=APPENDS).collect::<Vec<_>>());
    }
    let count = |table: &'static str| {
        store.peek(move |c| c.query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get::<_, i64>(0)))
    };
    assert_eq!(count("records").await.unwrap(), 64 * 1_000);
    assert_eq!(count("blobs").await.unwrap(), 64 * 50);
}

#[tokio::test]
async fn dropping_the_journal_waits_for_what_was_sent() {
    let (dir, store) = sqlite();
    let append = store.append("s-1", "r-1", 0, 10, vec![called(1)], vec![]);
    // Polled once and dropped, as a caller that is cancelled would.
    tokio::select! {
        biased;
        outcome = append => drop(outcome),
        () = std::future::ready(()) => {}
    }
    drop(store);
    assert_eq!(open(dir.path()).last_seq("s-1").await.unwrap(), 1);
}

#[cfg(unix)]
#[test]
fn the_directory_and_its_files_are_the_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
    let parent = TempDir::new().unwrap();
    let data = parent.path().join("a").join("b");
    // With a mask that forbids nothing, or it would be the mask that is tested.
    let mut shell = Command::new("sh");
    let program = current_exe().unwrap();
    if let Some(dir) = of_parent() {
        let _open = open(Path::new(&dir));
        let modes = super::files(Path::new(&dir)).into_keys().map(|name| mode(&Path::new(&dir).join(name)));
        assert_eq!(modes.collect::<Vec<_>>(), [0o600; 5], "journal.db, its log, the log's index, the lock, the mark");
        return;
    }
    let test = "tests::durability::the_directory_and_its_files_are_the_owners_alone";
    shell.args(["-c", "umask 0; exec \"$@\"", "sh"]).arg(&program).args(["--exact", test]);
    shell.env(super::CHILD_DIR, &data).stdout(Stdio::null());
    assert!(shell.status().unwrap().success());
    assert_eq!(mode(&data), 0o700);
    assert_eq!(mode(&parent.path().join("a")), 0o700);
}
