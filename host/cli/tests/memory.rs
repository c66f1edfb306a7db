//! Memory through the binary: proposed from what was done, confirmed, shown again before the next lesson, and in the
//! teacher's own hands.

use crate::support;

use serde_json::{Value, json};
use support::{CREATE, Home};

const CLASS: &str = "classes/3B/MEMORY.md";

fn question<'a>(events: &'a [Value], hook: &str) -> Option<&'a Value> {
    events.iter().find(|event| event["type"] == "question.asked" && event["by"] == hook)
}

/// A teacher who has the starter shortened and confirms everything else.
fn shorter_starter(home: &Home) -> Value {
    let answers = home.answers(&json!([
        { "question": "sections", "items": {
            "starter": { "revise": "make it 5 minutes" },
            "practice": { "revise": "take the minutes that become free" },
            "*": "accept" } },
        { "question": "sections", "items": { "*": "accept" } },
        { "question": "reflection", "items": { "*": "skip" } },
        { "question": "context", "items": { "*": "confirm" } },
        { "question": "memory", "items": { "*": "confirm" } },
    ]));
    home.run(&[CREATE, "iteration for 3B", "--answers", &answers, "--output", "json"]).expect(0).json()
}

#[test]
fn what_was_learned_in_one_lesson_is_shown_before_the_next() {
    let home = Home::new();
    let first = shorter_starter(&home);
    assert!(first["output"].as_str().unwrap().contains("## Starter (5 minutes)"), "{}", first["output"]);
    let file = home.run(&["memory", "show", CLASS, "--output", "json"]).expect(0).json();
    let text = file["text"].as_str().unwrap();
    assert!(text.contains("5 minutes"), "the shorter starter is not remembered:\n{text}");
    for (key, note) in file["notes"].as_object().unwrap() {
        assert_eq!(note["run"], first["run"], "{key} has no provenance");
        assert_eq!(note["session"], first["session"]);
    }
    // The next lesson asks about it, and is drafted with it.
    let parked = home.run(&[CREATE, "iteration for 3B", "--output", "json"]).expect(3).json();
    let asked = home.events(parked["run"].as_str().unwrap());
    let shown = question(&asked, "feedforward").expect("feedforward asks").to_string();
    assert!(shown.contains("5 minutes"), "what was learned is not shown:\n{shown}");
    let session = parked["session"].as_str().unwrap();
    let second = home.run(&["--resume", session, "--answers", "accept", "--output", "json"]).expect(0).json();
    assert!(second["output"].as_str().unwrap().contains("## Starter (5 minutes)"), "{}", second["output"]);
}

#[test]
fn nothing_is_proposed_twice() {
    let home = Home::new();
    let proposals = |run: &Value| -> Vec<String> {
        let events = home.events(run["run"].as_str().unwrap());
        let Some(asked) = question(&events, "memory-capture") else { return Vec::new() };
        let items = asked["question"]["items"].as_array().unwrap();
        items.iter().map(|item| item["id"].as_str().unwrap().to_owned()).collect()
    };
    let first = proposals(&shorter_starter(&home));
    assert!(!first.is_empty());
    let again = proposals(&shorter_starter(&home));
    assert!(again.iter().all(|id| !first.contains(id)), "{first:?} and then {again:?}");
}

#[test]
fn without_memory_nothing_is_read_or_written() {
    let home = Home::new();
    home.run(&["memory", "add", CLASS, "Pairs work better than groups of four"]).expect(0);
    let run = home
        .run(&[CREATE, "iteration for 3B", "--answers", "accept", "--no-memory", "--output", "json"])
        .expect(0)
        .json();
    let events = home.events(run["run"].as_str().unwrap());
    assert!(question(&events, "memory-capture").is_none());
    assert!(!events.iter().any(|event| event["type"] == "memory.written"));
    let prompt = events.iter().find(|event| event["type"] == "prompt.assembled").unwrap();
    assert!(!prompt["system"].as_str().unwrap().contains("Pairs work better"));
    let asked = question(&events, "feedforward").unwrap().to_string();
    assert!(!asked.contains("Pairs work better"));
}

