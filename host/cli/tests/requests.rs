//! Tools that hooks and tools call, through the binary: answered, parked, refused, forked, replayed.

use crate::support;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use support::{Call, Home, made};

const GO: &str = "calling:go";

/// The plugin, with these lines of configuration for its hook.
fn plugins(home: &Home, config: &str) -> PathBuf {
    let plugins = home.path("plugins");
    support::copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../evals/plugins"), &plugins);
    let manifest = plugins.join("calling/plugin.toml");
    let text = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, format!("{text}\n[hooks.calls-tools.config]\n{config}\n")).unwrap();
    plugins
}

fn operator(home: &Home) -> String {
    let grants = "[grants.\"calling:calls-tools\"]\ncapabilities = [\"log\", \"config\", \"tools\"]\n\
                  calls = [\"first\"]\n\
                  [grants.\"calling:calling\"]\ncapabilities = [\"log\", \"ask\", \"tools\", \"workspace\"]\n\
                  calls = [\"first\", \"second\", \"third\", \"fourth\"]\nworkspace = { lessons = \"read-write\" }\n\
                  [grants.\"calling:flow-calling\"]\ncapabilities = [\"log\", \"tools\"]\ncalls = [\"first\"]\n";
    home.write("teacher-assist.toml", grants).display().to_string()
}

fn call(home: &Home, arguments: &[&str]) -> Call {
    let operator = operator(home);
    let all = [arguments, &["--operator", &operator, "--output", "json"]].concat();
    Call::of(&home.command(&all).env("TEACHER_ASSIST_PLUGINS", home.path("plugins")).output().unwrap())
}

/// A run whose model calls these tools, all in one message, and then is done.
fn go(home: &Home, config: &str, calls: &[Value]) -> Call {
    plugins(home, config);
    std::fs::create_dir_all(home.workspace().join("lessons")).unwrap();
    let calling = json!({ "text": "", "calls": calls });
    let answers = if calls.is_empty() { vec![] } else { vec![calling] };
    let script = home.script(&json!([&answers[..], &[json!({ "text": "Done." })]].concat()));
    call(home, &["run", GO, "go", "--provider", "script", "--script", &script])
}

/// A call of a tool that calls another.
fn calls(name: &str, tool: &str, with: &Value) -> Value {
    json!({ "name": name, "arguments": { "tool": tool, "with": with.to_string() } })
}

fn of<'a>(events: &'a [Value], name: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["type"] == name).collect()
}

/// What the tool of that number answered to whoever called it.
fn result(events: &[Value], number: usize) -> Value {
    let text = of(events, "tool.finished")[number]["result"]["text"].as_str().unwrap().to_owned();
    serde_json::from_str(&text).unwrap_or(Value::String(text))
}

/// A replay of the run comes to the same, to the byte.
#[track_caller]
fn replays(home: &Home, run: &str) {
    let replayed = call(home, &["replay", run]).expect(0);
    assert!(replayed.out.contains("\"divergence\":null"), "{}", replayed.out);
}

fn id(end: &Value, of: &str) -> String {
    end[of].as_str().unwrap().to_owned()
}

#[test]
fn a_hook_calls_a_tool_and_adds_what_it_answers() {
    let home = Home::new();
    let end = go(&home, "tool = \"first\"", &[]).expect(0).json();
    let run = id(&end, "run");
    let events = home.events(&run);
    let requested = made(&events, "tool");
    assert_eq!(requested.len(), 1);
    assert_eq!((&requested[0]["by"], &requested[0]["point"]), (&json!("calls-tools"), &json!("pre-loop")));
    assert_eq!(result(&events, 0), json!({ "tool": "first", "said": null, "told": [] }));
    let hooks = of(&events, "hook.finished");
    let points: Vec<&str> = hooks.iter().map(|it| it["point"].as_str().unwrap()).collect();
    assert_eq!(points, ["pre-tool", "pre-loop"], "the hooks around a tool see its call");
    assert!(hooks[1]["notes"][0].as_str().unwrap().contains("\"tool\":\"first\""), "{}", hooks[1]);
    let system = of(&events, "prompt.assembled")[0]["system"].as_str().unwrap();
    assert!(system.contains("Looked up"), "{system}");
    replays(&home, &run);
    let trace = call(&home, &["--trace", &run]).expect(0).json();
    let kinds: Vec<&str> = trace["spans"].as_array().unwrap().iter().filter_map(|it| it["kind"].as_str()).collect();
    assert!(kinds.contains(&"tool-request") && kinds.contains(&"tool-answer"), "{kinds:?}");
}

