use ta_guest::ask::{Kind, Outcome};
use ta_guest::post_loop::Verdict;

use crate::testing::{Script, abort, event, rework, run};

const LESSON: &str = "# Iteration for 3B\n\n## Starter (8 minutes)\n\nQuiz.\n\n## Practice (20 minutes)\n\nLoops.\n\n\
                      ## Plenary (10 minutes)\n\nTicket.\n\n## About this draft\n\nWritten offline.\n";

const CHOOSE: &str = "## Starter (8 minutes)\n\nQuiz.\n\n## Plenary (10 minutes)\n\nTwo ideas:\n\n### Alternative 1\n\nTicket.\n\n\
                      ### Alternative 2: quiz\n\nFive questions.\n\n## About this draft\n\nWritten offline.\n";

const ALL: [(&str, &str, Option<&str>); 3] =
    [("starter", "accept", None), ("practice", "accept", None), ("plenary", "accept", None)];

#[test]
fn a_lesson_that_is_accepted_is_finalised_as_it_is() {
    let mut script = Script::default().decide("sections", &ALL);
    let response = run(&[], &event(LESSON, &[]), &mut script);
    assert_eq!(response.verdict, Verdict::Pass);
    assert_eq!(
        response.notes,
        ["accepted \"Starter (8 minutes)\"", "accepted \"Practice (20 minutes)\"", "accepted \"Plenary (10 minutes)\""]
    );
    assert_eq!(script.asked(), ["sections"]);
    assert_eq!(
        script.items(0),
        [
            ("starter", "Starter (8 minutes)"),
            ("practice", "Practice (20 minutes)"),
            ("plenary", "Plenary (10 minutes)")
        ]
    );
}

#[test]
fn what_is_not_accepted_goes_round_again() {
    let mut script = Script::default().decide(
        "sections",
        &[
            ("starter", "revise", Some(" make it shorter,\n use mini-whiteboards ")),
            ("plenary", "alternatives", Some("")),
            ("practice", "accept", None),
        ],
    );
    let response = run(&[("rounds", "4")], &event(LESSON, &[]), &mut script);
    assert_eq!(
        rework(&response),
        (
            "Revise these sections and leave every other section exactly as it is. Answer with the whole lesson.\n\
             - Revise \"Starter (8 minutes)\": make it shorter, use mini-whiteboards\n\
             - Accepted \"Practice (20 minutes)\"\n\
             - Alternatives \"Plenary (10 minutes)\": 2",
            vec![("Practice (20 minutes)", "## Practice (20 minutes)\n\nLoops.\n\n")],
            4
        )
    );
    assert_eq!(
        response.notes,
        [
            "to revise \"Starter (8 minutes)\": make it shorter, use mini-whiteboards",
            "accepted \"Practice (20 minutes)\"",
            "2 alternatives for \"Plenary (10 minutes)\""
        ]
    );
}

#[test]
fn a_section_accepted_earlier_is_not_asked_about_and_stays() {
    let accepted = [("STARTER (5 min)", "## Starter (8 minutes)\n\nQuiz."), ("Extension", "## Extension\n\nGone.\n")];
    let mut script = Script::default().decide("sections", &[("practice", "revise", None), ("plenary", "accept", None)]);
    let response = run(&[], &event(LESSON, &accepted), &mut script);
    let (instruction, sections, _) = rework(&response);
    assert!(instruction.ends_with(
        "\n- Accepted \"Starter (8 minutes)\"\n- Revise \"Practice (20 minutes)\": Draft this section again, differently.\n\
         - Accepted \"Plenary (10 minutes)\""
    ));
    assert_eq!(
        sections,
        [
            ("Starter (8 minutes)", "## Starter (8 minutes)\n\nQuiz."),
            ("Plenary (10 minutes)", "## Plenary (10 minutes)\n\nTicket.\n\n"),
            ("Extension", "## Extension\n\nGone.\n")
        ]
    );
    assert_eq!(script.items(0), [("practice", "Practice (20 minutes)"), ("plenary", "Plenary (10 minutes)")]);
    // Everything accepted: nothing is left to ask.
    let accepted = [("Starter", "## Starter (8 minutes)\n\nQuiz."), ("Plenary", ""), ("practice", "")];
    let accepted = accepted.map(|(heading, text)| (heading, if text.is_empty() { "## P\n\nx" } else { text }));
    let mut script = Script::default();
    let response = run(&[], &event(LESSON, &accepted), &mut script);
    let Verdict::Modify(change) = response.verdict else { panic!("an accepted text that the output lost is put back") };
    let text = change.output;
    assert!(text.contains("Quiz.\n\n## P\n\nx\n\n## P\n\nx\n\n## About this draft"), "{text}");
    assert!(script.asked.is_empty());
}

