//! A trace: what happened in one run, as spans, made from its records. It can be dropped and made again.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::event::{Event, Record};

mod parts;

use parts::parts;

/// A run's trace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Trace {
    /// Id of the trace, which is the run's.
    pub trace: String,
    /// Id of the session.
    pub session: String,
    /// `plugin:command`.
    pub command: String,
    /// The agent.
    pub agent: String,
    /// What the person asked for.
    pub input: String,
    /// How the run ended; none while it has not.
    pub status: Option<String>,
    /// When it began, in milliseconds since 1970-01-01 UTC.
    pub started_ms: u64,
    /// When the latest of it happened.
    pub ended_ms: u64,
    /// Every component that could run: digest, what it asked for, what it was granted.
    pub components: Value,
    /// The spans, in order.
    pub spans: Vec<Span>,
    /// Counters of the context object.
    pub summary: Value,
}

/// Something that took place in a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Span {
    /// Number of the record that ended it.
    pub seq: u64,
    /// `hook`, `model`, `guest-model`, `tool`, `prompt`, `question`, `decision`, `write`, `tasks`, `subagent-start`,
    /// `subagent`, `handoff`, `observations`, `run`.
    pub kind: String,
    /// What it was: the hook, the tool, the model.
    pub name: String,
    /// When it ended, in milliseconds since 1970-01-01 UTC.
    pub at_ms: u64,
    /// How long it took in microseconds, where that was measured.
    pub elapsed_us: Option<u64>,
    /// The agent at work.
    #[serde(default)]
    pub agent: String,
    /// Number of the record of the span that it belongs to: a subagent's `subagent-start`; none for the run itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<u64>,
    /// What belongs to its kind.
    pub attributes: Value,
}

/// The trace of the run that these records are of; none where they hold no start.
#[must_use]
pub fn trace(records: &[Record]) -> Option<Trace> {
    let first = records.iter().find(|record| matches!(record.event, Event::RunStarted(_)))?;
    let Event::RunStarted(start) = &first.event else { return None };
    let mut machine = crate::machine::Machine::default();
    let mut status = None;
    let mut spans = Vec::new();
    let mut parent: Option<u64> = None;
    let mut begun_ms = first.at_ms;
    for record in records {
        let agent = machine.agent_of(&record.event).to_owned();
        machine.next(record);
        let mut span = span(record).map(|span| Span { agent, parent, ..span });
        if let Event::SubagentStarted(_) = &record.event {
            (parent, begun_ms) = (Some(record.seq), record.at_ms);
        }
        if let Event::SubagentFinished(_) = &record.event {
            let elapsed_us = record.at_ms.saturating_sub(begun_ms).saturating_mul(1_000);
            span = span.map(|span| Span { elapsed_us: Some(elapsed_us), parent: None, ..span });
            parent = None;
        }
        spans.extend(span);
        if let Event::ToolSettled(settled) = &record.event {
            parts::settle(&mut spans, settled);
        }
        if let Event::RunFinished(finished) = &record.event {
            status = Some(finished.status.name().to_owned());
        }
    }
    // A fork's trace begins with the past that it shares, and is its own.
    let last = records.last().unwrap_or(first);
    Some(Trace {
        trace: last.run.clone(),
        session: last.session.clone(),
        command: format!("{}:{}", start.plugin, start.command),
        agent: start.agent.clone(),
        input: start.input.clone(),
        status,
        started_ms: first.at_ms,
        ended_ms: records.iter().map(|record| record.at_ms).max().unwrap_or(first.at_ms),
        // Those of the fork, where it is one: a component may have been swapped.
        components: serde_json::to_value(&machine.start().components).unwrap_or_default(),
        spans,
        summary: serde_json::to_value(machine.summary()).unwrap_or_default(),
    })
}

fn span(record: &Record) -> Option<Span> {
    let (kind, name, elapsed_us, attributes) = parts(&record.event)?;
    let (kind, agent) = (kind.to_owned(), String::new());
    Some(Span { seq: record.seq, kind, name, at_ms: record.at_ms, elapsed_us, agent, parent: None, attributes })
}
