//! Going on with a session: with whom the next request talks, and what a run that waits lets itself be told.

use crate::support;

use serde_json::{Value, json};
use support::mock::{Mock, Reply, refusal, text};
use support::server::Server;
use support::{CREATE, Call, Home, KEY, LESSON};

/// A call with every key in the environment.
fn keyed(home: &Home, arguments: &[&str]) -> Call {
    Call::of(&home.with_keys(home.command(arguments)).output().unwrap())
}

fn started(records: &[Value]) -> Vec<&Value> {
    records.iter().filter(|record| record["type"] == "run.started").collect()
}

/// An answer of Ollama's.
fn local(words: &str) -> Reply {
    let said = json!({ "message": { "role": "assistant", "content": words }, "done": true, "done_reason": "stop" });
    Reply::Stream(format!("{said}\n"))
}

#[test]
fn the_next_request_of_a_session_goes_where_the_last_one_went() {
    let home = Home::new();
    let (mock, second) = (Mock::new(vec![text(LESSON), text(LESSON)]), Mock::new(Vec::new()));
    let more = ["--model", "claude-haiku-4-5", "--fallback", "ollama/qwen3:4b", "--fallback-base-url", &second.base];
    let end = home.asked("anthropic", &mock.base, &[&more[..], &["--output", "json"]].concat()).expect(0).json();
    let session = end["session"].as_str().unwrap();
    let first = home.records(session).remove(0);
    keyed(&home, &["--resume", session, "shorter please", "--answers", "accept"]).expect(0);
    let begun = home.records(session).remove(0);
    for field in ["provider", "model", "base_url", "fallback"] {
        assert!(!first[field].is_null() && begun[field] == first[field], "{field}: {begun}");
    }
    assert_eq!(begun["input"], "shorter please");
    assert_eq!((mock.requests().len(), second.requests().len()), (2, 0));
    assert_eq!(mock.requests()[1].body["model"], "claude-haiku-4-5");
}

#[test]
fn a_key_that_is_gone_is_an_error_and_no_reason_to_ask_somebody_else() {
    let home = Home::new();
    let mock = Mock::new(vec![text(LESSON)]);
    let end = home.asked("anthropic", &mock.base, &["--output", "json"]).expect(0).json();
    let session = end["session"].as_str().unwrap();
    let call = home.run(&["--resume", session, "shorter please", "--answers", "accept"]).expect(1);
    assert!(call.err.contains("There is no key for anthropic; the session's last request went to"), "{}", call.err);
    assert!(call.err.contains("Set ANTHROPIC_API_KEY") && call.err.contains("--provider"), "{}", call.err);
    assert_eq!(mock.requests().len(), 1);
    // What is named is used, with or without a key for the other.
    let more = ["--resume", session, "shorter please", "--provider", "offline", "--answers", "accept"];
    home.run(&more).expect(0);
    assert_eq!(home.records(session)[0]["provider"], "offline");
}

#[test]
fn over_http_a_session_stays_with_its_provider_too() {
    let home = Home::new();
    let mock = Mock::new(vec![local(LESSON), local(LESSON)]);
    let end = home.asked("ollama", &mock.base, &["--output", "json"]).expect(0).json();
    let session = end["session"].as_str().unwrap();
    let server = Server::start(&home, &[]);
    let tab = server.single();
    let new = json!({ "plugin": "lesson-planning", "command": "create-lesson", "input": "shorter, for 3B", "session": session });
    tab.post("/api/runs", &new).expect(202);
    tab.to_the_end(session);
    let records = tab.records(session);
    let begun = started(&records);
    assert_eq!((begun.len(), &begun[1]["provider"], &begun[1]["base_url"]), (2, &json!("ollama"), &json!(mock.base)));
    assert_eq!(mock.requests().len(), 2);
}

