//! What the views hold: the one function that makes rows from events, at an append and at a rebuild alike.

pub(crate) mod forget;
mod memory;

use std::collections::BTreeMap;

use ta_core::event::{ItemDecided, RequestAnswer, RequestAnswered, RunFinished, RunStarted};
use ta_core::flow::Wait;
use ta_core::message::Usage;
use ta_core::question::{Answer, Decision, Outcome};
use ta_core::request::Request;
use ta_core::{Event, Record};

pub(crate) use memory::{FileKey, Files, concerns, remember, touched};

use crate::audit::AuditRow;
use crate::limits::{INTEGER_MAX, TITLE_CHARS_MAX};
use crate::rows::{RunRow, SessionRow, State};

/// A question that was asked.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Asked {
    /// Number of the record that asked it.
    pub(crate) seq: u64,
    /// Who asked: a hook, the component of a tool, or `host`.
    pub(crate) by: String,
    /// Decisions that were told already, item by item: the answer repeats them.
    pub(crate) decided: Vec<Decision>,
}

/// Which text of a session it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextKind {
    /// What a run began with.
    Request,
    /// What a run ended with.
    Output,
    /// What the person wrote when answering or deciding.
    Decision,
    /// What the person called the session.
    Title,
}

impl TextKind {
    /// The word in SQL.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Output => "output",
            Self::Decision => "decision",
            Self::Title => "title",
        }
    }
}

/// Rows of one session: all that an event of it can change, but for the memory files, which sessions share.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Views {
    /// None before the first event, and for ever where a session only holds what was done to memory outside any run, or a study.
    pub(crate) session: Option<SessionRow>,
    /// Runs by id: those that the events at hand belong to, if they exist already.
    pub(crate) runs: BTreeMap<String, RunRow>,
    /// Questions by hash, each as it was asked last: those that the events at hand are about, if they were asked.
    pub(crate) questions: BTreeMap<String, Asked>,
    /// Texts to search that are new.
    pub(crate) texts: Vec<(TextKind, String)>,
    /// Rows of the audit that are new, each with its owner.
    pub(crate) audit: Vec<(String, AuditRow)>,
}

impl Views {
    /// For whom the session runs; empty where nobody is known.
    pub(crate) fn owner(&self) -> &str {
        self.session.as_ref().map_or("", |session| &session.owner)
    }

    fn text(&mut self, kind: TextKind, text: &str) {
        if !text.trim().is_empty() {
            self.texts.push((kind, text.to_owned()));
        }
    }
}

/// The question that an event is about: it has to be there, if it was asked, before [`project`].
pub(crate) fn question(record: &Record) -> Option<&str> {
    match &record.event {
        Event::ItemDecided(decided) => Some(&decided.hash),
        Event::RequestAnswered(answered) => answered.outcome().map(|_| answered.hash.as_str()),
        _ => None,
    }
}

/// Brings the rows up to date with one more event. Total: every sequence of events gives rows, even one that no run
/// would write.
pub(crate) fn project(record: &Record, views: &mut Views) {
    list(record, views);
    match &record.event {
        Event::RunStarted(started) => views.text(TextKind::Request, &started.input),
        Event::RunForked(forked) => views.text(TextKind::Request, &forked.start.input),
        Event::RunFinished(finished) => views.text(TextKind::Output, finished.output.as_deref().unwrap_or_default()),
        Event::PromptAssembled(prompt) => memory::shown(record, prompt, views),
        Event::HookFinished(hook) => memory::read(record, &hook.hook, &hook.report, views),
        Event::ToolFinished(tool) => memory::read(record, &tool.result.name, &tool.report, views),
        Event::MemoryWritten(written) => memory::written(record, written, views),
        Event::RequestMade(made) => {
            if let Request::Ask { .. } = made.request {
                let question = Asked { seq: record.seq, by: made.by.clone(), decided: Vec::new() };
                views.questions.insert(made.hash.clone(), question);
            }
        }
        Event::FlowStepped(stepped) => memory::read(record, &stepped.flow, &stepped.report, views),
        Event::FlowFailed(failed) => memory::read(record, &failed.flow, &failed.report, views),
        Event::MessageSaid(said) => views.text(TextKind::Request, &said.text),
        Event::MessagesShown(shown) => {
            for message in &shown.messages {
                views.text(TextKind::Output, &message.text());
            }
        }
        Event::ItemDecided(ItemDecided { hash, decision, .. }) => decide(record, "person", hash, decision, views),
        Event::RequestAnswered(answered) => answer(record, answered, views),
        // Named one by one, so that a new event does not compile before somebody has decided what it means here.
        Event::ContextCompacted(_)
        | Event::ModelCalled(_)
        | Event::ModelAnswered(_)
        | Event::ModelFailed(_)
        | Event::ModelFellBack(_)
        | Event::ModelPartial(_)
        | Event::ToolStarted(_)
        | Event::ToolSettled(_)
        | Event::SubagentStarted(_)
        | Event::SubagentFinished(_)
        | Event::HandoffMade(_)
        | Event::WritesIntended(_)
        | Event::WritesDone(_)
        | Event::TasksReplaced(_)
        | Event::RunParked(_)
        | Event::RunResumed(_)
        | Event::PromptCorrected(_)
        | Event::MemoryConsolidated(_)
        | Event::SessionDeleted(_)
        | Event::FlowWoken
        | Event::AgentAnswered(_)
        | Event::ObservationsMade(_)
        | Event::SessionRestored(_)
        | Event::SessionErased(_)
        | Event::StudyRecorded(_) => {}
        Event::SessionRenamed(renamed) => views.text(TextKind::Title, &renamed.title),
    }
}

