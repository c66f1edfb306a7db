//! Requests in somebody's own words, in a directory with agents of their own: where they go, what is said, what runs.

use serde_json::{Value, json};

use crate::support::team::Team;

fn route(team: &Team, text: &str, more: &[&str]) -> Value {
    team.run(&[&["route", text, "--output", "json"], more].concat()).expect(0).json()
}

#[test]
fn a_request_goes_to_the_agent_of_its_capability() {
    let team = Team::new();
    let went = route(&team, "look at the code in src/auth", &[]);
    assert_eq!(
        went,
        json!({
            "capability": "code-review", "confidence": 0.85, "tier": "fast", "agent": "senior-engineer",
            "narration": "Treating this as code-review using Senior Engineer. Starting.",
        })
    );
    let own = route(&team, "write the change log, please", &["--no-model"]);
    assert_eq!((&own["capability"], &own["agent"]), (&json!("changelog"), &json!("changelog-writer")));
    assert_eq!(own["narration"], "Treating this as changelog using Changelog Writer. Starting.");
    let unsure = route(&team, "purple", &[]);
    assert_eq!((&unsure["capability"], &unsure["tier"]), (&json!("general"), &json!("unsure")));

    let table = team.run(&["routes", "--output", "json"]).expect(0).json();
    let line = table["routes"].as_array().unwrap().iter().find(|it| it["capability"] == "changelog").unwrap();
    assert_eq!((&line["file"], &line["line"]), (&json!(".agent/signals/changelog.yaml"), &json!(3)));
    assert_eq!(table["capabilities"]["changelog"]["agent"]["file"], ".agent/config.yaml");
    let text = team.run(&["routes"]).expect(0).out;
    assert!(text.contains("changelog → Changelog Writer"), "{text}");
}

