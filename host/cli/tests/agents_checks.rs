//! `validate` in a directory with agents of somebody's own: seven checks, each with its place and what to do.

use serde_json::{Value, json};

use crate::support::team::Team;

#[test]
fn what_new_writes_is_valid() {
    let team = Team::new();
    let report = team.run(&["validate", "--output", "json"]).expect(0).json();
    let checks: Vec<&str> = report["checks"].as_array().unwrap().iter().map(|it| it["id"].as_str().unwrap()).collect();
    assert_eq!(checks, ["schema", "agents", "tools", "signals", "providers", "duplicates", "coverage"]);
    assert_eq!((&report["ok"], &report["problems"]), (&json!(true), &json!([])));
    // Agents that are not shipped are told of, and the key that no agent of the project asks for.
    let status =
        |id: &str| report["checks"].as_array().unwrap().iter().find(|it| it["id"] == id).unwrap()["status"].clone();
    assert_eq!(
        (status("coverage"), status("providers"), status("tools")),
        (json!("warning"), json!("warning"), json!("passed"))
    );
    assert_eq!(report["capabilities"]["security-scan"]["agent"]["value"], "default");
    assert_eq!(report["capabilities"]["security-scan"]["instead_of"], "security-engineer");
    let text = team.run(&["validate", "--verbose"]).expect(0).out;
    assert!(
        text.contains("passed   signals") && text.contains("changelog-writer") && text.contains("routes"),
        "{text}"
    );
}

/// What one check finds after a file was written.
#[track_caller]
fn finds(file: &str, text: &str, check: &str, (code, line): (&str, Option<u64>), part: &str) -> Value {
    let team = Team::new();
    team.write(file, text);
    let found = team.check(1, check);
    assert_eq!(found["status"], "error", "{found}");
    let finding = found["findings"].as_array().unwrap().iter().find(|it| it["code"] == code);
    let finding = finding.unwrap_or_else(|| panic!("{code}: {found}")).clone();
    assert_eq!(finding["line"].as_u64(), line, "{finding}");
    let told = format!("{}: {} {}", finding["file"], finding["message"], finding["hint"]);
    assert!(told.contains(part), "{told}");
    finding
}

#[test]
fn each_check_names_the_place() {
    let config = ".agent/config.yaml";
    let changelog = "  changelog:\n    agent: changelog-writer\n";
    let agent = "---\ndescription: Audits.\nallowedTools: [read_file, read_fil]\n---\nAudit.\n";
    finds(".agent/agents/a.md", agent, "tools", ("tool.unknown", Some(3)), "did you mean `read_file`?");
    finds(
        ".agent/agents/a.md",
        "---\ndescription: d\nalowedTools: [x]\n---\nA.\n",
        "schema",
        ("field.unknown", Some(3)),
        "allowedTools",
    );
    let unknown = format!("capabilities:\n{changelog}  code-review:\n    agent: senior-enginer\n");
    finds(config, &unknown, "agents", ("agent.unknown", Some(5)), "did you mean `senior-engineer`?");
    let signals = "- capability: changelog\n  pattern: '('\n  confidence: 0.9\n";
    finds(".agent/signals/b.yaml", signals, "signals", ("signal.pattern", Some(1)), "no regular expression");
    let large = "- capability: changelog\n  pattern: '((a{1,100}){1,100}){1,100}'\n  confidence: 0.9\n";
    finds(".agent/signals/b.yaml", large, "signals", ("signal.pattern", Some(1)), "shorten what it repeats");
    let signals = "# x\n- capability: chagelog\n  keywords: [x]\n  confidence: 0.9\n";
    finds(".agent/signals/b.yaml", signals, "signals", ("capability.unknown", Some(2)), "did you mean `changelog`?");
    let provider = format!("capabilities:\n{changelog}    provider: openai\n");
    finds(config, &provider, "providers", ("provider.key_missing", Some(4)), "OPENAI_API_KEY");
    let twice = "---\nid: changelog-writer\ndescription: d\n---\nA.\n";
    finds(".agent/agents/z.md", twice, "duplicates", ("agent.twice", None), ".agent/agents/changelog-writer.md");
    let skill = "---\ndescription: d\nparameters:\n  text: { required: true }\n---\n\n{{txt}}\n";
    finds(".agent/skills/s.md", skill, "schema", ("skill.template", Some(7)), "did you mean `text`?");
    let skill = "---\ndescription: d\nagent: nobody\nparameters:\n  text: { required: true }\n---\n{{text}}\n";
    finds(".agent/skills/s.md", skill, "agents", ("agent.unknown", None), "nobody");
    finds(config, "capabilities: [\n", "schema", ("file.yaml", Some(1)), "config.yaml");
}

#[test]
fn a_skill_that_cannot_be_read_stops_everything_or_is_left_out() {
    let team = Team::new();
    team.write(".agent/skills/broken.md", "---\nparameters: 5\n---\nx\n");
    team.run(&["/summarise", "x", "--output", "json"]).expect(1);
    team.write("agent.yaml", "skillMode: permissive\n");
    team.write(".agent/config.yaml", "capabilities:\n  changelog:\n    agent: changelog-writer\n");
    team.scripted(&["/summarise", "x"], &json!(["X."])).expect(0);
    let found = team.check(0, "schema");
    assert_eq!(
        (&found["status"], &found["findings"][0]["file"]),
        (&json!("warning"), &json!(".agent/skills/broken.md"))
    );
}

#[test]
fn a_project_replaces_what_is_built_in_and_that_is_said() {
    let team = Team::new();
    team.write(".agent/agents/senior-engineer.md", "---\nname: Our Reviewer\ndescription: d\n---\nReview as we do.\n");
    let found = team.check(0, "duplicates");
    assert_eq!((&found["status"], &found["findings"][0]["code"]), (&json!("warning"), &json!("layer.replaced")));
    let call = team.scripted(&["look at the code in src"], &json!(["Fine."])).expect(0);
    assert!(call.err.contains("using Our Reviewer."), "{}", call.err);
    let prompt = team.events(&call).into_iter().find(|it| it["type"] == "prompt.assembled").unwrap();
    assert!(prompt["system"].as_str().unwrap().contains("Review as we do."));
}

/// A tool that is not there is an error in every plugin, not in a project alone.
#[test]
fn a_plugin_with_a_mistyped_tool_is_refused() {
    let home = crate::support::Home::new();
    let plugins = home.path("plugins");
    crate::support::copy(&crate::support::plugins().join("release-notes"), &plugins.join("release-notes"));
    let file = plugins.join("release-notes/agents/writer.md");
    let text = std::fs::read_to_string(&file).unwrap().replace("[list_changes]", "[list_chanegs]");
    std::fs::write(&file, text).unwrap();
    let report = home.run(&["validate", "--plugins", plugins.to_str().unwrap(), "--output", "json"]).expect(1).json();
    let problem = report["problems"].as_array().unwrap().iter().find(|it| it["code"] == "tool.unknown").unwrap();
    assert!(problem["remedy"].as_str().unwrap().contains("did you mean `list_changes`?"), "{problem}");
    assert_eq!(problem["line"], 6);
}
