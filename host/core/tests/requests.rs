//! Tools that guests call: a round of their own, seen by the hooks, answered to the caller, which is run again.

use crate::support::{Play, answer, call};
use ta_core::Point;
use ta_core::event::{Event, HookBinding, Input, Limits, RequestAnswer, RequestAnswered, RunStarted, Status};
use ta_core::hook::{FileChange, HookInput, OnFailure, Verdict};
use ta_core::machine::{Action, CallStatus};
use ta_core::question::{Answer, Outcome};
use ta_core::request::{TOOL_REQUESTS_MAX, ToolAnswer};

fn begun(hooks: &[(&str, Point)], limits: Limits) -> Play {
    let binding = |(hook, point): &(&str, Point)| HookBinding {
        hook: (*hook).into(),
        point: *point,
        on_failure: OnFailure::Abort,
    };
    let hooks = hooks.iter().map(binding).collect();
    Play::start_with(RunStarted { input: "a plan".into(), hooks, limits, ..RunStarted::default() })
}

/// The one call that is to be made, and its callers.
fn planned(play: &Play) -> (String, Vec<String>) {
    match play.pending() {
        Action::CallTools(calls) => (calls[0].call.id.clone(), calls[0].callers.clone()),
        other => panic!("{other:?}"),
    }
}

/// Journals what the caller is told.
fn told(play: &mut Play) -> (ToolAnswer, Input) {
    let Action::Reply(reply) = play.pending().clone() else { panic!("{:?}", play.pending()) };
    let import = format!("tools.call {}", reply.answered.hash);
    let input = Input { import, sha256: reply.answered.sha256.clone() };
    play.feed(Event::RequestAnswered(Box::new(reply.answered)));
    (serde_json::from_slice(&reply.json).unwrap(), input)
}

