//! Planning a lesson.

use crate::provider::{Message, Part};

use super::form::check;
use super::room::{Room, command};
use super::samples::{CLASS_3B, FILES};

fn room() -> Room {
    Room::new(FILES)
}

#[test]
fn the_work_is_done_in_order() {
    let room = room()
        .with_skill("differentiation", "See `read_skill differentiation/eal-strategies.md`.")
        .with_skill("differentiation/eal-strategies.md", "# EAL");
    let lesson = room.say("iteration for 3B");
    assert_eq!(
        room.calls(),
        [
            "list_directory classes",
            "list_directory curriculum",
            "list_directory .",
            "update_tasks",
            "read_file classes/3B.md",
            "read_file curriculum/cfe-computing.md",
            "read_skill differentiation",
            "update_tasks",
            "read_skill differentiation/eal-strategies.md",
            "update_tasks",
        ]
    );
    check(&lesson, &room, Some("3B"), 50);
}

#[test]
fn files_of_the_classs_subject_are_read_first() {
    let room = room();
    let lesson = room.say("Plan a 40 minute lesson on percentages for 1B");
    assert_eq!(room.calls()[5], "read_file curriculum/cfe-maths.md");
    check(&lesson, &room, Some("1B"), 40);
    assert!(lesson.contains("**Class:** 1B (S1) · **Level:** third · **Length:** 40 minutes"), "{lesson}");
    assert!(lesson.contains("The length is 40 minutes as you asked; the profile of 1B says 45."), "{lesson}");
    assert!(lesson.contains("One pupil with a hearing impairment"), "{lesson}");
}

#[test]
fn what_pupils_struggle_with_comes_first() {
    let lesson = room().say("3B tomorrow: while loops, they struggled with conditions");
    assert!(lesson.starts_with("# While loops\n"), "{lesson}");
    // However the starter is run, this is its first question.
    let asked = lesson.find("Which word means “a test that is true or false”?").unwrap();
    assert!(lesson[asked..].contains("condition."), "{lesson}");
    assert!(lesson.find("Which word means “blocks").is_some_and(|other| asked < other), "{lesson}");
    assert!(lesson.contains("Because of “they struggled with conditions”"), "{lesson}");
}

#[test]
fn without_a_class_the_level_of_the_topic_counts() {
    let room = room();
    let lesson = room.say("similar triangles");
    check(&lesson, &room, None, 50);
    assert!(lesson.contains("**Class:** not named · **Level:** fourth · **Length:** 50 minutes"), "{lesson}");
    assert!(lesson.contains("No class was named."), "{lesson}");
    assert!(!room.calls().iter().any(|call| call.contains("classes/")));
}

#[test]
fn a_class_without_a_profile_gets_no_lesson() {
    let answer = room().say("iteration for 4C");
    assert!(answer.contains("no profile of a class 4C") && answer.contains("1B and 3B"), "{answer}");
    assert!(!answer.contains("## "), "{answer}");
}

#[test]
fn a_topic_of_a_level_beside_is_used_and_said() {
    let room = room();
    let lesson = room.say("function machines for 1B");
    check(&lesson, &room, Some("1B"), 45);
    assert!(
        lesson.contains("No entry at the level of the class covers this topic; this one stands one level below."),
        "{lesson}"
    );
    assert!(lesson.contains("**Level:** third"), "{lesson}");
}

#[test]
fn a_topic_that_fits_nothing_gets_no_lesson_and_no_code() {
    for topic in [
        "photosynthesis for 3B",
        "the French Revolution for 3B",
        "lunch",
        "storage of grain for 3B",
        "iterration for 3B",
    ] {
        let answer = room().say(topic);
        assert!(answer.starts_with("No outcome in this workspace's curriculum files covers this topic."), "{answer}");
        assert!(!answer.contains("\n## ") && ta_curriculum::code::find_codes(&answer).is_empty(), "{answer}");
        assert!(answer.contains("`curriculum/cfe-computing.md`"), "{answer}");
    }
    assert!(room().say("iterration for 3B").contains("- iteration (Computing science)"));
    assert!(room().say("computing for 3B").starts_with("Which topic shall the lesson for 3B be about?"));
}

#[test]
fn two_topics_of_one_subject_bring_two_outcomes() {
    let room = room();
    let lesson = room.say("loops and networks for 3B");
    check(&lesson, &room, Some("3B"), 50);
    assert!(lesson.contains("[TCH 3-14a](") && lesson.contains("[TCH 3-14b]("), "{lesson}");
    assert!(lesson.contains("(paraphrase, not yet verified)"), "{lesson}");
    assert!(lesson.contains("1 of the outcomes used are not yet verified"), "{lesson}");
}

#[test]
fn a_file_of_another_hand_will_do() {
    let room = room();
    let lesson = room.say("food and drink");
    check(&lesson, &room, None, 50);
    assert!(lesson.contains("[MLAN 3-02a](curriculum/cfe-french.md#L3-L8 \""), "{lesson}");
    assert!(lesson.contains("names none for this outcome"), "{lesson}");
}

#[test]
fn wishes_in_the_request_are_worked_in() {
    let lesson = room().say("percentages for 1B, no computers, use football scores");
    assert!(lesson.contains("**Without computers:**"), "{lesson}");
    assert!(lesson.matches("football scores").count() >= 2, "{lesson}");
    let lesson = room().say("iteration for 3B with a 5 minute starter");
    assert!(lesson.contains("## Starter (5 minutes)") && lesson.contains("## Practice (23 minutes)"), "{lesson}");
}

