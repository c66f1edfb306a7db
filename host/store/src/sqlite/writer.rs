//! The one writer: whatever waits becomes one transaction, in which each request succeeds or fails by itself.
//!
//! An append that need not be durable yet is checked, answered and kept, and goes into the next transaction, before
//! everything that comes after it.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::Connection;
use ta_core::Record;

use super::append::check;
use super::erase;
use super::lane::Worker;
use super::look::Look;
use super::mark::Mark;
use super::open::fold_log;
use super::work::{Answer, Part, Work};
use crate::error::StoreError;
use crate::limits::KEPT_BYTES_MAX;
use crate::prepare::Prepared;
use crate::project::concerns;

/// What the writer's thread tells others.
#[derive(Debug, Clone, Default)]
pub(super) struct Shared {
    /// Whether something was accepted that is not written yet.
    pub(super) keeps: Arc<AtomicBool>,
    /// Whether all pages of the file are known to be whole.
    pub(super) whole: Arc<AtomicBool>,
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
    /// The look through the pages of the file, until it is done.
    look: Option<Look>,
    /// Set when all pages are known to be whole.
    whole: Arc<AtomicBool>,
    /// What the look found. Nothing is written any more.
    damage: Option<StoreError>,
}

impl Writer {
    pub(super) fn new((connection, look): (Connection, Option<Look>), mark: Mark, shared: Shared) -> Self {
        let Shared { keeps, whole } = shared;
        whole.store(look.is_none(), Ordering::Release);
        let (kept, kept_bytes) = (BTreeMap::new(), 0);
        Self { connection, mark, kept, kept_bytes, keeps, trouble: None, look, whole, damage: None }
    }

    /// Takes in what a look through all pages has found.
    fn looked(&mut self, verdict: Result<(), StoreError>) {
        let folding = verdict.and_then(|()| fold_log(&self.connection, true));
        self.whole.store(folding.is_ok(), Ordering::Release);
        self.damage = folding.err();
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
        // What was accepted goes before everything that was asked for later: it joins only the first request of its session,
        // since one before that, by somebody else, would take its place.
        let (mut seen, mut nothing) = (BTreeSet::new(), BTreeMap::new());
        let mut part = |work: Work| {
            let first = work.session().is_none_or(|session| seen.insert(session.to_owned()));
            Part::of(work, if first { &mut kept } else { &mut nothing })
        };
        let asked: Vec<Part> = asked.into_iter().map(&mut part).collect();
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
            (Part { work: Some(work @ Work::Erase { .. }), .. }, Ok(())) => work.answer(erase::sweep(&self.connection)),
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
        // Erasing writes the whole file anew: that waits until all of it is known to be whole.
        let erases = group.iter().any(|work| matches!(work, Work::Erase { .. }));
        if let Some(look) = self.look.take_if(|look| erases || look.is_done()) {
            self.looked(look.end());
        }
        if let Some(damage) = &self.damage {
            group.into_iter().for_each(|work| work.answer(Err(damage.clone())));
            return;
        }
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
        if !self.kept.is_empty() && self.damage.is_none() {
            self.write(Vec::new());
        }
        if let Some(look) = self.look.take() {
            // Only then is it known whether the log may be folded into the file.
            self.looked(look.end());
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
