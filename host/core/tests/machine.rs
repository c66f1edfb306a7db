//! The machine through its front door: events in, actions out.

use crate::support;

use support::{Play, answer, call, finding, hook};
use ta_core::event::{Event, Limits, RunForked, Status};
use ta_core::hook::{Change, OnFailure, Part, Verdict};
use ta_core::machine::Action;
use ta_core::marked::Element;
use ta_core::question::{Answer, Decision, Outcome};
use ta_core::{Point, Record};

#[test]
fn a_run_without_hooks_or_tools() {
    let mut play = Play::start(&[], Limits::default());
    assert!(matches!(play.pending(), Action::Assemble(_)));
    play.prompt();
    assert!(matches!(play.pending(), Action::CallModel(call) if call.turn == 1 && call.messages.len() == 1));
    play.model(answer("# Lesson", &[]));
    assert_eq!(play.end(), (Status::Success, Some("# Lesson".to_owned())));
}

#[test]
fn hooks_run_in_order_and_each_sees_what_the_one_before_left() {
    let hooks = [("first", Point::PreLoop, OnFailure::Abort), ("second", Point::PreLoop, OnFailure::Abort)];
    let mut play = Play::start(&hooks, Limits::default());
    let change = Change::Input { input: Some("changed".to_owned()), additions: Vec::new() };
    play.hook("first", Verdict::Modify(change));
    let Action::RunHook(call) = play.pending() else { panic!("{:?}", play.pending()) };
    assert_eq!((call.hook.as_str(), hook::input_of(&call.input)), ("second", "changed"));
    play.hook("second", Verdict::Pass);
    assert!(matches!(play.pending(), Action::Assemble(it) if it.input == "changed"));
}

#[test]
fn an_abort_ends_the_run_at_any_point() {
    for point in [Point::PreLoop, Point::PreModel, Point::PostModel, Point::PreTool, Point::PostTool, Point::PostLoop] {
        let mut play = Play::start(&[("guard", point, OnFailure::Abort)], Limits::default());
        play.until_hook(point);
        play.hook("guard", Verdict::Abort { code: "no".into(), reason: "because".into(), declined: false });
        let (status, _) = play.end();
        assert_eq!(status, Status::ErrorHookAbort, "{point}");
        assert_eq!(play.reason().as_deref(), Some("guard: because"));
    }
}

#[test]
fn a_failing_guardrail_fails_closed_and_a_failing_observer_is_skipped() {
    let failed = || Verdict::Failed { code: "hook.trap".into(), reason: "oops".into() };
    let mut closed = Play::start(&[("guard", Point::PostLoop, OnFailure::Abort)], Limits::default());
    closed.until_hook(Point::PostLoop);
    closed.hook("guard", failed());
    assert_eq!(closed.end().0, Status::ErrorHookAbort);
    let mut open = Play::start(&[("watch", Point::PostLoop, OnFailure::Skip)], Limits::default());
    open.until_hook(Point::PostLoop);
    open.hook("watch", failed());
    assert_eq!(open.end().0, Status::Success);
    assert!(open.machine.ledger().feedback.iter().any(|line| line.contains("watch failed and was skipped")));
}

#[test]
fn a_modification_that_the_point_does_not_allow_is_a_failure() {
    let mut play = Play::start(&[("guard", Point::PostLoop, OnFailure::Abort)], Limits::default());
    play.until_hook(Point::PostLoop);
    play.hook("guard", Verdict::Modify(Change::Arguments { arguments: "{}".into() }));
    assert_eq!(play.end().0, Status::ErrorHookAbort);
    assert!(play.reason().unwrap_or_default().contains("hook.malformed"));
}

#[test]
fn tools_are_called_all_at_once_and_answered_in_the_order_of_the_calls() {
    let mut play = Play::start(&[], Limits::default());
    play.prompt();
    play.model(answer("", &[call("a", "read_file", "{\"path\":\"x\"}"), call("b", "read_file", "{\"path\":\"y\"}")]));
    let Action::CallTools(calls) = play.pending() else { panic!("{:?}", play.pending()) };
    assert_eq!(calls.len(), 2);
    play.tool("b", "read_file", Ok("second"));
    assert!(matches!(play.pending(), Action::CallTools(calls) if calls.len() == 1));
    play.tool("a", "read_file", Ok("first"));
    let Action::CallModel(call) = play.pending() else { panic!("{:?}", play.pending()) };
    let results: Vec<&str> =
        call.messages.iter().filter_map(|it| it.result.as_ref()).map(|it| it.text.as_str()).collect();
    assert_eq!(results, ["first", "second"]);
}

