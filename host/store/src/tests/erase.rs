//! What is erased is in no file any more, whenever the process ends.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use ta_core::event::Status;
use ta_core::memory::{Change, MemoryPath, MemoryRules};

use super::{child, files, of_parent, open, sqlite};
use crate::conformance::{
    asked, called, decided, decision, finished_with, note, prompted, remembered, renamed, started_for,
};
use crate::{Erasure, SqliteStore, Store, StoreError, verify_chain};

/// In every text of the session that is erased, and in no other.
const CANARY: &str = "zyzzogeton";
/// In every text of the others.
const SPARROW: &str = "woodsparrow";

fn erasure(sessions: &[&str]) -> Erasure {
    let sessions = sessions.iter().map(|id| (*id).to_owned()).collect();
    Erasure { sessions, claimed_by: "eraser".into(), memory_session: "m-new".into(), by: "person".into(), at_ms: 1_000 }
}

/// How often a word stands in the files of a directory, whatever its case. Its end alone is looked for: an index of words
/// holds of each only what the one before it does not begin with.
fn count(dir: &Path, word: &str) -> usize {
    let word = &word[word.len() - 6..];
    let hits =
        |bytes: &[u8]| bytes.windows(word.len()).filter(|window| window.eq_ignore_ascii_case(word.as_bytes())).count();
    files(dir).values().map(|bytes| hits(bytes)).sum()
}

/// A session that says a word wherever a session can say one; appended in many steps, so that pages are split and rows
/// move.
async fn say(store: &SqliteStore, session: &str, owner: &str, word: &str, turns: u64) {
    let (run, path) = (format!("r-{session}"), MemoryPath::entry(None));
    let (question, hash) = asked(&format!("hook-{word}"), &[&format!("item-{word}")]);
    let long = format!("{word} and what is said of it. ").repeat(200);
    let written = Change::written(path.clone(), None, format!("- Likes {word}\n"), &MemoryRules::default());
    let first = vec![
        started_for(owner, "3B", &format!("Recursion with {word}")),
        remembered(owner, word, note(&path, &format!("Keeps a {word}"))),
        remembered(owner, "p", written),
        prompted(&path, &[&format!("Likes {word}")]),
        question,
        decided(&hash, decision(&format!("item-{word}"), "revise", Some(&format!("More {word}")))),
        renamed(&format!("About {word}")),
    ];
    let mut last =
        store.append(session, &run, 0, 10, first, vec![long.clone().into_bytes().into()]).await.unwrap().len() as u64;
    for turn in 0..turns {
        let blob = format!("{word} number {turn} of {session}").repeat(50).into_bytes();
        let events = vec![called(1), finished_with(Status::Success, &format!("{long} {turn}"))];
        last = store.append(session, &run, last, 20, events, vec![blob.into()]).await.unwrap().last().unwrap().seq;
    }
}

async fn fill(store: &SqliteStore) {
    // In turns, so that they share pages.
    for number in 0..8 {
        say(store, &format!("other-{number}"), "ana", SPARROW, 2).await;
        say(store, &format!("s-{number}"), "ana", CANARY, 3).await;
    }
}

const ERASED: [&str; 8] = ["s-0", "s-1", "s-2", "s-3", "s-4", "s-5", "s-6", "s-7"];

async fn whole(store: &SqliteStore) {
    store.check().await.unwrap();
    for number in 0..8 {
        assert_eq!(verify_chain(store, &format!("s-{number}")).await.unwrap(), []);
        assert_eq!(verify_chain(store, &format!("other-{number}")).await.unwrap(), []);
        assert_eq!(store.read(&format!("other-{number}"), 0, 99).await.unwrap().len(), 11);
    }
}

#[tokio::test]
async fn no_file_holds_it_any_more() {
    let (dir, store) = sqlite();
    fill(&store).await;
    assert!(count(dir.path(), CANARY) > 1_000 && count(dir.path(), SPARROW) > 1_000);
    let erased = store.erase(erasure(&ERASED)).await.unwrap();
    assert!(
        erased.tombstones.iter().all(|tombstone| tombstone.records == 13 && tombstone.bytes > 20_000),
        "{erased:?}"
    );
    assert_eq!(count(dir.path(), CANARY), 0);
    assert!(count(dir.path(), SPARROW) > 1_000);
    whole(&store).await;
    store.rebuild_views().await.unwrap();
    drop(store);
    assert_eq!(count(dir.path(), CANARY), 0);
    assert_eq!(files(dir.path()).into_keys().filter(|name| name.ends_with("-wal")).count(), 0);
    whole(&open(dir.path())).await;
}

