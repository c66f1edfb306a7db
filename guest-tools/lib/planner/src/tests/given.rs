//! Lessons that are taught with a material file.

use std::path::Path;

use ta_curriculum::material::parse;

use super::form::check;
use super::room::{Room, rework_by};
use super::samples::{CLASS_3B, FILES};

const PATH: &str = "material/computing/TCH-3-14a.md";

fn text() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../workspace");
    std::fs::read_to_string(root.join(PATH)).unwrap()
}

/// The sample workspace with the shipped file of one outcome.
fn room(text: &str) -> Room {
    let mut room = Room::new(FILES);
    room.files.insert(PATH.to_owned(), text.to_owned());
    room
}

fn section<'a>(lesson: &'a str, title: &str) -> &'a str {
    let rest = lesson.split_once(&format!("\n## {title}")).unwrap().1;
    rest.split("\n## ").next().unwrap()
}

/// The numbers of the questions of a practice, in their order.
fn numbers(practice: &str) -> Vec<usize> {
    let number = |line: &str| {
        let rest = line.strip_prefix("**Question ").unwrap_or(line);
        let (digits, more) = rest.split_once('.')?;
        more.starts_with([' ', '*']).then(|| digits.parse().ok())?
    };
    let (_, sheet) = practice.split_once("**Step 1: ").unwrap();
    sheet.lines().filter_map(number).collect()
}

#[test]
fn practice_has_a_question_for_every_two_minutes_with_answer_and_reason() {
    let room = room(&text());
    let lesson = room.say("iteration for 3B");
    check(&lesson, &room, Some("3B"), 50);
    let practice = section(&lesson, "Practice");
    let minutes: usize = practice.split_once('(').unwrap().1.split_once(' ').unwrap().0.parse().unwrap();
    let found = numbers(practice);
    assert_eq!(found, (1..=found.len()).collect::<Vec<_>>(), "{practice}");
    assert!(found.len() * 2 >= minutes, "{} questions for {minutes} minutes:\n{practice}", found.len());
    assert_eq!(practice.matches("**Answer:**").count(), found.len(), "{practice}");
    for step in ["**Step 1: ", "**Step 2: ", "**Step 3: "] {
        assert!(practice.contains(step), "{practice}");
    }
    assert!(!lesson.contains("Show it"), "{lesson}");
    assert!(section(&lesson, "Exit questions").matches("**Answer:**").count() >= 3, "{lesson}");
    assert!(section(&lesson, "About this draft").contains(PATH), "{lesson}");
}

#[test]
fn questions_about_another_topic_of_the_outcome_stay_away() {
    let lists = room(&text()).say("arrays for 3B");
    let practice = section(&lists, "Practice");
    assert!(practice.contains("index") && !practice.contains("while "), "{practice}");
    let loops = room(&text()).say("conditional loops for 3B");
    assert!(!section(&loops, "Practice").contains("elif"), "{loops}");
    assert!(!section(&loops, "Misconceptions").contains("first value of a list"), "{loops}");
}

#[test]
fn a_topic_that_the_file_has_too_little_on_is_planned_without_it() {
    let lesson = room(&text().replace("arrays, lists", "records")).say("arrays for 3B");
    assert!(!lesson.contains(PATH) && !lesson.contains("**Step 1: "), "{lesson}");
}

#[test]
fn what_is_not_whole_is_left_out_and_named() {
    let broken = text().replacen("- **Check:** code\n", "- **Check:** magic\n", 1);
    let faults = parse(&broken).1;
    assert_eq!(faults.len(), 1, "{faults:?}");
    let line = faults[0].line;
    let lesson = room(&broken).say("iteration for 3B");
    let about = section(&lesson, "About this draft");
    assert!(about.contains(&format!("line {line}: `Check` is `magic`")), "{about}");
    assert!(lesson.contains("**Step 1: "), "{lesson}");
}

#[test]
fn a_workspace_without_material_is_asked_for_none() {
    let room = Room::new(FILES);
    room.say("iteration for 3B");
    assert!(!room.calls().iter().any(|call| call.contains("material")), "{:?}", room.calls());
}

