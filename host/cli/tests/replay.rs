//! Replay, counterfactual, fork and search, through the binary.

use crate::support;

use serde_json::{Value, json};
use support::{CREATE, Home, component};

/// By one agent, so that each hook has run once.
fn lesson(home: &Home) -> Value {
    home.run(&[CREATE, "iteration for 3B", "--single-agent", "--answers", "accept", "--output", "json"])
        .expect(0)
        .json()
}

fn id<'a>(run: &'a Value, field: &str) -> &'a str {
    run[field].as_str().unwrap()
}

#[test]
fn a_run_is_made_again_without_model_person_or_workspace() {
    let home = Home::new();
    let answers = home.answers(&json!([
        { "question": "sections", "items": { "starter": { "revise": "make it shorter" }, "plenary": { "alternatives": "2" }, "*": "accept" } },
        { "question": "sections", "items": { "*": "accept" } },
        { "question": "alternatives:plenary", "choice": "2" },
        { "question": "*", "items": { "*": "confirm" } },
        { "question": "reflection", "items": { "*": { "answer": "the two who copy slowly" } } },
    ]));
    let run = home.run(&[CREATE, "iteration for 3B", "--answers", &answers, "--output", "json"]).expect(0).json();
    std::fs::remove_dir_all(home.workspace()).unwrap();
    let replayed = home.run(&["replay", id(&run, "run"), "--output", "json"]).expect(0).json();
    let fields: Vec<&String> = replayed.as_object().unwrap().keys().collect();
    for field in ["run", "events", "divergence", "output_sha256"] {
        assert!(fields.iter().any(|name| *name == field), "{field} is missing");
    }
    assert_eq!(replayed["divergence"], Value::Null);
    assert_eq!(replayed["run"], run["run"]);
    let digest = ta_runtime::surface::digest(run["output"].as_str().unwrap().as_bytes());
    assert_eq!(replayed["output_sha256"], json!(digest));
}

#[test]
fn a_journal_that_was_tampered_with_diverges_where_it_was() {
    let home = Home::new();
    let run = lesson(&home);
    let events = home.events(id(&run, "run"));
    let guard =
        events.iter().find(|event| event["type"] == "hook.finished" && event["hook"] == "curriculum-evidence").unwrap();
    let seq = guard["seq"].as_u64().unwrap();
    // The journal refuses changes, so they are made on a copy of its table.
    let journal = home.path("data/journal.db");
    let sql = format!(
        "DROP TRIGGER records_never_change; \
         UPDATE records SET body = json_set(body, '$.notes[0]', 'all is well') WHERE seq = {seq} AND type = 'hook.finished';"
    );
    support::sqlite(&journal, &sql);
    let call = home.run(&["replay", id(&run, "run"), "--output", "json"]).expect(1);
    let divergence = &call.json()["divergence"];
    assert_eq!(divergence["seq"], json!(seq));
    assert_eq!(divergence["event"], "hook.finished");
    assert!(divergence["recorded"].to_string().contains("all is well"));
}

#[test]
fn a_call_whose_effect_no_record_holds_diverges_as_a_whole() {
    let home = Home::new();
    let run = lesson(&home);
    let events = home.events(id(&run, "run"));
    let replaced = events.iter().find(|event| event["type"] == "tasks.replaced").unwrap()["seq"].as_u64().unwrap();
    let sql = format!(
        "DROP TRIGGER records_never_change; \
         UPDATE records SET type = 'session.renamed', body = '{{\"type\":\"session.renamed\",\"title\":\"x\",\"by\":\"local\"}}' \
         WHERE seq = {replaced} AND type = 'tasks.replaced';"
    );
    support::sqlite(&home.path("data/journal.db"), &sql);
    let divergence = home.run(&["replay", id(&run, "run"), "--output", "json"]).expect(1).json()["divergence"].clone();
    assert!(divergence["seq"].as_u64().unwrap() < replaced, "it is said of the call: {divergence}");
    assert_eq!(divergence["recorded"], Value::Null, "{divergence}");
    assert!(divergence["now"]["tasks"].is_array(), "{divergence}");
}

#[test]
fn another_guardrail_is_asked_about_the_same_outputs() {
    let home = Home::new();
    let (one, other) = (lesson(&home), lesson(&home));
    let swap = format!("curriculum-evidence={}", component("curriculum-evidence").display());
    let runs = [id(&one, "run"), id(&other, "run")];
    let same = home.run(&["replay", runs[0], runs[1], "--swap", &swap, "--output", "json"]).expect(0).json();
    assert_eq!(same["totals"]["runs"], 2);
    assert_eq!(same["totals"]["calls"], 2);
    assert_eq!(same["totals"]["verdicts_changed"], 0);
    assert_eq!(same["totals"]["findings_changed"], 0);
    // Adjudication in the guard's place asks what nobody was asked there.
    let strange = format!("curriculum-evidence={}", component("teacher-adjudication").display());
    let strange = home.run(&["replay", runs[0], "--swap", &strange]);
    assert_ne!(strange.code, 0, "it asks for more than the hook is granted: {}", strange.out);
    let report = home.run(&["replay", runs[0], "--swap", &swap]).expect(0).out;
    assert!(report.starts_with("# `curriculum-evidence`, swapped") && report.contains("| pass | 1 | 1 |"), "{report}");
    let elsewhere = format!("curriculum-evidence={}", component("files").display());
    let refused = home.run(&["replay", runs[0], "--swap", &elsewhere]).expect(1);
    assert!(refused.err.contains("plugin.world_mismatch"), "{}", refused.err);
    assert!(home.run(&["replay", runs[0], "--swap", "nothing=x.wasm"]).code != 0);
    home.run(&["replay", "ffffffff"]).expect(2);
}

