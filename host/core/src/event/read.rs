//! An event read from its JSON.
//!
//! The type of an event stands first in its JSON, and in the record's header as well. Whoever knows it reads the rest as that
//! event alone; without it everything would first have to be taken in as any event's, which takes three times as long.

use serde::de::DeserializeOwned;

use super::Event;

impl Event {
    /// Reads the event of this type from its JSON.
    ///
    /// # Errors
    /// Where the text is no JSON, or not that of an event.
    pub fn from_json(name: &str, json: &str) -> serde_json::Result<Self> {
        if !begins_with(name, json) {
            return serde_json::from_str(json);
        }
        match name {
            "run.started" => only(json).map(Self::RunStarted),
            "prompt.assembled" => only(json).map(Self::PromptAssembled),
            "hook.finished" => only(json).map(Self::HookFinished),
            "request.made" => only(json).map(Self::RequestMade),
            "request.answered" => only(json).map(Self::RequestAnswered),
            "question.item_decided" => only(json).map(Self::ItemDecided),
            "context.compacted" => only(json).map(Self::ContextCompacted),
            "model.called" => only(json).map(Self::ModelCalled),
            "model.answered" => only(json).map(Self::ModelAnswered),
            "model.failed" => only(json).map(Self::ModelFailed),
            "model.fell_back" => only(json).map(Self::ModelFellBack),
            "model.partial" => only(json).map(Self::ModelPartial),
            "tool.started" => only(json).map(Self::ToolStarted),
            "tool.finished" => only(json).map(Self::ToolFinished),
            "tool.settled" => only(json).map(Self::ToolSettled),
            "writes.intended" => only(json).map(Self::WritesIntended),
            "writes.done" => only(json).map(Self::WritesDone),
            "subagent.started" => only(json).map(Self::SubagentStarted),
            "subagent.finished" => only(json).map(Self::SubagentFinished),
            "handoff.made" => only(json).map(Self::HandoffMade),
            "tasks.replaced" => only(json).map(Self::TasksReplaced),
            "run.parked" => only(json).map(Self::RunParked),
            "prompt.corrected" => only(json).map(Self::PromptCorrected),
            "memory.written" => only(json).map(Self::MemoryWritten),
            "memory.consolidated" => only(json).map(Self::MemoryConsolidated),
            "run.resumed" => only(json).map(Self::RunResumed),
            "run.forked" => only(json).map(Self::RunForked),
            "flow.stepped" => only(json).map(Self::FlowStepped),
            "flow.failed" => only(json).map(Self::FlowFailed),
            "agent.answered" => only(json).map(Self::AgentAnswered),
            "message.said" => only(json).map(Self::MessageSaid),
            "message.shown" => only(json).map(Self::MessagesShown),
            "run.finished" => only(json).map(Self::RunFinished),
            "observations.made" => only(json).map(Self::ObservationsMade),
            "session.renamed" => only(json).map(Self::SessionRenamed),
            "session.deleted" => only(json).map(Self::SessionDeleted),
            "session.restored" => only(json).map(Self::SessionRestored),
            "session.erased" => only(json).map(Self::SessionErased),
            // Without fields, or of another version of the catalogue.
            _ => serde_json::from_str(json),
        }
    }
}

fn only<T: DeserializeOwned>(json: &str) -> serde_json::Result<T> {
    serde_json::from_str(json)
}

/// Whether a text begins as this store writes it: with the type.
fn begins_with(name: &str, json: &str) -> bool {
    let rest = json.strip_prefix(r#"{"type":""#).and_then(|rest| rest.strip_prefix(name));
    rest.is_some_and(|rest| rest.starts_with(r#"","#))
}
