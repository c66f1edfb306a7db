//! A lesson of the planner, whole and with one thing wrong at a time.

use ta_curriculum::outline::slug;
use ta_guest::post_loop::{Event, Response, Verdict};
use ta_guest::{Context, Part};

use crate::check::{Class, Expected, Found, check, is_answer_in_words};
use crate::needs;
use crate::verdict::{Settings, respond};

const LESSON: &str = include_str!("../samples/3B-iteration.md");
const PROFILE: &str = include_str!("../../../workspace/classes/3B.md");

fn expected() -> Expected {
    Expected::read(Some("3B"), PROFILE, "iteration for 3B")
}

fn found(text: &str) -> Vec<Found> {
    check(text, &expected())
}

/// The lesson without a section.
fn without(heading: &str) -> String {
    let start = LESSON.find(&format!("\n## {heading}")).unwrap();
    let end = LESSON[start + 1..].find("\n## ").map_or(LESSON.len(), |end| start + 1 + end);
    format!("{}{}", &LESSON[..start], &LESSON[end..])
}

/// The lesson with another text below a heading, minutes and all.
fn with(heading: &str, body: &str) -> String {
    let start = LESSON.find(&format!("\n## {heading}")).unwrap();
    let line = start + 1 + LESSON[start + 1..].find('\n').unwrap();
    let end = LESSON[start + 1..].find("\n## ").map_or(LESSON.len(), |end| start + 1 + end);
    format!("{}\n\n{body}\n{}", &LESSON[..line], &LESSON[end..])
}

fn respond_to(settings: &[(&str, &str)], round: u32, output: &str, accepted: &[&str]) -> Response {
    let get = |name: &str| settings.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
    let settings = Settings::read(get).unwrap();
    let accepted = accepted.iter().map(|title| Part { id: slug(title), title: (*title).into(), text: String::new() });
    let event = Event { output: output.into(), accepted: accepted.collect(), ..Event::default() };
    let context = Context { command: "create-lesson".into(), rework_round: round, ..Context::default() };
    respond(&settings, &context, &event, &expected())
}

#[test]
fn a_whole_lesson_has_nothing_wrong() {
    assert_eq!(found(LESSON), Vec::new());
}

#[test]
fn each_missing_part_is_named_with_what_it_holds() {
    for part in &crate::form::PARTS {
        let findings = found(&without(part.heading));
        let missing: Vec<&Found> = findings.iter().filter(|found| found.class == Class::MissingPart).collect();
        assert_eq!(missing.len(), 1, "{findings:?}");
        assert_eq!(missing[0].section.as_deref(), Some(part.heading));
        assert!(missing[0].message.contains(part.holds), "{missing:?}");
        // Minutes that are gone are missing in the sum; nothing else follows.
        assert!(
            findings.iter().all(|found| matches!(found.class, Class::MissingPart | Class::Timings)),
            "{findings:?}"
        );
    }
}

