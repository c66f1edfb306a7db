use ta_guest::types::ToolCall;

use crate::dispatch;
use crate::testing::Table;

fn workspace() -> Table {
    Table::new(
        &[(".", false), ("lessons", true)],
        &[
            ("classes/2A.md", "# 2A\n"),
            ("classes/3B.md", "# 3B\nlevel: third\n\nlast"),
            ("lessons/loops.md", "one\ntwo\none\r\nfour\r\n"),
            ("teacher.md", ""),
        ],
    )
}

fn run(files: &Table, name: &str, arguments: &str) -> Result<String, (String, String)> {
    let call = ToolCall { id: "1".into(), name: name.into(), arguments: arguments.into() };
    dispatch(files, &call).map_err(|failure| (failure.code, failure.message))
}

fn failed(name: &str, arguments: &str) -> (String, String) {
    run(&workspace(), name, arguments).unwrap_err()
}

#[test]
fn a_file_is_read_with_line_numbers() {
    let read = |arguments| run(&workspace(), "read_file", arguments).unwrap();
    assert_eq!(read(r#"{"path":"classes/3B.md"}"#), "     1\t# 3B\n     2\tlevel: third\n     3\t\n     4\tlast");
    assert_eq!(
        read(r#"{"path":"workspace/classes/3B.md","offset":2,"limit":1}"#),
        "     2\tlevel: third\n[lines 2-2 of 4]"
    );
    assert_eq!(read(r#"{"path":"classes/3B.md","offset":4,"limit":9}"#), "     4\tlast\n[lines 4-4 of 4]");
    assert_eq!(read(r#"{"path":"teacher.md"}"#), "[the file is empty]");
    assert!(read(r#"{"path":"lessons/loops.md"}"#).ends_with("     3\tone\n     4\tfour"));
}

#[test]
fn a_long_file_comes_in_parts() {
    let files = Table::new(&[(".", false)], &[("long.md", &"x\n".repeat(4500))]);
    let text = run(&files, "read_file", r#"{"path":"long.md","limit":100000}"#).unwrap();
    assert!(text.ends_with("  2000\tx\n[lines 1-2000 of 4500]"));
    let text = run(&files, "read_file", r#"{"path":"long.md","offset":4001}"#).unwrap();
    assert!(text.ends_with("  4500\tx\n[lines 4001-4500 of 4500]"));
}

#[test]
fn what_cannot_be_read_says_what_there_is() {
    for (arguments, code, message) in [
        (
            r#"{"path":"classes/3b.md"}"#,
            "not-found",
            "There is no `classes/3b.md`. `classes` holds: 2A.md, 3B.md. Did you mean `classes/3B.md`?",
        ),
        (
            r#"{"path":"classes/3B"}"#,
            "not-found",
            "There is no `classes/3B`. `classes` holds: 2A.md, 3B.md. Did you mean `classes/3B.md`?",
        ),
        (
            r#"{"path":"class/x/3B.md"}"#,
            "not-found",
            "There is no `class/x/3B.md`. The workspace holds: classes, lessons, teacher.md.",
        ),
        (
            r#"{"path":"classes"}"#,
            "wrong-kind",
            "`classes`: not a regular file. Use list_directory for a directory and read_file for a file.",
        ),
        (r#"{"path":"."}"#, "arguments", "`path`: name a file below the workspace, such as `classes/3B.md`."),
        (
            r#"{"path":"classes/3B.md","offset":9}"#,
            "arguments",
            "`offset`: `classes/3B.md` has 4 lines, so there is no line 9.",
        ),
    ] {
        assert_eq!(failed("read_file", arguments), (code.into(), message.into()), "{arguments}");
    }
}

#[test]
fn a_file_is_written_and_its_digest_named() {
    let files = workspace();
    assert_eq!(
        run(&files, "write_file", r#"{"path":"lessons/new.md","content":"héllo"}"#).unwrap(),
        "Wrote `lessons/new.md`: 6 bytes, digest 6aaaaaaaaaaa."
    );
    assert_eq!(files.text("lessons/new.md"), "héllo");
}

#[test]
fn nothing_is_written_where_it_was_not_granted() {
    assert_eq!(
        failed("write_file", r#"{"path":"classes/3B.md","content":""}"#),
        ("read-only".into(), "`classes/3B.md` may be read but not written. Write below one of: `lessons`.".into())
    );
    let files = Table::new(&[("classes", false)], &[]);
    assert_eq!(
        run(&files, "write_file", r#"{"path":"classes/a.md","content":""}"#).unwrap_err().1,
        "`classes/a.md` may be read but not written. Nothing may be written here: give the text in your answer instead."
    );
    assert_eq!(
        run(&files, "write_file", r#"{"path":"teacher.md","content":""}"#).unwrap_err(),
        ("not-granted".into(), "`teacher.md` is in none of the directories that were granted: `classes`.".into())
    );
    let files = Table::new(&[], &[]);
    assert_eq!(run(&files, "read_file", r#"{"path":"a.md"}"#).unwrap_err().0, "not-granted");
}

#[test]
fn one_passage_is_replaced() {
    let files = workspace();
    assert_eq!(
        run(&files, "str_replace", r#"{"path":"lessons/loops.md","old":"two","new":"2"}"#).unwrap(),
        "Replaced the passage at line 2 of `lessons/loops.md`: 17 bytes, digest 17aaaaaaaaaa."
    );
    assert_eq!(files.text("lessons/loops.md"), "one\n2\none\r\nfour\r\n");
    run(&files, "str_replace", r#"{"path":"lessons/loops.md","old":"one\nfour","new":"3\n4"}"#).unwrap();
    assert_eq!(files.text("lessons/loops.md"), "one\n2\n3\r\n4\r\n");
}

#[test]
fn a_passage_that_is_missing_or_ambiguous_is_named() {
    for (old, code, message) in [
        (
            "one",
            "ambiguous",
            "`old` occurs 2 times in `lessons/loops.md`, at lines 1, 3. \
             Add the lines around the one you mean, so that it occurs once.",
        ),
        (
            "five",
            "no-match",
            "`old` occurs nowhere in `lessons/loops.md`. \
             Read the file again and copy the passage exactly, with its spaces and line breaks.",
        ),
        (
            "     2\\ttwo",
            "no-match",
            "`old` occurs nowhere in `lessons/loops.md`. \
             Leave out the line numbers that read_file puts before each line.",
        ),
        ("", "arguments", "`old` is empty, so there is nothing to replace."),
        ("x", "arguments", "`old` and `new` are the same, so there is nothing to replace."),
    ] {
        let arguments = format!(r#"{{"path":"lessons/loops.md","old":"{old}","new":"x"}}"#);
        assert_eq!(failed("str_replace", &arguments), (code.into(), message.into()), "{old}");
    }
}

#[test]
fn passages_that_overlap_are_ambiguous() {
    let files = Table::new(&[(".", true)], &[("a.md", "éaéaé")]);
    let (code, message) = run(&files, "str_replace", r#"{"path":"a.md","old":"éaé","new":"x"}"#).unwrap_err();
    assert_eq!(code, "ambiguous");
    assert!(message.starts_with("`old` occurs 2 times"), "{message}");
    let files = Table::new(&[(".", true)], &[("a.md", &"a\n".repeat(50))]);
    let (_, message) = run(&files, "str_replace", r#"{"path":"a.md","old":"a","new":"x"}"#).unwrap_err();
    assert!(message.contains("50 times in `a.md`, at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, …."), "{message}");
}

#[test]
fn a_directory_is_listed() {
    let list = |arguments| run(&workspace(), "list_directory", arguments).unwrap();
    assert_eq!(list("{}"), "classes/\nlessons/\nteacher.md (0 bytes)");
    assert_eq!(list(r#"{"path":"classes/"}"#), "2A.md (5 bytes)\n3B.md (23 bytes)");
    assert_eq!(failed("list_directory", r#"{"path":"nowhere"}"#).0, "not-found");
    let files = Table::new(&[(".", false)], &[]);
    assert_eq!(run(&files, "list_directory", "").unwrap(), "[the directory is empty]");
}

#[test]
fn the_way_to_granted_directories_is_listed() {
    let files = Table::new(&[("curriculum/cfe", false), ("classes", false)], &[("curriculum/cfe/a.md", "")]);
    assert_eq!(run(&files, "list_directory", "{}").unwrap(), "classes/\ncurriculum/");
    assert_eq!(run(&files, "list_directory", r#"{"path":"curriculum"}"#).unwrap(), "cfe/");
    assert_eq!(run(&files, "list_directory", r#"{"path":"curriculum/cfe"}"#).unwrap(), "a.md (0 bytes)");
    assert_eq!(run(&files, "list_directory", r#"{"path":"lessons"}"#).unwrap_err().0, "not-granted");
}

#[test]
fn arguments_are_checked_against_the_definitions() {
    assert_eq!(failed("read_file", "{}").0, "arguments");
    assert!(
        failed("write_file", r#"{"path":"a"}"#)
            .1
            .starts_with("`content`: missing. The arguments of `write_file` are: {")
    );
    assert_eq!(failed("delete_file", "{}").0, "unknown-tool");
    for definition in crate::definitions::definitions() {
        let schema: serde_json::Value = serde_json::from_str(&definition.input_schema).unwrap();
        assert_eq!(schema["type"], "object", "{}", definition.name);
        assert_eq!(schema["additionalProperties"], false, "{}", definition.name);
    }
}
