//! A run that nothing drives any more: its host was stopped in the middle, or its task went wrong. In the journal it looks
//! like one at work until it is said that it waits.

use ta_core::Record;
use ta_core::event::{Event, RunParked};
use ta_core::machine::Action;

use ta_store::Store;

use crate::error::RuntimeError;
use crate::history;

/// Says that the latest run of a session waits, as of its last record: nothing has happened since, and no work is counted.
/// A call of a model that was under way is taken as paid. Nothing is said of a run that waits already or is over, and
/// nothing where somebody else appends at the same time. What was appended is given back.
///
/// # Errors
/// Where the journal cannot be read or written.
pub async fn stopped(store: &dyn Store, session: &str, run: &str) -> Result<Vec<Record>, RuntimeError> {
    let lineage = history::lineage(store, session).await?;
    let machine = history::machine(&lineage, run);
    let Some(last) = lineage.last().filter(|last| last.session == session) else { return Ok(Vec::new()) };
    if machine.ledger().parked || machine.ledger().is_finished() {
        return Ok(Vec::new());
    }
    let reason = match machine.pending() {
        Action::Ask(_) => "question",
        Action::Listen(_) => "message",
        _ => "interrupted",
    };
    let mut events: Vec<Event> = machine.lost_calls().into_iter().map(Event::ModelPartial).collect();
    events.push(Event::RunParked(RunParked { reason: reason.to_owned() }));
    match store.append(session, run, last.seq, last.at_ms, events, Vec::new()).await {
        Err(error) if error.code() == "store.conflict" => Ok(Vec::new()),
        appended => Ok(appended?),
    }
}