#[test]
fn a_class_below_the_outcome_begins_lower_and_one_above_goes_further() {
    let counts = |level: &str| {
        let mut room = room(&text());
        let class = CLASS_3B.replace("level: third", &format!("level: {level}"));
        room.files.insert("classes/3B.md".into(), class);
        let lesson = room.say("iteration for 3B");
        let practice = section(&lesson, "Practice").to_owned();
        let third = practice.split_once("**Step 3: ").unwrap().1.to_owned();
        (numbers(&practice).len(), third.matches("**Answer:**").count())
    };
    let (second, third, fourth) = (counts("second"), counts("third"), counts("fourth"));
    assert!(second.1 < fourth.1 && second.1 <= third.1, "{second:?} {third:?} {fourth:?}");
}

#[test]
fn material_is_no_evidence() {
    let lesson = room(&text()).say("iteration for 3B");
    let pointers = ta_curriculum::pointer::find_pointers(&lesson);
    assert!(!pointers.is_empty() && pointers.iter().all(|one| one.path.starts_with("curriculum/")), "{lesson}");
}

/// A file of another subject that reads a passage, under the code of the sample.
fn with_passage() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../workspace/material");
    let text = std::fs::read_to_string(root.join("english/ENG-3-17a.md")).unwrap();
    text.replace("ENG 3-17a", "TCH 3-14a").replace("subject: english", "subject: computing")
}

#[test]
fn a_passage_is_printed_once_and_handed_out_before_it_is_asked_about() {
    let lesson = room(&with_passage()).say("iteration for 3B");
    assert_eq!(lesson.matches("> The crossing was flat as a tray.").count(), 1, "{lesson}");
    let explanation = section(&lesson, "Explanation");
    assert!(explanation.contains("Hand out “The last boat” from the practice sheet"), "{explanation}");
    assert!(section(&lesson, "Resources").contains("a practice sheet with “The last boat”"), "{lesson}");
    // Quotations within quotations, and sentences that are quoted whole.
    assert!(explanation.contains("‘gone to wood’?”"), "{explanation}");
    assert!(!lesson.contains(".”.") && !lesson.contains("?”."), "{lesson}");
}

#[test]
fn a_story_that_no_rule_can_tell_is_declined_in_words() {
    let lesson = room(&text()).say("iteration for 3B, use football scores");
    assert!(!lesson.contains("Set in") && !section(&lesson, "Practice").contains("football"), "{lesson}");
    assert!(section(&lesson, "About this draft").contains("You asked for football scores"), "{lesson}");
    let room = room(&text());
    room.say("iteration for 3B");
    let wish = "Revise these sections and leave every other section exactly as it is. Answer with the whole lesson.\n\
        - Revise \"Practice (20 minutes)\": use football scores";
    let revised = room.say(rework_by("teacher-adjudication", wish));
    let practice = section(&revised, "Practice");
    assert!(!practice.contains("Set in"), "{practice}");
    assert!(practice.contains("set it in football scores (the questions stand in a material file"), "{practice}");
    assert!(practice.contains("**Step 1: "), "{practice}");
}

#[test]
fn what_the_teacher_does_in_the_practice_is_told_from_what_pupils_do() {
    use ta_curriculum::pupils::speaks_to_teacher;
    for pattern in crate::bank::patterns(crate::sections::Kind::Practice, crate::material::Family::Other) {
        let told = pattern.lines.iter().filter(|line| pattern.given && !line.starts_with("- "));
        for line in told {
            assert!(speaks_to_teacher(line), "{}: {line}", pattern.name);
        }
    }
}

#[test]
fn a_question_is_taken_out_by_its_number() {
    let room = room(&text());
    let lesson = room.say("iteration for 3B");
    let before = section(&lesson, "Practice").to_owned();
    let wish = "Revise these sections and leave every other section exactly as it is. Answer with the whole lesson.\n\
        - Revise \"Practice (20 minutes)\": remove question 2";
    let revised = room.say(rework_by("teacher-adjudication", wish));
    let after = section(&revised, "Practice");
    let found = numbers(after);
    assert_eq!(found, (1..numbers(&before).len()).collect::<Vec<_>>(), "{after}");
    assert!(after.contains("- **Core:**") && after.contains("- **Support:** questions 1 to 2"), "{after}");
    let second = before.split("**Question 2.** ").nth(1).unwrap().lines().next().unwrap();
    assert!(before.contains(second) && !after.contains(second), "{second}: {after}");
}