#[test]
fn every_length_of_a_period_adds_up() {
    for minutes in (10..=240).step_by(10) {
        let room = room();
        let lesson = room.say(&format!("a {minutes} minute lesson on iteration for 3B"));
        check(&lesson, &room, Some("3B"), minutes);
        assert_eq!(lesson.contains("**Second round.**"), minutes > 80, "{minutes}");
    }
    let room = room();
    check(&room.say("double period on iteration for 3B"), &room, Some("3B"), 100);
    check(&room.say("a 300 minute lesson on iteration for 3B"), &room, Some("3B"), 240);
}

#[test]
fn a_tool_that_fails_once_is_asked_again() {
    let room = room().failing("read_file", "computing", 1);
    check(&room.say("iteration for 3B"), &room, Some("3B"), 50);
}

#[test]
fn what_cannot_be_read_is_said() {
    // Of a subject that 3B is not taught: read only because nothing of its own fits.
    let answer = room().failing("read_file", "maths", 9).say("bearings for 3B");
    assert!(answer.contains("`curriculum/cfe-maths.md`") && answer.contains("the disk is on fire"), "{answer}");
    let lesson = room().failing("read_file", "classes", 9).say("iteration for 3B");
    assert!(lesson.contains("The profile of 3B could not be read (the disk is on fire)"), "{lesson}");
    let answer = room().failing("read_file", "curriculum", 99).say("iteration for 3B");
    assert!(answer.starts_with("I could not read any curriculum file"), "{answer}");
    let lesson = room().with_skill("differentiation", "x").failing("read_skill", "", 9).say("iteration for 3B");
    assert!(lesson.contains("Skills could not be read (the disk is on fire)"), "{lesson}");
}

#[test]
fn tools_that_are_not_offered_are_not_called() {
    let room = room().with_skill("differentiation", "x").without_tool("update_tasks").without_tool("read_skill");
    let lesson = room.say("iteration for 3B");
    check(&lesson, &room, Some("3B"), 50);
    assert!(lesson.contains("Skills could not be read (no tool to read skills is offered)"), "{lesson}");

    let answer = self::room().without_tool("list_directory").say("iteration for 3B");
    assert!(answer.contains("Listing `curriculum/` did not work: no tool to list directories is offered."), "{answer}");
    let parts = vec![Part::new("agent", &[], "See curriculum/cfe-computing.md"), command("create-lesson", "x")];
    let room = self::room().without_tool("list_directory").with_parts(parts);
    check(&room.say("iteration for 3B"), &room, Some("3B"), 50);
}

#[test]
fn asked_to_finish_it_answers_with_what_it_has() {
    let room = room();
    room.messages.borrow_mut().push(Message::user("iteration for 3B"));
    let mut request = room.request();
    let first = crate::answer(&request);
    assert!(!first.calls.is_empty() && first.text.is_empty());
    request.tools.clear();
    let last = crate::answer(&request);
    assert!(last.calls.is_empty() && last.text.starts_with("I could not read any curriculum file"), "{}", last.text);
}

#[test]
fn a_nudge_after_reading_ends_in_a_lesson() {
    let room = room();
    room.say("iteration for 3B");
    let mut request = room.request();
    // The run was cut short: the lesson is not written yet, and no tool may be called any more.
    let (_, before) = request.messages.split_last().unwrap();
    request.messages = before.iter().cloned().chain([Message::user("Give your final answer now.")]).collect();
    request.tools.clear();
    check(&crate::answer(&request).text, &room, Some("3B"), 50);
}

#[test]
fn a_follow_up_takes_over_what_it_leaves_out() {
    let room = room();
    room.say("percentages for 3B");
    let lesson = room.say("now for 1B");
    assert!(lesson.starts_with("# Percentages\n\n**Class:** 1B"), "{lesson}");
    let lesson = room.say("same for 30 minutes");
    assert!(
        lesson.starts_with("# Percentages\n\n**Class:** 1B") && lesson.contains("**Length:** 30 minutes"),
        "{lesson}"
    );
}

#[test]
fn the_profile_may_stand_in_the_prompt() {
    let parts =
        vec![Part::new("workspace/file", &[("path", "classes/3B.md")], CLASS_3B), command("create-lesson", "x")];
    let room = room().with_parts(parts);
    check(&room.say("iteration for 3B"), &room, Some("3B"), 50);
    assert!(!room.calls().contains(&"read_file classes/3B.md".to_owned()));
}

#[test]
fn what_hooks_add_is_taken_into_account() {
    let about = [("title", "What you confirmed"), ("source", "feedforward")];
    let addition =
        Part::new("context", &about, "They like to work in pairs with mini-whiteboards. They mix up conditions.");
    let lesson = room().say(Message::user("iteration for 3B").with(addition));
    assert!(lesson.contains("Taken into account for the choice of activities: “What you confirmed”."), "{lesson}");
    assert!(lesson.contains("mini-whiteboards") && lesson.contains("Because of “They mix up conditions”"), "{lesson}");
}

#[test]
fn other_commands_are_declined() {
    let answer = room().with_command("start-tutor").say("hello");
    assert!(answer.contains("is not something the offline planner can do"), "{answer}");
}
