//! Memory files and their audit in SQL.

use std::collections::BTreeSet;

use rusqlite::types::Type;
use rusqlite::{Connection, OptionalExtension, Row, params};
use ta_core::Record;
use ta_core::memory::{MemoryFile, MemoryPath};

use super::queries::{RECORD_COLUMNS, stored_row};
use super::value::{Natural, limit};
use super::views;
use crate::audit::AuditRow;
use crate::error::StoreError;
use crate::prepare::decode;
use crate::project::forget::{self, NoteKey};
use crate::project::{FileKey, Files, remember, touched};
use crate::rows::SessionRow;

/// An owner's files, in the order of their paths.
pub(super) fn files(connection: &Connection, owner: &str) -> Result<Vec<MemoryFile>, StoreError> {
    let mut all = connection
        .prepare_cached("SELECT path, text, updated_ms, notes FROM memory_files WHERE owner = ?1 ORDER BY path")?;
    let files = all.query_map([owner], file_row)?;
    Ok(files.collect::<Result<_, _>>()?)
}

/// One of an owner's files.
pub(super) fn file(connection: &Connection, owner: &str, path: &str) -> Result<Option<MemoryFile>, StoreError> {
    let mut one = connection
        .prepare_cached("SELECT path, text, updated_ms, notes FROM memory_files WHERE owner = ?1 AND path = ?2")?;
    Ok(one.query_row([owner, path], file_row).optional()?)
}

/// Brings the files up to date with one more event; the row is its session's, where that is listed.
pub(super) fn fold(connection: &Connection, record: &Record, row: Option<&SessionRow>) -> Result<(), StoreError> {
    let owner = row.map_or("", |row| row.owner.as_str());
    let keys = touched(record, owner);
    if keys.is_empty() {
        return Ok(());
    }
    let mut at_hand = Files::new();
    for key in keys {
        let file = file(connection, &key.0, &key.1)?;
        at_hand.insert(key, file);
    }
    let lineage = lineage(connection, record, row)?;
    remember(record, owner, &lineage, &mut at_hand);
    at_hand.iter().try_for_each(|(key, file)| save(connection, key, file.as_ref()))
}

/// The session that the past of a record's session began in.
fn lineage(connection: &Connection, record: &Record, row: Option<&SessionRow>) -> Result<String, StoreError> {
    let mut first = record.session.clone();
    let mut parent = row.and_then(|row| row.forked_from.clone());
    while let Some(session) = parent.take_if(|session| *session != first) {
        parent = views::session(connection, &session)?.and_then(|row| row.forked_from);
        first = session;
    }
    Ok(first)
}

/// Makes the files of these owners again, from what is left.
pub(super) fn fold_anew(connection: &Connection, owners: &BTreeSet<String>) -> Result<(), StoreError> {
    for owner in owners {
        connection.execute("DELETE FROM memory_files WHERE owner = ?1", [owner])?;
    }
    if owners.is_empty() {
        return Ok(());
    }
    in_order(connection, |record, row| {
        let owner = row.map_or("", |row| row.owner.as_str());
        let theirs = touched(record, owner).iter().any(|(owner, _)| owners.contains(owner));
        if theirs { fold(connection, record, row) } else { Ok(()) }
    })
}

/// Notes that an owner's sessions came to by themselves.
pub(super) fn remembered(connection: &Connection, owner: &str) -> Result<BTreeSet<NoteKey>, StoreError> {
    let mut all = BTreeSet::new();
    in_order(connection, |record, _| {
        all.extend(forget::remembered(std::iter::once(record), owner));
        Ok(())
    })?;
    Ok(all)
}

/// Goes through all that concerns memory in the order in which it was appended, each with the row of its session.
pub(super) fn in_order(
    connection: &Connection,
    mut each: impl FnMut(&Record, Option<&SessionRow>) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let mut all = connection.prepare(&format!(
        "SELECT {RECORD_COLUMNS} FROM records WHERE place IS NOT NULL AND body IS NOT NULL ORDER BY place"
    ))?;
    let mut rows = all.query([])?;
    while let Some(row) = rows.next()? {
        let record = decode(stored_row(row)?)?;
        each(&record, views::session(connection, &record.session)?.as_ref())?;
    }
    Ok(())
}

