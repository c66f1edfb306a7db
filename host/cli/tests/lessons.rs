//! The main job, through the binary: a lesson is planned, decided on, saved, traced, resumed.

use crate::support;

use serde_json::{Value, json};
use support::{CREATE, Home};

#[test]
fn a_lesson_is_planned_and_saved() {
    let home = Home::new();
    let end = home.run(&[CREATE, "iteration for 3B", "--answers", "accept", "--output", "json"]).expect(0).json();
    assert_eq!(end["status"], "success");
    assert_eq!(end["cost_usd"], 0.0);
    assert_eq!(end["findings"], json!([]));
    for field in ["run", "session", "usage"] {
        assert!(!end[field].is_null(), "{field}");
    }
    let output = end["output"].as_str().unwrap();
    assert!(output.contains("[TCH 3-"), "no outcome is evidenced:\n{output}");
    let saved = std::fs::read_to_string(home.workspace().join(end["saved"].as_str().unwrap())).unwrap();
    assert_eq!(saved.trim_end(), output.trim_end());
}

#[test]
fn the_text_shows_every_step_and_standard_output_holds_the_lesson_alone() {
    let home = Home::new();
    let call = home.run(&[CREATE, "iteration for 3B", "--answers", "accept"]).expect(0);
    assert!(call.out.trim_start().starts_with("# "));
    for step in [
        "taken as: class 3B",
        "scope-check",
        "read_file",
        "read_skill",
        "curriculum-evidence",
        "teacher-adjudication",
        "saved",
        "cost",
        "--trace",
    ] {
        assert!(call.err.contains(step), "{step} is not shown:\n{}", call.err);
    }
    assert!(!call.err.contains('\u{1b}'), "colours go to terminals only");
}

#[test]
fn the_journal_is_printed_as_it_comes() {
    let home = Home::new();
    let call = home.run(&[CREATE, "iteration for 3B", "--answers", "accept", "--output", "jsonl"]).expect(0);
    let events: Vec<Value> = call.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let numbers: Vec<u64> = events.iter().map(|event| event["seq"].as_u64().unwrap()).collect();
    assert_eq!(numbers, (1..=events.len() as u64).collect::<Vec<_>>());
    assert_eq!(events.first().unwrap()["type"], "run.started");
    assert_eq!(events.last().unwrap()["type"], "run.finished");
    let digests = events
        .iter()
        .filter(|event| event["type"] == "hook.finished")
        .map(|event| event["sha256"].as_str().unwrap().len());
    assert!(digests.clone().count() >= 3 && digests.into_iter().all(|length| length == 64));
}

#[test]
fn without_anybody_to_answer_the_run_is_parked_and_goes_on_in_another_process() {
    let home = Home::new();
    let parked = home.drafted("iteration for 3B");
    let end = parked.json();
    assert_eq!((end["status"].as_str(), end["saved"].as_str()), (Some("parked"), None));
    let session = end["session"].as_str().unwrap();
    assert!(parked.err.contains("--resume"), "{}", parked.err);
    let listed = home.run(&["--sessions", "--output", "json"]).expect(0).json();
    assert_eq!((listed[0]["id"].as_str(), listed[0]["state"].as_str()), (Some(session), Some("parked")));
    let resumed = home.run(&["--resume", &session[..8], "--answers", "accept", "--output", "json"]).expect(0).json();
    assert_eq!(resumed["run"], end["run"]);
    assert_eq!(resumed["output"], end["output"], "nothing was planned again");
    assert_eq!(resumed["usage"], end["usage"], "no model was called again");
    let over = home.run(&["--resume", session, "--answers", "accept"]).expect(2);
    assert!(over.err.contains("run.finished"), "{}", over.err);
}

