//! A full disk: what was stored is read, and with space again the run goes on.

use super::sqlite;
use ta_core::event::Status;
use ta_core::memory::MemoryPath;

use crate::conformance::{called, finished_with, note, remembered, started_for};
use crate::{SearchQuery, SqliteStore, Store, digest};

/// Lets the file grow by so many pages and no further, as a full disk would.
async fn leave(store: &SqliteStore, pages: i64) {
    let limit = move |connection: &rusqlite::Connection| {
        let used: i64 = connection.pragma_query_value(None, "page_count", |row| row.get(0))?;
        connection.pragma_update_and_check(None, "max_page_count", used + pages, |_| Ok(()))
    };
    store.tamper(limit).await.unwrap();
}

#[tokio::test]
async fn a_full_disk_is_said_and_survived() {
    let (_dir, store) = sqlite();
    let records = store.append("s-1", "r-1", 0, 10, vec![called(1)], vec![]).await.unwrap();
    leave(&store, 10).await;
    let large = vec![7; 1_000_000];
    let full = store.append("s-1", "r-1", 1, 20, vec![called(2)], vec![large.clone().into()]).await.unwrap_err();
    assert_eq!(full.code(), "store.full");
    assert_eq!(store.read("s-1", 0, 10).await.unwrap(), records);
    assert_eq!(store.blob(&digest(&large)).await.unwrap(), None);
    assert_eq!(store.session("s-1").await.unwrap().unwrap().updated_ms, 10);

    leave(&store, 1_000).await;
    assert_eq!(store.append("s-1", "r-1", 1, 20, vec![called(2)], vec![large.into()]).await.unwrap()[0].seq, 2);
}

#[tokio::test]
async fn the_small_ones_of_a_group_still_fit() {
    let (_dir, store) = sqlite();
    leave(&store, 20).await;
    let (before, large, after) = tokio::join!(
        store.append("s-1", "r-1", 0, 10, vec![called(1)], vec![]),
        store.append("s-2", "r-2", 0, 10, vec![called(1)], vec![vec![7; 1_000_000].into()]),
        store.append("s-3", "r-3", 0, 10, vec![called(1)], vec![]),
    );
    assert_eq!((before.unwrap().len(), after.unwrap().len()), (1, 1));
    assert_eq!(large.unwrap_err().code(), "store.full");
    assert_eq!(store.last_seq("s-2").await.unwrap(), 0);
}

#[tokio::test]
async fn what_did_not_fit_is_in_no_view() {
    let (_dir, store) = sqlite();
    store.append("s-1", "r-1", 0, 10, vec![started_for("ana", "3B", "Loops")], vec![]).await.unwrap();
    leave(&store, 10).await;
    let path = MemoryPath::entry(None);
    let events = vec![
        remembered("ana", "call-1", note(&path, "Likes quizzes")),
        finished_with(Status::Success, &"Pupils trace a loop. ".repeat(10_000)),
    ];
    let found = || async {
        let query = SearchQuery { owner: "ana".into(), words: "trace".into(), limit: 9, ..SearchQuery::default() };
        (store.search(query).await.unwrap().len(), store.memory("ana").await.unwrap().len())
    };
    // Again and again, as a run that waits for room would.
    for _ in 0..3 {
        let full = store.append("s-1", "r-1", 1, 20, events.clone(), vec![]).await.unwrap_err();
        assert_eq!(full.code(), "store.full");
        assert_eq!(found().await, (0, 0));
        assert_eq!(store.memory_audit("ana", None, 9).await.unwrap(), []);
        assert_eq!(store.last_seq("s-1").await.unwrap(), 1);
    }
    leave(&store, 1_000).await;
    assert_eq!(store.append("s-1", "r-1", 1, 20, events, vec![]).await.unwrap()[1].seq, 3);
    assert_eq!(found().await, (1, 1));
    store.rebuild_views().await.unwrap();
    assert_eq!(found().await, (1, 1));
}
