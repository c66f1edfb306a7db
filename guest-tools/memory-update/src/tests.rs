use std::cell::RefCell;

use ta_guest::ask::{Answer, Outcome, Question};
use ta_guest::memory_update::NewNote;
use ta_guest::types::ToolCall;

use super::{Memory, definitions, dispatch};

/// Remembers paths and notes; a note that it has is counted.
#[derive(Default)]
struct Files(RefCell<Vec<(String, NewNote)>>, Option<Outcome>, RefCell<Vec<String>>);

impl Memory for Files {
    fn remember(&self, path: &str, note: &NewNote) -> Result<String, String> {
        let known = self.0.borrow().iter().any(|(at, other)| at == path && other.text == note.text);
        self.0.borrow_mut().push((path.into(), note.clone()));
        Ok(if known { "reinforced" } else { "added" }.into())
    }

    fn forget(&self, path: &str, text: &str) -> Result<(), String> {
        let before = self.0.borrow().len();
        self.0.borrow_mut().retain(|(at, note)| at != path || note.text != text);
        if self.0.borrow().len() < before { Ok(()) } else { Err(format!("{path} has no such note")) }
    }

    fn confirm(&self, question: &Question) -> Option<Outcome> {
        let answer = self.1.clone();
        self.2.borrow_mut().extend(answer.is_some().then(|| format!("{}: {}", question.id, question.detail)));
        answer
    }
}

fn update(files: &Files, arguments: &str) -> Result<String, (String, String)> {
    let call = ToolCall { id: "1".into(), name: "update_memory".into(), arguments: arguments.into() };
    dispatch(files, &call).map_err(|failure| (failure.code, failure.message))
}

#[test]
fn a_note_goes_to_the_working_notes_of_its_scope() {
    let files = Files::default();
    let note = r#"{"note":"- Trace tables\n on paper first","scope":"3B","kind":"Preference","importance":70,"evidence":"the request says so"}"#;
    assert_eq!(update(&files, note).unwrap(), "Noted in memory/classes/3B/working-notes.md.");
    assert_eq!(update(&files, note).unwrap(), "Noted before in memory/classes/3B/working-notes.md; counted once more.");
    let written = files.0.borrow()[0].1.clone();
    assert_eq!((written.text.as_str(), written.kind.as_str()), ("Trace tables on paper first", "preference"));
    assert_eq!((written.importance, written.evidence), (70, vec!["the request says so".to_owned()]));
    for (arguments, path) in [
        (r#"{"note":"a","scope":"Teacher"}"#, "memory/working-notes.md"),
        (r#"{"note":"a","scope":"teacher","file":"timing.md"}"#, "memory/timing.md"),
        (r#"{"note":"a","scope":"3B","file":"./lessons.md"}"#, "memory/classes/3B/lessons.md"),
        (r#"{"note":"a","file":"memory/classes/1B/lessons.md"}"#, "memory/classes/1B/lessons.md"),
    ] {
        assert_eq!(update(&Files::default(), arguments).unwrap(), format!("Noted in {path}."), "{arguments}");
    }
}

#[test]
fn a_working_note_is_forgotten() {
    let files = Files::default();
    update(&files, r#"{"note":"Starts slowly","scope":"3B"}"#).unwrap();
    let forgotten = update(&files, r#"{"forget":"Starts slowly","file":"memory/classes/3B/working-notes.md"}"#);
    assert_eq!(forgotten.unwrap(), "Forgotten, in memory/classes/3B/working-notes.md: Starts slowly");
    let again = update(&files, r#"{"forget":"Starts slowly","scope":"3B"}"#).unwrap_err();
    assert_eq!(again, ("memory".into(), "memory/classes/3B/working-notes.md has no such note".into()));
}

#[test]
fn entry_points_are_left_to_the_teacher() {
    for arguments in [
        r#"{"note":"a","scope":"3B","file":"MEMORY.md"}"#,
        r#"{"note":"a","scope":"teacher","file":"memory.MD"}"#,
        r#"{"note":"a","file":"memory/MEMORY.md"}"#,
        r#"{"forget":"a","file":"memory/classes/3B/MEMORY.md"}"#,
    ] {
        let files = Files::default();
        let (code, message) = update(&files, arguments).unwrap_err();
        assert_eq!(code, "protected", "{arguments}");
        assert!(message.contains("teacher's confirmation"), "{message}");
        assert!(files.0.borrow().is_empty());
    }
}

#[test]
fn bad_arguments_are_named() {
    let long = format!(r#"{{"note":"{}","scope":"3B"}}"#, "x".repeat(501));
    for (arguments, name) in [
        ("{}", "`note`"),
        (r#"{"note":"a"}"#, "`scope`"),
        (r#"{"note":"a","scope":"../1B"}"#, "`scope`"),
        (r#"{"note":"a","scope":"3B","file":"../a.md"}"#, "`file`"),
        (r#"{"note":"a","scope":"3B","file":"a.txt"}"#, "`file`"),
        (r#"{"note":"a","scope":"3B","file":"memory/timing.md"}"#, "`file`"),
        (r#"{"note":"a","file":"memory/classes/../a.md"}"#, "`file`"),
        (r#"{"note":"a","forget":"b","scope":"3B"}"#, "`forget`"),
        (r#"{"note":"a","scope":"3B","importance":101}"#, "`importance`"),
        (r#"{"note":"a","scope":"3B","kind":"gossip"}"#, "`kind`"),
        (long.as_str(), "`note`: 501 characters"),
    ] {
        let files = Files::default();
        let (code, message) = update(&files, arguments).unwrap_err();
        assert_eq!(code, "arguments", "{arguments}");
        assert!(message.starts_with(name), "{arguments}: {message}");
        assert!(files.0.borrow().is_empty());
    }
}

#[test]
fn the_definition_is_a_valid_schema() {
    let definition = definitions().remove(0);
    let schema: serde_json::Value = serde_json::from_str(&definition.input_schema).unwrap();
    assert_eq!(schema["properties"]["kind"]["enum"][1], "need");
    assert!(!definition.idempotent && !definition.only_reads);
}

#[test]
fn a_note_is_shown_and_written_only_on_yes() {
    let note = r#"{"note":"Slow to settle","scope":"3B"}"#;
    let yes = Outcome::Answered(Answer::Choice("yes".into()));
    let files = Files(RefCell::default(), Some(yes), RefCell::default());
    assert!(update(&files, note).is_ok());
    assert!(update(&files, r#"{"forget":"Slow to settle","scope":"3B"}"#).is_ok());
    let shown = files.2.borrow();
    let known = "Kind: other · Scope: 3B · Importance: 50 of 100 · File: memory/classes/3B/working-notes.md";
    assert_eq!(shown[0], format!("change:memory of 3B: ```diff\n+- Slow to settle\n```\n\n{known}"));
    assert!(shown[1].contains("\n-- Slow to settle\n"), "{shown:?}");
    for outcome in
        [Outcome::Answered(Answer::Choice("no".into())), Outcome::Dismissed, Outcome::Declined, Outcome::TimedOut]
    {
        let files = Files(RefCell::default(), Some(outcome), RefCell::default());
        assert_eq!(update(&files, note).unwrap_err().0, "not-confirmed");
        assert!(files.0.borrow().is_empty());
    }
}
