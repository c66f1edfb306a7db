//! Steps: a call's own event with all its effects and the outcome of its writes. A step is appended, forked, replayed and
//! compared as a whole.

use crate::event::{Event, Record};
use crate::machine::OUTPUT;
use crate::request::Request;

/// Where an event stands in its step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// It is a step of its own, or the last of one unless effects follow.
    Whole,
    /// What it begins is not over.
    Open,
    /// It is an effect of the event before it.
    Effect,
    /// It is an effect of the event before it, and more has to follow.
    OpenEffect,
}

fn place(event: &Event) -> Place {
    match event {
        Event::ModelCalled(_) | Event::ToolStarted(_) => Place::Open,
        // What is asked of a model is paid once, whoever goes on; what the person is asked can be answered otherwise.
        Event::RequestMade(made) if matches!(made.request, Request::Model(_)) => Place::Open,
        Event::WritesIntended(intended) if intended.by == OUTPUT => Place::Open,
        Event::WritesIntended(_) => Place::OpenEffect,
        Event::WritesDone(_)
        | Event::ToolSettled(_)
        | Event::TasksReplaced(_)
        | Event::PromptCorrected(_)
        | Event::MemoryWritten(_)
        | Event::MemoryConsolidated(_) => Place::Effect,
        Event::RunStarted(_)
        | Event::PromptAssembled(_)
        | Event::HookFinished(_)
        | Event::RequestMade(_)
        | Event::RequestAnswered(_)
        | Event::ItemDecided(_)
        | Event::ContextCompacted(_)
        | Event::ModelAnswered(_)
        | Event::ModelFailed(_)
        | Event::ModelFellBack(_)
        | Event::ModelPartial(_)
        | Event::ToolFinished(_)
        | Event::SubagentStarted(_)
        | Event::SubagentFinished(_)
        | Event::HandoffMade(_)
        | Event::RunParked(_)
        | Event::RunResumed(_)
        | Event::RunForked(_)
        | Event::FlowStepped(_)
        | Event::FlowFailed(_)
        | Event::FlowWoken
        | Event::AgentAnswered(_)
        | Event::MessageSaid(_)
        | Event::MessagesShown(_)
        | Event::RunFinished(_)
        | Event::SessionRenamed(_)
        | Event::SessionDeleted(_)
        | Event::SessionRestored(_)
        | Event::SessionErased(_) => Place::Whole,
    }
}

/// Numbers of the records at which a step ends, in order: only there a run can be shared by another.
#[must_use]
pub fn ends(records: &[Record]) -> Vec<u64> {
    let mut ends = Vec::new();
    for (index, record) in records.iter().enumerate() {
        let open = matches!(place(&record.event), Place::Open | Place::OpenEffect);
        let next = records.get(index + 1).map(|next| place(&next.event));
        if !open && !matches!(next, Some(Place::Effect | Place::OpenEffect)) {
            ends.push(record.seq);
        }
    }
    ends
}

/// The ends of steps that are nearest to a record: the last before it and the first after it.
#[must_use]
pub fn nearest(ends: &[u64], seq: u64) -> (Option<u64>, Option<u64>) {
    let before = ends.iter().rev().find(|end| **end < seq).copied();
    (before, ends.iter().find(|end| **end > seq).copied())
}
