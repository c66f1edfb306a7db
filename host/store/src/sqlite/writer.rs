//! The one writer: whatever waits becomes one transaction, in which each request succeeds or fails by itself.

use rusqlite::{Connection, params};
use ta_core::Record;
use tokio::sync::oneshot;

use super::mark::Mark;
use super::queries::{self, RECORD_COLUMNS};
use super::value::Natural;
use super::{memory, views};
use crate::chain::{Body, Hash, Header};
use crate::error::StoreError;
use crate::prepare::Prepared;
use crate::project::{Views, project, question};

/// Where a caller waits for what became of its request.
pub(super) type Answer<T> = oneshot::Sender<Result<T, StoreError>>;

/// Any statement, for tests that do what nobody may.
#[cfg(test)]
pub(super) type Tamper = dyn Fn(&Connection) -> rusqlite::Result<()> + Send;

/// A write and whoever waits for it.
pub(super) enum Work {
    Append {
        prepared: Prepared,
        answer: Answer<Vec<Record>>,
    },
    Claim {
        session: String,
        owner: String,
        now_ms: u64,
        ttl_ms: u64,
        answer: Answer<()>,
    },
    Release {
        session: String,
        owner: String,
        answer: Answer<()>,
    },
    Rebuild {
        answer: Answer<()>,
    },
    #[cfg(test)]
    Tamper {
        tamper: Box<Tamper>,
        answer: Answer<()>,
    },
}

impl Work {
    /// Carries the request out, within a transaction. May be called again after that was rolled back.
    fn run(&self, connection: &Connection) -> Result<(), StoreError> {
        match self {
            Self::Append { prepared, .. } => append(connection, prepared),
            Self::Claim { session, owner, now_ms, ttl_ms, .. } => claim(connection, session, owner, *now_ms, *ttl_ms),
            Self::Release { session, owner, .. } => release(connection, session, owner),
            Self::Rebuild { .. } => views::rebuild(connection),
            #[cfg(test)]
            Self::Tamper { tamper, .. } => Ok(tamper(connection)?),
        }
    }

    /// The last event that the request appends.
    fn last(&self) -> Option<&Record> {
        match self {
            Self::Append { prepared, .. } => prepared.entries.last().map(|entry| &entry.record),
            _ => None,
        }
    }

    /// Tells the caller, if it still waits.
    fn answer(self, outcome: Result<(), StoreError>) {
        let _ = match self {
            Self::Append { prepared, answer } => answer.send(outcome.map(|()| prepared.into_records())).is_ok(),
            Self::Claim { answer, .. } | Self::Release { answer, .. } | Self::Rebuild { answer } => {
                answer.send(outcome).is_ok()
            }
            #[cfg(test)]
            Self::Tamper { answer, .. } => answer.send(outcome).is_ok(),
        };
    }
}

/// Carries out a group of requests in one transaction and answers each when it is durable.
pub(super) fn commit(connection: &Connection, mark: &Mark, group: Vec<Work>) {
    match in_one_transaction(connection, &group) {
        Ok(outcomes) => {
            let last =
                group.iter().zip(&outcomes).rev().find_map(|(work, outcome)| work.last().filter(|_| outcome.is_ok()));
            if let Some(last) = last {
                mark.set(&last.session, last.seq);
            }
            for (work, outcome) in group.into_iter().zip(outcomes) {
                work.answer(outcome);
            }
        }
        // The large one among them found no space: the small ones may.
        Err(StoreError::Full { .. }) if group.len() > 1 => {
            for work in group {
                commit(connection, mark, vec![work]);
            }
        }
        Err(error) => {
            for work in group {
                work.answer(Err(error.clone()));
            }
        }
    }
}