#[test]
fn revise_and_alternatives_really_produce_new_text() {
    let home = Home::new();
    let first = home.drafted("iteration for 3B").json();
    let answers = home.answers(&json!([
        { "question": "memory", "items": { "*": "dismiss" } },
        { "question": "sections", "items": { "starter": { "revise": "use mini-whiteboards and make it 5 minutes" }, "plenary": { "alternatives": "2" }, "*": "accept" } },
        { "question": "alternatives:plenary", "choice": "2" },
        { "question": "sections", "items": { "*": "accept" } },
    ]));
    let session = first["session"].as_str().unwrap();
    let end = home.run(&["--resume", session, "--answers", &answers, "--output", "json"]).expect(0).json();
    let (before, after) = (first["output"].as_str().unwrap(), end["output"].as_str().unwrap());
    let section = |text: &str, name: &str| {
        let start = text.find(&format!("\n## {name}")).unwrap_or_else(|| panic!("no {name} in\n{text}"));
        let rest = &text[start + 1..];
        rest[..rest[3..].find("\n## ").map_or(rest.len(), |end| end + 3)].to_owned()
    };
    assert_ne!(section(before, "Starter"), section(after, "Starter"));
    assert!(section(after, "Starter").starts_with("## Starter (5 minutes)"), "{}", section(after, "Starter"));
    assert_ne!(section(before, "Plenary"), section(after, "Plenary"));
    assert!(!after.contains("### Alternative"), "an alternative was chosen");
    for kept in ["Outcomes", "Misconceptions", "Differentiation", "Exit questions"] {
        assert_eq!(section(before, kept).trim_end(), section(after, kept).trim_end(), "{kept} had been accepted");
    }
    let trace = home.run(&["--trace", session, "--output", "json"]).expect(0).json();
    let decisions: Vec<&Value> =
        trace["spans"].as_array().unwrap().iter().filter(|span| span["kind"] == "decision").collect();
    assert!(decisions.iter().any(|it| it["name"] == "starter" && it["attributes"]["choice"] == "revise"));
    assert!(decisions.iter().all(|it| it["elapsed_us"].is_u64() && it["at_ms"].is_u64()));
}

#[test]
fn a_session_goes_on_with_a_next_request() {
    let home = Home::new();
    let first = home.run(&[CREATE, "iteration for 3B", "--answers", "accept", "--output", "json"]).expect(0).json();
    let session = first["session"].as_str().unwrap();
    let next =
        home.run(&["--resume", session, "now for 1B", "--answers", "accept", "--output", "json"]).expect(0).json();
    assert_eq!(next["session"], first["session"]);
    assert_ne!(next["run"], first["run"]);
    assert!(next["output"].as_str().unwrap().contains("1B"), "{}", next["output"]);
    assert_eq!(home.lessons().len(), 2);
}

#[test]
fn a_next_request_is_about_the_class_of_the_session() {
    let home = Home::new();
    let first = home.run(&[CREATE, "iteration for 3B", "--answers", "accept", "--output", "json"]).expect(0).json();
    let session = first["session"].as_str().unwrap();
    let next = home
        .run(&["--resume", session, "make the starter shorter", "--answers", "accept", "--output", "json"])
        .expect(0)
        .json();
    assert!(next["saved"].as_str().unwrap().starts_with("lessons/3B-"), "{}", next["saved"]);
}

#[test]
fn going_on_without_deciding_takes_back_nothing() {
    let home = Home::new();
    let parked = home.drafted("iteration for 3B").json();
    let session = parked["session"].as_str().unwrap();
    let answers = home
        .answers(&json!([{ "question": "sections", "items": { "outcomes": "accept", "success-criteria": "accept" } }]));
    home.run(&["--resume", session, "--answers", &answers]).expect(3);
    home.run(&["--resume", session, "--answers", "dismiss"]).expect(0);
    let trace = home.run(&["--trace", session, "--output", "json"]).expect(0).json();
    let notes = trace["spans"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|it| it["name"] == "teacher-adjudication")
        .map(|it| it["attributes"]["notes"].to_string())
        .collect::<String>();
    assert!(
        notes.contains("accepted \\\"Outcomes\\\"") && notes.contains("without a decision on 10 sections"),
        "{notes}"
    );
}