/// What an event means for the lists of sessions and runs.
fn list(record: &Record, views: &mut Views) {
    if views.session.is_none() && outside_runs(record) {
        return;
    }
    let first_of_run = !views.runs.contains_key(&record.run);
    let session = views.session.get_or_insert_with(|| created(record));
    let run = views.runs.entry(record.run.clone()).or_insert_with(|| begun(record));
    session.runs += u64::from(first_of_run);
    session.updated_ms = record.at_ms;
    run.last_seq = record.seq;
    match &record.event {
        Event::RunStarted(started) => start(started, session, run),
        Event::ModelAnswered(answered) => {
            run.turns = run.turns.max(u64::from(answered.turn));
            count(answered.answer.used(), answered.answer.cost_usd, run);
        }
        Event::RequestAnswered(answered) => {
            if let RequestAnswer::Model { usage, cost_usd, .. } = &answered.answer {
                count(*usage, *cost_usd, run);
            }
        }
        Event::ModelPartial(partial) => count(partial.usage, partial.cost_usd, run),
        Event::RunForked(forked) => {
            session.forked_from.get_or_insert_with(|| forked.session.clone());
            start(&forked.start, session, run);
        }
        Event::RunParked(_) => run.state = State::Parked,
        Event::RunResumed(_) => run.state = State::Running,
        Event::RunFinished(finished) => finish(finished, record.at_ms, session, run),
        Event::FlowStepped(stepped) => {
            session.due_ms = match &stepped.step.wait {
                Wait::Person(wait) => wait.until_ms.map(|until_ms| until_ms.min(INTEGER_MAX)),
                Wait::Agents { .. } | Wait::End { .. } => None,
            };
        }
        Event::FlowWoken => session.due_ms = None,
        Event::SessionRenamed(renamed) => session.title = renamed.title.chars().take(TITLE_CHARS_MAX).collect(),
        Event::SessionDeleted(_) => session.deleted_ms = Some(record.at_ms),
        Event::SessionRestored(_) => session.deleted_ms = None,
        _ => {}
    }
    session.state = run.state;
    session.last_run.clone_from(&run.id);
}

/// Whether a session that is in no list stays so: it began with what a person did to memory outside any run, or with a study, or goes
/// on after such a beginning.
const fn outside_runs(record: &Record) -> bool {
    let beside =
        matches!(record.event, Event::MemoryWritten(_) | Event::MemoryConsolidated(_) | Event::StudyRecorded(_));
    record.seq > 1 || beside
}

fn created(record: &Record) -> SessionRow {
    SessionRow {
        id: record.session.clone(),
        plugin: String::new(),
        command: String::new(),
        agent: String::new(),
        subject: None,
        owner: String::new(),
        title: String::new(),
        created_ms: record.at_ms,
        updated_ms: record.at_ms,
        runs: 0,
        state: State::Running,
        last_status: None,
        last_run: record.run.clone(),
        forked_from: None,
        deleted_ms: None,
        due_ms: None,
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
    // For whom a session runs never changes: its memory is already that owner's.
    if session.owner.is_empty() {
        session.owner.clone_from(&started.owner);
    }
    // A plugin has a name: the first run that started gave the session its texts, and they stay.
    if session.plugin.is_empty() {
        session.plugin.clone_from(&started.plugin);
        session.command.clone_from(&started.command);
        session.agent.clone_from(&started.agent);
        session.subject.clone_from(&started.subject);
        session.title = started.input.chars().take(TITLE_CHARS_MAX).collect();
    }
}

fn count(usage: Usage, cost_usd: f64, run: &mut RunRow) {
    run.input_tokens = run.input_tokens.saturating_add(usage.input_tokens).min(INTEGER_MAX);
    run.output_tokens = run.output_tokens.saturating_add(usage.output_tokens).min(INTEGER_MAX);
    let cost_usd = run.cost_usd + cost_usd;
    // Neither SQL nor JSON has an infinite number.
    if cost_usd.is_finite() {
        run.cost_usd = cost_usd;
    }
}

fn finish(finished: &RunFinished, at_ms: u64, session: &mut SessionRow, run: &mut RunRow) {
    let status = finished.status.name().to_owned();
    run.state = State::Finished;
    session.due_ms = None;
    run.ended_ms = Some(at_ms);
    run.status = Some(status.clone());
    session.last_status = Some(status);
}

/// A decision of the person: a text to search, and where it is about memory a row of the audit.
fn decide(record: &Record, by: &str, hash: &str, decision: &Decision, views: &mut Views) {
    let Some(asked) = views.questions.get_mut(hash) else { return };
    // The last decision on an item counts; the same one once more, as the answer repeats it, says nothing new.
    if asked.decided.contains(decision) {
        return;
    }
    asked.decided.retain(|earlier| earlier.item != decision.item);
    asked.decided.push(decision.clone());
    let of_memory = asked.by == memory::CAPTURE_HOOK;
    views.text(TextKind::Decision, decision.text.as_deref().unwrap_or_default());
    if of_memory {
        memory::decided(record, by, decision, views);
    }
}

fn answer(record: &Record, answered: &RequestAnswered, views: &mut Views) {
    let RequestAnswer::Ask { outcome, answered_by: by, .. } = &answered.answer else { return };
    let hash = &answered.hash;
    match outcome {
        Outcome::Answered(Answer::Items(decisions)) => {
            for decision in decisions {
                decide(record, by, hash, decision, views);
            }
        }
        Outcome::Answered(Answer::Text(text)) => views.text(TextKind::Decision, text),
        Outcome::Answered(Answer::Choice(_)) | Outcome::Declined | Outcome::Dismissed | Outcome::TimedOut => {}
    }
    if views.questions.get(hash).is_some_and(|asked| asked.by == memory::CAPTURE_HOOK) {
        memory::answered(record, by, outcome, views);
    }
}
