//! Erasing sessions for good, in SQL.
//!
//! One transaction takes away what the sessions say and appends a tombstone to each; then the file is written anew and the
//! log emptied, since SQLite leaves what was deleted or moved in the free parts of its pages. A process that is
//! killed in between leaves a note to do that when the journal is opened next.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::Connection;
use ta_core::Event;
use ta_core::event::SessionErased;
use ta_core::memory::MemoryFile;

use super::append::{append, insert};
use super::value::Natural;
use super::{claims, codes, memory, queries};
use crate::chain::TOMBSTONE;
use crate::erase::{Erased, Erasure, Tombstone};
use crate::error::StoreError;
use crate::prepare::prepare;
use crate::project::forget::{self, Told, corrections, written};

/// Every session that ran for an owner, or that wrote the owner's memory.
pub(super) fn sessions_of(connection: &Connection, owner: &str) -> Result<Vec<String>, StoreError> {
    let mut all = connection.prepare_cached(
        "SELECT id FROM sessions WHERE owner = ?1
         UNION SELECT session_id FROM memory_audit WHERE owner = ?1 AND kind = 'written'",
    )?;
    let ids = all.query_map([owner], |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
}

/// Sessions that begin with the past of this one.
pub(super) fn forks(connection: &Connection, session: &str) -> Result<Vec<String>, StoreError> {
    let mut all = connection.prepare_cached("SELECT id FROM sessions WHERE forked_from = ?1 ORDER BY id")?;
    let ids = all.query_map([session], |row| row.get(0))?;
    Ok(ids.collect::<Result<_, _>>()?)
}

/// Erases, within a transaction. What is left in free parts of the file is for [`sweep`].
pub(super) fn erase(connection: &Connection, erasure: &Erasure) -> Result<Erased, StoreError> {
    for session in &erasure.sessions {
        admit(connection, erasure, session)?;
    }
    let owners = owners(connection, &erasure.sessions)?;
    let mut before = BTreeMap::new();
    for owner in &owners {
        before.insert(owner.clone(), memory::files(connection, owner)?);
    }
    let mut noted = BTreeSet::new();
    for session in &erasure.sessions {
        noted.extend(forget::noted(queries::read(connection, session, 0, usize::MAX)?.iter()));
    }
    let mut tombstones = take_out(connection, erasure, &erasure.sessions)?;
    memory::fold_anew(connection, &owners)?;
    for (number, (owner, before)) in before.iter().enumerate() {
        tombstones.extend(set_right(connection, erasure, (number, owner, before), &noted)?);
    }
    connection.execute("INSERT INTO sweeps DEFAULT VALUES", [])?;
    Ok(Erased { at_ms: erasure.at_ms, tombstones })
}

/// Takes the notes of the erased sessions also out of what a person did to an owner's memory since, and keeps what was
/// forgotten from coming back. Where a person's changes say such a note, they are taken out as well and what they come to is
/// said anew.
fn set_right(
    connection: &Connection,
    erasure: &Erasure,
    (number, owner, before): (usize, &String, &[MemoryFile]),
    noted: &BTreeSet<String>,
) -> Result<Vec<Tombstone>, StoreError> {
    let remembered = memory::remembered(connection, owner)?;
    let told = Told { before, erased: &erasure.sessions, remembered: &remembered };
    let wanted = told.wanted(&memory::files(connection, owner)?);
    let stays: BTreeSet<&String> = wanted.iter().flat_map(|file| file.notes.keys()).collect();
    let gone: BTreeSet<String> = noted.iter().filter(|note| !stays.contains(note)).cloned().collect();
    let mut saying = Vec::new();
    for session in memory::sessions(connection, owner)? {
        let records = queries::read(connection, &session, 0, usize::MAX)?;
        if records.iter().any(|record| forget::says(record, &gone)) {
            saying.push(session);
        }
    }
    let tombstones = take_out(connection, erasure, &saying)?;
    if !saying.is_empty() {
        memory::fold_anew(connection, &BTreeSet::from([owner.clone()]))?;
    }
    let changes = corrections(&wanted, &memory::files(connection, owner)?);
    if !changes.is_empty() {
        let own = memory::sessions(connection, owner)?.into_iter().next();
        let session = own.unwrap_or_else(|| format!("{}{number}", erasure.memory_session));
        let last = queries::last_header(connection, &session)?.map_or(0, |header| header.seq);
        let events: Vec<Event> = written(owner, &erasure.by, changes);
        append(connection, &prepare(&session, &session, last, erasure.at_ms, &events, Vec::new())?)?;
    }
    Ok(tombstones)
}

/// Takes sessions out of the journal and appends a tombstone to each.
fn take_out(connection: &Connection, erasure: &Erasure, sessions: &[String]) -> Result<Vec<Tombstone>, StoreError> {
    let mut tombstones = Vec::new();
    let mut blobs = Vec::new();
    for session in sessions {
        let (records, bytes) = bodies(connection, session)?;
        blobs.push(blobs_of(connection, session)?);
        tombstones.push(Tombstone { session: session.clone(), seq: 0, records, blobs: 0, bytes });
    }
    for (tombstone, (count, bytes)) in tombstones.iter_mut().zip(unshared(connection, &blobs)?) {
        tombstone.blobs = count;
        tombstone.bytes = tombstone.bytes.saturating_add(bytes);
    }
    for tombstone in &mut tombstones {
        views(connection, &tombstone.session)?;
        codes::forget_session(connection, &tombstone.session)?;
        bury(connection, erasure, tombstone)?;
    }
    Ok(tombstones)
}

/// Refuses a session that there is not, that is gone already, that somebody writes, or that others begin with.
fn admit(connection: &Connection, erasure: &Erasure, session: &str) -> Result<(), StoreError> {
    match queries::last_header(connection, session)? {
        None => return Err(StoreError::NotFound { id: session.to_owned() }),
        Some(last) if last.kind == TOMBSTONE => return Err(StoreError::Erased { id: session.to_owned() }),
        Some(_) => {}
    }
    claims::check(connection, session, &erasure.claimed_by, erasure.at_ms)?;
    let left: Vec<String> =
        forks(connection, session)?.into_iter().filter(|fork| !erasure.sessions.contains(fork)).collect();
    if left.is_empty() { Ok(()) } else { Err(StoreError::Forked { session: session.to_owned(), forks: left }) }
}

/// The owners whose memory has to do with the sessions.
fn owners(connection: &Connection, sessions: &[String]) -> Result<BTreeSet<String>, StoreError> {
    let mut all = connection.prepare_cached("SELECT DISTINCT owner FROM memory_audit WHERE session_id = ?1")?;
    let mut owners = BTreeSet::new();
    for session in sessions {
        for owner in all.query_map([session], |row| row.get(0))? {
            owners.insert(owner?);
        }
    }
    Ok(owners)
}

/// How many records a session has, and how many bytes they say.
fn bodies(connection: &Connection, session: &str) -> Result<(u64, u64), StoreError> {
    let sum =
        "SELECT count(*), coalesce(sum(octet_length(salt) + octet_length(body)), 0) FROM records WHERE session_id = ?1";
    let (Natural(count), Natural(bytes)) =
        connection.prepare_cached(sum)?.query_row([session], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok((count, bytes))
}

/// Takes from a session all blobs, and says which.
fn blobs_of(connection: &Connection, session: &str) -> Result<BTreeSet<String>, StoreError> {
    let mut all = connection.prepare_cached("DELETE FROM blobs_of_sessions WHERE session_id = ?1 RETURNING sha256")?;
    let blobs = all.query_map([session], |row| row.get(0))?;
    Ok(blobs.collect::<Result<_, _>>()?)
}

/// Deletes those of the blobs that belong to no session any more. Says for each set how many, and how many bytes.
fn unshared(connection: &Connection, sets: &[BTreeSet<String>]) -> Result<Vec<(u64, u64)>, StoreError> {
    let mut free: BTreeSet<&String> = sets.iter().flatten().collect();
    // One walk through all: that happens seldom, and an index by digest would cost every append.
    let mut all = connection.prepare("SELECT DISTINCT sha256 FROM blobs_of_sessions")?;
    let mut shared = all.query([])?;
    while let Some(row) = shared.next()? {
        free.remove(&row.get::<_, String>(0)?);
    }
    let mut delete = connection.prepare_cached("DELETE FROM blobs WHERE sha256 = ?1 RETURNING octet_length(bytes)")?;
    let mut sums = Vec::new();
    for set in sets {
        let (mut count, mut sum) = (0_u64, 0_u64);
        for sha256 in set.iter().filter(|sha256| free.contains(sha256)) {
            for bytes in delete.query_map([sha256], |row| row.get(0))? {
                let Natural(bytes) = bytes?;
                (count, sum) = (count.saturating_add(1), sum.saturating_add(bytes));
            }
        }
        sums.push((count, sum));
    }
    Ok(sums)
}

/// Takes a session out of all views, and notes that it and its runs were there.
fn views(connection: &Connection, session: &str) -> Result<(), StoreError> {
    remember_ids(connection, session)?;
    for sql in [
        "DELETE FROM texts WHERE rowid IN (SELECT text FROM searched WHERE session_id = ?1)",
        "DELETE FROM searched WHERE session_id = ?1",
        "DELETE FROM questions WHERE session_id = ?1",
        "DELETE FROM memory_audit WHERE session_id = ?1",
        "DELETE FROM runs WHERE session_id = ?1",
        "DELETE FROM sessions WHERE id = ?1",
        "DELETE FROM claims WHERE session_id = ?1",
    ] {
        connection.execute(sql, [session])?;
    }
    Ok(())
}

/// Notes which ids stand for a session that is gone: its own and those of its runs.
pub(super) fn remember_ids(connection: &Connection, session: &str) -> Result<(), StoreError> {
    connection.execute(
        "INSERT INTO erased (id, session_id) SELECT ?1, ?1
         UNION SELECT DISTINCT run_id, session_id FROM records WHERE session_id = ?1
         ON CONFLICT DO NOTHING",
        [session],
    )?;
    Ok(())
}

/// Takes away bodies and salts, and appends the tombstone.
fn bury(connection: &Connection, erasure: &Erasure, tombstone: &mut Tombstone) -> Result<(), StoreError> {
    let Tombstone { session, seq, records, blobs, bytes } = tombstone;
    connection.execute("UPDATE records SET salt = NULL, body = NULL WHERE session_id = ?1", [&*session])?;
    let Some(last) = queries::last_header(connection, session)? else { return Ok(()) };
    let event = SessionErased { by: erasure.by.clone(), records: *records, blobs: *blobs, bytes: *bytes };
    let events = [Event::SessionErased(event)];
    let prepared = prepare(session, &last.run, last.seq, erasure.at_ms, &events, Vec::new())?;
    for entry in &prepared.entries {
        *seq = entry.record.seq;
        insert(connection, &entry.header(last.hash()), &entry.body, None)?;
    }
    Ok(())
}

/// Writes the file anew from what is left, and empties the log.
///
/// # Errors
/// `store.unswept`: what was erased may still be found in the file.
pub(super) fn sweep(connection: &Connection) -> Result<(), StoreError> {
    let unswept = |reason: String| StoreError::Unswept { reason };
    connection.execute_batch("VACUUM").map_err(|error| unswept(error.to_string()))?;
    let emptied = |row: &rusqlite::Row<'_>| row.get::<_, bool>(0);
    let busy = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], emptied);
    match busy {
        Ok(false) => {
            connection.execute("DELETE FROM sweeps", [])?;
            Ok(())
        }
        Ok(true) => Err(unswept("another process is reading it".into())),
        Err(error) => Err(unswept(error.to_string())),
    }
}

/// Whether a process was killed before it had swept.
pub(super) fn to_sweep(connection: &Connection) -> Result<bool, StoreError> {
    Ok(connection.query_row("SELECT EXISTS (SELECT 1 FROM sweeps)", [], |row| row.get(0))?)
}
