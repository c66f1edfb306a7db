//! Flows: exchanges, agents, hooks, failures, ends, all without a component.

use crate::support;

use std::collections::BTreeMap;

use support::{Play, answer};
use ta_core::Point;
use ta_core::event::*;
use ta_core::flow::{AgentRequest, FlowEvent, FlowStep, PersonWait, ShownMessage, Wait};
use ta_core::hook::{CallContext, OnFailure, Verdict};
use ta_core::machine::{Action, PromptForm};

fn begun(hooks: &[(&str, Point)], limits: Limits) -> Play {
    let binding = |(hook, point): &(&str, Point)| HookBinding {
        hook: (*hook).into(),
        point: *point,
        on_failure: OnFailure::Abort,
    };
    let agent = AgentBinding { max_turns: 3, ..AgentBinding::default() };
    Play::start_with(RunStarted {
        input: "loops".into(),
        flow: Some("quiz".into()),
        limits,
        hooks: hooks.iter().map(binding).collect(),
        agents: BTreeMap::from([("asker".to_owned(), agent.clone()), ("judge".to_owned(), agent)]),
        ..RunStarted::default()
    })
}

fn told(play: &Play) -> FlowEvent {
    match play.pending() {
        Action::CallFlow(call) => call.event.clone(),
        other => panic!("no flow is called: {other:?}"),
    }
}

fn state(play: &Play) -> Option<String> {
    match play.pending() {
        Action::CallFlow(call) => call.state.clone(),
        other => panic!("no flow is called: {other:?}"),
    }
}

fn step(play: &mut Play, state: &str, messages: &[&str], wait: Wait) {
    let step = FlowStep {
        state: state.into(),
        messages: messages.iter().map(|text| ShownMessage::plain(text)).collect(),
        observations: Vec::new(),
        facts: None,
        notes: Vec::new(),
        reply: None,
        wait,
    };
    let (flow, sha256, context) = ("quiz".into(), "0".into(), CallContext::default());
    let stepped = FlowStepped { flow, sha256, context, event: told(play), step, report: CallReport::default() };
    play.feed(Event::FlowStepped(Box::new(stepped)));
}

fn show(play: &mut Play) {
    match play.pending().clone() {
        Action::Show(shown) => play.feed(Event::MessagesShown(shown)),
        other => panic!("nothing is shown: {other:?}"),
    }
}

fn say(play: &mut Play, text: &str) {
    let said = MessageSaid { role: "learner".into(), text: text.into(), by: "person".into(), elapsed_ms: 1 };
    play.feed(Event::MessageSaid(said));
}

fn person() -> Wait {
    Wait::Person(PersonWait { role: "learner".into(), until_ms: None })
}

fn end() -> Wait {
    Wait::End { status: Status::Success, reason: None }
}

fn agents(names: &[&str]) -> Wait {
    let request = |name: &&str| AgentRequest {
        id: format!("{name}-1"),
        agent: (*name).into(),
        input: format!("to {name}"),
        conversation: Some((*name).into()),
        schema: None,
    };
    Wait::Agents { requests: names.iter().map(request).collect() }
}

/// Plays an agent that answers at once, and checks how its prompt is made.
fn agent_answers(play: &mut Play, name: &str, begins: bool, text: &str) {
    if begins {
        assert!(matches!(play.pending(), Action::Assemble(it) if it.agent == name && it.form == PromptForm::Plain));
        play.prompt_with(&[]);
    }
    assert!(matches!(play.pending(), Action::CallModel(_)), "{:?}", play.pending());
    play.model(answer(text, &[]));
    take(play);
}

fn take(play: &mut Play) {
    match play.pending().clone() {
        Action::TakeAnswer(answered) => play.feed(Event::AgentAnswered(answered)),
        other => panic!("no answer is taken: {other:?}"),
    }
}

#[test]
fn an_exchange_goes_through_agents_to_the_person_and_on_to_the_end() {
    let mut play = begun(&[], Limits::default());
    assert_eq!((told(&play), state(&play)), (FlowEvent::Begun { input: "loops".into() }, None));
    step(&mut play, "s1", &[], agents(&["asker", "judge"]));
    for name in ["asker", "judge"] {
        assert!(matches!(play.pending(), Action::Assemble(it) if it.agent == name && it.form == PromptForm::Plain));
        play.prompt_with(&[]);
    }
    assert_eq!(play.machine.model_calls().len(), 2, "{:?}", play.pending());
    for text in ["Q", "J"] {
        play.model(answer(text, &[]));
        take(&mut play);
    }
    let FlowEvent::Answered { answers } = told(&play) else { panic!("{:?}", told(&play)) };
    let answered: Vec<(&str, &str)> = answers.iter().map(|it| (it.id.as_str(), it.output.as_str())).collect();
    assert_eq!(answered, [("asker-1", "Q"), ("judge-1", "J")], "all of them at once, in order");
    step(&mut play, "s2", &["What is Q?"], person());
    show(&mut play);
    assert_eq!(play.machine.listening().map(|wait| wait.role.as_str()), Some("learner"));
    assert_eq!(play.machine.shown()[0].display, "What is Q?");
    say(&mut play, "four");
    assert_eq!((told(&play), state(&play)), (FlowEvent::Said { text: "four".into() }, Some("s2".into())));
    step(&mut play, "s3", &[], agents(&["judge"]));
    // The conversation of that name goes on: no prompt is made again, and it holds what was said before.
    match play.pending() {
        Action::CallModel(call) => assert_eq!(call.messages.len(), 3, "{:?}", call.messages),
        other => panic!("{other:?}"),
    }
    agent_answers(&mut play, "judge", false, "right");
    step(&mut play, "s4", &["Well done."], end());
    show(&mut play);
    assert_eq!(play.end(), (Status::Success, Some("Well done.".into())));
    assert!(play.machine.misplaced().is_empty());
}

