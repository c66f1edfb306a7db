use std::cell::RefCell;

use ta_guest::Subject;
use ta_guest::sessions::{Found, Query};
use ta_guest::types::ToolCall;

use super::{Sessions, definitions, dispatch};

#[derive(Default)]
struct List {
    found: Vec<Found>,
    asked: RefCell<Vec<Query>>,
}

impl Sessions for List {
    fn search(&self, query: &Query) -> Result<Vec<Found>, String> {
        self.asked.borrow_mut().push(query.clone());
        Ok(self.found.clone())
    }

    fn read(&self, session: &str) -> Result<String, String> {
        match session {
            "s-1" => Ok("# 3B iteration".into()),
            other => Err(format!("there is no session `{other}`")),
        }
    }
}

fn found(session: &str, class: Option<&str>, snippet: &str) -> Found {
    Found {
        session: session.into(),
        title: "Repeating\nwith loops".into(),
        subject: class.map(class_named),
        command: "create-lesson".into(),
        day: "2026-11-12".into(),
        snippet: snippet.into(),
    }
}

fn class_named(id: &str) -> Subject {
    Subject { kind: "class".into(), id: id.into() }
}

fn use_tool(list: &List, name: &str, arguments: &str) -> Result<String, (String, String)> {
    let call = ToolCall { id: "1".into(), name: name.into(), arguments: arguments.into() };
    dispatch(list, &call).map_err(|failure| (failure.code, failure.message))
}

#[test]
fn a_search_is_passed_on_and_shown() {
    let list =
        List { found: vec![found("s-1", Some("3B"), "a [loop]\n repeats"), found("s-2", None, "")], ..List::default() };
    let arguments = r#"{"words":" loop*  starter ","class":"3B","since":"2026-08-17","until":"2026-11-22","limit":5}"#;
    assert_eq!(
        use_tool(&list, "search_sessions", arguments).unwrap(),
        "2 sessions, the best first. Read one with read_session.\n\
         - `s-1`: Repeating with loops (2026-11-12, class 3B, create-lesson)\n  a [loop] repeats\n\
         - `s-2`: Repeating with loops (2026-11-12, no class, create-lesson)"
    );
    let query = list.asked.borrow()[0].clone();
    assert_eq!(
        (query.words.as_str(), query.subject.clone(), query.limit),
        ("loop* starter", Some(class_named("3B")), 5)
    );
    assert_eq!((query.since.as_deref(), query.until.as_deref()), (Some("2026-08-17"), Some("2026-11-22")));
    use_tool(&list, "search_sessions", "{}").unwrap();
    let query = list.asked.borrow()[1].clone();
    assert_eq!((query.words.as_str(), query.subject, query.limit), ("", None, 10));
}

#[test]
fn nothing_found_says_what_to_try() {
    let list = List::default();
    let text = |arguments: &str| use_tool(&list, "search_sessions", arguments).unwrap();
    assert!(text(r#"{"words":"iteration"}"#).contains("fewer words"));
    assert!(text(r#"{"class":"3B"}"#).contains("Leave out the class"));
    assert!(text("{}").contains("no earlier sessions"));
}

#[test]
fn bad_arguments_are_named() {
    let list = List::default();
    for (arguments, problem) in [
        (r#"{"since":"last week"}"#, "`since`: expected a day such as 2026-11-22."),
        (r#"{"until":"2026-13-01"}"#, "`until`: expected a day such as 2026-11-22."),
        (r#"{"until":"2026-11-2"}"#, "`until`: expected a day such as 2026-11-22."),
        (
            r#"{"since":"2026-11-22","until":"2026-11-01"}"#,
            "`since`: 2026-11-22 is after `until`, 2026-11-01; swap them.",
        ),
        (r#"{"limit":51}"#, "`limit`: at most 50; narrow the search by class or dates instead."),
    ] {
        let (code, message) = use_tool(&list, "search_sessions", arguments).unwrap_err();
        assert_eq!((code.as_str(), message.as_str()), ("arguments", problem), "{arguments}");
    }
    let long = format!(r#"{{"words":"{}"}}"#, "x".repeat(201));
    assert_eq!(use_tool(&list, "search_sessions", &long).unwrap_err().1, "`words`: 201 characters; at most 200.");
    assert!(list.asked.borrow().is_empty());
}

#[test]
fn a_session_is_read_by_its_id() {
    let list = List::default();
    assert_eq!(use_tool(&list, "read_session", r#"{"session":" s-1 "}"#).unwrap(), "# 3B iteration");
    let unknown = use_tool(&list, "read_session", r#"{"session":"s-9"}"#).unwrap_err();
    assert_eq!(unknown, ("not-found".into(), "there is no session `s-9`".into()));
    assert!(use_tool(&list, "read_session", r#"{"session":" "}"#).unwrap_err().1.contains("search_sessions"));
    assert_eq!(use_tool(&list, "find", "{}").unwrap_err().0, "unknown-tool");
}

#[test]
fn the_definitions_are_valid_schemas() {
    for definition in definitions() {
        let schema: serde_json::Value = serde_json::from_str(&definition.input_schema).unwrap();
        assert_eq!(schema["type"], "object");
        assert!(definition.idempotent && definition.only_reads);
    }
}
