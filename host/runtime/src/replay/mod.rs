//! A run made again from its journal, with no model, no person and no workspace.
//!
//! [`replay`] makes every hook's and tool's call again and compares what it said; [`swap()`] asks what another component
//! would have said in a hook's place; [`cut`] takes a hook's calls out, to be cases. All write nothing.

mod compare;
pub mod cut;
pub mod markdown;
mod rerun;
pub mod swap;
mod under_way;

use serde::Serialize;
use sha2::{Digest, Sha256};
use ta_core::Record;
use ta_core::machine::Machine;
use ta_store::{Found, Store};

use crate::error::RuntimeError;
use crate::history;
use crate::host::Host;
use crate::observer::Silent;
use crate::run::start::begun_with;
use rerun::Rerun;

pub use compare::Divergence;
pub use swap::{CallSwap, RunSwap, Swapped, Totals, swap};

/// A run that was made again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Replayed {
    /// Id of the run.
    pub run: String,
    /// Records of the run, those of a shared past included.
    pub events: usize,
    /// Hook and tool calls that were made again.
    pub calls: usize,
    /// Where it first went otherwise; none where it did not.
    pub divergence: Option<Divergence>,
    /// SHA-256 of the output that it came to; none where the run has none so far.
    pub output_sha256: Option<String>,
}

/// The records of a run and the machine that stands before the first of them.
pub(crate) struct Recorded {
    pub(crate) run: String,
    pub(crate) session: String,
    pub(crate) records: Vec<Record>,
    pub(crate) machine: Machine,
}

/// The run of that id, or the latest run of the session of that id.
pub(crate) async fn recorded(store: &dyn Store, id: &str) -> Result<Recorded, RuntimeError> {
    let (session, run) = match store.find(id).await? {
        Found::Session(session) => (session.id, session.last_run),
        Found::Run(run) => (run.session, run.id),
    };
    let mut records = history::lineage(store, &session).await?;
    let chain = history::chain(&records, &run);
    let past = history::past(&records, &chain);
    records.retain(|record| chain.contains(&record.run));
    Ok(Recorded { run, session, records, machine: Machine::after(past) })
}

/// Makes a run again and says whether everything came out the same.
///
/// # Errors
/// Where there is no such run, or the journal does not hold what belongs to it.
pub async fn replay(host: &Host, id: &str) -> Result<Replayed, RuntimeError> {
    let store = host.store_to_read()?;
    let Recorded { run, records, mut machine, .. } = recorded(&*store, id).await?;
    let mut rerun = Rerun::new(&*store, &host.sandbox);
    for record in &records {
        if let Some(start) = compare::start(&record.event) {
            rerun.components = begun_with(host, &store, start, &Silent).await?;
        }
        if let Some(divergence) = rerun.check(&machine, record).await? {
            let (events, calls) = (records.len(), rerun.calls());
            return Ok(Replayed { run, events, calls, divergence: Some(divergence), output_sha256: None });
        }
        machine.next(record);
    }
    if let Some(divergence) = rerun.end().await? {
        let (events, calls) = (records.len(), rerun.calls());
        return Ok(Replayed { run, events, calls, divergence: Some(divergence), output_sha256: None });
    }
    let output = machine.ledger().finished.as_ref().and_then(|finished| finished.output.as_deref());
    let output_sha256 = output.map(|output| hex::encode(Sha256::digest(output.as_bytes())));
    Ok(Replayed { run, events: records.len(), calls: rerun.calls(), divergence: None, output_sha256 })
}
