//! What a tool would do to files: shown to the hooks, then to the person where something is overwritten, then made.

use crate::support::{Play, answer, call};
use ta_core::Point;
use ta_core::confirm::{ChangeRules, Confirm};
use ta_core::event::{
    CallReport, Effects, Event, HookBinding, Limits, RequestMade, RunStarted, Task, TaskStatus, ToolFinished,
    WritesDone,
};
use ta_core::hook::{FileChange, HookInput, OnFailure, Verdict};
use ta_core::machine::{Action, HOST};
use ta_core::message::{Role, ToolResult};
use ta_core::question::{Answer, Outcome, Question};
use ta_core::request::Request;

fn change(path: &str, before: Option<&str>) -> FileChange {
    let difference = format!("--- {path}\n+++ {path}\n@@ -1 +1 @@\n-```\n+2\n");
    FileChange { path: path.into(), before: before.map(Into::into), after: "2".into(), difference }
}

fn yes() -> Outcome {
    Outcome::Answered(Answer::Choice("yes".into()))
}

/// A run that has called two tools of one message.
fn called(confirm: Confirm, hooks: &[(&str, Point, OnFailure)]) -> Play {
    let hooks = hooks.iter().map(|(hook, point, on_failure)| HookBinding {
        hook: (*hook).into(),
        point: *point,
        on_failure: *on_failure,
    });
    let mut play = Play::start_with(RunStarted {
        input: "a plan".into(),
        changes: ChangeRules {
            confirm,
            paths: vec!["old.md".into(), "new.md".into(), "same.md".into(), "two.md".into(), "in/".into()],
        },
        hooks: hooks.collect(),
        limits: Limits { max_turns: 9, max_tool_retries: 3, max_no_progress_iterations: 3, ..Limits::default() },
        ..RunStarted::default()
    });
    play.prompt_with(&["write_file", "read_file"]);
    play.model(answer("", &[call("a", "write_file", "{}"), call("b", "read_file", "{}")]));
    play
}

fn planned(play: &Play) -> Vec<String> {
    match play.pending() {
        Action::CallTools(calls) => calls.iter().map(|planned| planned.call.id.clone()).collect(),
        other => panic!("{other:?}"),
    }
}

fn question(made: &RequestMade) -> &Question {
    match &made.request {
        Request::Ask { question } => question,
        other => panic!("{other:?}"),
    }
}

/// What the host asks, once it is in the journal.
fn asked(play: &mut Play) -> (String, String) {
    let Action::PutQuestion(asked) = play.pending().clone() else { panic!("{:?}", play.pending()) };
    assert_eq!(asked.by, HOST);
    play.feed(Event::RequestMade(asked));
    match play.pending() {
        Action::Ask(ask) => (ask.question.id.clone(), ask.hash.clone()),
        other => panic!("{other:?}"),
    }
}

/// Puts in place what is to be put in place; answers with the paths.
fn placed(play: &mut Play, refused: &[&str]) -> Vec<String> {
    let Action::PlaceWrites(intended) = play.pending().clone() else { panic!("{:?}", play.pending()) };
    let paths: Vec<String> = intended.writes.iter().map(|write| write.path.clone()).collect();
    let by = intended.by.clone();
    play.feed(Event::WritesIntended(intended));
    let refused: Vec<String> = refused.iter().map(|why| (*why).to_owned()).collect();
    let done = if refused.is_empty() { paths.clone() } else { Vec::new() };
    play.feed(Event::WritesDone(WritesDone { by, paths: done, refused }));
    paths
}

/// What the model reads as a call's result.
fn read(play: &mut Play, id: &str) -> (bool, String) {
    play.tool("b", "read_file", Ok("text"));
    let Action::CallModel(call) = play.pending() else { panic!("{:?}", play.pending()) };
    let results = call.messages.iter().filter(|message| message.role == Role::Tool);
    let result = results.filter_map(|message| message.result.clone()).find(|result| result.id == id).unwrap();
    (result.failed, result.text)
}

#[test]
fn a_new_file_is_written_without_a_question_and_before_the_next_call() {
    let mut play = called(Confirm::Overwrites, &[]);
    play.tool_with("a", "write_file", Ok("written"), vec![change("new.md", None)]);
    assert_eq!(placed(&mut play, &[]), ["new.md"]);
    assert_eq!(planned(&play), ["b"]);
    assert_eq!(read(&mut play, "a"), (false, "written".to_owned()));
}

