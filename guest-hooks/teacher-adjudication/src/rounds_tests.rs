use ta_guest::Decision;
use ta_guest::ask::{Kind, Outcome};
use ta_guest::journal::Asked;
use ta_guest::post_loop::{Event, Verdict};

use crate::testing::{Script, abort, event, rework, run};

const OFFERED: &str = "## Starter (8 minutes)\n\nQuiz.\n\n## Plenary (10 minutes)\n\n### Alternative 1\n\nTicket.\n\n\
                       ### Alternative 2\n\nFive questions.\n\n";

const REQUIRED: [(&str, &str); 1] = [("require-decisions", "true")];

/// The lesson as it came back after a round in which these decisions were made.
fn after(output: &str, decisions: &[(&str, &str, Option<&str>)]) -> Event {
    let decision = |(item, choice, text): &(&str, &str, Option<&str>)| Decision {
        item: (*item).into(),
        choice: (*choice).into(),
        text: text.map(Into::into),
    };
    Event { decisions: decisions.iter().map(decision).collect(), ..event(output, &[]) }
}

#[test]
fn a_chosen_alternative_can_be_revised() {
    let mut script = Script::default()
        .choose("alternatives:plenary", "2")
        .decide("sections", &[("starter", "accept", None), ("plenary", "revise", Some("only three questions"))]);
    let response = run(&[], &event(OFFERED, &[]), &mut script);
    let (instruction, accepted, _) = rework(&response);
    assert!(
        instruction.ends_with("- Revise \"Plenary (10 minutes)\": use alternative 2, then: only three questions"),
        "{instruction}"
    );
    assert_eq!(accepted, [("Starter (8 minutes)", "## Starter (8 minutes)\n\nQuiz.\n\n")]);
    // The teacher decides on the text that was chosen, not on all of them.
    let Kind::Items(items) = &script.asked[1].kind else { panic!("not items") };
    assert_eq!(items.items[1].detail, "## Plenary (10 minutes)\n\nFive questions.\n\n");
}

#[test]
fn a_chosen_alternative_can_be_accepted_offered_again_or_left() {
    for (decisions, expected) in [
        (vec![("plenary", "accept", None)], true),
        (vec![], true),
        (vec![("plenary", "nonsense", None)], true),
        (vec![("plenary", "alternatives", Some("3"))], false),
    ] {
        let mut script = Script::default().choose("alternatives:plenary", "2").decide("sections", &decisions);
        let response =
            run(&REQUIRED, &event(&OFFERED["## Starter (8 minutes)\n\nQuiz.\n\n".len()..], &[]), &mut script);
        if expected {
            let text = "## Plenary (10 minutes)\n\nFive questions.\n\n";
            assert_eq!(response.verdict, Verdict::Modify(text.into()), "{decisions:?}");
        } else {
            assert!(rework(&response).0.ends_with("- Alternatives \"Plenary (10 minutes)\": 3"));
        }
        assert_eq!(script.asked(), ["alternatives:plenary", "sections"]);
    }
}

#[test]
fn alternatives_that_did_not_come_are_asked_about_again() {
    let one = "## Plenary (10 minutes)\n\nTicket.\n";
    let decided = [("plenary", "accept", None), ("plenary", "alternatives", Some("3"))];
    let mut script = Script::default().decide("sections", &[("plenary", "accept", None)]);
    let response = run(&[], &after(one, &decided), &mut script);
    assert_eq!(response.verdict, Verdict::Pass);
    assert_eq!(response.notes[0], "\"Plenary (10 minutes)\": 3 alternatives were asked for, one text came back");
    let detail = &script.asked[0].detail;
    assert!(
        detail.ends_with("For \"Plenary (10 minutes)\", 3 alternatives were asked for, one text came back."),
        "{detail}"
    );
    // Fewer than were asked for are shown, and said to be fewer.
    let mut script = Script::default().choose("alternatives:plenary", "1");
    run(&[], &after(OFFERED, &decided), &mut script);
    assert!(script.asked[0].detail.ends_with("(3 alternatives were asked for, 2 came back.)"));
    // A later decision counts.
    let mut script = Script::default();
    run(&[], &after(one, &[decided[1], ("plenary", "revise", Some("x"))]), &mut script);
    assert!(!script.asked[0].detail.contains("asked for"));
}

#[test]
fn what_has_to_be_decided_is_asked_once_more() {
    let lesson = "## A\n\na\n\n## B\n\nb\n";
    let mut script =
        Script::default().decide("sections", &[("a", "accept", None)]).decide("sections", &[("b", "accept", None)]);
    let response = run(&REQUIRED, &event(lesson, &[]), &mut script);
    assert_eq!(response.verdict, Verdict::Pass);
    assert_eq!(script.asked(), ["sections", "sections"]);
    assert_eq!(script.items(1), [("b", "B")]);
    assert_eq!(script.asked[1].title, "Still to be decided");
    assert_ne!(script.asked[0].detail, script.asked[1].detail);

    // A revision in the second answer goes round again, with what the first accepted.
    let mut script = Script::default()
        .decide("sections", &[("a", "accept", None)])
        .decide("sections", &[("b", "revise", Some("shorter"))]);
    let response = run(&REQUIRED, &event(lesson, &[]), &mut script);
    assert_eq!(rework(&response).1, [("A", "## A\n\na\n\n")]);

    // Waved away twice: the run ends, with what is missing.
    let mut script = Script::default().decide("sections", &[("a", "accept", None)]);
    let response = run(&REQUIRED, &event(lesson, &[]), &mut script);
    let (code, reason) = abort(&response);
    assert_eq!(code, "undecided");
    assert!(reason.contains("Without a decision: \"B\". The draft and what you decided so far stay"), "{reason}");
    // Once more, not for ever; and every outcome keeps its name.
    assert_eq!(script.asked.len(), 2);
    for (outcome, code) in [(Outcome::Declined, "declined"), (Outcome::TimedOut, "timed-out")] {
        let mut script = Script::default().with("sections", Outcome::Dismissed).with("sections", outcome);
        assert_eq!(abort(&run(&REQUIRED, &event(lesson, &[]), &mut script)).0, code);
    }
}

