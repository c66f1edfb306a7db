//! What could point at a pupil is shown and kept from the model, wherever it stands.

use crate::support;

use serde_json::{Value, json};
use support::{CREATE, Home};

/// Everything that a model was shown or has said: prompt, answers, tool results.
fn of_model(events: &[Value]) -> String {
    let text = |event: &Value| match event["type"].as_str().unwrap() {
        "prompt.assembled" => event["system"].to_string(),
        "model.answered" | "tool.finished" | "run.finished" => event.to_string(),
        _ => String::new(),
    };
    events.iter().map(text).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_pupil_in_the_request_in_a_file_and_in_memory_is_redacted() {
    let home = Home::new();
    let profile = home.workspace().join("classes/3B.md");
    let text = std::fs::read_to_string(&profile).unwrap() + "\n- Jakub Nowak struggles with reading aloud.\n";
    std::fs::write(&profile, &text).unwrap();
    home.run(&["memory", "add", "classes/3B/MEMORY.md", "Aisha Khan struggles with long texts"]).expect(0);
    let request = "iteration for 3B; Mirren Fraser struggles with loops, call her mother on 0131 496 0123";
    let run = home.run(&[CREATE, request, "--answers", "accept", "--output", "json"]).expect(0).json();
    let events = home.events(run["run"].as_str().unwrap());
    let asked: Vec<&Value> =
        events.iter().filter(|event| event["request"]["kind"] == "ask" && event["by"] == "privacy").collect();
    assert_eq!(asked.len(), 1, "one question for all of it");
    let shown = of_model(&events);
    for data in ["Jakub", "Nowak", "Aisha", "Khan", "Mirren", "Fraser", "0131 496"] {
        assert!(!shown.contains(data), "{data} reaches the model");
    }
    assert!(shown.contains("[a pupil]"), "{shown}");
    assert_eq!(std::fs::read_to_string(&profile).unwrap(), text, "the file stays as it is");
    let same = home.run(&["replay", run["run"].as_str().unwrap(), "--output", "json"]).expect(0).json();
    assert_eq!(same["divergence"], Value::Null);
}

#[test]
fn a_pupil_in_a_wish_for_a_section_is_redacted() {
    let home = Home::new();
    let answers = home.answers(&json!([
        { "question": "sections", "items": {
            "starter": { "revise": "Mirren struggles with reading, so use pictures" }, "*": "accept" } },
        { "question": "sections", "items": { "*": "accept" } },
        { "question": "reflection", "items": { "*": "skip" } },
        { "question": "context", "items": { "*": "confirm" } },
        { "question": "memory", "items": { "*": "dismiss" } },
        { "question": "*", "items": { "*": "redact" } },
    ]));
    let run = home.run(&[CREATE, "iteration for 3B", "--answers", &answers, "--output", "json"]).expect(0).json();
    assert!(!run["output"].as_str().unwrap().contains("Mirren"), "{}", run["output"]);
}

#[test]
fn numbers_in_mathematics_are_nobodys() {
    let home = Home::new();
    let request = "bearings of 045 and 310 degrees and the number 0131496 for 1B";
    let run = home.run(&[CREATE, request, "--answers", "accept", "--output", "json"]).expect(0).json();
    assert!(
        !home
            .events(run["run"].as_str().unwrap())
            .iter()
            .any(|event| event["request"]["kind"] == "ask" && event["by"] == "privacy")
    );
}

#[test]
fn a_long_session_goes_on() {
    let home = Home::new();
    let first = home.run(&[CREATE, "iteration for 3B", "--answers", "accept", "--output", "json"]).expect(0).json();
    let session = first["session"].as_str().unwrap();
    for next in ["now for 1B", "make the starter shorter", "bearings for 1B"] {
        home.run(&["--resume", session, next, "--answers", "accept"]).expect(0);
    }
}

/// A lesson is taught with these: a guard that took one of their words for a name would ask in every such lesson.
#[test]
fn the_material_of_lessons_names_nobody() {
    let home = Home::new();
    let mut read = 0;
    for subject in std::fs::read_dir(home.workspace().join("material")).unwrap() {
        for file in std::fs::read_dir(subject.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            let event = json!({ "input": std::fs::read_to_string(&path).unwrap() });
            let report = home.hook("lesson-planning:privacy", "pre-loop", &event, &[]);
            assert_eq!(report["verdict"], "pass", "{}: {report}", path.display());
            read += 1;
        }
    }
    assert!(read >= 36, "{read}");
}