#[test]
fn what_is_there_is_overwritten_only_on_yes() {
    for (outcome, how) in [
        (Outcome::Answered(Answer::Choice("no".into())), "said no to"),
        (Outcome::Dismissed, "waved away"),
        (Outcome::Declined, "declined to decide on"),
        (Outcome::TimedOut, "did not answer in time about"),
    ] {
        let mut play = called(Confirm::Overwrites, &[]);
        play.tool_with("a", "write_file", Ok("written"), vec![change("new.md", None), change("old.md", Some("1"))]);
        let (id, hash) = asked(&mut play);
        assert_eq!(id, "change:old.md");
        play.answered(&hash, outcome);
        assert_eq!(planned(&play), ["b"], "nothing of the call is written");
        let (failed, text) = read(&mut play, "a");
        assert!(failed && text.contains(how) && text.contains("This call has written nothing"), "{text}");
    }
    let mut play = called(Confirm::Overwrites, &[]);
    let staged = vec![change("old.md", Some("1")), change("new.md", None), change("two.md", Some("1"))];
    play.tool_with("a", "write_file", Ok("written"), staged);
    for path in ["change:old.md", "change:two.md"] {
        let (id, hash) = asked(&mut play);
        assert_eq!(id, path);
        play.answered(&hash, yes());
    }
    assert_eq!(placed(&mut play, &[]), ["old.md", "new.md", "two.md"]);
    assert_eq!(read(&mut play, "a"), (false, "written".to_owned()));
}

#[test]
fn an_answer_is_bound_to_both_sides_of_the_change() {
    let hash = |before: &str, after: &str| {
        let mut play = called(Confirm::Overwrites, &[]);
        let mut it = change("old.md", Some(before));
        it.after = after.into();
        play.tool_with("a", "write_file", Ok("written"), vec![it]);
        asked(&mut play).1
    };
    assert_eq!(hash("1", "2"), hash("1", "2"));
    assert_ne!(hash("1", "2"), hash("3", "2"));
    assert_ne!(hash("1", "2"), hash("1", "3"));
}

#[test]
fn a_difference_stands_in_a_fence_that_none_of_its_lines_ends() {
    let mut play = called(Confirm::All, &[]);
    play.tool_with("a", "write_file", Ok("written"), vec![change("new.md", None)]);
    let Action::PutQuestion(asked) = play.pending() else { panic!("{:?}", play.pending()) };
    assert_eq!(question(asked).title, "Write new.md?");
    let detail = &question(asked).detail;
    assert!(detail.starts_with("````diff\n") && detail.ends_with("\n````"), "{detail}");
}

#[test]
fn what_stays_the_same_is_not_asked_about() {
    let mut play = called(Confirm::All, &[]);
    play.tool_with("a", "write_file", Ok("written"), vec![change("same.md", Some("2"))]);
    assert_eq!(planned(&play), ["b"], "and not written");
    assert_eq!(read(&mut play, "a"), (false, "written".to_owned()));
}

#[test]
fn a_write_that_was_not_made_is_told_in_place_of_what_the_tool_says() {
    let mut play = called(Confirm::Overwrites, &[]);
    play.tool_with("a", "write_file", Ok("written"), vec![change("new.md", None)]);
    placed(&mut play, &["new.md: somebody else has changed it meanwhile"]);
    let (failed, text) = read(&mut play, "a");
    assert!(failed && text.starts_with("not written: new.md"), "{text}");
}

#[test]
fn hooks_after_a_tool_see_the_change_and_may_refuse_it() {
    let hooks = [("seen", Point::PostTool, OnFailure::Abort)];
    let mut play = called(Confirm::Overwrites, &hooks);
    play.tool_with("a", "write_file", Ok("written"), vec![change("old.md", Some("1"))]);
    let Action::RunHook(hook) = play.pending() else { panic!("{:?}", play.pending()) };
    let HookInput::PostTool { writes, .. } = &hook.input else { panic!("{:?}", hook.input) };
    assert_eq!(writes, &[change("old.md", Some("1"))]);
    play.hook("seen", Verdict::Refuse { reason: "not this one".into() });
    assert_eq!(planned(&play), ["b"]);
    play.tool("b", "read_file", Ok("text"));
    play.hook("seen", Verdict::Pass);
    let Action::CallModel(call) = play.pending() else { panic!("{:?}", play.pending()) };
    assert!(call.messages.iter().any(|it| it.result.as_ref().is_some_and(|it| it.text == "refused: not this one")));
}

#[test]
fn a_tool_asks_and_is_called_again_with_its_answer() {
    let mut play = called(Confirm::Overwrites, &[]);
    let Action::CallTools(before) = play.pending().clone() else { panic!("{:?}", play.pending()) };
    let hash = play.question_by("files", None, Some("a"), "which");
    play.answered("of another question", yes());
    assert!(matches!(play.pending(), Action::Ask(ask) if ask.by == "files"));
    play.answered(&hash, yes());
    let Action::CallTools(calls) = play.pending().clone() else { panic!("{:?}", play.pending()) };
    assert_eq!((calls[0].stamp, &calls[0].context), (before[0].stamp, &before[0].context), "it was begun before");
    let told = &calls[0].earlier.as_ref().unwrap().inputs;
    assert_eq!(told.iter().map(|it| it.import.as_str()).collect::<Vec<_>>(), [format!("ask {hash}")]);
    assert!(calls[0].earlier.is_some() && calls[1].earlier.is_none());
    play.tool("a", "write_file", Ok("done"));
    assert_eq!(read(&mut play, "a"), (false, "done".to_owned()));
}

