//! One process writes a journal; others may read it meanwhile.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::{CHILD_DIR, child, files, of_parent, open, sqlite};
use crate::conformance::{called, started_for};
use crate::{SearchQuery, SessionFilter, SqliteStore, Store, StoreError};

/// Refused as locked, within a second.
fn refused_as_locked(dir: &Path) -> StoreError {
    let begun = Instant::now();
    let error = SqliteStore::open(dir).unwrap_err();
    assert_eq!(error.code(), "store.locked", "{error}");
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
    error
}

/// A child that says `ready` when it holds the journal, and goes on until its input ends.
fn holder(test: &str, dir: &Path) -> Child {
    let program = std::env::current_exe().unwrap();
    let mut holder = child(&program, test, dir).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(holder.stdout.take().unwrap()).lines();
    assert!(lines.map(Result::unwrap).any(|line| line.ends_with("ready")), "the child never held the journal");
    holder
}

async fn hold(dir: &Path) {
    let store = open(dir);
    store.append("s-1", "r-1", 0, 10, vec![started_for("ana", "3B", "Loops"), called(1)], vec![]).await.unwrap();
    println!("ready");
    std::io::stdout().flush().unwrap();
    std::io::stdin().lines().for_each(drop);
}

#[tokio::test]
async fn the_second_process_is_refused() {
    const TEST: &str = "tests::processes::the_second_process_is_refused";
    if let Some(dir) = of_parent() {
        return hold(Path::new(&dir)).await;
    }
    let dir = TempDir::new().unwrap();
    let mut holder = holder(TEST, dir.path());
    let error = refused_as_locked(dir.path()).to_string();
    assert!(error.contains(&format!("process {} has {}", holder.id(), dir.path().display())), "{error}");

    let reader = SqliteStore::open_read_only(dir.path()).unwrap();
    assert_eq!(reader.read("s-1", 0, 10).await.unwrap().len(), 2, "what was just committed is read");
    // An end that no destructor runs for.
    holder.kill().unwrap();
    holder.wait().unwrap();
    let store = open(dir.path());
    store.append("s-1", "r-1", 2, 10, vec![called(2)], vec![]).await.unwrap();
    assert_eq!(reader.last_seq("s-1").await.unwrap(), 3, "the reader sees the next writer too");
}

#[test]
fn a_process_that_is_just_ending_is_waited_for() {
    let (dir, store) = sqlite();
    std::thread::scope(|scope| {
        scope.spawn(|| drop(store));
        open(dir.path());
    });
}

#[test]
fn one_process_opens_it_once() {
    let (dir, store) = sqlite();
    let error = refused_as_locked(dir.path()).to_string();
    assert!(error.contains(&format!("process {}", std::process::id())), "{error}");
    drop(store);
    open(dir.path());
}

#[tokio::test]
async fn to_read_alone() {
    let (dir, store) = sqlite();
    store.append("s-1", "r-1", 0, 10, vec![started_for("ana", "3B", "Loops")], vec![]).await.unwrap();
    let reader = SqliteStore::open_read_only(dir.path()).unwrap();
    store.append("s-1", "r-1", 1, 20, vec![called(1)], vec![]).await.unwrap();
    assert_eq!(reader.read("s-1", 0, 10).await.unwrap(), store.read("s-1", 0, 10).await.unwrap());
    assert_eq!(reader.sessions(SessionFilter::newest(9)).await.unwrap().len(), 1);
    let query = SearchQuery { owner: "ana".into(), words: "loops".into(), limit: 9, ..SearchQuery::default() };
    assert_eq!(reader.search(query).await.unwrap().len(), 1);

    let refused = [
        reader.append("s-1", "r-1", 2, 30, vec![called(2)], vec![]).await.map(drop),
        reader.claim("s-1", "node-a", 10, 10).await,
        reader.release("s-1", "node-a").await,
        reader.rebuild_views().await,
    ];
    assert_eq!(refused.map(|outcome| outcome.unwrap_err().code()), ["store.read_only"; 4]);
    // After the writer the reader goes on, and holds nobody up.
    drop(store);
    assert_eq!(reader.last_seq("s-1").await.unwrap(), 2);
    open(dir.path()).append("s-1", "r-1", 2, 30, vec![called(2)], vec![]).await.unwrap();
    assert_eq!(reader.last_seq("s-1").await.unwrap(), 3);
}

#[tokio::test]
async fn to_read_alone_changes_nothing() {
    let dir = TempDir::new().unwrap();
    let missing = SqliteStore::open_read_only(&dir.path().join("nowhere")).unwrap_err();
    assert_eq!(missing.code(), "store.missing");
    assert!(!dir.path().join("nowhere").exists());
    assert_eq!(SqliteStore::open_read_only(dir.path()).unwrap_err().code(), "store.missing");
    assert!(files(dir.path()).is_empty());
}

#[tokio::test]
async fn many_processes_at_once_make_one_journal() {
    const TEST: &str = "tests::processes::many_processes_at_once_make_one_journal";
    if let Some(dir) = of_parent() {
        // None of them finds a journal; whoever is refused comes again.
        let store = loop {
            match SqliteStore::open(Path::new(&dir)) {
                Err(StoreError::Locked { .. }) => {}
                opened => break opened.unwrap(),
            }
        };
        let (session, run) = (format!("s-{}", std::process::id()), format!("r-{}", std::process::id()));
        for last in 0..50 {
            store.append(&session, &run, last, 10, vec![called(1)], vec![]).await.unwrap();
        }
        return;
    }
    let dir = TempDir::new().unwrap();
    let data = dir.path().join("data");
    let program = std::env::current_exe().unwrap();
    let start = |_| child(&program, TEST, &data).env(CHILD_DIR, &data).stdout(Stdio::null()).spawn().unwrap();
    let children: Vec<Child> = (0..3).map(start).collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let store = open(&data);
    let sessions = store.sessions(SessionFilter::newest(10)).await.unwrap();
    assert_eq!(sessions.len(), 3);
    for session in sessions {
        assert_eq!(store.last_seq(&session.id).await.unwrap(), 50);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn another_store_of_the_process_leaves_the_locks_alone() {
    use std::os::unix::fs::MetadataExt;
    let (dir, _store) = sqlite();
    let file = format!(":{} ", dir.path().join("journal.db").metadata().unwrap().ino());
    let locks = || {
        let all = std::fs::read_to_string("/proc/locks").unwrap();
        let ours = all.lines().filter(|lock| lock.contains(&file)).filter_map(|lock| lock.split_once(": "));
        ours.map(|(_, lock)| lock.to_owned()).collect::<Vec<_>>()
    };
    let before = locks();
    assert_eq!(before.len(), 1, "{before:?}");
    // A process that closed the file by any other way than SQLite's would have dropped them all.
    drop(SqliteStore::open_read_only(dir.path()).unwrap());
    SqliteStore::open(dir.path()).unwrap_err();
    assert_eq!(locks(), before);
}