#[test]
fn what_is_wrong_with_a_call_goes_back_to_the_model() {
    let mut play = Play::start(&[], Limits::default());
    play.prompt();
    play.model(answer(
        "",
        &[call("a", "rm_rf", "{}"), call("a", "read_file", "{not json"), call("c", "read_file", "[1]")],
    ));
    let Action::CallModel(request) = play.pending() else { panic!("{:?}", play.pending()) };
    let results: Vec<_> = request.messages.iter().filter_map(|it| it.result.as_ref()).collect();
    assert!(results.iter().all(|result| result.failed));
    assert!(results[0].text.starts_with("there is no tool `rm_rf`; there are read_file"));
    assert!(results[1].text.contains("no JSON"));
    assert!(results[2].text.contains("no JSON object"));
    // Nothing that a provider would refuse later stays in the history.
    let calls: Vec<_> = request.messages.iter().flat_map(|it| &it.calls).collect();
    assert!(calls.iter().all(|call| serde_json::from_str::<serde_json::Value>(&call.arguments).unwrap().is_object()));
    let ids: std::collections::BTreeSet<&str> = calls.iter().map(|call| call.id.as_str()).collect();
    assert_eq!(ids.len(), 3);
}

#[test]
fn a_message_cut_off_in_the_middle_runs_no_tool() {
    let mut play = Play::start(&[], Limits::default());
    play.prompt();
    let mut cut = answer("", &[call("a", "read_file", "{\"path\":\"x\"}")]);
    cut.stop = ta_core::message::StopReason::Length;
    play.model(cut);
    assert!(matches!(play.pending(), Action::CallModel(_)));
}

#[test]
fn a_refused_call_is_not_made() {
    let mut play = Play::start(&[("guard", Point::PreTool, OnFailure::Abort)], Limits::default());
    play.prompt();
    play.model(answer("", &[call("a", "read_file", "{}")]));
    play.hook("guard", Verdict::Refuse { reason: "private".into() });
    let Action::CallModel(request) = play.pending() else { panic!("{:?}", play.pending()) };
    let result = request.messages.last().and_then(|it| it.result.clone()).unwrap();
    assert_eq!((result.failed, result.text.as_str()), (true, "refused: private"));
}

#[test]
fn turns_are_limited() {
    let mut play = Play::start(&[], Limits { max_turns: 2, ..Limits::default() });
    play.prompt();
    for path in ["x", "y"] {
        play.model(answer("", &[call(path, "read_file", &format!("{{\"path\":\"{path}\"}}"))]));
        play.tool(path, "read_file", Ok(path));
    }
    assert_eq!(play.end().0, Status::ErrorMaxTurns);
}

#[test]
fn money_is_limited() {
    let mut play = Play::start(&[], Limits { max_budget_usd: Some(0.5), ..Limits::default() });
    play.prompt();
    let mut dear = answer("", &[call("a", "read_file", "{}")]);
    dear.cost_usd = 0.6;
    play.model(dear);
    play.tool("a", "read_file", Ok("text"));
    assert_eq!(play.end().0, Status::ErrorMaxBudget);
}

#[test]
fn identical_calls_are_a_stall() {
    let mut play = Play::start(&[], Limits::default());
    play.prompt();
    for turn in 0..4 {
        if matches!(play.pending(), Action::Finish(_)) {
            break;
        }
        let id = format!("c{turn}");
        play.model(answer("", &[call(&id, "read_file", "{\"path\": \"x\"}")]));
        play.tool(&id, "read_file", Ok("the same"));
    }
    assert_eq!(play.end().0, Status::ErrorNoProgress);
    assert_eq!(play.machine.ledger().turns, 4, "the first call brought something, three repetitions did not");
}

#[test]
fn a_stalled_run_may_be_asked_for_a_last_answer() {
    let limits = Limits { force_finalize_on_stall: true, max_no_progress_iterations: 1, ..Limits::default() };
    let mut play = Play::start(&[], limits);
    play.prompt();
    play.model(answer("", &[]));
    let Action::CallModel(request) = play.pending() else { panic!("{:?}", play.pending()) };
    assert!(request.framing.tools().is_empty());
    play.model(answer("the best I have", &[]));
    assert_eq!(play.end(), (Status::ErrorNoProgress, Some("the best I have".to_owned())));
}

#[test]
fn a_tool_that_keeps_failing_ends_the_run() {
    let mut play =
        Play::start(&[], Limits { max_tool_retries: 1, max_no_progress_iterations: 10, ..Limits::default() });
    play.prompt();
    for path in ["x", "y"] {
        play.model(answer("", &[call(path, "read_file", &format!("{{\"path\":\"{path}\"}}"))]));
        play.tool(path, "read_file", Err("no"));
    }
    assert_eq!(play.end().0, Status::ErrorToolRetryExhausted);
}