#[test]
fn what_the_teacher_leaves_out_is_not_in_the_prompt_and_not_in_what_tools_show() {
    let home = Home::new();
    home.run(&["memory", "add", CLASS, "Pairs work better than groups of four"]).expect(0);
    let parked = home.run(&[CREATE, "iteration for 3B", "--output", "json"]).expect(3).json();
    let asked = home.events(parked["run"].as_str().unwrap());
    let items = question(&asked, "feedforward").unwrap()["question"]["items"].as_array().unwrap().clone();
    let id = |part: &str| {
        let found = items.iter().find(|item| item.to_string().contains(part));
        found.unwrap_or_else(|| panic!("no item about {part}: {items:?}"))["id"].as_str().unwrap().to_owned()
    };
    let answers = home.answers(&json!([
        { "question": "context", "items": {
            id("Pairs work better"): "dismiss",
            id("dyslexic"): { "modify": "audio recordings of every text" },
            "*": "confirm" } },
        { "question": "*", "items": { "*": "accept" } },
        { "question": "memory", "items": { "*": "dismiss" } },
        { "question": "reflection", "items": { "*": "skip" } },
    ]));
    let session = parked["session"].as_str().unwrap();
    let run = home.run(&["--resume", session, "--answers", &answers, "--output", "json"]).expect(0).json();
    let events = home.events(run["run"].as_str().unwrap());
    let prompt = events.iter().find(|event| event["type"] == "prompt.assembled").unwrap()["system"].clone();
    let prompt = prompt.as_str().unwrap();
    assert!(!prompt.contains("- Pairs work better"), "the note is still in the prompt");
    assert!(prompt.contains("What the teacher decided"));
    let profile = events
        .iter()
        .find(|event| event["type"] == "tool.finished" && event["result"]["text"].to_string().contains("class: 3B"))
        .expect("the class profile is read");
    let profile = profile["result"]["text"].as_str().unwrap();
    assert!(profile.contains("audio recordings of every text") && !profile.contains("14-point"), "{profile}");
    assert!(run["output"].as_str().unwrap().contains("audio recordings"), "the lesson takes no notice");
    let on_disk = std::fs::read_to_string(home.workspace().join("classes/3B.md")).unwrap();
    assert!(on_disk.contains("14-point"), "the file itself stays");
    let same = home.run(&["replay", run["run"].as_str().unwrap(), "--output", "json"]).expect(0).json();
    assert_eq!(same["divergence"], Value::Null);
}

#[test]
fn a_teacher_never_sees_anothers() {
    let home = Home::new();
    home.run(&["memory", "add", "MEMORY.md", "Likes exit tickets on paper", "--teacher", "ann"]).expect(0);
    let run = home.run(&[CREATE, "iteration for 3B", "--answers", "accept", "--output", "json", "--teacher", "ann"]);
    let session = run.expect(0).json()["session"].as_str().unwrap().to_owned();
    let other = |arguments: &[&str]| home.run(&[arguments, &["--owner", "ben"]].concat());
    assert!(!other(&["memory", "list"]).expect(0).out.contains("MEMORY.md"));
    other(&["memory", "show", "MEMORY.md"]).expect(2);
    assert_eq!(other(&["--sessions", "--output", "json"]).expect(0).json(), json!([]));
    assert_eq!(other(&["search", "iteration", "--output", "json"]).expect(0).json(), json!([]));
    other(&["--resume", &session, "next"]).expect(2);
    other(&["--trace", &session]).expect(2);
    other(&["replay", &session]).expect(2);
    other(&["fork", &session, "--at", "2"]).expect(2);
    home.run(&["memory", "list", "--teacher", "../x"]).expect(2);
}

