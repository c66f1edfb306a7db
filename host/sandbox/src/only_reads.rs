//! Tools that say that they change nothing are held to it.

use ta_core::message::ToolCall;
use ta_core::request::Request;

use crate::call::{CallOutcome, Ended, ToolFailure};
use crate::failure::Failure;
use crate::guest::Guest;

/// Fails a call of an only-reads tool that would change something: calls of such tools run side by side.
pub(crate) fn enforce(
    guest: &Guest,
    call: &ToolCall,
    outcome: CallOutcome<Result<String, ToolFailure>>,
) -> CallOutcome<Result<String, ToolFailure>> {
    let only_reads = guest.tools.iter().any(|tool| tool.name == call.name && tool.only_reads);
    let calls_a_tool =
        matches!(&outcome.ended, Ended::Requested(wanted) if matches!(wanted.request, Request::Tool { .. }));
    let wanted = [
        (!outcome.writes.is_empty(), "files"),
        (outcome.tasks.is_some(), "tasks"),
        (!outcome.memory.is_empty(), "memory"),
        (!outcome.corrections.is_empty(), "what the prompt shows"),
        (calls_a_tool, "what a tool that it calls changes"),
    ];
    let wanted: Vec<&str> = wanted.iter().filter(|(wants, _)| *wants).map(|(_, what)| *what).collect();
    if !only_reads || wanted.is_empty() {
        return outcome;
    }
    let reason = format!("the tool `{}` says that it only reads, and would change {}", call.name, wanted.join(", "));
    CallOutcome {
        ended: Ended::Failed(Failure::new("tool.effects", reason)),
        writes: Vec::new(),
        tasks: None,
        memory: Vec::new(),
        corrections: Vec::new(),
        ..outcome
    }
}