#[test]
fn alternatives_have_to_be_chosen_from_where_decisions_are_required() {
    let mut script = Script::default()
        .with("alternatives:plenary", Outcome::Dismissed)
        .choose("alternatives:plenary", "1")
        .decide("sections", &[("starter", "accept", None)]);
    let response = run(&REQUIRED, &event(OFFERED, &[]), &mut script);
    assert_eq!(script.asked(), ["alternatives:plenary", "sections", "alternatives:plenary", "sections"]);
    let Verdict::Modify(change) = response.verdict else { panic!("{:?}", response.verdict) };
    let text = change.output;
    assert!(text.ends_with("Ticket.\n\n") && !text.contains("Alternative"), "{text}");
}

#[test]
fn an_answer_that_is_none_is_noted() {
    let mut script = Script::default()
        .choose("alternatives:plenary", "7")
        .decide("sections", &[("starter", "alternatives", Some("nine thousand, say 9"))]);
    let response = run(&[], &event(OFFERED, &[]), &mut script);
    assert_eq!(
        response.notes,
        [
            "no alternative chosen for \"Plenary (10 minutes)\": \"7\" is none of them",
            "5 alternatives for \"Starter (8 minutes)\"",
            "\"Starter (8 minutes)\": \"nine thousand, say 9\" is not 2 to 5, so 5 are asked for",
            "no decision yet on \"Plenary (10 minutes)\""
        ]
    );
    let mut script = Script::default().decide("sections", &[("starter", "burn", None)]);
    let response = run(&[], &event("## Starter\n\nx\n", &[]), &mut script);
    assert_eq!(response.notes[0], "ignored \"burn\" for \"Starter\": it is none of the options");
    assert_eq!(response.verdict, Verdict::Pass);
}

#[test]
fn whole_lessons_can_be_offered_side_by_side() {
    let output =
        "# Alternative 1\n\n# Loops\n\n## Starter\n\na\n\n# Alternative 2: cards\n\n# Cards\n\n## Starter\n\nb\n";
    let mut script = Script::default().choose("alternatives:whole", "2").decide("bundle", &[("whole", "accept", None)]);
    let response = run(&[("mode", "bundle")], &event(output, &[]), &mut script);
    assert_eq!(response.verdict, Verdict::Modify("# Cards\n\n## Starter\n\nb\n".into()));
    assert_eq!(script.asked(), ["alternatives:whole", "bundle"]);
    // By section as well, and nobody has to choose.
    let mut script =
        Script::default().choose("alternatives:whole", "1").decide("sections", &[("starter", "accept", None)]);
    let response = run(&[], &event(output, &[]), &mut script);
    assert_eq!(response.verdict, Verdict::Modify("# Loops\n\n## Starter\n\na\n".into()));
    assert_eq!(run(&[], &event(output, &[]), &mut Script::default()).verdict, Verdict::Pass);
    let mut script = Script::default().with("alternatives:whole", Outcome::Declined);
    assert_eq!(abort(&run(&[], &event(output, &[]), &mut script)).0, "declined");
}

#[test]
fn the_whole_lesson_is_revised_from_what_was_chosen() {
    let bundle = [("mode", "bundle")];
    let mut script =
        Script::default().choose("alternatives:plenary", "1").decide("bundle", &[("whole", "revise", Some("shorter"))]);
    let response = run(&bundle, &event(OFFERED, &[]), &mut script);
    let (instruction, accepted, _) = rework(&response);
    assert!(
        instruction.ends_with(
            "\n- Revise \"Plenary (10 minutes)\": use alternative 1\n- Revise \"the whole lesson\": shorter"
        ),
        "{instruction}"
    );
    assert!(accepted.is_empty(), "the whole may change");
    let mut script = Script::default().decide("bundle", &[("whole", "alternatives", Some("two"))]);
    let response = run(&bundle, &event("## A\n\na\n", &[]), &mut script);
    assert!(rework(&response).0.ends_with("- Alternatives \"the whole lesson\": 2"));
    // Required of the whole too.
    let mut script =
        Script::default().with("bundle", Outcome::Dismissed).decide("bundle", &[("whole", "accept", None)]);
    let config = [("mode", "bundle"), ("require-decisions", "true")];
    assert_eq!(run(&config, &event("## A\n\na\n", &[]), &mut script).verdict, Verdict::Pass);
}

#[test]
fn the_time_to_decide_is_noted_where_the_journal_can_be_read() {
    let asked = |hook: &str, question: &str, rework_round, elapsed_ms| Asked {
        hook: hook.into(),
        question: question.into(),
        outcome: "answered".into(),
        decisions: Vec::new(),
        answer: None,
        rework_round,
        elapsed_ms,
    };
    let mut script = Script::default().decide("sections", &[("a", "accept", None)]);
    script.journal = vec![
        asked("teacher-adjudication", "sections", 1, 9_000),
        asked("reflection-prompt", "reflection", 0, 8_000),
        asked("teacher-adjudication", "sections", 0, 42_300),
    ];
    let response = run(&[], &event("## A\n\na\n", &[]), &mut script);
    assert_eq!(response.notes, ["accepted \"A\"", "\"sections\" decided in 42 s"]);
}