#[test]
fn a_lesson_is_never_overwritten() {
    let home = Home::new();
    for _ in 0..2 {
        home.run(&[CREATE, "iteration for 3B", "--answers", "accept"]).expect(0);
    }
    assert_eq!(home.lessons().len(), 2, "{:?}", home.lessons());
}

#[test]
fn the_prompt_can_be_read_before_anything_is_spent() {
    let home = Home::new();
    let prompt = home.run(&[CREATE, "iteration for 3B", "--dry-run", "--output", "json"]).expect(0).json();
    let tags: Vec<&str> =
        prompt["parts"].as_array().unwrap().iter().map(|part| part["tag"].as_str().unwrap()).collect();
    assert_eq!(tags, ["identity", "agent", "workspace", "skills", "command", "commands", "subagents", "handoffs"]);
    assert!(home.run(&["--sessions"]).expect(0).out.contains("no sessions yet"));
}

#[test]
fn every_trace_names_the_digest_and_the_rights_of_every_component() {
    let home = Home::new();
    let end = home.run(&[CREATE, "iteration for 3B", "--answers", "accept", "--output", "json"]).expect(0).json();
    let trace = home.run(&["--trace", end["run"].as_str().unwrap(), "--output", "json"]).expect(0).json();
    assert_eq!(trace["session"], end["session"]);
    for name in ["scope-check", "curriculum-evidence", "teacher-adjudication", "files", "skills", "tasks"] {
        let pin = &trace["components"][name];
        assert_eq!(pin["sha256"].as_str().map(str::len), Some(64), "{name}");
        assert!(pin["asks"].is_array() && pin["granted"].is_array());
    }
    let kinds: std::collections::BTreeSet<&str> =
        trace["spans"].as_array().unwrap().iter().map(|it| it["kind"].as_str().unwrap()).collect();
    for kind in ["hook", "model", "tool", "prompt", "question", "decision", "answer", "write", "tasks", "run"] {
        assert!(kinds.contains(kind), "no span of the kind {kind}");
    }
}

#[test]
fn the_operator_has_confidence_asked_and_every_lesson_decided_on_as_a_whole() {
    let home = Home::new();
    let operator = home.write(
        "operator.toml",
        "[grants.\"lesson-planning:reflection-prompt\"]\ncapabilities = [\"log\", \"config\", \"ask\", \"journal\", \"workspace\"]\n\
         workspace = { \".\" = \"read\" }\nconfig = { confidence = \"on\" }\n\n\
         [grants.\"lesson-planning:teacher-adjudication\"]\ncapabilities = [\"log\", \"config\", \"ask\", \"journal\"]\n\
         config = { mode = \"bundle\", require-decisions = \"true\" }\n",
    );
    let answers = home.answers(&json!([
        { "question": "confidence-before", "choice": "3" },
        { "question": "confidence-after", "choice": "4" },
        { "question": "reflection", "items": { "*": { "answer": "the two who copy slowly" } } },
        { "question": "bundle", "items": { "*": { "revise": "shorter starter" } } },
        { "question": "bundle", "outcome": "dismissed" },
        { "question": "bundle", "items": { "*": "accept" } },
        { "question": "*", "items": { "*": "confirm" } },
    ]));
    let operator = operator.display().to_string();
    let arguments = ["--operator", &operator, "--answers", &answers, "--output", "json"];
    let end = home.run(&[&[CREATE, "iteration for 3B"], &arguments[..]].concat()).expect(0).json();
    let events = home.events(end["run"].as_str().unwrap());
    let notes: String = events.iter().map(|event| event["notes"].to_string()).collect();
    for note in ["confidence 3 -> 4", "to revise \\\"the whole lesson\\\"", "asked once more", "decided in"] {
        assert!(notes.contains(note), "{note} is not noted: {notes}");
    }
}
