//! The journal, checked: whether each record belongs where it stands.
//!
//! The machine takes every run in again, from its beginning. A record that it has no place for was written by hand, by a
//! defect, or by another version.

use std::collections::BTreeMap;

use serde::Serialize;
use ta_core::machine::{Machine, Misplaced};
use ta_fields::problem::Problem;
use ta_store::{Found, SessionFilter, Store};

use crate::error::RuntimeError;
use crate::history;
use crate::host::Host;

/// Sessions that are read from the list at once.
const PAGE: usize = 200;

/// What was checked and what is wrong.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct JournalReport {
    /// How many sessions.
    pub sessions: usize,
    /// How many runs.
    pub runs: usize,
    /// How many records.
    pub records: usize,
    /// Records that cannot belong where they stand.
    pub problems: Vec<Problem>,
}

/// Checks one session, that of a run, or all.
///
/// # Errors
/// Where there is no such session, or the journal cannot be read.
pub async fn journal(host: &Host, id: Option<&str>) -> Result<JournalReport, RuntimeError> {
    let store = host.store_to_read()?;
    let mut report = JournalReport::default();
    if let Some(id) = id {
        let session = match store.find(id).await? {
            Found::Session(session) => session.id,
            Found::Run(run) => run.session,
        };
        check(&*store, &session, &mut report).await?;
        return Ok(report);
    }
    let mut after = None;
    loop {
        let filter = SessionFilter { after: after.take(), ..SessionFilter::newest(PAGE) };
        let sessions = store.sessions(filter).await?;
        for session in &sessions {
            check(&*store, &session.id, &mut report).await?;
        }
        match sessions.last().filter(|_| sessions.len() == PAGE) {
            Some(last) => after = Some(last.cursor()),
            None => return Ok(report),
        }
    }
}

async fn check(store: &dyn Store, session: &str, report: &mut JournalReport) -> Result<(), RuntimeError> {
    let lineage = history::lineage(store, session).await?;
    // A run with the records that it shares with the one that it was forked from.
    let own = lineage.iter().filter(|record| record.session == session);
    let runs: BTreeMap<&str, usize> = own.fold(BTreeMap::new(), |mut runs, record| {
        *runs.entry(record.run.as_str()).or_default() += usize::from(!record.event.beside_runs());
        runs
    });
    report.sessions += 1;
    for (run, records) in runs.into_iter().filter(|(_, records)| *records > 0) {
        let chain = history::chain(&lineage, run);
        let mut machine = Machine::after(history::past(&lineage, &chain));
        for record in lineage.iter().filter(|record| chain.contains(&record.run)) {
            machine.next(record);
        }
        report.runs += 1;
        report.records += records;
        report.problems.extend(machine.misplaced().iter().map(|it| problem(session, run, it)));
    }
    Ok(())
}

fn problem(session: &str, run: &str, it: &Misplaced) -> Problem {
    let Misplaced { seq, event, step } = it;
    let message = format!("record {seq}, `{event}` of the run {run}, cannot belong where that run was: {step}");
    let hint = "whoever wrote it was not this version of the program; `teacher-assist restore FILE` puts a backup in its place";
    Problem::new("journal.misplaced", &format!("session {session}"), message, hint)
}
