//! What must be the same when a run is made again, and what need not: times, fuel and memory are not compared.

use serde::Serialize;
use serde_json::{Value, json};
use ta_core::Record;
use ta_core::event::{Event, RunStarted};

/// What differs: in a sentence, as recorded, as it came now.
pub(super) type Difference = (String, Value, Value);

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

impl Divergence {
    /// Where a record differs.
    pub(super) fn at(record: &Record, (what, recorded, now): Difference) -> Self {
        let (seq, session, event) = (record.seq, record.session.clone(), record.event.name().to_owned());
        Self { seq, session, event, what, recorded, now }
    }
}

/// How a run begins, or goes on as a fork.
pub(super) fn start(event: &Event) -> Option<&RunStarted> {
    match event {
        Event::RunStarted(start) => Some(start),
        Event::RunForked(forked) => Some(&forked.start),
        _ => None,
    }
}

/// What is not the same in two events, but for what may differ from machine to machine.
pub(super) fn differs(what: &str, recorded: &Event, now: &Event) -> Option<Difference> {
    if same(recorded, now) {
        return None;
    }
    let (recorded, now) = (essence(recorded), essence(now));
    (recorded != now).then(|| (what.to_owned(), recorded, now))
}

/// Whether two events are the same at a glance, without their JSON. Where not, [`essence`] decides.
fn same(recorded: &Event, now: &Event) -> bool {
    match (recorded, now) {
        (Event::HookFinished(recorded), Event::HookFinished(now)) => {
            (&recorded.hook, recorded.point, &recorded.sha256, &recorded.verdict, &recorded.notes)
                == (&now.hook, now.point, &now.sha256, &now.verdict, &now.notes)
                && (&recorded.findings, &recorded.report.logs) == (&now.findings, &now.report.logs)
        }
        (Event::ToolFinished(recorded), Event::ToolFinished(now)) => {
            (&recorded.result, &recorded.code, &recorded.staged, &recorded.effects)
                == (&now.result, &now.code, &now.staged, &now.effects)
        }
        (recorded, now) => recorded == now,
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
