//! Guests that ask a model, through the binary, with a provider on this machine.

use crate::support;

use serde_json::{Value, json};
use support::mock::{Mock, Reply, refusal, text};
use support::{CREATE, Call, Home, KEY, LESSON, answered, made};

/// Of this one scope-check is unsure: pupils write reports in lessons, and teachers about pupils.
const UNSURE: &str = "a report";

/// A home whose operator grants scope-check the model.
fn granted(more: &str) -> Home {
    let home = Home::new();
    home.write(
        "teacher-assist.toml",
        &format!("{more}[grants.\"lesson-planning:scope-check\"]\ncapabilities = [\"log\", \"ask\", \"model\"]\n"),
    );
    home
}

fn create(home: &Home, mock: &Mock, request: &str, more: &[&str]) -> Call {
    let mut command = home.command(&[CREATE, request, "--answers", "accept", "--output", "json"]);
    command.args(["--provider", "anthropic", "--base-url", &mock.base]).args(more);
    Call::of(&home.with_keys(command).output().unwrap())
}

fn of_kind<'a>(records: &'a [Value], kind: &str) -> Vec<&'a Value> {
    records.iter().filter(|record| record["type"] == kind).collect()
}

/// The verdict and the notes of scope-check.
fn scope(records: &[Value]) -> (String, String) {
    let hook = records.iter().find(|it| it["type"] == "hook.finished" && it["hook"] == "scope-check").unwrap();
    (hook["verdict"]["verdict"].as_str().unwrap_or_default().to_owned(), hook["notes"].to_string())
}

#[track_caller]
fn replays(home: &Home, run: &Value) {
    let replayed = home.run(&["replay", run.as_str().unwrap(), "--output", "json"]).expect(0).json();
    assert_eq!(replayed["divergence"], Value::Null, "{replayed}");
}

#[test]
fn an_unsure_request_is_put_to_the_cheap_model_once() {
    let home = granted("");
    let mock = Mock::new(vec![text("lesson"), text(LESSON)]);
    let end = create(&home, &mock, UNSURE, &[]).expect(0).json();
    let asked = mock.requests();
    assert_eq!(asked.len(), 2, "one small question and the lesson");
    assert_eq!((&asked[0].body["model"], &asked[0].body["max_tokens"]), (&json!("claude-haiku-4-5"), &json!(256)));
    assert!(asked[0].body.to_string().contains(UNSURE) && asked[0].body["tools"].is_null(), "{}", asked[0].body);
    assert_eq!(asked[1].body["model"], "claude-sonnet-4-5", "the agent's own");
    let records = home.records(end["session"].as_str().unwrap());
    assert_eq!(records[0]["guest_model"]["model"], "claude-haiku-4-5");
    let (asked, answered) = (made(&records, "model"), answered(&records, "model"));
    assert_eq!((asked.len(), answered.len(), &answered[0]["by"]), (1, 1, &json!("scope-check")));
    assert!(asked[0]["request"]["prompt"].as_str().unwrap().contains(UNSURE), "{}", asked[0]);
    let cost = answered[0]["answer"]["cost_usd"].as_f64().unwrap();
    assert!(cost > 0.0, "{cost}");
    let of_run = of_kind(&records, "model.answered")[0]["answer"]["cost_usd"].as_f64().unwrap();
    assert!((end["cost_usd"].as_f64().unwrap() - cost - of_run).abs() < 1e-9, "one ledger: {end}");
    assert_eq!(end["usage"]["input_tokens"], 2_000, "{end}");
    let hook = of_kind(&records, "hook.finished").into_iter().find(|it| it["hook"] == "scope-check").unwrap();
    assert_eq!(hook["report"]["inputs"][0]["sha256"], answered[0]["sha256"]);
    assert_eq!(scope(&records).0, "pass");
    let trace = home.run(&["--trace", end["run"].as_str().unwrap(), "--output", "json"]).expect(0).json();
    let span = trace["spans"].as_array().unwrap().iter().find(|span| span["kind"] == "guest-model").unwrap().clone();
    assert_eq!((&span["name"], &span["attributes"]["cost_usd"]), (&json!("scope-check"), &json!(cost)));
    replays(&home, &end["run"]);
    assert_eq!(mock.requests().len(), 2, "a replay asks nobody");
}