/// The outcome of each request, all of them durable; or why there is none of the whole transaction.
fn in_one_transaction(connection: &Connection, group: &[Work]) -> Result<Vec<Result<(), StoreError>>, StoreError> {
    // Immediate: a transaction that reads first and then finds another writer could not wait for it.
    connection.execute_batch("BEGIN IMMEDIATE")?;
    let outcome = group.iter().map(|work| in_savepoint(connection, work)).collect::<Result<Vec<_>, _>>();
    let outcome = outcome.and_then(|outcomes| {
        // Where nothing succeeded there is nothing to commit, and SQLite would still count a change.
        let end = if outcomes.iter().any(Result::is_ok) { "COMMIT" } else { "ROLLBACK" };
        connection.execute_batch(end)?;
        Ok(outcomes)
    });
    if outcome.is_err() && !connection.is_autocommit() {
        connection.execute_batch("ROLLBACK")?;
    }
    outcome
}

/// The outcome of one request, without a trace where it failed; or why the transaction around it is lost.
fn in_savepoint(connection: &Connection, work: &Work) -> Result<Result<(), StoreError>, StoreError> {
    connection.prepare_cached("SAVEPOINT request")?.execute([])?;
    let outcome = work.run(connection);
    match outcome {
        Ok(()) => drop(connection.prepare_cached("RELEASE request")?.execute([])?),
        // A full disk, for one, makes SQLite roll everything back by itself.
        Err(error) if connection.is_autocommit() => return Err(error),
        Err(_) => connection.execute_batch("ROLLBACK TO request; RELEASE request")?,
    }
    Ok(outcome)
}

fn append(connection: &Connection, prepared: &Prepared) -> Result<(), StoreError> {
    let session = &prepared.session;
    let last = queries::last_header(connection, session)?;
    let (last_seq, mut previous) = last.map_or((0, Hash::NONE), |header| (header.seq, header.hash()));
    if last_seq != prepared.expected_last {
        let (session, expected) = (session.clone(), prepared.expected_last);
        return Err(StoreError::Conflict { session, expected, last: last_seq });
    }
    let run = views::run(connection, &prepared.run)?;
    if let Some(run) = run.as_ref().filter(|run| run.session != *session) {
        return Err(StoreError::RunElsewhere { run: run.id.clone(), session: run.session.clone() });
    }
    save_blobs(connection, prepared)?;
    if prepared.entries.is_empty() {
        return Ok(());
    }
    let mut rows = Views { session: views::session(connection, session)?, ..Views::default() };
    rows.runs.extend(run.map(|run| (run.id.clone(), run)));
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
            memory::fold(connection, record, rows.teacher())?;
        }
    }
    views::save(connection, session, &rows)
}

fn insert(connection: &Connection, header: &Header, body: &Body, place: Option<u64>) -> Result<(), StoreError> {
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
        let insert = "INSERT INTO blobs (sha256, bytes) VALUES (?1, ?2) ON CONFLICT (sha256) DO NOTHING";
        connection.prepare_cached(insert)?.execute(params![sha256, bytes])?;
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

fn claim(connection: &Connection, session: &str, owner: &str, now_ms: u64, ttl_ms: u64) -> Result<(), StoreError> {
    // The last condition: claimed more than its own length in the future, so the clock was set back since.
    let mut take = connection.prepare_cached(
        "INSERT INTO claims (session_id, owner, claimed_ms, expires_ms) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (session_id) DO UPDATE
         SET owner = excluded.owner, claimed_ms = excluded.claimed_ms, expires_ms = excluded.expires_ms
         WHERE owner = excluded.owner
            OR expires_ms <= excluded.claimed_ms
            OR claimed_ms - excluded.claimed_ms > expires_ms - claimed_ms",
    )?;
    let expires_ms = now_ms.saturating_add(ttl_ms);
    if take.execute(params![session, owner, Natural(now_ms), Natural(expires_ms)])? > 0 {
        return Ok(());
    }
    let mut held = connection.prepare_cached("SELECT owner, expires_ms FROM claims WHERE session_id = ?1")?;
    let (owner, Natural(until_ms)) = held.query_row([session], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Err(StoreError::Claimed { session: session.to_owned(), owner, until_ms })
}

fn release(connection: &Connection, session: &str, owner: &str) -> Result<(), StoreError> {
    let mut free = connection.prepare_cached("DELETE FROM claims WHERE session_id = ?1 AND owner = ?2")?;
    free.execute([session, owner])?;
    Ok(())
}
