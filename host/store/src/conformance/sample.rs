//! Events to append: the fields that the views read can be chosen, the others are whatever they are by default.

use ta_core::event::{
    CallReport, Effects, HookFinished, Input, ItemDecided, MemoryWritten, ModelAnswered, ModelCalled, PromptAssembled,
    QuestionAnswered, QuestionAsked, RunFinished, RunForked, RunParked, RunResumed, RunStarted, SessionDeleted,
    SessionRenamed, SessionRestored, Status, ToolFinished,
};
use ta_core::hook::{Subject, Verdict};
use ta_core::memory::{Change, Chosen, KIND_DEFAULT, MemoryPath, Note, Scores, Selection};
use ta_core::message::{StopReason, ToolResult, Usage};
use ta_core::model::ModelAnswer;
use ta_core::point::Point;
use ta_core::question::{Decision, Item, Outcome, Question, QuestionKind};
use ta_core::{Event, hook::CallContext};

/// A run of `plugin` that began with this input.
#[must_use]
pub fn started(plugin: &str, command: &str, input: &str) -> Event {
    Event::RunStarted(Box::new(RunStarted {
        plugin: plugin.into(),
        command: command.into(),
        agent: "planner".into(),
        input: input.into(),
        subject: Some(class("3B")),
        ..RunStarted::default()
    }))
}

fn class(id: &str) -> Subject {
    Subject { kind: "class".into(), id: id.into() }
}

/// A run for an owner that began with this input about a class.
#[must_use]
pub fn started_for(owner: &str, id: &str, input: &str) -> Event {
    Event::RunStarted(Box::new(RunStarted {
        plugin: "lesson-planning".into(),
        command: "create-lesson".into(),
        agent: "planner".into(),
        input: input.into(),
        subject: Some(class(id)),
        owner: owner.into(),
        ..RunStarted::default()
    }))
}

/// The session is called otherwise.
#[must_use]
pub fn renamed(title: &str) -> Event {
    Event::SessionRenamed(SessionRenamed { title: title.into(), by: "person".into() })
}

/// The session is taken out of the lists.
#[must_use]
pub fn deleted() -> Event {
    Event::SessionDeleted(SessionDeleted { by: "person".into() })
}

/// And put back.
#[must_use]
pub fn restored() -> Event {
    Event::SessionRestored(SessionRestored { by: "person".into() })
}

/// A run that shares another's past up to a record.
#[must_use]
pub fn forked(session: &str, run: &str, through: u64) -> Event {
    let start = match started_for("ana", "3B", "Loops") {
        Event::RunStarted(start) => *start,
        _ => RunStarted::default(),
    };
    Event::RunForked(Box::new(RunForked { session: session.into(), run: run.into(), through, start }))
}

/// A prompt that shows these notes of a memory file.
#[must_use]
pub fn prompted(path: &MemoryPath, notes: &[&str]) -> Event {
    let chosen = |note: &&str| Chosen {
        note: (*note).to_owned(),
        kind: KIND_DEFAULT.into(),
        scores: Scores::default(),
        weight: 0.5,
    };
    let included: Vec<Chosen> = notes.iter().map(chosen).collect();
    let selection = Selection { path: path.clone(), lines: included.len(), tokens: 8, included, left_out: Vec::new() };
    Event::PromptAssembled(Box::new(PromptAssembled {
        system: "You plan lessons.".into(),
        parts: Vec::new(),
        tools: Vec::new(),
        parts_sha256: None,
        memory: vec![selection],
    }))
}

/// A hook that passed, having read these imports.
#[must_use]
pub fn hooked(hook: &str, imports: &[&str]) -> Event {
    Event::HookFinished(Box::new(HookFinished {
        hook: hook.into(),
        point: Point::PreLoop,
        sha256: String::new(),
        context: CallContext::default(),
        verdict: Verdict::Pass,
        notes: Vec::new(),
        findings: Vec::new(),
        observations: Vec::new(),
        report: report(imports),
    }))
}

