//! What must be the same when a run is made again, and what need not: times, fuel and memory are not compared.

use serde::Serialize;
use serde_json::{Value, json};
use ta_core::event::{Event, RunStarted};

/// Where a replay first went otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Divergence {
    /// Number of the record.
    pub seq: u64,
    /// The session that it stands in.
    pub session: String,
    /// Its type.
    pub event: String,
    /// What differs, in a sentence.
    pub what: String,
    /// What the journal holds.
    pub recorded: Value,
    /// What came now.
    pub now: Value,
}

/// How a run begins, or goes on as a fork.
pub(super) fn start(event: &Event) -> Option<&RunStarted> {
    match event {
        Event::RunStarted(start) => Some(start),
        Event::RunForked(forked) => Some(&forked.start),
        _ => None,
    }
}

/// An event without what may differ from machine to machine.
pub(super) fn essence(event: &Event) -> Value {
    match event {
        Event::HookFinished(it) => json!({
            "hook": it.hook, "point": it.point, "sha256": it.sha256, "verdict": it.verdict,
            "notes": it.notes, "findings": it.findings, "logs": it.report.logs,
        }),
        Event::RequestMade(it) => json!({
            "id": it.id, "by": it.by, "point": it.point, "call": it.call, "number": it.number, "hash": it.hash,
            "request": it.request,
        }),
        Event::FlowStepped(it) => {
            json!({ "flow": it.flow, "event": it.event, "step": it.step, "logs": it.report.logs })
        }
        Event::FlowFailed(it) => json!({ "flow": it.flow, "code": it.code, "message": it.message }),
        Event::ToolFinished(it) => {
            json!({ "result": it.result, "code": it.code, "staged": it.staged, "effects": it.effects })
        }
        other => serde_json::to_value(other).unwrap_or_default(),
    }
}
