//! The same guard begun in other languages: native tests, component, cases, through the binary.
//!
//! C needs clang and lld. JavaScript and Python need tools from the registries, which take longer than everything else here: they
//! run where `cargo xtask long guests` says so.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::guest_rust::guest;
use crate::support::{Call, Home};

/// Says that tools may be installed.
const LONG: &str = "TEACHER_ASSIST_LONG_GUESTS";

fn run(directory: &Path, program: &str, arguments: &[&str]) -> Call {
    Call::of(&Command::new(program).args(arguments).current_dir(directory).output().unwrap()).expect(0)
}

/// Begins the guard in a language, has `prepare` install and try natively, builds it, and runs its cases.
fn from_nothing(language: &str, point: &str, prepare: impl FnOnce(&Path)) -> (Home, Value) {
    let home = Home::new();
    guest(&home, home.dir.path(), &["new", "unfinished", "--point", point, "--language", language]).expect(0);
    let own = home.path("unfinished");
    prepare(&own);
    let built = guest(&home, &own, &["build", "--output", "json"]).expect(0).json();
    assert_eq!(built["exports"], json!([point]), "{built}");
    let report = guest(&home, &own, &["test"]).expect(0);
    assert!(report.out.contains("2 of 2 cases"), "{}", report.out);
    let (built, used) = (built.to_string(), report.out);
    println!("{language}: {built}\n{used}");
    let built = serde_json::from_str(&built).unwrap();
    (home, built)
}

#[test]
fn in_c_at_every_point_that_has_a_template() {
    if ["clang", "wasm-ld"].iter().any(|program| Command::new(program).arg("--version").output().is_err()) {
        eprintln!("NOT RUN: there is no clang or no wasm-ld here");
        return;
    }
    for point in [
        "pre-loop",
        "post-model",
        "pre-tool",
        "post-tool",
        "post-loop",
        "on-handoff",
        "on-subagent-start",
        "on-subagent-end",
    ] {
        let (_home, built) = from_nothing("c", point, |own| {
            assert!(run(own, "make", &["test"]).out.contains("all passed"));
        });
        assert!(built["bytes"].as_u64().unwrap() < 40_000, "{built}");
        assert_eq!(built["needs"], json!(["config"]), "{built}");
    }
}

fn long() -> bool {
    let long = std::env::var_os(LONG).is_some();
    if !long {
        eprintln!("NOT RUN: `cargo xtask long guests` installs the tools of JavaScript and Python");
    }
    long
}

#[test]
fn in_javascript_with_tools_from_the_registry() {
    if !long() {
        return;
    }
    for point in ["post-loop", "pre-tool", "pre-model"] {
        from_nothing("javascript", point, |own| {
            run(own, "npm", &["install", "--no-audit", "--no-fund", "--loglevel=error"]);
            assert!(run(own, "node", &["--test"]).out.contains("# pass 2"));
        });
    }
}

#[test]
fn in_python_with_tools_from_the_registry() {
    if !long() {
        return;
    }
    for point in ["post-loop", "pre-tool"] {
        from_nothing("python", point, |own| {
            run(own, "python3", &["-m", "venv", ".venv"]);
            run(own, ".venv/bin/pip", &["install", "--quiet", "-r", "requirements.txt"]);
            assert!(run(own, "python3", &["-m", "unittest"]).err.contains("Ran 2 tests"));
        });
    }
}
