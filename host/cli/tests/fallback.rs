//! A second provider that takes over, through the binary: who answered and why, and who is paid.

use crate::support;

use serde_json::{Value, json};
use support::mock::{Mock, Reply, begun, refusal};
use support::{CREATE, Call, Home, KEY, LESSON};

/// A lesson from OpenAI's chat, with tokens that it counted.
fn chat() -> Reply {
    let said = json!({ "choices": [{ "delta": { "content": LESSON }, "finish_reason": "stop" }] });
    let usage = json!({ "choices": [], "usage": { "prompt_tokens": 1_000_000, "completion_tokens": 500 } });
    Reply::Stream(format!("data: {said}\n\ndata: {usage}\n\ndata: [DONE]\n\n"))
}

fn of_type<'a>(records: &'a [Value], name: &str) -> Vec<&'a Value> {
    records.iter().filter(|record| record["type"] == name).collect()
}

#[test]
fn the_second_answers_what_the_first_could_not_and_is_the_one_that_is_paid() {
    let home = Home::new();
    let (first, second) = (Mock::new(vec![refusal(402, "", "billing_error")]), Mock::new(vec![chat()]));
    let more = ["--fallback", "openai-chat/gpt-4o-mini", "--fallback-base-url", &second.base, "--output", "json"];
    let call = home.asked("anthropic", &first.base, &more).expect(0);
    assert!(call.err.contains("so says the mock; openai-chat/gpt-4o-mini takes over"), "{}", call.err);
    let end = call.json();
    assert_eq!((first.requests().len(), second.requests().len()), (1, 1));
    assert_eq!(second.requests()[0].body["model"], "gpt-4o-mini");
    assert!((end["cost_usd"].as_f64().unwrap() - 0.1503).abs() < 1e-9, "{}", end["cost_usd"]);
    let records = home.records(end["session"].as_str().unwrap());
    assert_eq!(records[0]["fallback"]["model"], "gpt-4o-mini");
    let fell = of_type(&records, "model.fell_back")[0];
    assert_eq!((&fell["by"], &fell["error"]["code"]), (&json!("openai-chat/gpt-4o-mini"), &json!("model.spend")));
    assert_eq!(of_type(&records, "model.answered")[0]["answer"]["answered_by"], "openai-chat/gpt-4o-mini");
    let run = end["run"].as_str().unwrap();
    let trace = home.run(&["--trace", run]).expect(0).out;
    assert!(trace.contains("by openai-chat/gpt-4o-mini: anthropic answered 402"), "{trace}");
    assert!(
        trace.contains("stop, by openai-chat/gpt-4o-mini") || trace.contains("end-turn, by openai-chat/gpt-4o-mini"),
        "{trace}"
    );
    let replayed = home.run(&["replay", run, "--output", "json"]).expect(0).json();
    assert_eq!(replayed["divergence"], Value::Null, "{replayed}");
}

#[test]
fn what_the_first_had_begun_is_kept_apart_and_the_tries_come_first() {
    let home = Home::new();
    let first = Mock::new(vec![Reply::Cut(begun("# Half")), Reply::Cut(begun("# Half again"))]);
    let more = ["--fallback", "offline", "--output", "json"];
    let end = home.asked("anthropic", &first.base, &more).expect(0).json();
    assert!(!end["output"].as_str().unwrap().contains("# Half"));
    let records = home.records(end["session"].as_str().unwrap());
    let texts: Vec<&Value> = of_type(&records, "model.partial").iter().map(|it| &it["text"]).collect();
    assert_eq!(texts, ["# Half", "# Half again"], "two tries, then the second");
    assert_eq!(of_type(&records, "model.fell_back")[0]["error"]["code"], "model.stream_cut");
    assert!(of_type(&records, "model.fell_back").iter().all(|it| it["by"] == "offline/planner"));
}

#[test]
fn where_both_fail_the_run_is_parked_and_both_are_named() {
    let home = Home::new();
    let first = Mock::new(vec![refusal(402, "", "billing_error")]);
    let second = Mock::new(vec![refusal(401, "", "authentication_error"), chat()]);
    let more = ["--fallback", "openai-chat", "--fallback-base-url", &second.base];
    let call = home.asked("anthropic", &first.base, &more).expect(6);
    assert!(call.err.contains("[model.spend]") && call.err.contains("took over and failed, too"), "{}", call.err);
    let resumed = home.with_keys(home.command(&["--resume", call.session(), "--answers", "accept"]));
    assert_eq!((first.requests().len(), second.requests().len()), (1, 1));
    // Resumed, the first is asked again, and then the second.
    Call::of(&{ resumed }.output().unwrap()).expect(0);
    assert_eq!((first.requests().len(), second.requests().len()), (2, 2));
}

#[test]
fn the_worst_case_of_a_call_is_that_of_the_dearer_one() {
    let home = Home::new();
    let reserve = |more: &[&str]| {
        let mock = Mock::new(vec![]);
        let more = [more, &["--model", "claude-haiku-4-5", "--max-budget-usd", "0.001", "--output", "json"]].concat();
        let end = home.asked("anthropic", &mock.base, &more).expect(5).json();
        end["reason"].as_str().unwrap().rsplit(' ').next().unwrap().parse::<f64>().unwrap()
    };
    let (alone, with_dearer) = (reserve(&[]), reserve(&["--fallback", "openai/gpt-5.5"]));
    assert!(with_dearer > 4.0 * alone, "{alone} {with_dearer}");
    let unknown = home.asked("anthropic", "http://127.0.0.1:9", &["--fallback", "openai/unheard-of"]).expect(2);
    assert!(unknown.err.contains("[budget.price_unknown]") && unknown.err.contains("unheard-of"), "{}", unknown.err);
}

