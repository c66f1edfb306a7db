//! A guest in Rust from nothing to a run, through the binary, in a directory that knows nothing of this repository.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{CREATE, Call, Home, repository};
use serde_json::{Value, json};

/// Shared by the tests that build guests: what they depend on is compiled once.
pub(crate) fn target() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| repository().join("target"), PathBuf::from);
    target.join("guest-author")
}

/// A command of a guest's author in a directory of theirs.
pub(crate) fn guest(home: &Home, directory: &Path, arguments: &[&str]) -> Call {
    let mut command = home.command(&[&["guest"], arguments].concat());
    of_author(&mut command, directory);
    Call::of(&command.output().unwrap())
}

fn of_author(command: &mut Command, directory: &Path) {
    // What a build of this repository says to its compiler is not for a guest.
    for variable in ["RUSTC_WORKSPACE_WRAPPER", "RUSTFLAGS", "TEACHER_ASSIST_WORKSPACE", "CARGO_MANIFEST_DIR", "CARGO"]
    {
        command.env_remove(variable);
    }
    command.current_dir(directory).env("CARGO_TARGET_DIR", target()).env("CARGO_NET_OFFLINE", "true");
}

fn cargo_test(directory: &Path) -> Call {
    let mut command = Command::new("cargo");
    of_author(command.args(["test", "--quiet"]), directory);
    Call::of(&command.output().unwrap())
}

#[test]
fn from_nothing_to_a_guard_in_a_run_and_cases_cut_from_it() {
    let home = Home::new();
    let begun =
        guest(&home, home.dir.path(), &["new", "unfinished", "--point", "post-loop", "--output", "json"]).expect(0);
    assert_eq!(begun.json()["contract"]["version"], "0.2.0");
    let own = home.path("unfinished");
    assert!(!std::fs::read_to_string(own.join("Cargo.toml")).unwrap().contains(&repository().display().to_string()));

    let tested = cargo_test(&own).expect(0);
    assert!(tested.out.contains("2 passed"), "{}", tested.out);

    let not_yet = guest(&home, &own, &["test", "--output", "json"]).expect(2);
    assert_eq!(not_yet.json()["error"]["code"], "guest.not_built");
    let built = guest(&home, &own, &["build", "--output", "json"]).expect(0).json();
    assert_eq!((&built["exports"], &built["needs"]), (&json!(["post-loop"]), &json!(["log", "config"])), "{built}");
    let bytes = std::fs::read(own.join("unfinished.wasm")).unwrap();
    let holds = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(!holds(&home.dir.path().display().to_string()), "no path of the machine is in it");

    let report = guest(&home, &own, &["test"]).expect(0);
    assert!(report.out.contains("2 of 2 cases") && report.out.contains("fuel"), "{}", report.out);
    a_case_that_fails(&home, &own);
    one_call(&home, &own);
    in_a_plugin(&home, &own);
}