#[test]
fn a_fork_shares_the_past_and_goes_on_differently() {
    let home = Home::new();
    let run = lesson(&home);
    let events = home.events(id(&run, "run"));
    let asked =
        events.iter().find(|event| event["request"]["kind"] == "ask" && event["by"] == "teacher-adjudication").unwrap()
            ["seq"]
            .to_string();
    let answers = home.answers(&json!([
        { "question": "sections", "items": {
            "starter": { "revise": "make it 4 minutes" },
            "practice": { "revise": "take the minutes that become free" },
            "*": "accept" } },
        { "question": "sections", "items": { "*": "accept" } },
        { "question": "*", "items": { "*": "dismiss" } },
    ]));
    let fork = home
        .run(&["fork", id(&run, "run"), "--at", &asked, "--answers", &answers, "--output", "json"])
        .expect(0)
        .json();
    assert_ne!(fork["session"], run["session"]);
    assert_ne!(fork["run"], run["run"]);
    assert_ne!(fork["output"], run["output"]);
    assert!(fork["output"].as_str().unwrap().contains("## Starter (4 minutes)"), "{}", fork["output"]);
    // The other run stays as it was; the fork is replayed with the past that it shares, and can itself be forked.
    for (which, same) in [(&run, &run), (&fork, &fork)] {
        let replayed = home.run(&["replay", id(which, "run"), "--output", "json"]).expect(0).json();
        assert_eq!(replayed["divergence"], Value::Null, "{replayed}");
        let digest = ta_runtime::surface::digest(same["output"].as_str().unwrap().as_bytes());
        assert_eq!(replayed["output_sha256"], json!(digest));
    }
    let again = home.run(&["fork", id(&fork, "run"), "--at", "1", "--output", "json"]).expect(3).json();
    let end =
        home.run(&["--resume", id(&again, "session"), "--answers", "accept", "--output", "json"]).expect(0).json();
    assert_eq!(end["output"], run["output"], "the same decisions lead to the same lesson");
    let next = home.run(&["--resume", id(&fork, "session"), "make the starter shorter", "--output", "json"]);
    assert_eq!(next.code, 3, "{}", next.err);
    for place in ["0", "100000"] {
        home.run(&["fork", id(&run, "run"), "--at", place]).expect(2);
    }
}

#[test]
fn sessions_are_found_by_words_class_and_day() {
    let home = Home::new();
    lesson(&home);
    home.run(&[CREATE, "bearings for 1B", "--answers", "accept", "--output", "json"]).expect(0);
    let found = |arguments: &[&str]| {
        let call = home.run(&[&["search"], arguments, &["--output", "json"]].concat()).expect(0);
        call.json()
            .as_array()
            .unwrap()
            .iter()
            .map(|hit| hit["session"]["title"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(found(&["iteration"]), ["iteration for 3B"]);
    assert_eq!(found(&["bear*"]), ["bearings for 1B"]);
    assert_eq!(found(&["--class", "1B"]), ["bearings for 1B"]);
    assert_eq!(found(&[]).len(), 2);
    assert_eq!(found(&["--until", "2001-01-01"]).len(), 0);
    assert_eq!(found(&["\"", "OR", "NEAR("]).len(), 0);
    let text = home.run(&["search", "iteration"]).expect(0).out;
    assert!(text.contains("[iteration]") || text.contains("[Iteration]"), "{text}");
    home.run(&["search", "x", "--since", "yesterday"]).expect(2);
}

#[test]
fn the_trace_of_a_fork_names_the_component_that_was_swapped_in() {
    let home = Home::new();
    let run = lesson(&home);
    let events = home.events(id(&run, "run"));
    let before = |hook: &str| {
        let ran = events.iter().find(|event| event["type"] == "hook.finished" && event["hook"] == hook).unwrap();
        (ran["seq"].as_u64().unwrap() - 1, ran["sha256"].clone())
    };
    let (at, old) = before("curriculum-evidence");
    // The same component with a note at its end: another digest, the same verdicts.
    let mut bytes = std::fs::read(component("curriculum-evidence")).unwrap();
    bytes.extend([0, 5, 4, b'n', b'o', b't', b'e']);
    let new = json!(ta_runtime::surface::digest(&bytes));
    let file = home.write("other.wasm", "");
    std::fs::write(&file, &bytes).unwrap();
    let (at, swap) = (at.to_string(), format!("curriculum-evidence={}", file.display()));
    let fork = ["fork", id(&run, "run"), "--at", &at, "--swap", &swap, "--answers", "accept", "--output", "json"];
    let fork = home.run(&fork).expect(0).json();
    let trace = home.run(&["--trace", id(&fork, "run"), "--output", "json"]).expect(0).json();
    let ran = trace["spans"].as_array().unwrap().iter().rfind(|span| span["name"] == "curriculum-evidence").unwrap();
    assert_ne!(old, new);
    assert_eq!((&ran["attributes"]["sha256"], &trace["components"]["curriculum-evidence"]["sha256"]), (&new, &new));
    let before = home.run(&["--trace", id(&run, "run"), "--output", "json"]).expect(0).json();
    assert_eq!(before["components"]["curriculum-evidence"]["sha256"], old);
}
