//! A flow that waits for three agents, through the binary: their models are asked side by side, whatever becomes of the run.

use crate::support;

use std::path::PathBuf;

use serde_json::{Value, json};
use support::{Call, Home};

const TALK: &str = "calling:talk";
const REVIEWERS: [&str; 3] = ["clarity", "facts", "tone"];
const SHOWN: &str = "clarity: Short sentences.\nfacts: One date.\ntone: Friendly.";

fn plugins() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../evals/plugins")
}

fn call(home: &Home, arguments: &[&str]) -> Call {
    let grants = "[grants.\"calling:calls-tools\"]\ncapabilities = [\"log\", \"config\", \"tools\"]\n\
                  calls = [\"first\", \"second\"]\n\
                  [grants.\"calling:calling\"]\ncapabilities = [\"log\", \"ask\", \"tools\", \"workspace\"]\n\
                  calls = [\"first\", \"second\", \"third\", \"fourth\"]\nworkspace = { lessons = \"read-write\" }\n\
                  [grants.\"calling:flow-calling\"]\ncapabilities = [\"log\", \"tools\"]\ncalls = [\"first\"]\n";
    let operator = home.write("teacher-assist.toml", grants).display().to_string();
    std::fs::create_dir_all(home.workspace().join("lessons")).unwrap();
    let all = [arguments, &["--operator", &operator, "--output", "json"]].concat();
    Call::of(&home.command(&all).env("TEACHER_ASSIST_PLUGINS", plugins()).output().unwrap())
}

/// What the flow is told: to ask all three about a text.
fn asked_about(text: &str) -> String {
    json!({ "agents": REVIEWERS, "input": text }).to_string()
}

fn script(home: &Home, of: [Value; 3]) -> String {
    let agents: serde_json::Map<_, _> = REVIEWERS.map(ToOwned::to_owned).into_iter().zip(of).collect();
    home.write("script.json", &json!({ "answers": [], "agents": agents }).to_string()).display().to_string()
}

fn says(text: &str, delay_ms: u64) -> Value {
    json!({ "text": text, "delay_ms": delay_ms })
}

/// Each reviewer says one thing, after so many milliseconds.
fn each(home: &Home, delays: [u64; 3]) -> String {
    let [clarity, facts, tone] = delays;
    let of = [says("Short sentences.", clarity), says("One date.", facts), says("Friendly.", tone)];
    script(home, of.map(|answer| json!([answer])))
}

fn review(home: &Home, script: &str, more: &[&str]) -> Call {
    let asked = asked_about("A text.");
    call(home, &[&["run", TALK, &asked, "--provider", "script", "--script", script], more].concat())
}

fn id(end: &Value) -> String {
    end["session"].as_str().unwrap().to_owned()
}

fn of<'a>(events: &'a [Value], name: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["type"] == name).collect()
}

fn turns(events: &[Value], name: &str) -> Vec<u64> {
    of(events, name).iter().map(|event| event["turn"].as_u64().unwrap()).collect()
}

#[track_caller]
fn replays(home: &Home, session: &str) {
    let replayed = call(home, &["replay", session]).expect(0);
    assert!(replayed.out.contains("\"divergence\":null"), "{}", replayed.out);
}

#[track_caller]
fn shows(end: &Value) {
    assert_eq!(end["messages"][0]["display"], SHOWN, "{end}");
}

#[test]
fn three_agents_answer_side_by_side_and_come_to_one_message() {
    let home = Home::new();
    let end = review(&home, &each(&home, [300, 300, 300]), &[]).expect(3).json();
    shows(&end);
    let events = home.events(&id(&end));
    let at = |event: &Value| event["at_ms"].as_u64().unwrap();
    let (called, answered) = (of(&events, "model.called"), of(&events, "model.answered"));
    let took = at(answered.last().unwrap()) - at(called[0]);
    println!("three answers of 300 ms each took {took} ms");
    assert!((300..600).contains(&took), "three answers of 300 ms each took {took} ms");
    replays(&home, &id(&end));
}

