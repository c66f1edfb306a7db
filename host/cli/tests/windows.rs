//! Conversations that outgrow the model's window, through the binary: older messages make room, and nothing that counts is lost.

use crate::support;

use serde_json::{Value, json};
use support::mock::{Mock, Reply, call, text};
use support::{CREATE, Home, LESSON};

const FILES: [&str; 6] =
    ["curriculum/cfe-computing.md", "pedagogy.md", "teacher.md", "soul.md", "classes/3B.md", "classes/1A.md"];

fn of_type<'a>(records: &'a [Value], name: &str) -> Vec<&'a Value> {
    records.iter().filter(|record| record["type"] == name).collect()
}

fn read(path: &str) -> Value {
    json!({ "text": "", "calls": [{ "name": "read_file", "arguments": { "path": path } }] })
}

fn replays(home: &Home, run: &Value) {
    let replayed = home.run(&["replay", run.as_str().unwrap(), "--output", "json"]).expect(0).json();
    assert_eq!(replayed["divergence"], Value::Null, "{replayed}");
}

#[test]
fn a_run_that_waits_goes_on_with_the_very_request_that_failed() {
    let home = Home::new();
    let plugins = home.plugins_with(&["tools: [read_file]"]);
    let mut answers: Vec<Value> = FILES.iter().map(|path| read(path)).collect();
    answers.push(json!({ "error": { "code": "model.overloaded", "message": "Too busy.", "hint": "Wait." } }));
    answers.push(json!({ "text": LESSON }));
    let script = home.script(&json!(answers));
    let run = [CREATE, "iteration for 3B", "--provider", "script", "--script", &script, "--plugins", &plugins];
    let parked = home.run(&[&run[..], &["--context-window", "22000", "--output", "json"]].concat()).expect(6).json();
    let session = parked["session"].as_str().unwrap();
    let records = home.records(session);
    let compacted = of_type(&records, "context.compacted");
    assert!(!compacted.is_empty(), "six files do not fit");
    for it in &compacted {
        let (before, after) = (it["tokens_before"].as_u64().unwrap(), it["tokens_after"].as_u64().unwrap());
        assert!(before > 17_600 && after < before && it["window"] == 22_000, "{before} {after}");
        assert_eq!(it["estimated"], true);
    }
    let last = compacted.last().unwrap()["text"].as_str().unwrap();
    assert!(last.contains("called read_file {\"path\":\"curriculum/cfe-computing.md\"}"), "{last}");
    assert!(last.contains("TCH 3-14a") && last.contains("read: curriculum/cfe-computing.md (sha256 "), "{last}");
    std::fs::write(
        home.path("script.json"),
        std::fs::read_to_string(home.path("script.json")).unwrap().replace("model.overloaded", "model.again"),
    )
    .unwrap();
    home.run(&["--resume", session, "--plugins", &plugins]).expect(6);
    let digests = |records: &[Value]| -> Vec<Value> {
        of_type(records, "model.called").iter().map(|it| it["request_sha256"].clone()).collect()
    };
    let sent = digests(&home.records(session));
    assert_eq!(sent[sent.len() - 1], sent[sent.len() - 2], "resumed in another process, the same bytes are sent");
    let script = json!({ "answers": answers.iter().filter(|it| it["error"].is_null()).collect::<Vec<_>>() });
    home.write("script.json", &script.to_string());
    let end = home.run(&["--resume", session, "--plugins", &plugins, "--output", "json"]).expect(0).json();
    assert_eq!(end["output"], LESSON);
    replays(&home, &end["run"]);
    let trace = home.run(&["--trace", session]).expect(0).out;
    assert!(trace.contains("context") && trace.contains("window 22000"), "{trace}");
}

#[test]
fn what_the_teacher_decided_and_asked_for_is_there_in_a_long_session() {
    let home = Home::new();
    let lesson = "# Loops\n\n## Starter\n\nquiz\n\n## Plenary\n\nexit ticket\n";
    // Once more than the person asks: a lesson that lacks parts is sent back before the person sees it.
    let script = home.script(&json!([{ "text": lesson }, { "text": lesson }, { "text": lesson }]));
    let answers = home.answers(&json!([
        { "question": "context", "items": { "*": "confirm" } },
        { "question": "reflection", "items": { "*": "skip" } },
        { "question": "sections", "items": { "starter": { "revise": "five minutes, on mini-whiteboards" }, "*": "accept" } },
        { "question": "sections", "items": { "*": "accept" } },
        { "question": "memory", "items": { "*": "dismiss" } },
    ]));
    let scripted = ["--provider", "script", "--script", &script, "--answers", &answers, "--output", "json"];
    let first = home.run(&[&[CREATE, "iteration for 3B, without football"], &scripted[..]].concat()).expect(0).json();
    let session = first["session"].as_str().unwrap();
    let asked: Vec<Value> =
        FILES.iter().map(|path| read(path)).chain((0..3).map(|_| json!({ "text": lesson }))).collect();
    home.script(&json!(asked));
    let more = ["--resume", session, "now the homework", "--context-window", "24000"];
    let second = home.run(&[&more[..], &scripted].concat()).expect(0).json();
    let records = home.records(second["session"].as_str().unwrap());
    let compacted = of_type(&records, "context.compacted");
    let text = compacted.last().expect("six files do not fit")["text"].as_str().unwrap();
    for kept in [
        "- sections/plenary: accept",
        "iteration for 3B, without football",
        "the section \"Plenary\" is accepted and stays as it is",
        "five minutes, on mini-whiteboards",
        "written: lessons/3B-loops.md",
    ] {
        assert!(text.contains(kept), "{kept}: {text}");
    }
    replays(&home, &second["run"]);
}

