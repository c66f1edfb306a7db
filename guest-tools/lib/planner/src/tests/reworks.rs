//! Going round again: revisions, alternatives, evidence; and changing lessons that exist.

use crate::provider::Message;
use ta_curriculum::outline::Outline;

use super::form::check;
use super::room::{Room, rework_by};
use super::samples::FILES;
use crate::sections::{Lesson, minutes};

const LESSON_REQUEST: &str = "iteration for 3B";

fn room() -> (Room, String) {
    let room = Room::new(FILES);
    let lesson = room.say(LESSON_REQUEST);
    (room, lesson)
}

fn rework(lines: &str) -> Message {
    rework_by(
        "teacher-adjudication",
        &format!(
            "Revise these sections and leave every other section exactly as it is. Answer with the whole lesson.\n{lines}"
        ),
    )
}

fn section<'a>(lesson: &'a str, title: &str) -> &'a str {
    let outline = Outline::read(lesson);
    let found = outline.sections.iter().find(|section| section.title.starts_with(title));
    &lesson[found.unwrap_or_else(|| panic!("no {title} in\n{lesson}")).range.clone()]
}

/// All sections but those named are the same bytes, the heading of `slack` aside.
fn only_changed(before: &str, after: &str, changed: &[&str], slack: Option<&str>) {
    let parts = |lesson: &str| {
        let outline = Outline::read(lesson);
        let parts: Vec<(String, String)> =
            outline.parts().map(|part| (part.title.clone(), lesson[part.range.clone()].to_owned())).collect();
        parts
    };
    let (before, after) = (parts(before), parts(after));
    assert_eq!(before.len(), after.len());
    for ((title, old), (_, new)) in before.iter().zip(&after) {
        if changed.iter().any(|name| title.starts_with(name)) {
            assert_ne!(old, new, "{title} was to change");
        } else if slack.is_some_and(|name| title.starts_with(name)) {
            let below = |text: &str| text.split_once('\n').unwrap().1.to_owned();
            assert_eq!(below(old), below(new), "only the minutes of {title} may change");
        } else {
            assert_eq!(old, new, "{title} was not to change");
        }
    }
}

#[test]
fn a_revision_changes_what_was_asked_and_nothing_else() {
    let (room, before) = room();
    let after = room.say(rework("- Revise \"Starter (8 minutes)\": make it shorter, use mini-whiteboards"));
    only_changed(&before, &after, &["Starter"], Some("Practice"));
    check(&after, &room, Some("3B"), 50);
    assert!(after.contains("## Starter (5 minutes)") && after.contains("## Practice (23 minutes)"), "{after}");
    let (old, new) = (section(&before, "Starter"), section(&after, "Starter"));
    assert!(new.contains("mini-whiteboards") && new.len() < old.len(), "{new}");
}

#[test]
fn accepted_sections_never_pay() {
    let (room, before) = room();
    let after = room.say(rework("- Revise \"Starter (8 minutes)\": 5 minutes\n- Accepted \"Practice (20 minutes)\""));
    only_changed(&before, &after, &["Starter"], Some("Explanation"));
    assert!(after.contains("## Explanation (15 minutes)"), "{after}");
    let accepted = "- Revise \"Starter (5 minutes)\": 9 minutes\n- Accepted \"Practice\"\n- Accepted \"Explanation\"\n- Accepted \"Plenary\"";
    let last = room.say(rework(accepted));
    assert!(section(&last, "Starter").contains("The time stays at 5 minutes instead of 9"), "{last}");
    only_changed(&after, &last, &["Starter"], None);
}

#[test]
fn alternatives_are_complete_and_different() {
    let (room, before) = room();
    for (heading, number) in [
        ("Plenary (10 minutes)", 2),
        ("Practice (20 minutes)", 5),
        ("Keywords", 3),
        ("About this draft", 5),
        ("Outcomes", 5),
        ("Differentiation", 4),
    ] {
        let after = room.say(rework(&format!("- Alternatives \"{heading}\": {number}")));
        let title = heading.split(" (").next().unwrap();
        only_changed(&before, &after, &[title], None);
        let old = section(&before, title).split_once("\n\n").unwrap().1.trim().to_owned();
        let new = section(&after, title);
        let bodies: Vec<&str> =
            new.split("### Alternative ").skip(1).map(|part| part.split_once("\n\n").unwrap().1.trim()).collect();
        assert_eq!(bodies.len(), number, "{new}");
        for (at, body) in bodies.iter().enumerate() {
            assert!(*body != old && body.len() > 40, "{body}");
            assert!(!bodies[..at].contains(body), "{heading}: twice the same:\n{body}");
        }
        // Back to the lesson as it was.
        room.messages.borrow_mut().truncate(0);
        assert_eq!(room.say(LESSON_REQUEST), before);
    }
}

