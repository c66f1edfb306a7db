//! Memory through the binary: proposed from what was done, confirmed, shown again before the next lesson, and in the
//! teacher's own hands.

use crate::support;

use serde_json::{Value, json};
use support::{CREATE, Home};

const CLASS: &str = "classes/3B/MEMORY.md";

fn question<'a>(events: &'a [Value], hook: &str) -> Option<&'a Value> {
    events.iter().find(|event| event["request"]["kind"] == "ask" && event["by"] == hook)
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
        let items = asked["request"]["question"]["items"].as_array().unwrap();
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
    let items = question(&asked, "feedforward").unwrap()["request"]["question"]["items"].as_array().unwrap().clone();
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

const TRACED: &str = "Trace tables with two columns help 3B to follow a loop";

/// A lesson in which the model writes down what it would like to be remembered, as important as can be.
fn noted(home: &Home, memory: &str) -> Value {
    let note = json!({ "note": TRACED, "scope": "3B", "kind": "safeguarding", "importance": 100 });
    let lesson = support::LESSON.replacen("Everybody answers", &format!("{TRACED}. Everybody answers"), 1);
    let script = home.script(&json!([
        { "calls": [{ "name": "update_memory", "arguments": note }] },
        { "text": lesson },
    ]));
    let answers = home.answers(&json!([
        { "question": "memory", "items": { "*": memory } },
        { "question": "*", "items": { "*": "accept" } },
        { "question": "context", "items": { "*": "confirm" } },
        { "question": "reflection", "items": { "*": "skip" } },
    ]));
    let arguments = ["--provider", "script", "--script", &script, "--answers", &answers, "--output", "json"];
    home.run(&[&[CREATE, "trace tables and loops for 3B"], &arguments[..]].concat()).expect(0).json()
}

fn prompt_of_the_next(home: &Home) -> String {
    let prompt = home.run(&[CREATE, "loops for 3B", "--dry-run", "--output", "json"]).expect(0).json();
    prompt["system"].as_str().unwrap().to_owned()
}

/// Where the consolidation of a run says that a note stands.
fn fate(home: &Home, run: &Value) -> Value {
    let trace = home.run(&["--trace", run["run"].as_str().unwrap(), "--output", "json"]).expect(0).json();
    let spans = trace["spans"].as_array().unwrap();
    let consolidation = spans.iter().find(|span| span["name"] == "consolidation").expect("scores are in the trace");
    let scored = &consolidation["attributes"]["notes"][0];
    for score in ["relevance", "importance", "recency", "reinforcement"] {
        assert!(scored["scores"][score].is_number(), "{score}: {scored}");
    }
    scored["fate"].clone()
}

#[test]
fn what_a_model_ranks_highest_itself_enters_no_prompt_without_a_yes() {
    let home = Home::new();
    let first = noted(&home, "dismiss");
    assert_eq!(fate(&home, &first), "kept");
    for _ in 0..3 {
        let run = noted(&home, "dismiss");
        // Asked about once: the teacher said no, and it is gone from the working notes until the model comes to it again.
        let asked = question(&home.events(run["run"].as_str().unwrap()), "memory-capture").map(Value::to_string);
        let again = asked.unwrap_or_default();
        assert!(!prompt_of_the_next(&home).contains("Trace tables with two"), "{again}");
    }
    let shown = home.run(&["memory", "list"]).expect(0).out;
    assert!(!home.run(&["memory", "show", CLASS]).out.contains("Trace tables with two"), "{shown}");
}

#[test]
fn a_working_note_is_asked_about_in_its_second_session_and_lasts_when_it_is_confirmed() {
    let home = Home::new();
    let asked = |run: &Value| {
        let events = home.events(run["run"].as_str().unwrap());
        question(&events, "memory-capture").is_some_and(|asked| asked.to_string().contains("Trace tables with two"))
    };
    assert!(!asked(&noted(&home, "confirm")), "once is no pattern");
    assert!(!prompt_of_the_next(&home).contains(TRACED));
    assert!(asked(&noted(&home, "confirm")));
    assert!(prompt_of_the_next(&home).contains(TRACED));
    let working = home.run(&["memory", "show", "classes/3B/working-notes.md"]).expect(0).out;
    assert!(!working.contains("Trace tables"), "it is in two places:\n{working}");
    // Noted once more it is counted, not asked about, and ranked no higher.
    let third = noted(&home, "confirm");
    assert!(!asked(&third) && fate(&home, &third) == "counted");
    let file = home.run(&["memory", "show", CLASS, "--output", "json"]).expect(0).json();
    let note =
        file["notes"].as_object().unwrap().iter().find(|(key, _)| key.starts_with("trace tables with two")).unwrap().1;
    assert_eq!((&note["importance"], &note["kind"]), (&json!(50), &json!("other")), "{note}");
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

#[test]
fn whose_memory_it_is_may_be_said_anywhere_on_the_line() {
    let home = Home::new();
    home.run(&["--teacher", "ann", "memory", "add", "MEMORY.md", "Likes exit tickets on paper"]).expect(0);
    let lines: [&[&str]; 5] = [
        &["--teacher", "ann", "memory", "list", "--output", "json"],
        &["--output=json", "--owner=ann", "memory", "list"],
        &["--output", "json", "memory", "--teacher", "ann", "list"],
        &["memory", "--output", "json", "list", "--teacher", "ann"],
        &["memory", "list", "--teacher", "ann", "--output", "json"],
    ];
    for line in lines {
        let files = home.run(line).expect(0).json();
        assert_eq!((files.as_array().unwrap().len(), &files[0]["path"]), (1, &json!("memory/MEMORY.md")), "{line:?}");
    }
    // A request that is the name of a command is a request.
    let prompt = home.run(&["--teacher", "ann", CREATE, "memory", "--dry-run", "--output", "json"]).expect(0).json();
    assert!(prompt["system"].as_str().unwrap().contains("Likes exit tickets on paper"));
    home.run(&["--provider", "offline", "memory", "list"]).expect(2);
}
