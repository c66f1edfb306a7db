//! Budgets, decided by the machine from records alone.

use std::sync::Arc;

use crate::support;

use support::{Play, answer, call};
use ta_core::event::{CallPrice, Event, Limits, ModelPartial, RunStarted, Status};
use ta_core::hook::OnFailure;
use ta_core::machine::{Action, Framing, ModelCall};
use ta_core::message::Usage;

const PRICE: CallPrice = CallPrice { input_usd: 1.0, output_usd: 10.0, input_tokens_max: None };

/// A run up to its first call.
fn begun(limits: Limits, price: Option<CallPrice>) -> Play {
    let mut play = Play { machine: ta_core::machine::Machine::default(), records: Vec::new() };
    let started = RunStarted { input: "loops".into(), limits, price, ..RunStarted::default() };
    play.feed(Event::RunStarted(Box::new(started)));
    play.prompt();
    play
}

fn within(usd: f64) -> Limits {
    Limits { max_budget_usd: Some(usd), max_output_tokens: Some(1_000), ..Limits::default() }
}

/// What the first call is reckoned at.
fn reckoned() -> f64 {
    let play = begun(within(100.0), Some(PRICE));
    let Action::CallModel(call) = play.pending() else { panic!("{:?}", play.pending()) };
    PRICE.usd(call.input_tokens_max(), 1_000).unwrap()
}

#[test]
fn a_call_is_made_where_it_fits_to_the_cent_and_not_where_it_does_not() {
    let most = reckoned();
    assert!(matches!(begun(within(most), Some(PRICE)).pending(), Action::CallModel(_)));
    let over = begun(within(most - 0.000_001), Some(PRICE));
    assert_eq!(over.end().0, Status::ErrorMaxBudget);
    assert!(matches!(begun(within(0.000_001), None).pending(), Action::CallModel(_)), "no price, nothing to reckon");
    let short = CallPrice { input_tokens_max: Some(10), ..PRICE };
    assert_eq!(begun(within(100.0), Some(short)).end().0, Status::ErrorMaxBudget, "no price for a call as long");
}

#[test]
fn every_byte_of_a_request_is_reckoned_with() {
    let play = begun(within(100.0), Some(PRICE));
    let Action::CallModel(call) = play.pending() else { panic!("{:?}", play.pending()) };
    let longer = |by: &str| {
        let system = format!("{}{by}", call.framing.system());
        let framing = Framing::new(system, call.framing.tools().to_vec(), call.framing.output_schema().cloned());
        let longer = ModelCall { framing: Arc::new(framing), ..ModelCall::clone(call) };
        longer.input_tokens_max() - call.input_tokens_max()
    };
    let ascii = "a".repeat(1_000);
    assert_eq!(longer(&ascii), 500);
    assert_eq!(longer(&(ascii + &"\u{4e00}".repeat(1_000))), 3_500);
}

#[test]
fn what_broke_off_is_paid_for_and_the_call_is_made_again_only_where_it_fits() {
    let most = reckoned();
    let partial = |cost_usd| {
        let usage = Usage { input_tokens: 7, output_tokens: 3, estimated: true, ..Usage::default() };
        Event::ModelPartial(ModelPartial { turn: 1, text: "# Half".into(), usage, cost_usd })
    };
    let mut play = begun(within(most * 1.5), Some(PRICE));
    play.feed(partial(most * 0.4));
    assert!(
        matches!(play.pending(), Action::CallModel(call) if call.messages.len() == 1),
        "no part of the conversation"
    );
    assert_eq!(play.machine.ledger().usage.input_tokens, 7);
    play.feed(partial(most * 0.4));
    assert_eq!(play.end().0, Status::ErrorMaxBudget);
}

