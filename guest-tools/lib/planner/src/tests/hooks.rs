//! Instructions in the very form in which the bundled hooks write them.

use crate::provider::Message;
use ta_curriculum::outline::Outline;

use super::form::check;
use super::room::{Room, rework_by};
use super::samples::FILES;

fn room() -> (Room, String) {
    let room = Room::new(FILES);
    let lesson = room.say("iteration for 3B");
    (room, lesson)
}

fn adjudicated(lines: &str) -> Message {
    rework_by(
        "teacher-adjudication",
        &format!(
            "Revise these sections and leave every other section exactly as it is. Answer with the whole lesson.\n{lines}"
        ),
    )
}

fn section(lesson: &str, title: &str) -> String {
    let outline = Outline::read(lesson);
    let found = outline.sections.iter().find(|section| section.title.starts_with(title)).unwrap();
    lesson[found.range.clone()].to_owned()
}

#[test]
fn revise_without_a_reason_means_another_way() {
    let (room, before) = room();
    let after = room.say(adjudicated("- Revise \"Practice (20 minutes)\": Draft this section again, differently."));
    let name = |lesson: &str| section(lesson, "Practice").split("**").nth(1).unwrap().to_owned();
    assert_ne!(name(&before), name(&after), "{after}");
    assert!(!after.contains("Teacher's note"), "{after}");
}

#[test]
fn the_whole_lesson_can_be_sent_back() {
    let (room, _) = room();
    let other_class = room.say(adjudicated("- Revise \"the whole lesson\": for 1B"));
    assert!(other_class.starts_with("# Iteration\n\n**Class:** 1B"), "{other_class}");
    check(&other_class, &room, Some("1B"), 45);
    let shorter = room.say(adjudicated("- Revise \"the whole lesson\": 40 minutes please"));
    assert!(shorter.contains("**Length:** 40 minutes"), "{shorter}");
    let livelier = room.say(adjudicated("- Revise \"the whole lesson\": less text"));
    let minutes = |lesson: &str| -> Vec<u32> {
        Outline::read(lesson).sections.iter().filter_map(|part| crate::sections::minutes(&part.title)).collect()
    };
    assert_eq!(minutes(&shorter), minutes(&livelier), "texts get shorter, the period does not");
}

#[test]
fn a_heading_that_occurs_twice_is_told_apart_by_its_number() {
    let files = [("lessons/x.md", "")];
    let room = Room::new(&files);
    let lesson = "# Twice\n\n## Task (9 minutes)\n\nFirst.\n\n## Task (9 minutes)\n\nSecond.\n";
    room.messages.borrow_mut().push(Message::assistant(lesson, Vec::new()));
    let after = room.say(adjudicated("- Revise \"Task (9 minutes) (2)\": sing it"));
    assert!(after.starts_with("# Twice\n\n## Task (9 minutes)\n\nFirst.\n\n## Task"), "{after}");
    assert!(after.contains("Teacher's note to work in: sing it"), "{after}");
}

#[test]
fn findings_of_the_guard_are_repaired_and_leave_no_notes() {
    let (room, before) = room();
    let pointer = before.lines().find(|line| line.starts_with("- [TCH")).unwrap().to_owned();
    let broken = before.replace(&pointer, "- TCH 3-14a: loops and so on");
    room.messages.borrow_mut().last_mut().unwrap().said.clone_from(&broken);
    let after = room.say(
        rework_by("curriculum-evidence", "Some claims of curriculum alignment cannot be followed to their source. Repair these and change nothing else:\n\
         - Line 7, section \"Outcomes\" (no-pointer): Nothing in the output points to the text of TCH 3-14a; the files have TCH 3-14b as well.\n\
         - Line 7, section \"Outcomes\" (quote-not-found): The quote does not stand on these lines.\n\
         - And 2 more of the same kinds: look at every other code as well.\n\
         Read the curriculum file before you cite it. A pointer is a link: [CODE](path#L12-L14 \"words copied from those lines\")."),
    );
    assert_eq!(after, before);
}
