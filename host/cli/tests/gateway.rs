//! Providers as the operator's file has them, for the command line and the server alike: a gateway with a name and key of its own,
//! who takes over, addresses from the environment; and a provider that is down is waited for once.

use crate::support;

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::mock::{Mock, Reply};
use support::server::Server;
use support::{CREATE, Call, Home, LESSON};

const GATEWAY_KEY: &str = "sk-of-the-gateway-1";

fn chat(delta: &Value, finish: &str) -> Reply {
    let said = json!({ "choices": [{ "delta": delta, "finish_reason": finish }] });
    let usage = json!({ "choices": [], "usage": { "prompt_tokens": 1_000, "completion_tokens": 500 } });
    Reply::Stream(format!("data: {said}\n\ndata: {usage}\n\ndata: [DONE]\n\n"))
}

fn lesson() -> Reply {
    chat(&json!({ "content": LESSON }), "stop")
}

/// A model that looks at a directory.
fn looks(id: &str) -> Reply {
    let function = json!({ "name": "list_directory", "arguments": "{\"path\":\"classes\"}" });
    chat(&json!({ "tool_calls": [{ "index": 0, "id": id, "function": function }] }), "tool_calls")
}

fn operator(home: &Home, base: &str) -> String {
    let text = format!(
        "fallback = \"gateway\"\n\n[providers.gateway]\nlike = \"openai-chat\"\nbase-url = \"{base}\"\n\
         key-variable = \"GATEWAY_KEY\"\nmodel = \"gpt-4o-mini\"\nprices-of = \"openai\"\n"
    );
    home.write("operator.toml", &text).display().to_string()
}

#[test]
fn a_gateway_has_a_name_and_a_key_of_its_own() {
    let home = Home::new();
    let mock = Mock::new(vec![lesson()]);
    let operator = operator(&home, &mock.base);
    let run = [CREATE, "iteration for 3B", "--answers", "accept", "--operator", &operator, "--output", "json"];
    let mut command = home.with_keys(home.command(&[&run[..], &["--provider", "gateway"]].concat()));
    let keyless = Call::of(&command.output().unwrap()).expect(1);
    assert!(keyless.err.contains("model.key_missing") || keyless.out.contains("model.key_missing"), "{}", keyless.err);
    assert_eq!(mock.requests().len(), 0, "nobody else's key is sent to it");
    let end = Call::of(&command.env("GATEWAY_KEY", GATEWAY_KEY).output().unwrap()).expect(0).json();
    let asked = mock.requests();
    assert_eq!(asked[0].body["model"], "gpt-4o-mini");
    assert!(asked[0].head.contains(GATEWAY_KEY) && !asked[0].head.contains(support::KEY), "{}", asked[0].head);
    assert!(end["cost_usd"].as_f64().unwrap() > 0.0, "at the prices of the company");
    let started = &home.records(end["session"].as_str().unwrap())[0];
    assert_eq!((&started["provider"], &started["model"]), (&json!("gateway"), &json!("gpt-4o-mini")));
    let listed = home.run(&["models", "--operator", &operator, "--output", "json"]).expect(0).json();
    let gateway = listed["providers"].as_array().unwrap().iter().find(|it| it["provider"] == "gateway").unwrap();
    assert_eq!((&gateway["key"], &gateway["key_variable"]), (&json!("missing"), &json!("GATEWAY_KEY")));
}

#[test]
fn the_server_asks_the_same_gateway() {
    let home = Home::new();
    let mock = Mock::new(vec![lesson()]);
    let operator = operator(&home, &mock.base);
    let server = Server::start_with(&home, &["--operator", &operator], &[("GATEWAY_KEY", GATEWAY_KEY)]);
    let tab = server.single();
    let (session, _) = tab.start("iteration for 3B");
    tab.to_the_end(&session);
    assert_eq!(tab.records(&session)[0]["provider"], "gateway");
    assert_eq!(mock.requests().len(), 1);
}

#[test]
fn a_provider_that_is_down_is_waited_for_once() {
    let home = Home::new();
    let mock = Mock::new(vec![looks("a"), looks("b"), looks("c"), lesson()]);
    let operator = operator(&home, &mock.base);
    let began = Instant::now();
    // Nobody listens there.
    let mut command = home.ask("anthropic", "http://127.0.0.1:9", &["--operator", &operator, "--output", "json"]);
    let end = Call::of(&command.env("GATEWAY_KEY", GATEWAY_KEY).output().unwrap()).expect(0).json();
    let took = began.elapsed();
    assert!(took > Duration::from_secs(6) && took < Duration::from_secs(13), "{took:?}: all tries of one call, once");
    assert_eq!(mock.requests().len(), 4);
    let records = home.records(end["session"].as_str().unwrap());
    let fell: Vec<&Value> = records.iter().filter(|it| it["type"] == "model.fell_back").collect();
    assert_eq!(fell.len(), 4, "every turn says who answered, and why");
    assert!(fell.iter().all(|it| it["error"]["code"] == "model.connect" && it["by"] == "gateway/gpt-4o-mini"));
    let replayed = home.run(&["replay", end["run"].as_str().unwrap(), "--output", "json"]).expect(0).json();
    assert_eq!(replayed["divergence"], Value::Null, "{replayed}");
}

#[test]
fn an_address_comes_from_the_environment_where_nobody_says_another() {
    let home = Home::new();
    let mock = Mock::new(vec![lesson()]);
    let run =
        [CREATE, "iteration for 3B", "--answers", "accept", "--provider", "openai-chat", "--model", "gpt-4o-mini"];
    let mut command = home.with_keys(home.command(&run));
    Call::of(&command.env("OPENAI_BASE_URL", &mock.base).env("ANTHROPIC_BASE_URL", "").output().unwrap()).expect(0);
    assert_eq!(mock.requests().len(), 1);
}

#[test]
fn what_is_wrong_in_the_operators_file_is_said_with_its_line() {
    let home = Home::new();
    for (text, code) in [
        ("[providers.gateway]\nlike = \"telegraph\"\n", "operator.provider"),
        ("[providers.gateway]\nbase-url = \"https://a.example\"\n", "operator.provider"),
        ("[providers.gateway]\nlike = \"openai\"\nbase_url = \"https://a.example\"\n", "field.unknown"),
        ("[providers.script]\nlike = \"openai\"\n", "field.value"),
    ] {
        let operator = home.write("operator.toml", text).display().to_string();
        let call = home.run(&[CREATE, "iteration for 3B", "--operator", &operator]).expect(1);
        assert!(call.err.contains(code), "{text}: {}", call.err);
    }
}
