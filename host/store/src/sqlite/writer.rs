//! The one writer: whatever waits becomes one transaction, in which each request succeeds or fails by itself.
//!
//! An append that need not be durable yet is checked, answered and kept, and goes into the next transaction, before
//! everything that comes after it.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::Connection;
use ta_core::Record;
use tokio::sync::oneshot;

use super::append::{append, check};
use super::claims::{claim, release};
use super::lane::Worker;
use super::mark::Mark;
use super::views;
use crate::error::StoreError;
use crate::limits::KEPT_BYTES_MAX;
use crate::prepare::Prepared;
use crate::project::concerns;

/// Where a caller waits for what became of its request.
pub(super) type Answer<T> = oneshot::Sender<Result<T, StoreError>>;

/// Any statement, for tests that do what nobody may.
#[cfg(test)]
pub(super) type Tamper = dyn Fn(&Connection) -> rusqlite::Result<()> + Send;

/// A write and whoever waits for it.
pub(super) enum Work {
    /// Answered when it is durable, with the records after a number.
    Append {
        prepared: Prepared,
        after: u64,
        answer: Answer<Vec<Record>>,
    },
    /// Answered when it is accepted.
    AppendLater {
        prepared: Prepared,
        answer: Answer<Vec<Record>>,
    },
    /// Answered when what was accepted before is durable: all of a session, or of all sessions what can be.
    Barrier {
        session: Option<String>,
        answer: Answer<()>,
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
            Self::Append { prepared, .. } | Self::AppendLater { prepared, .. } => append(connection, prepared),
            Self::Barrier { .. } => Ok(()),
            Self::Claim { session, owner, now_ms, ttl_ms, .. } => claim(connection, session, owner, *now_ms, *ttl_ms),
            Self::Release { session, owner, .. } => release(connection, session, owner),
            Self::Rebuild { .. } => views::rebuild(connection),
            #[cfg(test)]
            Self::Tamper { tamper, .. } => Ok(tamper(connection)?),
        }
    }

    /// Tells the caller, if it still waits.
    fn answer(self, outcome: Result<(), StoreError>) {
        let _ = match self {
            Self::Append { prepared, after, answer } => {
                answer.send(outcome.map(|()| prepared.into_records(after))).is_ok()
            }
            Self::AppendLater { prepared, answer } => answer.send(outcome.map(|()| prepared.into_records(0))).is_ok(),
            Self::Barrier { answer, .. }
            | Self::Claim { answer, .. }
            | Self::Release { answer, .. }
            | Self::Rebuild { answer } => answer.send(outcome).is_ok(),
            #[cfg(test)]
            Self::Tamper { answer, .. } => answer.send(outcome).is_ok(),
        };
    }
}

/// A part of a transaction, which succeeds or fails as a whole: what was kept, a request, or what was kept and the request
/// that it be durable.
struct Part {
    kept: Option<Prepared>,
    work: Option<Work>,
}

impl Part {
    /// A request, with what is kept of its session where it has to do with that.
    fn of(work: Work, all_kept: &mut BTreeMap<String, Prepared>) -> Self {
        let kept = |session: &String| all_kept.get(session);
        match work {
            Work::Append { prepared, after, answer }
                if kept(&prepared.session).is_some_and(|kept| kept.goes_on_with(&prepared)) =>
            {
                let prepared = match all_kept.remove(&prepared.session) {
                    Some(mut whole) => {
                        whole.go_on(prepared);
                        whole
                    }
                    None => prepared,
                };
                Self { kept: None, work: Some(Work::Append { prepared, after, answer }) }
            }
            Work::Barrier { session: Some(session), answer } => {
                let kept = all_kept.remove(&session);
                Self { kept, work: Some(Work::Barrier { session: Some(session), answer }) }
            }
            work => Self { kept: None, work: Some(work) },
        }
    }

    fn run(&self, connection: &Connection) -> Result<(), StoreError> {
        self.kept.as_ref().map_or(Ok(()), |kept| append(connection, kept))?;
        self.work.as_ref().map_or(Ok(()), |work| work.run(connection))
    }

    /// The last event that it appends.
    fn last(&self) -> Option<&Record> {
        let asked = match &self.work {
            Some(Work::Append { prepared, .. }) => Some(prepared),
            _ => None,
        };
        asked.or(self.kept.as_ref())?.entries.last().map(|entry| &entry.record)
    }
}

/// What the writer's thread has.
pub(super) struct Writer {
    connection: Connection,
    mark: Mark,
    /// Accepted and not written yet, by session.
    kept: BTreeMap<String, Prepared>,
    kept_bytes: usize,
    /// Whether something is kept. A reader sees what is written alone, so it has that written first.
    keeps: Arc<AtomicBool>,
    /// Why what is kept could not be written, where that was tried. Until it can be, nothing more is kept.
    trouble: Option<StoreError>,
}

impl Writer {
    pub(super) const fn new(connection: Connection, mark: Mark, keeps: Arc<AtomicBool>) -> Self {
        Self { connection, mark, kept: BTreeMap::new(), kept_bytes: 0, keeps, trouble: None }
    }

    /// Accepts an append, or gives it back, to be written at once.
    fn accept(&mut self, prepared: Prepared, answer: Answer<Vec<Record>>) -> Option<Work> {
        let ordered = prepared.entries.iter().any(|entry| concerns(&entry.record.event));
        let fits = match self.kept.get(&prepared.session) {
            _ if ordered || self.trouble.is_some() => None,
            Some(kept) => kept.goes_on_with(&prepared).then_some(Ok(())),
            None if self.kept.values().any(|kept| kept.run == prepared.run) => None,
            None => Some(check(&self.connection, &prepared)),
        };
        match fits {
            None => return Some(Work::Append { after: prepared.expected_last, prepared, answer }),
            // A caller that was dropped has appended all the same, or has not.
            Some(Err(error)) => drop(answer.send(Err(error))),
            Some(Ok(())) => {
                let records = prepared.records();
                self.keep(prepared);
                let _ = answer.send(Ok(records));
            }
        }
        None
    }