#[tokio::test]
async fn nor_what_was_moved_within_the_file() {
    let (dir, store) = sqlite();
    // Small sessions whose ids are in no order, so that pages are split in the middle and rows move to others: SQLite
    // leaves their old copies in what is free of a page.
    let id = |number: u32| format!("{:08x}", number.wrapping_mul(0x9e37_79b9));
    let mut erased = Vec::new();
    for number in 0..400 {
        let (session, run) = (id(number), format!("r-{}", id(number)));
        let word = if number % 2 == 0 { CANARY } else { SPARROW };
        for last in 0..4 {
            store.append(&session, &run, last, 10, vec![renamed(&format!("{word} {last}"))], vec![]).await.unwrap();
        }
        erased.extend((number % 2 == 0).then_some(session));
    }
    let erased: Vec<&str> = erased.iter().map(String::as_str).collect();
    store.erase(erasure(&erased)).await.unwrap();
    assert_eq!(count(dir.path(), CANARY), 0);
    assert!(count(dir.path(), SPARROW) > 800);
}

#[tokio::test]
async fn what_is_kept_is_erased_as_well() {
    let (dir, store) = sqlite();
    fill(&store).await;
    let last = store.last_seq("s-1").await.unwrap();
    let event = finished_with(Status::Success, &format!("The last {CANARY}"));
    store.append_later("s-1", "r-s-1", last, 30, vec![event], vec![CANARY.as_bytes().to_vec().into()]).await.unwrap();
    let erased = store.erase(erasure(&ERASED)).await.unwrap();
    assert_eq!(erased.tombstones[1].seq, last + 2);
    assert_eq!(count(dir.path(), CANARY), 0);
}

#[tokio::test]
async fn a_reader_elsewhere_holds_the_log() {
    let (dir, store) = sqlite();
    fill(&store).await;
    let reader = rusqlite::Connection::open(dir.path().join(crate::sqlite::FILE)).unwrap();
    reader.execute_batch("BEGIN; SELECT count(*) FROM records;").unwrap();
    // Waiting for it is another test's.
    store.tamper(|connection| connection.busy_timeout(std::time::Duration::from_millis(10))).await.unwrap();
    let error = store.erase(erasure(&ERASED)).await.unwrap_err();
    assert_eq!(error.code(), "store.unswept", "{error}");
    assert_eq!(store.read("s-1", 0, 9).await.unwrap_err(), StoreError::Erased { id: "s-1".into() });
    assert!(count(dir.path(), CANARY) > 0);
    drop(reader);
    drop(store);
    // Opening it again finishes it.
    let store = open(dir.path());
    assert_eq!(count(dir.path(), CANARY), 0);
    whole(&store).await;
}

#[tokio::test]
async fn a_process_that_is_killed_in_between_is_made_good() {
    const TEST: &str = "tests::erase::a_process_that_is_killed_in_between_is_made_good";
    if let Some(dir) = of_parent() {
        let store = open(Path::new(&dir));
        // Somebody reads, so that the log cannot be emptied, and the process ends with that undone.
        let reader = rusqlite::Connection::open(Path::new(&dir).join(crate::sqlite::FILE)).unwrap();
        reader.execute_batch("BEGIN; SELECT count(*) FROM records;").unwrap();
        store.tamper(|connection| connection.busy_timeout(std::time::Duration::from_millis(10))).await.unwrap();
        store.erase(erasure(&ERASED)).await.unwrap_err();
        std::process::abort();
    }
    let (dir, store) = sqlite();
    fill(&store).await;
    drop(store);
    let program = std::env::current_exe().unwrap();
    assert!(!child(&program, TEST, dir.path()).stdout(Stdio::null()).status().unwrap().success());
    assert!(count(dir.path(), CANARY) > 0);
    let store = open(dir.path());
    assert_eq!(count(dir.path(), CANARY), 0);
    whole(&store).await;
}

#[tokio::test]
async fn a_journal_opened_to_read_alone_erases_nothing() {
    let (dir, store) = sqlite();
    fill(&store).await;
    let reader = SqliteStore::open_read_only(dir.path()).unwrap();
    assert_eq!(reader.erase(erasure(&["s-1"])).await.unwrap_err().code(), "store.read_only");
    drop(store);
    let backup = dir.path().join("backup.db");
    open(dir.path()).backup(&backup).await.unwrap();
    open(dir.path()).erase(erasure(&ERASED)).await.unwrap();
    let kept = fs::read(&backup).unwrap();
    assert!(kept.windows(CANARY.len()).any(|window| window == CANARY.as_bytes()), "a copy is not reached");
}
