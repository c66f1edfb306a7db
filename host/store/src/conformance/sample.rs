//! Events to append: the fields that the views read can be chosen, the others are whatever they are by default.

use ta_core::Event;
use ta_core::event::{ModelAnswered, ModelCalled, RunFinished, RunParked, RunResumed, RunStarted, Status};
use ta_core::message::{StopReason, Usage};
use ta_core::model::ModelAnswer;

/// A run of `plugin` that began with this input.
#[must_use]
pub fn started(plugin: &str, command: &str, input: &str) -> Event {
    Event::RunStarted(Box::new(RunStarted {
        plugin: plugin.into(),
        command: command.into(),
        agent: "planner".into(),
        input: input.into(),
        class: Some("3B".into()),
        ..RunStarted::default()
    }))
}

/// A model that is about to be called.
#[must_use]
pub fn called(turn: u32) -> Event {
    Event::ModelCalled(ModelCalled { turn, provider: "script".into(), model: "script".into(), messages: 1 })
}

/// A model's answer with what it used.
#[must_use]
pub fn answered(turn: u32, input_tokens: u64, output_tokens: u64, cost_usd: f64) -> Event {
    let usage = Usage { input_tokens, output_tokens, ..Usage::default() };
    let text = "A lesson on loops.".into();
    let answer = ModelAnswer { text, calls: Vec::new(), stop: StopReason::EndTurn, usage, cost_usd, answered_by: None };
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
    Event::RunFinished(Box::new(RunFinished { status, reason: None, output: Some("Done.".into()), saved: None }))
}
