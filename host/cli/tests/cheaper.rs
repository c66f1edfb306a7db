//! Answers that cost less or nothing: those of a prompt cache, and those that were kept while developing.

use crate::support;

use serde_json::{Value, json};
use support::mock::{Mock, call, text};
use support::{CREATE, Home, KEY, LESSON};

fn of_type<'a>(records: &'a [Value], name: &str) -> Vec<&'a Value> {
    records.iter().filter(|record| record["type"] == name).collect()
}

#[test]
fn the_trace_shows_what_a_prompt_cache_saved() {
    let home = Home::new();
    let with = |usage: &str| {
        let body = String::from_utf8(support::mock::bytes(text(LESSON))).unwrap();
        support::mock::Reply::Stream(body.replace("\"input_tokens\":1000", usage))
    };
    let body = String::from_utf8(support::mock::bytes(call("read_file", r#"{"path":"soul.md"}"#, "tool_use"))).unwrap();
    let written = "\"input_tokens\":1000,\"cache_creation_input_tokens\":10000";
    let first = support::mock::Reply::Stream(body.replace("\"input_tokens\":1000", written));
    let mock = Mock::new(vec![first, with("\"input_tokens\":1000,\"cache_read_input_tokens\":10000")]);
    let more = ["--model", "claude-sonnet-4-6", "--output", "json"];
    let end = home.asked("anthropic", &mock.base, &more).expect(0).json();
    let records = home.records(end["session"].as_str().unwrap());
    let answers = of_type(&records, "model.answered");
    let saved = |place: usize| answers[place]["answer"]["cache_saved_usd"].as_f64().unwrap();
    // 10,000 tokens: written at 3.75 instead of 3, read at 0.30 instead of 3 dollars for a million.
    assert!((saved(0) + 0.0075).abs() < 1e-9 && (saved(1) - 0.027).abs() < 1e-9, "{} {}", saved(0), saved(1));
    let run = end["run"].as_str().unwrap();
    let shown = home.run(&["--trace", run]).expect(0).out;
    for line in [
        "11000 tokens in (0 of them cached, $0.0075 more)",
        "11000 tokens in (10000 of them cached, $0.0270 saved)",
        "prompt cache: 10000 tokens read, 10000 written, $0.0195 saved",
    ] {
        assert!(shown.contains(line), "{line}: {shown}");
    }
    let trace = home.run(&["--trace", run, "--output", "json"]).expect(0).json();
    assert!((trace["summary"]["cache_saved_usd"].as_f64().unwrap() - 0.0195).abs() < 1e-9);
}

#[test]
fn the_same_request_gets_the_kept_answer_for_nothing() {
    let home = Home::new();
    let kept = home.path("kept").display().to_string();
    let plugins = home.plugins_with(&["memory: false"]);
    let mock = Mock::new(vec![
        call("read_file", r#"{"path":"soul.md"}"#, "tool_use"),
        text(LESSON),
        text("# Other\n\n## A\n"),
    ]);
    let run = |more: &[&str]| {
        let more = [more, &["--completion-cache", &kept, "--plugins", &plugins, "--output", "json"]].concat();
        home.asked("anthropic", &mock.base, &more).expect(0)
    };
    let first = run(&[]).json();
    assert_eq!(mock.requests().len(), 2);
    let second = run(&["--model", "claude-haiku-4-5"]);
    assert!(mock.requests().len() == 3, "another model is another request");
    drop(second);
    let again = run(&[]).json();
    assert_eq!(mock.requests().len(), 3, "nothing is sent");
    assert_eq!((&again["output"], &again["cost_usd"]), (&first["output"], &json!(0.0)));
    assert_eq!(again["usage"], json!({ "input_tokens": 0, "output_tokens": 0 }));
    let records = home.records(again["session"].as_str().unwrap());
    assert!(of_type(&records, "model.answered").iter().all(|it| it["answer"]["cached"] == true));
    let trace = home.run(&["--trace", again["run"].as_str().unwrap()]).expect(0).out;
    assert!(trace.contains("a kept answer, nothing was sent"), "{trace}");
    let replayed = home.run(&["replay", again["run"].as_str().unwrap(), "--output", "json"]).expect(0).json();
    assert_eq!(replayed["divergence"], Value::Null, "{replayed}");
    // A file that cannot be read is one that is not there.
    let mut texts = String::new();
    for file in std::fs::read_dir(&kept).unwrap() {
        let path = file.unwrap().path();
        texts += &std::fs::read_to_string(&path).unwrap();
        std::fs::write(path, "{").unwrap();
    }
    assert!(texts.contains("# Done") && !texts.contains(KEY) && !texts.contains("iteration for 3B"));
    home.asked("anthropic", &mock.base, &["--completion-cache", &kept, "--plugins", &plugins]).expect(6);
    assert_eq!(mock.requests().len(), 4);
}

#[test]
fn what_uses_no_network_is_not_kept() {
    let home = Home::new();
    let call = home.run(&[CREATE, "iteration for 3B", "--completion-cache", "kept"]).expect(2);
    assert!(call.err.contains("there is nothing to keep [cache.nothing]"), "{}", call.err);
    let both = home.run(&[CREATE, "x", "--completion-cache", "kept", "--record", "tape"]).expect(2);
    assert!(both.err.contains("cannot be used with"), "{}", both.err);
}