#[test]
fn who_is_done_first_stands_first_in_the_journal_and_a_second_round_goes_on() {
    let home = Home::new();
    let again = |text: &str, delay_ms| json!([says("Before.", delay_ms), says(text, 0)]);
    let script = script(&home, [again("Short sentences.", 400), again("One date.", 200), again("Friendly.", 0)]);
    let end = review(&home, &script, &[]).expect(3).json();
    let events = home.events(&id(&end));
    assert_eq!(turns(&events, "model.called"), [1, 2, 3]);
    assert_eq!(turns(&events, "model.answered"), [3, 2, 1]);
    let ids: Vec<&str> = of(&events, "agent.answered").iter().map(|event| event["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["tone", "facts", "clarity"]);
    let trace = call(&home, &["--trace", &id(&end)]).expect(0).json();
    let spans = trace["spans"].as_array().unwrap().iter().filter(|span| span["kind"] == "model");
    let agents: Vec<&str> = spans.map(|span| span["agent"].as_str().unwrap()).collect();
    assert_eq!(agents, ["tone", "facts", "clarity"]);
    // Their conversations go on: a second text is answered with the second answer of each.
    let end = call(&home, &["resume", &id(&end), "--say", &asked_about("Another text.")]).expect(3).json();
    shows(&end);
    replays(&home, &id(&end));
}

#[test]
fn a_kill_anywhere_asks_again_only_who_had_not_answered() {
    let home = Home::new();
    let end = review(&home, &each(&home, [120, 60, 0]), &[]).expect(3).json();
    let session = id(&end);
    let whole = home.events(&session);
    let seq = |event: &Value| event["seq"].as_u64().unwrap();
    let (first, last) = (seq(of(&whole, "flow.stepped")[0]), seq(of(&whole, "agent.answered")[2]));
    assert!(last - first >= 12, "three prompts, calls, answers of models and of agents");
    for killed in (first..=last).rev() {
        home.killed_after(&session, killed);
        let before = home.events(&session);
        let answered = turns(&before, "model.answered");
        let end = call(&home, &["resume", &session]).expect(3).json();
        shows(&end);
        let after = home.events(&session);
        let behind = &after[before.len()..];
        let twice: Vec<u64> = turns(behind, "model.called").into_iter().filter(|it| answered.contains(it)).collect();
        assert!(twice.is_empty(), "killed behind {killed}: {twice:?} were answered and asked again");
        assert_eq!(turns(&after, "model.answered").len(), 3, "killed behind {killed}");
        replays(&home, &session);
    }
}

#[test]
fn a_fork_behind_all_answers_comes_to_the_same_and_within_a_call_there_is_none() {
    let home = Home::new();
    let end = review(&home, &each(&home, [120, 60, 0]), &[]).expect(3).json();
    let events = home.events(&id(&end));
    let answered = of(&events, "model.answered");
    let forked = call(&home, &["fork", &id(&end), "--at", &answered[2]["seq"].to_string()]).expect(3).json();
    shows(&forked);
    replays(&home, &id(&forked));
    assert_eq!(of(&home.events(&id(&forked)), "model.called").len(), 3, "those that it shares");
    let within = call(&home, &["fork", &id(&end), "--at", &answered[0]["seq"].to_string()]).expect(2);
    assert!(within.out.contains("fork.within_step"), "{}", within.out);
}

#[test]
fn a_question_of_one_agent_waits_until_the_others_have_answered() {
    let home = Home::new();
    let asks = json!({ "calls": [{ "name": "first", "arguments": { "ask": "Who is it for?" } }] });
    let looks = json!({ "calls": [{ "name": "second", "arguments": {} }] });
    let clarity = json!([asks, says("Short sentences.", 0)]);
    let facts = json!([looks, says("One date.", 150)]);
    let script = script(&home, [clarity, facts, json!([says("Friendly.", 100)])]);
    let end = review(&home, &script, &[]).expect(3).json();
    assert_eq!(end["question"]["title"], "Who is it for?", "{end}");
    let session = id(&end);
    let answered = |events: &[Value]| -> Vec<String> {
        of(events, "agent.answered").iter().map(|event| event["id"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(answered(&home.events(&session)), ["tone", "facts"]);
    let answers = home.answers(&json!([{ "question": "said", "text": "for parents" }]));
    let end = call(&home, &["resume", &session, "--answers", &answers]).expect(3).json();
    shows(&end);
    let events = home.events(&session);
    assert_eq!(answered(&events), ["tone", "facts", "clarity"]);
    let told =
        of(&events, "tool.finished").iter().any(|it| it["result"]["text"].as_str().unwrap().contains("for parents"));
    assert!(told, "the tool was told the answer");
    replays(&home, &session);
}

#[test]
fn where_one_provider_call_fails_the_others_answers_are_kept() {
    let home = Home::new();
    let busy = json!({ "error": { "code": "model.overloaded", "message": "Too busy." } });
    let clarity = json!([says("Short sentences.", 200)]);
    let broken = script(&home, [clarity.clone(), json!([busy]), json!([says("Friendly.", 100)])]);
    let end = review(&home, &broken, &[]);
    let session = id(&end.json());
    assert_ne!(end.code, 0);
    let events = home.events(&session);
    assert_eq!((turns(&events, "model.failed"), turns(&events, "model.answered")), (vec![2], vec![3, 1]));
    each(&home, [0, 0, 0]);
    let end = call(&home, &["resume", &session]).expect(3).json();
    shows(&end);
    assert_eq!(turns(&home.events(&session), "model.called"), [1, 2, 3, 2], "only the one that failed is asked again");
    replays(&home, &session);
}

#[test]
fn a_budget_counts_what_all_of_them_may_use() {
    let home = Home::new();
    let script = each(&home, [50, 50, 50]);
    let whole = review(&home, &script, &["--max-tokens", "400000"]).expect(3).json();
    shows(&whole);
    // Room for one call and a little more: they answer one after the other, and each leaves what it did not use.
    let most = &home.events(&id(&whole))[0]["limits"]["max_output_tokens"];
    let room = (most.as_u64().unwrap() + 4_000).to_string();
    let narrow = review(&home, &script, &["--max-tokens", &room]).expect(3).json();
    shows(&narrow);
    let events = home.events(&id(&narrow));
    let order: Vec<&str> = events.iter().filter_map(|event| event["type"].as_str()).collect();
    let models: Vec<&str> = order.into_iter().filter(|name| name.starts_with("model.")).collect();
    assert_eq!(models, ["model.called", "model.answered"].repeat(3), "never two at once");
    let none = review(&home, &script, &["--max-tokens", "100"]).expect(5).json();
    assert_eq!(none["status"], "error_max_budget");
}
