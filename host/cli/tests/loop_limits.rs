//! The limits of the loop, through the binary, with a scripted model.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod support;

use serde_json::{Value, json};
use support::{CREATE, Home, LESSON};

fn run(home: &Home, answers: &Value, more: &[&str]) -> (i32, Value) {
    let script = home.script(answers);
    let mut arguments = vec![
        CREATE,
        "iteration for 3B",
        "--provider",
        "script",
        "--script",
        &script,
        "--answers",
        "accept",
        "--output",
        "json",
    ];
    arguments.extend(more);
    let call = home.run(&arguments);
    (call.code, call.json())
}

fn read(path: &str) -> Value {
    json!({ "text": "", "calls": [{ "name": "read_file", "arguments": { "path": path } }] })
}

#[test]
fn turns() {
    let home = Home::new();
    let (code, end) =
        run(&home, &json!([read("soul.md"), read("teacher.md"), read("pedagogy.md")]), &["--max-turns", "2"]);
    assert_eq!((code, end["status"].as_str()), (5, Some("error_max_turns")));
}

#[test]
fn money() {
    let home = Home::new();
    let mut dear = read("soul.md");
    dear["cost_usd"] = json!(2.5);
    let (code, end) = run(&home, &json!([dear, read("teacher.md")]), &[]);
    assert_eq!((code, end["status"].as_str()), (5, Some("error_max_budget")));
    assert_eq!(end["cost_usd"], 2.5);
}

#[test]
fn repetition() {
    let home = Home::new();
    let answers: Vec<Value> = (0..6).map(|_| read("soul.md")).collect();
    let (code, end) = run(&home, &json!(answers), &[]);
    assert_eq!((code, end["status"].as_str()), (5, Some("error_no_progress")));
}

#[test]
fn a_tool_that_keeps_failing() {
    let home = Home::new();
    let answers: Vec<Value> = (0..6).map(|n| read(&format!("nothing-{n}.md"))).collect();
    let (code, end) = run(&home, &json!(answers), &[]);
    assert_eq!(code, 5, "{end}");
    assert!(["error_tool_retry_exhausted", "error_no_progress"].contains(&end["status"].as_str().unwrap()));
}

#[test]
fn a_tools_error_goes_back_to_the_model() {
    let home = Home::new();
    let (code, end) = run(&home, &json!([read("../../etc/passwd"), { "text": LESSON }]), &[]);
    assert_eq!((code, end["status"].as_str()), (0, Some("success")));
}

#[test]
fn a_script_that_ends_parks_the_run() {
    let home = Home::new();
    let script = home.script(&json!([read("soul.md")]));
    let call = home
        .run(&[
            CREATE,
            "iteration for 3B",
            "--provider",
            "script",
            "--script",
            &script,
            "--answers",
            "accept",
            "--output",
            "json",
        ])
        .expect(6);
    assert_eq!(call.json()["status"], "parked");
    assert!(call.err.contains("model.script_exhausted") && call.err.contains("--resume"), "{}", call.err);
}

#[test]
fn files_are_written_below_lessons_and_nowhere_else() {
    let home = Home::new();
    let write = |path: &str| json!({ "text": "", "calls": [{ "name": "write_file", "arguments": { "path": path, "content": "new" } }] });
    let before = std::fs::read_to_string(home.workspace().join("soul.md")).unwrap();
    let answers = json!([write("soul.md"), write("lessons/notes.md"), write("lessons/../soul.md"), { "text": LESSON }]);
    let (code, _) = run(&home, &answers, &[]);
    assert_eq!(code, 0);
    assert_eq!(std::fs::read_to_string(home.workspace().join("soul.md")).unwrap(), before);
    assert_eq!(std::fs::read_to_string(home.workspace().join("lessons/notes.md")).unwrap(), "new");
}
