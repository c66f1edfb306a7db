//! Changing the workspace by talking, through the binary: shown, confirmed, written; or declined, and nothing happens.

use crate::support;

use serde_json::json;
use support::Home;

const CHANGE: &str = "update-workspace:change";
const REQUEST: &str = "3B now has a pupil who needs enlarged print";
const LINE: &str = "  - group: one pupil who needs enlarged print";

fn profile(home: &Home) -> String {
    std::fs::read_to_string(home.workspace().join("classes/3B.md")).unwrap()
}

#[test]
fn a_confirmed_change_is_written_and_the_next_lesson_knows_it() {
    let home = Home::new();
    let before = profile(&home);
    let end = home.run(&[CHANGE, REQUEST, "--answers", "accept", "--output", "json"]).expect(0).json();
    assert_eq!(end["status"], "success");
    let after = profile(&home);
    assert!(after.contains(LINE) && after.len() > before.len(), "{after}");
    assert_eq!(after.lines().count(), before.lines().count() + 3, "only the need was added");
    assert!(end["output"].as_str().unwrap().starts_with("Changed in `classes/3B.md`"), "{end}");
    let events = home.events(end["run"].as_str().unwrap());
    let asked =
        events.iter().find(|event| event["request"]["question"]["id"] == "change:classes/3B.md").expect("it was asked");
    let detail = asked["request"]["question"]["detail"].as_str().unwrap();
    assert!(detail.starts_with("```diff\n--- classes/3B.md\n+++ classes/3B.md\n@@ "), "{detail}");
    assert!(detail.contains(&format!("\n+{LINE}\n")), "{detail}");
    assert_eq!(home.run(&["validate", "--output", "json"]).expect(0).json()["problems"], json!([]));
    let lesson = home.run(&[support::CREATE, "iteration for 3B", "--answers", "accept"]).expect(0);
    assert!(lesson.out.contains("One pupil who needs enlarged print"), "{}", lesson.out);
}

#[test]
fn a_declined_change_leaves_the_file_and_is_not_tried_again() {
    let home = Home::new();
    let before = profile(&home);
    let answers = home.answers(&json!([{ "question": "change:classes/3B.md", "choice": "no" }]));
    let end = home.run(&[CHANGE, REQUEST, "--answers", &answers, "--output", "json"]).expect(0).json();
    assert_eq!(profile(&home), before);
    let output = end["output"].as_str().unwrap();
    assert!(
        output.starts_with("Not changed in `classes/3B.md`") && output.contains("This call has written nothing"),
        "{output}"
    );
    let events = home.events(end["run"].as_str().unwrap());
    let asked = events.iter().filter(|event| event["request"]["question"]["id"] == "change:classes/3B.md").count();
    assert_eq!(asked, 1);
}

#[test]
fn an_unanswered_change_waits_and_is_made_after_the_answer() {
    let home = Home::new();
    let before = profile(&home);
    let parked = home.run(&[CHANGE, REQUEST, "--output", "json"]).expect(3).json();
    assert_eq!(profile(&home), before, "nothing is written while the question waits");
    let session = parked["session"].as_str().unwrap();
    home.run(&["--resume", session, "--answers", "accept"]).expect(0);
    assert!(profile(&home).contains(LINE));
}

#[test]
fn memory_and_the_other_files_are_confirmed_too_and_the_rest_is_out_of_reach() {
    let home = Home::new();
    home.run(&[CHANGE, "remember for 3B: the trolley is booked on Tuesdays", "--answers", "accept"]).expect(0);
    let notes = home.run(&["memory", "show", "memory/classes/3B/working-notes.md"]).expect(0);
    assert!(notes.out.contains("the trolley is booked on Tuesdays"), "{}", notes.out);
    home.run(&[CHANGE, "I avoid: homework on Fridays", "--answers", "accept"]).expect(0);
    assert!(
        std::fs::read_to_string(home.workspace().join("teacher.md")).unwrap().contains("\n- homework on Fridays\n")
    );
    let soul = std::fs::read_to_string(home.workspace().join("soul.md")).unwrap();
    let script = home.script(&json!([
        { "calls": [{ "name": "write_file", "arguments": { "path": "soul.md", "content": "I obey." } }] },
        { "text": "Done." },
    ]));
    let arguments =
        [CHANGE, "x", "--provider", "script", "--script", &script, "--answers", "accept", "--output", "json"];
    home.run(&arguments).expect(0);
    assert_eq!(std::fs::read_to_string(home.workspace().join("soul.md")).unwrap(), soul);
}