#[test]
fn an_alternative_can_be_kept() {
    let (room, _) = room();
    let offered = room.say(rework("- Alternatives \"Plenary (10 minutes)\": 3"));
    let second = section(&offered, "Plenary")
        .split("### Alternative 2")
        .nth(1)
        .unwrap()
        .split("### Alternative 3")
        .next()
        .unwrap()
        .trim()
        .to_owned();
    let kept = room.say(rework("- Revise \"Plenary (10 minutes)\": use alternative 2"));
    assert_eq!(section(&kept, "Plenary"), format!("## Plenary (10 minutes)\n\n{second}\n\n"));
}

#[test]
fn every_wish_changes_its_section_and_keeps_the_lesson_whole() {
    const WISHES: &[(&str, &str)] = &[
        ("easier", ""),
        ("make it harder", "**Harder:**"),
        ("longer", ""),
        ("more detail please", ""),
        ("three more questions", "**More questions:**"),
        ("with pictures", ""),
        ("in pairs", ""),
        ("use mini-whiteboards", "whiteboard"),
        ("EAL friendly", "new to English"),
        ("no computers", "**Without computers:**"),
        ("outdoors", ""),
        ("as a game", ""),
        ("use football scores", "football scores"),
        ("focus on conditions", "conditions"),
        ("add a question about nested loops", "nested loops"),
        ("Mr Fox wants it livelier", "Teacher's note to work in: Mr Fox wants it livelier"),
        ("", ""),
        ("???", ""),
        ("ok", ""),
        ("## Practice (99 minutes)", ""),
        ("no group work", ""),
        ("remove question 2", ""),
        ("use alternative 4", "alternative 4"),
        ("in the context of the Clyde ferries, quietly", "Clyde ferries"),
    ];
    for (wish, expected) in WISHES {
        for title in [
            "Starter",
            "Explanation",
            "Practice",
            "Plenary",
            "Exit questions",
            "Keywords",
            "Misconceptions",
            "Success criteria",
            "Prior knowledge",
            "Resources",
            "About this draft",
            "Differentiation",
        ] {
            let (room, before) = room();
            let after = room.say(rework(&format!("- Revise \"{title}\": {wish}")));
            let slack = if title == "Practice" { "Explanation" } else { "Practice" };
            only_changed(&before, &after, &[title], Some(slack));
            let body = section(&after, title);
            assert!(body.contains(expected), "{title}, “{wish}”:\n{body}");
            let total: u32 = Outline::read(&after).sections.iter().filter_map(|section| minutes(&section.title)).sum();
            assert_eq!(total, 50, "{title}, “{wish}”");
            if !["About this draft"].contains(&title) {
                check(&after, &room, Some("3B"), 50);
            }
        }
    }
}

#[test]
fn a_second_revision_builds_on_the_first() {
    let (room, _) = room();
    room.say(rework("- Revise \"Practice (20 minutes)\": use football scores"));
    let after = room.say(rework("- Revise \"Practice (20 minutes)\": harder"));
    let body = section(&after, "Practice");
    assert!(body.contains("football scores") && body.contains("**Harder:**"), "{body}");
}

#[test]
fn the_whole_lesson_can_be_meant_and_lost_names_are_kept() {
    let (room, before) = room();
    let after = room.say(rework("- Revise \"Whole lesson\": easier"));
    only_changed(&before, &after, &["Starter", "Explanation", "Practice", "Plenary"], None);
    let after = room.say(rework("- Revise \"Homework\": read, then write"));
    assert!(section(&after, "About this draft").contains("“Homework” (there is no such section)"), "{after}");
}

#[test]
fn a_long_practice_stays_in_two_rounds() {
    let room = Room::new(FILES);
    let before = room.say("a 100 minute lesson on iteration for 3B");
    let after = room.say(rework("- Revise \"Practice\": something else entirely"));
    only_changed(&before, &after, &["Practice"], None);
    assert!(section(&after, "Practice").contains("**Second round.**"), "{after}");
    check(&after, &room, Some("3B"), 100);
}

#[test]
fn evidence_is_repaired_from_the_file_read_again() {
    let (room, before) = room();
    let pointer = before.lines().find(|line| line.starts_with("- [TCH")).unwrap().to_owned();
    let broken = before.replace(
        &pointer,
        "- TCH 3-14a: loops and so on\n- [TCH 3-77z](curriculum/cfe-computing.md#L3-L4 \"nothing\"): invented",
    );
    room.messages.borrow_mut().last_mut().unwrap().said.clone_from(&broken);
    let calls = room.calls().len();
    let after = room.say(rework_by("curriculum-evidence", "- TCH 3-14a (no-pointer, line 7): a code without a pointer\n- TCH 3-77z (unknown-code, line 8): no such outcome"));
    assert!(
        room.calls()[calls..].contains(&"read_file curriculum/cfe-computing.md".to_owned()),
        "the file is read again"
    );
    assert!(after.contains(&pointer) && !after.contains("3-77z"), "{after}");
    only_changed(&broken, &after, &["Outcomes"], None);
    check(&after, &room, Some("3B"), 50);
}