/// A tool that answered, having read these imports.
#[must_use]
pub fn used(tool: &str, imports: &[&str]) -> Event {
    let result = ToolResult { id: "call-1".into(), name: tool.into(), failed: false, text: "Read.".into() };
    let (staged, effects) = (Vec::new(), Effects::default());
    Event::ToolFinished(Box::new(ToolFinished { result, code: None, staged, effects, report: report(imports) }))
}

fn report(imports: &[&str]) -> CallReport {
    let input = |import: &&str| Input { import: (*import).to_owned(), sha256: "00ff".into() };
    CallReport { inputs: imports.iter().map(input).collect(), ..CallReport::default() }
}

/// A change of an owner's memory.
#[must_use]
pub fn remembered(owner: &str, by: &str, change: Change) -> Event {
    Event::MemoryWritten(Box::new(MemoryWritten { owner: owner.into(), by: by.into(), change }))
}

/// A note added to a memory file.
#[must_use]
pub fn note(path: &MemoryPath, text: &str) -> Change {
    let note = Note { text: text.into(), kind: "preference".into(), importance: 50, evidence: Vec::new() };
    Change::Remembered { path: path.clone(), note }
}

/// A question of a hook with these items; its hash is the second.
#[must_use]
pub fn asked(hook: &str, items: &[&str]) -> (Event, String) {
    let item = |id: &&str| Item { id: (*id).to_owned(), label: (*id).to_owned(), detail: String::new() };
    let kind = QuestionKind::Items { items: items.iter().map(item).collect(), options: Vec::new() };
    let question = Question { id: "q".into(), title: format!("{hook} asks"), detail: String::new(), kind };
    let hash = question.hash();
    let asked = QuestionAsked {
        by: hook.into(),
        point: Some(Point::PostLoop),
        call: None,
        question,
        hash: hash.clone(),
        report: CallReport::default(),
    };
    (Event::QuestionAsked(Box::new(asked)), hash)
}

/// A decision on an item.
#[must_use]
pub fn decision(item: &str, choice: &str, text: Option<&str>) -> Decision {
    Decision { item: item.into(), choice: choice.into(), text: text.map(ToOwned::to_owned) }
}

/// A decision that has fallen.
#[must_use]
pub fn decided(hash: &str, decision: Decision) -> Event {
    Event::ItemDecided(ItemDecided { hash: hash.into(), decision, elapsed_ms: 5 })
}

/// A question that has its outcome.
#[must_use]
pub fn replied(hash: &str, outcome: Outcome) -> Event {
    Event::QuestionAnswered(QuestionAnswered { hash: hash.into(), outcome, by: "person".into(), elapsed_ms: 9 })
}

/// A model that is about to be called.
#[must_use]
pub fn called(turn: u32) -> Event {
    Event::ModelCalled(ModelCalled {
        turn,
        provider: "script".into(),
        model: "script".into(),
        messages: 1,
        request_sha256: None,
        crowded: None,
    })
}

/// A model's answer with what it used.
#[must_use]
pub fn answered(turn: u32, input_tokens: u64, output_tokens: u64, cost_usd: f64) -> Event {
    let usage = Usage { input_tokens, output_tokens, ..Usage::default() };
    let text = "A lesson on loops.".into();
    let answer =
        ModelAnswer { text, calls: Vec::new(), stop: StopReason::EndTurn, usage, cost_usd, ..ModelAnswer::default() };
    Event::ModelAnswered(Box::new(ModelAnswered { turn, answer, elapsed_ms: 7 }))
}

/// A run that waits for an answer.
#[must_use]
pub fn parked() -> Event {
    Event::RunParked(RunParked { reason: "question".into() })
}

/// A run that goes on.
#[must_use]
pub fn resumed() -> Event {
    Event::RunResumed(RunResumed { host: "0.1.0".into() })
}

/// A run that is over.
#[must_use]
pub fn finished(status: Status) -> Event {
    finished_with(status, "Done.")
}

/// A run that is over, with this output.
#[must_use]
pub fn finished_with(status: Status, output: &str) -> Event {
    let output = Some(output.to_owned());
    Event::RunFinished(Box::new(RunFinished { status, reason: None, output, saved: None }))
}
