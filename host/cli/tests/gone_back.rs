//! Going back behind a change of a file: what stays as it was changed is said, and how it is had back.

use crate::support;

use serde_json::{Value, json};
use support::Home;

const CHANGE: &str = "update-workspace:change";
const REQUEST: &str = "3B now has a pupil who needs enlarged print";
const FILE: &str = "classes/3B.md";

fn changed(home: &Home) -> (Value, u64) {
    let end = home.run(&[CHANGE, REQUEST, "--answers", "accept", "--output", "json"]).expect(0).json();
    let events = home.events(end["run"].as_str().unwrap());
    let asked =
        events.iter().find(|event| event["request"]["question"]["id"] == "change:classes/3B.md").expect("it was asked");
    let seq = asked["seq"].as_u64().unwrap();
    (end, seq)
}

fn settled(home: &Home, run: &Value) -> Vec<Value> {
    let events = home.events(run["run"].as_str().unwrap());
    events.into_iter().filter(|event| event["type"] == "tool.settled").collect()
}

#[test]
fn a_no_that_comes_after_the_change_claims_no_more_than_is_true() {
    let home = Home::new();
    let path = home.workspace().join(FILE);
    let before = std::fs::read_to_string(&path).unwrap();
    let (first, seq) = changed(&home);
    let (run, seq) = (first["run"].as_str().unwrap(), seq.to_string());
    let after = std::fs::read_to_string(&path).unwrap();
    assert_ne!(after, before);
    let no = home.answers(&json!([{ "question": "change:classes/3B.md", "choice": "no" }]));
    let back = ["fork", run, "--at", &seq, "--answers", &no, "--output", "json"];
    let fork = home.run(&back).expect(0);
    let told =
        format!("{FILE} stays as the run changed it after that point: `teacher-assist before {run} {FILE}` prints");
    assert!(fork.err.contains(&told), "{}", fork.err);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), after, "a file is not changed back by itself");
    let refused = settled(&home, &fork.json()).pop().unwrap();
    assert_eq!((&refused["refused_by"], &refused["standing"]), (&json!("person"), &json!([FILE])));
    let text = refused["result"]["text"].as_str().unwrap();
    assert!(text.contains("This call has written nothing"), "{text}");
    assert!(text.contains(&format!("{FILE} holds this change all the same: another run made it before")), "{text}");
    home.run(&["replay", fork.json()["run"].as_str().unwrap()]).expect(0);
    // The hint is what works, and nothing is said where nothing stands.
    assert_eq!(home.run(&["before", run, FILE]).expect(0).out, before);
    let refused = home.run(&["before", run, "teacher.md"]).expect(2);
    assert!(refused.err.contains("[file.unchanged]"), "{}", refused.err);
    std::fs::write(&path, &before).unwrap();
    let fork = home.run(&back).expect(0);
    assert!(!fork.err.contains("stays as the run"), "{}", fork.err);
    assert_eq!(settled(&home, &fork.json()).pop().unwrap()["standing"], Value::Null);
}

#[test]
fn a_file_that_a_run_made_is_told_as_well() {
    let home = Home::new();
    let script = home.script(&json!([
        { "calls": [{ "name": "write_file", "arguments": { "path": "classes/new.md", "content": "# New\n" } }] },
        { "text": "Done." },
    ]));
    let begin = [CHANGE, "x", "--provider", "script", "--script", &script, "--answers", "accept", "--output", "json"];
    let first = home.run(&begin).expect(0).json();
    let events = home.events(first["run"].as_str().unwrap());
    let seq = events.iter().find(|event| event["request"]["kind"] == "ask").unwrap()["seq"].to_string();
    let fork = home.run(&["fork", first["run"].as_str().unwrap(), "--at", &seq, "--answers", "accept"]).expect(0);
    assert!(fork.err.contains("classes/new.md stays as the run changed it"), "{}", fork.err);
    assert!(fork.err.contains("it was not there before"), "{}", fork.err);
}

#[test]
fn taking_an_answer_back_at_the_terminal_lists_what_stands() {
    let home = Home::new();
    let lines = format!("{CHANGE} {REQUEST}\n/undo\n/quit\n");
    let talk = home.run_with(&["--interactive", "--answers", "accept"], &lines).expect(0);
    assert!(talk.out.contains("taken back"), "{}", talk.out);
    assert!(talk.out.contains(&format!("{FILE} stays as the run changed it after that point")), "{}", talk.out);
}

