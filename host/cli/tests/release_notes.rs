//! A plugin that has nothing to do with schools, on a workspace that holds a list of commits and nothing else: its own
//! provider, tool and guardrail, through the command line and over HTTP.

use crate::support;

use serde_json::{Value, json};
use support::server::Server;
use support::{Call, Home};

const WRITE: &str = "release-notes:write";
const LIST: &str = "\
a1b2c3d feat(cli): add `--since` to list (#41)
b2c3d4e fix!: names are quoted

BREAKING CHANGE: scripts that split lines at blanks have to read the quotation marks.
c3d4e5f chore: bump the lock file
d4e5f6a docs: say how lists are made
e5f6a7b Merge branch 'since'
";

/// A home whose workspace holds one list of commits.
fn home() -> Home {
    let home = Home::new();
    std::fs::remove_dir_all(home.workspace()).unwrap();
    home.write("workspace/releases/1.4.0.txt", LIST);
    home
}

/// A copy of the plugin that may be changed; its directory of plugins.
fn copied(home: &Home) -> String {
    let plugins = home.path("plugins");
    support::copy(&support::plugins().join("release-notes"), &plugins.join("release-notes"));
    plugins.display().to_string()
}

fn write(home: &Home, request: &str, more: &[&str]) -> Call {
    home.run(&[&[WRITE, request, "--output", "json"], more].concat())
}

fn of<'a>(events: &'a [Value], name: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["type"] == name).collect()
}

fn id(end: &Value, of: &str) -> String {
    end[of].as_str().unwrap().to_owned()
}

#[track_caller]
fn replays(home: &Home, run: &str) {
    let replayed = home.run(&["replay", run, "--output", "json"]).expect(0);
    assert!(replayed.out.contains("\"divergence\":null"), "{}", replayed.out);
}

#[test]
fn notes_are_written_from_the_list_by_the_plugins_own_provider() {
    let home = home();
    let call = write(&home, "the notes of 1.4.0, please", &[]).expect(0);
    assert!(call.err.contains("ANTHROPIC_API_KEY is not set"), "{}", call.err);
    let end = call.json();
    assert_eq!((end["status"].as_str(), end["saved"].as_str()), (Some("success"), Some("notes/1.4.0.md")));
    let notes = std::fs::read_to_string(home.path("workspace/notes/1.4.0.md")).unwrap();
    for line in [
        "# 1.4.0",
        "## Breaking changes",
        "- Scripts that split lines at blanks have to read the quotation marks (b2c3d4e)",
        "- **cli**: Add `--since` to list (#41, a1b2c3d)",
        "- Say how lists are made (d4e5f6a)",
    ] {
        assert!(notes.lines().any(|it| it == line), "{line}\n{notes}");
    }
    assert!(notes.contains("without a language model") && !notes.contains("bump the lock file"));
    let events = home.events(&id(&end, "run"));
    let started = of(&events, "run.started")[0];
    assert_eq!(started["subject"], json!({ "kind": "release", "id": "1.4.0" }));
    let pin = &started["components"]["offline"];
    assert_eq!((pin["kind"].as_str(), pin["granted"].clone()), (Some("provider"), json!(["log"])));
    let answered = of(&events, "model.answered");
    assert_eq!(answered.len(), 2, "one call of the tool, then the notes");
    for answer in answered {
        let component = &answer["answer"]["component"];
        assert_eq!((component["name"].as_str(), &component["sha256"]), (Some("offline"), &pin["sha256"]));
        assert!(component["report"]["fuel"].as_u64().unwrap() > 0);
    }
    let passed = of(&events, "hook.finished");
    assert!(passed.iter().any(|it| it["hook"] == "entries-exist" && it["verdict"]["verdict"] == "pass"), "{passed:?}");
    let trace = home.run(&["--trace", &id(&end, "run")]).expect(0);
    assert!(trace.out.contains("component offline "), "{}", trace.out);
    replays(&home, &id(&end, "run"));
}

#[test]
fn any_words_start_a_run() {
    let home = home();
    // One list is there, so it is the one that is meant; a shape of a school's classes is no word of this plugin's.
    for request in ["write a summary for 4K screens", "for 3B", "5G: what is new, short"] {
        let end = write(&home, request, &[]).expect(0).json();
        assert_eq!(end["status"], "success", "{request}");
        assert!(of(&home.events(&id(&end, "run")), "run.started")[0]["subject"].is_null());
    }
}

