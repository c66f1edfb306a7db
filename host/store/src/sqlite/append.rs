//! An append in SQL: records with their place in the chain, blobs, and the views brought up to date.

use rusqlite::{Connection, params};
use ta_core::Record;

use super::queries::{self, RECORD_COLUMNS};
use super::value::Natural;
use super::views::Before;
use super::{memory, views};
use crate::chain::{Body, Hash, Header, TOMBSTONE};
use crate::error::StoreError;
use crate::prepare::Prepared;
use crate::project::{Views, project, question};

/// What a session and a run are before an append to them.
struct Place {
    previous: Hash,
    before: Before,
}

/// Refuses an append that does not fit the end of its session.
pub(super) fn check(connection: &Connection, prepared: &Prepared) -> Result<(), StoreError> {
    place(connection, prepared).map(drop)
}

fn place(connection: &Connection, prepared: &Prepared) -> Result<Place, StoreError> {
    let session = &prepared.session;
    let last = queries::last_header(connection, session)?;
    if last.as_ref().is_some_and(|header| header.kind == TOMBSTONE) {
        return Err(StoreError::Erased { id: session.clone() });
    }
    let (last, previous) = last.map_or((0, Hash::NONE), |header| (header.seq, header.hash()));
    if last != prepared.expected_last {
        let (session, expected) = (session.clone(), prepared.expected_last);
        return Err(StoreError::Conflict { session, expected, last });
    }
    let run = views::run(connection, &prepared.run)?;
    if let Some(run) = run.as_ref().filter(|run| run.session != *session) {
        return Err(StoreError::RunElsewhere { run: run.id.clone(), session: run.session.clone() });
    }
    let before = Before { session: views::session(connection, session)?, run };
    Ok(Place { previous, before })
}

/// Appends, within a transaction.
pub(super) fn append(connection: &Connection, prepared: &Prepared) -> Result<(), StoreError> {
    let Place { mut previous, before } = place(connection, prepared)?;
    save_blobs(connection, prepared)?;
    if prepared.entries.is_empty() {
        return Ok(());
    }
    let mut rows = Views { session: before.session.clone(), ..Views::default() };
    rows.runs.extend(before.run.clone().map(|run| (run.id.clone(), run)));
    for entry in &prepared.entries {
        let record = &entry.record;
        load_question(connection, record, &mut rows)?;
        project(record, &mut rows);
        // Whatever concerns memory stands in its audit, and so has a place among all that does.
        let audit = std::mem::take(&mut rows.audit);
        let place = if audit.is_empty() { None } else { Some(next_place(connection)?) };
        let header = entry.header(previous);
        insert(connection, &header, &entry.body, place)?;
        previous = header.hash();
        if let Some(place) = place {
            memory::save_audit(connection, place, &audit)?;
            memory::fold(connection, record, rows.session.as_ref())?;
        }
    }
    views::save(connection, &prepared.session, &rows, &before)
}

pub(super) fn insert(
    connection: &Connection,
    header: &Header,
    body: &Body,
    place: Option<u64>,
) -> Result<(), StoreError> {
    let Header { session, seq, run, at_ms, kind, previous, commitment } = header;
    let mut insert = connection.prepare_cached(&format!(
        "INSERT INTO records ({RECORD_COLUMNS}, place) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)"
    ))?;
    let (seq, at_ms, place) = (Natural(*seq), Natural(*at_ms), place.map(Natural));
    insert.execute(params![session, seq, run, at_ms, kind, previous, commitment, body.salt, body.json, place])?;
    Ok(())
}

/// Stores blobs that are new, and that they belong to the session.
fn save_blobs(connection: &Connection, prepared: &Prepared) -> Result<(), StoreError> {
    for (sha256, bytes) in &prepared.blobs {
        match bytes {
            Some(bytes) => {
                let insert = "INSERT INTO blobs (sha256, bytes) VALUES (?1, ?2) ON CONFLICT (sha256) DO NOTHING";
                connection.prepare_cached(insert)?.execute(params![sha256, bytes])?;
            }
            None if !queries::has_blob(connection, sha256)? => {
                return Err(StoreError::BlobMissing { sha256: sha256.clone() });
            }
            None => {}
        }
        let belongs = "INSERT INTO blobs_of_sessions (session_id, sha256) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
        connection.prepare_cached(belongs)?.execute([&prepared.session, sha256])?;
    }
    Ok(())
}

/// The question that an event is about, unless it was asked in the same request.
fn load_question(connection: &Connection, record: &Record, rows: &mut Views) -> Result<(), StoreError> {
    if let Some(hash) = question(record).filter(|hash| !rows.questions.contains_key(*hash)) {
        let asked = views::question(connection, &record.session, hash)?;
        rows.questions.extend(asked.map(|asked| (hash.to_owned(), asked)));
    }
    Ok(())
}

fn next_place(connection: &Connection) -> Result<u64, StoreError> {
    let mut last = connection.prepare_cached("SELECT coalesce(max(place), 0) FROM records WHERE place IS NOT NULL")?;
    let Natural(last) = last.query_row([], |row| row.get(0))?;
    Ok(last.saturating_add(1))
}
