//! Budgets through the binary: what a call may cost at the most is set aside before it is made.

use crate::support;

use serde_json::{Value, json};
use support::mock::{Mock, Reply, begun, call, text};
use support::{Call, Home, LESSON};

fn run(home: &Home, mock: &Mock, more: &[&str]) -> Call {
    let call = home.asked("anthropic", &mock.base, &[more, &["--output", "json"]].concat());
    if call.code == 5 {
        let run = call.json()["run"].as_str().unwrap().to_owned();
        let replayed = home.run(&["replay", &run, "--output", "json"]).expect(0).json();
        assert_eq!(replayed["divergence"], Value::Null, "a replay decides the same: {replayed}");
    }
    call
}

#[test]
fn a_call_that_might_cost_more_than_the_budget_is_not_made() {
    let home = Home::new();
    let mock = Mock::new(vec![]);
    let end = run(&home, &mock, &["--max-budget-usd", "0.05"]).expect(5).json();
    assert_eq!((&end["status"], &end["cost_usd"], mock.requests().len()), (&json!("error_max_budget"), &json!(0.0), 0));
    let reason = end["reason"].as_str().unwrap();
    assert!(
        reason.starts_with("0.0000 of 0.0500 US dollars are spent, and the next call may cost up to 0."),
        "{reason}"
    );
}

#[test]
fn calls_are_made_for_as_long_as_the_dearest_next_one_fits() {
    let home = Home::new();
    let read = |path: &str| call("read_file", &json!({ "path": path }).to_string(), "tool_use");
    let files = ["soul.md", "teacher.md", "pedagogy.md", "classes/3B.md", "curriculum", "lessons", "classes/1A.md"];
    let mut replies: Vec<Reply> = files.iter().map(|path| read(path)).collect();
    replies.extend(files.iter().map(|path| read(&format!("./{path}"))));
    let mock = Mock::new(replies);
    let end = run(&home, &mock, &["--max-budget-usd", "0.25"]).expect(5).json();
    let spent = end["cost_usd"].as_f64().unwrap();
    assert_eq!(end["status"], "error_max_budget");
    assert!(spent > 0.0 && spent <= 0.25 && mock.requests().len() > 1, "{end}");
    assert!(mock.requests().iter().all(|it| it.body["max_tokens"] == 8_192), "what is set aside is what is asked for");
}

#[test]
fn tokens_are_a_budget_too() {
    let home = Home::new();
    let mock = Mock::new(vec![]);
    let end = run(&home, &mock, &["--max-tokens", "9000"]).expect(5).json();
    assert_eq!((&end["status"], mock.requests().len()), (&json!("error_max_budget"), 0));
    assert!(end["reason"].as_str().unwrap().contains("of 9000 tokens are used"), "{end}");
}

#[test]
fn another_try_that_no_longer_fits_is_not_made() {
    let home = Home::new();
    let reserve = {
        let end = run(&home, &Mock::new(vec![]), &["--max-budget-usd", "0.01"]).expect(5).json();
        let reason = end["reason"].as_str().unwrap().to_owned();
        reason.rsplit(' ').next().unwrap().parse::<f64>().unwrap()
    };
    // One try fits to the cent; what broke off of it costs more than that.
    let mock = Mock::new(vec![Reply::Cut(begun(&"loops ".repeat(2_000))), text(LESSON)]);
    let end = run(&home, &mock, &["--max-budget-usd", &format!("{:.4}", reserve + 0.001)]).expect(5).json();
    assert_eq!((&end["status"], mock.requests().len()), (&json!("error_max_budget"), 1));
    assert!(end["cost_usd"].as_f64().unwrap() <= reserve, "{end}");
}

/// The beginning of an answer without a word: what was read for it, and then a call of a tool.
fn unspoken(input_tokens: u64, arguments: &str) -> String {
    let usage = json!({ "input_tokens": input_tokens, "output_tokens": 1 });
    let block = json!({ "type": "tool_use", "id": "toolu_1", "name": "read_file", "input": {} });
    let delta = json!({ "type": "input_json_delta", "partial_json": arguments });
    [
        json!({ "type": "message_start", "message": { "role": "assistant", "content": [], "usage": usage } }),
        json!({ "type": "content_block_start", "index": 0, "content_block": block }),
        json!({ "type": "content_block_delta", "index": 0, "delta": delta }),
    ]
    .iter()
    .map(|event| format!("data: {event}\n\n"))
    .collect()
}

