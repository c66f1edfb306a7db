//! Flows through the binary: the quiz, parked and resumed in other processes, forked, swapped, replayed.

use crate::support;

use std::path::PathBuf;

use serde_json::{Value, json};
use support::server::{Server, until};
use support::{Call, Home};

const PLAY: &str = "quiz:play";

fn plugins() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../evals/plugins")
}

fn operator(home: &Home) -> String {
    let grants = "[grants.\"quiz:quiz\"]\ncapabilities = [\"log\"]\n";
    home.write("teacher-assist.toml", grants).display().to_string()
}

/// The agents' answers: three questions, and whether each answer was right.
fn script(home: &Home) -> String {
    let asked = |n: u32| json!({ "text": json!({ "question": format!("What is {n} + {n}?"), "answer": (n + n).to_string() }).to_string() });
    let judged = |right: bool| json!({ "text": json!({ "right": right, "feedback": if right { "Yes." } else { "Not quite." } }).to_string() });
    let script = json!({ "answers": [], "agents": {
        "asker": [asked(1), asked(2), asked(3)], "judge": [judged(true), judged(false), judged(true)] } });
    home.write("script.json", &script.to_string()).display().to_string()
}

fn call(home: &Home, arguments: &[&str]) -> Call {
    let mut all = arguments.to_vec();
    let operator = operator(home);
    all.extend(["--operator", &operator, "--output", "json"]);
    Call::of(&home.command(&all).env("TEACHER_ASSIST_PLUGINS", plugins()).output().unwrap())
}

fn begin(home: &Home) -> Value {
    call(home, &["run", PLAY, "sums", "--provider", "script", "--script", &script(home)]).expect(3).json()
}

