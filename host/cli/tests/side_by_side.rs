//! Several tool calls in one message: which of them run side by side, and which in their order.

use serde_json::{Value, json};

use crate::support::{CREATE, Home, LESSON};

/// The types of a session's records about tools and tasks, each with the call that it is about.
fn about_tools(records: &[Value]) -> Vec<(&str, &str)> {
    let shown = records.iter().filter_map(|record| {
        let name = record["type"].as_str()?;
        let id = match name {
            "tool.started" => record["call"]["id"].as_str()?,
            "tool.finished" => record["result"]["id"].as_str()?,
            "tasks.replaced" => record["tasks"][0]["title"].as_str()?,
            _ => return None,
        };
        Some((name, id))
    });
    shown.collect()
}

#[test]
fn two_changes_of_the_tasks_in_one_message_are_made_in_their_order() {
    let home = Home::new();
    let update = |title: &str| {
        let tasks = json!([{ "id": "1", "title": title, "status": "pending" }]);
        json!({ "name": "update_tasks", "arguments": { "tasks": tasks } })
    };
    let both = json!({ "text": "", "calls": [update("first"), update("second")] });
    let script = home.script(&json!([both, { "text": LESSON }]));
    let run = [CREATE, "iteration for 3B", "--provider", "script", "--script", &script, "--answers", "accept"];
    let end = home.run(&[&run[..], &["--single-agent", "--output", "json"]].concat()).expect(0).json();
    let records = home.records(end["session"].as_str().unwrap());
    let seen = about_tools(&records);
    let names: Vec<&str> = seen.iter().map(|(name, _)| *name).collect();
    let once = ["tool.started", "tool.finished", "tasks.replaced"];
    assert_eq!(names, [once, once].concat(), "{seen:?}");
    assert_eq!((seen[2].1, seen[5].1), ("first", "second"), "the last one wins");
    assert_ne!(seen[0].1, seen[3].1, "two calls");
}

#[test]
fn calls_that_only_read_run_side_by_side() {
    let home = Home::new();
    let read = |path: &str| json!({ "name": "read_file", "arguments": { "path": path } });
    let both = json!({ "text": "", "calls": [read("teacher.md"), read("pedagogy.md")] });
    let script = home.script(&json!([both, { "text": LESSON }]));
    let run = [CREATE, "iteration for 3B", "--provider", "script", "--script", &script, "--answers", "accept"];
    let end = home.run(&[&run[..], &["--single-agent", "--output", "json"]].concat()).expect(0).json();
    let records = home.records(end["session"].as_str().unwrap());
    let names: Vec<&str> = about_tools(&records).iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["tool.started", "tool.started", "tool.finished", "tool.finished"]);
}