#[test]
fn what_breaks_off_without_a_word_is_paid_for_as_the_provider_counted_it() {
    let home = Home::new();
    let cut = || Reply::Cut(unspoken(20_000, &"x".repeat(4_000)));
    let end = run(&home, &Mock::new(vec![cut(), text(LESSON)]), &[]).expect(0).json();
    let records = home.records(end["session"].as_str().unwrap());
    let partial = records.iter().find(|record| record["type"] == "model.partial").unwrap();
    assert_eq!((&partial["usage"]["input_tokens"], &partial["text"]), (&json!(20_000), &json!("")));
    assert!(partial["usage"]["output_tokens"].as_u64().unwrap() >= 1_000, "arguments are paid for: {partial}");
    let paid = partial["cost_usd"].as_f64().unwrap();
    assert!(paid > 0.06 && end["cost_usd"].as_f64().unwrap() > paid, "{end}");

    // And so it counts against the budget, however often it is tried.
    let mock = Mock::new((0..9).map(|_| cut()).collect());
    let end = run(&home, &mock, &["--max-budget-usd", "0.5"]).json();
    let session = end["session"].as_str().unwrap();
    let mut last = end.clone();
    for _ in 0..6 {
        if last["status"] == "error_max_budget" {
            break;
        }
        let command = home.command(&["--resume", session, "--answers", "accept", "--output", "json"]);
        last = Call::of(&home.with_keys(command).output().unwrap()).json();
    }
    assert_eq!(last["status"], "error_max_budget", "{last}");
    let spent = last["cost_usd"].as_f64().unwrap();
    assert!(spent > 0.2 && spent <= 0.5 && mock.requests().len() < 7, "{spent}, {}", mock.requests().len());
}

#[test]
fn an_answer_that_has_left_the_budget_behind_is_not_read_to_its_end() {
    let home = Home::new();
    let mock = Mock::new(vec![Reply::Hang(begun(&"word ".repeat(80_000)))]);
    let end = run(&home, &mock, &["--max-budget-usd", "0.3"]).expect(5).json();
    assert_eq!((&end["status"], mock.requests().len()), (&json!("error_max_budget"), 1));
}

#[cfg(unix)]
#[test]
fn a_call_in_which_the_host_was_killed_is_taken_as_paid() {
    for (budget, code, status, requests) in [("0.2", 5, "error_max_budget", 1), ("2", 0, "success", 2)] {
        let home = Home::new();
        let mock = Mock::new(vec![Reply::Hang(begun("# Half a les")), text(LESSON)]);
        let mut command = home.ask("anthropic", &mock.base, &["--max-budget-usd", budget]);
        let mut child =
            command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).spawn().unwrap();
        mock.hanging.recv().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        let rows = home.run(&["--sessions", "--output", "json"]).expect(0).json();
        let session = rows[0]["id"].as_str().unwrap();
        let command = home.command(&["--resume", session, "--answers", "accept", "--output", "json"]);
        let end = Call::of(&home.with_keys(command).output().unwrap()).expect(code).json();
        assert_eq!((end["status"].as_str(), mock.requests().len()), (Some(status), requests), "{end}");
        let records = home.records(end["session"].as_str().unwrap());
        let partial = records.iter().find(|record| record["type"] == "model.partial").unwrap();
        assert!(partial["cost_usd"].as_f64().unwrap() > 0.1 && partial["usage"]["estimated"] == true, "{partial}");
        let replayed = home.run(&["replay", end["run"].as_str().unwrap(), "--output", "json"]).expect(0).json();
        assert_eq!(replayed["divergence"], Value::Null, "{replayed}");
    }
}

#[test]
fn without_a_price_there_is_no_budget() {
    let home = Home::new();
    let mock = Mock::new(vec![text(LESSON)]);
    let call = home.asked("anthropic", &mock.base, &["--model", "claude-unheard-of"]).expect(2);
    assert!(call.err.contains("[budget.price_unknown]") && call.err.contains("--prices FILE"), "{}", call.err);
    assert_eq!(mock.requests().len(), 0, "said before the run begins");
    assert!(home.run(&["--sessions"]).out.contains("no sessions"));
    let plugins = home.path("plugins");
    support::copy(&support::plugins(), &plugins);
    let agent = plugins.join("lesson-planning/agents/planner.md");
    let unbound = std::fs::read_to_string(&agent).unwrap().replace("maxBudgetUsd: 1.00\n", "");
    std::fs::write(&agent, unbound).unwrap();
    let more = ["--model", "claude-unheard-of", "--plugins", &plugins.display().to_string()];
    let call = home.asked("anthropic", &mock.base, &more).expect(0);
    assert!(call.err.contains("no price is known for claude-unheard-of of anthropic: what"), "{}", call.err);
}

