//! What guests may ask a model, decided by the machine from records alone.

use crate::support;

use support::Play;
use ta_core::Point;
use ta_core::event::{
    CallPrice, Event, GuestModel, HookBinding, Limits, RequestAnswer, RequestAnswered, RunParked, RunResumed,
    RunStarted,
};
use ta_core::hook::OnFailure;
use ta_core::machine::{Action, MostOf};
use ta_core::message::Usage;
use ta_core::request::{ModelQuestion, ModelReply, NoAnswer, Request};

const PRICE: CallPrice = CallPrice { input_usd: 1.0, output_usd: 10.0, input_tokens_max: None };

fn model() -> GuestModel {
    let (provider, model) = ("anthropic".into(), "small".into());
    GuestModel { provider, model, base_url: None, price: Some(PRICE), max_calls: 3, max_tokens: 100_000, max_usd: 1.0 }
}

/// A run whose first hook is at work.
fn begun(guest_model: Option<GuestModel>, limits: Limits) -> Play {
    let hooks = vec![HookBinding { hook: "guard".into(), point: Point::PreLoop, on_failure: OnFailure::Abort }];
    Play::start_with(RunStarted { input: "loops".into(), hooks, limits, guest_model, ..RunStarted::default() })
}

fn asks(play: &mut Play) {
    let question = ModelQuestion { system: "judge".into(), prompt: "this".into(), max_tokens: 100 };
    play.made("guard", (Some(Point::PreLoop), None), Request::Model(question));
}

/// What the question comes to at the most, where a model is to be asked.
fn most(play: &Play) -> MostOf {
    match play.pending() {
        Action::AskModel(ask) => ask.most,
        other => panic!("{other:?}"),
    }
}

fn answered(play: &mut Play, cost_usd: f64) {
    let Action::AskModel(ask) = play.pending().clone() else { panic!("{:?}", play.pending()) };
    let usage = Usage { input_tokens: 100, output_tokens: 10, ..Usage::default() };
    let answer = RequestAnswer::Model { usage, cost_usd, elapsed_ms: 5, code: None };
    let (id, by, hash, sha256) = (ask.id, ask.by, ask.hash, "ab".into());
    play.feed(Event::RequestAnswered(Box::new(RequestAnswered { id, by, hash, sha256, answer })));
}

/// Why the guest is told that nobody is asked.
fn refused(mut play: Play) -> NoAnswer {
    asks(&mut play);
    refusal(&play)
}

fn refusal(play: &Play) -> NoAnswer {
    let Action::Reply(reply) = play.pending() else { panic!("{:?}", play.pending()) };
    serde_json::from_slice::<ModelReply>(&reply.json).unwrap().unwrap_err()
}

#[track_caller]
fn over(why: &NoAnswer, word: &str) {
    assert!(matches!(why, NoAnswer::OverBudget(reason) if reason.contains(word)), "{why:?}");
}

#[test]
fn what_it_costs_is_the_runs_and_the_guest_is_told_the_answer() {
    let mut play = begun(Some(model()), Limits::default());
    asks(&mut play);
    let MostOf { tokens, usd } = most(&play);
    assert!(tokens > 1_000 && usd > 0.002 && usd < 0.01, "{tokens} {usd}");
    answered(&mut play, 0.25);
    let ledger = play.machine.ledger();
    assert_eq!((ledger.usage.input_tokens, ledger.cost_usd), (100, 0.25));
    let Action::RunHook(call) = play.pending() else { panic!("{:?}", play.pending()) };
    let told = &call.earlier.as_ref().unwrap().inputs;
    assert!(told.len() == 1 && told[0].import.starts_with("model.ask ") && told[0].sha256 == "ab", "{told:?}");
}

#[test]
fn a_refusal_is_an_answer_like_any_other() {
    let mut play = begun(None, Limits::default());
    asks(&mut play);
    let Action::Reply(reply) = play.pending().clone() else { panic!("{:?}", play.pending()) };
    let sha256 = reply.answered.sha256.clone();
    play.feed(Event::RequestAnswered(Box::new(reply.answered)));
    let Action::RunHook(call) = play.pending() else { panic!("{:?}", play.pending()) };
    assert_eq!(call.earlier.as_ref().unwrap().inputs[0].sha256, sha256);
    assert_eq!(play.machine.misplaced(), []);
}

#[test]
fn calls_tokens_and_dollars_of_guests_come_to_an_end() {
    let none = refused(begun(None, Limits::default()));
    assert_eq!(none, NoAnswer::Unavailable("nobody can be asked in this run".into()));
    let mut play = begun(Some(model()), Limits::default());
    for _ in 1..=3 {
        asks(&mut play);
        answered(&mut play, 0.0);
    }
    over(&refused(play), "all 3 questions");
    let few = GuestModel { max_tokens: 500, ..model() };
    over(&refused(begun(Some(few), Limits::default())), "of 500 tokens");
    let poor = GuestModel { max_usd: 0.001, ..model() };
    over(&refused(begun(Some(poor), Limits::default())), "of 0.0010 US dollars");
    let mut play = begun(Some(model()), Limits::default());
    asks(&mut play);
    answered(&mut play, 0.999);
    over(&refused(play), "of 1.0000 US dollars");
}

#[test]
fn the_runs_own_budget_comes_first() {
    let within = |usd| Limits { max_budget_usd: Some(usd), ..Limits::default() };
    over(&refused(begun(Some(model()), within(0.0001))), "the run's own budget");
    let mut play = begun(Some(model()), within(1.0));
    asks(&mut play);
    assert!(most(&play).usd > 0.0);
    let unknown = GuestModel { price: None, ..model() };
    over(&refused(begun(Some(unknown.clone()), within(1.0))), "no price is known");
    let mut play = begun(Some(unknown), Limits::default());
    asks(&mut play);
    assert!(most(&play).tokens > 0);
    let tokens = Limits { max_tokens: Some(500), ..Limits::default() };
    over(&refused(begun(Some(model()), tokens)), "the run's own budget");
}

#[test]
fn a_call_whose_answer_was_lost_is_taken_as_paid() {
    let mut play = begun(Some(model()), Limits::default());
    asks(&mut play);
    let lost = most(&play);
    assert_eq!(play.machine.ledger().cost_usd, 0.0);
    play.feed(Event::RunParked(RunParked { reason: "interrupted".into() }));
    play.feed(Event::RunResumed(RunResumed { host: "0".into() }));
    let ledger = play.machine.ledger();
    assert_eq!(ledger.cost_usd, lost.usd, "the host was stopped in it");
    assert_eq!((ledger.usage.input_tokens, ledger.usage.estimated), (lost.tokens, true), "and its tokens count, too");
    answered(&mut play, 0.05);
    assert!((play.machine.ledger().cost_usd - lost.usd - 0.05).abs() < 1e-9);
    asks(&mut play);
    play.feed(Event::RunResumed(RunResumed { host: "0".into() }));
    over(&refusal(&play), "all 3 questions");
}