#[test]
fn a_run_that_waits_goes_on_as_it_began_or_as_a_fork_with_another() {
    let home = Home::new();
    let (broken, works) = (Mock::new(vec![refusal(404, "", "not_found_error")]), Mock::new(vec![text(LESSON)]));
    let call = home.asked("anthropic", &broken.base, &["--output", "json"]).expect(6);
    let session = call.json()["session"].as_str().unwrap().to_owned();
    let ended = "so says the mock [model.not_found]. Check the name of the model and the base URL; \
                 `models` lists what the provider has. The run is kept. With another model or address: ";
    assert!(call.err.contains(ended), "{}", call.err);
    for flags in [
        &["--provider", "anthropic"][..],
        &["--base-url", &works.base],
        &["--model", "claude-haiku-4-5"],
        &["--fallback", "offline"],
        &["--script", "x.json"],
        &["--max-budget-usd", "5"],
        &["--max-tokens", "500000"],
        &["--context-window", "9000"],
        &["--no-memory"],
    ] {
        let refused = keyed(&home, &[&["--resume", &session, "--answers", "accept"], flags].concat()).expect(2);
        assert!(refused.err.contains(flags[0]) && refused.err.contains("[resume.changed]"), "{}", refused.err);
        // What a fork takes is said of it; a budget it does not take.
        let of_model = ["--provider", "--base-url", "--model", "--fallback", "--script"].contains(&flags[0]);
        assert_eq!(refused.err.contains("teacher-assist fork "), of_model, "{flags:?}: {}", refused.err);
    }
    assert_eq!((broken.requests().len(), works.requests().len()), (1, 0));
    // What the failure says to do is what works.
    let fork = call.err.split("teacher-assist ").find(|it| it.starts_with("fork ")).unwrap();
    let words: Vec<&str> = fork.split(" --model NAME").next().unwrap().split_whitespace().collect();
    let more = ["--base-url", &works.base, "--answers", "accept", "--output", "json"];
    let forked = keyed(&home, &[&words[..], &more].concat()).expect(0).json();
    assert_eq!((&forked["output"], works.requests().len()), (&json!(LESSON), 1));
    assert_eq!(works.requests()[0].head.matches(KEY).count(), 1);
    // With more words it is another request, and the flags count.
    let over = Mock::new(vec![text(LESSON)]);
    let next = ["--resume", forked["session"].as_str().unwrap(), "shorter", "--provider", "anthropic"];
    keyed(&home, &[&next[..], &["--base-url", &over.base, "--answers", "accept"]].concat()).expect(0);
    assert_eq!(over.requests().len(), 1);
}

#[test]
fn an_address_that_can_be_none_is_refused_before_anything_begins() {
    let home = Home::new();
    for url in [
        "",
        "nonsense",
        "ftp://example.org",
        "http://",
        "http:///v1",
        "http://127.0.0.1:99999",
        "http://127.0.0.1:0",
        "http://exa mple",
        "http://[::1",
        "http://127.0.0.1:9\\@example.org",
    ] {
        let call = home.asked("compatible", url, &["--model", "m", "--max-turns", "2"]).expect(2);
        assert!(call.err.contains("[model.base_url]") && !call.err.contains("Nothing is"), "{url}: {}", call.err);
        let fallback = [CREATE, "iteration for 3B", "--provider", "ollama", "--fallback", "ollama/x"];
        let call = home.run(&[&fallback[..], &["--fallback-base-url", url]].concat()).expect(2);
        assert!(call.err.contains("[model.base_url]"), "{url}: {}", call.err);
        let call = home.run(&["models", "--provider", "ollama", "--base-url", url]).expect(2);
        assert!(call.err.contains("[model.base_url]"), "{url}: {}", call.err);
    }
    assert_eq!(home.run(&["--sessions", "--output", "json"]).expect(0).json(), json!([]), "no session was begun");
}