#[test]
fn a_chosen_alternative_takes_the_place_of_its_section() {
    let mut script =
        Script::default().choose("alternatives:plenary", "2").decide("sections", &[("starter", "accept", None)]);
    let response = run(&[], &event(CHOOSE, &[]), &mut script);
    assert_eq!(
        response.verdict,
        Verdict::Modify(
            "## Starter (8 minutes)\n\nQuiz.\n\n## Plenary (10 minutes)\n\nFive questions.\n\n## About this draft\n\nWritten offline.\n"
                .into()
        )
    );
    assert_eq!(
        response.notes,
        ["chose alternative 2 for \"Plenary (10 minutes)\": Alternative 2: quiz", "accepted \"Starter (8 minutes)\""]
    );
    assert_eq!(script.asked(), ["alternatives:plenary", "sections"]);
    // What was chosen is a decision; whoever wants may still change it.
    assert_eq!(script.items(1), [("starter", "Starter (8 minutes)"), ("plenary", "Plenary (10 minutes)")]);
    let Kind::Choice(choices) = &script.asked[0].kind else { panic!("not a choice") };
    let choices: Vec<_> = choices.iter().map(|c| (c.id.as_str(), c.label.as_str(), c.detail.as_deref())).collect();
    assert_eq!(
        choices,
        [("1", "Alternative 1", Some("Ticket.")), ("2", "Alternative 2: quiz", Some("Five questions."))]
    );
}

#[test]
fn a_chosen_alternative_is_kept_while_another_section_is_revised() {
    let mut script = Script::default()
        .choose("alternatives:plenary", "1")
        .decide("sections", &[("starter", "revise", Some("harder"))]);
    let response = run(&[], &event(CHOOSE, &[]), &mut script);
    let (instruction, accepted, _) = rework(&response);
    assert!(instruction.ends_with("\n- Revise \"Starter (8 minutes)\": harder\n- Accepted \"Plenary (10 minutes)\""));
    assert_eq!(accepted, [("Plenary (10 minutes)", "## Plenary (10 minutes)\n\nTicket.\n\n")]);
}

#[test]
fn the_lesson_can_be_decided_on_as_a_whole() {
    let bundle = [("mode", "bundle")];
    let mut script = Script::default().decide("bundle", &[("whole", "revise", Some("for\n2A"))]);
    let response = run(&bundle, &event(LESSON, &[]), &mut script);
    let (instruction, accepted, rounds) = rework(&response);
    assert!(instruction.ends_with("whole lesson.\n- Revise \"the whole lesson\": for 2A"), "{instruction}");
    assert_eq!((accepted, rounds), (Vec::new(), 10));
    assert_eq!(script.asked(), ["bundle"]);
    assert_eq!(script.items(0), [("whole", "the whole lesson")]);

    let mut script = Script::default().decide("bundle", &[("whole", "accept", None)]);
    assert_eq!(run(&bundle, &event(LESSON, &[]), &mut script).verdict, Verdict::Pass);
    // So is one without sections.
    let mut script = Script::default().decide("bundle", &[("whole", "accept", None)]);
    assert_eq!(run(&[], &event("Just a text.", &[]), &mut script).notes, ["accepted \"the whole lesson\""]);
    let response = run(&bundle, &event(LESSON, &[]), &mut Script::default());
    assert_eq!(response.notes, ["finalised without a decision on the whole lesson"]);
}