#[test]
fn a_tools_tool_asks_the_person_and_the_run_goes_on_in_another_process() {
    let home = Home::new();
    let with = json!({ "ask": "Which one?", "write": "new.md" });
    let end = go(&home, "", &[calls("first", "second", &with)]).expect(3).json();
    assert_eq!(end["question"]["title"], "Which one?");
    let run = id(&end, "run");
    let open = home.events(&run).len();
    let answers = home.answers(&json!([{ "question": "said", "text": "that one" }]));
    let end = call(&home, &["resume", &run, "--answers", &answers]).expect(0).json();
    assert_eq!(end["status"], "success");
    let events = home.events(&run);
    assert_eq!(made(&events, "tool").len(), 1, "the call is made once");
    assert_eq!(result(&events, 0)["said"], "that one");
    let told = result(&events, 1)["told"][0]["text"].as_str().unwrap().to_owned();
    assert!(told.contains("that one"), "{told}");
    let file = std::fs::read_to_string(home.workspace().join("lessons/new.md")).unwrap();
    assert_eq!(file, "second was told []\n");
    replays(&home, &run);

    // Forked at the open question, it goes on with another answer.
    let at = home.events(&run).iter().position(|it| it["request"]["kind"] == "ask").unwrap() + 1;
    assert!(at <= open);
    let answers = home.answers(&json!([
        { "question": "said", "text": "the other" },
        { "question": "change:lessons/new.md", "choice": "no" },
    ]));
    let forked = call(&home, &["fork", &run, "--at", &at.to_string(), "--answers", &answers]).expect(0).json();
    let fork = id(&forked, "run");
    let events = home.events(&fork);
    assert!(result(&events, 0)["said"] == "the other", "{events:?}");
    replays(&home, &fork);
}

#[test]
fn a_change_that_the_person_refuses_is_told_to_the_caller() {
    let home = Home::new();
    home.write("workspace/lessons/old.md", "kept\n");
    let end = go(&home, "", &[calls("first", "second", &json!({ "write": "old.md" }))]).expect(3).json();
    assert_eq!(end["question"]["id"], "change:lessons/old.md");
    let run = id(&end, "run");
    let answers = home.answers(&json!([{ "question": "change:lessons/old.md", "choice": "no" }]));
    call(&home, &["resume", &run, "--answers", &answers]).expect(0);
    assert_eq!(result(&home.events(&run), 1)["told"][0]["code"], "tools.not_written");
    assert_eq!(std::fs::read_to_string(home.workspace().join("lessons/old.md")).unwrap(), "kept\n");
    replays(&home, &run);
}

