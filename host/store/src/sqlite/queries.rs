//! What is read: events by their place, rows of the views by id, prefix and time, blobs by digest.

use rusqlite::{Connection, OptionalExtension, Row, Rows, Statement, ToSql, params};
use ta_core::Record;

use super::value::{Natural, Salt, limit};
use super::views::{self, RUN_COLUMNS, SESSION_COLUMNS, run_row, session_row};
use crate::chain::{Body, Header, Stored};
use crate::error::StoreError;
use crate::prefix::{LOOKUP_MAX, Meaning, not_found, range, resolve};
use crate::prepare::decode;
use crate::rows::{Cursor, RunRow, SessionRow};
use crate::store::{Found, SessionFilter};

/// Columns of a record, in the order in which [`stored_row`] reads them.
pub(super) const RECORD_COLUMNS: &str = "session_id, seq, run_id, at_ms, type, previous, commitment, salt, body";

/// Events of a session after a number.
pub(super) fn read(
    connection: &Connection,
    session: &str,
    after: u64,
    count: usize,
) -> Result<Vec<Record>, StoreError> {
    stored(connection, session, after, count)?.into_iter().map(decode).collect()
}

/// Records of a session after a number, as they are stored.
pub(super) fn stored(
    connection: &Connection,
    session: &str,
    after: u64,
    count: usize,
) -> Result<Vec<Stored>, StoreError> {
    let mut page = connection.prepare_cached(&format!(
        "SELECT {RECORD_COLUMNS} FROM records WHERE session_id = ?1 AND seq > ?2 ORDER BY seq LIMIT ?3"
    ))?;
    let rows = page.query_map(params![session, Natural(after), limit(count)], stored_row)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// A row of [`RECORD_COLUMNS`].
pub(super) fn stored_row(row: &Row<'_>) -> rusqlite::Result<Stored> {
    let header = header_row(row)?;
    let body = match (row.get(7)?, row.get(8)?) {
        (Some(Salt(salt)), Some(json)) => Some(Body { salt, json }),
        _ => None,
    };
    Ok(Stored { header, body })
}

fn header_row(row: &Row<'_>) -> rusqlite::Result<Header> {
    let (Natural(seq), Natural(at_ms)) = (row.get(1)?, row.get(3)?);
    Ok(Header {
        session: row.get(0)?,
        seq,
        run: row.get(2)?,
        at_ms,
        kind: row.get(4)?,
        previous: row.get(5)?,
        commitment: row.get(6)?,
    })
}

/// Header of the last record of a session.
pub(super) fn last_header(connection: &Connection, session: &str) -> Result<Option<Header>, StoreError> {
    let mut last = connection.prepare_cached(&format!(
        "SELECT {RECORD_COLUMNS} FROM records WHERE session_id = ?1 ORDER BY seq DESC LIMIT 1"
    ))?;
    Ok(last.query_row([session], header_row).optional()?)
}

/// Number of the last event of a session.
pub(super) fn last_seq(connection: &Connection, session: &str) -> Result<u64, StoreError> {
    let mut last = connection.prepare_cached("SELECT coalesce(max(seq), 0) FROM records WHERE session_id = ?1")?;
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
    let found = match resolve(prefix, ids("sessions")?, ids("runs")?, ids("erased")?)? {
        Meaning::Session(id) => views::session(connection, &id)?.map(Found::Session),
        Meaning::Run(id) => views::run(connection, &id)?.map(Found::Run),
        Meaning::Erased(id) => return Err(StoreError::Erased { id }),
    };
    found.ok_or_else(|| not_found(prefix))
}

/// The list of sessions: each variant walks one index from the cursor on. Of an owner and a plugin together it walks
/// the owner's.
pub(crate) fn sessions_sql(filter: &SessionFilter) -> String {
    let mut wanted = String::new();
    for (given, condition) in [
        (filter.owner.is_some(), "owner = :owner AND "),
        // A `+` keeps a column from being looked up in an index.
        (
            filter.plugin.is_some(),
            if filter.owner.is_some() { "+plugin = :plugin AND " } else { "plugin = :plugin AND " },
        ),
        (filter.subject.is_some(), "subject_id = :subject_id AND "),
        (filter.subject.as_ref().is_some_and(|about| about.kind.is_some()), "subject_kind = :subject_kind AND "),
        (filter.since_ms.is_some(), "created_ms >= :since_ms AND "),
        (filter.unfinished, "state <> 'finished' AND "),
    ] {
        wanted.push_str(if given { condition } else { "" });
    }
    format!(
        "SELECT {SESSION_COLUMNS} FROM sessions WHERE {wanted}deleted_ms IS NULL AND (created_ms, id) < (:created_ms, :id) \
         ORDER BY created_ms DESC, id DESC LIMIT :limit"
    )
}

/// Sessions, the last created first.
pub(super) fn sessions(connection: &Connection, filter: &SessionFilter) -> Result<Vec<SessionRow>, StoreError> {
    let mut page = connection.prepare_cached(&sessions_sql(filter))?;
    let mut rows = bind(&mut page, filter)?.mapped(session_row);
    Ok(rows.by_ref().collect::<Result<_, _>>()?)
}

/// A page, with what the filter says in the places that [`sessions_sql`] left for it.
pub(crate) fn bind<'a>(page: &'a mut Statement<'_>, filter: &SessionFilter) -> rusqlite::Result<Rows<'a>> {
    // Above every id: their alphabet ends before it.
    let end = Cursor { created_ms: filter.until_ms.unwrap_or(u64::MAX), id: "\u{7f}".into() };
    let after = filter.after.as_ref().filter(|after| **after < end).unwrap_or(&end);
    let mut set = |name: &str, value: &dyn ToSql| match page.parameter_index(name)? {
        Some(index) => page.raw_bind_parameter(index, value),
        None => Ok(()),
    };
    set(":owner", &filter.owner)?;
    set(":plugin", &filter.plugin)?;
    set(":subject_kind", &filter.subject.as_ref().and_then(|about| about.kind.as_ref()))?;
    set(":subject_id", &filter.subject.as_ref().map(|about| &about.id))?;
    set(":since_ms", &filter.since_ms.map(Natural))?;
    set(":created_ms", &Natural(after.created_ms))?;
    set(":id", &after.id)?;
    set(":limit", &limit(filter.limit))?;
    Ok(page.raw_query())
}

/// Sessions that are due by now, the first due first.
pub(super) fn due(
    connection: &Connection,
    now_ms: u64,
    after: Option<(u64, String)>,
    most: usize,
) -> Result<Vec<SessionRow>, StoreError> {
    let mut page = connection.prepare_cached(&format!(
        "SELECT {SESSION_COLUMNS} FROM sessions
         WHERE due_ms IS NOT NULL AND due_ms <= ?1 AND (due_ms, id) > (?2, ?3) AND deleted_ms IS NULL
         ORDER BY due_ms, id LIMIT ?4"
    ))?;
    let (after_ms, id) = after.unwrap_or_default();
    let rows = page.query_map(params![Natural(now_ms), Natural(after_ms), id, limit(most)], session_row)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Runs of a session, the first one first.
pub(super) fn runs(connection: &Connection, session: &str) -> Result<Vec<RunRow>, StoreError> {
    let mut all = connection
        .prepare_cached(&format!("SELECT {RUN_COLUMNS} FROM runs WHERE session_id = ?1 ORDER BY first_seq"))?;
    let rows = all.query_map([session], run_row)?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// The bytes under a digest, as they are stored.
pub(super) fn missing_blobs(connection: &Connection, names: Vec<String>) -> Result<Vec<String>, StoreError> {
    let mut missing = Vec::new();
    for name in names {
        if !has_blob(connection, &name)? {
            missing.push(name);
        }
    }
    Ok(missing)
}

pub(super) fn has_blob(connection: &Connection, sha256: &str) -> Result<bool, StoreError> {
    Ok(connection.prepare_cached("SELECT 1 FROM blobs WHERE sha256 = ?1")?.exists([sha256])?)
}

pub(super) fn blob(connection: &Connection, sha256: &str) -> Result<Option<Vec<u8>>, StoreError> {
    let mut one = connection.prepare_cached("SELECT bytes FROM blobs WHERE sha256 = ?1")?;
    Ok(one.query_row([sha256], |row| row.get(0)).optional()?)
}