#[test]
fn what_is_waved_away_is_finalised_unless_decisions_are_required() {
    let response = run(&[], &event(LESSON, &[]), &mut Script::default());
    assert_eq!(response.verdict, Verdict::Pass);
    let notes = response.notes.join("\n");
    assert!(notes.starts_with("finalised without a decision on 3 sections: \"Starter (8 minutes)\", "), "{notes}");

    let required = [("require-decisions", "true")];
    let response = run(&required, &event(LESSON, &[]), &mut Script::default());
    let (code, reason) = abort(&response);
    assert_eq!(code, "undecided");
    assert!(
        reason.contains("\"Starter (8 minutes)\", \"Practice (20 minutes)\", \"Plenary (10 minutes)\""),
        "{reason}"
    );

    let mut script = Script::default().decide("sections", &ALL[..2]);
    assert_eq!(abort(&run(&required, &event(LESSON, &[]), &mut script)).0, "undecided");
    let mut script = Script::default().decide("sections", &ALL[..2]);
    let response = run(&[], &event(LESSON, &[]), &mut script);
    assert_eq!(response.verdict, Verdict::Pass);
    assert_eq!(response.notes[2], "finalised without a decision on 1 section: \"Plenary (10 minutes)\"");
}

#[test]
fn a_round_that_goes_on_waits_for_the_decisions_that_are_missing() {
    let mut script =
        Script::default().decide("sections", &[("starter", "revise", Some("x")), ("nowhere", "accept", None)]);
    let response = run(&[("require-decisions", "true")], &event(LESSON, &[]), &mut script);
    let (instruction, ..) = rework(&response);
    assert!(instruction.ends_with("whole lesson.\n- Revise \"Starter (8 minutes)\": x"), "{instruction}");
    assert_eq!(response.notes[1], "ignored a decision on \"nowhere\", which was not asked about");
    assert_eq!(response.notes[2], "no decision yet on \"Practice (20 minutes)\", \"Plenary (10 minutes)\"");
}

#[test]
fn declining_and_silence_end_the_run_each_under_its_name() {
    for (outcome, code) in [(Outcome::Declined, "declined"), (Outcome::TimedOut, "timed-out")] {
        let mut script = Script::default().with("sections", outcome.clone());
        assert_eq!(abort(&run(&[], &event(LESSON, &[]), &mut script)).0, code);
        let mut script = Script::default().with("alternatives:plenary", outcome);
        assert_eq!(abort(&run(&[], &event(CHOOSE, &[]), &mut script)).0, code);
        assert_eq!(script.asked.len(), 1);
    }
}

#[test]
fn alternatives_that_nobody_chose_from_are_undecided() {
    let mut script = Script::default().decide("sections", &[("starter", "accept", None)]);
    let response = run(&[], &event(CHOOSE, &[]), &mut script);
    assert_eq!(response.verdict, Verdict::Pass);
    assert_eq!(response.notes[0], "no alternative chosen for \"Plenary (10 minutes)\"");
    assert_eq!(response.notes[2], "finalised without a decision on 1 section: \"Plenary (10 minutes)\"");
    // An answer that is none of the choices is none.
    let mut script = Script::default().choose("alternatives:plenary", "7").choose("sections", "accept");
    let response = run(&[("require-decisions", "true")], &event(CHOOSE, &[]), &mut script);
    assert_eq!(abort(&response).0, "undecided");
}

#[test]
fn headings_that_occur_twice_are_told_apart() {
    let output = "## Task (5 minutes)\n\na\n\n## Task (9 minutes)\n\nb\n\n## Task (9 minutes)\n\nc\n\n## \n\nd\n";
    let mut script = Script::default().decide("sections", &[("task-2", "revise", Some("x"))]);
    let response = run(&[], &event(output, &[]), &mut script);
    assert_eq!(
        script.items(0),
        [
            ("task", "Task (5 minutes)"),
            ("task-2", "Task (9 minutes)"),
            ("task-3", "Task (9 minutes) (2)"),
            ("part", "Untitled")
        ]
    );
    assert!(rework(&response).0.ends_with("- Revise \"Task (9 minutes)\": x"));
    // The one that still has the accepted text is the one that was accepted.
    let mut script = Script::default();
    let accepted = [("Task (9 minutes)", "## Task (9 minutes)\n\nb\n\n")];
    run(&[], &event(output, &accepted), &mut script);
    assert_eq!(script.items(0)[0], ("task", "Task (5 minutes)"));
    assert_eq!(script.items(0).len(), 3);
}

#[test]
fn other_headings_can_be_skipped() {
    let mut script =
        Script::default().decide("sections", &[("practice", "accept", None), ("about-this-draft", "accept", None)]);
    let response = run(&[("skip", "starter, Plenary")], &event(LESSON, &[]), &mut script);
    assert_eq!(response.verdict, Verdict::Pass);
    assert_eq!(script.items(0).len(), 2);
}