#[test]
fn rework_goes_round_again_and_accepted_sections_stay() {
    let mut play = Play::start(&[("gate", Point::PostLoop, OnFailure::Abort)], Limits::default());
    play.prompt();
    play.model(answer("# L\n\n## A\n\nfirst\n\n## B\n\nfirst\n", &[]));
    let accepted = vec![Part { id: "a".into(), title: "A".into(), text: "## A\n\nfirst\n\n".into() }];
    play.hook("gate", Verdict::Rework { instruction: "B shorter".into(), accepted, rounds_max: 2 });
    let Action::CallModel(request) = play.pending() else { panic!("{:?}", play.pending()) };
    let rework = Element::text("rework", "B shorter").with("hook", "gate").with("round", "1");
    assert_eq!(request.messages.last().unwrap().text, rework.alone());
    play.model(answer("# L\n\n## A\n\nmeddled\n\n## B\n\nshort\n", &[]));
    play.hook("gate", Verdict::Pass);
    assert_eq!(play.end(), (Status::Success, Some("# L\n\n## A\n\nfirst\n\n## B\n\nshort\n".to_owned())));
}

#[test]
fn rework_is_bounded() {
    let mut play = Play::start(&[("gate", Point::PostLoop, OnFailure::Abort)], Limits::default());
    play.prompt();
    for _ in 0..3 {
        play.model(answer("no better", &[]));
        play.hook("gate", Verdict::Rework { instruction: "again".into(), accepted: Vec::new(), rounds_max: 2 });
    }
    assert_eq!(play.end().0, Status::ErrorHookAbort);
    assert!(play.reason().unwrap_or_default().contains("asked for changes 2 times"));
}

#[test]
fn a_question_parks_and_only_its_own_answer_counts() {
    let mut play = Play::start(&[("gate", Point::PostLoop, OnFailure::Abort)], Limits::default());
    play.until_hook(Point::PostLoop);
    let hash = play.question("gate", "sections");
    assert!(matches!(play.pending(), Action::Ask(ask) if ask.time == 1 && ask.decided.is_empty()));
    play.answered("another", Outcome::Dismissed);
    assert!(matches!(play.pending(), Action::Ask(_)));
    let decision = Decision { item: "A".into(), choice: "accept".into(), text: None };
    play.decided(&hash, decision.clone());
    assert!(matches!(play.pending(), Action::Ask(ask) if ask.decided == [decision.clone()]));
    play.answered(&hash, Outcome::Answered(Answer::Items(vec![decision])));
    let Action::RunHook(call) = play.pending() else { panic!("{:?}", play.pending()) };
    assert_eq!(call.earlier.as_ref().unwrap().inputs[0].import, format!("ask {hash}"));
    play.hook("gate", Verdict::Pass);
    assert_eq!(play.end().0, Status::Success);
}

#[test]
fn findings_are_those_of_the_latest_round() {
    let mut play = Play::start(&[("guard", Point::PostLoop, OnFailure::Abort)], Limits::default());
    play.prompt();
    play.model(answer("bad", &[]));
    play.hook_with(
        "guard",
        Verdict::Rework { instruction: "mend".into(), accepted: Vec::new(), rounds_max: 1 },
        vec![finding("unknown-code")],
    );
    play.model(answer("good", &[]));
    play.hook("guard", Verdict::Pass);
    assert!(play.machine.ledger().findings.is_empty());
}

#[test]
fn a_fork_at_an_open_question_goes_on_with_the_calls_own_context() {
    let mut play = Play::start(&[("gate", Point::PreLoop, OnFailure::Abort)], Limits::default());
    let Action::RunHook(before) = play.pending().clone() else { panic!("{:?}", play.pending()) };
    let hash = play.question("gate", "sections");
    let start = play.machine.start().clone();
    let forked = RunForked { session: "s".into(), run: "r".into(), through: 2, start };
    let (session, run, event) = ("other".to_owned(), "fork".to_owned(), Event::RunForked(Box::new(forked)));
    play.machine.next(&Record { session, seq: 1, run, at_ms: 9_000, event });
    play.answered(&hash, Outcome::Dismissed);
    let Action::RunHook(after) = play.pending() else { panic!("{:?}", play.pending()) };
    assert_eq!(
        (&after.context, after.stamp),
        (&before.context, before.stamp),
        "its seed and its clock follow from these"
    );
}
