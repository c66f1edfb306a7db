use crate::provider::{Part, ToolResult};
use serde_json::json;

use super::*;

fn tool(name: &str) -> String {
    name.to_owned()
}

fn call(id: &str) -> Message {
    let arguments = json!({"path": "classes"}).to_string();
    Message::assistant("", vec![ToolCall { id: id.into(), name: "list_directory".into(), arguments }])
}

fn result(id: &str, failed: bool) -> Message {
    Message::tool(ToolResult { id: id.into(), name: "list_directory".into(), failed, text: "3B.md (9 bytes)".into() })
}

fn ask<'a>(messages: &'a [Message], tools: &'a [String]) -> Reply<&'a str> {
    Desk::new(Talk::read(messages, true), tools).ask("list_directory", &json!({"path": "classes"}))
}

#[test]
fn a_call_is_made_answered_and_repeated_once_at_most() {
    let tools = [tool("list_directory")];
    let mut messages = vec![Message::user("iteration for 3B")];
    assert_eq!(ask(&messages, &tools), Reply::Asked);
    messages.extend([call("a"), result("a", true)]);
    assert_eq!(ask(&messages, &tools), Reply::Asked);
    messages.extend([call("b"), result("b", true)]);
    assert_eq!(ask(&messages, &tools), Reply::Failed("3B.md (9 bytes)".into()));
    messages.extend([call("c"), result("c", false)]);
    assert_eq!(ask(&messages, &tools), Reply::Here("3B.md (9 bytes)"));
    assert_eq!(ask(&[Message::user("x")], &[]), Reply::NotOffered);
}

#[test]
fn a_new_request_opens_a_new_job() {
    let messages = [
        Message::user("iteration for 3B"),
        call("a"),
        result("a", false),
        Message::assistant("# Iteration\n\n## Outcomes\n", Vec::new()),
        Message::user("now for 1B"),
    ];
    let talk = Talk::read(&messages, true);
    assert_eq!(talk.request(), "now for 1B");
    assert_eq!(talk.earlier_requests().collect::<Vec<_>>(), ["iteration for 3B"]);
    assert!(talk.last_lesson().is_some());
    assert_eq!(ask(&messages, &[tool("list_directory")]), Reply::Asked);
}

#[test]
fn withdrawn_calls_do_not_end_a_job() {
    let messages = [
        Message::user("iteration for 3B"),
        call("a"),
        result("a", false),
        Message::assistant("(tool calls withdrawn)", Vec::new()),
        Message::user("").with(Part::new("rework", &[("hook", "gate")], "Not that file.")),
    ];
    let talk = Talk::read(&messages, true);
    assert!(!talk.is_rework());
    assert_eq!(talk.request(), "iteration for 3B");
    assert_eq!(ask(&messages, &[tool("list_directory")]), Reply::Here("3B.md (9 bytes)"));
}

#[test]
fn a_nudge_of_the_host_is_no_request() {
    let messages = [Message::user("iteration"), call("a"), Message::user("Give your final answer now.")];
    assert_eq!(Talk::read(&messages, true).request(), "iteration");
}
