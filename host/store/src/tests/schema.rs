//! What holds even for somebody with a SQL prompt, and on every connection.

use rusqlite::Connection;
use tempfile::TempDir;

use super::{open, sqlite};
use crate::Store;
use crate::conformance::called;
use crate::sqlite::FILE;

#[tokio::test]
async fn records_are_append_only() {
    let (_dir, store) = sqlite();
    let records =
        store.append("s-1", "r-1", 0, 10, vec![called(1), called(2)], vec![b"b".to_vec().into()]).await.unwrap();
    let row = "(session_id, seq, run_id, at_ms, type, previous, commitment, salt, body)
        VALUES ('s-1', {seq}, 'r-1', 0, 'x', x'00', x'00', x'00', '{}')";
    for sql in [
        "UPDATE records SET body = '{}' WHERE seq = 1".to_owned(),
        "UPDATE records SET body = NULL WHERE seq = 1".to_owned(),
        "UPDATE records SET salt = NULL WHERE seq = 1".to_owned(),
        "UPDATE records SET body = NULL, salt = NULL, at_ms = 11 WHERE seq = 1".to_owned(),
        "UPDATE records SET body = NULL, salt = NULL, previous = x'00' WHERE seq = 1".to_owned(),
        "UPDATE records SET run_id = 'r-2' WHERE seq = 1".to_owned(),
        "DELETE FROM records WHERE seq = 2".to_owned(),
        "DELETE FROM records".to_owned(),
        "UPDATE blobs SET bytes = x'00'".to_owned(),
        format!("INSERT OR REPLACE INTO records {}", row.replace("{seq}", "1")),
        format!("INSERT INTO records {}", row.replace("{seq}", "4")),
        format!("INSERT INTO records {}", row.replace("{seq}", "0")),
        format!("INSERT INTO records {} ON CONFLICT DO UPDATE SET body = ''", row.replace("{seq}", "2")),
    ] {
        let statement = sql.clone();
        let outcome = store.tamper(move |connection| connection.execute_batch(&statement)).await;
        let error = outcome.expect_err(&sql).to_string();
        assert!(error.contains("never") || error.contains("without gaps"), "{sql}: {error}");
    }
    assert_eq!(store.read("s-1", 0, 10).await.unwrap(), records);
}

#[tokio::test]
async fn one_failure_leaves_the_others_of_its_group() {
    let (_dir, store) = sqlite();
    let broken = store.tamper(|connection| {
        connection.execute_batch("INSERT INTO blobs VALUES ('left behind', x'00')")?;
        connection.execute_batch("DELETE FROM nowhere")
    });
    let (first, broken, last) = tokio::join!(
        store.append("s-1", "r-1", 0, 10, vec![called(1)], vec![]),
        broken,
        store.append("s-2", "r-2", 0, 10, vec![called(1)], vec![]),
    );
    assert_eq!((first.unwrap().len(), last.unwrap().len()), (1, 1));
    assert_eq!(broken.unwrap_err().code(), "store.failed");
    assert_eq!(store.blob("left behind").await.unwrap(), None);
}

#[tokio::test]
async fn every_connection_is_set_up() {
    let (_dir, store) = sqlite();
    let settings = |connection: &Connection| {
        let get = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
        let mode: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0))?;
        Ok((mode, get("synchronous")?, get("foreign_keys")?, get("busy_timeout")?))
    };
    let expected = ("wal".to_owned(), 2, 1, 5_000);
    assert_eq!(store.peek(settings).await.unwrap(), expected);
    let writer = move |connection: &Connection| {
        assert_eq!(settings(connection)?, expected);
        Ok(())
    };
    store.tamper(writer).await.unwrap();
    let write = store.peek(|connection| connection.execute_batch("DELETE FROM claims")).await;
    assert_eq!(write.unwrap_err().code(), "store.read_only", "readers cannot write");
}

#[tokio::test]
async fn tables_are_strict() {
    let (_dir, store) = sqlite();
    let lax = |connection: &Connection| {
        let mut tables = connection.prepare(
            "SELECT name, strict FROM pragma_table_list
             WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
        )?;
        tables.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, bool>(1)?)))?.collect()
    };
    let tables: Vec<(String, bool)> = store.peek(lax).await.unwrap();
    let names = [
        "blobs",
        "blobs_of_sessions",
        "claims",
        "codes",
        "erased",
        "memory_audit",
        "memory_files",
        "questions",
        "records",
        "runs",
        "searched",
        "sessions",
        "sweeps",
    ];
    assert_eq!(tables, names.map(|name| (name.to_owned(), true)));
}

#[test]
fn sqlite_is_new_enough() {
    // Before 3.51.3, resetting the log could corrupt the file.
    assert!(rusqlite::version_number() >= 3_051_003);
}

#[tokio::test]
async fn a_directory_may_have_any_name() {
    let dir = TempDir::new().unwrap();
    for name in ["a b", "é", "50% ?mode=memory&x#y", "'\"\\", "file:x"] {
        let data = dir.path().join(name);
        open(&data).append("s-1", "r-1", 0, 10, vec![called(1)], vec![]).await.unwrap();
        assert!(data.join(FILE).exists());
        assert_eq!(open(&data).last_seq("s-1").await.unwrap(), 1);
    }
    let twice = format!("/{}", dir.path().join("é").display());
    assert_eq!(open(std::path::Path::new(&twice)).last_seq("s-1").await.unwrap(), 1);
}

#[tokio::test]
async fn a_creation_that_was_killed_is_begun_again() {
    let dir = TempDir::new().unwrap();
    for left in ["journal.db.new", "journal.db.new-wal", "journal.lock"] {
        std::fs::write(dir.path().join(left), b"half").unwrap();
    }
    open(dir.path()).append("s-1", "r-1", 0, 10, vec![called(1)], vec![]).await.unwrap();
    assert_eq!(open(dir.path()).last_seq("s-1").await.unwrap(), 1);
    assert!(!dir.path().join("journal.db.new").exists());
}
