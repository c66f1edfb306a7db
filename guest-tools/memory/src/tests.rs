use ta_guest::memory::{File, Note};
use ta_guest::types::ToolCall;

use super::{LINES_MAX, Memory, definitions, dispatch};

struct Table(Vec<File>);

impl Memory for Table {
    fn files(&self) -> Vec<String> {
        self.0.iter().map(|file| file.path.clone()).collect()
    }

    fn read(&self, path: &str) -> Result<File, String> {
        let found = self.0.iter().find(|file| file.path == path).cloned();
        found.ok_or_else(|| format!("There is no file {path} in memory."))
    }
}

fn note(text: &str, kind: &str, times: u32) -> Note {
    Note {
        text: text.into(),
        kind: kind.into(),
        importance: 60,
        evidence: Vec::new(),
        times,
        created: 1_763_000_000_000,
    }
}

fn file(path: &str, text: &str, notes: Vec<Note>) -> File {
    File { path: path.into(), text: text.into(), sha256: "0".repeat(64), notes }
}

fn read(table: &Table, arguments: &str) -> Result<String, (String, String)> {
    let call = ToolCall { id: "1".into(), name: "read_memory".into(), arguments: arguments.into() };
    dispatch(table, &call).map_err(|failure| (failure.code, failure.message))
}

fn table() -> Table {
    let notes = vec![note("Short starters", "timing", 2), note("Pairs first", "", 1)];
    Table(vec![
        file("memory/MEMORY.md", "", Vec::new()),
        file("memory/classes/3B/MEMORY.md", "# 3B\n\n- Short starters\n- written by hand\n- Pairs first\n", notes),
    ])
}

#[test]
fn files_are_listed_and_a_file_shows_where_its_notes_come_from() {
    for arguments in ["{}", r#"{"path":" "}"#, r#"{"path":"memory/"}"#] {
        assert_eq!(read(&table(), arguments).unwrap(), "- memory/MEMORY.md\n- memory/classes/3B/MEMORY.md");
    }
    let text = "# 3B\n\n- Short starters (timing, noted 2025-11-13, 2 sessions)\n- written by hand\n\
                - Pairs first (other, noted 2025-11-13, 1 session)";
    for path in ["memory/classes/3B/MEMORY.md", "classes/3B/MEMORY.md", "./memory/classes/3B/MEMORY.md"] {
        assert_eq!(read(&table(), &format!(r#"{{"path":"{path}"}}"#)).unwrap(), text);
    }
    assert_eq!(read(&table(), r#"{"path":"MEMORY.md"}"#).unwrap(), "memory/MEMORY.md is empty.");
    assert_eq!(read(&Table(Vec::new()), "{}").unwrap(), "Nothing has been written down yet.");
}

#[test]
fn what_there_is_not_says_what_there_is() {
    let (code, message) = read(&table(), r#"{"path":"memory/classes/9Z/MEMORY.md"}"#).unwrap_err();
    assert_eq!(code, "not-found");
    assert_eq!(
        message,
        "There is no file memory/classes/9Z/MEMORY.md in memory.\nThere is:\n\
         - memory/MEMORY.md\n- memory/classes/3B/MEMORY.md"
    );
    assert_eq!(read(&table(), r#"{"file":"a"}"#).unwrap_err().0, "arguments");
}

#[test]
fn a_long_file_is_read_in_parts() {
    let text: String = (1..=LINES_MAX + 5).map(|line| format!("line {line}\n")).collect();
    let table = Table(vec![file("memory/long.md", &text, Vec::new())]);
    let first = read(&table, r#"{"path":"long.md"}"#).unwrap();
    assert!(first.ends_with("line 400\n(lines 401 to 405 follow: read on with from_line 401)"), "{first}");
    let rest = read(&table, r#"{"path":"long.md","from_line":401}"#).unwrap();
    assert_eq!(rest, "line 401\nline 402\nline 403\nline 404\nline 405");
    let beyond = read(&table, r#"{"path":"long.md","from_line":406}"#).unwrap_err();
    assert_eq!(beyond.1, "`from_line`: memory/long.md has 405 lines.");
}

#[test]
fn the_definition_is_a_valid_schema() {
    let definition = definitions().remove(0);
    let schema: serde_json::Value = serde_json::from_str(&definition.input_schema).unwrap();
    assert_eq!(schema["type"], "object");
    assert!(definition.idempotent && definition.only_reads);
}