#[test]
fn names_that_are_not_granted_unknown_arguments_and_cycles_are_refused() {
    let home = Home::new();
    let bad = json!({ "name": "third", "arguments": { "tool": "fourth", "with": "[1]" } });
    let calls = [
        calls("first", "update_tasks", &json!({})),
        calls("second", "second", &json!({})),
        calls("third", "fourth", &json!({ "tool": "third" })),
        bad,
        calls("fourth", "first", &json!({ "fail": true })),
    ];
    // The hook's manifest asks for `second`, and the operator does not grant it.
    let end = go(&home, "tool = \"second\"", &calls).expect(0).json();
    let run = id(&end, "run");
    let events = home.events(&run);
    let notes = &of(&events, "hook.finished")[0]["notes"];
    assert!(notes[0].as_str().unwrap().starts_with("tools.denied: `calling:calls-tools` may not call"), "{notes}");
    let code = |number: usize| result(&events, number)["told"][0]["code"].clone();
    assert_eq!((code(0), code(1)), (json!("tools.denied"), json!("tools.cycle")));
    assert_eq!(code(2), "tools.cycle", "fourth, which third called, may not call third");
    let message = result(&events, 2)["told"][0]["message"].as_str().unwrap().to_owned();
    assert!(message.ends_with("tool third calls tool fourth calls tool third"), "{message}");
    assert_eq!(code(4), "tools.arguments");
    assert_eq!(code(6), "asked-to-fail", "the tool's own word");
    replays(&home, &run);
}

#[test]
fn three_tools_may_wait_for_each_other_and_no_more() {
    let home = Home::new();
    let nested = ["second", "third", "fourth"]
        .iter()
        .rev()
        .fold(json!({}), |with, tool| json!({ "tool": tool, "with": with.to_string() }));
    // The hook waits for first, that for second, that for third, which may not call fourth.
    let config = format!("tool = \"first\"\nwith = '{nested}'");
    let end = go(&home, &config, &[]).expect(0).json();
    let run = id(&end, "run");
    let events = home.events(&run);
    let requested: Vec<&str> = made(&events, "tool").iter().map(|it| it["request"]["name"].as_str().unwrap()).collect();
    assert_eq!(requested, ["first", "second", "third"]);
    assert_eq!(result(&events, 0)["told"][0]["code"], "tools.depth");
    replays(&home, &run);
}

#[test]
fn a_hook_before_a_tool_refuses_what_a_tool_calls_and_may_call_one_itself() {
    let home = Home::new();
    let end = go(&home, "refused = \"second\"", &[calls("first", "second", &json!({}))]).expect(0).json();
    let events = home.events(&id(&end, "run"));
    assert_eq!(result(&events, 0)["told"][0]["code"], "tools.refused");
    assert_eq!(of(&events, "tool.finished").len(), 1, "it was not called");
    replays(&home, &id(&end, "run"));

    // A hook that calls a tool about a call sees its own call as well, and cannot wait for itself.
    let home = Home::new();
    let end = go(&home, "guarded = \"first\"\ntool = \"first\"", &[json!({ "name": "first", "arguments": {} })]);
    let end = end.expect(0).json();
    let events = home.events(&id(&end, "run"));
    let notes: Vec<String> = of(&events, "hook.finished").iter().map(|it| it["notes"].to_string()).collect();
    assert!(notes.iter().any(|it| it.contains("tools.cycle: it would wait for itself: hook calls-tools")), "{notes:?}");
    replays(&home, &id(&end, "run"));
}

#[test]
fn a_hook_makes_sixteen_requests_and_a_tool_sixty_four() {
    for (times, code, status) in [(16, 0, "success"), (17, 4, "error_hook_abort")] {
        let home = Home::new();
        let end = go(&home, &format!("tool = \"first\"\ntimes = {times}"), &[]).expect(code).json();
        assert_eq!(end["status"], status, "{end}");
        assert_eq!(made(&home.events(&id(&end, "run")), "tool").len(), 16);
        if code != 0 {
            assert!(end["reason"].as_str().unwrap().contains("hook.requests"), "{end}");
        }
    }
    for (times, failed) in [(64, false), (65, true)] {
        let home = Home::new();
        let many = json!({ "name": "first", "arguments": { "tool": "second", "times": times } });
        let end = go(&home, "", &[many]).expect(0).json();
        let events = home.events(&id(&end, "run"));
        assert_eq!(made(&events, "tool").len(), 64);
        let last = of(&events, "tool.finished")[64];
        assert_eq!(last["result"]["failed"].as_bool().unwrap_or(false), failed, "{last}");
        assert_eq!(last["code"], if failed { json!("hook.requests") } else { Value::Null });
    }
}