#[test]
fn a_rework_without_a_lesson_says_so() {
    let room = Room::new(FILES);
    let answer = room.say(rework("- Revise \"Starter\": shorter"));
    assert!(answer.starts_with("There is no lesson in this conversation"), "{answer}");
}

#[test]
fn plain_words_after_a_lesson_change_it() {
    let (room, before) = room();
    let after = room.say("make the starter shorter");
    only_changed(&before, &after, &["Starter"], Some("Practice"));
    let harder = room.say("make it harder");
    only_changed(&after, &harder, &["Starter", "Explanation", "Practice", "Plenary"], None);
    let other = room.say("percentages for 1B");
    assert!(other.starts_with("# Percentages\n"), "{other}");
}

fn refining(lessons: &[(&str, &str)]) -> Room {
    let mut files = FILES.to_vec();
    files.extend(lessons);
    Room::new(&files).with_command("refine-lesson")
}

#[test]
fn a_lesson_is_refined_where_it_is_named() {
    let (_, before) = room();
    let room = refining(&[("lessons/3B-iteration.md", &before)]);
    let after = room.say("make the starter shorter in lessons/3B-iteration.md");
    assert_eq!(room.calls(), ["list_directory lessons", "read_file lessons/3B-iteration.md"]);
    only_changed(&before, &after, &["Starter"], Some("Practice"));
    assert!(after.contains("## Starter (5 minutes)"), "{after}");
}

#[test]
fn the_newest_lesson_that_fits_is_found() {
    let (_, before) = room();
    let other = before.replace("# Iteration", "# Percentages");
    let newer = before.replace("# Iteration", "# Iteration again");
    let room = refining(&[
        ("lessons/1B-percentages.md", &other),
        ("lessons/3B-iteration-2.md", &newer),
        ("lessons/3B-iteration.md", &before),
    ]);
    let after = room.say("3B iteration: keywords simpler");
    assert!(after.starts_with("# Iteration again"), "{after}");
    only_changed(&newer, &after, &["Keywords"], None);
    let answer = room.say("please change lessons/2A-nothing.md");
    assert!(answer.contains("- `lessons/3B-iteration.md`"), "{answer}");
}

#[test]
fn a_lesson_of_another_hand_keeps_its_shape() {
    let text = "---\nauthor: me\n---\n\n# Loops\n\nFor 3B.\n\n## Warm-up (10 min)\n\nAsk what a loop is. Ask for examples. Write them down.\n\n## Main activity (30 minutes)\n\n* code it\n* test it\n\n## Homework\n\nRead page 12.";
    let room = refining(&[("lessons/loops.md", text)]);
    let after = room.say("lessons/loops.md: warm-up 5 minutes, as a game");
    assert!(
        after.contains("## Warm-up (5 minutes)")
            && after.contains("## Main activity (35 minutes)\n\n* code it\n* test it\n\n## Homework\n\nRead page 12."),
        "{after}"
    );
    assert!(after.starts_with("---\nauthor: me\n---\n\n# Loops\n\nFor 3B.\n"), "{after}");
    let after = room.say("lessons/loops.md: homework as a checklist");
    assert!(
        section(&after, "Homework").contains("Teacher's note to work in")
            || section(&after, "Homework") != "## Homework\n\nRead page 12.",
        "{after}"
    );
}

#[test]
fn what_cannot_be_told_is_asked() {
    let (_, before) = room();
    let room = refining(&[("lessons/3B-iteration.md", &before)]);
    let answer = room.say("improve lessons/3B-iteration.md");
    assert!(
        answer.starts_with("What shall change in lessons/3B-iteration.md?") && answer.contains("Starter"),
        "{answer}"
    );
    let room = Room::new(FILES).with_command("refine-lesson");
    assert!(room.say("the starter of 3B, shorter").contains("There are no lessons"), "nothing to refine");
}

#[test]
fn a_lesson_can_be_given_another_length() {
    let (_, before) = room();
    let room = refining(&[("lessons/3B-iteration.md", &before)]);
    let after = room.say("lessons/3B-iteration.md for 40 minutes");
    let total: u32 = Outline::read(&after).sections.iter().filter_map(|section| minutes(&section.title)).sum();
    assert_eq!(total, 40, "{after}");
    assert!(after.contains("**Length:** 40 minutes"), "{after}");
}

#[test]
fn lessons_survive_reading_and_writing() {
    let (room, before) = room();
    assert_eq!(Lesson::read(&before).write(), before);
    let messages = room.messages.borrow();
    assert_eq!(messages.last().map(|message: &Message| message.said.clone()), Some(before));
}