#[test]
fn a_provider_is_sent_no_result_without_its_call() {
    let home = Home::new();
    let plugins = home.plugins_with(&["tools: [read_file]"]);
    let mut replies: Vec<Reply> =
        FILES.iter().map(|path| call("read_file", &json!({ "path": path }).to_string(), "tool_use")).collect();
    replies.push(text(LESSON));
    let mock = Mock::new(replies);
    let more = ["--plugins", &plugins, "--context-window", "10000", "--output", "json"];
    let end = home.asked("anthropic", &mock.base, &more).expect(0).json();
    let records = home.records(end["session"].as_str().unwrap());
    let compacted = of_type(&records, "context.compacted");
    assert!(!compacted.is_empty() && compacted[0]["estimated"] == false, "the provider has counted by then");
    for request in mock.requests() {
        let mut called: Vec<Value> = Vec::new();
        for part in request.body["messages"].as_array().unwrap().iter().flat_map(|it| it["content"].as_array().unwrap())
        {
            match part["type"].as_str().unwrap() {
                "tool_use" => called.push(part["id"].clone()),
                "tool_result" => {
                    let place = called.iter().position(|id| *id == part["tool_use_id"]);
                    called.remove(place.expect("a result without its call"));
                }
                _ => {}
            }
        }
        assert_eq!(called, Vec::<Value>::new(), "a call without its result");
    }
    let last = mock.requests().last().unwrap().body.to_string();
    assert!(last.contains("<earlier-") && last.contains(" messages=") && last.contains("iteration for 3B"), "{last}");
    replays(&home, &end["run"]);
}

#[test]
fn what_no_window_holds_is_not_sent_and_a_window_nearly_full_is_said_once() {
    let home = Home::new();
    let plugins = home.plugins_with(&["tools: [read_file]"]);
    let mock = Mock::new(vec![text(LESSON)]);
    let done =
        home.asked("anthropic", &mock.base, &["--plugins", &plugins, "--context-window", "3000", "--output", "json"]);
    let end = done.expect(5).json();
    assert_eq!((&end["status"], mock.requests().len()), (&json!("error_too_long"), 0), "{end}");
    let reason = end["reason"].as_str().unwrap();
    for said in ["holds 3000", "[model.too_long]", "larger window", "--context-window", "shorter files"] {
        assert!(reason.contains(said), "{said}: {reason}");
    }
    replays(&home, &end["run"]);
    // The session is not lost: the next request may say more.
    let more = ["--resume", end["session"].as_str().unwrap(), "for 3B", "--answers", "accept", "--plugins", &plugins];
    let next = home.with_keys(home.command(&more)).args(["--output", "json"]).output().unwrap();
    assert_eq!(support::Call::of(&next).expect(0).json()["output"], LESSON);

    let read = |path: &str| call("read_file", &json!({ "path": path }).to_string(), "tool_use");
    let mock = Mock::new(vec![read(FILES[0]), read(FILES[1]), text(LESSON)]);
    let done = home.asked("anthropic", &mock.base, &["--plugins", &plugins, "--context-window", "10000"]).expect(0);
    assert_eq!(done.err.matches("tokens of the model's window are used").count(), 1, "{}", done.err);
    let trace = home.run(&["--trace", done.session()]).expect(0).out;
    assert_eq!(trace.matches("no room to be made").count(), 1, "{trace}");
    let mock = Mock::new(vec![read(FILES[1]), text(LESSON)]);
    let done = home.asked("anthropic", &mock.base, &["--plugins", &plugins]).expect(0);
    assert!(!done.err.contains("tokens of the model's window are used"), "{}", done.err);
}

#[test]
fn the_window_is_the_models_the_users_or_a_careful_guess() {
    let home = Home::new();
    let window = |model: &str, more: &[&str]| {
        let mock = Mock::new(vec![text(LESSON)]);
        let plugins = home.plugins_with(&[]);
        let more = [more, &["--model", model, "--plugins", &plugins, "--output", "json"]].concat();
        let end = home.asked("anthropic", &mock.base, &more).expect(0).json();
        home.records(end["session"].as_str().unwrap()).remove(0)["context_window"].clone()
    };
    assert_eq!(window("claude-sonnet-4-6", &[]), 200_000);
    assert_eq!(window("claude-sonnet-4-6", &["--context-window", "50000"]), 50_000);
    let own = "date = \"2026-11-22\"\nsource = \"here\"\n[[price]]\nprovider = \"anthropic\"\nmodel = \"claude-mine\"\ninput = 1.0\noutput = 1.0\n";
    let prices = home.write("prices.toml", own).display().to_string();
    assert_eq!(window("claude-mine", &["--prices", &prices]), 32_768, "unknown");
    home.write("prices.toml", &format!("{own}window = 64000\n"));
    assert_eq!(window("claude-mine", &["--prices", &prices]), 64_000);
}
