//! Taking back the last answer: where the run goes on from, and what it had led to.

use ta_core::event::{Event, MemoryWritten};
use ta_core::memory::Change;
use ta_core::request::Request;
use ta_core::{Record, step};

use crate::error::RuntimeError;
use crate::history;
use crate::host::Host;
use crate::memory;
use crate::run::own_session;
use crate::standing::{Standing, standing};

/// What taking back the last answer comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Undo {
    /// The run that asked: the latest one, or one whose past it shares.
    pub run: String,
    /// The last record of its session that stays: the one that asked, or with which all was at rest after it.
    pub at: u64,
    /// Title of the question that will be asked again.
    pub question: String,
    /// Where the run had saved its output; the file stays.
    pub saved: Option<String>,
    /// Files that were changed after that and still stand as changed.
    pub changed: Vec<Standing>,
    /// Notes that the answer had led to, taken out of memory again.
    pub forgotten: Vec<String>,
}

/// Finds the last answer of a session's latest run, and takes out of memory what the run wrote there after it. The run
/// itself goes on as a fork from `at`.
///
/// # Errors
/// `undo.nothing` where nothing was answered yet.
pub async fn undo(host: &Host, session: &str, owner: &str) -> Result<Undo, RuntimeError> {
    let store = host.store()?;
    let row = own_session(host, session, owner).await?;
    let records = history::lineage(&*store, &row.id).await?;
    let run = row.last_run.clone();
    let chain = history::chain(&records, &run);
    let own: Vec<_> = records.iter().filter(|record| chain.contains(&record.run)).collect();
    let answered = own.iter().rev().find_map(|record| match &record.event {
        Event::RequestAnswered(answered) => answered.outcome().map(|_| answered.hash.clone()),
        Event::ItemDecided(decided) => Some(decided.hash.clone()),
        _ => None,
    });
    let asked = answered.and_then(|hash| {
        own.iter().rev().find_map(|record| match &record.event {
            Event::RequestMade(made) if made.hash == hash => match &made.request {
                Request::Ask { question } => Some((record.run.clone(), record.seq, question.title.clone())),
                Request::Model(_) | Request::Tool { .. } => None,
            },
            _ => None,
        })
    });
    let Some((asked_by, asked_at, question)) = asked else {
        let message = "there is no answer to take back in this session's latest run";
        return Err(RuntimeError::usage("undo.nothing", message, "go on with --resume"));
    };
    let place = own.iter().position(|record| record.run == asked_by && record.seq == asked_at).unwrap_or(own.len());
    // While it was asked models of other agents may have been at work: the fork begins when they had answered.
    let beside: Vec<Record> = records.iter().filter(|record| record.run == asked_by).cloned().collect();
    let at = step::ends(&beside).into_iter().find(|end| *end >= asked_at).unwrap_or(asked_at);
    let after = own.iter().skip(place);
    let notes = after.clone().filter_map(|record| match &record.event {
        Event::MemoryWritten(written) => note(written),
        _ => None,
    });
    let mut forgotten = Vec::new();
    for (path, text) in notes {
        let file = store.memory_file(owner, &path).await?;
        // A note that other sessions came to as well is not this answer's to take back.
        let only = file
            .as_ref()
            .and_then(|file| file.record(&text))
            .is_some_and(|note| chain.contains(&note.run) && note.times == 1);
        if only {
            memory::change(host, owner, vec![Change::Forgotten { path, text: text.clone() }]).await?;
            forgotten.push(text);
        }
    }
    let machine = history::machine(&records, &run);
    let changed = standing(host, &*store, after.copied(), &machine.start().workspace).await?;
    let saved = own.iter().rev().find_map(|record| match &record.event {
        Event::RunFinished(finished) => finished.saved.clone(),
        _ => None,
    });
    Ok(Undo { run: asked_by, at, question, saved, changed, forgotten })
}

fn note(written: &MemoryWritten) -> Option<(ta_core::memory::MemoryPath, String)> {
    match &written.change {
        Change::Remembered { path, note } => Some((path.clone(), note.text.clone())),
        _ => None,
    }
}