#[test]
fn the_last_line_is_made_of_sentences() {
    let home = Home::new();
    let mock = Mock::new((0..4).map(|_| refusal(500, "", "api_error")).collect());
    let call = home.asked("anthropic", &mock.base, &[]).expect(6);
    let last = call.err.lines().last().unwrap();
    let whole = "so says the mock (4 tries) [model.server]. Try again in a few minutes. The run is kept. Go on with: teacher-assist --resume";
    assert!(last.contains(whole) && !last.contains(".;") && !last.contains(".."), "{last}");
    let mock = Mock::new(vec![refusal(500, "", "api_error")]);
    let mut command = home.command(&["models", "--check", "--provider", "anthropic", "--base-url", &mock.base]);
    let models = Call::of(&command.env("ANTHROPIC_API_KEY", KEY).output().unwrap()).expect(6);
    assert!(models.out.contains("Try again in a few minutes.") && !models.out.contains("run"), "{}", models.out);
}

#[test]
fn the_tasks_of_a_session_are_there_in_every_later_run() {
    let home = Home::new();
    let tasks = json!({ "tasks": [
        { "id": "1", "title": "Plan the lesson", "status": "completed" },
        { "id": "2", "title": "Print the cards", "status": "pending" },
    ] });
    let script = home.script(&json!([
        { "calls": [{ "name": "update_tasks", "arguments": tasks }] },
        { "text": LESSON }, { "text": LESSON }, { "text": LESSON },
    ]));
    let more = ["--provider", "script", "--script", &script, "--answers", "accept", "--output", "json"];
    let first = home.run(&[&[CREATE, "iteration for 3B"], &more[..]].concat()).expect(0).json();
    let session = first["session"].as_str().unwrap();
    for request in ["shorter", "shorter still", "as it was"] {
        home.run(&[&["--resume", session, request], &more[..]].concat()).expect(0);
        let records = home.records(session);
        let prompt = records.iter().rfind(|record| record["type"] == "prompt.assembled").unwrap();
        let system = prompt["system"].as_str().unwrap();
        assert!(system.contains("- [x] 1: Plan the lesson\n- [ ] 2: Print the cards"), "{request}");
    }
}

#[test]
fn a_run_goes_on_in_the_workspace_in_which_it_began() {
    let home = Home::new();
    let parked = home.run(&[CREATE, "iteration for 3B", "--output", "json"]).expect(3).json();
    let session = parked["session"].as_str().unwrap();
    let other = home.path("other");
    support::copy(&home.workspace(), &other);
    let other = other.display().to_string();
    let resume = ["--resume", session, "--answers", "accept"];
    for go_on in [&resume[..], &["fork", session, "--at", "1", "--answers", "accept"]] {
        let refused = home.run(&[go_on, &["--workspace", &other]].concat()).expect(2);
        assert!(refused.err.contains("--workspace") && refused.err.contains("[resume.changed]"), "{}", refused.err);
    }
    // An environment is of no single call: what it says is passed over, and that is said.
    let mut command = home.command(&resume);
    let call = support::Call::of(&command.env("TEACHER_ASSIST_WORKSPACE", &other).output().unwrap()).expect(0);
    let began = home.workspace().display().to_string();
    assert!(call.err.contains(&format!("the run goes on in the workspace in which it began, {began}")), "{}", call.err);
    assert_eq!(home.lessons().len(), 1);
    // The same one under another name is no other.
    let parked = home.run(&[CREATE, "iteration for 3B", "--output", "json"]).expect(3).json();
    let same = ["--resume", parked["session"].as_str().unwrap(), "--answers", "accept", "--workspace", "./workspace"];
    home.run(&same).expect(0);
}

#[test]
fn a_run_whose_process_was_killed_is_not_listed_as_going() {
    let home = Home::new();
    let parked = home.run(&[CREATE, "iteration for 3B", "--output", "json"]).expect(3).json();
    let session = parked["session"].as_str().unwrap();
    support::sqlite(&home.path("data/journal.db"), "UPDATE sessions SET state = 'running'");
    let rows = home.run(&["--sessions", "--output", "json"]).expect(0).json();
    assert_eq!((&rows[0]["id"], &rows[0]["state"]), (&json!(session), &json!("parked")));
    let listed = home.run(&["--sessions"]).expect(0).out;
    assert!(listed.contains("parked") && !listed.contains("running"), "{listed}");
    home.run(&["--resume", session, "--answers", "accept"]).expect(0);
}