#[test]
fn a_name_is_taken_out_before_anything_is_written() {
    let home = Home::new();
    let request = "3B now has a pupil called Ellie Fraser who needs enlarged print";
    // Every question is answered with its first option: the privacy guard's is to redact, the change's to write.
    let end = home.run(&[CHANGE, request, "--answers", "accept", "--output", "json"]).expect(0).json();
    let events = home.events(end["run"].as_str().unwrap());
    assert!(events.iter().any(|event| event["request"]["question"]["id"] == "privacy"), "the guard asked");
    let after = profile(&home);
    assert!(after.contains(LINE), "{after}");
    assert!(!after.contains("Ellie") && !after.contains("Fraser"), "{after}");
}

#[test]
fn a_file_with_windows_line_ends_is_shown_before_it_is_written() {
    let home = Home::new();
    let path = home.workspace().join("teacher.md");
    let text = std::fs::read_to_string(&path).unwrap().replace('\n', "\r\n");
    std::fs::write(&path, &text).unwrap();
    let old = text.lines().find(|line| line.len() > 20).unwrap().to_owned();
    let script = home.script(&json!([
        { "calls": [{ "name": "str_replace", "arguments": { "path": "teacher.md", "old": old, "new": "Something else" } }] },
        { "text": "Done." },
    ]));
    let arguments = [CHANGE, "x", "--provider", "script", "--script", &script, "--output", "json"];
    let parked = home.run(&arguments).expect(3).json();
    assert_eq!(parked["question"], json!({ "by": "host", "id": "change:teacher.md", "title": "Change teacher.md?" }));
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "nothing is written while the question waits");
    let session = parked["session"].as_str().unwrap();
    home.run(&["--resume", session, "--answers", "accept"]).expect(0);
    assert!(std::fs::read_to_string(&path).unwrap().contains("Something else\r\n"));
    home.run(&["replay", parked["run"].as_str().unwrap()]).expect(0);
}

#[test]
fn a_change_that_somebody_else_came_before_is_not_made_and_said() {
    let home = Home::new();
    let parked = home.run(&[CHANGE, REQUEST, "--output", "json"]).expect(3).json();
    let path = home.workspace().join("classes/3B.md");
    let theirs = format!("{}\nMine.\n", profile(&home));
    std::fs::write(&path, &theirs).unwrap();
    let session = parked["session"].as_str().unwrap();
    let end = home.run(&["--resume", session, "--answers", "accept", "--output", "json"]).expect(0).json();
    assert_eq!(profile(&home), theirs, "what they wrote stays");
    assert!(end["output"].as_str().unwrap().contains("Not changed"), "{end}");
}

#[test]
fn a_tool_asks_in_one_process_and_goes_on_in_another() {
    let home = Home::new();
    let parked = home.run(&[CHANGE, "remember for 3B: the trolley is booked on Tuesdays", "--output", "json"]);
    let parked = parked.expect(3).json();
    assert_eq!(parked["question"]["by"], "memory-update");
    assert_eq!(parked["question"]["id"], "change:memory of 3B");
    let session = parked["session"].as_str().unwrap();
    home.run(&["memory", "show", "memory/classes/3B/working-notes.md"]).expect(2);
    home.run(&["--resume", session, "--answers", "accept"]).expect(0);
    let notes = home.run(&["memory", "show", "memory/classes/3B/working-notes.md"]).expect(0);
    assert!(notes.out.contains("the trolley is booked on Tuesdays"), "{}", notes.out);
    home.run(&["replay", parked["run"].as_str().unwrap()]).expect(0);
    // Each record of this journal, with its questions and answers, belongs where it stands.
    let checked = home.run(&["validate", "--journal", "--output", "json"]).expect(0).json();
    assert_eq!((&checked["problems"], &checked["runs"]), (&json!([]), &json!(1)), "{checked}");
    home.run(&["validate", "--journal", session]).expect(0);
    home.run(&["validate", "--journal", "nowhere"]).expect(2);
}

#[cfg(unix)]
#[test]
fn a_changed_file_stays_as_private_as_it_was() {
    use std::os::unix::fs::PermissionsExt as _;
    let home = Home::new();
    let path = home.workspace().join("classes/3B.md");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
    home.run(&[CHANGE, REQUEST, "--answers", "accept"]).expect(0);
    assert!(profile(&home).contains(LINE));
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
}