#[test]
fn a_memory_is_added_to_edited_exported_and_deleted() {
    let home = Home::new();
    home.run(&["memory", "add", CLASS, "Starters of 5 minutes work"]).expect(0);
    home.run(&["memory", "add", CLASS, "starters of 5 minutes work."]).expect(0);
    let file = home.run(&["memory", "show", CLASS, "--output", "json"]).expect(0).json();
    assert_eq!(file["notes"].as_object().unwrap().len(), 1, "the same note is not written twice");
    home.write("edited.md", "# 3B\n\n- Starters of 5 minutes work\n- An inhaler is kept at the desk\n");
    home.run(&["memory", "edit", CLASS, "--from", "edited.md"]).expect(0);
    let file = home.run(&["memory", "show", CLASS, "--output", "json"]).expect(0).json();
    let kinds: Vec<&str> = file["notes"].as_object().unwrap().values().map(|it| it["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["safeguarding", "timing"]);
    home.run(&["memory", "export", "out"]).expect(0);
    let exported = std::fs::read_to_string(home.path("out/memory/classes/3B/MEMORY.md")).unwrap();
    assert!(exported.contains("- Starters of 5 minutes work"));
    home.run(&["memory", "export", "out"]).expect(6);
    home.run(&["memory", "delete", CLASS, "--note", "Starters of 5 minutes work"]).expect(0);
    home.run(&["memory", "delete", CLASS, "--note", "Starters of 5 minutes work"]).expect(2);
    home.run(&["memory", "delete", CLASS]).expect(0);
    assert!(home.run(&["memory", "show", CLASS]).expect(2).err.contains("nothing has been remembered yet"));
    let audit = home.run(&["memory", "audit", "--output", "json"]).expect(0).json();
    assert_eq!(audit.as_array().unwrap().iter().filter(|row| row["kind"] == "written").count(), 5);
    for path in ["../etc/passwd", "classes/../x.md", "notes.txt", ""] {
        home.run(&["memory", "show", path]).expect(2);
    }
}

#[test]
fn working_notes_prove_themselves_before_they_last() {
    let home = Home::new();
    let note = json!({ "note": "Trace tables with two columns help 3B to follow a loop", "scope": "3B", "kind": "need", "importance": 80 });
    let lesson = support::LESSON.replacen(
        "Everybody answers",
        "Trace tables with two columns help to follow a loop. Everybody answers",
        1,
    );
    let script = home.script(&json!([
        { "calls": [{ "name": "update_memory", "arguments": note }] },
        { "text": lesson },
    ]));
    let plan = || {
        let arguments = ["--provider", "script", "--script", &script, "--answers", "dismiss", "--output", "json"];
        home.run(&[&[CREATE, "trace tables and loops for 3B"], &arguments[..]].concat())
    };
    let first = plan();
    let first = first.json();
    let trace = home.run(&["--trace", first["run"].as_str().unwrap(), "--output", "json"]).expect(0).json();
    let spans = trace["spans"].as_array().unwrap();
    let consolidation = spans.iter().find(|span| span["name"] == "consolidation").expect("scores are in the trace");
    let scored = &consolidation["attributes"]["notes"][0];
    for score in ["relevance", "importance", "recency", "reinforcement"] {
        assert!(scored["scores"][score].is_number(), "{score}: {scored}");
    }
    plan();
    plan();
    let file = home.run(&["memory", "show", CLASS, "--output", "json"]).expect(0).json();
    assert!(file["text"].as_str().unwrap().contains("Trace tables with two columns"), "{file}");
    let working = home.run(&["memory", "show", "classes/3B/working-notes.md"]).expect(0).out;
    assert!(!working.contains("Trace tables"), "it is in two places:\n{working}");
}

#[test]
fn the_prompt_of_a_dry_run_holds_what_is_remembered() {
    let home = Home::new();
    home.run(&["memory", "add", CLASS, "Pairs work better than groups of four"]).expect(0);
    let system = |more: &[&str]| {
        let prompt =
            home.run(&[&[CREATE, "iteration for 3B", "--dry-run", "--output", "json"], more].concat()).expect(0);
        prompt.json()["system"].as_str().unwrap().to_owned()
    };
    assert!(system(&[]).contains("Pairs work better"));
    assert!(!system(&["--no-memory"]).contains("Pairs work better"));
}
