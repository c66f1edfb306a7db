//! Requests that once led astray: neighbouring levels, sparse entries, codes, words that only look like a topic.

use super::form::check;
use super::room::{Room, rework_by};
use super::samples::{CLASS_3B, FILES};
use super::workspace::{room as shipped_room, shipped};
use ta_curriculum::code::find_codes;
use ta_curriculum::file::CurriculumFile;
use ta_curriculum::level::Level;

const NO_OUTCOME: &str = "No outcome in this workspace's curriculum files covers this topic.";

/// Every topic of every shipped file for a class: either a lesson whose outcomes say their level where it is not that of
/// the class, or an honest refusal.
fn every_topic_for(class: &str, one_in: usize) {
    let mut room = shipped_room(CLASS_3B);
    for (path, text) in shipped("classes") {
        room.files.insert(path, text);
    }
    let files = shipped("curriculum");
    let parsed: Vec<CurriculumFile> = files.iter().map(|(_, text)| CurriculumFile::parse(text)).collect();
    let entries = parsed.iter().flat_map(|file| &file.entries);
    let topics = entries.flat_map(|entry| entry.field("Topics").unwrap_or_default().split(','));
    let mut lessons = 0;
    for topic in topics.step_by(one_in) {
        room.messages.borrow_mut().clear();
        let answer = room.say(&format!("{} for {class}", topic.trim()));
        assert!(answer.starts_with("# ") || answer.starts_with(NO_OUTCOME), "{topic}: {answer}");
        let preamble_says_third = answer.contains("**Level:** third");
        for line in answer.lines().filter(|line| line.starts_with("- [")) {
            let level = find_codes(line)[0].codes[0].level();
            let said = match level {
                Level::Second => line.contains("\") (second level, one below the class): "),
                Level::Fourth => line.contains("\") (fourth level, one above the class): "),
                _ => line.contains("\"): "),
            };
            assert!(said && preamble_says_third, "{topic}: {line}");
            lessons += 1;
        }
    }
    assert!(lessons > 20, "only {lessons} outcomes for {class}");
}

#[test]
fn every_topic_is_planned_for_a_class_of_computing() {
    every_topic_for("3B", 31);
}

#[test]
fn every_topic_is_planned_for_a_class_of_computing_and_maths() {
    every_topic_for("1B", 31);
}

#[test]
fn a_repair_keeps_what_the_line_says_about_its_level() {
    let room = Room::new(FILES);
    let lesson = room.say("Scratch for 3B");
    let line = |lesson: &str| lesson.lines().find(|line| line.starts_with("- [TCH 2-14a]")).unwrap().to_owned();
    assert!(line(&lesson).contains(" (second level, one below the class): Pupils explain"), "{lesson}");
    let finding = rework_by(
        "curriculum-evidence",
        "Rework the lesson.\n- TCH 2-14a (wrong-level, line 7): say which level the code is",
    );
    let repaired = room.say(finding);
    assert_eq!(line(&repaired), line(&lesson));
    assert!(!repaired.contains("note to work in"), "{repaired}");
    let revised = room.say(rework_by("teacher-adjudication", "- Revise \"Outcomes\": other words"));
    assert!(line(&revised).contains(" (second level, one below the class): Pupils explain"), "{revised}");
}

const SPARSE: &str = "---\nsubject: history\ntext_kind: official\n---\n\n## SOC 3-01a: Castles\n\n- **Outcome:** Pupils explain how castles changed.\n\n\
    ## SOC 3-02a: William Wallace\n\n## SOC 3-03a: Burghs\n\n- **Outcome:** Know burghs.\n\n\
    ## SOC 3-04a: The Reformation\n\nPupils say why the “old” church lost its [power] in Scotland.\nIt took years.\n\n\
    ## SOC 3-05a: Covenanters\n\n- **Outcome:** \"Why\" [and] \"how\" did \"they\" [sign]?\n";

fn history() -> Room {
    let class = CLASS_3B.replace("3B", "2H").replace("[computing]", "[history]");
    Room::new(&[("classes/2H.md", class.as_str()), ("curriculum/history.md", SPARSE)])
}