#[test]
fn what_cannot_be_written_is_declined_with_a_way_on() {
    let home = home();
    home.write("workspace/releases/1.5.0.txt", "f0a1b2c chore: nothing to see\n");
    let internal = write(&home, "1.5.0", &[]).expect(7).json();
    assert_eq!(internal["status"], "declined");
    assert!(internal["reason"].as_str().unwrap().contains("Ask for everything"), "{internal}");
    let everything = write(&home, "1.5.0, everything", &[]).expect(0).json();
    assert!(everything["output"].as_str().unwrap().contains("- Nothing to see (f0a1b2c)"), "{everything}");
    let which = write(&home, "the notes", &[]).expect(7).json();
    assert!(which["reason"].as_str().unwrap().contains("There are: 1.5.0, 1.4.0."), "{which}");
    std::fs::remove_dir_all(home.path("workspace/releases")).unwrap();
    let empty = write(&home, "the notes", &[]).expect(7).json();
    assert!(empty["reason"].as_str().unwrap().contains("git log"), "{empty}");
}

/// A model that makes things up is sent back, and where it does so again the run ends.
#[test]
fn the_guardrail_holds_a_model_to_the_list() {
    let home = home();
    let notes =
        |item: &str| format!("# 1.4.0\n\n## Breaking changes\n\n- Names are quoted (b2c3d4e)\n\n## New\n\n- {item}\n");
    let (made_up, sound) = (notes("It flies (0123456)"), notes("`list` takes `--since` (#41, a1b2c3d)"));
    let asks = json!({ "text": "", "calls": [{ "name": "list_changes", "arguments": {} }] });
    let script = home.script(&json!([asks, { "text": made_up }, { "text": sound }]));
    let end = write(&home, "1.4.0", &["--provider", "script", "--script", &script]).expect(0).json();
    assert_eq!(end["status"], "success");
    let events = home.events(&id(&end, "run"));
    let verdicts: Vec<&Value> = of(&events, "hook.finished").iter().map(|it| &it["verdict"]["verdict"]).collect();
    assert_eq!(verdicts, ["rework", "pass"]);
    assert!(of(&events, "hook.finished")[0]["findings"][0]["message"].as_str().unwrap().contains("0123456"));
    replays(&home, &id(&end, "run"));

    let stubborn = home.script(&json!([asks, { "text": made_up }, { "text": made_up }, { "text": made_up }]));
    let end = write(&home, "1.4.0", &["--provider", "script", "--script", &stubborn]).expect(4).json();
    assert_eq!(end["status"], "error_hook_abort");
    assert!(!home.path("workspace/notes/1.4.0-2.md").exists());
}

/// The list is gone when the notes are to be checked: nobody can check them, so they are not passed.
#[test]
fn the_guardrail_fails_closed() {
    let home = home();
    let script = home.script(&json!([{ "text": "# 1.4.0\n\n## New\n\n- It flies (a1b2c3d)\n" }]));
    let none = write(&home, "9.9.9", &["--provider", "script", "--script", &script]).expect(4).json();
    assert_eq!(none["status"], "error_hook_abort");
    assert!(none["reason"].as_str().unwrap().contains("no list of commits"), "{none}");
}

#[test]
fn a_run_is_forked_and_may_ask_the_plugins_provider_then() {
    let home = home();
    let asks = json!({ "text": "", "calls": [{ "name": "list_changes", "arguments": {} }] });
    let answer = json!({ "text": "# 1.4.0\n\n## New\n\n- Names are quoted (b2c3d4e)\n" });
    let script = home.script(&json!([asks, answer]));
    let first = write(&home, "1.4.0", &["--provider", "script", "--script", &script]).expect(0).json();
    let events = home.events(&id(&first, "run"));
    assert_eq!(of(&events, "run.started")[0]["components"].get("offline"), None, "what does not run is not loaded");
    let settled = of(&events, "tool.finished")[0]["seq"].to_string();
    let session = id(&first, "session");
    let fork = ["fork", &session, "--at", &settled, "--provider", "offline", "--output", "json"];
    let end = home.run(&fork).expect(0).json();
    assert!(end["output"].as_str().unwrap().contains("without a language model"), "{end}");
    let own = home.events(&id(&end, "run"));
    let forked = of(&own, "run.forked")[0];
    assert_eq!(forked["start"]["components"]["offline"]["kind"], "provider");
    let answers: Vec<&Value> = of(&own, "model.answered").iter().map(|it| &it["answer"]["component"]["name"]).collect();
    assert_eq!(answers, [&Value::Null, &json!("offline")], "what was answered before stays as it was");
    replays(&home, &id(&end, "run"));
}

