//! What holds whenever older messages make room: calls go with their results, and what was decided stays.

use crate::support;

use proptest::prelude::*;
use support::{Play, answer, call};
use ta_core::Point;
use ta_core::event::{ContextCompacted, Event, HookBinding, Limits, RunStarted};
use ta_core::hook::{OnFailure, Part, Verdict};
use ta_core::machine::{Action, Machine, Past};
use ta_core::message::{Message, Role, Usage};
use ta_core::model::ModelAnswer;
use ta_core::question::{Answer, Decision, Outcome};
use ta_core::summary::{Summary, answers, is_summary};

const REQUEST: &str = "iteration for 3B, and never mention football";
const POINTER: &str = r#"[TCH 3-14a](curriculum/cfe-computing.md#L12-L14 "repeat a block")"#;

fn begun(window: u64, earlier: Vec<Message>) -> Play {
    let mut play =
        Play { machine: Machine::after(Past { messages: earlier.into(), ..Past::default() }), records: Vec::new() };
    let hook = HookBinding { hook: "gate".into(), point: Point::PostLoop, on_failure: OnFailure::Abort };
    let limits = Limits { max_turns: 60, max_no_progress_iterations: 60, ..Limits::default() };
    let started = RunStarted {
        kept_shapes: vec!["AAA 9-99a".into()],
        input: REQUEST.into(),
        limits,
        hooks: vec![hook],
        context_window: Some(window),
        ..RunStarted::default()
    };
    play.feed(Event::RunStarted(Box::new(started)));
    play
}

/// Answers whatever the machine wants; answers with the decision that fell, where one did.
fn step(play: &mut Play, choice: u8) -> Option<String> {
    let size = usize::from(choice) * 20;
    match play.pending().clone() {
        Action::RunHook(hook) if hook.earlier.is_none() && !choice.is_multiple_of(4) => {
            let id = format!("sections-{}", play.records.len());
            let hash = play.question("gate", &id);
            let words = format!("five minutes, number {choice}");
            let decision = Decision { item: "A".into(), choice: "revise".into(), text: Some(words.clone()) };
            play.decided(&hash, decision.clone());
            play.answered(&hash, Outcome::Answered(Answer::Items(vec![decision])));
            return Some(format!("{id}/A: revise ({words})"));
        }
        Action::RunHook(_) if choice == 255 => play.hook("gate", Verdict::Pass),
        Action::RunHook(_) => {
            let accepted = vec![Part { id: "a".into(), title: "A".into(), text: "## A\n\nkept\n".into() }];
            let instruction = format!("again, {}", "and ".repeat(size / 40));
            play.hook("gate", Verdict::Rework { instruction, accepted, rounds_max: 100 });
        }
        Action::Assemble(_) => play.prompt(),
        Action::Compact(compacted) => play.feed(Event::ContextCompacted(compacted)),
        Action::CallModel(_) | Action::CallModels(_) => {
            let id = |n: usize| format!("{}-{n}", play.records.len());
            let path = format!("{{\"path\":\"{}\"}}", play.records.len());
            let calls: Vec<_> = (0..usize::from(choice % 4)).map(|n| call(&id(n), "read_file", &path)).collect();
            let text = format!("# L\n\n## A\n\n{POINTER}\n\n{}", "text ".repeat(size / 20));
            let counted = choice.is_multiple_of(3);
            let usage = Usage { input_tokens: u64::from(choice) * 30, estimated: !counted, ..Usage::default() };
            play.model(ModelAnswer { usage, ..answer(&text, &calls) });
        }
        Action::CallTools(calls) => {
            let text = format!("TCH 3-14a {}", "x".repeat(size));
            play.tool(&calls[0].call.id, "read_file", Ok(&text));
        }
        // Nobody has work to give away here.
        Action::Spawn(_) | Action::Return(_) | Action::HandOff(_) => {}
        Action::Ask(_)
        | Action::PutQuestion(_)
        | Action::PlaceWrites(_)
        | Action::AskModel(_)
        | Action::Reply(_)
        | Action::Settle(_)
        | Action::CallFlow(_)
        | Action::Show(_)
        | Action::Listen(_)
        | Action::TakeAnswer(_)
        | Action::Finish(_)
        | Action::Wait => {}
    }
    None
}