/// The sessions of an owner that are in no list: what a person did to memory outside any run.
pub(super) fn sessions(connection: &Connection, owner: &str) -> Result<Vec<String>, StoreError> {
    let mut all = connection.prepare_cached(
        "SELECT DISTINCT session_id FROM memory_audit \
         WHERE owner = ?1 AND session_id NOT IN (SELECT id FROM sessions) ORDER BY session_id",
    )?;
    let ids = all.query_map([owner], |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
}

fn save(connection: &Connection, (owner, path): &FileKey, file: Option<&MemoryFile>) -> Result<(), StoreError> {
    let Some(file) = file else {
        let mut remove = connection.prepare_cached("DELETE FROM memory_files WHERE owner = ?1 AND path = ?2")?;
        remove.execute([owner, path])?;
        return Ok(());
    };
    let failed = |error: serde_json::Error| StoreError::Failed {
        doing: "writing a memory file".into(),
        reason: error.to_string(),
    };
    let notes = serde_json::to_string(&file.notes).map_err(failed)?;
    let mut save = connection.prepare_cached(
        "INSERT INTO memory_files (owner, path, text, updated_ms, notes) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (owner, path) DO UPDATE
         SET text = excluded.text, updated_ms = excluded.updated_ms, notes = excluded.notes",
    )?;
    save.execute(params![owner, path, file.text, Natural(file.updated_ms), notes])?;
    Ok(())
}

/// What was done to an owner's memory, the last first.
pub(super) fn audit(
    connection: &Connection,
    owner: &str,
    path: Option<&str>,
    count: usize,
) -> Result<Vec<AuditRow>, StoreError> {
    let of_path = if path.is_some() { "AND path = ?3" } else { "" };
    let mut page = connection.prepare_cached(&format!(
        "SELECT at_ms, session_id, run_id, seq, by, kind, path, detail FROM memory_audit \
         WHERE owner = ?1 {of_path} ORDER BY place DESC, item DESC LIMIT ?2"
    ))?;
    let rows = match path {
        Some(path) => page.query_map(params![owner, limit(count), path], audit_row)?.collect(),
        None => page.query_map(params![owner, limit(count)], audit_row)?.collect::<Result<_, _>>(),
    };
    Ok(rows?)
}

/// Writes what one event adds to the audit; `place` is the event's.
pub(super) fn save_audit(connection: &Connection, place: u64, rows: &[(String, AuditRow)]) -> Result<(), StoreError> {
    let mut save = connection.prepare_cached(
        "INSERT INTO memory_audit (owner, place, item, at_ms, session_id, run_id, seq, by, kind, path, detail)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    )?;
    for (item, (owner, row)) in (0_u64..).zip(rows) {
        let AuditRow { at_ms, session, run, seq, by, kind, path, detail } = row;
        let path = path.as_ref().map(ToString::to_string);
        let (place, item, at_ms, seq) = (Natural(place), Natural(item), Natural(*at_ms), Natural(*seq));
        save.execute(params![owner, place, item, at_ms, session, run, seq, by, kind.name(), path, detail])?;
    }
    Ok(())
}

fn file_row(row: &Row<'_>) -> rusqlite::Result<MemoryFile> {
    let path: String = row.get(0)?;
    let notes: String = row.get(3)?;
    let Natural(updated_ms) = row.get(2)?;
    Ok(MemoryFile {
        path: parsed(0, path.parse::<MemoryPath>())?,
        text: row.get(1)?,
        updated_ms,
        notes: parsed(3, serde_json::from_str(&notes))?,
    })
}

fn audit_row(row: &Row<'_>) -> rusqlite::Result<AuditRow> {
    let (Natural(at_ms), Natural(seq)) = (row.get(0)?, row.get(3)?);
    let (kind, path): (String, Option<String>) = (row.get(5)?, row.get(6)?);
    Ok(AuditRow {
        at_ms,
        session: row.get(1)?,
        run: row.get(2)?,
        seq,
        by: row.get(4)?,
        kind: parsed(5, kind.parse())?,
        path: path.map(|path| parsed(6, path.parse())).transpose()?,
        detail: row.get(7)?,
    })
}

/// What does not parse was not written by us.
fn parsed<T, E: Into<Box<dyn std::error::Error + Send + Sync>>>(
    column: usize,
    value: Result<T, E>,
) -> rusqlite::Result<T> {
    value.map_err(|error| rusqlite::Error::FromSqlConversionFailure(column, Type::Text, error.into()))
}
