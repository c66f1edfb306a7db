//! Several agents: what the planner hands over, what it has reviewed, and what the others write.

use crate::provider::{Message, Part, ToolCall};
use serde_json::{Value, json};

use super::form::check;
use super::room::{Room, command};
use super::samples::FILES;

fn room() -> Room {
    Room::new(FILES)
}

fn calls(room: &Room, tool: &str) -> Vec<Value> {
    let messages = room.messages.borrow();
    let calls = messages.iter().flat_map(|message| &message.calls).filter(|call| call.name == tool);
    calls.map(|call: &ToolCall| serde_json::from_str(&call.arguments).unwrap()).collect()
}

fn agent(name: &str) -> Room {
    room().with_parts(vec![Part::new("agent", &[("name", name)], "Work."), command("create-lesson", "Plan.")])
}

fn is_list(value: &Value) -> bool {
    value.as_array().is_some_and(|items| !items.is_empty() && items.iter().all(Value::is_string))
}

/// What the reviewer answers to a draft.
fn review_of(draft: &str) -> String {
    let context = json!({ "task": "Review this draft.", "decisions": [], "constraints": [], "context": draft });
    agent("pedagogy-reviewer").say(&context.to_string())
}

#[test]
fn a_draft_is_reviewed_once_where_a_reviewer_can_be_spawned() {
    let alone = room().say("iteration for 3B");
    assert!(!alone.contains("pedagogy-reviewer"));
    let review = review_of(&alone);
    assert!(review.starts_with("# Review: Iteration\n") && review.contains("## Problems\n\n1. **"), "{review}");
    for reply in [review.clone(), json!({ "summary": "read", "findings": review }).to_string()] {
        let room = room().with_tool("spawn_subagent", &reply);
        let lesson = room.say("iteration for 3B");
        let spawned = calls(&room, "spawn_subagent");
        assert_eq!(spawned.len(), 1);
        assert_eq!(spawned[0]["agent"], "pedagogy-reviewer");
        assert_eq!(spawned[0]["context"], alone);
        assert!(
            spawned[0]["task"].is_string() && is_list(&spawned[0]["decisions"]) && is_list(&spawned[0]["constraints"])
        );
        check(&lesson, &room, Some("3B"), 50);
        let about = lesson.split("## About this draft").nth(1).unwrap();
        assert!(about.contains("The agent `pedagogy-reviewer` read this draft:\n\n- "), "{about}");
        assert!(about.contains("the lesson speaks of an example and does not hold it"), "{about}");
    }
}

#[test]
fn what_a_review_asks_for_is_done_where_it_can_be() {
    let review = "# Review: x\n\n## Problems\n\n1. **Practice**, line 9, “x”: too easy (Rosenshine 2012). **Next:** make it harder.\n\
         2. **Resources**, line 9, “y”: the room is cold. **Next:** close the window.\n\n## Next steps\n";
    let lesson = room().with_tool("spawn_subagent", review).say("iteration for 3B");
    let practice = lesson.split("## Practice").nth(1).unwrap().split("\n## ").next().unwrap();
    assert!(practice.contains("**Harder:**"), "{practice}");
    assert!(
        lesson.contains("- Changed: Practice, line 9, “x”: too easy (Rosenshine 2012). Make it harder."),
        "{lesson}"
    );
    assert!(lesson.contains("- Left to you: Resources, line 9, “y”: the room is cold. Close the window."), "{lesson}");
    let clean = room().with_tool("spawn_subagent", "# Review: x\n\n## Problems\n\nNone.\n").say("iteration for 3B");
    assert!(clean.contains("found nothing to change"), "{clean}");
}

#[test]
fn a_reviewer_that_fails_leaves_the_draft_as_it_is() {
    let alone = room().say("iteration for 3B");
    let room = room().with_tool("spawn_subagent", "x").failing("spawn_subagent", "", 9);
    assert_eq!(room.say("iteration for 3B"), alone);
}

#[test]
fn resources_and_versions_are_handed_over_with_what_was_decided() {
    for (request, tool) in [
        ("worksheet on percentages for 1B", "transfer_to_resource-creator"),
        ("differentiated versions of iteration for 3B", "transfer_to_differentiation-specialist"),
    ] {
        let room = room()
            .with_tool("transfer_to_resource-creator", "done")
            .with_tool("transfer_to_differentiation-specialist", "done");
        room.say(request);
        let handed = calls(&room, tool);
        assert_eq!(handed.len(), 1, "{request}: {:?}", room.calls());
        assert!(handed[0]["reason"].as_str().unwrap().contains(request));
        for field in ["decisions", "constraints", "open_questions"] {
            assert!(is_list(&handed[0][field]), "{field}: {}", handed[0]);
        }
        assert!(handed[0]["decisions"].to_string().contains("Outcome: ["), "{}", handed[0]);
    }
    let room = room().with_tool("transfer_to_resource-creator", "done");
    check(&room.say("iteration for 3B"), &room, Some("3B"), 50);
    assert!(calls(&room, "transfer_to_resource-creator").is_empty(), "a lesson is the planner's own work");
}