#[test]
fn questions_and_calls_of_tools_count_together() {
    let home = Home::new();
    let many = json!({ "name": "first", "arguments": { "ask": "Which one?", "tool": "second", "times": 64 } });
    let run = id(&go(&home, "", &[many]).expect(3).json(), "run");
    let answers = home.answers(&json!([{ "question": "said", "text": "that one" }]));
    call(&home, &["resume", &run, "--answers", &answers]).expect(0);
    let events = home.events(&run);
    assert_eq!(made(&events, "tool").len(), 63);
    assert_eq!(of(&events, "tool.finished")[63]["code"], "hook.requests");
    replays(&home, &run);
}

#[test]
fn a_run_whose_component_may_no_longer_call_a_tool_does_not_go_on() {
    let home = Home::new();
    let run = id(&go(&home, "", &[calls("first", "second", &json!({ "ask": "Which one?" }))]).expect(3).json(), "run");
    let grants = std::fs::read_to_string(operator(&home)).unwrap();
    let narrowed = grants.replace("\"first\", \"second\", ", "\"first\", ");
    assert_ne!(grants, narrowed);
    let own = home.write("own.toml", &narrowed).display().to_string();
    let mut command = home.command(&["resume", &run, "--answers", "accept", "--operator", &own]);
    let refused = Call::of(&command.env("TEACHER_ASSIST_PLUGINS", home.path("plugins")).output().unwrap());
    assert!(refused.code != 0 && refused.err.contains("grants.narrowed"), "{}", refused.err);
    assert!(refused.err.contains("calls = [\"second\", …]"), "{}", refused.err);
}

#[test]
fn a_run_killed_while_a_tool_is_called_makes_the_call_once() {
    let home = Home::new();
    let end = go(&home, "tool = \"first\"", &[]).expect(0).json();
    let (run, session) = (id(&end, "run"), id(&end, "session"));
    let records = home.records(&session);
    for after in ["request.made", "request.answered"] {
        let seq = records.iter().find(|it| it["type"] == after).unwrap()["seq"].as_u64().unwrap();
        home.killed_after(&session, seq);
        call(&home, &["resume", &run]).expect(0);
        assert_eq!(made(&home.events(&run), "tool").len(), 1, "killed after {after}");
        replays(&home, &run);
    }
}

#[test]
fn a_manifest_that_names_a_tool_that_is_not_there_is_refused() {
    let home = Home::new();
    plugins(&home, "");
    let manifest = home.path("plugins/calling/plugin.toml");
    let text = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, text.replacen("\"fourth\"]", "\"fifth\"]", 1)).unwrap();
    let grants = std::fs::read_to_string(operator(&home)).unwrap().replace("\"fourth\"]", "\"fifth\"]");
    let own = home.write("own.toml", &grants).display().to_string();
    let script = home.script(&json!([{ "text": "Done." }]));
    let arguments = ["run", GO, "go", "--provider", "script", "--script", &script, "--operator", &own];
    let plugins = home.path("plugins");
    let refused = Call::of(&home.command(&arguments).env("TEACHER_ASSIST_PLUGINS", plugins).output().unwrap());
    assert!(refused.expect(1).err.contains("`calling` may call the tool `fifth`, which no component"));
}