#[test]
fn an_agents_budget_is_left_out_where_nobody_can_be_billed() {
    let chat = json!({ "choices": [{ "delta": { "content": LESSON }, "finish_reason": "stop" }] });
    let mock = Mock::new(vec![Reply::Stream(format!("data: {chat}\n\ndata: [DONE]\n\n"))]);
    let home = Home::new();
    let run = |more: &[&str]| {
        let local = ["--provider", "compatible", "--base-url", &mock.base, "--model", "m", "--answers", "accept"];
        home.command(&[&[support::CREATE, "iteration for 3B"], &local[..], more].concat())
    };
    let asked = Call::of(&run(&["--max-budget-usd", "1"]).output().unwrap()).expect(2);
    assert!(asked.err.contains("[budget.price_unknown]"), "a person's budget stands: {}", asked.err);
    let keyed = Call::of(&home.with_keys(run(&[])).output().unwrap()).expect(2);
    assert!(keyed.err.contains("[budget.price_unknown]"), "who sends a key can be billed: {}", keyed.err);
    let call = Call::of(&run(&[]).output().unwrap()).expect(0);
    assert!(call.err.contains("the agent's budget of 1.00 US dollars does not count it"), "{}", call.err);
    assert_eq!(mock.requests().len(), 1);
}

#[test]
fn every_provider_may_stand_in_an_agents_front_matter() {
    let home = Home::new();
    for provider in
        ["anthropic", "openai", "openai-chat", "google", "ollama", "compatible", "offline", "script", "cassette"]
    {
        let plugins = home.plugins_with(&[&format!("provider: {provider}")]);
        home.run(&["validate", "--plugins", &plugins]).expect(0);
    }
}

/// An answer that calls a tool, or is a lesson, from a server that counts no tokens and says so with zeros.
fn uncounted(last: bool) -> Reply {
    let usage = json!({ "prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0 });
    let call =
        json!({ "index": 0, "id": "1", "function": { "name": "read_file", "arguments": "{\"path\":\"soul.md\"}" } });
    let (delta, reason) =
        if last { (json!({ "content": LESSON }), "stop") } else { (json!({ "tool_calls": [call] }), "tool_calls") };
    let said = json!({ "choices": [{ "delta": delta, "finish_reason": reason }], "usage": usage });
    Reply::Stream(format!("data: {said}\n\ndata: [DONE]\n\n"))
}

#[test]
fn a_server_that_counts_no_tokens_is_not_believed_that_there_were_none() {
    let home = Home::new();
    let asked = |most: &str, replies: Vec<Reply>| {
        let mock = Mock::new(replies);
        let more = ["--model", "gpt-4o-mini", "--max-tokens", most, "--output", "json"];
        (home.asked("openai-chat", &mock.base, &more), mock.requests().len())
    };
    let (call, requests) = asked("200000", vec![uncounted(false), uncounted(true)]);
    let end = call.expect(0).json();
    let (input, output) =
        (end["usage"]["input_tokens"].as_u64().unwrap(), end["usage"]["output_tokens"].as_u64().unwrap());
    assert!(input > 5_000 && output > 400 && end["usage"]["estimated"] == true, "{end}");
    assert!(end["cost_usd"].as_f64().unwrap() > 0.0 && requests == 2, "{end}");
    // What one call is reckoned at fits once; with what it is taken to have used it does not fit again.
    let (call, _) = asked("9000", vec![]);
    let reason = call.expect(5).json()["reason"].as_str().unwrap().to_owned();
    let most: u64 = reason.rsplit(' ').next().unwrap().parse().unwrap();
    let (call, requests) = asked(&(most + 1_000).to_string(), vec![uncounted(false), uncounted(true)]);
    let end = call.expect(5).json();
    assert_eq!((&end["status"], requests), (&json!("error_max_budget"), 1), "{end}");
}

#[test]
fn the_time_that_a_person_takes_is_not_the_runs() {
    let home = Home::new();
    let arguments = [crate::support::CREATE, "iteration for 3B", "--max-minutes", "1", "--output", "json"];
    let parked = home.run(&arguments).expect(3).json();
    let session = parked["session"].as_str().unwrap();
    let records = home.records(session);
    let last = records.last().unwrap();
    assert_eq!((&last["type"], &records[records.len() - 2]["type"]), (&json!("run.parked"), &json!("request.made")));
    // They looked at the question for 66 seconds before they went away.
    home.later(session, last["seq"].as_u64().unwrap(), 66_000);
    let end = home.run(&["--resume", session, "--answers", "accept", "--output", "json"]).expect(0).json();
    assert_eq!(end["status"], "success", "{end}");
}