/// Every result behind the message that asked for it, every call with its result.
fn whole(messages: &[Message]) -> Result<(), TestCaseError> {
    let mut open: Vec<String> = Vec::new();
    for message in messages {
        match &message.result {
            Some(result) => {
                prop_assert_eq!(open.first(), Some(&result.id), "a result without its call");
                open.remove(0);
            }
            None => prop_assert!(open.is_empty(), "calls without results before {:?}", message),
        }
        open.extend(message.calls.iter().map(|call| call.id.clone()));
    }
    prop_assert!(open.is_empty());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn nothing_is_orphaned_and_every_decision_stays(
        choices in prop::collection::vec(any::<u8>(), 0..150),
        window in 400_u64..4_000,
        cut in 0.0..1.0_f64,
    ) {
        let mut play = begun(window, vec![Message::user("last week: loops"), Message::assistant("# Old lesson", Vec::new())]);
        let mut decided: Vec<String> = Vec::new();
        let mut given = 1;
        for choice in choices {
            if let Action::Compact(it) = play.pending().clone() {
                prop_assert!(it.tokens_after < it.tokens_before, "{} {}", it.tokens_before, it.tokens_after);
                for line in &decided {
                    prop_assert!(it.text.contains(line), "{} is gone: {}", line, it.text);
                }
            }
            if let Action::CallModel(request) = play.pending() {
                whole(&request.messages)?;
                prop_assert!(request.messages.iter().any(|it| it.text == REQUEST), "the request is always there");
                prop_assert_eq!(answers(&request.messages), given, "answers are counted across a summary");
                prop_assert!(request.messages.iter().skip(1).all(|it| !is_summary(it)), "one summary, in front");
            }
            let answered = play.machine.conversation().history.len();
            decided.extend(step(&mut play, choice));
            let history = &play.machine.conversation().history;
            if !matches!(play.records.last().map(|it| &it.event), Some(Event::ContextCompacted(_))) {
                given += history.iter().skip(answered).filter(|it| it.role == Role::Assistant).count();
            }
        }
        let at = (play.records.len() as f64 * cut) as usize;
        let mut again = begun(window, vec![Message::user("last week: loops"), Message::assistant("# Old lesson", Vec::new())]).machine;
        for record in play.records.iter().take(at).skip(1) {
            again.next(record);
        }
        for record in play.records.iter().skip(at.max(1)) {
            again.next(record);
        }
        prop_assert_eq!(again.pending(), play.machine.pending(), "resumed, the same bytes are sent");
    }
}

/// Plays turns that read a file each until one makes room.
fn crowded(play: &mut Play, input_tokens: Option<u64>) -> ContextCompacted {
    for turn in 0..50 {
        match play.pending().clone() {
            Action::Compact(compacted) => return *compacted,
            Action::Assemble(_) => play.prompt(),
            Action::CallModel(_) => {
                let calls = [call(&format!("c{turn}"), "read_file", &format!("{{\"path\":\"{turn}\"}}"))];
                let usage = match input_tokens {
                    Some(input_tokens) => Usage { input_tokens, ..Usage::default() },
                    None => Usage { estimated: true, ..Usage::default() },
                };
                play.model(ModelAnswer { usage, ..answer(POINTER, &calls) });
            }
            Action::CallTools(calls) => {
                play.tool(&calls[0].call.id, "read_file", Ok(&format!("TCH 3-14a {}", "words ".repeat(198))))
            }
            other => panic!("{other:?}"),
        }
    }
    panic!("nothing ever made room");
}

#[test]
fn four_fifths_of_the_window_are_for_what_is_sent() {
    let mut play = begun(4_000, Vec::new());
    let compacted = crowded(&mut play, None);
    assert!(compacted.estimated && compacted.tokens_before > 3_200, "{}", compacted.tokens_before);
    // A turn is about 340 tokens here: the one before still fitted.
    assert!(compacted.tokens_before < 3_600 && compacted.tokens_after <= 2_000, "{compacted:?}");
    assert_eq!(
        compacted.summary.evidence.iter().filter(|it| *it == POINTER).count(),
        1,
        "once, however often it was said"
    );
    let seen = "seen in a result of read_file: TCH 3-14a";
    assert!(compacted.summary.evidence.iter().any(|it| it == seen), "{:?}", compacted.summary.evidence);
    play.feed(Event::ContextCompacted(Box::new(compacted)));
    let Action::CallModel(request) = play.pending() else { panic!("the turn goes on: {:?}", play.pending()) };
    assert!(is_summary(&request.messages[0]) && request.messages[1].text == REQUEST);
}

#[test]
fn what_the_provider_counts_corrects_what_we_estimate() {
    let turns = |input_tokens| {
        let mut play = begun(4_000, Vec::new());
        let compacted = crowded(&mut play, input_tokens);
        (compacted.turn, compacted.estimated)
    };
    let (estimated, _) = turns(None);
    // Far more than we thought: room is made earlier. A count that cannot be one moves it only so far.
    assert!(!turns(Some(100_000)).1, "counted, not estimated");
    assert!(turns(Some(100_000)).0 < estimated / 2, "{:?} {estimated}", turns(Some(100_000)));
    assert!(turns(Some(1)).0 > estimated && turns(Some(1)).0 < estimated * 3, "{:?}", turns(Some(1)));
}

#[test]
fn a_later_decision_on_the_same_item_takes_the_place_of_the_earlier() {
    let mut play = begun(100_000, Vec::new());
    play.prompt();
    for words in ["shorter", "longer"] {
        play.model(answer("# L\n\n## A\n\ntext\n", &[]));
        let hash = play.question("gate", "sections");
        let decision = Decision { item: "A".into(), choice: "revise".into(), text: Some(words.into()) };
        play.answered(&hash, Outcome::Answered(Answer::Items(vec![decision])));
        play.hook("gate", Verdict::Rework { instruction: "again".into(), accepted: Vec::new(), rounds_max: 9 });
    }
    assert_eq!(play.machine.remembered().decisions, ["sections/A: revise (longer)"]);
    let next = Machine::after(Past { earlier: play.machine.remembered(), ..Past::default() });
    assert_eq!(next.remembered().decisions.len(), 1, "the session's next run knows");
    assert_eq!(next.remembered(), Summary { ..play.machine.remembered() });
}