#[test]
fn a_call_that_broke_off_when_the_time_was_up_is_not_made_again() {
    let mut play = begun(Limits { max_minutes: Some(1), ..Limits::default() }, Some(PRICE));
    assert!(play.machine.left_ms().is_some_and(|left| (59_000..=60_000).contains(&left)));
    let mut late = play.records[1].clone();
    late.at_ms += 60_000;
    let usage = Usage { input_tokens: 7, estimated: true, ..Usage::default() };
    late.event = Event::ModelPartial(ModelPartial { turn: 1, text: String::new(), usage, cost_usd: 0.1 });
    play.machine.next(&late);
    assert_eq!((play.machine.left_ms(), play.end().0), (Some(0), Status::ErrorMaxBudget));
    assert_eq!(play.reason().as_deref(), Some("all 1 minutes are used"));
}

#[test]
fn a_call_is_lost_only_while_its_end_is_in_no_record() {
    use ta_core::event::{ModelCalled, RunParked};
    let mut play = begun(within(100.0), Some(PRICE));
    let Action::CallModel(call) = play.pending().clone() else { panic!("{:?}", play.pending()) };
    assert_eq!(play.machine.lost_call(&call), None);
    let called = ModelCalled {
        turn: 1,
        provider: "p".into(),
        model: "m".into(),
        messages: 1,
        request_sha256: None,
        crowded: None,
    };
    play.feed(Event::ModelCalled(called.clone()));
    let lost = play.machine.lost_call(&call).unwrap();
    let most = (call.input_tokens_max(), u64::from(call.max_output_tokens.unwrap()));
    assert_eq!((lost.usage.input_tokens, lost.usage.output_tokens), most);
    assert!((lost.cost_usd - PRICE.usd(most.0, most.1).unwrap()).abs() < 1e-9);
    play.feed(Event::RunParked(RunParked { reason: "interrupted".into() }));
    assert_eq!(play.machine.lost_call(&call), None, "who parks knows what came");
    play.feed(Event::ModelCalled(called));
    play.feed(Event::ModelPartial(lost));
    assert_eq!(play.machine.lost_call(&call), None);
}

#[test]
fn tokens_and_minutes() {
    let tokens = |most| Limits { max_tokens: Some(most), max_output_tokens: Some(1_000), ..Limits::default() };
    assert!(matches!(begun(tokens(100_000), None).pending(), Action::CallModel(_)));
    assert_eq!(begun(tokens(1_500), None).end().0, Status::ErrorMaxBudget);
    let mut play = begun(Limits { max_minutes: Some(1), ..Limits::default() }, None);
    let mut late = play.records[1].clone();
    late.at_ms += 60_000;
    late.event = Event::ModelAnswered(Box::new(ta_core::event::ModelAnswered {
        turn: 1,
        answer: answer("", &[call("1", "nothing", "{}")]),
        elapsed_ms: 60_000,
    }));
    play.machine.next(&late);
    assert_eq!(play.end().0, Status::ErrorMaxBudget);
    assert_eq!(play.reason().as_deref(), Some("all 1 minutes are used"));
}

#[test]
fn while_a_question_is_open_nothing_is_counted_whoever_ends_it() {
    use ta_core::event::{HookBinding, RunParked, RunResumed};
    let hooks = vec![HookBinding { hook: "gate".into(), point: ta_core::Point::PreLoop, on_failure: OnFailure::Abort }];
    let limits = Limits { max_minutes: Some(1), ..Limits::default() };
    let mut play = Play::start_with(RunStarted { input: "loops".into(), limits, hooks, ..RunStarted::default() });
    play.question("gate", "sure");
    let left = play.machine.left_ms();
    let mut at_ms = play.records.last().unwrap().at_ms;
    for event in [
        Event::RunParked(RunParked { reason: "interrupted".into() }),
        Event::RunResumed(RunResumed { host: "0".into() }),
        Event::RunParked(RunParked { reason: "question".into() }),
    ] {
        at_ms += 66_000;
        let mut record = play.records[0].clone();
        (record.seq, record.at_ms, record.event) = (play.records.len() as u64 + 1, at_ms, event);
        play.machine.next(&record);
        assert_eq!(play.machine.left_ms(), left);
    }
}
