//! What is read: events by their place, rows of the views by id, prefix and time, blobs by digest.

use rusqlite::{Connection, OptionalExtension, Row, params};
use ta_core::Record;

use super::value::{Natural, limit};
use super::views::{self, RUN_COLUMNS, SESSION_COLUMNS, run_row, session_row};
use crate::error::StoreError;
use crate::prefix::{LOOKUP_MAX, Meaning, not_found, range, resolve};
use crate::prepare::decode;
use crate::rows::{RunRow, SessionRow};
use crate::store::{Found, SessionFilter};

/// Events of a session after a number.
pub(super) fn read(
    connection: &Connection,
    session: &str,
    after: u64,
    count: usize,
) -> Result<Vec<Record>, StoreError> {
    let mut page = connection.prepare_cached(
        "SELECT seq, run_id, at_ms, type, body FROM events WHERE session_id = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3",
    )?;
    let mut rows = page.query(params![session, Natural(after), limit(count)])?;
    let mut records = Vec::new();
    while let Some(row) = rows.next()? {
        records.push(record(session, row)?);
    }
    Ok(records)
}

/// The event in the columns `seq, run_id, at_ms, type, body`.
pub(super) fn record(session: &str, row: &Row<'_>) -> Result<Record, StoreError> {
    let Natural(seq) = row.get(0)?;
    let Natural(at_ms) = row.get(2)?;
    let kind: String = row.get(3)?;
    let body: String = row.get(4)?;
    let event = decode(session, seq, &kind, &body)?;
    Ok(Record { session: session.to_owned(), seq, run: row.get(1)?, at_ms, event })
}

/// Number of the last event of a session.
pub(super) fn last_seq(connection: &Connection, session: &str) -> Result<u64, StoreError> {
    let mut last = connection.prepare_cached("SELECT coalesce(max(seq), 0) FROM events WHERE session_id = ?1")?;
    let Natural(seq) = last.query_row([session], |row| row.get(0))?;
    Ok(seq)
}

/// The session or run that has an id or begins with it.
pub(super) fn find(connection: &Connection, prefix: &str) -> Result<Found, StoreError> {
    let ids = |table: &str| -> Result<Vec<String>, StoreError> {
        let (first, end) = range(prefix)?;
        let mut begin = connection
            .prepare_cached(&format!("SELECT id FROM {table} WHERE id >= ?1 AND id < ?2 ORDER BY id LIMIT ?3"))?;
        let found = begin.query_map(params![first, end, limit(LOOKUP_MAX)], |row| row.get(0))?;
        Ok(found.collect::<Result<_, _>>()?)
    };
    let found = match resolve(prefix, ids("sessions")?, ids("runs")?)? {
        Meaning::Session(id) => views::session(connection, &id)?.map(Found::Session),
        Meaning::Run(id) => views::run(connection, &id)?.map(Found::Run),
    };
    found.ok_or_else(|| not_found(prefix))
}

/// The list of sessions: each variant walks one index from the cursor on.
pub(crate) fn sessions_sql(by_plugin: bool) -> String {
    let plugin = if by_plugin { "plugin = ?4 AND" } else { "" };
    format!(
        "SELECT {SESSION_COLUMNS} FROM sessions WHERE {plugin} (created_ms, id) < (?1, ?2) \
         ORDER BY created_ms DESC, id DESC LIMIT ?3"
    )
}

/// Sessions, the last created first.
pub(super) fn sessions(connection: &Connection, filter: &SessionFilter) -> Result<Vec<SessionRow>, StoreError> {
    let mut page = connection.prepare_cached(&sessions_sql(filter.plugin.is_some()))?;
    // Above every id: their alphabet ends before it.
    let (created_ms, id) = filter.after.as_ref().map_or((u64::MAX, "\u{7f}"), |at| (at.created_ms, &at.id));
    let (created_ms, count) = (Natural(created_ms), limit(filter.limit));
    let rows = match &filter.plugin {
        Some(plugin) => page.query_map(params![created_ms, id, count, plugin], session_row)?.collect(),
        None => page.query_map(params![created_ms, id, count], session_row)?.collect::<Result<_, _>>(),
    };
    Ok(rows?)
}

/// Runs of a session, the first one first.
pub(super) fn runs(connection: &Connection, session: &str) -> Result<Vec<RunRow>, StoreError> {
    let mut all = connection
        .prepare_cached(&format!("SELECT {RUN_COLUMNS} FROM runs WHERE session_id = ?1 ORDER BY first_seq"))?;
    let rows = all.query_map([session], run_row)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The bytes under a digest, as they are stored.
pub(super) fn blob(connection: &Connection, sha256: &str) -> Result<Option<Vec<u8>>, StoreError> {
    let mut one = connection.prepare_cached("SELECT bytes FROM blobs WHERE sha256 = ?1")?;
    Ok(one.query_row([sha256], |row| row.get(0)).optional()?)
}