#[test]
fn whoever_is_handed_over_to_does_what_was_asked_for() {
    let reason = Part::new("handoff/reason", &[], "a resource");
    let handed = Message::user("quiz on percentages for 1B").with(Part::new("handoff", &[], "")).with(reason);
    let quiz = agent("resource-creator").say(handed);
    assert!(quiz.starts_with("# Quiz: Percentages\n") && quiz.contains("\n## Answers\n"), "{quiz}");
    let versions = agent("differentiation-specialist").say("versions for 3B of iteration");
    for part in ["## The goal, the same for all", "## Version A", "## Version B", "## Version C", "## By need"] {
        assert!(versions.contains(part), "{part}: {versions}");
    }
    assert!(versions.contains("wo pupils with English as an additional language"), "{versions}");
}

#[test]
fn a_resource_has_an_answer_for_every_question() {
    for kind in ["worksheet", "revision guide", "quiz"] {
        let text = room().with_command("create-resource").say(&format!("{kind} on iteration for 3B"));
        let (sheet, answers) = text.split_once("\n## Answers\n").unwrap_or_else(|| panic!("{text}"));
        let numbered =
            |text: &str| text.lines().filter(|line| line.contains(". ") && line.as_bytes()[0].is_ascii_digit()).count();
        assert!(answers.contains("[TCH 3-14a](") && !sheet.contains("TCH 3-14a"), "codes are for the teacher: {text}");
        if kind != "worksheet" {
            let test = sheet.split("## Test yourself").nth(1).unwrap_or(sheet);
            assert_eq!(numbered(test), numbered(answers.split("\n## ").next().unwrap()), "{text}");
            assert!(numbered(test) >= 6, "{text}");
        }
    }
}

#[test]
fn a_unit_builds_lesson_on_lesson() {
    for lessons in [2, 3, 5, 9] {
        let text = room().with_command("create-unit").say(&format!("a unit of {lessons} lessons on iteration for 3B"));
        assert!(text.starts_with("# Iteration\n") && text.contains(&format!("**Unit:** {lessons} lessons")), "{text}");
        assert_eq!(text.matches("\n## Lesson ").count(), lessons, "{text}");
        assert_eq!(text.matches("- **Goal:** I can ").count(), lessons);
        assert_eq!(text.matches("- **At the door:** ").count(), lessons);
        assert!(text.contains("From lesson 1: "), "what was learned comes back: {text}");
        for word in ["iteration", "fixed loop", "conditional loop"] {
            let new =
                text.lines().filter(|line| line.starts_with("- **New words:**") && line.contains(&format!("*{word}*")));
            assert_eq!(new.count(), 1, "{word} is new once: {text}");
        }
    }
}

#[test]
fn a_review_quotes_lines_that_are_there() {
    let mut room = room().with_command("review-lesson");
    let lesson = self::room()
        .say("iteration for 3B")
        .replace("- I can complete a trace table", "- I understand how a trace table");
    let vague = lesson.lines().position(|line| line.starts_with("- I understand")).unwrap() + 1;
    room.files.insert("lessons/3B-iteration.md".into(), lesson.clone());
    room.files.insert("lessons/3B-iteration-unit.md".into(), "# Unit: x\n".into());
    let review = room.say("the lesson on iteration for 3B");
    assert!(review.contains("Of `lessons/3B-iteration.md`"), "{review}");
    assert!(
        review.contains(&format!("**Success criteria**, line {vague}, “I understand how a trace table")),
        "{review}"
    );
    assert!(review.contains("(Wiliam 2011). **Next:** write what a pupil says, writes or does"), "{review}");
    for line in review.lines().filter(|line| line.contains(", line ")) {
        let number: usize = line.split(", line ").nth(1).unwrap().split(',').next().unwrap().parse().unwrap();
        let quote = line.split('“').nth(1).unwrap().split('”').next().unwrap().trim_end_matches('…');
        let there =
            lesson.lines().nth(number - 1).unwrap().replace(['*', '`', '|'], "").replace('“', "‘").replace('”', "’");
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words(&there).contains(&words(quote)), "line {number}: “{quote}” does not stand in “{there}”");
    }
    let none = self::room().with_command("review-lesson").say("lessons/9Z-nothing.md");
    assert!(!none.contains("## Problems"), "{none}");
}
