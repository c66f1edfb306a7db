//! What is changed in the file is told by the chain.

use super::sqlite;
use crate::chain::{Broken, Why};
use crate::conformance::{called, started};
use crate::{SqliteStore, Store, verify_chain};

/// Does with the file what the triggers forbid.
async fn change(store: &SqliteStore, sql: &'static str) {
    let change = move |connection: &rusqlite::Connection| {
        connection
            .execute_batch("DROP TRIGGER IF EXISTS records_never_change; DROP TRIGGER IF EXISTS records_never_go;")?;
        connection.execute_batch(sql)
    };
    store.tamper(change).await.unwrap();
}

#[tokio::test]
async fn a_changed_file_is_told() {
    for (sql, expected) in [
        ("UPDATE records SET body = replace(body, 'loops', 'lists') WHERE seq = 1", vec![(1, Why::Body)]),
        ("UPDATE records SET at_ms = at_ms + 1 WHERE seq = 2", vec![(3, Why::Previous)]),
        ("UPDATE records SET type = 'model.answered' WHERE seq = 2", vec![(2, Why::Kind), (3, Why::Previous)]),
        ("UPDATE records SET salt = zeroblob(32) WHERE seq = 2", vec![(2, Why::Body)]),
        ("UPDATE records SET salt = NULL, body = NULL WHERE seq = 2", vec![(2, Why::NoBody)]),
        ("DELETE FROM records WHERE seq = 2", vec![(3, Why::Gap)]),
        (
            "DELETE FROM records WHERE seq = 2; UPDATE records SET seq = seq - 1 WHERE seq > 2",
            vec![(2, Why::Previous), (3, Why::Previous)],
        ),
        (
            "UPDATE records SET seq = 99 WHERE seq = 2; UPDATE records SET seq = 2 WHERE seq = 3; UPDATE records SET seq = 3 WHERE seq = 99",
            vec![(2, Why::Previous), (3, Why::Previous), (4, Why::Previous)],
        ),
    ] {
        let (_dir, store) = sqlite();
        let events = vec![started("p", "c", "loops"), called(1), called(2), called(3)];
        store.append("s-1", "r-1", 0, 10, events, vec![]).await.unwrap();
        assert_eq!(verify_chain(&store, "s-1").await.unwrap(), []);
        change(&store, sql).await;
        let expected = expected.into_iter().map(|(seq, why)| Broken { session: "s-1".into(), seq, why });
        assert_eq!(verify_chain(&store, "s-1").await.unwrap(), expected.collect::<Vec<_>>(), "{sql}");
    }
}

#[tokio::test]
async fn a_damaged_header_is_damage() {
    let (_dir, store) = sqlite();
    store.append("s-1", "r-1", 0, 10, vec![called(1)], vec![]).await.unwrap();
    change(&store, "UPDATE records SET previous = x'00'").await;
    assert_eq!(verify_chain(&store, "s-1").await.unwrap_err().code(), "store.corrupt");
}
