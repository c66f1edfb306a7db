//! What a run rests on is kept with it: texts edited while it waits, rights taken away, forks within a step.

use crate::support;

use serde_json::{Value, json};
use support::{CREATE, Call, Home};

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn with_plugins(home: &Home, plugins: &str, arguments: &[&str]) -> Call {
    Call::of(&home.command(arguments).env("TEACHER_ASSIST_PLUGINS", plugins).output().unwrap())
}

#[test]
fn a_run_goes_on_with_the_texts_that_it_began_with() {
    let home = Home::new();
    let plugins = home.path("plugins");
    support::copy(&support::plugins(), &plugins);
    let shown = plugins.display().to_string();
    // The first question comes before the prompt is made.
    let parked = with_plugins(&home, &shown, &[CREATE, "iteration for 3B", "--output", "json"]).expect(3).json();
    assert_eq!(parked["question"]["by"], "feedforward", "{parked}");
    let session = text(&parked["session"]).to_owned();
    let agent = plugins.join("lesson-planning/agents/planner.md");
    let edited = std::fs::read_to_string(&agent).unwrap() + "\nSay mandarin in every lesson.\n";
    std::fs::write(&agent, edited).unwrap();
    let soul = home.workspace().join("soul.md");
    std::fs::write(&soul, "You are somebody else.\n").unwrap();
    with_plugins(&home, &shown, &["--resume", &session, "--answers", "accept"]).expect(0);
    let prompt = home.events(&session).into_iter().find(|event| event["type"] == "prompt.assembled").unwrap();
    let system = text(&prompt["system"]);
    assert!(!system.contains("mandarin") && !system.contains("somebody else"), "{system}");
    let replayed = with_plugins(&home, &shown, &["replay", &session]).expect(0);
    assert!(replayed.out.starts_with("the same"), "{}", replayed.out);
    // The next run begins with what is there now.
    let next = with_plugins(&home, &shown, &[CREATE, "iteration for 3B", "--dry-run"]).expect(0);
    assert!(next.out.contains("mandarin") && next.out.contains("somebody else"), "{}", next.out);
}

#[test]
fn a_run_whose_rights_were_taken_away_says_which_and_waits() {
    let home = Home::new();
    let parked = home.run(&[CREATE, "iteration for 3B", "--output", "json"]).expect(3).json();
    let session = text(&parked["session"]).to_owned();
    let operator = "[grants.\"lesson-planning:feedforward\"]\ncapabilities = [\"log\", \"config\", \"ask\", \"memory\", \"prompt\"]\n";
    let operator = home.write("narrower.toml", operator).display().to_string();
    let refused = home.run(&["--resume", &session, "--answers", "accept", "--operator", &operator]).expect(1);
    assert!(refused.err.contains("grants.narrowed") && refused.err.contains("workspace"), "{}", refused.err);
    home.run(&["--resume", &session, "--answers", "accept"]).expect(0);
}

#[test]
fn a_fork_begins_only_where_a_step_ends() {
    let home = Home::new();
    let tasks = json!([{ "id": "1", "title": "read the profile", "status": "pending" }]);
    let script = json!({ "answers": [
        { "calls": [{ "name": "update_tasks", "arguments": { "tasks": tasks } }] },
        { "text": "# Nothing to plan" },
    ] });
    let script = home.write("script.json", &script.to_string()).display().to_string();
    let plugins = home.plugins_with(&["hooks: []"]);
    let arguments = [CREATE, "iteration for 3B", "--provider", "script", "--script", &script, "--output", "json"];
    let end = with_plugins(&home, &plugins, &arguments).expect(0).json();
    let session = text(&end["session"]).to_owned();
    let events = home.events(&session);
    let seq = |kind: &str| events.iter().find(|event| event["type"] == kind).unwrap()["seq"].as_u64().unwrap();
    let (finished, settled, replaced) = (seq("tool.finished"), seq("tool.settled"), seq("tasks.replaced"));
    assert_eq!((settled, replaced), (finished + 1, finished + 2));
    let at = |seq: u64| with_plugins(&home, &plugins, &["fork", &session, "--at", &seq.to_string()]);
    assert!(at(settled).expect(2).err.contains("fork.within_step"));
    let within = at(finished).expect(2);
    assert!(within.err.contains("fork.within_step"), "{}", within.err);
    let (before, after) = (seq("model.answered"), replaced);
    let near = [before, after].map(|seq| seq.to_string());
    assert!(near.iter().all(|seq| within.err.contains(seq.as_str())), "{}: {near:?}", within.err);
    at(after).expect(0);
}
