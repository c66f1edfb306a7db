//! What of a trace each event is. Every event is named here: one that is added is shown, or is said not to be.

use serde_json::{Value, json};

use super::Span;
use crate::event::{
    CallReport, ContextCompacted, Event, FlowFailed, FlowStepped, HandoffMade, HookFinished, ItemDecided,
    MemoryWritten, ModelAnswered, ModelCalled, ModelFellBack, ModelPartial, PromptAssembled, RequestAnswer,
    RequestAnswered, RequestMade, RunFinished, RunForked, SubagentFinished, SubagentStarted, ToolFinished, ToolSettled,
    ToolStarted,
};
use crate::hook::Verdict;
use crate::request::Request;

/// Kind, name, time in microseconds, attributes.
pub(super) type Parts = (&'static str, String, Option<u64>, Value);

/// The span that an event is; none for one whose end, or whose effect, is shown instead.
pub(super) fn parts(event: &Event) -> Option<Parts> {
    Some(match event {
        Event::HookFinished(it) => hook(it),
        Event::ToolStarted(it) => tool_started(it),
        Event::ToolFinished(it) => tool_finished(it),
        Event::PromptAssembled(it) => prompt(it),
        Event::ModelCalled(it) => return crowded(it),
        Event::ModelAnswered(it) => model(it),
        Event::ModelFailed(it) => now("model", &format!("turn {}", it.turn), json!({ "error": it.error })),
        Event::ModelFellBack(it) => fell_back(it),
        Event::ModelPartial(it) => partial(it),
        Event::ContextCompacted(it) => compacted(it),
        Event::RequestMade(it) => requested(it),
        Event::RequestAnswered(it) => answered(it),
        Event::ItemDecided(it) => decided(it),
        Event::PromptCorrected(it) => now("correction", &it.hook, json!({ "corrections": it.corrections })),
        Event::MemoryWritten(it) => remembered(it),
        Event::MemoryConsolidated(it) => {
            now("memory", "consolidation", json!({ "owner": it.owner, "notes": it.notes }))
        }
        Event::TasksReplaced(it) => now("tasks", "task list", json!({ "tasks": it.tasks })),
        Event::WritesDone(it) => now("write", &it.by, json!({ "paths": it.paths, "refused": it.refused })),
        Event::SubagentStarted(it) => subagent_started(it),
        Event::SubagentFinished(it) => subagent_finished(it),
        Event::HandoffMade(it) => handed_over(it),
        Event::FlowStepped(it) => flow_stepped(it),
        Event::FlowFailed(it) => flow_failed(it),
        Event::FlowWoken => now("flow", "woken", json!({})),
        Event::AgentAnswered(it) => now("agent", &it.agent, json!(it)),
        Event::MessageSaid(it) => waited("message", &it.role, it.elapsed_ms, json!({ "text": it.text, "by": it.by })),
        Event::MessagesShown(it) => now("message", &it.by, json!({ "messages": it.messages })),
        Event::RunForked(it) => forked(it),
        Event::RunParked(it) => now("run", "parked", json!({ "reason": it.reason })),
        Event::RunResumed(it) => now("run", "resumed", json!({ "host": it.host })),
        Event::RunFinished(it) => finished(it),
        Event::ObservationsMade(it) => now("observations", &it.by, json!({ "observations": it.observations })),
        Event::SessionRenamed(it) => now("session", "renamed", json!({ "title": it.title })),
        Event::SessionDeleted(_) => now("session", "deleted", json!({})),
        Event::SessionRestored(_) => now("session", "restored", json!({})),
        Event::SessionErased(it) => {
            let attributes = json!({ "records": it.records, "blobs": it.blobs, "bytes": it.bytes });
            now("session", "erased", attributes)
        }
        Event::StudyRecorded(it) => now("study", &it.study, json!({ "participant": it.participant, "what": it.what })),
        // Said in the span of the call that it settles.
        Event::ToolSettled(_) => return None,
        // The trace itself begins with the run; the others are shown when they have ended.
        Event::RunStarted(_) | Event::WritesIntended(_) => return None,
    })
}

/// What takes no time.
fn now(kind: &'static str, name: &str, attributes: Value) -> Parts {
    (kind, name.to_owned(), None, attributes)
}

/// What a person took so many milliseconds for.
fn waited(kind: &'static str, name: &str, elapsed_ms: u64, attributes: Value) -> Parts {
    (kind, name.to_owned(), Some(elapsed_ms.saturating_mul(1_000)), attributes)
}

fn hook(hook: &HookFinished) -> Parts {
    let (code, reason) = match &hook.verdict {
        Verdict::Abort { code, reason, .. } | Verdict::Failed { code, reason } => (Some(code), Some(reason)),
        Verdict::Refuse { reason } | Verdict::Rework { instruction: reason, .. } => (None, Some(reason)),
        Verdict::Pass | Verdict::Modify(_) => (None, None),
    };
    let attributes = json!({
        "point": hook.point,
        "sha256": hook.sha256,
        "verdict": hook.verdict.name(),
        "code": code,
        "reason": reason,
        "notes": hook.notes,
        "findings": hook.findings,
        "observations": hook.observations,
        "report": report(&hook.report),
    });
    ("hook", hook.hook.clone(), Some(hook.report.elapsed_us), attributes)
}

fn tool_started(it: &ToolStarted) -> Parts {
    let attributes = json!({ "call": it.call, "component": it.component, "sha256": it.sha256 });
    now("tool-start", &it.call.name, attributes)
}

fn tool_finished(it: &ToolFinished) -> Parts {
    let attributes = json!({ "result": it.result, "code": it.code, "report": report(&it.report) });
    ("tool", it.result.name.clone(), Some(it.report.elapsed_us), attributes)
}

/// A request: of the person by the question's id, of a model by who asks, of a tool by its name.
fn requested(it: &RequestMade) -> Parts {
    let (kind, name) = match &it.request {
        Request::Ask { question } => {
            let attributes = json!({ "by": it.by, "title": question.title, "hash": it.hash });
            return now("question", &question.id, attributes);
        }
        Request::Model(_) => ("model-request", it.by.clone()),
        Request::Tool { name, .. } => ("tool-request", name.clone()),
    };
    let attributes = json!({
        "id": it.id, "by": it.by, "point": it.point, "call": it.call, "request": it.request, "report": report(&it.report),
    });
    (kind, name, Some(it.report.elapsed_us), attributes)
}

/// Puts what the model was given in the place of what the tool said, where the call was refused; what it said stays beside it.
pub(super) fn settle(spans: &mut [Span], settled: &ToolSettled) {
    if settled.refused_by.is_none() {
        return;
    }
    let of_call = |span: &&mut Span| {
        let id = span.attributes.pointer("/result/id").and_then(Value::as_str);
        span.kind == "tool" && id == Some(&settled.result.id)
    };
    let Some(attributes) = spans.iter_mut().rev().find(of_call).and_then(|span| span.attributes.as_object_mut()) else {
        return;
    };
    let said = attributes.insert("result".to_owned(), json!(settled.result));
    attributes.insert("tool_said".to_owned(), said.unwrap_or_default());
    attributes.insert("refused_by".to_owned(), json!(settled.refused_by));
    attributes.insert("standing".to_owned(), json!(settled.standing));
}

fn prompt(prompt: &PromptAssembled) -> Parts {
    let attributes = json!({
        "bytes": prompt.system.len(),
        "parts": prompt.parts,
        "tools": prompt.tools.iter().map(|tool| &tool.name).collect::<Vec<_>>(),
        "memory": prompt.memory,
    });
    ("prompt", "system prompt".to_owned(), None, attributes)
}

/// A call of which only this is worth a span: that the window is nearly full.
fn crowded(called: &ModelCalled) -> Option<Parts> {
    let crowded = called.crowded.as_ref()?;
    let attributes = json!({ "turn": called.turn, "window": crowded.window, "tokens": crowded.tokens });
    Some(("context", "nearly full".to_owned(), None, attributes))
}

fn model(answered: &ModelAnswered) -> Parts {
    let answer = &answered.answer;
    let attributes = json!({
        "input_tokens": answer.usage.input_tokens,
        "output_tokens": answer.usage.output_tokens,
        "estimated": answer.usage.estimated,
        "cached_read_tokens": answer.usage.cached_read_tokens,
        "cached_write_tokens": answer.usage.cached_write_tokens,
        "cost_usd": answer.cost_usd,
        "cache_saved_usd": answer.cache_saved_usd,
        "cached": answer.cached,
        "stop": answer.stop,
        "answered_by": answer.answered_by,
        "declined": answer.declined,
        "component": answer.component,
        "calls": answer.calls,
    });
    ("model", format!("turn {}", answered.turn), Some(answered.elapsed_ms.saturating_mul(1_000)), attributes)
}

fn fell_back(it: &ModelFellBack) -> Parts {
    let attributes = json!({ "failed": it.failed, "by": it.by, "error": it.error });
    now("model", &format!("turn {}, taken over", it.turn), attributes)
}

fn partial(it: &ModelPartial) -> Parts {
    let attributes = json!({ "text": it.text, "usage": it.usage, "cost_usd": it.cost_usd });
    now("model", &format!("turn {}, broken off", it.turn), attributes)
}

fn compacted(it: &ContextCompacted) -> Parts {
    let attributes = json!({
        "turn": it.turn,
        "window": it.window,
        "tokens_before": it.tokens_before,
        "tokens_after": it.tokens_after,
        "estimated": it.estimated,
        "messages": it.summary.messages,
        "text": it.text,
    });
    ("context", "compacted".to_owned(), None, attributes)
}

fn decided(it: &ItemDecided) -> Parts {
    let decision = &it.decision;
    let attributes = json!({ "choice": decision.choice, "text": decision.text, "question": it.hash });
    waited("decision", &decision.item, it.elapsed_ms, attributes)
}

fn answered(it: &RequestAnswered) -> Parts {
    match &it.answer {
        RequestAnswer::Ask { outcome, answered_by, elapsed_ms } => {
            waited("answer", answered_by, *elapsed_ms, json!({ "question": it.hash, "outcome": outcome }))
        }
        RequestAnswer::Model { usage, cost_usd, elapsed_ms, code } => {
            let attributes = json!({
                "id": it.id,
                "answer_sha256": it.sha256,
                "input_tokens": usage.input_tokens,
                "output_tokens": usage.output_tokens,
                "cost_usd": cost_usd,
                "code": code,
            });
            waited("guest-model", &it.by, *elapsed_ms, attributes)
        }
        RequestAnswer::Tool { code } => now("tool-answer", &it.id, json!({ "code": code })),
    }
}

fn remembered(it: &MemoryWritten) -> Parts {
    let attributes = json!({ "by": it.by, "owner": it.owner, "change": it.change });
    now("memory", &it.change.path().to_string(), attributes)
}

fn subagent_started(it: &SubagentStarted) -> Parts {
    let attributes = json!({ "call": it.call, "parent": it.parent, "order": it.order, "turns_max": it.turns_max });
    ("subagent-start", it.order.agent.clone(), None, attributes)
}

fn subagent_finished(it: &SubagentFinished) -> Parts {
    let attributes = json!({
        "call": it.call,
        "status": it.status,
        "reason": it.reason,
        "summary": it.summary,
        "text": it.text,
    });
    ("subagent", it.agent.clone(), None, attributes)
}

fn handed_over(it: &HandoffMade) -> Parts {
    let attributes = json!({ "call": it.call, "source": it.source, "target": it.target, "brief": it.brief });
    now("handoff", &format!("{} to {}", it.source, it.target), attributes)
}

fn flow_stepped(it: &FlowStepped) -> Parts {
    let attributes = json!({ "sha256": it.sha256, "event": it.event, "step": it.step, "report": report(&it.report) });
    ("flow", format!("{} {}", it.flow, it.event.name()), Some(it.report.elapsed_us), attributes)
}

fn flow_failed(it: &FlowFailed) -> Parts {
    let attributes =
        json!({ "sha256": it.sha256, "code": it.code, "message": it.message, "report": report(&it.report) });
    ("flow", format!("{} failed", it.flow), Some(it.report.elapsed_us), attributes)
}

fn forked(it: &RunForked) -> Parts {
    now("run", "forked", json!({ "session": it.session, "run": it.run, "through": it.through }))
}

fn finished(it: &RunFinished) -> Parts {
    now("run", "finished", json!({ "status": it.status, "reason": it.reason, "saved": it.saved }))
}

fn report(report: &CallReport) -> Value {
    serde_json::to_value(report).unwrap_or_default()
}