#[test]
fn what_breaks_off_of_its_answer_is_paid_for() {
    let home = granted("");
    let cut = || Reply::Cut(support::mock::begun("les"));
    let mock = Mock::new(vec![cut(), cut(), text(LESSON)]);
    let end = create(&home, &mock, UNSURE, &[]).expect(0).json();
    let records = home.records(end["session"].as_str().unwrap());
    let answered = answered(&records, "model")[0]["answer"].clone();
    assert_eq!((&answered["code"], &answered["usage"]["input_tokens"]), (&json!("model.stream_cut"), &json!(2_000)));
    assert!(answered["cost_usd"].as_f64().unwrap() >= 0.002, "{answered}");
    replays(&home, &end["run"]);
}

#[test]
fn a_sure_request_is_not_put_to_it() {
    let home = granted("");
    let mock = Mock::new(vec![text(LESSON)]);
    let end = create(&home, &mock, "iteration for 3B", &[]).expect(0).json();
    assert_eq!(mock.requests().len(), 1);
    assert_eq!(made(&home.records(end["session"].as_str().unwrap()), "model").len(), 0);
}

#[test]
fn only_a_clear_word_of_the_model_turns_a_request_away() {
    let cases: [(Reply, i32, &str); 4] = [
        (text("Other."), 7, "abort"),
        (text("I would say it is other than a lesson"), 0, "pass"),
        (Reply::Status(200, "", "this is no answer".to_owned()), 0, "pass"),
        (refusal(400, "", "invalid_request_error"), 0, "pass"),
    ];
    for (reply, code, verdict) in cases {
        let home = granted("");
        let mock = Mock::new(vec![reply, text(LESSON)]);
        let end = create(&home, &mock, UNSURE, &[]).expect(code).json();
        assert_eq!(scope(&home.records(end["session"].as_str().unwrap())).0, verdict);
        replays(&home, &end["run"]);
    }
}

#[test]
fn without_the_grant_nobody_is_asked_and_the_rules_decide() {
    let home = Home::new();
    let mock = Mock::new(vec![text(LESSON)]);
    let end = create(&home, &mock, UNSURE, &[]).expect(0).json();
    let records = home.records(end["session"].as_str().unwrap());
    assert_eq!((mock.requests().len(), scope(&records).0.as_str()), (1, "pass"));
    assert_eq!(records[0]["components"]["scope-check"]["granted"], json!(["log", "ask", "without:model"]));
    let shown = home.run(&["inspect", "lesson-planning:scope-check"]).expect(0).out;
    assert!(shown.contains("model"), "{shown}");
    home.run(&["validate"]).expect(0);
}

#[test]
fn a_component_that_cannot_do_without_it_is_refused_with_the_line_that_grants() {
    let home = Home::new();
    let plugins = home.path("plugins");
    support::copy(&support::plugins(), &plugins);
    let manifest = plugins.join("lesson-planning/plugin.toml");
    let asks = std::fs::read_to_string(&manifest).unwrap();
    let needs = asks.replacen("[\"log\", \"ask\"]\noptional = [\"model\"]", "[\"log\", \"ask\", \"model\"]", 1);
    assert_ne!(needs, asks);
    std::fs::write(&manifest, needs).unwrap();
    let call = home.run(&[CREATE, UNSURE, "--plugins", &plugins.display().to_string()]).expect(1);
    assert!(call.err.contains("[plugin.import_denied]"), "{}", call.err);
    assert!(call.err.contains("[grants.\"lesson-planning:scope-check\"] capabilities"), "{}", call.err);
}

#[test]
fn without_a_network_it_is_unavailable_and_the_rules_decide() {
    let home = granted("guest-model = \"anthropic/claude-haiku-4-5\"\n");
    let script = home.script(&json!([{ "text": LESSON }]));
    let asked =
        [CREATE, UNSURE, "--answers", "accept", "--output", "json", "--provider", "script", "--script", &script];
    let end = home.run(&asked).expect(0).json();
    let (verdict, notes) = scope(&home.records(end["session"].as_str().unwrap()));
    assert!(verdict == "pass" && notes.contains("nobody can be asked in this run"), "{verdict} {notes}");
    replays(&home, &end["run"]);
}