#[test]
fn an_agent_names_who_takes_over_and_is_answered_by_it_where_its_own_has_no_key() {
    let home = Home::new();
    let mock = Mock::new(vec![chat()]);
    let plugins = home.plugins_with(&["fallback: openai-chat/gpt-4o-mini", "maxBudgetUsd: 5"]);
    let run = [CREATE, "iteration for 3B", "--answers", "accept", "--plugins", &plugins];
    let mut command = home.command(&[&run[..], &["--fallback-base-url", &mock.base]].concat());
    let call = Call::of(&command.env("OPENAI_API_KEY", support::KEY).output().unwrap()).expect(0);
    let said = "ANTHROPIC_API_KEY is not set: gpt-4o-mini of openai-chat answers instead";
    assert!(call.err.contains(said), "{}", call.err);
    assert_eq!(mock.requests().len(), 1);
    let neither = home.run(&run).expect(0);
    assert!(neither.err.contains("the plugin's offline provider answers instead"), "{}", neither.err);
    for wrong in ["fallback: script", "fallback: openay/x", "fallback: openai/"] {
        let home = Home::new();
        let plugins = home.plugins_with(&[wrong]);
        let call = home.run(&["validate", "--plugins", &plugins]).expect(1);
        assert!(call.out.contains("cannot take over") && call.out.contains("openai-chat"), "{}", call.out);
    }
    let asked = home.run(&[CREATE, "iteration for 3B", "--fallback", "script"]).expect(2);
    assert!(asked.err.contains("[fallback.provider]"), "{}", asked.err);
}

#[test]
fn a_fork_of_a_run_that_waits_may_have_a_second_provider_that_it_had_not() {
    let home = Home::new();
    let first = Mock::new(vec![refusal(402, "", "billing_error"), refusal(402, "", "billing_error")]);
    let second = Mock::new(vec![chat()]);
    let parked = home.asked("anthropic", &first.base, &["--output", "json"]).expect(6).json();
    let records = home.records(parked["session"].as_str().unwrap());
    let failed = of_type(&records, "model.failed")[0]["seq"].to_string();
    let fork = ["fork", parked["run"].as_str().unwrap(), "--at", &failed, "--answers", "accept", "--output", "json"];
    let more = ["--fallback", "openai-chat/gpt-4o-mini", "--fallback-base-url", &second.base];
    let forked = Call::of(&home.with_keys(home.command(&[&fork[..], &more].concat())).output().unwrap()).expect(0);
    let end = forked.json();
    assert_eq!((first.requests().len(), second.requests().len()), (2, 1));
    let records = home.records(end["session"].as_str().unwrap());
    assert_eq!(of_type(&records, "model.answered")[0]["answer"]["answered_by"], "openai-chat/gpt-4o-mini");
    let replayed = home.run(&["replay", end["run"].as_str().unwrap(), "--output", "json"]).expect(0).json();
    assert_eq!(replayed["divergence"], Value::Null, "{replayed}");
}

#[test]
fn a_second_provider_that_cannot_be_called_is_left_out_with_a_word_unless_it_was_asked_for() {
    let home = Home::new();
    let plugins = home.plugins_with(&["fallback: openai"]);
    let first = || Mock::new(vec![refusal(402, "", "billing_error")]);
    let run = |mock: &Mock, more: &[&str]| {
        let mut command = home.command(&[CREATE, "iteration for 3B", "--answers", "accept", "--plugins", &plugins]);
        command.args(["--provider", "anthropic", "--base-url", &mock.base]).args(more);
        Call::of(&command.env("ANTHROPIC_API_KEY", support::KEY).output().unwrap())
    };
    let keyless = run(&first(), &[]).expect(6);
    assert!(keyless.err.contains("there is no key for openai: it does not take over"), "{}", keyless.err);
    let asked = run(&first(), &["--fallback", "openai"]).expect(1);
    assert!(asked.err.contains("[model.key_missing]"), "{}", asked.err);
    let recorded = run(&first(), &["--record", "tape"]).expect(6);
    assert!(recorded.err.contains("exchanges are recorded: of one provider"), "{}", recorded.err);
}

#[test]
fn keys_are_in_nothing_that_a_second_provider_leaves_behind() {
    let home = Home::new();
    let repeated =
        json!({ "type": "error", "error": { "type": "billing_error", "message": format!("no credit for {KEY}") } });
    let first = Mock::new(vec![Reply::Status(402, "", repeated.to_string())]);
    let second = Mock::new(vec![chat()]);
    let more = ["--fallback", "openai-chat", "--fallback-base-url", &second.base, "--output", "json"];
    let call = home.asked("anthropic", &first.base, &more).expect(0);
    assert!(second.requests()[0].head.contains(&format!("Bearer {KEY}")), "it is sent, in the header");
    let session = call.json()["session"].as_str().unwrap().to_owned();
    let journal = home.run(&["--trace", &session, "--output", "jsonl"]).expect(0).out;
    assert!(journal.contains("no credit for [key]"), "what was said is kept, without the key");
    for text in [&call.out, &call.err, &journal, &home.run(&["--trace", &session]).expect(0).out] {
        assert!(!text.contains(KEY), "{text}");
    }
}
