//! An output with a form, through the binary: asked for, checked, sent back, given up.

use crate::support;

use serde_json::{Value, json};
use support::mock::{Mock, call, text};
use support::{CREATE, Home};

const SCHEMA: &str = r#"outputSchema: { type: object, required: [title, minutes], additionalProperties: false, properties: { title: { type: string }, minutes: { type: integer, maximum: 90 } } }"#;
const FITTING: &str = r#"{"title":"Loops","minutes":50}"#;

/// A run with answers of the provider `script`, as JSON, with its exit code.
fn scripted(home: &Home, plugins: &str, answers: &[&str]) -> (i32, Value) {
    let answers: Vec<Value> = answers.iter().map(|text| json!({ "text": text })).collect();
    let script = home.script(&json!(answers));
    let run = [CREATE, "iteration for 3B", "--plugins", plugins, "--output", "json"];
    let call = home.run(&[&run[..], &["--provider", "script", "--script", &script]].concat());
    let end = call.json();
    (call.code, end)
}

fn replays(home: &Home, end: &Value) {
    let replayed = home.run(&["replay", end["run"].as_str().unwrap(), "--output", "json"]).expect(0).json();
    assert_eq!(replayed["divergence"], Value::Null, "{replayed}");
}

#[test]
fn an_answer_that_does_not_fit_is_sent_back_with_what_is_wrong() {
    let home = Home::new();
    let plugins = home.plugins_with(&[SCHEMA]);
    let fenced = format!("```json\n{FITTING}\n```");
    let (code, end) =
        scripted(&home, &plugins, &["Here is your lesson.", r#"{"title":"Loops","minutes":"fifty"}"#, &fenced]);
    assert_eq!((code, &end["status"], &end["output"]), (0, &json!("success"), &json!(FITTING)));
    replays(&home, &end);
    let records = home.records(end["session"].as_str().unwrap());
    let started = &records[0];
    assert_eq!(started["output_schema"]["required"], json!(["title", "minutes"]));
    let answers = records.iter().filter(|record| record["type"] == "model.answered").count();
    assert_eq!(answers, 3);
}

#[test]
fn after_two_repairs_the_run_ends_by_name() {
    let home = Home::new();
    let plugins = home.plugins_with(&[SCHEMA]);
    let long = r#"{"title":"Loops","minutes":500}"#;
    let (code, end) = scripted(&home, &plugins, &[long, long, long, FITTING]);
    assert_eq!((code, &end["status"], &end["output"]), (5, &json!("error_output_schema"), &json!(long)));
    let reason = end["reason"].as_str().unwrap();
    assert!(reason.contains("/minutes: 500 is greater than the maximum of 90"), "{reason}");
    assert!(reason.contains("after 2 repairs") && reason.contains("choose a model"), "{reason}");
    replays(&home, &end);
}

#[test]
fn a_provider_is_asked_for_the_form_and_told_exactly_what_is_wrong() {
    let home = Home::new();
    let plugins = home.plugins_with(&[SCHEMA, "tools: [read_file]"]);
    let mock = Mock::new(vec![
        call("read_file", r#"{"path":"soul.md"}"#, "tool_use"),
        text(r#"{"title":7,"minutes":50,"more":true}"#),
        text(FITTING),
    ]);
    let end = home.asked("anthropic", &mock.base, &["--plugins", &plugins, "--output", "json"]).expect(0).json();
    assert_eq!(end["output"], FITTING);
    let asked = mock.requests();
    let format = &asked[0].body["output_config"]["format"];
    assert_eq!((&format["type"], &format["schema"]["required"]), (&json!("json_schema"), &json!(["title", "minutes"])));
    let told = asked[2].body["messages"].as_array().unwrap().last().unwrap().to_string();
    assert!(told.contains(r#"/title: 7 is not of type \"string\""#), "{told}");
    assert!(told.contains("'more' was unexpected") && told.contains("1 of 2"), "{told}");
    replays(&home, &end);
}

#[test]
fn a_schema_in_a_file_of_the_plugin_is_read_and_kept_with_the_run() {
    let home = Home::new();
    let plugins = home.plugins_with(&["outputSchema: schemas/lesson.json"]);
    home.write("plugins/lesson-planning/schemas/lesson.json", r#"{"type":"object","required":["title"]}"#);
    let (code, end) = scripted(&home, &plugins, &["[]", r#"{"title":""}"#]);
    assert_eq!((code, &end["output"]), (0, &json!(r#"{"title":""}"#)));
    // The run has what it began with: a replay needs no file.
    std::fs::remove_dir_all(home.path("plugins/lesson-planning/schemas")).unwrap();
    replays(&home, &end);
}

#[test]
fn a_schema_that_cannot_be_used_is_said_when_the_plugin_is_read() {
    let cases = [
        ("outputSchema: { type: objekt }", "agents/planner.md", "is not valid"),
        ("outputSchema: { $ref: \"https://example.org/s.json\" }", "agents/planner.md", "nothing is fetched"),
        ("outputSchema: schemas/none.json", "schemas/none.json", "there is no such file"),
        ("outputSchema: ../../workspace/soul.md", "soul.md", "leads outside the plugin"),
        ("outputSchema: agents/planner.md", "agents/planner.md", "is no JSON"),
        ("outputSchema: [1]", "agents/planner.md", "a JSON file below the plugin"),
    ];
    for (field, file, why) in cases {
        let home = Home::new();
        let plugins = home.plugins_with(&[field]);
        for arguments in [&["validate"][..], &[CREATE, "iteration for 3B"]] {
            let call = home.run(&[arguments, &["--plugins", &plugins]].concat()).expect(1);
            let said = call.out + &call.err;
            assert!(said.contains(file) && said.contains(why), "{field}: {said}");
        }
    }
}
