//! A trace: what happened in one run, as spans, made from its records. It can be dropped and made again.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::event::{CallReport, Event, HookFinished, ModelCalled, Record};
use crate::hook::Verdict;

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
    /// `subagent`, `handoff`, `run`.
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
        let agent = machine.agent().to_owned();
        machine.next(record);
        let mut span = span(record).map(|span| Span { agent, parent, ..span });
        match &record.event {
            Event::SubagentStarted(_) => (parent, begun_ms) = (Some(record.seq), record.at_ms),
            Event::SubagentFinished(_) => {
                let elapsed_us = record.at_ms.saturating_sub(begun_ms).saturating_mul(1_000);
                span = span.map(|span| Span { elapsed_us: Some(elapsed_us), parent: None, ..span });
                parent = None;
            }
            _ => {}
        }
        spans.extend(span);
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

/// Kind, name, time in microseconds, attributes.
type Parts = (&'static str, String, Option<u64>, Value);

fn span(record: &Record) -> Option<Span> {
    let event = &record.event;
    let (kind, name, elapsed_us, attributes) = called(event)
        .or_else(|| of_model(event))
        .or_else(|| decided(event))
        .or_else(|| delegated(event))
        .or_else(|| of_flow(event))
        .or_else(|| of_run(event))?;
    let (kind, agent) = (kind.to_owned(), String::new());
    Some(Span { seq: record.seq, kind, name, at_ms: record.at_ms, elapsed_us, agent, parent: None, attributes })
}

/// Calls of hooks and tools, and what they rest on.
fn called(event: &Event) -> Option<Parts> {
    Some(match event {
        Event::HookFinished(hook) => ("hook", hook.hook.clone(), Some(hook.report.elapsed_us), hook_attributes(hook)),
        Event::ToolStarted(started) => (
            "tool-start",
            started.call.name.clone(),
            None,
            json!({ "call": started.call, "component": started.component, "sha256": started.sha256 }),
        ),
        Event::ToolFinished(finished) => (
            "tool",
            finished.result.name.clone(),
            Some(finished.report.elapsed_us),
            json!({ "result": finished.result, "code": finished.code, "report": report(&finished.report) }),
        ),
        Event::PromptAssembled(prompt) => (
            "prompt",
            "system prompt".to_owned(),
            None,
            json!({
                "bytes": prompt.system.len(),
                "parts": prompt.parts,
                "tools": prompt.tools.iter().map(|tool| &tool.name).collect::<Vec<_>>(),
                "memory": prompt.memory,
            }),
        ),
        _ => return None,
    })
}

/// Calls of models, and what they are sent.
fn of_model(event: &Event) -> Option<Parts> {
    Some(match event {
        Event::ModelAnswered(answered) => (
            "model",
            format!("turn {}", answered.turn),
            Some(answered.elapsed_ms.saturating_mul(1_000)),
            json!({
                "input_tokens": answered.answer.usage.input_tokens,
                "output_tokens": answered.answer.usage.output_tokens,
                "estimated": answered.answer.usage.estimated,
                "cached_read_tokens": answered.answer.usage.cached_read_tokens,
                "cached_write_tokens": answered.answer.usage.cached_write_tokens,
                "cost_usd": answered.answer.cost_usd,
                "cache_saved_usd": answered.answer.cache_saved_usd,
                "cached": answered.answer.cached,
                "stop": answered.answer.stop,
                "answered_by": answered.answer.answered_by,
                "calls": answered.answer.calls,
            }),
        ),
        Event::ModelFailed(failed) => {
            ("model", format!("turn {}", failed.turn), None, json!({ "error": failed.error }))
        }
        Event::ModelFellBack(fell) => (
            "model",
            format!("turn {}, taken over", fell.turn),
            None,
            json!({ "failed": fell.failed, "by": fell.by, "error": fell.error }),
        ),
        Event::ModelPartial(partial) => (
            "model",
            format!("turn {}, broken off", partial.turn),
            None,
            json!({ "text": partial.text, "usage": partial.usage, "cost_usd": partial.cost_usd }),
        ),
        Event::GuestModelAnswered(answered) => (
            "guest-model",
            answered.by.clone(),
            Some(answered.elapsed_ms.saturating_mul(1_000)),
            json!({
                "import": answered.import,
                "answer_sha256": answered.sha256,
                "input_tokens": answered.usage.input_tokens,
                "output_tokens": answered.usage.output_tokens,
                "cost_usd": answered.cost_usd,
                "code": answered.code,
            }),
        ),
        Event::ModelCalled(ModelCalled { turn, crowded: Some(crowded), .. }) => (
            "context",
            "nearly full".to_owned(),
            None,
            json!({ "turn": turn, "window": crowded.window, "tokens": crowded.tokens }),
        ),
        Event::ContextCompacted(it) => (
            "context",
            "compacted".to_owned(),
            None,
            json!({
                "turn": it.turn,
                "window": it.window,
                "tokens_before": it.tokens_before,
                "tokens_after": it.tokens_after,
                "estimated": it.estimated,
                "messages": it.summary.messages,
                "text": it.text,
            }),
        ),
        _ => return None,
    })
}

/// What the person decided, and what changed.
fn decided(event: &Event) -> Option<Parts> {
    Some(match event {
        Event::QuestionAsked(asked) => (
            "question",
            asked.question.id.clone(),
            None,
            json!({ "hook": asked.hook, "title": asked.question.title, "hash": asked.hash }),
        ),
        Event::ItemDecided(decided) => (
            "decision",
            decided.decision.item.clone(),
            Some(decided.elapsed_ms.saturating_mul(1_000)),
            json!({ "choice": decided.decision.choice, "text": decided.decision.text, "question": decided.hash }),
        ),
        Event::QuestionAnswered(answered) => (
            "answer",
            answered.by.clone(),
            Some(answered.elapsed_ms.saturating_mul(1_000)),
            json!({ "question": answered.hash, "outcome": answered.outcome }),
        ),
        Event::PromptCorrected(corrected) => {
            ("correction", corrected.hook.clone(), None, json!({ "corrections": corrected.corrections }))
        }
        Event::MemoryWritten(written) => (
            "memory",
            written.change.path().to_string(),
            None,
            json!({ "by": written.by, "owner": written.owner, "change": written.change }),
        ),
        Event::MemoryConsolidated(consolidated) => (
            "memory",
            "consolidation".to_owned(),
            None,
            json!({ "owner": consolidated.owner, "notes": consolidated.notes }),
        ),
        Event::TasksReplaced(replaced) => ("tasks", "task list".to_owned(), None, json!({ "tasks": replaced.tasks })),
        Event::WritesDone(done) => {
            ("write", done.by.clone(), None, json!({ "paths": done.paths, "refused": done.refused }))
        }
        _ => return None,
    })
}

/// Work given to another agent.
fn delegated(event: &Event) -> Option<Parts> {
    Some(match event {
        Event::SubagentStarted(started) => (
            "subagent-start",
            started.order.agent.clone(),
            None,
            json!({ "call": started.call, "parent": started.parent, "order": started.order, "turns_max": started.turns_max }),
        ),
        Event::SubagentFinished(finished) => (
            "subagent",
            finished.agent.clone(),
            None,
            json!({
                "call": finished.call,
                "status": finished.status,
                "reason": finished.reason,
                "summary": finished.summary,
                "text": finished.text,
            }),
        ),
        Event::HandoffMade(made) => (
            "handoff",
            format!("{} to {}", made.source, made.target),
            None,
            json!({ "call": made.call, "source": made.source, "target": made.target, "brief": made.brief }),
        ),
        _ => return None,
    })
}

/// What a flow did, and what passed between it and the person.
fn of_flow(event: &Event) -> Option<Parts> {
    Some(match event {
        Event::FlowStepped(stepped) => (
            "flow",
            format!("{} {}", stepped.flow, stepped.event.name()),
            Some(stepped.report.elapsed_us),
            json!({ "sha256": stepped.sha256, "event": stepped.event, "step": stepped.step, "report": report(&stepped.report) }),
        ),
        Event::FlowFailed(failed) => (
            "flow",
            format!("{} failed", failed.flow),
            Some(failed.report.elapsed_us),
            json!({ "sha256": failed.sha256, "code": failed.code, "message": failed.message, "report": report(&failed.report) }),
        ),
        Event::FlowWoken => ("flow", "woken".to_owned(), None, json!({})),
        Event::AgentAnswered(answered) => ("agent", answered.agent.clone(), None, json!(answered)),
        Event::MessageSaid(said) => (
            "message",
            said.role.clone(),
            Some(said.elapsed_ms.saturating_mul(1_000)),
            json!({ "text": said.text, "by": said.by }),
        ),
        Event::MessagesShown(shown) => ("message", shown.by.clone(), None, json!({ "messages": shown.messages })),
        _ => return None,
    })
}

/// The run itself.
fn of_run(event: &Event) -> Option<Parts> {
    Some(match event {
        Event::RunForked(forked) => (
            "run",
            "forked".to_owned(),
            None,
            json!({ "session": forked.session, "run": forked.run, "through": forked.through }),
        ),
        Event::RunParked(parked) => ("run", "parked".to_owned(), None, json!({ "reason": parked.reason })),
        Event::RunResumed(resumed) => ("run", "resumed".to_owned(), None, json!({ "host": resumed.host })),
        Event::RunFinished(finished) => (
            "run",
            "finished".to_owned(),
            None,
            json!({ "status": finished.status, "reason": finished.reason, "saved": finished.saved }),
        ),
        Event::SessionRenamed(renamed) => ("session", "renamed".to_owned(), None, json!({ "title": renamed.title })),
        Event::SessionDeleted(_) => ("session", "deleted".to_owned(), None, json!({})),
        Event::SessionRestored(_) => ("session", "restored".to_owned(), None, json!({})),
        Event::SessionErased(erased) => (
            "session",
            "erased".to_owned(),
            None,
            json!({ "records": erased.records, "blobs": erased.blobs, "bytes": erased.bytes }),
        ),
        _ => return None,
    })
}

fn hook_attributes(hook: &HookFinished) -> Value {
    let (code, reason) = match &hook.verdict {
        Verdict::Abort { code, reason, .. } | Verdict::Failed { code, reason } => (Some(code), Some(reason)),
        Verdict::Refuse { reason } | Verdict::Rework { instruction: reason, .. } => (None, Some(reason)),
        Verdict::Pass | Verdict::Modify(_) => (None, None),
    };
    json!({
        "point": hook.point,
        "sha256": hook.sha256,
        "verdict": hook.verdict.name(),
        "code": code,
        "reason": reason,
        "notes": hook.notes,
        "findings": hook.findings,
        "report": report(&hook.report),
    })
}

fn report(report: &CallReport) -> Value {
    serde_json::to_value(report).unwrap_or_default()
}
