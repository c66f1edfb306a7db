//! Agents of a flow side by side: their records in any order, questions, budgets, what was lost.

use crate::support;

use std::collections::BTreeMap;

use support::{Play, answer, call};
use ta_core::Point;
use ta_core::event::*;
use ta_core::flow::{AgentAnswered, AgentRequest, FlowEvent, FlowStep, Wait};
use ta_core::hook::{CallContext, OnFailure, Verdict};
use ta_core::machine::{Action, Machine};
use ta_core::message::Usage;
use ta_core::model::ModelAnswer;
use ta_core::question::Outcome;
use ta_core::step;

const NAMES: [&str; 3] = ["clarity", "facts", "tone"];
const PRICE: CallPrice = CallPrice { input_usd: 1.0, output_usd: 10.0, input_tokens_max: None };

/// A flow that asks agents: each its id, and the conversation that it goes on with.
fn asked(hooks: &[(&str, Point)], limits: Limits, requests: &[(&str, Option<&str>)]) -> Play {
    let binding = |(hook, point): &(&str, Point)| HookBinding {
        hook: (*hook).into(),
        point: *point,
        on_failure: OnFailure::Abort,
    };
    let hooks: Vec<HookBinding> = hooks.iter().map(binding).collect();
    let agent = AgentBinding { max_turns: 3, hooks, ..AgentBinding::default() };
    let mut play = Play::start_with(RunStarted {
        input: "a text".into(),
        flow: Some("panel".into()),
        limits,
        price: Some(PRICE),
        agents: NAMES.iter().map(|name| ((*name).to_owned(), agent.clone())).collect(),
        ..RunStarted::default()
    });
    let request = |(at, (id, conversation)): (usize, &(&str, Option<&str>))| AgentRequest {
        id: (*id).into(),
        agent: NAMES[at].into(),
        input: format!("to {id}"),
        conversation: conversation.map(Into::into),
        schema: None,
    };
    let wait = Wait::Agents { requests: requests.iter().enumerate().map(request).collect() };
    let Action::CallFlow(call) = play.pending().clone() else { panic!("{:?}", play.pending()) };
    let step = FlowStep {
        state: "s".into(),
        messages: Vec::new(),
        observations: Vec::new(),
        facts: None,
        notes: Vec::new(),
        reply: None,
        wait,
    };
    let (context, report) = (CallContext::default(), CallReport::default());
    let stepped = FlowStepped { flow: call.flow, sha256: "0".into(), context, event: call.event, step, report };
    play.feed(Event::FlowStepped(Box::new(stepped)));
    play
}

/// Three of them, up to where all their models are called.
fn three(limits: Limits) -> Play {
    let mut play = asked(&[], limits, &[("a", None), ("b", None), ("c", None)]);
    for name in NAMES {
        assert!(matches!(play.pending(), Action::Assemble(it) if it.agent == name), "{:?}", play.pending());
        play.prompt();
    }
    play
}

fn turns(play: &Play) -> Vec<u32> {
    play.machine.model_calls().iter().map(|call| call.turn).collect()
}

fn called(play: &mut Play, turn: u32) {
    let (provider, model) = ("p".to_owned(), "m".to_owned());
    let called = ModelCalled { turn, provider, model, messages: 1, request_sha256: None, crowded: None };
    play.feed(Event::ModelCalled(called));
}

fn answers(play: &mut Play, turn: u32, answer: ModelAnswer) {
    play.feed(Event::ModelAnswered(Box::new(ModelAnswered { turn, answer, elapsed_ms: 1 })));
}

fn takes(play: &mut Play) -> AgentAnswered {
    let Action::TakeAnswer(answered) = play.pending().clone() else { panic!("{:?}", play.pending()) };
    play.feed(Event::AgentAnswered(answered.clone()));
    *answered
}

/// What the flow is told at the end: id and output of each.
fn told(play: &Play) -> Vec<(String, String)> {
    let Action::CallFlow(call) = play.pending() else { panic!("{:?}", play.pending()) };
    let FlowEvent::Answered { answers } = &call.event else { panic!("{:?}", call.event) };
    answers.iter().map(|it| (it.id.clone(), it.output.clone())).collect()
}

