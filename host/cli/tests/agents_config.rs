//! Layers: what is built in, the project's files, the environment, flags; and what no project may say.

use serde_json::{Value, json};

use crate::support::Call;
use crate::support::team::Team;

fn shown(team: &Team, variables: &[(&str, &str)]) -> Vec<Value> {
    let mut command = team.command(&["config", "show", "--origin", "--output", "json"]);
    let call = Call::of(&command.envs(variables.iter().copied()).output().unwrap()).expect(0);
    call.json().as_array().unwrap().clone()
}

fn value(all: &[Value], key: &str) -> (Value, String) {
    let found = all.iter().find(|it| it["key"] == key).unwrap_or_else(|| panic!("{key}: {all:?}"));
    (found["value"].clone(), found["origin"].as_str().unwrap().to_owned())
}

#[test]
fn a_higher_layer_replaces_what_a_lower_one_says() {
    let team = Team::new();
    let review = "capabilities.code-review.agent";
    assert_eq!(value(&shown(&team, &[]), review).0, "senior-engineer");
    assert!(
        value(&shown(&team, &[]), review).1.starts_with("(built in)")
            || value(&shown(&team, &[]), review).1.contains("plugin.toml:")
    );

    team.write("agent.yaml", "defaultAgent: coder\ncapabilities:\n  code-review: { agent: coder, max_turns: 7 }\n");
    assert_eq!(value(&shown(&team, &[]), review), (json!("coder"), "agent.yaml:3".to_owned()));
    assert_eq!(value(&shown(&team, &[]), "defaultAgent"), (json!("coder"), "agent.yaml:1".to_owned()));

    team.write(
        ".agent/config.yaml",
        "capabilities:\n  changelog:\n    agent: changelog-writer\n  code-review:\n    agent: changelog-writer\n",
    );
    let all = shown(&team, &[("TEACHER_ASSIST_DEFAULT_AGENT", "debugger")]);
    assert_eq!(value(&all, review), (json!("changelog-writer"), ".agent/config.yaml:5".to_owned()));
    assert_eq!(value(&all, "capabilities.code-review.max_turns"), (json!(7), "agent.yaml:3".to_owned()));
    assert_eq!(value(&all, "defaultAgent").1, "environment TEACHER_ASSIST_DEFAULT_AGENT");
    assert_eq!(value(&all, "capabilities.general.agent").0, "debugger");
    assert_eq!(value(&all, "models.fast").1, "(built in)");

    // A flag is above them all.
    let call = team.scripted(&["look at the code in src", "--max-turns", "3"], &json!(["Fine."])).expect(0);
    let started = &team.events(&call)[0];
    assert_eq!((&started["agent"], &started["limits"]["max_turns"]), (&json!("changelog-writer"), &json!(3)));
}

#[test]
fn no_project_grants_itself_anything() {
    let team = Team::new();
    for (text, field) in [
        ("grants:\n  workbench:files: all\n", "grants"),
        ("capabilities:\n  code-review:\n    base_url: http://127.0.0.1:1\n", "capabilities.code-review.base_url"),
        ("keys: { anthropic: abc }\n", "keys"),
        ("prices: {}\n", "prices"),
    ] {
        team.write("agent.yaml", text);
        let call = team.run(&["look at the code in src", "--output", "json"]).expect(1);
        let problem = &call.json()["error"]["problems"][0];
        assert_eq!((&problem["code"], &problem["field"]), (&json!("config.not-yours"), &json!(field)), "{}", call.out);
    }
    team.write("agent.yaml", "defaultAgnet: coder\n");
    let call = team.run(&["routes", "--output", "json"]).expect(1).json();
    let problem = &call["error"]["problems"][0];
    assert_eq!(problem["code"], "field.unknown");
    assert!(problem["remedy"].as_str().unwrap().contains("did you mean `defaultAgent`?"), "{problem}");
}

/// What an operator would grant stands beside the project and not in it, where an agent could write it.
#[test]
fn a_file_of_grants_inside_the_project_is_not_read() {
    let team = Team::new();
    team.write("teacher-assist.toml", "this is = no file that could be read [\n");
    team.run(&["routes"]).expect(0);
    team.home.write("teacher-assist.toml", "[models]\nfast = \"openai/gpt-5.4-nano\"\ndefault = \"openai/gpt-5.4\"\n");
    let all = shown(&team, &[]);
    assert_eq!(value(&all, "models.fast"), (json!("openai/gpt-5.4-nano"), "the operator's file".to_owned()));
    let call = team.run(&["look at the code in src", "--output", "json"]).expect(8);
    assert!(call.json()["error"]["message"].as_str().unwrap().contains("OPENAI_API_KEY"), "{}", call.out);
}

#[test]
fn nothing_is_overwritten_by_new() {
    let team = Team::new();
    let call = team.home.run(&["new", "mine", "--output", "json"]).expect(2);
    assert_eq!(call.json()["error"]["code"], "project.exists");
}
