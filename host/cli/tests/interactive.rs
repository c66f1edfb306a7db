//! The conversation at the terminal, line by line.

use crate::support;

use serde_json::json;
use support::{CREATE, Home};

#[test]
fn a_teacher_plans_looks_around_and_takes_an_answer_back() {
    let home = Home::new();
    let lines = "iteration for 3B\n/memory\n/memory classes/3B/MEMORY.md\n/undo\n/undo\n/memory\n/sessions\n/search iteration\n/trace\n\
                 /nonsense\n/new\nbearings for 1B\n/quit\nnever read\n";
    let call = home.run_with(&["--interactive", "--answers", "accept"], lines).expect(0);
    assert_eq!(call.out.matches("# Iteration").count(), 3, "planned, and again after each undo:\n{}", call.out);
    assert!(call.out.contains("taken back") && call.out.contains("no longer remembered"), "{}", call.out);
    assert!(call.out.contains("stays; what comes now is saved beside it"), "{}", call.out);
    assert!(call.out.contains("memory/classes/3B/MEMORY.md"), "{}", call.out);
    assert!(call.err.contains("/help shows what there is"), "{}", call.err);
    assert_eq!(home.lessons().len(), 4, "{:?}", home.lessons());
    assert!(!call.out.contains("never read"));
}

#[test]
fn what_was_left_is_gone_on_with() {
    let home = Home::new();
    let parked = home.run(&[CREATE, "iteration for 3B", "--output", "json"]).expect(3).json();
    let session = parked["session"].as_str().unwrap();
    let call =
        home.run_with(&["-i", "--answers", "accept"], &format!("/undo\n/resume\n/resume {session}\n/quit\n")).expect(0);
    assert!(call.err.contains("there is no session here yet"), "{}", call.err);
    assert!(call.out.contains("# Iteration"), "{}", call.out);
    // Once more: it is over, and a line goes on with it.
    let call =
        home.run_with(&["-i", "--resume", session, "--answers", "accept"], "make the starter shorter\n").expect(0);
    assert!(call.out.contains("## Starter"), "{}", call.out);
    let rows = home.run(&["--sessions", "--output", "json"]).expect(0).json();
    assert_eq!(rows.as_array().unwrap().len(), 1);
    assert_eq!(rows[0]["runs"], json!(2));
    home.run(&["-i", "--output", "json"]).expect(2);
}

/// One process writes a journal at a time; others look.
#[test]
fn another_process_may_look_but_not_write() {
    use std::io::{BufRead as _, BufReader, Write as _};
    let home = Home::new();
    home.run(&[CREATE, "iteration for 3B", "--answers", "accept"]).expect(0);
    let mut command = home.command(&["--interactive", "--answers", "accept"]);
    let mut busy = command
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut input = busy.stdin.take().unwrap();
    let mut output = BufReader::new(busy.stdout.take().unwrap()).lines();
    input.write_all(b"bearings for 1B\n").unwrap();
    // It has written: it holds the journal for as long as it lives.
    output.find(|line| line.as_ref().unwrap().starts_with("# ")).unwrap().unwrap();
    let refused = home.run(&[CREATE, "iteration for 3B", "--answers", "accept"]).expect(6);
    assert!(refused.err.contains("store.locked"), "{}", refused.err);
    home.run(&["memory", "add", "MEMORY.md", "x"]).expect(6);
    let rows = home.run(&["--sessions", "--output", "json"]).expect(0).json();
    assert_eq!(rows.as_array().unwrap().len(), 2);
    let run = rows[1]["last_run"].as_str().unwrap();
    for look in
        [&["--trace", run][..], &["replay", run], &["search", "iteration"], &["memory", "list"], &["memory", "audit"]]
    {
        home.run(look).expect(0);
    }
    drop(input);
    output.for_each(drop);
    busy.wait().unwrap();
    home.run(&["memory", "add", "MEMORY.md", "x"]).expect(0);
}