fn pairs(expected: [(&str, &str); 3]) -> Vec<(String, String)> {
    expected.map(|(id, output)| (id.to_owned(), output.to_owned())).to_vec()
}

#[test]
fn all_models_are_called_at_once_and_answered_in_any_order() {
    let mut play = three(Limits::default());
    assert_eq!(turns(&play), [1, 2, 3]);
    // The second is first, and calls a tool; the first answers while the tool is at work.
    answers(&mut play, 2, answer("", &[call("x", "read_file", "{}")]));
    assert!(matches!(play.pending(), Action::CallTools(calls) if calls[0].context.agent == "facts"));
    answers(&mut play, 1, answer("A", &[]));
    assert!(matches!(play.pending(), Action::CallTools(_)), "what is under way is done first: {:?}", play.pending());
    play.tool("x", "read_file", Ok("text"));
    assert_eq!(takes(&mut play).id, "a");
    assert_eq!(turns(&play), [3, 4], "the third is still called, the second again");
    answers(&mut play, 4, answer("B", &[]));
    assert_eq!(takes(&mut play).id, "b");
    assert!(matches!(play.pending(), Action::CallModel(call) if call.turn == 3));
    answers(&mut play, 3, answer("C", &[]));
    assert_eq!(takes(&mut play).id, "c");
    assert_eq!(told(&play), pairs([("a", "A"), ("b", "B"), ("c", "C")]), "in the order of the requests");
    assert!(play.machine.misplaced().is_empty());
    assert_eq!((play.machine.ledger().turns, play.machine.ledger().usage.output_tokens), (4, 4));
    // A machine that is fed the same records is where this one is, after each of them.
    let mut again = Machine::default();
    for record in &play.records {
        again.next(record);
    }
    assert_eq!(again.pending(), play.pending());
}

#[test]
fn an_answer_to_nothing_that_was_asked_is_told() {
    let mut play = three(Limits::default());
    answers(&mut play, 7, answer("A", &[]));
    let misplaced = play.machine.misplaced();
    assert_eq!((misplaced[0].event, misplaced[0].step), ("model.answered", "waiting for agents"));
    assert_eq!((turns(&play), play.machine.ledger().turns), (vec![1, 2, 3], 0), "and changes nothing");
}

#[test]
fn the_person_is_asked_when_the_others_are_at_rest() {
    let requests = [("a", None), ("b", None), ("c", None)];
    let mut play = asked(&[("gate", Point::PreModel)], Limits::default(), &requests);
    play.prompt();
    let hash = play.question_by("gate", Some(Point::PreModel), None, "may-it");
    for name in ["facts", "tone"] {
        assert!(matches!(play.pending(), Action::Assemble(it) if it.agent == name), "{:?}", play.pending());
        play.prompt();
        play.hook("gate", Verdict::Pass);
    }
    assert_eq!(turns(&play), [1, 2], "the others are called before the person is asked");
    answers(&mut play, 2, answer("C", &[]));
    takes(&mut play);
    answers(&mut play, 1, answer("B", &[]));
    takes(&mut play);
    assert!(matches!(play.pending(), Action::Ask(ask) if ask.question.id == "may-it"), "{:?}", play.pending());
    play.answered(&hash, Outcome::Dismissed);
    play.hook("gate", Verdict::Pass);
    assert_eq!(turns(&play), [3]);
    answers(&mut play, 3, answer("A", &[]));
    takes(&mut play);
    assert_eq!(told(&play), pairs([("a", "A"), ("b", "B"), ("c", "C")]));
}

#[test]
fn two_that_go_on_with_one_conversation_answer_one_after_the_other() {
    let mut play = asked(&[], Limits::default(), &[("a", Some("one")), ("b", Some("one")), ("c", None)]);
    play.prompt();
    assert!(matches!(play.pending(), Action::Assemble(it) if it.agent == "tone"), "the second waits for the first");
    play.prompt();
    assert_eq!(turns(&play), [1, 2]);
    answers(&mut play, 1, answer("A", &[]));
    takes(&mut play);
    assert_eq!(turns(&play), [2, 3]);
    assert_eq!(play.machine.model_call(3).unwrap().messages.len(), 3, "it goes on behind the first answer");
}