fn a_case_that_fails(home: &Home, own: &Path) {
    let expected = own.join("cases/unfinished/expected.json");
    let good = std::fs::read_to_string(&expected).unwrap();
    std::fs::write(&expected, r#"{ "verdict": "pass" }"#).unwrap();
    let junit = own.join("results.xml");
    let failed = guest(home, own, &["test", "--junit", junit.to_str().unwrap()]).expect(1);
    assert!(failed.out.contains("FAIL") && failed.out.contains("-  \"verdict\": \"pass\""), "{}", failed.out);
    let xml = std::fs::read_to_string(&junit).unwrap();
    assert!(xml.contains("tests=\"2\" failures=\"1\" errors=\"0\""), "{xml}");
    guest(home, own, &["test", "--accept"]).expect(0);
    let json = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    assert_eq!(json(&std::fs::read_to_string(&expected).unwrap()), json(&good), "what is accepted is what was said");
    assert_eq!(
        guest(home, own, &["test", "nothing", "--output", "json"]).expect(2).json()["error"]["code"],
        "case.unknown"
    );
    std::fs::write(own.join("cases/finished/event.json"), "{").unwrap();
    assert_eq!(guest(home, own, &["test", "--output", "json"]).expect(2).json()["error"]["code"], "case.json");
    std::fs::write(own.join("cases/finished/event.json"), r#"{ "output": "All is said." }"#).unwrap();
}

/// What a world says reaches the guest, and time, fuel and memory stand beside their limits.
fn one_call(home: &Home, own: &Path) {
    let event = home.write("event.json", r#"{ "output": "One\nTBD: two" }"#);
    let world = home.write("world.json", r#"{ "config": { "mark": "TBD" } }"#);
    let arguments = ["run", "--event", event.to_str().unwrap(), "--world", world.to_str().unwrap(), "--output", "json"];
    let done = guest(home, own, &arguments).expect(0).json();
    assert_eq!((&done["outcome"]["verdict"], &done["outcome"]["findings"][0]["line"]), (&json!("rework"), &json!(2)));
    for (used, most) in [("fuel", "fuel_max"), ("memory_bytes", "memory_bytes_max")] {
        let [used, most] = [used, most].map(|name| done[name].as_u64().unwrap());
        assert!(0 < used && used < most, "{done}");
    }
}

fn in_a_plugin(home: &Home, own: &Path) {
    let plugins = home.path("plugins");
    let plugins = plugins.to_str().unwrap();
    let add = ["add", "unfinished.wasm", "--plugin", "lesson-planning", "--plugins", plugins, "--output", "json"];
    let added = guest(home, own, &add).expect(0).json();
    assert_eq!(added["component"], "lesson-planning:unfinished");
    let grant = added["grant"].as_str().unwrap();
    assert!(
        grant.starts_with("[grants.\"lesson-planning:unfinished\"]\ncapabilities = [\"log\", \"config\"]"),
        "{grant}"
    );
    let manifest = std::fs::read_to_string(added["manifest"].as_str().unwrap()).unwrap();
    assert!(manifest.contains("[hooks.unfinished]") && manifest.contains("[hooks.unfinished.config]"), "{manifest}");

    // Nothing is granted that the operator did not write down.
    let run = [
        CREATE,
        "iteration for 3B",
        "--plugins",
        plugins,
        "--hook",
        "unfinished",
        "--answers",
        "accept",
        "--provider",
        "offline",
    ];
    assert!(home.run(&run).expect(1).err.contains("plugin.import_denied"));
    home.write("teacher-assist.toml", grant);
    let done = home.run(&[&run[..], &["--output", "json"]].concat()).expect(0).json();
    let id = done["run"].as_str().unwrap();
    let said = home.events(id);
    let verdict = said.iter().find(|it| it["type"] == "hook.finished" && it["hook"] == "unfinished").unwrap();
    assert_eq!(verdict["verdict"]["verdict"], "pass", "{verdict}");

    let recorded =
        guest(home, own, &["record", id, "--hook", "unfinished", "--scrub", "3B=a class", "--output", "json"])
            .expect(0)
            .json();
    let cut = &recorded[0];
    assert_eq!((&cut["verdict"], &cut["same"]), (&json!("pass"), &json!(true)), "{recorded}");
    assert!(cut["scrubbed"].as_u64().unwrap() > 0, "{recorded}");
    let case = own.join(cut["directory"].as_str().unwrap());
    let event = std::fs::read_to_string(case.join("event.json")).unwrap();
    assert!(!event.contains("3B") && !event.contains(id) && event.contains("a class"), "{event}");
    let cases = 2 + recorded.as_array().unwrap().len();
    assert!(guest(home, own, &["test"]).expect(0).out.contains(&format!("{cases} of {cases} cases")));

    // Another build takes the place of the first, and says of which.
    let operator = home.path("teacher-assist.toml");
    let again = [&add[..], &["--operator", operator.to_str().unwrap()]].concat();
    let again = guest(home, own, &again).expect(0).json();
    assert_eq!((&again["replaced"], &again["copied"], &again["grant"]), (&added["sha256"], &Value::Null, &Value::Null));
}

#[test]
fn what_cannot_be_is_refused_with_a_code_and_nothing_is_written() {
    let home = Home::new();
    let refused = |arguments: &[&str], code: i32| {
        let call = guest(&home, home.dir.path(), &[arguments, &["--output", "json"]].concat()).expect(code);
        call.json()["error"]["code"].as_str().unwrap().to_owned()
    };
    for (arguments, code) in [
        (&["new", "../up", "--point", "post-loop"][..], "guest.name"),
        (&["new", "Up", "--point", "post-loop"], "guest.name"),
        (&["new", "up", "--point", "before"], "point.unknown"),
        (&["new", "up", "--point", "post-loop", "--language", "cobol"], "guest.language"),
        (&["new", "up", "--point", "pre-model", "--language", "c"], "guest.language"),
        (&["new", "workspace", "--point", "post-loop"], "guest.exists"),
        (&["build"], "guest.none"),
        (&["test"], "guest.none"),
    ] {
        assert_eq!(refused(arguments, 2), code, "{arguments:?}");
    }
    assert!(!home.path("up").exists());
    let word_count = repository().join("evals/guests/c/word-count.wasm");
    let plugins = home.path("plugins");
    let add = ["add", word_count.to_str().unwrap(), "--plugins", plugins.to_str().unwrap(), "--plugin"];
    assert_eq!(refused(&[&add[..], &["nobody"]].concat(), 2), "plugin.unknown");
    assert_eq!(refused(&[&add[..], &["release-notes", "--name", "a b"]].concat(), 2), "guest.name");
    assert_eq!(refused(&[&add[..], &["release-notes", "--name", "changes"]].concat(), 2), "component.twice");
    assert!(!plugins.exists(), "nothing was copied");
    // A component without a guest beside it: points and capabilities are read from its bytes.
    let added =
        guest(&home, home.dir.path(), &[&add[..], &["release-notes", "--output", "json"]].concat()).expect(0).json();
    assert_eq!((&added["runs_at"], &added["capabilities"]), (&json!(["post-loop"]), &json!(["config"])), "{added}");
}

#[test]
fn a_tool_is_begun_built_and_tried() {
    let home = Home::new();
    guest(&home, home.dir.path(), &["new", "finder", "--point", "tool"]).expect(0);
    let own = home.path("finder");
    guest(&home, &own, &["build"]).expect(0);
    assert!(guest(&home, &own, &["test"]).expect(0).out.contains("2 of 2 cases"));
    // What guest.toml does not ask for is said before anything runs.
    let file = own.join("guest.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("[\"log\"]", "[]")).unwrap();
    let refused = guest(&home, &own, &["build", "--output", "json"]).expect(1);
    assert_eq!(refused.json()["error"]["code"], "guest.capabilities");
    assert!(refused.err.contains("add \"log\""), "{}", refused.err);
}

#[test]
fn the_doctor_names_what_is_missing_and_the_line_that_installs_it() {
    let home = Home::new();
    let there = guest(&home, home.dir.path(), &["doctor", "--language", "rust", "--output", "json"]).expect(0).json();
    assert_eq!(there[0]["complete"], true, "{there}");
    let mut command = home.command(&["guest", "doctor", "--language", "c", "--output", "json"]);
    let without = Call::of(&command.env("PATH", home.dir.path()).output().unwrap()).expect(1).json();
    let tool = &without[0]["tools"][0];
    assert_eq!((&tool["name"], &tool["good"]), (&json!("clang"), &json!(false)));
    assert!(tool["install"].as_str().unwrap().contains("apt-get install clang"), "{tool}");
}
