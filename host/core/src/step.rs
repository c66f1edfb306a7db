//! Steps: a call's own event with all its effects and the outcome of its writes. A step is appended, forked, replayed and
//! compared as a whole.

use std::collections::BTreeSet;

use crate::event::{Effects, Event, MemoryWritten, PromptCorrected, Record, TasksReplaced, Write, WritesIntended};
use crate::machine::OUTPUT;
use crate::request::Request;

/// What is appended as one: an event, all that it does, and the bytes that belong to them.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// What has come of it before its end: answers that broke off, notes that were scored.
    before: Vec<Event>,
    own: Event,
    effects: Vec<Event>,
    blobs: Vec<Blob>,
}

/// Bytes that belong to what is appended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Blob {
    /// They.
    Bytes(Vec<u8>),
    /// The SHA-256 of bytes that the journal holds already, in lowercase hexadecimal.
    Held(String),
}

impl From<Vec<u8>> for Blob {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(bytes)
    }
}

impl From<Event> for Step {
    fn from(own: Event) -> Self {
        Self { before: Vec::new(), own, effects: Vec::new(), blobs: Vec::new() }
    }
}

impl Step {
    /// The same, with events that have come of it before its end.
    #[must_use]
    pub fn after(mut self, before: Vec<Event>) -> Self {
        self.before.extend(before);
        self
    }

    /// The same, with bytes that belong to it.
    #[must_use]
    pub fn with_blobs(mut self, blobs: impl IntoIterator<Item = impl Into<Blob>>) -> Self {
        self.blobs.extend(blobs.into_iter().map(Into::into));
        self
    }

    /// The same, with files that are about to be written.
    #[must_use]
    pub fn with_writes(mut self, by: &str, writes: Vec<Write>) -> Self {
        if !writes.is_empty() {
            self.effects.push(Event::WritesIntended(WritesIntended { by: by.to_owned(), writes }));
        }
        self
    }

    /// The same, with what it does beside files. `by` does it, for this owner.
    #[must_use]
    pub fn with_effects(mut self, by: &str, owner: &str, effects: Effects) -> Self {
        let Effects { tasks, corrections, memory } = effects;
        self.effects.extend(tasks.map(|tasks| Event::TasksReplaced(TasksReplaced { tasks })));
        if !corrections.is_empty() {
            self.effects.push(Event::PromptCorrected(PromptCorrected { hook: by.to_owned(), corrections }));
        }
        self.effects.extend(memory.into_iter().map(|change| {
            let (owner, by) = (owner.to_owned(), by.to_owned());
            Event::MemoryWritten(Box::new(MemoryWritten { owner, by, change }))
        }));
        self
    }

    /// What happened.
    #[must_use]
    pub const fn own(&self) -> &Event {
        &self.own
    }

    /// What happened, and what it does.
    #[must_use]
    pub fn into_own(self) -> (Event, Vec<Event>) {
        (self.own, self.effects)
    }

    /// All events in order, and the bytes.
    #[must_use]
    pub fn into_events(self) -> (Vec<Event>, Vec<Blob>) {
        let Self { before, own, effects, blobs } = self;
        (before.into_iter().chain([own]).chain(effects).collect(), blobs)
    }
}

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
        | Event::ObservationsMade(_)
        | Event::SessionRenamed(_)
        | Event::SessionDeleted(_)
        | Event::SessionRestored(_)
        | Event::SessionErased(_)
        | Event::StudyRecorded(_) => Place::Whole,
    }
}

/// Whether an event is an effect of one before it.
#[must_use]
pub fn is_effect(event: &Event) -> bool {
    matches!(place(event), Place::Effect | Place::OpenEffect)
}

/// Numbers of the records at which a step ends, in order: only there a run can be shared by another. While a model of an agent
/// is being called, other agents of a flow may go on; no step ends before it has answered.
#[must_use]
pub fn ends(records: &[Record]) -> Vec<u64> {
    let mut ends = Vec::new();
    let mut calling = BTreeSet::new();
    for (index, record) in records.iter().enumerate() {
        match &record.event {
            Event::ModelCalled(called) => {
                calling.insert(called.turn);
            }
            // Whatever was under way was given up.
            Event::RunParked(_) | Event::RunResumed(_) | Event::RunForked(_) | Event::RunFinished(_) => calling.clear(),
            event => calling.retain(|turn| Some(*turn) != event.turn()),
        }
        let open = matches!(place(&record.event), Place::Open | Place::OpenEffect) || !calling.is_empty();
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
