//! What the journal holds of a session: its records, its conversation, its tasks.

use futures::stream::{self, StreamExt as _, TryStreamExt as _};
use ta_core::event::Event;
use ta_core::machine::{Machine, Past};
use ta_core::trace::{Trace, trace};
use ta_core::{Record, event};
use ta_store::{Found, RunRow, SessionRow, Store};

use crate::error::RuntimeError;

/// Records read at a time.
const PAGE: usize = 1_000;
/// Pages that are asked for at once: the store reads as many at the same time as it has readers.
const PAGES_AT_ONCE: usize = 4;

/// All records of a session, in order.
///
/// # Errors
/// Where the journal cannot be read.
pub async fn records(store: &dyn Store, session: &str) -> Result<Vec<Record>, RuntimeError> {
    let last = store.last_seq(session).await?;
    // Records are numbered without gaps, so that each page is known beforehand, and some are read at the same time.
    let pages = (0..last.div_ceil(PAGE as u64)).map(|page| store.read(session, page * PAGE as u64, PAGE));
    let pages: Vec<Vec<Record>> = stream::iter(pages).buffered(PAGES_AT_ONCE).try_collect().await?;
    Ok(pages.into_iter().flatten().collect())
}

/// How many forks of forks are followed.
const FORKS_MAX: usize = 1_000;

/// All records of a session in order; for one that began as a fork, with the past that it shares before its own.
///
/// # Errors
/// Where the journal cannot be read.
pub async fn lineage(store: &dyn Store, session: &str) -> Result<Vec<Record>, RuntimeError> {
    let mut all = records(store, session).await?;
    for _ in 0..FORKS_MAX {
        let Some(Record { event: Event::RunForked(forked), .. }) = all.first() else { break };
        let (session, through) = (forked.session.clone(), forked.through);
        let mut past = records(store, &session).await?;
        past.retain(|record| record.seq <= through);
        past.append(&mut all);
        all = past;
    }
    Ok(all)
}

/// A run with the runs whose past it shares, the oldest first.
#[must_use]
pub fn chain(lineage: &[Record], run: &str) -> Vec<String> {
    let mut chain = vec![run.to_owned()];
    for record in lineage.iter().rev() {
        if let Event::RunForked(forked) = &record.event
            && chain.first() == Some(&record.run)
        {
            chain.insert(0, forked.run.clone());
        }
    }
    chain
}

/// The run, as far as these records go, in its session's history.
#[must_use]
pub fn machine(lineage: &[Record], run: &str) -> Machine {
    let chain = chain(lineage, run);
    let mut machine = Machine::after(past(lineage, &chain));
    for record in lineage.iter().filter(|record| chain.contains(&record.run)) {
        machine.next(record);
    }
    machine
}

/// How the latest of these runs began.
#[must_use]
pub fn latest_start(lineage: &[Record]) -> Option<&event::RunStarted> {
    lineage.iter().rev().find_map(|record| match &record.event {
        Event::RunStarted(start) => Some(&**start),
        Event::RunForked(forked) => Some(&forked.start),
        _ => None,
    })
}

/// What the runs before a run and those whose past it shares (all runs, for none) leave behind. A run that a hook ended leaves no conversation: what
/// was refused is not to be talked about further.
#[must_use]
pub fn past(records: &[Record], before: &[String]) -> Past {
    let mut past = Past::default();
    let mut machine: Option<(String, Machine)> = None;
    for record in records {
        if before.contains(&record.run) {
            break;
        }
        if let Event::RunStarted(_) = record.event {
            machine = Some((record.run.clone(), Machine::after(past.clone())));
        }
        let Some((run, current)) = &mut machine else { continue };
        if matches!(record.event, Event::RunForked(_)) {
            run.clone_from(&record.run);
        }
        if *run == record.run {
            current.next(record);
        }
        if let Event::RunFinished(finished) = &record.event {
            past.tasks.clone_from(&current.ledger().tasks);
            if finished.status != event::Status::ErrorHookAbort {
                past.messages.clone_from(&current.conversation().history);
                past.earlier = current.remembered();
            }
        }
    }
    past
}

/// The session of that id, or of the run of that id; an unambiguous beginning is enough.
///
/// # Errors
/// Where there is none, or several.
pub async fn session(store: &dyn Store, id: &str) -> Result<SessionRow, RuntimeError> {
    match store.find(id).await? {
        Found::Session(session) => Ok(session),
        Found::Run(run) => store.session(&run.session).await?.ok_or_else(|| {
            RuntimeError::environment(
                "store.corrupt",
                format!("the run {id} has no session"),
                "rebuild the views of the journal",
            )
        }),
    }
}

/// The records of a run, with what a fork shares.
///
/// # Errors
/// Where the journal cannot be read.
pub async fn of_run(store: &dyn Store, session: &str, run: &str) -> Result<Vec<Record>, RuntimeError> {
    let mut records = lineage(store, session).await?;
    let chain = chain(&records, run);
    records.retain(|record| chain.contains(&record.run));
    Ok(records)
}

/// The records of a run, with what a fork shares; of a session's latest run, where the id is a session's.
///
/// # Errors
/// Where there is none.
pub async fn records_of(store: &dyn Store, id: &str) -> Result<Vec<Record>, RuntimeError> {
    let (session, run): (String, String) = match store.find(id).await? {
        Found::Session(session) => (session.id, session.last_run),
        Found::Run(RunRow { id, session, .. }) => (session, id),
    };
    let records = of_run(store, &session, &run).await?;
    let begins = records.iter().any(|record| matches!(record.event, Event::RunStarted(_)));
    if begins { Ok(records) } else { Err(without_beginning(&run)) }
}

fn without_beginning(run: &str) -> RuntimeError {
    RuntimeError::environment(
        "store.corrupt",
        format!("the run {run} has no beginning"),
        "put a backup in its place with `teacher-assist restore FILE`",
    )
}

/// The trace of a run; of a session's latest run, where the id is a session's.
///
/// # Errors
/// Where there is none.
pub async fn trace_of(store: &dyn Store, id: &str) -> Result<Trace, RuntimeError> {
    let records = records_of(store, id).await?;
    trace(&records).ok_or_else(|| without_beginning(id))
}

/// The workspace in which a run, or a session's latest run, began; none where its beginning is not known.
///
/// # Errors
/// Where there is no such run or session.
pub async fn workspace(store: &dyn Store, id: &str) -> Result<Option<std::path::PathBuf>, RuntimeError> {
    let (session, run) = match store.find(id).await? {
        Found::Session(session) => (session.id, session.last_run),
        Found::Run(RunRow { id, session, .. }) => (session, id),
    };
    let records = lineage(store, &session).await?;
    let machine = machine(&records, &run);
    let workspace = &machine.start().workspace;
    Ok(Some(workspace.into()).filter(|_| !workspace.is_empty()))
}
