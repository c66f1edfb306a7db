use ta_guest::Context;

use super::{Candidate, MAKERS, View, questions};
use crate::lesson::{Kind, Lesson};
use crate::profile::Profile;
use crate::testing::{LESSON, PROFILE};

/// Every question that the bank has for a lesson, with its id.
fn all(lesson: &str, profile: &str, context: &Context) -> Vec<Candidate> {
    let lesson = Lesson::read(lesson);
    let profile = Profile { class: Some("3B".into()), ..Profile::read(profile) };
    let view = View { lesson: &lesson, profile: &profile, context };
    MAKERS.iter().filter_map(|make| make(&view)).collect()
}

fn text(lesson: &str, id: &str) -> Option<String> {
    all(lesson, PROFILE, &Context::default()).into_iter().find(|it| it.id == id).map(|it| it.text)
}

/// The text of the question of each id for each lesson.
fn check(cases: &[(&str, String, &str)]) {
    for (id, lesson, expected) in cases {
        assert_eq!(text(lesson, id).as_deref(), Some(*expected), "{id}");
    }
}

#[test]
fn questions_are_made_of_what_stands_in_the_lesson() {
    check(&[
        (
            "exit-answers",
            LESSON.to_owned(),
            "Exit question 1, \"Which loop prints three stars\", has three wrong answers: what will you do about each of them in the next lesson?",
        ),
        (
            "exit-answers",
            "## Exit questions\n\n1. What is printed? A) 1 B) 2 C) 3 **Answer:** B\n2. Why?\n".to_owned(),
            "Exit question 1, \"What is printed\", has two wrong answers: what will you do about each of them in the next lesson?",
        ),
        (
            "exit-answers",
            "## Exit questions\n\n1. What is printed?\n   A. one\n   B. two\n   C. three\n   D. none\n".to_owned(),
            "Exit question 1, \"What is printed\", has three wrong answers: what will you do about each of them in the next lesson?",
        ),
        (
            "starter",
            LESSON.to_owned(),
            "The starter takes 8 of 50 minutes and asks four questions: which one would you cut if 3B comes in late?",
        ),
        (
            "keyword-met",
            LESSON.to_owned(),
            "Two pupils with English as an additional language first meet \"iteration\" in Starter: what have they seen of it by then?",
        ),
        (
            "misconception",
            "## Misconceptions\n\n- **“Wireless means no cable.”** Follow the route.\n".to_owned(),
            "Who in 3B is likely to think \"Wireless means no cable\", and what will you hear or see during practice that tells \
             you?",
        ),
        (
            "early-finishers",
            LESSON.to_owned(),
            "Three pupils who finish early and want more may be done by minute 10 of Practice (20 minutes): is what waits for them \
             deeper, or only more?",
        ),
        (
            "misconception",
            LESSON.to_owned(),
            "Who in 3B is likely to think \"A loop runs once for each line\", and what will you hear or see during practice that \
             tells you?",
        ),
    ]);
}

#[test]
fn what_is_missing_or_too_much_is_asked_about() {
    check(&[
        (
            "plenary",
            LESSON.replace("Plenary (10", "Plenary (4"),
            "The plenary has 4 minutes for the summing up and two exit questions: what goes first when practice runs over?",
        ),
        (
            "total",
            LESSON.replace("Practice (20", "Practice (25"),
            "The timed parts come to 55 minutes, and the period has 50: which part gives way?",
        ),
        (
            "total",
            LESSON.replace("Practice (20", "Practice (19"),
            "The timed parts come to 49 minutes, and the period has 50: what happens in the other 1 minute?",
        ),
        (
            "explanation-checks",
            LESSON.replace("2. Boards up: what is printed?\n3. Check: how often does it run?\n", ""),
            "The explanation runs 12 minutes with no question to the whole class: after which step will you find out who is lost?",
        ),
        (
            "homework",
            format!("{LESSON}\n## Homework\n\nFinish the table.\n"),
            "The homework: who in 3B cannot do it at home, and what do they come back with instead?",
        ),
        (
            "keywords",
            LESSON.replace("## Starter", "- **loop**: a\n- **index**: b\n- **body**: c\n\n## Starter"),
            "There are five new words for one period: which two must everyone in 3B have before practice begins, and which could \
             wait?",
        ),
    ]);
}

#[test]
fn what_does_not_stand_there_is_not_asked() {
    for id in ["total", "homework", "explanation-checks", "keywords", "change"] {
        assert_eq!(text(LESSON, id), None, "{id}");
    }
    assert_eq!(text(&format!("{LESSON}\n## Homework\n\nNo homework today.\n"), "homework"), None);
    assert_eq!(
        text(&LESSON.replace("| two pupils", "| one dyslexic pupil | lines numbered |\n| two pupils"), "need-unmet"),
        None
    );
    assert_eq!(text(&LESSON.replace("| two pupils", "| Reading | lines numbered |\n| EAL pair"), "need-unmet"), None);
    assert_eq!(text(&format!("{LESSON}3. Trace the counter. Answer: 3\n"), "criterion-unasked"), None);
}

#[test]
fn a_changed_lesson_is_asked_about_its_change() {
    let context = Context {
        command: "refine-lesson".into(),
        input: "3B iteration: shorter starter".into(),
        ..Context::default()
    };
    let asked = all(LESSON, PROFILE, &context);
    let change = asked.iter().find(|it| it.id == "change").unwrap();
    assert_eq!(
        change.text,
        "You asked for \"shorter starter\": what did that cost somewhere else in the lesson, and is it worth it?"
    );
}

#[test]
fn questions_are_of_different_kinds_and_sections() {
    let (lesson, profile) = (Lesson::read(LESSON), Profile::read(PROFILE));
    let chosen = questions(&lesson, &profile, &Context::default(), 4);
    let areas: Vec<Kind> = chosen.iter().map(|it| it.area).collect();
    assert_eq!(areas, [Kind::Differentiation, Kind::Exit, Kind::Practice, Kind::Keywords]);
    // A lesson with one section still gets what there is.
    let lesson = Lesson::read("## Exit questions\n\n1. What is a loop?\n");
    let chosen = questions(&lesson, &Profile::default(), &Context::default(), 4);
    assert_eq!(chosen.iter().map(|it| it.id).collect::<Vec<_>>(), ["exit-answers"]);
}

#[test]
fn hostile_text_is_only_text_and_bounded() {
    let nasty = "![x](http://evil) <img src=x> `".to_owned() + &"word ".repeat(5_000);
    let lesson = format!(
        "## Success criteria\n- I can {nasty}\n## Keywords\n- {nasty}\n## Misconceptions\n- {nasty}\n## Exit questions (999 minutes)\n1. {nasty}\n"
    );
    for candidate in all(&lesson, PROFILE, &Context::default()) {
        assert!(candidate.text.chars().count() < 400 && candidate.detail.chars().count() < 600, "{candidate:?}");
        assert!(!candidate.text.contains("![x](") && !candidate.detail.contains("![x]("), "{candidate:?}");
    }
}