    fn keep(&mut self, prepared: Prepared) {
        self.kept_bytes += prepared.bytes();
        // Before anybody hears of it: whoever reads next asks for it.
        self.keeps.store(true, Ordering::Release);
        match self.kept.entry(prepared.session.clone()) {
            Entry::Occupied(mut kept) => kept.get_mut().go_on(prepared),
            Entry::Vacant(free) => drop(free.insert(prepared)),
        }
    }

    /// Writes what is kept, and then does what was asked for, in one transaction.
    fn write(&mut self, asked: Vec<Work>) {
        self.trouble = None;
        self.kept_bytes = 0;
        let mut kept = std::mem::take(&mut self.kept);
        let asked: Vec<Part> = asked.into_iter().map(|work| Part::of(work, &mut kept)).collect();
        let kept = kept.into_values().map(|kept| Part { kept: Some(kept), work: None });
        self.commit(kept.chain(asked).collect());
        self.keeps.store(!self.kept.is_empty(), Ordering::Release);
    }

    /// Does each part in one transaction and answers it when it is durable.
    fn commit(&mut self, parts: Vec<Part>) {
        match in_one_transaction(&self.connection, &parts) {
            Ok(outcomes) => {
                let done = parts.iter().zip(&outcomes).filter(|(_, outcome)| outcome.is_ok());
                if let Some(last) = done.rev().find_map(|(part, _)| part.last()) {
                    self.mark.set(&last.session, last.seq);
                }
                for (part, outcome) in parts.into_iter().zip(outcomes) {
                    self.settle(part, outcome);
                }
            }
            // The large one among them found no space: the small ones may.
            Err(StoreError::Full { .. }) if parts.len() > 1 => {
                for part in parts {
                    self.commit(vec![part]);
                }
            }
            Err(error) => {
                for part in parts {
                    self.settle(part, Err(error.clone()));
                }
            }
        }
    }

    /// Tells whoever waits for it. What nobody waits for is kept where it could not be written: its session hears of it
    /// with its next barrier.
    fn settle(&mut self, part: Part, outcome: Result<(), StoreError>) {
        match (part, outcome) {
            (Part { work: Some(work), .. }, outcome) => work.answer(outcome),
            (Part { kept: Some(kept), work: None }, Err(error)) => {
                self.trouble = Some(error);
                self.keep(kept);
            }
            (Part { work: None, .. }, _) => {}
        }
    }
}

impl Worker<Work> for Writer {
    fn carry_out(&mut self, group: Vec<Work>) {
        let mut asked: Vec<Work> = Vec::new();
        for work in group {
            match work {
                // Behind a request of the same group it might be too early to accept it.
                Work::AppendLater { prepared, answer } if asked.is_empty() => {
                    asked.extend(self.accept(prepared, answer))
                }
                Work::AppendLater { prepared, answer } => {
                    asked.push(Work::Append { after: prepared.expected_last, prepared, answer });
                }
                work => asked.push(work),
            }
        }
        if !asked.is_empty() || self.kept_bytes > KEPT_BYTES_MAX {
            self.write(asked);
        }
    }

    fn end(&mut self) {
        if !self.kept.is_empty() {
            self.write(Vec::new());
        }
    }
}

/// The outcome of each part, all of them durable; or why there is none of the whole transaction.
fn in_one_transaction(connection: &Connection, parts: &[Part]) -> Result<Vec<Result<(), StoreError>>, StoreError> {
    let run = |statement: &str| -> Result<(), StoreError> {
        connection.prepare_cached(statement)?.execute([])?;
        Ok(())
    };
    // Immediate: a transaction that reads first and then finds another writer could not wait for it.
    run("BEGIN IMMEDIATE")?;
    let outcome = match parts {
        // What it leaves where it fails goes with the whole transaction.
        [alone] => Ok(vec![alone.run(connection)]),
        parts => parts.iter().map(|part| in_savepoint(connection, part)).collect::<Result<Vec<_>, _>>(),
    };
    let outcome = outcome.and_then(|outcomes| match outcomes.as_slice() {
        // A full disk, for one, makes SQLite roll everything back by itself.
        [Err(error)] if connection.is_autocommit() => Err(error.clone()),
        // Where nothing succeeded there is nothing to commit, and SQLite would still count a change.
        all if all.iter().any(Result::is_ok) => run("COMMIT").map(|()| outcomes),
        _ => run("ROLLBACK").map(|()| outcomes),
    });
    if outcome.is_err() && !connection.is_autocommit() {
        run("ROLLBACK")?;
    }
    outcome
}

/// The outcome of one part, without a trace where it failed; or why the transaction around it is lost.
fn in_savepoint(connection: &Connection, part: &Part) -> Result<Result<(), StoreError>, StoreError> {
    connection.prepare_cached("SAVEPOINT part")?.execute([])?;
    let outcome = part.run(connection);
    match outcome {
        Ok(()) => drop(connection.prepare_cached("RELEASE part")?.execute([])?),
        Err(error) if connection.is_autocommit() => return Err(error),
        Err(_) => connection.execute_batch("ROLLBACK TO part; RELEASE part")?,
    }
    Ok(outcome)
}
