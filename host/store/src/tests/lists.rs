//! A list of many sessions costs what its page costs.

use rusqlite::StatementStatus;

use super::sqlite;
use crate::sqlite::{bind, sessions_sql};
use crate::{About, Cursor, SessionFilter, SqliteStore, Store};

const PAGE: usize = 20;

/// Fills the view as so many sessions would, one a second, every tenth of another plugin.
async fn fill(store: &SqliteStore, sessions: u32) {
    let insert = move |connection: &rusqlite::Connection| {
        connection.execute(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
             INSERT INTO sessions SELECT printf('s-%08d', i), iif(i % 10, 'teacher', 'tutor'), 'plan', 'planner', 'class', '3B', 'ana',
                 printf('%120d', i), i * 1000, i * 1000, 1, 'finished', 'success', printf('r-%08d', i), NULL, NULL, NULL FROM n
             WHERE true ON CONFLICT DO NOTHING",
            [sessions],
        )?;
        Ok(())
    };
    store.tamper(insert).await.unwrap();
}

/// Pages in the middle of as many sessions: each variant of the list.
fn pages(created_ms: u64) -> [SessionFilter; 5] {
    let after = Some(Cursor { created_ms, id: "s".into() });
    let all = SessionFilter { after, ..SessionFilter::newest(PAGE) };
    let plugin = SessionFilter { plugin: Some("tutor".into()), ..all.clone() };
    let owner = SessionFilter { owner: Some("ana".into()), ..all.clone() };
    let both = SessionFilter { plugin: Some("teacher".into()), subject: Some(About::id("3B".into())), ..owner.clone() };
    let since = SessionFilter { since_ms: Some(1), until_ms: Some(created_ms), after: None, ..owner.clone() };
    [all, plugin, owner, both, since]
}

/// Steps of SQLite's virtual machine for a page: the same on every machine.
async fn steps(store: &SqliteStore, created_ms: u64) -> Vec<i32> {
    let mut steps = Vec::new();
    for filter in pages(created_ms) {
        let count = move |connection: &rusqlite::Connection| {
            let mut page = connection.prepare(&sessions_sql(&filter))?;
            let rows = bind(&mut page, &filter)?.mapped(|_| Ok(())).count();
            assert_eq!(rows, PAGE);
            assert_eq!(page.get_status(StatementStatus::Sort), 0);
            Ok(page.get_status(StatementStatus::VmStep))
        };
        steps.push(store.peek(count).await.unwrap());
    }
    steps
}

#[tokio::test]
async fn a_page_of_a_hundred_thousand_costs_what_a_page_of_a_thousand_costs() {
    let (_dir, store) = sqlite();
    fill(&store, 1_000).await;
    let few = steps(&store, 500_000).await;
    fill(&store, 100_000).await;
    assert_eq!(few, steps(&store, 50_000_000).await);

    let newest = store.sessions(SessionFilter::newest(PAGE)).await.unwrap();
    assert_eq!((newest.len(), newest[0].id.as_str()), (PAGE, "s-00100000"));
    let tutor = SessionFilter { plugin: Some("tutor".into()), ..SessionFilter::newest(PAGE) };
    let last = store.sessions(tutor).await.unwrap().pop().unwrap();
    assert_eq!(last.id, "s-00099810");
}

#[tokio::test]
async fn lists_walk_an_index() {
    let (_dir, store) = sqlite();
    let expected = [
        "sessions_by_time ((created_ms,id)<(?,?))",
        "sessions_by_plugin (plugin=? AND (created_ms,id)<(?,?))",
        "sessions_by_owner (owner=? AND (created_ms,id)<(?,?))",
        "sessions_by_owner (owner=? AND (created_ms,id)<(?,?))",
        "sessions_by_owner (owner=? AND created_ms>? AND (created_ms,id)<(?,?))",
    ];
    for (filter, index) in pages(1_000).into_iter().zip(expected) {
        let plan = move |connection: &rusqlite::Connection| {
            let mut plan = connection.prepare(&format!("EXPLAIN QUERY PLAN {}", sessions_sql(&filter)))?;
            plan.raw_query().mapped(|row| row.get::<_, String>("detail")).collect::<Result<Vec<_>, _>>()
        };
        assert_eq!(store.peek(plan).await.unwrap(), [format!("SEARCH sessions USING INDEX {index}")]);
    }
}