#[test]
fn a_failed_flow_undoes_the_exchange_and_nothing_before_it() {
    let mut play = begun(&[], Limits::default());
    let fail = |play: &mut Play| {
        let (flow, sha256) = ("quiz".into(), "0".into());
        let failed =
            FlowFailed { flow, sha256, code: "hook.trap".into(), message: "m".into(), report: CallReport::default() };
        play.feed(Event::FlowFailed(Box::new(failed)));
    };
    fail(&mut play);
    assert_eq!(told(&play), FlowEvent::Begun { input: "loops".into() }, "the beginning is tried again");
    step(&mut play, "s1", &["Q"], person());
    show(&mut play);
    say(&mut play, "four");
    step(&mut play, "s2", &[], agents(&["judge"]));
    agent_answers(&mut play, "judge", true, "J");
    fail(&mut play);
    assert!(play.machine.listening().is_some(), "the person is waited for as before");
    say(&mut play, "five");
    assert_eq!((told(&play), state(&play)), (FlowEvent::Said { text: "five".into() }, Some("s1".into())));
    let spoken: Vec<&str> = play.machine.conversation().history.iter().map(|it| it.text.as_str()).collect();
    assert_eq!(spoken, ["loops", "Q", "five"]);
}

#[test]
fn hooks_see_what_the_person_says_and_what_they_are_shown() {
    let mut play = begun(&[("scope", Point::PreLoop), ("leak", Point::PostLoop)], Limits::default());
    play.hook("scope", Verdict::Pass);
    step(&mut play, "s1", &["Q?"], person());
    play.hook("leak", Verdict::Rework { instruction: "gives it away".into(), accepted: Vec::new(), rounds_max: 2 });
    let returned = FlowEvent::Returned { by: "leak".into(), instruction: "gives it away".into(), round: 1 };
    assert_eq!(told(&play), returned);
    step(&mut play, "s2", &["Another?"], person());
    play.hook("leak", Verdict::Pass);
    show(&mut play);
    say(&mut play, "my number is 07700");
    play.hook(
        "scope",
        Verdict::Abort { code: "contact".into(), reason: "No numbers, please.".into(), declined: false },
    );
    match play.pending().clone() {
        Action::Show(shown) => {
            assert_eq!((shown.by.as_str(), shown.messages[0].display.as_str()), ("scope", "No numbers, please."))
        }
        other => panic!("{other:?}"),
    }
    show(&mut play);
    assert!(matches!(told(&play), FlowEvent::Withheld { code, .. } if code == "contact"));
    let history = &play.machine.conversation().history;
    assert!(history.iter().all(|message| !message.text.contains("07700")), "{history:?}");
}

#[test]
fn messages_that_never_pass_are_never_shown() {
    let mut play = begun(&[("leak", Point::PostLoop)], Limits::default());
    for round in 1.. {
        step(&mut play, "s", &["The answer is 4."], person());
        play.hook("leak", Verdict::Rework { instruction: "no".into(), accepted: Vec::new(), rounds_max: 2 });
        if !matches!(play.pending(), Action::CallFlow(_)) {
            assert_eq!(round, 3, "two rounds to mend it");
            break;
        }
    }
    assert_eq!(play.end(), (Status::ErrorHookAbort, None));
}

#[test]
fn a_budget_that_an_agent_uses_up_is_the_runs_end() {
    let mut play = begun(&[], Limits { max_tokens: Some(3_000), ..Limits::default() });
    step(&mut play, "s1", &[], agents(&["asker"]));
    play.prompt_with(&[]);
    assert_eq!(play.end().0, Status::ErrorMaxBudget, "the next call may use more than is left");
}

#[test]
fn what_cannot_belong_is_said_and_changes_nothing() {
    let mut play = begun(&[], Limits::default());
    let before = play.pending().clone();
    say(&mut play, "too early");
    play.feed(Event::FlowWoken);
    assert_eq!(*play.pending(), before);
    let misplaced: Vec<(&str, &str)> = play.machine.misplaced().iter().map(|it| (it.event, it.step)).collect();
    assert_eq!(misplaced, [("message.said", "calling its flow"), ("flow.woken", "calling its flow")]);
}
