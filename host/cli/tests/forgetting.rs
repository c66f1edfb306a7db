//! What is forgotten stays forgotten, and what is erased is gone from memory too, whatever a person did to it since.

use crate::support;

use serde_json::{Value, json};
use support::Home;

const CHANGE: &str = "update-workspace:change";
const FILE: &str = "memory/classes/3B/working-notes.md";
const NOTE: &str = "Slow to settle after the zyzzogeton";

/// A run whose model calls `update_memory` with these arguments.
fn remember(home: &Home, arguments: &Value) -> Value {
    let call = json!({ "name": "update_memory", "arguments": arguments });
    let script = home.script(&json!([{ "calls": [call] }, { "text": "Done." }]));
    let begin = [CHANGE, "x", "--provider", "script", "--script", &script, "--answers", "accept", "--output", "json"];
    home.run(&begin).expect(0).json()
}

fn noted(home: &Home, note: &str) -> Value {
    remember(home, &json!({ "note": note, "scope": "3B" }))
}

fn shown(home: &Home) -> String {
    home.run(&["memory", "show", FILE]).out
}

fn erase(home: &Home, run: &Value) -> Value {
    home.run(&["erase", "--session", run["session"].as_str().unwrap(), "--output", "json"]).expect(0).json()
}

fn left<'a>(report: &'a Value, kind: &str) -> Vec<&'a str> {
    let left = report["left"].as_array().unwrap();
    left.iter().filter(|it| it["kind"] == kind).map(|it| it["what"].as_str().unwrap()).collect()
}

#[test]
fn erasing_the_session_that_forgot_a_note_does_not_bring_it_back() {
    let home = Home::new();
    noted(&home, NOTE);
    noted(&home, "Likes quizzes");
    let forgot = remember(&home, &json!({ "forget": NOTE, "scope": "3B" }));
    assert!(!shown(&home).contains(NOTE));
    let other = noted(&home, "Works well in pairs");
    erase(&home, &forgot);
    assert!(!shown(&home).contains(NOTE) && shown(&home).contains("- Likes quizzes\n"), "{}", shown(&home));
    // Nor does erasing another one afterwards.
    erase(&home, &other);
    assert!(!shown(&home).contains(NOTE) && shown(&home).contains("- Likes quizzes\n"), "{}", shown(&home));
    // It may be learned anew.
    noted(&home, NOTE);
    assert!(shown(&home).contains(NOTE));
}

#[test]
fn the_note_of_an_erased_session_goes_and_what_a_person_typed_stays() {
    let home = Home::new();
    let first = noted(&home, NOTE);
    let second = noted(&home, "Likes quizzes");
    let typed = format!("{}- Trolley on Tuesdays\n", shown(&home));
    home.run_with(&["memory", "edit", FILE, "--from", "-"], &typed).expect(0);
    let report = erase(&home, &first);
    let text = shown(&home);
    assert!(!text.contains(NOTE), "{text}");
    assert!(text.contains("- Likes quizzes\n") && text.contains("- Trolley on Tuesdays\n"), "{text}");
    assert_eq!(left(&report, "session"), [second["session"].as_str().unwrap()], "it read the file: {report}");
    assert_eq!(left(&report, "memory"), [FILE], "{report}");
    // All that is named can be reached.
    let report = erase(&home, &second);
    assert_eq!(left(&report, "session"), Vec::<&str>::new(), "{report}");
    assert!(shown(&home).contains("- Trolley on Tuesdays\n") && !shown(&home).contains("quizzes"), "{}", shown(&home));
    let data = std::fs::read(home.path("data/journal.db")).unwrap();
    assert!(!data.windows(8).any(|window| window == b"zzogeton"), "the journal holds it nowhere");
    // The person's changes go on from there.
    home.run(&["memory", "add", FILE, "Room 12 on Fridays"]).expect(0);
    assert!(shown(&home).contains("Room 12 on Fridays"));
    home.run(&["validate", "--journal"]).expect(0);
}

#[test]
fn a_note_that_another_session_came_to_as_well_stays() {
    let home = Home::new();
    let first = noted(&home, NOTE);
    noted(&home, NOTE);
    home.run_with(&["memory", "edit", FILE, "--from", "-"], &format!("- {NOTE}\n- Mine\n")).expect(0);
    erase(&home, &first);
    assert!(shown(&home).contains(NOTE) && shown(&home).contains("- Mine\n"), "{}", shown(&home));
}

#[test]
fn a_fork_that_comes_to_the_same_note_is_no_other_session() {
    let home = Home::new();
    let times = || {
        let file = home.run(&["memory", "show", FILE, "--output", "json"]).expect(0).json();
        file["notes"].as_object().unwrap().values().map(|note| note["times"].as_u64().unwrap()).collect::<Vec<_>>()
    };
    let first = noted(&home, NOTE);
    let run = first["run"].as_str().unwrap();
    let events = home.events(run);
    let asked = events.iter().find(|event| event["request"]["kind"] == "ask").unwrap()["seq"].to_string();
    let fork = ["fork", run, "--at", &asked, "--answers", "accept", "--output", "json"];
    let fork = home.run(&fork).expect(0).json();
    home.run(&["fork", fork["run"].as_str().unwrap(), "--at", "1", "--answers", "accept"]).expect(0);
    assert_eq!(times(), [1], "a session and its forks are one");
    noted(&home, NOTE);
    assert_eq!(times(), [2]);
}