#[test]
fn the_operator_says_which_model_and_a_wrong_name_is_said_at_once() {
    let home = granted("guest-model = \"anthropic/claude-sonnet-4-5\"\n");
    let mock = Mock::new(vec![text("lesson"), text(LESSON)]);
    create(&home, &mock, UNSURE, &[]).expect(0);
    assert_eq!(mock.requests()[0].body["model"], "claude-sonnet-4-5");
    for (name, code) in [("claude", 1), ("nobody/claude", 1)] {
        let home = granted(&format!("guest-model = \"{name}\"\n"));
        let call = create(&home, &mock, UNSURE, &[]).expect(code);
        assert!(format!("{}{}", call.out, call.err).contains("guest-model"), "{} {}", call.out, call.err);
    }
}

#[test]
fn it_is_paid_from_the_run_and_only_where_there_is_room() {
    let home = granted("");
    let mock = Mock::new(vec![]);
    let end = create(&home, &mock, UNSURE, &["--max-budget-usd", "0.001"]).expect(5).json();
    let notes = scope(&home.records(end["session"].as_str().unwrap())).1;
    assert!(notes.contains("the run's own budget has no room for it"), "{notes}");
    assert_eq!((mock.requests().len(), &end["cost_usd"]), (0, &json!(0.0)));
    replays(&home, &end["run"]);
}

#[test]
fn an_answer_that_was_paid_is_not_paid_again_when_the_run_is_killed_behind_it() {
    let home = granted("");
    let mock = Mock::new(vec![text("lesson"), Reply::Hang(String::new()), text(LESSON)]);
    let mut command = home.command(&[CREATE, UNSURE, "--answers", "accept"]);
    command.args(["--provider", "anthropic", "--base-url", &mock.base]).stderr(std::process::Stdio::null());
    let mut child = home.with_keys(command).spawn().unwrap();
    mock.hanging.recv().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let listed = home.run(&["--sessions", "--output", "json"]).expect(0).json();
    let session = listed[0]["id"].as_str().or(listed["sessions"][0]["id"].as_str()).unwrap().to_owned();
    let mut command = home.command(&["--resume", &session, "--answers", "accept", "--output", "json"]);
    command.env("ANTHROPIC_API_KEY", KEY);
    let end = Call::of(&command.output().unwrap()).expect(0).json();
    assert_eq!(made(&home.records(&session), "model").len(), 1);
    replays(&home, &end["run"]);
}

#[test]
fn an_answer_that_was_lost_with_the_process_is_taken_as_paid_and_asked_for_again() {
    let home = granted("");
    let mock = Mock::new(vec![Reply::Hang(String::new()), text("lesson"), text(LESSON)]);
    let mut command = home.command(&[CREATE, UNSURE, "--answers", "accept"]);
    command.args(["--provider", "anthropic", "--base-url", &mock.base]).stderr(std::process::Stdio::null());
    let mut child = home.with_keys(command).spawn().unwrap();
    mock.hanging.recv().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let listed = home.run(&["--sessions", "--output", "json"]).expect(0).json();
    let session = listed[0]["id"].as_str().or(listed["sessions"][0]["id"].as_str()).unwrap().to_owned();
    let mut command = home.command(&["--resume", &session, "--answers", "accept", "--output", "json"]);
    command.env("ANTHROPIC_API_KEY", KEY);
    let end = Call::of(&command.output().unwrap()).expect(0).json();
    let records = home.records(&session);
    assert_eq!((made(&records, "model").len(), answered(&records, "model").len()), (1, 1));
    let told = answered(&records, "model")[0]["answer"]["cost_usd"].as_f64().unwrap();
    let of_run = of_kind(&records, "model.answered")[0]["answer"]["cost_usd"].as_f64().unwrap();
    let lost = end["cost_usd"].as_f64().unwrap() - told - of_run;
    assert!(lost > 0.001, "what the lost call may have cost counts: {end}");
    replays(&home, &end["run"]);
}