#[test]
fn a_call_that_does_not_fit_beside_the_others_waits_for_them() {
    let most = three(Limits::default()).machine.model_calls()[0].input_tokens_max() + 1_000;
    let limits = |tokens| Limits { max_tokens: Some(tokens), max_output_tokens: Some(1_000), ..Limits::default() };
    let mut play = three(limits(most * 2 + 500));
    assert_eq!(turns(&play), [1, 2], "what two may use is set aside");
    answers(&mut play, 1, answer("A", &[]));
    takes(&mut play);
    assert_eq!(turns(&play), [2, 3], "the first has used less than was set aside");
    // The second uses all that was set aside: the third has no room left, once nothing else is under way.
    let play = &mut three(limits(most + 500));
    assert_eq!(turns(play), [1]);
    let usage = Usage { input_tokens: most, ..Usage::default() };
    answers(play, 1, ModelAnswer { usage, ..answer("A", &[]) });
    takes(play);
    assert_eq!(play.end().0, Status::ErrorMaxBudget);
    assert!(play.reason().unwrap().contains("the next call may use up to"), "{:?}", play.reason());
}

#[test]
fn a_budget_that_one_uses_up_ends_the_run_after_what_is_under_way() {
    let most = three(Limits::default()).machine.model_calls()[0].input_tokens_max() + 1_000;
    let limits = Limits { max_tokens: Some(most * 3), max_output_tokens: Some(1_000), ..Limits::default() };
    let mut play = three(limits);
    assert_eq!(turns(&play), [1, 2, 3]);
    let usage = Usage { input_tokens: most * 2, estimated: true, ..Usage::default() };
    play.feed(Event::ModelPartial(ModelPartial { turn: 2, text: String::new(), usage, cost_usd: 0.0 }));
    assert_eq!(turns(&play), [1, 3], "the one that broke off is to wait");
    let usage = Usage { input_tokens: most, ..Usage::default() };
    play.feed(Event::ModelPartial(ModelPartial { turn: 1, text: String::new(), usage, cost_usd: 0.0 }));
    assert_eq!(turns(&play), [3], "what is under way is paid, so it is waited for");
    answers(&mut play, 3, answer("C", &[]));
    assert_eq!(play.end().0, Status::ErrorMaxBudget);
}

#[test]
fn of_calls_that_a_kill_left_open_each_is_taken_as_paid() {
    let mut play = three(Limits::default());
    for turn in [1, 2, 3] {
        called(&mut play, turn);
    }
    answers(&mut play, 2, answer("B", &[]));
    assert!(!step::ends(&play.records).contains(&(play.records.len() as u64)), "nobody can fork within the others");
    let lost: Vec<u32> = play.machine.lost_calls().iter().map(|it| it.turn).collect();
    assert_eq!(lost, [1, 3], "and the one that is answered is not made again");
    takes(&mut play);
    play.feed(Event::RunResumed(RunResumed { host: "0".into() }));
    assert_eq!(turns(&play), [1, 3]);
    for lost in play.machine.lost_calls() {
        play.feed(Event::ModelPartial(lost));
    }
    assert!(play.machine.lost_calls().is_empty());
    assert_eq!(turns(&play), [1, 3], "asked again");
    assert!(play.machine.ledger().cost_usd > 0.0);
}

#[test]
fn a_trace_says_whose_answer_it_was() {
    let mut play = three(Limits::default());
    answers(&mut play, 3, answer("C", &[]));
    takes(&mut play);
    answers(&mut play, 1, answer("A", &[]));
    let trace = ta_core::trace::trace(&play.records).unwrap();
    let models: BTreeMap<&str, &str> =
        trace.spans.iter().filter(|it| it.kind == "model").map(|it| (it.name.as_str(), it.agent.as_str())).collect();
    assert_eq!(models, BTreeMap::from([("turn 1", "clarity"), ("turn 3", "tone")]));
}