#[test]
fn one_wrong_thing_is_one_finding_that_says_what_to_do() {
    let wish = |heading: &str, body: &str| with(heading, body);
    let cases = [
        (Class::Title, LESSON.replacen("# Iteration", "# What is iteration?", 1), "a question"),
        (Class::Title, LESSON.replacen("# Iteration", &format!("# {}", "loops ".repeat(20)), 1), "119 characters"),
        (Class::ClassLine, LESSON.replacen("**Class:** 3B (S3) · ", "", 1), "the class"),
        (Class::ClassLine, LESSON.replacen("**Class:** 3B (S3)", "**Class:** 2A (S2)", 1), "the class"),
        (Class::ClassLine, LESSON.replacen("**Level:** third · ", "", 1), "its level"),
        (Class::Timings, LESSON.replacen("## Practice (20 minutes)", "## Practice (25 minutes)", 1), "come to 55"),
        (Class::Timings, LESSON.replacen("## Plenary (10 minutes)", "## Plenary", 1), "no minutes"),
        (Class::Items, wish("Outcomes", "- Pupils write loops, and know when to choose which."), "no evidence pointer"),
        (
            Class::Items,
            wish("Success criteria", "- Pupils will understand loops in Python."),
            "does not begin with “I can”",
        ),
        (Class::Items, wish("Misconceptions", "- Pupils mix up a loop and an if in programs."), "what to do about"),
        (Class::Items, wish("Keywords", "- iteration\n- loop: doing the same again and again"), "no definition"),
        (
            Class::Items,
            wish("Keywords", "- iteration: doing it again and again, as often as needed"),
            "1 of at least 2",
        ),
        (
            Class::Items,
            wish(
                "Starter",
                "Ask these of everybody, on paper, in silence, and look round the room:\n\n- What is a loop?\n- What does a variable hold, and when?\n",
            ),
            "0 of at least 2 questions",
        ),
        (
            Class::Items,
            wish(
                "Explanation",
                "1. Say what a loop is and show one on the board, line by line, slowly.\n2. Say what a condition is and show another one on the board, slowly. Then let them copy both into the jotter with the date and a heading, ruled off.\n",
            ),
            "0 of at least 2 checks",
        ),
        (
            Class::Items,
            wish(
                "Exit questions",
                "1. What does iteration mean in a program?\n2. True or false: a loop stops at once? **Answer:** false.",
            ),
            "has no answer",
        ),
        (Class::Length, wish("Plenary", "Sum up."), "at least 15"),
        (
            Class::PartTwice,
            format!("{LESSON}\n## Keywords\n\n- a: one thing\n- b: two things here, and more\n"),
            "stands there twice",
        ),
        (Class::Spelling, LESSON.replacen("oral", "color", 1).replacen("drawing", "color drawing", 1), "“colour”"),
        (Class::NeedUnmet, LESSON.replace("dyslexic", "reluctant"), "nothing is planned for one dyslexic pupil"),
    ];
    for (class, text, says) in cases {
        let findings = found(&text);
        assert!(
            findings.iter().any(|found| found.class == class && found.message.contains(says)),
            "{class:?}, “{says}”: {findings:#?}"
        );
        assert!(
            findings.iter().all(|found| matches!(found.class, Class::Timings | Class::Order) || found.class == class),
            "{findings:#?}"
        );
    }
}

#[test]
fn order_is_looked_at() {
    let swapped = LESSON.replacen("## Keywords", "## X", 1).replacen("## Misconceptions", "## Keywords", 1).replacen(
        "## X",
        "## Misconceptions",
        1,
    );
    assert!(found(&swapped).iter().any(|found| found.class == Class::Order), "{:?}", found(&swapped));
}

#[test]
fn a_length_of_its_own_and_homework_are_as_the_request_says() {
    let other = LESSON.replacen("**Length:** 50", "**Length:** 45", 1).replacen("Practice (20", "Practice (15", 1);
    assert!(found(&other).iter().any(|found| found.message.contains("45 minutes long, a period of this class 50")));
    let asked = Expected::read(Some("3B"), PROFILE, "45 minutes on iteration for 3B, with homework");
    let findings = check(&other, &asked);
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert_eq!((findings[0].class, findings[0].section.as_deref()), (Class::MissingPart, Some("Homework")));
    assert!(!Expected::read(None, "", "iteration, no homework").homework);
}

#[test]
fn versions_to_choose_from_and_parts_taken_out_are_not_counted() {
    let offered = with("Keywords", "### Alternative 1\n\n- a: b c\n\n### Alternative 2\n\n- c: d e");
    assert_eq!(found(&offered), Vec::new());
    assert_eq!(found(&with("Keywords", "Left out at the teacher's request.")), Vec::new());
    let none = with("Outcomes", "No outcome in this workspace's curriculum files covers this topic.");
    assert_eq!(found(&none), Vec::new());
}

#[test]
fn a_need_counts_as_answered_in_other_words_too() {
    let group = "two pupils with English as an additional language (first language Ukrainian)";
    assert!(needs::answered("EAL: pictures beside each keyword", group));
    assert!(needs::answered("| Pupils for whom English is an additional language | … |", group));
    assert!(!needs::answered("Early finishers break a program", group));
    assert!(needs::answered("For the pupil with dyslexia: pale paper", "one dyslexic pupil"));
    assert_eq!(needs::groups(PROFILE).len(), 3);
    assert!(needs::groups("no front matter\n- group: x").is_empty());
}

