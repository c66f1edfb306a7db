//! A list of many sessions costs what its page costs.

use rusqlite::{StatementStatus, params};

use super::sqlite;
use crate::sqlite::sessions_sql;
use crate::{SessionFilter, SqliteStore, Store};

const PAGE: usize = 20;

/// Fills the view as so many sessions would, one a second, every tenth of another plugin.
async fn fill(store: &SqliteStore, sessions: u32) {
    let insert = move |connection: &rusqlite::Connection| {
        connection.execute(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
             INSERT INTO sessions SELECT printf('s-%08d', i), iif(i % 10, 'teacher', 'tutor'), 'plan', 'planner', '3B',
                 printf('%120d', i), i * 1000, i * 1000, 1, 'finished', 'success', printf('r-%08d', i) FROM n
             WHERE true ON CONFLICT DO NOTHING",
            [sessions],
        )?;
        Ok(())
    };
    store.tamper(insert).await.unwrap();
}

/// Steps of SQLite's virtual machine for a page in the middle: the same on every machine.
async fn steps(store: &SqliteStore, by_plugin: bool, created_ms: u32) -> i32 {
    let count = move |connection: &rusqlite::Connection| {
        let mut page = connection.prepare(&sessions_sql(by_plugin))?;
        let rows = if by_plugin {
            page.query(params![created_ms, "s", PAGE as i64, "tutor"])?.mapped(|_| Ok(())).count()
        } else {
            page.query(params![created_ms, "s", PAGE as i64])?.mapped(|_| Ok(())).count()
        };
        assert_eq!(rows, PAGE);
        assert_eq!(page.get_status(StatementStatus::Sort), 0);
        Ok(page.get_status(StatementStatus::VmStep))
    };
    store.peek(count).await.unwrap()
}

#[tokio::test]
async fn a_page_of_a_hundred_thousand_costs_what_a_page_of_a_thousand_costs() {
    let (_dir, store) = sqlite();
    fill(&store, 1_000).await;
    let few = (steps(&store, false, 500_000).await, steps(&store, true, 500_000).await);
    fill(&store, 100_000).await;
    let many = (steps(&store, false, 50_000_000).await, steps(&store, true, 50_000_000).await);
    assert_eq!(few, many);

    let newest = store.sessions(SessionFilter::newest(PAGE)).await.unwrap();
    assert_eq!((newest.len(), newest[0].id.as_str()), (PAGE, "s-00100000"));
    let tutor = SessionFilter { plugin: Some("tutor".into()), ..SessionFilter::newest(PAGE) };
    let last = store.sessions(tutor).await.unwrap().pop().unwrap();
    assert_eq!(last.id, "s-00099810");
}

#[tokio::test]
async fn lists_walk_an_index() {
    let (_dir, store) = sqlite();
    let plan = |by_plugin| {
        store.peek(move |connection| {
            let mut plan = connection.prepare(&format!("EXPLAIN QUERY PLAN {}", sessions_sql(by_plugin)))?;
            plan.raw_query().mapped(|row| row.get::<_, String>("detail")).collect::<Result<Vec<_>, _>>()
        })
    };
    let by_time = "SEARCH sessions USING INDEX sessions_by_time ((created_ms,id)<(?,?))";
    assert_eq!(plan(false).await.unwrap(), [by_time]);
    let by_plugin = "SEARCH sessions USING INDEX sessions_by_plugin (plugin=? AND (created_ms,id)<(?,?))";
    assert_eq!(plan(true).await.unwrap(), [by_plugin]);
}
