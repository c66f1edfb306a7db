//! What holds for any text a person may write.

use crate::provider::{Message, Part, ToolResult};
use proptest::prelude::*;
use ta_curriculum::outline::Outline;

use super::room::{Room, rework_by};
use super::samples::FILES;

use crate::profile::Profile;
use crate::prompt::Prompt;
use crate::request::Ask;
use crate::sections::{Lesson, minutes};
use crate::sources::{Source, places, unnumbered};
use crate::wish::Wish;

const SECTIONS: [&str; 6] = ["Starter", "Explanation", "Practice", "Plenary", "Exit questions", "Keywords"];

/// A lesson with the conversation that made it.
fn conversation() -> (Room, String) {
    let room = Room::new(FILES);
    let lesson = room.say("iteration for 3B");
    (room, lesson)
}

fn part(lesson: &str, title: &str) -> String {
    let outline = Outline::read(lesson);
    let section = outline.sections.iter().find(|section| section.title.starts_with(title)).unwrap();
    lesson[section.range.clone()].to_owned()
}

fn total(lesson: &str) -> u32 {
    Outline::read(lesson).sections.iter().filter_map(|section| minutes(&section.title)).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_revision_changes_its_section_and_keeps_the_time(wish in ".{0,60}", at in 0..SECTIONS.len()) {
        let (room, before) = conversation();
        let title = SECTIONS[at];
        let wish = wish.replace(['<', '>', '\n', '\r'], " ");
        let after = room.say(rework_by("teacher-adjudication", &format!("- Revise \"{title}\": {wish}")));
        prop_assert_ne!(part(&before, title), part(&after, title));
        prop_assert_eq!(total(&after), 50);
        for other in ["Outcomes", "Differentiation", "About this draft"] {
            prop_assert_eq!(part(&before, other), part(&after, other));
        }
    }

    #[test]
    fn any_request_is_answered(request in "(?s).{0,80}") {
        let room = Room::new(FILES);
        let answer = room.say(&format!("x{request}"));
        prop_assert!(!answer.is_empty());
    }

    #[test]
    fn any_lesson_survives_being_taken_apart(text in "(?s)(# .{0,20}\n)?(## .{0,20}\n.{0,40}\n){0,4}.{0,40}") {
        prop_assert_eq!(Lesson::read(&text).write(), text);
    }

    #[test]
    fn nothing_read_makes_the_planner_fall_over(text in "(?s)(---\n)?.{0,200}") {
        let _ = Profile::read(&text);
        let _ = Prompt::read(&[Part::new("skills", &[], &text), Part::new("context", &[], &text)]);
        let _ = Ask::read(&text, &["3B".to_owned()]);
        let _ = Wish::read(&text);
        let source = Source::read("curriculum/x.md", &unnumbered(&text));
        let _ = places(std::slice::from_ref(&source)).filter_map(|place| place.outcome(None, None)).count();
    }

    #[test]
    fn any_tool_result_is_survived(text in "(?s).{0,200}") {
        let room = Room::new(FILES);
        room.messages.borrow_mut().push(Message::user("iteration for 3B"));
        for _ in 0..8 {
            let answer = crate::answer(&room.request());
            room.messages.borrow_mut().push(Message::assistant(answer.text.clone(), answer.calls.clone()));
            for call in &answer.calls {
                let result = ToolResult { id: call.id.clone(), name: call.name.clone(), failed: false, text: text.clone() };
                room.messages.borrow_mut().push(Message::tool(result));
            }
            if answer.calls.is_empty() {
                prop_assert!(!answer.text.is_empty());
                return Ok(());
            }
        }
        prop_assert!(false, "still at work");
    }
}