#[test]
fn validate_names_the_line_where_a_component_may_call_what_is_no_tool() {
    let home = Home::new();
    plugins(&home, "");
    let valid = call(&home, &["validate"]).json();
    let unknown = |report: &Value| -> Vec<Value> {
        report["problems"].as_array().unwrap().iter().filter(|it| it["code"] == "tool.unknown").cloned().collect()
    };
    assert_eq!(unknown(&valid), Vec::<Value>::new(), "{valid}");
    let manifest = home.path("plugins/calling/plugin.toml");
    let text = std::fs::read_to_string(&manifest).unwrap();
    let text =
        text.replacen("\"fourth\"]", "\"fifth\"]", 1).replacen("calls = [\"first\"]", "calls = [\"calls-tools\"]", 1);
    std::fs::write(&manifest, &text).unwrap();
    let line = |words: &str| text.lines().position(|line| line.contains(words)).unwrap() + 1;
    let report = call(&home, &["validate"]).expect(1).json();
    let found = unknown(&report);
    assert_eq!(found.len(), 2, "{report}");
    assert_eq!((&found[0]["line"], &found[0]["field"]), (&json!(line("\"fifth\"]")), &json!("calling.calls")));
    assert!(found[0]["file"].as_str().unwrap().ends_with("plugin.toml"), "{}", found[0]);
    assert_eq!(found[0]["message"], "`calling` may call `fifth`, which no component of the plugin offers");
    assert!(found[0]["remedy"].as_str().unwrap().contains("first, second, third, fourth"), "{}", found[0]);
    assert_eq!(found[1]["line"], json!(line("calls = [\"calls-tools\"]")));
    assert_eq!(found[1]["message"], "`flow-calling` may call `calls-tools`, which is a hook");
}

#[test]
fn a_flow_calls_a_tool_that_asks_and_goes_on_in_another_process() {
    let home = Home::new();
    plugins(&home, "");
    let script = home.script(&json!([{ "text": "Nobody asks." }]));
    let said = json!({ "ask": "Which one?" }).to_string();
    let end = call(&home, &["run", "calling:talk", &said, "--provider", "script", "--script", &script]);
    let end = end.expect(3).json();
    assert_eq!((&end["question"]["by"], &end["question"]["title"]), (&json!("calling"), &json!("Which one?")));
    let run = id(&end, "run");
    let answers = home.answers(&json!([{ "question": "said", "text": "that one" }]));
    let end = call(&home, &["resume", &run, "--answers", &answers]).expect(0).json();
    assert_eq!(end["status"], "success");
    let display = end["messages"][0]["display"].as_str().unwrap();
    assert!(display.contains("\"said\":\"that one\""), "{display}");
    let events = home.events(&run);
    let requested = made(&events, "tool");
    assert_eq!((requested.len(), &requested[0]["by"]), (1, &json!("flow-calling")));
    assert_eq!(of(&events, "hook.finished")[1]["point"], "pre-tool", "the flow's hooks see the call");
    replays(&home, &run);
}

#[test]
fn another_component_in_the_hooks_place_is_told_what_tools_answered() {
    let home = Home::new();
    let end = go(&home, "tool = \"first\"", &[]).expect(0).json();
    let component = home.path("plugins/calling/components/calls-tools.wasm").display().to_string();
    let swap = format!("calls-tools={component}");
    let swapped = call(&home, &["replay", &id(&end, "run"), "--swap", &swap]).expect(0).json();
    assert_eq!(swapped["totals"]["calls"], 2, "{swapped}");
    assert_eq!(swapped["totals"]["verdicts_changed"], 0, "{swapped}");
}

#[test]
fn by_hand_no_other_tool_runs() {
    let home = Home::new();
    plugins(&home, "tool = \"first\"");
    let event = home.write("event.json", "{ \"input\": \"go\" }").display().to_string();
    let report = call(&home, &["hook", "run", "calling:calls-tools", "--point", "pre-loop", "--event", &event]);
    let notes = report.json()["notes"].to_string();
    assert!(notes.contains("tools.unavailable"), "{notes}");
    let arguments = json!({ "tool": "second" }).to_string();
    let report =
        call(&home, &["tool", "run", "calling:calling", "--tool", "first", "--arguments", &arguments]).expect(0);
    assert_eq!(report.json()["json"]["told"][0]["code"], "tools.unavailable", "{}", report.out);
}