#[test]
fn a_guardrail_is_swapped_in_a_replay() {
    let home = home();
    let plugins = copied(&home);
    // What lessons' guardrail needs, so that it can take this one's place.
    let manifest = home.path("plugins/release-notes/plugin.toml");
    let text = std::fs::read_to_string(&manifest).unwrap();
    let (before, hook) = text.split_once("[hooks.entries-exist]").unwrap();
    let hook = hook.replacen("[\"log\", \"workspace\"]", "[\"log\", \"config\", \"workspace\"]", 1);
    std::fs::write(&manifest, format!("{before}[hooks.entries-exist]{hook}")).unwrap();
    let grants = "[grants.\"release-notes:entries-exist\"]\ncapabilities = [\"log\", \"config\", \"workspace\"]\n\
                  workspace = { releases = \"read\" }\n";
    let operator = home.write("operator.toml", grants).display().to_string();
    let end = write(&home, "1.4.0", &["--plugins", &plugins, "--operator", &operator]).expect(0).json();
    let other = support::plugins().join("release-notes/components/entries-exist.wasm");
    // Another guardrail's component: that of lessons, which knows nothing of commits.
    let lessons = support::component("lesson-form");
    for (file, changed) in [(&other, 0), (&lessons, 1)] {
        let swap = format!("entries-exist={}", file.display());
        let call = home.run(&["replay", &id(&end, "run"), "--swap", &swap, "--output", "json"]);
        let swapped: Value = serde_json::from_str(&call.out).unwrap_or_else(|_| panic!("{}{}", call.out, call.err));
        assert_eq!(swapped["totals"]["calls"], 1, "{swapped}");
        assert_eq!(swapped["totals"]["verdicts_changed"], changed, "{swapped}");
    }
}

#[test]
fn a_plugin_without_a_provider_and_without_a_key_says_so() {
    let home = home();
    let plugins = copied(&home);
    let manifest = home.path("plugins/release-notes/plugin.toml");
    let text = std::fs::read_to_string(&manifest).unwrap();
    let (kept, _) = text.split_once("[providers.offline]").unwrap();
    std::fs::write(&manifest, kept).unwrap();
    for more in [&[][..], &["--provider", "offline"]] {
        let call = write(&home, "1.4.0", &[&["--plugins", &plugins], more].concat()).expect(8);
        let told = call.json();
        assert_eq!(told["status"], "error_no_provider", "{told}");
        assert_eq!(told["error"]["code"], "error_no_provider");
        let hint = told["error"]["hint"].as_str().unwrap();
        assert!(hint.contains("--provider"), "{hint}");
    }
    assert!(home.run(&["--sessions"]).expect(0).out.contains("no sessions yet"));
}

/// A provider that fails: the run waits, with the provider's own word.
#[test]
fn a_provider_that_fails_parks_the_run_and_another_takes_over() {
    let home = home();
    let plugins = copied(&home);
    let agent = home.path("plugins/release-notes/agents/writer.md");
    let text = std::fs::read_to_string(&agent).unwrap();
    // Without its tool the provider has nothing to write from.
    std::fs::write(&agent, text.replace("tools: [list_changes]", "tools: [none]")).unwrap();
    let call = write(&home, "1.4.0", &["--plugins", &plugins]).expect(6);
    assert_eq!(call.json()["status"], "parked");
    assert!(call.err.contains("[model.provider_failed]") && call.err.contains("no-tool"), "{}", call.err);
    let session = id(&call.json(), "session");
    let events = home.events(&session);
    assert_eq!(of(&events, "model.failed")[0]["error"]["code"], "model.provider_failed");
    // It fails the same way again: nothing is lost, and the run still waits.
    home.run(&["--resume", &session, "--plugins", &plugins, "--output", "json"]).expect(6);
}

#[test]
fn a_session_goes_on_about_the_same_release() {
    let home = home();
    let shown = copied(&home);
    let mut stopped = home.command(&[WRITE, "1.4.0", "--plugins", &shown, "--max-turns", "1", "--output", "json"]);
    let first = Call::of(&stopped.output().unwrap()).expect(5).json();
    assert_eq!(first["status"], "error_max_turns");
    // Going on with the session: another run, and the release is still the one that the session is about.
    let session = id(&first, "session");
    let more =
        home.run(&["--resume", &session, "and now short", "--plugins", &shown, "--output", "json"]).expect(0).json();
    assert!(more["output"].as_str().unwrap().contains("# 1.4.0"), "{more}");
}

#[test]
fn the_same_over_http() {
    let home = home();
    let server = Server::start(&home, &[]);
    let tab = server.single();
    let new = json!({ "plugin": "release-notes", "command": "write", "input": "1.4.0, short" });
    let begun = tab.post("/api/runs", &new).expect(202).json();
    let end = tab.to_the_end(begun["session"].as_str().unwrap());
    assert_eq!(end["session"]["last_status"], "success", "{end}");
    assert_eq!(end["session"]["subject"], json!({ "kind": "release", "id": "1.4.0" }));
    assert!(home.path("workspace/notes/1.4.0.md").exists());
    let commands = tab.get("/api/commands").expect(200);
    assert!(commands.body.contains("release-notes"), "{}", commands.body);
}