/// What the hook that is due was told before.
fn inputs_of_hook(play: &Play) -> Vec<Input> {
    match play.pending() {
        Action::RunHook(call) => call.earlier.as_ref().map(|report| report.inputs.clone()).unwrap_or_default(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_hooks_tool_is_seen_by_the_hooks_and_answered_once() {
    let mut play =
        begun(&[("asks", Point::PreLoop), ("guard", Point::PreTool), ("watch", Point::PostTool)], Limits::default());
    let id = play.requests("asks", Some(Point::PreLoop), None, true);
    let Action::RunHook(guard) = play.pending() else { panic!("{:?}", play.pending()) };
    assert!(matches!(&guard.input, HookInput::PreTool { call } if call.id == id));
    assert_eq!(guard.callers, ["hook asks", "hook guard"]);
    play.hook("guard", Verdict::Pass);
    assert_eq!(planned(&play), (id.clone(), vec!["hook asks".to_owned(), "tool read_file".to_owned()]));
    play.tool(&id, "read_file", Ok("text"));
    play.hook("watch", Verdict::Pass);
    let (answer, input) = told(&mut play);
    assert_eq!(answer, Ok("text".to_owned()));
    assert_eq!(inputs_of_hook(&play), [input], "the hook is run again and told the answer");
    assert_eq!(play.machine.ledger().tool_calls[0].status, CallStatus::Completed);
    play.hook("asks", Verdict::Pass);
    assert!(matches!(play.pending(), Action::Assemble(_)));
    assert_eq!(play.machine.misplaced(), []);
}

#[test]
fn a_refused_call_is_told_with_its_code_and_the_tool_is_not_called() {
    let mut play = begun(&[("asks", Point::PreLoop), ("guard", Point::PreTool)], Limits::default());
    play.requests("asks", Some(Point::PreLoop), None, true);
    play.hook("guard", Verdict::Refuse { reason: "not here".into() });
    let refusal = told(&mut play).0.unwrap_err();
    assert_eq!((refusal.code.as_str(), refusal.message.as_str()), ("tools.refused", "refused: not here"));
    assert_eq!(play.machine.ledger().tool_calls[0].status, CallStatus::Failed);
}

#[test]
fn an_abort_in_the_round_ends_the_run() {
    let mut play = begun(&[("asks", Point::PreLoop), ("guard", Point::PreTool)], Limits::default());
    play.requests("asks", Some(Point::PreLoop), None, true);
    play.hook("guard", Verdict::Abort { code: "no".into(), reason: "never".into(), declined: false });
    assert_eq!(play.end().0, Status::ErrorHookAbort);
}

#[test]
fn a_tools_tool_may_ask_and_write_and_its_caller_goes_on_beside_the_other_calls() {
    let mut play = begun(&[], Limits::default());
    play.prompt_with(&["write_file", "read_file"]);
    play.model(answer("", &[call("a", "write_file", "{}"), call("b", "read_file", "{}")]));
    let id = play.requests("files", None, Some("a"), false);
    let hash = play.question_by("files", None, Some(&id), "which");
    play.answered(&hash, Outcome::Answered(Answer::Text("that".into())));
    assert_eq!(planned(&play), (id.clone(), vec!["tool write_file".to_owned(), "tool write_file".to_owned()]));
    let change = FileChange { path: "a.md".into(), before: None, after: "1".into(), difference: String::new() };
    play.tool_with(&id, "write_file", Ok("written"), vec![change]);
    let Action::PlaceWrites(intended) = play.pending().clone() else { panic!("{:?}", play.pending()) };
    assert_eq!(intended.by, id);
    play.feed(Event::WritesIntended(intended));
    play.feed(Event::WritesDone(ta_core::event::WritesDone {
        by: id,
        paths: vec!["a.md".into()],
        refused: Vec::new(),
    }));
    assert_eq!(told(&mut play).0, Ok("written".to_owned()));
    let Action::CallTools(calls) = play.pending() else { panic!("{:?}", play.pending()) };
    assert_eq!(calls.iter().map(|it| it.call.id.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(calls[0].earlier.as_ref().unwrap().inputs.len(), 1);
    play.tool("a", "write_file", Ok("done"));
    play.tool("b", "read_file", Ok("text"));
    let Action::CallModel(request) = play.pending() else { panic!("{:?}", play.pending()) };
    let results = request.messages.iter().filter(|message| message.result.is_some()).count();
    assert_eq!(results, 2, "the model reads nothing of what its tools called");
}

#[test]
fn a_run_that_is_spent_calls_no_further_tool() {
    let mut play = begun(&[("asks", Point::PreLoop)], Limits::default());
    for _ in 0..TOOL_REQUESTS_MAX {
        let id = play.requests("asks", Some(Point::PreLoop), None, true);
        play.tool(&id, "read_file", Ok("text"));
        told(&mut play).0.unwrap();
    }
    play.requests("asks", Some(Point::PreLoop), None, true);
    assert_eq!(told(&mut play).0.unwrap_err().code, "tools.over_budget");
}

#[test]
fn an_answer_to_another_call_belongs_nowhere() {
    let mut play = begun(&[("asks", Point::PreLoop)], Limits::default());
    let id = play.requests("asks", Some(Point::PreLoop), None, true);
    play.tool(&id, "read_file", Ok("text"));
    let Action::Reply(reply) = play.pending().clone() else { panic!("{:?}", play.pending()) };
    let of_another = RequestAnswered { id: "other".into(), ..reply.answered.clone() };
    let of_other_words = RequestAnswered { hash: "other".into(), ..reply.answered.clone() };
    let answer = RequestAnswer::Ask { outcome: Outcome::Declined, answered_by: "person".into(), elapsed_ms: 1 };
    let of_another_kind = RequestAnswered { answer, ..reply.answered };
    for other in [of_another, of_other_words, of_another_kind] {
        play.feed(Event::RequestAnswered(Box::new(other)));
    }
    assert_eq!(play.machine.misplaced().len(), 3);
    assert_eq!(told(&mut play).0, Ok("text".to_owned()));
}