#[test]
fn a_check_that_could_not_be_made_is_told_and_the_person_decides() {
    let failed = || Verdict::Failed { code: "hook.trapped".into(), reason: "it ran into a wall".into() };
    for goes_on in [true, false] {
        let mut play = called(Confirm::Overwrites, &[("check", Point::PostTool, OnFailure::Ask)]);
        play.tool("a", "write_file", Ok("done"));
        play.tool("b", "read_file", Ok("text"));
        play.hook("check", failed());
        let (id, hash) = asked(&mut play);
        assert_eq!(id, "unchecked:check");
        play.answered(&hash, if goes_on { yes() } else { Outcome::Dismissed });
        match play.pending() {
            Action::RunHook(hook) => assert!(goes_on && hook.earlier.is_none(), "the next result is checked"),
            Action::Finish(finish) => {
                assert!(!goes_on && finish.reason.as_ref().is_some_and(|why| why.contains("it ran into a wall")));
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn what_may_not_be_changed_is_refused_without_a_question() {
    for (path, allowed) in
        [("in/a.md", true), ("in", false), ("other.md", false), ("old.md.bak", false), ("x/in/a", false)]
    {
        let mut play = called(Confirm::All, &[]);
        play.tool_with("a", "write_file", Ok("written"), vec![change("new.md", None), change(path, None)]);
        if allowed {
            assert!(matches!(play.pending(), Action::PutQuestion(_)), "{path}");
            continue;
        }
        assert_eq!(planned(&play), ["b"], "{path}");
        let (failed, text) = read(&mut play, "a");
        assert!(failed && text.starts_with(&format!("refused: {path} is not among")), "{text}");
    }
}

/// A call that changes a file and the task list.
fn with_tasks(play: &mut Play, staged: Vec<FileChange>) {
    let task = Task { id: "1".into(), title: "Mark the quizzes".into(), status: TaskStatus::Pending };
    let effects = Effects { tasks: Some(vec![task]), ..Effects::default() };
    let result = ToolResult { id: "a".into(), name: "write_file".into(), failed: false, text: "written".into() };
    let report = CallReport::default();
    play.feed(Event::ToolFinished(Box::new(ToolFinished { result, code: None, staged, effects, report })));
}

fn settled(play: &Play) -> Vec<(bool, Option<String>)> {
    let settled = play.records.iter().filter_map(|record| match &record.event {
        Event::ToolSettled(settled) => Some((settled.result.failed, settled.refused_by.clone())),
        _ => None,
    });
    settled.collect()
}

#[test]
fn a_call_takes_effect_as_a_whole_or_not_at_all() {
    let tasks = |play: &Play| play.machine.ledger().tasks.len();
    for (outcome, made) in [(yes(), 1), (Outcome::Dismissed, 0)] {
        let mut play = called(Confirm::Overwrites, &[]);
        with_tasks(&mut play, vec![change("old.md", Some("1"))]);
        assert_eq!(tasks(&play), 0, "nothing takes effect before the person has said so");
        let (_, hash) = asked(&mut play);
        play.answered(&hash, outcome);
        if made > 0 {
            placed(&mut play, &[]);
        }
        assert_eq!(tasks(&play), made);
        let refused_by = if made > 0 { None } else { Some("person".to_owned()) };
        assert_eq!(settled(&play), [(made == 0, refused_by)]);
    }
    let mut play = called(Confirm::Overwrites, &[]);
    with_tasks(&mut play, vec![change("new.md", None)]);
    placed(&mut play, &["new.md: somebody else has changed it meanwhile"]);
    assert_eq!((tasks(&play), settled(&play)), (0, vec![(true, Some("host".to_owned()))]));
    let mut play = called(Confirm::Overwrites, &[]);
    with_tasks(&mut play, vec![change("other.md", None)]);
    assert_eq!((tasks(&play), settled(&play)), (0, vec![(true, Some("host".to_owned()))]));
    // A hook's no holds for what is no file as well.
    let mut play = called(Confirm::Overwrites, &[("seen", Point::PostTool, OnFailure::Abort)]);
    with_tasks(&mut play, Vec::new());
    assert_eq!(tasks(&play), 0);
    play.hook("seen", Verdict::Refuse { reason: "not this one".into() });
    assert_eq!((tasks(&play), settled(&play)), (0, vec![(true, Some("seen".to_owned()))]));
    let mut play = called(Confirm::Overwrites, &[]);
    with_tasks(&mut play, Vec::new());
    assert_eq!((tasks(&play), settled(&play)), (1, vec![(false, None)]));
    assert!(play.machine.misplaced().is_empty());
}

#[test]
fn a_trace_shows_what_the_model_was_given() {
    let mut play = called(Confirm::Overwrites, &[]);
    play.tool_with("a", "write_file", Ok("written"), vec![change("old.md", Some("1"))]);
    let (_, hash) = asked(&mut play);
    play.answered(&hash, Outcome::Dismissed);
    let trace = ta_core::trace::trace(&play.records).unwrap();
    let span = trace.spans.iter().find(|span| span.kind == "tool").unwrap();
    assert_eq!(
        (&span.attributes["tool_said"]["text"], &span.attributes["refused_by"]),
        (&"written".into(), &"person".into())
    );
    assert!(span.attributes["result"]["text"].as_str().unwrap().contains("written nothing"), "{}", span.attributes);
}
