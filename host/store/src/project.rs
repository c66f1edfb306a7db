//! What the views hold: the one function that makes rows from events, at an append and at a rebuild alike.

use std::collections::BTreeMap;

use ta_core::event::{ModelAnswered, RunFinished, RunStarted};
use ta_core::{Event, Record};

use crate::limits::{INTEGER_MAX, TITLE_CHARS_MAX};
use crate::rows::{RunRow, SessionRow, State};

/// Rows of one session: all that an event of it can change.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Views {
    /// None before the first event.
    pub(crate) session: Option<SessionRow>,
    /// Runs by id: those that the events at hand belong to, if they exist already.
    pub(crate) runs: BTreeMap<String, RunRow>,
}

/// Brings the rows up to date with one more event. Total: every sequence of events gives rows, even one that no run
/// would write.
pub(crate) fn project(record: &Record, views: &mut Views) {
    let first_of_run = !views.runs.contains_key(&record.run);
    let session = views.session.get_or_insert_with(|| created(record));
    let run = views.runs.entry(record.run.clone()).or_insert_with(|| begun(record));
    session.runs += u64::from(first_of_run);
    session.updated_ms = record.at_ms;
    run.last_seq = record.seq;
    match &record.event {
        Event::RunStarted(started) => start(started, session, run),
        Event::ModelAnswered(answered) => count(answered, run),
        Event::RunForked(forked) => start(&forked.start, session, run),
        Event::RunParked(_) => run.state = State::Parked,
        Event::RunResumed(_) => run.state = State::Running,
        Event::RunFinished(finished) => finish(finished, record.at_ms, session, run),
        // Named one by one, so that a new event does not compile before somebody has decided what it means here.
        Event::PromptAssembled(_)
        | Event::HookFinished(_)
        | Event::QuestionAsked(_)
        | Event::ItemDecided(_)
        | Event::QuestionAnswered(_)
        | Event::ModelCalled(_)
        | Event::ModelFailed(_)
        | Event::ToolStarted(_)
        | Event::ToolFinished(_)
        | Event::WritesIntended(_)
        | Event::WritesDone(_)
        | Event::TasksReplaced(_)
        | Event::PromptCorrected(_)
        | Event::MemoryWritten(_)
        | Event::MemoryConsolidated(_) => {}
    }
    session.state = run.state;
    session.last_run.clone_from(&run.id);
}

fn created(record: &Record) -> SessionRow {
    SessionRow {
        id: record.session.clone(),
        plugin: String::new(),
        command: String::new(),
        agent: String::new(),
        class: None,
        title: String::new(),
        created_ms: record.at_ms,
        updated_ms: record.at_ms,
        runs: 0,
        state: State::Running,
        last_status: None,
        last_run: record.run.clone(),
    }
}

fn begun(record: &Record) -> RunRow {
    RunRow {
        id: record.run.clone(),
        session: record.session.clone(),
        command: String::new(),
        state: State::Running,
        status: None,
        started_ms: record.at_ms,
        ended_ms: None,
        first_seq: record.seq,
        last_seq: record.seq,
        turns: 0,
        input_tokens: 0,
        output_tokens: 0,
        cost_usd: 0.0,
    }
}

fn start(started: &RunStarted, session: &mut SessionRow, run: &mut RunRow) {
    run.state = State::Running;
    run.command.clone_from(&started.command);
    // A plugin has a name: the first run that started gave the session its texts, and they stay.
    if session.plugin.is_empty() {
        session.plugin.clone_from(&started.plugin);
        session.command.clone_from(&started.command);
        session.agent.clone_from(&started.agent);
        session.class.clone_from(&started.class);
        session.title = started.input.chars().take(TITLE_CHARS_MAX).collect();
    }
}

fn count(answered: &ModelAnswered, run: &mut RunRow) {
    let usage = answered.answer.usage;
    run.turns = run.turns.max(u64::from(answered.turn));
    run.input_tokens = run.input_tokens.saturating_add(usage.input_tokens).min(INTEGER_MAX);
    run.output_tokens = run.output_tokens.saturating_add(usage.output_tokens).min(INTEGER_MAX);
    let cost_usd = run.cost_usd + answered.answer.cost_usd;
    // Neither SQL nor JSON has an infinite number.
    if cost_usd.is_finite() {
        run.cost_usd = cost_usd;
    }
}

fn finish(finished: &RunFinished, at_ms: u64, session: &mut SessionRow, run: &mut RunRow) {
    let status = finished.status.name().to_owned();
    run.state = State::Finished;
    run.ended_ms = Some(at_ms);
    run.status = Some(status.clone());
    session.last_status = Some(status);
}