#[test]
fn what_was_refused_stands_so_in_journal_and_trace() {
    let home = Home::new();
    let calls = |path: &str| {
        let call = json!({ "name": "write_file", "arguments": { "path": path, "content": "# Other\n" } });
        home.script(&json!([{ "calls": [call] }, { "text": "Done." }]))
    };
    let no = home.answers(&json!([{ "question": "change:teacher.md", "choice": "no" }]));
    for (path, by, said) in
        [("teacher.md", "person", "said no to this change"), ("soul.md", "host", "not among what may be changed")]
    {
        let script = calls(path);
        let begin = [CHANGE, "x", "--provider", "script", "--script", &script, "--answers", &no, "--output", "json"];
        let end = home.run(&begin).expect(0).json();
        let events = home.events(end["run"].as_str().unwrap());
        let own = events.iter().find(|event| event["type"] == "tool.finished").unwrap();
        let refused = settled(&home, &end).pop().unwrap();
        assert_eq!(refused["refused_by"], by);
        assert!(refused["result"]["failed"] == true && refused["result"]["text"].as_str().unwrap().contains(said));
        let trace = home.run(&["--trace", end["run"].as_str().unwrap(), "--output", "json"]).expect(0).json();
        let span = trace["spans"].as_array().unwrap().iter().find(|span| span["kind"] == "tool").unwrap();
        assert_eq!(span["attributes"]["result"], refused["result"], "what the model was given");
        assert_eq!(span["attributes"]["tool_said"], own["result"], "beside what the tool said");
        let trace = home.run(&["--trace", end["run"].as_str().unwrap()]).expect(0).out;
        assert!(trace.contains(&format!("refused by {by}: ")), "{trace}");
        assert!(!trace.contains(own["result"]["text"].as_str().unwrap()), "{trace}");
        home.run(&["replay", end["run"].as_str().unwrap()]).expect(0);
    }
}

#[test]
fn the_question_shows_what_is_easily_overlooked() {
    let home = Home::new();
    std::fs::write(home.workspace().join("classes/old.txt"), b"caf\xe9\n").unwrap();
    for (path, content, shown) in [
        ("classes/old.txt", "# Me\n", &["\n+# Me\n", "it is no text"][..]),
        ("classes/none.md", "", &["the new file is empty"]),
        ("classes/return.md", "one\rtwo\n", &["+one\u{240d}two\n"]),
    ] {
        let call = json!({ "name": "write_file", "arguments": { "path": path, "content": content } });
        let script = home.script(&json!([{ "calls": [call] }, { "text": "Done." }]));
        let begin = [CHANGE, "x", "--provider", "script", "--script", &script, "--output", "json"];
        let parked = home.run(&begin).expect(3).json();
        let events = home.events(parked["run"].as_str().unwrap());
        let asked = events.iter().rfind(|event| event["request"]["kind"] == "ask").unwrap();
        let detail = asked["request"]["question"]["detail"].as_str().unwrap();
        assert!(shown.iter().all(|it| detail.contains(it)), "{path}: {detail}");
    }
}

#[test]
fn the_question_about_a_note_shows_what_is_known_of_it() {
    let home = Home::new();
    let note = json!({ "note": "Slow to settle", "scope": "3B", "kind": "timing", "importance": 80 });
    let script =
        home.script(&json!([{ "calls": [{ "name": "update_memory", "arguments": note }] }, { "text": "Done." }]));
    let begin = [CHANGE, "x", "--provider", "script", "--script", &script, "--output", "json"];
    let parked = home.run(&begin).expect(3).json();
    let events = home.events(parked["run"].as_str().unwrap());
    let asked = events.iter().rfind(|event| event["request"]["kind"] == "ask").unwrap();
    let detail = asked["request"]["question"]["detail"].as_str().unwrap();
    for known in ["+- Slow to settle", "Kind: timing", "Scope: 3B", "Importance: 80 of 100"] {
        assert!(detail.contains(known), "{detail}");
    }
}
