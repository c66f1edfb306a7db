//! What guests may ask a model, decided by the machine from records alone.

use crate::support;

use support::Play;
use ta_core::event::{CallPrice, Event, GuestModel, GuestModelAnswered, GuestModelCalled, Limits, RunStarted};
use ta_core::machine::Machine;
use ta_core::message::Usage;

const PRICE: CallPrice = CallPrice { input_usd: 1.0, output_usd: 10.0, input_tokens_max: None };

fn model() -> GuestModel {
    let (provider, model) = ("anthropic".into(), "small".into());
    GuestModel { provider, model, base_url: None, price: Some(PRICE), max_calls: 3, max_tokens: 100_000, max_usd: 1.0 }
}

fn begun(guest_model: Option<GuestModel>, limits: Limits) -> Play {
    let mut play = Play { machine: Machine::default(), records: Vec::new() };
    let started = RunStarted { input: "loops".into(), limits, guest_model, ..RunStarted::default() };
    play.feed(Event::RunStarted(Box::new(started)));
    play
}

fn called(play: &mut Play, call: u64, max_usd: f64) {
    play.feed(Event::GuestModelCalled(GuestModelCalled {
        by: "guard".into(),
        call,
        import: "model.ask 1".into(),
        inputs: Vec::new(),
        provider: "anthropic".into(),
        model: "small".into(),
        max_tokens: 1_000,
        max_usd,
    }));
}

fn answered(play: &mut Play, call: u64, cost_usd: f64) {
    play.feed(Event::GuestModelAnswered(GuestModelAnswered {
        by: "guard".into(),
        call,
        import: "model.ask 1".into(),
        sha256: "ab".into(),
        usage: Usage { input_tokens: 100, output_tokens: 10, ..Usage::default() },
        cost_usd,
        elapsed_ms: 5,
        code: None,
    }));
}

fn refused(play: &Play) -> String {
    play.machine.guest_may_ask("judge", "this", 100).unwrap_err()
}

#[test]
fn what_it_costs_is_the_runs_and_what_it_was_told_is_kept() {
    let mut play = begun(Some(model()), Limits::default());
    let most = play.machine.guest_may_ask("judge", "this", 100).unwrap();
    assert!(most.tokens > 1_000 && most.usd > 0.002 && most.usd < 0.01, "{most:?}");
    called(&mut play, 1, most.usd);
    answered(&mut play, 1, 0.25);
    let context = play.machine.ledger();
    assert_eq!((context.usage.input_tokens, context.cost_usd), (100, 0.25));
    assert_eq!(play.machine.guest_inputs(1, "guard").len(), 1);
    assert!(play.machine.guest_inputs(2, "guard").is_empty() && play.machine.guest_inputs(1, "other").is_empty());
}

#[test]
fn calls_tokens_and_dollars_of_guests_come_to_an_end() {
    assert!(refused(&begun(None, Limits::default())).contains("no model for guests"));
    let mut play = begun(Some(model()), Limits::default());
    for call in 1..=3 {
        called(&mut play, call, 0.0);
        answered(&mut play, call, 0.0);
    }
    assert!(refused(&play).contains("all 3 questions"), "{}", refused(&play));
    let few = GuestModel { max_tokens: 500, ..model() };
    assert!(refused(&begun(Some(few), Limits::default())).contains("of 500 tokens"));
    let poor = GuestModel { max_usd: 0.001, ..model() };
    assert!(refused(&begun(Some(poor), Limits::default())).contains("of 0.0010 US dollars"));
    let mut play = begun(Some(model()), Limits::default());
    called(&mut play, 1, 0.999);
    assert!(refused(&play).contains("of 1.0000 US dollars"), "what is under way is set aside");
}

#[test]
fn the_runs_own_budget_comes_first() {
    let within = |usd| Limits { max_budget_usd: Some(usd), ..Limits::default() };
    assert!(refused(&begun(Some(model()), within(0.0001))).contains("the run's own budget"));
    assert!(begun(Some(model()), within(1.0)).machine.guest_may_ask("judge", "this", 100).is_ok());
    let unknown = GuestModel { price: None, ..model() };
    assert!(refused(&begun(Some(unknown.clone()), within(1.0))).contains("no price is known"));
    assert!(begun(Some(unknown), Limits::default()).machine.guest_may_ask("judge", "this", 100).is_ok());
    let tokens = Limits { max_tokens: Some(500), ..Limits::default() };
    assert!(refused(&begun(Some(model()), tokens)).contains("the run's own budget"));
}

#[test]
fn a_call_whose_answer_was_lost_is_taken_as_paid() {
    let mut play = begun(Some(model()), Limits::default());
    called(&mut play, 1, 0.5);
    assert_eq!(play.machine.ledger().cost_usd, 0.0);
    called(&mut play, 1, 0.1);
    assert_eq!(play.machine.ledger().cost_usd, 0.5, "the host was stopped in it");
    let usage = play.machine.ledger().usage;
    assert_eq!((usage.input_tokens, usage.estimated), (1_000, true), "and its tokens count, too");
    answered(&mut play, 1, 0.05);
    assert!((play.machine.ledger().cost_usd - 0.55).abs() < 1e-9);
}
