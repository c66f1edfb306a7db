//! The limits of the loop, through the binary, with a scripted model.

use crate::support;

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

/// One message with several calls.
fn calls(calls: &[(&str, &str)]) -> Value {
    let calls: Vec<Value> =
        calls.iter().map(|(name, path)| json!({ "name": name, "arguments": { "path": path } })).collect();
    json!({ "text": "", "calls": calls })
}

#[test]
fn calls_of_one_message_that_fail_are_one_failure_and_the_model_reads_each() {
    let missing: Vec<String> = (0..6).map(|n| format!("guess-{n}.md")).collect();
    let missing: Vec<(&str, &str)> = missing.iter().map(|path| ("read_file", path.as_str())).collect();
    let unknown = [("nope", "x"); 12];
    for message in [calls(&missing), calls(&unknown)] {
        let home = Home::new();
        let (code, end) = run(&home, &json!([message, { "text": LESSON }]), &[]);
        assert_eq!((code, end["status"].as_str()), (0, Some("success")), "{end}");
        let replayed = home.run(&["replay", end["run"].as_str().unwrap(), "--output", "json"]).expect(0).json();
        assert_eq!(replayed["divergence"], Value::Null, "{replayed}");
    }
    // Between messages that failed it goes on as long as it may, and no longer.
    let home = Home::new();
    let plugins = home.plugins_with(&["maxToolRetries: 2", "maxNoProgressIterations: 9"]);
    let (code, end) = run(&home, &json!([calls(&missing), calls(&missing), calls(&missing)]), &["--plugins", &plugins]);
    assert_eq!((code, end["status"].as_str()), (5, Some("error_tool_retry_exhausted")), "{end}");
    assert!(end["reason"].as_str().unwrap().contains("3 messages in a row"), "{end}");
    // One call that succeeds says that the tool works.
    let mixed = calls(&[("read_file", "soul.md"), missing[0], missing[1]]);
    let answers = json!([calls(&missing), calls(&missing), mixed, calls(&missing), { "text": LESSON }]);
    let (code, end) = run(&Home::new(), &answers, &["--plugins", &plugins]);
    assert_eq!((code, end["status"].as_str()), (0, Some("success")), "{end}");
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