#[test]
fn free_text_is_routed_told_and_run() {
    let team = Team::new();
    team.write("src/auth.rs", "fn login() {}\n");
    let read = json!({ "calls": [{ "name": "read_file", "arguments": { "path": "src/auth.rs" } }] });
    let call = team.scripted(&["look at the code in src/auth"], &json!([read, "Nothing is wrong."])).expect(0);
    assert!(call.err.contains("Treating this as code-review using Senior Engineer. Starting."), "{}", call.err);
    assert_eq!((&call.json()["status"], &call.json()["output"]), (&json!("success"), &json!("Nothing is wrong.")));
    let events = team.events(&call);
    let started = &events[0];
    assert_eq!((&started["plugin"], &started["command"]), (&json!("workbench"), &json!("code-review")));
    assert_eq!(
        (&started["agent"], &started["input"]),
        (&json!("senior-engineer"), &json!("look at the code in src/auth"))
    );
    let finished = events.iter().find(|it| it["type"] == "tool.finished").unwrap();
    assert!(finished.to_string().contains("fn login() {}"), "{finished}");

    // The agent of the project, with the tools that it names and within the capability's limits.
    let call = team.scripted(&["what changed since version 1.2?"], &json!(["A changelog."])).expect(0);
    let events = team.events(&call);
    assert_eq!((&events[0]["agent"], &events[0]["limits"]["max_turns"]), (&json!("changelog-writer"), &json!(15)));
    assert_eq!(events[0]["limits"]["max_minutes"], 10);
    let prompt = events.iter().find(|it| it["type"] == "prompt.assembled").unwrap();
    let tools: Vec<&str> = prompt["tools"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(tools, ["list_directory", "read_file", "read_skill", "write_file"]);
    assert!(prompt["system"].as_str().unwrap().contains("You write the changelog of this project"));
    let session = call.json()["session"].as_str().unwrap().to_owned();
    let replayed = team.run(&["replay", &session, "--output", "json"]).expect(0);
    assert!(replayed.out.contains("\"divergence\":null"), "{}", replayed.out);
}

#[test]
fn what_is_not_clear_is_asked_about_and_never_taken() {
    let team = Team::new();
    let call = team.run(&["do the purple thing", "--output", "json"]).expect(2);
    assert_eq!(call.json()["error"]["code"], "route.unsure");
    assert!(call.json()["error"]["hint"].as_str().unwrap().contains("workbench:general"), "{}", call.out);
    let dismissed = team.run(&["do the purple thing", "--answers", "dismiss", "--output", "json"]).expect(2);
    assert_eq!(dismissed.json()["error"]["code"], "route.unsure");
    // A script answers the question which capability it is, and then the run: a new reader of the script begins at its first answer.
    let answer = r#"{"capability": "brainstorm", "confidence": 0.5}"#;
    let taken = team.scripted(&["do the purple thing", "--answers", "accept"], &json!([answer])).expect(0);
    assert_eq!(team.events(&taken)[0]["command"], "brainstorm");
}

#[test]
fn a_model_sorts_what_no_signal_is_sure_of_once() {
    let team = Team::new();
    let script = |text: &str| team.script(&json!([text]));
    let path = script(r#"Sure: {"capability": "data-analysis", "confidence": 0.9}"#);
    let with = ["--provider", "script", "--script", &path];
    let went = route(&team, "do the purple thing", &with);
    assert_eq!((&went["capability"], &went["tier"]), (&json!("data-analysis"), &json!("model")));
    assert_eq!(
        went["narration"],
        "Treating this as data-analysis using Assistant. Starting.".replace("Assistant", "Default")
    );

    // The same request again is not asked: what the script says now is not heard.
    script(r#"{"capability": "debug", "confidence": 0.9}"#);
    assert_eq!(route(&team, "do the purple thing", &with)["capability"], "data-analysis");
    let kept = std::fs::read_to_string(team.home.path("data/routes.json")).unwrap();
    assert!(!kept.contains("purple"), "{kept}");
    // Another request is, and signals that are sure ask nobody.
    assert_eq!(route(&team, "do the green thing", &with)["capability"], "debug");
    assert_eq!(route(&team, "look at the code in src", &with)["tier"], "fast");
    assert_eq!(route(&team, "do the purple thing", &[&with[..], &["--no-model"]].concat())["tier"], "unsure");
    // What is outside the list is no answer.
    script(r#"{"capability": "delete-everything", "confidence": 1.0}"#);
    assert_eq!(route(&team, "do the red thing", &with)["tier"], "unsure");
}

#[test]
fn one_word_is_no_request_unless_it_is_said_to_be() {
    let team = Team::new();
    let call = team.run(&["validte", "--output", "json"]).expect(2).json();
    assert_eq!(call["error"]["code"], "command.form");
    assert!(call["error"]["hint"].as_str().unwrap().contains("did you mean `validate`?"), "{call}");
    let call = team.scripted(&["--answers", "accept"], &json!([])).expect(2);
    assert_eq!(call.json()["error"]["code"], "usage.nothing");
    let script = team.script(&json!(["Fixed."]));
    let call = team.run(&["--provider", "script", "--script", &script, "--output", "json", "--", "hotfix"]).expect(0);
    assert_eq!(team.events(&call)[0]["command"], "code-patch");
}

#[test]
fn old_names_are_understood_where_the_project_says_so() {
    let team = Team::new();
    let refused = team.run(&["/wicked-engineering:review", "src", "--output", "json"]).expect(2).json();
    assert_eq!(refused["error"]["code"], "skill.unknown");
    assert!(refused["error"]["hint"].as_str().unwrap().contains("compat_mode"), "{refused}");
    team.write(".agent/config.yaml", "compat_mode: true\ncapabilities:\n  changelog:\n    agent: changelog-writer\n");
    let call = team.scripted(&["/wicked-engineering:review", "src"], &json!(["Fine."])).expect(0);
    assert!(call.err.contains("Alias: /wicked-engineering:review → code-review"), "{}", call.err);
    assert_eq!(call.err.matches("is an old name").count(), 1, "{}", call.err);
    let events = team.events(&call);
    assert_eq!((&events[0]["command"], &events[0]["input"]), (&json!("code-review"), &json!("src")));
}