#[test]
fn an_answer_in_words_is_no_lesson() {
    assert!(is_answer_in_words("Which topic shall the lesson be about?"));
    assert!(!is_answer_in_words(&"words and words ".repeat(300)));
    assert!(!is_answer_in_words("# Loops\n\n## Starter\n"));
    assert_eq!(respond_to(&[], 0, "Which topic?", &[]).verdict, Verdict::Pass);
}

#[test]
fn findings_come_to_what_is_configured() {
    let broken = without("Keywords");
    let rework = |response: &Response| match &response.verdict {
        Verdict::Rework(rework) => rework.instruction.clone(),
        other => panic!("{other:?}"),
    };
    let first = respond_to(&[], 0, &broken, &[]);
    assert!(rework(&first).contains("- \"Keywords\": there is no section \"Keywords\"; it holds two to six terms"));
    assert_eq!(first.findings[0].class, "missing-part");
    assert_eq!(respond_to(&[], 1, &broken, &[]).verdict, Verdict::Pass);
    rework(&respond_to(&[("then", "abort")], 3, &broken, &[]));
    assert_eq!(respond_to(&[("on-failure", "note")], 0, &broken, &[]).findings.len(), 1);
    assert!(matches!(respond_to(&[("on-failure", "abort")], 0, &broken, &[]).verdict, Verdict::Abort(_)));
    assert_eq!(respond_to(&[("commands", "create-unit")], 0, &broken, &[]), Response::pass());
    let american = LESSON.replacen("drawing", "color drawing", 1);
    rework(&respond_to(&[], 0, &american, &[]));
    let noted = respond_to(&[("spelling", "note")], 0, &american, &[]);
    assert_eq!((noted.verdict, noted.findings.len()), (Verdict::Pass, 1));
}

#[test]
fn what_the_teacher_accepted_is_not_sent_back() {
    let broken = with("Plenary", "Sum up.");
    assert!(matches!(respond_to(&[], 0, &broken, &[]).verdict, Verdict::Rework(_)));
    let accepted = respond_to(&[], 0, &broken, &["Plenary (10 minutes)"]);
    assert_eq!((accepted.verdict, accepted.findings.len()), (Verdict::Pass, 1));
}

#[test]
fn nonsense_in_the_configuration_ends_the_run() {
    for (name, value) in [("on-failure", "later"), ("rounds", "many"), ("then", "rework"), ("spelling", "abort")] {
        let get = |key: &str| (key == name).then(|| value.to_owned());
        assert_eq!(Settings::read(get).unwrap_err().code, "configuration", "{name} = {value}");
    }
}

/// The table of the documentation, made from the one here.
#[test]
fn the_documentation_shows_the_table() {
    use std::fmt::Write as _;
    let number = |(least, most): (usize, usize)| match (least, most) {
        (0, usize::MAX) => String::new(),
        (least, usize::MAX) => format!("{least} or more"),
        (least, most) => format!("{least} to {most}"),
    };
    let mut table = String::from("| part | items | words | holds |\n|---|---|---|---|\n");
    for part in crate::form::PARTS.iter().chain([&crate::form::HOMEWORK]) {
        let minutes = if part.timed { " (n minutes)" } else { "" };
        let (items, words) = (number(part.items), number(part.words));
        writeln!(table, "| {}{minutes} | {items} | {words} | {} |", part.heading, part.holds).unwrap();
    }
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once("<!-- the form -->\n").unwrap();
    let (shown, after) = rest.split_once("<!-- the form ends -->").unwrap();
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, format!("{before}<!-- the form -->\n{table}<!-- the form ends -->{after}")).unwrap();
    } else {
        assert_eq!(shown, table, "UPDATE_DOCS=1 cargo test -p lesson-form writes it");
    }
}