#[test]
fn sparse_entries_are_found_and_quoted() {
    for (topic, code, quote) in [
        ("castles", "SOC 3-01a", "Pupils explain how castles changed"),
        ("William Wallace", "SOC 3-02a", "William Wallace"),
        ("burghs", "SOC 3-03a", "Know burghs."),
        ("the Reformation", "SOC 3-04a", "Pupils say why the"),
        ("covenanters", "SOC 3-05a", "Covenanters"),
    ] {
        let room = history();
        let lesson = room.say(&format!("{topic} for 2H"));
        let line = lesson.lines().find(|line| line.starts_with("- [")).unwrap_or_else(|| panic!("{topic}: {lesson}"));
        assert!(line.starts_with(&format!("- [{code}](")) && line.contains(&format!("\"{quote}\"")), "{line}");
        assert!(line.ends_with(" (not yet verified)") && !lesson.contains("paraphrase"), "{lesson}");
        check(&lesson, &room, Some("2H"), 50);
    }
    for topic in ["explaining", "changes", "pupils", "years"] {
        assert!(!history().say(&format!("{topic} for 2H")).starts_with("# "), "{topic}");
    }
}

#[test]
fn a_code_is_planned_for_or_refused() {
    for request in ["TCH 3-14a for 3B", "tch314a for 3B"] {
        let lesson = Room::new(FILES).say(request);
        assert!(lesson.starts_with("# Iteration\n") && lesson.contains("- [TCH 3-14a]("), "{lesson}");
    }
    let room = Room::new(FILES);
    let above = room.say("MTH 4-17b for 3B");
    assert!(above.contains(" (fourth level, one above the class): "), "{above}");
    let refusal = room.say("TCH 3-99z for 3B");
    assert!(refusal.starts_with(NO_OUTCOME) && refusal.contains("no file holds that code"), "{refusal}");
    assert!(find_codes(&refusal).is_empty());
}

#[test]
fn the_second_of_two_topics_is_named_and_left_out() {
    let lesson = Room::new(FILES).say("percentages and Pythagoras for 1B");
    assert!(lesson.contains("You also named “Pythagoras”: this lesson leaves it out"), "{lesson}");
    assert!(!lesson.contains("note to work in"), "{lesson}");
}

#[test]
fn a_topics_word_in_another_sense_is_refused() {
    for request in [
        "chance and fate in Romeo and Juliet for 1B",
        "variables in a science experiment for 1B",
        "volume of sound for 1B",
        "the power of language for 1B",
        "food networks and food chains for 1B",
        "food networks and food chains for 3B",
    ] {
        let mut room = shipped_room(CLASS_3B);
        for (path, text) in shipped("classes") {
            room.files.insert(path, text);
        }
        let answer = room.say(request);
        assert!(answer.starts_with(NO_OUTCOME), "{request}: {}", answer.chars().take(500).collect::<String>());
    }
}

#[test]
fn support_that_is_none_is_said_in_plain_words() {
    let class = CLASS_3B.replace("support: keywords with pictures before the task; sentence starters", "support: none");
    let room = Room::new(&[("classes/3B.md", class.as_str()), FILES[2]]);
    let lesson = room.say("iteration for 3B");
    assert!(!lesson.contains(": none"), "{lesson}");
    assert!(lesson.contains("the profile does not say what helps"), "{lesson}");
}

/// A lesson on iteration with one section revised.
fn revised(section: &str, wish: &str) -> (Room, String) {
    let room = Room::new(FILES);
    room.say("iteration for 3B");
    let ask = rework_by("teacher-adjudication", &format!("- Revise \"{section}\": {wish}"));
    let lesson = room.say(&ask);
    let start = lesson.find(&format!("\n## {section}")).unwrap();
    let text = lesson[start + 1..].split("\n## ").next().unwrap().to_owned();
    (room, text)
}

#[test]
fn what_is_to_be_left_is_counted() {
    let items = |text: &str| text.lines().filter(|line| line.starts_with("- ") || line.contains(". ")).count();
    let (_, criteria) = revised("Success criteria", "fewer criteria, only two");
    assert_eq!(criteria.lines().filter(|line| line.starts_with("- ")).count(), 2, "{criteria}");
    let (_, exit) = revised("Exit questions", "only two questions");
    assert_eq!(items(&exit), 2, "{exit}");
    let (_, gone) = revised("Keywords", "delete this section");
    assert_eq!(gone.trim(), "## Keywords\n\nLeft out at the teacher's request.");
}

#[test]
fn what_cannot_be_done_is_said_and_what_was_written_stays() {
    let (_, keywords) = revised("Keywords", "translate into French");
    assert!(keywords.contains("cannot translate") && !keywords.contains("note to work in"), "{keywords}");
    let (room, plenary) = revised("Plenary", "TCH 9-99z must be named here");
    assert!(plenary.contains("TCH 9-99z must be named here"), "{plenary}");
    let finding = rework_by("curriculum-evidence", "- TCH 9-99z (unknown-code, line 90): unknown");
    assert!(room.say(finding).contains("TCH 9-99z must be named here"));
}
