//! Files of the prompt at pre-loop, and what of a conversation is looked through again.

use std::fmt::Write;

use ta_guest::ask::Outcome;
use ta_guest::{Context, pre_loop};

use crate::hints::{KINDS, words};
use crate::points::request;
use crate::scan::{Kind, Scanner, Source};
use crate::testing::{Teacher, UNREADABLE};
use crate::words::folded;

const PROFILE: &str = "# 3B\n\n- Two pupils with dyslexia\n- Liam struggles with reading\n- Ring 07700 900123\r\n";

fn asked_for(input: &str, teacher: &mut Teacher) -> pre_loop::Response {
    let context = Context::of("class", "3B");
    request(&context, &pre_loop::Event { input: input.into(), ..pre_loop::Event::default() }, teacher)
}

#[test]
fn what_files_of_the_prompt_hold_is_asked_about_once() {
    let mut teacher = Teacher::default()
        .file("classes/3B.md", PROFILE)
        .file("classes/1B.md", "Aisha struggles")
        .file("teacher.md", "I teach in room 4.\nLast year I taught Liam.\n")
        .file("memory/classes/3B/MEMORY.md", "- Short starters\n- Liam needs extra time\n")
        .says(|item| if item.id.starts_with("phone") { "allow" } else { "redact" });
    let response = asked_for("loops for 3B, easier for Liam M.", &mut teacher);
    let pre_loop::Verdict::Modify(change) = &response.verdict else { panic!("{:?}", response.verdict) };
    assert_eq!(change.input.as_deref(), Some("loops for 3B, easier for [a pupil]"));
    assert_eq!(teacher.questions.len(), 1);
    let items = teacher.items(0);
    assert_eq!(items.len(), 2, "{items:?}");
    assert!(
        items[0]
            .detail
            .contains("Also in `teacher.md`, line 2; `classes/3B.md`, line 4; `memory/classes/3B/MEMORY.md`, line 2.")
    );
    assert!(items[1].detail.starts_with("In `classes/3B.md`, line 5: “- Ring 07700 900123”"), "{}", items[1].detail);
    let passages: Vec<&str> = teacher.corrections.iter().map(|it| it.old.as_str()).collect();
    assert_eq!(passages, ["Last year I taught Liam.", "- Liam struggles with reading", "- Liam needs extra time"]);
    assert_eq!(teacher.shown("classes/3B.md"), PROFILE.replace("Liam", "[a pupil]"));
    assert_eq!(teacher.shown("teacher.md"), "I teach in room 4.\nLast year I taught [a pupil].\n");
    for text in teacher.corrections.iter().map(|it| &it.why).chain(&response.notes) {
        assert!(!text.contains("Liam"), "{text}");
    }
}

#[test]
fn files_without_findings_and_files_that_are_missing_say_nothing() {
    let mut teacher = Teacher::default().file("teacher.md", "I teach in room 4.\n");
    assert_eq!(asked_for("loops for 3B", &mut teacher), pre_loop::Response::pass());
    assert!(teacher.questions.is_empty() && teacher.corrections.is_empty());
    let mut teacher = Teacher::default().file("soul.md", UNREADABLE);
    let response = asked_for("loops for 3B", &mut teacher);
    assert_eq!(response, pre_loop::Response::pass().note("`soul.md` could not be looked through"));
    // A class that would lead elsewhere is no part of a path.
    let context = Context::of("class", "../3B");
    let mut teacher = Teacher::default().file("classes/../3B.md", PROFILE);
    let event = pre_loop::Event { input: "loops".into(), ..pre_loop::Event::default() };
    assert_eq!(request(&context, &event, &mut teacher), pre_loop::Response::pass());
}

#[test]
fn what_cannot_be_kept_out_of_the_prompt_ends_the_run() {
    let mut teacher = Teacher { refuses: true, ..Teacher::default() }.file("classes/3B.md", PROFILE);
    let response = asked_for("loops", &mut teacher);
    let pre_loop::Verdict::Abort(abort) = &response.verdict else { panic!("{:?}", response.verdict) };
    assert!(abort.reason.contains("`classes/3B.md`") && !abort.reason.contains("Liam"), "{}", abort.reason);
    let mut teacher = Teacher { refuses: true, ..Teacher::default() }.file("classes/3B.md", PROFILE).says(|_| "allow");
    assert_eq!(asked_for("loops", &mut teacher).verdict, pre_loop::Verdict::Pass);
}

#[test]
fn passages_are_replaced_wherever_they_stand() {
    // The first place of "Liam" is another line, which everybody knows the name of.
    let text = "Liam Gallagher sings\n## Class list\n- Liam\nLiam\n- Aisha\nLiam\n";
    let mut teacher = Teacher::default().file("classes/3B.md", text);
    asked_for("loops for 3B", &mut teacher);
    let shown = teacher.shown("classes/3B.md");
    assert!(!shown.contains("Aisha") && !shown.contains("- Liam") && !shown.contains("\nLiam\n"), "{shown}");
    // A whole register is one passage of the workspace; in memory, of which parts are shown, it is too much.
    let mut register = String::from("## Class list\n\n");
    (0..110).for_each(|at| writeln!(register, "- pupil {at}, 07700 {:06}", 900_000 + at).unwrap());
    let mut teacher = Teacher::default().file("classes/3B.md", &register);
    assert_eq!(asked_for("loops", &mut teacher).verdict, pre_loop::Verdict::Pass);
    assert_eq!(teacher.corrections.len(), 1);
    assert!(!teacher.shown("classes/3B.md").contains("07700"));
    let mut teacher = Teacher::default().file("memory/MEMORY.md", &register);
    assert!(matches!(asked_for("loops", &mut teacher).verdict, pre_loop::Verdict::Abort(_)));
}

#[test]
fn a_question_about_a_file_that_is_waved_away_redacts_it() {
    for outcome in [Outcome::Dismissed, Outcome::TimedOut] {
        let mut teacher = Teacher { says: [Err(outcome)].into(), ..Teacher::default() }.file("classes/3B.md", PROFILE);
        assert_eq!(asked_for("loops", &mut teacher).verdict, pre_loop::Verdict::Pass);
        assert!(!teacher.shown("classes/3B.md").contains("Liam"));
    }
}

#[test]
fn a_hint_never_says_no_where_something_is_found() {
    let scanner = Scanner::new();
    let corpus = include_str!("../corpus/personal.txt");
    let odd =
        "R x | 07700`900`123\nR x | Anna—Liam's mum ÉLIAM x\nR x | «Łukasz’s mum» and ’Zoë’s mum, café-Éilidh's IEP";
    let mut count = 0;
    for text in corpus.lines().chain(odd.lines()).filter_map(|line| line.split_once(" | ")).map(|(_, text)| text) {
        for found in scanner.scan(text, Source::Request, &|_| false) {
            count += 1;
            let hinted = match found.kind {
                Kind::Pupil => words(text).any(|word| folded(word) == found.key),
                kind => KINDS.iter().any(|(of, hint)| *of == kind && hint(text)),
            };
            assert!(hinted, "{:?} in {text}", found.kind);
        }
    }
    assert!(count > 100, "{count}");
}
