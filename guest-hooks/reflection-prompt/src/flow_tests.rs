use ta_guest::ask::{Answer, Kind, Outcome};
use ta_guest::post_loop::{Response, Verdict};

use super::Settings;
use crate::testing::{LESSON, Table, run};

#[test]
fn three_pointed_questions_are_asked_about_this_lesson() {
    let mut table = Table::of_3b().answer(&[
        ("need-unmet", "answer", Some("At step 4; I print the code with numbered lines.")),
        ("steps", "skip", None),
    ]);
    let response = run(&[], &mut table, LESSON, 0);
    assert_eq!(
        table.items(),
        [
            (
                "need-unmet",
                "Differentiation says nothing about one dyslexic pupil: where in Practice (20 minutes) does it get hard for them?"
            ),
            (
                "criterion-unasked",
                "No exit question seems to ask for \"I can trace a counter in a table.\": by what will you know who can, and \
                 who cannot yet?"
            ),
            ("steps", "Practice (20 minutes) has five written steps: which pupils lose the thread, and at which step?"),
        ]
    );
    assert_eq!(response.verdict, Verdict::Pass);
    assert_eq!(
        response.notes,
        ["3 questions to think about (need-unmet, criterion-unasked, steps): 1 answered, 2 skipped"]
    );
    let Kind::Items(items) = &table.asked[0].kind else { panic!("{:?}", table.asked) };
    let options: Vec<_> = items.options.iter().map(|it| (it.id.as_str(), it.text_prompt.is_some())).collect();
    assert_eq!(options, [("answer", true), ("skip", false)]);
}

#[test]
fn it_asks_once_in_a_run() {
    let mut table = Table::of_3b().asked_before("reflection", 0);
    assert_eq!(run(&[], &mut table, LESSON, 1), Response::pass());
    assert!(table.asked.is_empty());
    // Run again after the answer, the call comes to its own question again.
    let mut table = Table::of_3b().asked_before("reflection", 1).asked_before("sections", 0);
    run(&[], &mut table, LESSON, 1);
    assert_eq!(table.asked.len(), 1);
}

#[test]
fn confidence_is_asked_before_and_after() {
    let on = [("confidence", "on")];
    let mut table = Table::of_3b().choose("confidence-before", "3").choose("confidence-after", "4");
    let response = run(&on, &mut table, LESSON, 0);
    let ids: Vec<&str> = table.asked.iter().map(|question| question.id.as_str()).collect();
    assert_eq!(ids, ["confidence-before", "reflection", "confidence-after"]);
    assert!(table.asked[0].title.ends_with("are you that this lesson will work with 3B?"));
    assert_eq!(response.notes[1], "confidence 3 -> 4");

    let mut table = Table::of_3b().choose("confidence-before", "2");
    assert_eq!(run(&on, &mut table, LESSON, 0).notes[1], "confidence 2 -> no answer");

    let mut table = Table::of_3b().choose("confidence-after", "4");
    assert_eq!(run(&on, &mut table, LESSON, 0).notes.len(), 1);
    assert_eq!(table.asked.len(), 2);
}

#[test]
fn whatever_comes_of_it_the_run_goes_on() {
    for (outcome, word) in [
        (Outcome::Dismissed, "dismissed"),
        (Outcome::Declined, "declined"),
        (Outcome::TimedOut, "in time"),
        (Outcome::Answered(Answer::Text("x".into())), "another kind"),
    ] {
        let response = run(&[], &mut Table::of_3b().with("reflection", outcome), LESSON, 0);
        assert_eq!(response.verdict, Verdict::Pass);
        assert!(response.notes[0].contains(word), "{:?}", response.notes);
    }
}

#[test]
fn what_is_no_lesson_is_not_asked_about() {
    for output in ["", "There is no such file.", &"x".repeat(300_000)] {
        let mut table = Table::of_3b();
        assert_eq!(run(&[("confidence", "on")], &mut table, output, 0), Response::pass());
        assert!(table.asked.is_empty());
    }
}

#[test]
fn settings_are_obeyed_and_nonsense_is_refused() {
    for (max, count) in [("4", 4), ("2", 2), ("9", 4), ("0", 2)] {
        let mut table = Table::of_3b();
        run(&[("questions-max", max)], &mut table, LESSON, 0);
        assert_eq!(table.items().len(), count);
    }
    for name in ["confidence", "questions-max"] {
        let abort = Settings::read(|asked| (asked == name).then(|| "perhaps".into())).unwrap_err();
        assert_eq!(abort.code, "configuration");
    }
}
