//! Real providers through the binary, each played by a server on this machine.

use crate::support;

use serde_json::{Value, json};
use support::mock::{Mock, Reply, call, text};
use support::{CREATE, Call, Home, KEY, LESSON};

/// A run of `create-lesson` with Anthropic, which is the mock.
fn run(home: &Home, mock: &Mock, more: &[&str]) -> Call {
    home.asked("anthropic", &mock.base, more)
}

#[test]
fn a_lesson_comes_from_a_provider_with_its_tools() {
    let home = Home::new();
    let mock = Mock::new(vec![call("read_file", r#"{"path":"soul.md"}"#, "tool_use"), text(LESSON)]);
    let end = run(&home, &mock, &["--model", "claude-sonnet-4-5", "--output", "json"]).expect(0).json();
    assert_eq!((&end["status"], &end["usage"]["input_tokens"]), (&json!("success"), &json!(2_000)));
    assert!((end["cost_usd"].as_f64().unwrap() - 0.021).abs() < 1e-9, "{end}");
    let asked = mock.requests();
    assert!(asked[0].head.contains(&format!("x-api-key: {KEY}")), "{}", asked[0].head);
    assert_eq!(asked[0].body["model"], "claude-sonnet-4-5");
    assert!(asked[0].body["tools"].as_array().unwrap().iter().any(|tool| tool["name"] == "read_file"));
    let results = asked[1].body["messages"].as_array().unwrap().last().unwrap()["content"][0].clone();
    assert_eq!((&results["type"], &results["tool_use_id"]), (&json!("tool_result"), &json!("toolu_1")));
    let started = home.records(end["session"].as_str().unwrap()).remove(0);
    assert_eq!((&started["provider"], &started["model"]), (&json!("anthropic"), &json!("claude-sonnet-4-5")));
    assert_eq!(started["base_url"], mock.base);
    assert_eq!(started["price"]["output_usd"], 15.0);
    let replayed = home.run(&["replay", end["run"].as_str().unwrap(), "--output", "json"]).expect(0).json();
    assert_eq!(replayed["divergence"], Value::Null, "{replayed}");
}

#[test]
fn counts_that_are_none_and_inputs_over_the_price_list_still_cost() {
    let most = u64::MAX;
    let cases = [
        (
            "an input longer than the price holds for",
            json!({ "input_tokens": 250_000, "output_tokens": 1 }),
            false,
            0.9,
        ),
        ("counts as texts", json!({ "input_tokens": "1000", "output_tokens": "1" }), true, 0.01),
        ("more than a number holds", json!({ "input_tokens": most, "cache_read_input_tokens": 5 }), true, 0.01),
    ];
    for (what, usage, estimated, least) in cases {
        let Reply::Stream(body) = text(LESSON) else { unreachable!() };
        let told = json!({ "input_tokens": 1_000, "output_tokens": 1 });
        assert!(body.contains(&told.to_string()), "{body}");
        let mock = Mock::new(vec![Reply::Stream(body.replace(&told.to_string(), &usage.to_string()))]);
        let home = Home::new();
        let end = run(&home, &mock, &["--model", "claude-sonnet-4-5", "--output", "json"]).expect(0).json();
        assert!(end["cost_usd"].as_f64().unwrap() > least, "{what}: {end}");
        let records = home.records(end["session"].as_str().unwrap());
        let answered = records.iter().find(|record| record["type"] == "model.answered").unwrap();
        assert_eq!(answered["answer"]["usage"]["estimated"] == json!(true), estimated, "{what}: {answered}");
    }
}

#[test]
fn every_wire_format_carries_a_lesson() {
    let chat = json!({ "choices": [{ "delta": { "content": LESSON }, "finish_reason": "stop" }] });
    let chat = format!("data: {chat}\n\ndata: [DONE]\n\n");
    let said = json!({ "type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": LESSON });
    let done = json!({ "type": "response.completed", "response": { "status": "completed", "output": [],
        "usage": { "input_tokens": 9, "output_tokens": 9 } } });
    let responses = format!("data: {said}\n\ndata: {done}\n\n");
    let parts = json!({ "parts": [{ "text": LESSON }], "role": "model" });
    let gemini = json!({ "candidates": [{ "content": parts, "finishReason": "STOP" }] });
    let ollama = json!({ "message": { "role": "assistant", "content": LESSON }, "done": true, "done_reason": "stop" });
    let cases = [
        ("openai", "/responses", responses),
        ("openai-chat", "/chat/completions", chat.clone()),
        ("google", ":streamGenerateContent", format!("data: {gemini}\n\n")),
        ("ollama", "/api/chat", format!("{ollama}\n")),
        ("compatible", "/chat/completions", chat),
    ];
    let own = "date = \"2026-11-22\"\nsource = \"here\"\n[[price]]\nprovider = \"compatible\"\nmodel = \"*\"\ninput = 0.0\noutput = 0.0\n";
    for (provider, path, reply) in cases {
        let home = Home::new();
        let prices = home.write("prices.toml", own).display().to_string();
        let mock = Mock::new(vec![Reply::Stream(reply)]);
        let more: &[&str] = if provider == "compatible" { &["--model", "m", "--prices", &prices] } else { &[] };
        let call = home.asked(provider, &mock.base, more).expect(0);
        assert!(call.out.contains("## Starter"), "{provider}: {} {}", call.out, call.err);
        let asked = mock.requests();
        assert!(asked[0].head.lines().next().unwrap().contains(path), "{provider}: {}", asked[0].head);
        assert_eq!(asked[0].head.contains(KEY), provider != "ollama", "{provider}");
    }
}

#[test]
fn without_a_key_the_planner_writes_and_says_which_variable_would_change_that() {
    let home = Home::new();
    let call = home.run(&[CREATE, "iteration for 3B", "--answers", "accept"]).expect(0);
    assert!(
        call.err.contains("ANTHROPIC_API_KEY is not set: the plugin's offline provider answers instead"),
        "{}",
        call.err
    );
    let asked = home.run(&[CREATE, "iteration for 3B", "--provider", "anthropic"]).expect(1);
    assert!(asked.err.contains("[model.key_missing]") && asked.err.contains("Set ANTHROPIC_API_KEY"), "{}", asked.err);
    assert!(home.run(&["--sessions"]).out.contains(call.session()), "one session, that of the planner");
}

#[test]
fn a_file_of_keys_is_read_unless_tools_could_read_it_too() {
    let home = Home::new();
    let mock = Mock::new(vec![text(LESSON)]);
    let arguments = |file: &str| {
        let mut command = home.command(&[CREATE, "iteration for 3B", "--answers", "accept", "--provider", "anthropic"]);
        command.args(["--base-url", &mock.base]).env("TEACHER_ASSIST_KEYS", file);
        Call::of(&command.output().unwrap())
    };
    let text = format!("[keys]\nanthropic = \"{KEY}\"\n");
    let (outside, inside) = (home.secret("keys.toml", &text), home.secret("workspace/keys.toml", &text));
    let call = arguments(&inside).expect(1);
    assert!(call.err.contains("lies inside the workspace [model.key_file]"), "{}", call.err);
    arguments(&outside).expect(0);
    assert!(mock.requests()[0].head.contains(KEY));
}

#[test]
fn an_address_with_a_secret_in_it_is_refused() {
    let home = Home::new();
    for url in ["http://me:secret@127.0.0.1:9", "http://127.0.0.1:9/?key=secret"] {
        let call = home.asked("anthropic", url, &[]).expect(2);
        assert!(call.err.contains("[model.base_url]") && !call.err.contains("secret"), "{}", call.err);
    }
}

#[test]
fn what_needs_no_network_has_no_address_and_nothing_to_record() {
    let home = Home::new();
    let at =
        home.run(&[CREATE, "iteration for 3B", "--provider", "offline", "--base-url", "http://127.0.0.1:9"]).expect(2);
    assert!(at.err.contains("it has no address [model.base_url]"), "{}", at.err);
    let record = home.run(&[CREATE, "iteration for 3B", "--record", "tape"]).expect(2);
    assert!(record.err.contains("nothing to record [record.nothing]"), "{}", record.err);
    let missing = home.run(&[CREATE, "iteration for 3B", "--provider", "cassette"]).expect(2);
    assert!(missing.err.contains("[cassette.missing]"), "{}", missing.err);
}

#[test]
fn models_says_what_can_be_called() {
    let home = Home::new();
    let nowhere = ("OLLAMA_HOST", "127.0.0.1:9");
    let listed = Call::of(&home.command(&["models"]).env(nowhere.0, nowhere.1).output().unwrap()).expect(0);
    for said in
        ["no key: set ANTHROPIC_API_KEY", "needs no key", "claude-sonnet-4-6  $3 in, $15 out", "[model.connect]"]
    {
        assert!(listed.out.contains(said), "{said}: {}", listed.out);
    }
    let list = Reply::Status(200, "", json!({ "data": [{ "id": "claude-sonnet-4-5" }] }).to_string());
    let mock = Mock::new(vec![list, text("ready")]);
    let mut command = home.command(&["models", "--check", "--provider", "anthropic", "--base-url", &mock.base]);
    command.args(["--output", "json"]).env("ANTHROPIC_API_KEY", KEY);
    let found = Call::of(&command.output().unwrap()).expect(0).json();
    assert!(found["prices_date"].as_str().unwrap().starts_with("20"), "{found}");
    let state = &found["providers"][0];
    assert_eq!((&state["key"], &state["reachable"]), (&json!("set"), &json!(true)));
    assert_eq!(
        (&state["models"][0]["name"], &state["models"][0]["input_usd"]),
        (&json!("claude-sonnet-4-5"), &json!(3.0))
    );
    assert!(state["checked"]["cost_usd"].as_f64().unwrap() > 0.0);
    assert_eq!(mock.requests().len(), 2, "one list and one small call");
    let mock = Mock::new(vec![support::mock::refusal(401, "", "authentication_error")]);
    let mut command = home.command(&["models", "--check", "--provider", "anthropic", "--base-url", &mock.base]);
    let refused = Call::of(&command.env("ANTHROPIC_API_KEY", KEY).output().unwrap()).expect(6);
    assert!(refused.out.contains("[model.auth]") && !refused.out.contains(KEY), "{}", refused.out);
}