fn say(home: &Home, session: &str, text: &str, code: i32) -> Value {
    call(home, &["resume", session, "--say", text]).expect(code).json()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn displays(end: &Value) -> Vec<&str> {
    end["messages"].as_array().unwrap().iter().map(|message| text(&message["display"])).collect()
}

#[test]
fn a_quiz_is_parked_at_each_question_and_goes_on_in_another_process() {
    let home = Home::new();
    let begun = begin(&home);
    assert_eq!(begun["status"], "parked");
    assert_eq!((&begun["question"]["by"], &begun["question"]["id"]), (&json!("flow"), &json!("say")));
    assert_eq!(displays(&begun), ["Question 1 of 3: What is 1 + 1?"]);
    assert_eq!(begun["reply"]["question"], "What is 1 + 1?");
    let session = text(&begun["session"]).to_owned();
    let second = say(&home, &session, "2", 3);
    assert_eq!(displays(&second), ["Yes.", "Question 2 of 3: What is 2 + 2?"]);
    let third = say(&home, &session, "5", 3);
    assert_eq!(displays(&third), ["Not quite.", "Question 3 of 3: What is 3 + 3?"]);
    let end = say(&home, &session, "6", 0);
    assert_eq!((&end["status"], displays(&end)), (&json!("success"), vec!["Yes.", "That was the quiz: 2 of 3 right."]));
    let replayed = call(&home, &["replay", &session]).expect(0);
    assert!(replayed.out.contains("\"divergence\":null"), "{}", replayed.out);
    let spans = call(&home, &["--trace", &session]).expect(0).json();
    let kinds: Vec<&str> = spans["spans"].as_array().unwrap().iter().map(|span| text(&span["kind"])).collect();
    assert_eq!(kinds.iter().filter(|kind| **kind == "flow").count(), 10, "{kinds:?}");
    assert!(kinds.contains(&"message") && kinds.contains(&"agent") && kinds.contains(&"model"), "{kinds:?}");
}

#[test]
fn answers_from_a_file_are_said_one_after_the_other() {
    let home = Home::new();
    let said = ["2", "4", "6"].map(|text| json!({ "question": "say", "text": text }));
    let answers = json!({ "answers": said });
    let answers = home.write("answers.json", &answers.to_string()).display().to_string();
    let script = script(&home);
    let end = call(&home, &["run", PLAY, "sums", "--provider", "script", "--script", &script, "--answers", &answers]);
    let end = end.expect(0).json();
    assert_eq!(displays(&end), ["Yes.", "That was the quiz: 2 of 3 right."]);
}

#[test]
fn a_fork_at_a_question_goes_on_with_another_answer_and_leaves_the_run_as_it_is() {
    let home = Home::new();
    let begun = begin(&home);
    let session = text(&begun["session"]).to_owned();
    let events = home.events(&session);
    let shown = events.iter().rev().find(|event| event["type"] == "message.shown").unwrap()["seq"].to_string();
    say(&home, &session, "2", 3);
    let forked = call(&home, &["fork", &session, "--at", &shown]).expect(3).json();
    assert_eq!(displays(&forked), ["Question 1 of 3: What is 1 + 1?"]);
    let other = say(&home, text(&forked["session"]), "3", 3);
    assert_eq!(displays(&other), ["Yes.", "Question 2 of 3: What is 2 + 2?"]);
    let first = say(&home, &session, "4", 3);
    assert_eq!(displays(&first), ["Not quite.", "Question 3 of 3: What is 3 + 3?"]);
    for session in [session.as_str(), text(&forked["session"])] {
        assert!(call(&home, &["replay", session]).expect(0).out.contains("\"divergence\":null"));
    }
}

#[test]
fn a_flow_that_fails_undoes_the_exchange_and_parks() {
    let home = Home::new();
    let asked = json!({ "text": json!({ "question": "What is 1 + 1?", "answer": "2" }).to_string() });
    let judged = json!({ "text": "{\"right\": true, \"feedback\": \"Yes.\"}" });
    // The agent that judges does not keep to its form, also after repairs.
    let broken = json!({ "text": "Well done!" });
    let agents = json!({ "asker": [asked, asked], "judge": [broken, broken, broken, judged] });
    let script = json!({ "answers": [], "agents": agents }).to_string();
    let script = home.write("script.json", &script).display().to_string();
    let begun = call(&home, &["run", PLAY, "sums", "--provider", "script", "--script", &script]).expect(3).json();
    let session = text(&begun["session"]).to_owned();
    let failed = call(&home, &["resume", &session, "--say", "2"]).expect(6);
    assert!(failed.err.contains("The flow failed") && failed.err.contains("[agent]"), "{}", failed.err);
    assert_eq!(failed.json()["question"]["id"], "say", "the same question waits again");
    let events = home.events(&session);
    assert!(events.iter().any(|event| event["type"] == "flow.failed"));
    assert!(call(&home, &["replay", &session]).expect(0).out.contains("\"divergence\":null"));
}

#[test]
fn a_budget_ends_a_flow_by_its_name() {
    let home = Home::new();
    let script = script(&home);
    let arguments = ["run", PLAY, "sums", "--provider", "script", "--script", &script, "--max-tokens", "100"];
    assert_eq!(call(&home, &arguments).expect(5).json()["status"], "error_max_budget");
}

#[test]
fn what_is_said_to_a_run_that_does_not_listen_is_refused() {
    let home = Home::new();
    let end = call(&home, &["run", PLAY, "", "--provider", "script", "--script", &script(&home)]);
    assert_eq!(end.code, 3, "{}", end.err);
    let unknown = call(&home, &["run", "quiz:nothing", "x"]).expect(2);
    assert!(unknown.out.contains("command.unknown"), "{}", unknown.out);
}

#[test]
fn what_is_said_over_http_goes_to_the_flow_and_words_for_another_place_are_refused() {
    let home = Home::new();
    let begun = begin(&home);
    let (session, run) = (text(&begun["session"]).to_owned(), text(&begun["run"]).to_owned());
    let (operator, plugins) = (operator(&home), plugins().display().to_string());
    let server = Server::start(&home, &["--plugins", &plugins, "--operator", &operator]);
    let tab = server.single();
    let seen = tab.records(&session).last().unwrap()["seq"].as_u64().unwrap();
    let path = format!("/api/runs/{run}/say");
    assert_eq!(tab.post(&path, &json!({ "text": "2", "after": seen - 1 })).expect(409).code(), "message.stale");
    tab.post(&path, &json!({ "text": " ", "after": seen })).expect(400);
    tab.post("/api/runs/nothing/say", &json!({ "text": "2", "after": seen })).expect(404);
    tab.post(&path, &json!({ "text": "2", "after": seen })).expect(202);
    let records = until("the next question", || {
        let records = tab.records(&session);
        records.iter().any(|it| it["type"] == "run.parked" && it["seq"].as_u64() > Some(seen)).then_some(records)
    });
    let shown = records.iter().filter(|it| it["type"] == "message.shown");
    let shown: Vec<&str> =
        shown.flat_map(|it| it["messages"].as_array().unwrap()).map(|it| text(&it["display"])).collect();
    assert_eq!(shown, ["Question 1 of 3: What is 1 + 1?", "Yes.", "Question 2 of 3: What is 2 + 2?"]);
    let last = records.last().unwrap()["seq"].as_u64().unwrap();
    tab.post(&path, &json!({ "text": "4", "after": last })).expect(202);
}
