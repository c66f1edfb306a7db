//! A journal of an earlier schema is brought to this one: the same events, views as this version makes them.

use std::path::Path;

use rusqlite::{Connection, params};
use ta_core::event::Status;
use tempfile::TempDir;

use super::open;
use crate::conformance::{called, finished_with, started_for};
use crate::sqlite::{APPLICATION_ID, FILE, JOURNAL};
use crate::{SearchQuery, SessionFilter, Store};

/// The views as schema 1 had them.
const VIEWS_1: &str = "
    CREATE TABLE sessions (
        id TEXT NOT NULL PRIMARY KEY, plugin TEXT NOT NULL, command TEXT NOT NULL, agent TEXT NOT NULL, class TEXT,
        title TEXT NOT NULL, created_ms INTEGER NOT NULL, updated_ms INTEGER NOT NULL, runs INTEGER NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('running', 'parked', 'finished')), last_status TEXT, last_run TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sessions_by_time ON sessions (created_ms, id);
    CREATE INDEX sessions_by_plugin ON sessions (plugin, created_ms, id);
    CREATE TABLE runs (
        id TEXT NOT NULL PRIMARY KEY, session_id TEXT NOT NULL REFERENCES sessions (id), command TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('running', 'parked', 'finished')), status TEXT,
        started_ms INTEGER NOT NULL, ended_ms INTEGER, first_seq INTEGER NOT NULL, last_seq INTEGER NOT NULL,
        turns INTEGER NOT NULL, input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL, cost_usd REAL NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX runs_by_session ON runs (session_id, first_seq);
";

/// A journal of schema 1 with so many sessions of three events, as version 1 left it.
pub(super) fn version_1(dir: &Path, sessions: u32) {
    let old = Connection::open(dir.join(FILE)).unwrap();
    old.execute_batch("PRAGMA journal_mode = WAL; BEGIN;").unwrap();
    old.execute_batch(JOURNAL).unwrap();
    old.execute_batch(VIEWS_1).unwrap();
    for number in 0..sessions {
        let (session, run) = (format!("s-{number}"), format!("r-{number}"));
        let input = format!("Bubble sort, lesson {number}");
        let begun = serde_json::to_string(&started_for("local", "3B", &input)).unwrap();
        let rest = [called(1), finished_with(Status::Success, "Compare neighbours.")];
        let mut bodies = vec![("run.started", begun)];
        bodies.extend(rest.iter().map(|event| (event.name(), serde_json::to_string(event).unwrap())));
        for (seq, (kind, body)) in (1..).zip(bodies) {
            old.execute(
                "INSERT INTO events (session_id, seq, run_id, at_ms, type, body) VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                params![session, seq, run, number, kind, body],
            )
            .unwrap();
        }
        old.execute(
            "INSERT INTO sessions VALUES (?1, 'p', 'c', 'a', NULL, 't', ?2, ?2, 1, 'finished', 'success', ?3)",
            params![session, number, run],
        )
        .unwrap();
    }
    old.execute("INSERT INTO claims VALUES ('s-0', 'node-a', 10, 1000)", []).unwrap();
    old.pragma_update(None, "application_id", APPLICATION_ID).unwrap();
    old.pragma_update(None, "user_version", 1).unwrap();
    old.execute_batch("COMMIT").unwrap();
}

#[tokio::test]
async fn from_version_1() {
    let dir = TempDir::new().unwrap();
    version_1(dir.path(), 3);
    for _ in 0..2 {
        let store = open(dir.path());
        let rows = store.sessions(SessionFilter::newest(10)).await.unwrap();
        let shown: Vec<_> =
            rows.iter().map(|row| (row.id.as_str(), row.teacher.as_str(), row.title.as_str())).collect();
        assert_eq!(
            shown,
            [
                ("s-2", "local", "Bubble sort, lesson 2"),
                ("s-1", "local", "Bubble sort, lesson 1"),
                ("s-0", "local", "Bubble sort, lesson 0"),
            ]
        );
        let query =
            SearchQuery { teacher: "local".into(), words: "neighbours".into(), limit: 9, ..SearchQuery::default() };
        assert_eq!(store.search(query).await.unwrap().len(), 3);
        assert_eq!(store.memory("local").await.unwrap(), []);
        assert_eq!(store.read("s-1", 0, 10).await.unwrap().len(), 3);
        assert_eq!(store.claim("s-0", "node-b", 20, 10).await.unwrap_err().code(), "store.claimed");
    }
    let store = open(dir.path());
    store.append("s-1", "r-1", 3, 10, vec![called(2)], vec![]).await.unwrap();
    let version =
        store.peek(|connection| connection.pragma_query_value(None, "user_version", |row| row.get::<_, i64>(0)));
    assert_eq!(version.await.unwrap(), 3);
}

#[tokio::test]
async fn a_migration_that_fails_leaves_the_old_schema() {
    let dir = TempDir::new().unwrap();
    version_1(dir.path(), 2);
    let old = Connection::open(dir.path().join(FILE)).unwrap();
    old.execute("INSERT INTO events VALUES ('s-9', 1, 'r-9', 1, 'flow.stepped', '{\"type\": \"flow.stepped\"}')", [])
        .unwrap();
    let before = || -> (i64, i64, String) {
        let count = old.query_row("SELECT count(*) FROM sessions", [], |row| row.get(0)).unwrap();
        let tables = old.query_row("SELECT group_concat(name) FROM sqlite_schema", [], |row| row.get(0)).unwrap();
        (old.pragma_query_value(None, "user_version", |row| row.get(0)).unwrap(), count, tables)
    };
    let expected = before();
    assert_eq!(crate::SqliteStore::open(dir.path()).unwrap_err().code(), "store.unknown_event");
    assert_eq!(before(), expected);
}
