//! wasmtime takes longer to compile than everything else together: every command needs the same one of it.
//!
//! Cargo compiles a crate again where its features differ, or those of a crate that it is built on, and features are the sum
//! of what all crates of a command ask for. Cargo itself is asked what each command would compile; nothing is compiled here.
//! Clippy is left out: it checks, and shares nothing with what is built.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// What cargo would compile, one entry for each call of a compiler.
struct Units(Vec<Value>);

impl Units {
    fn of(command: &str) -> Self {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        cargo.args(command.split(' ')).args(["--offline", "--unit-graph", "-Zunstable-options"]);
        // The graph is a feature of the nightly toolchain, which the stable one has as well.
        cargo.env("RUSTC_BOOTSTRAP", "1").current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."));
        let output = cargo.output().unwrap();
        assert!(output.status.success(), "cargo {command}: {}", String::from_utf8_lossy(&output.stderr));
        let mut graph: Value = serde_json::from_slice(&output.stdout).unwrap();
        Self(serde_json::from_value(graph["units"].take()).unwrap())
    }

    /// What is compiled for wasmtime: each unit once, with everything that decides whether it is compiled again.
    fn below_wasmtime(&self) -> BTreeSet<String> {
        let engine = |unit: &Value| name(unit).starts_with("wasmtime") && unit["mode"] == "build";
        let mut open: Vec<usize> = (0..self.0.len()).filter(|index| engine(&self.0[*index])).collect();
        let mut seen = BTreeSet::new();
        while let Some(index) = open.pop() {
            if seen.insert(index) {
                let needs = self.0[index]["dependencies"].as_array().unwrap();
                open.extend(needs.iter().map(|it| usize::try_from(it["index"].as_u64().unwrap()).unwrap()));
            }
        }
        seen.into_iter().map(|index| identity(&self.0[index])).collect()
    }
}

/// Name and version of a unit's crate.
fn name(unit: &Value) -> &str {
    let id = unit["pkg_id"].as_str().unwrap();
    id.rsplit(['#', '/']).next().unwrap()
}

fn identity(unit: &Value) -> String {
    let mut profile = unit["profile"].clone();
    // `test` is the name of `dev` where tests are built.
    profile.as_object_mut().unwrap().remove("name");
    let (kind, features) = (&unit["target"]["kind"], &unit["features"]);
    format!("{} {kind} {} with {features} and {profile}", name(unit), unit["mode"].as_str().unwrap())
}

/// Fails where the commands of one profile compile more than one wasmtime.
fn one_for(commands: &[&str]) {
    let all: BTreeMap<&str, BTreeSet<String>> =
        commands.iter().map(|command| (*command, Units::of(command).below_wasmtime())).collect();
    let (first, wanted) = (commands[0], &all[commands[0]]);
    assert!(
        wanted.iter().any(|unit| unit.starts_with("wasmtime@")),
        "`cargo {first}` compiles no wasmtime: {wanted:?}"
    );
    for (command, found) in &all {
        let differ: Vec<&String> = wanted.symmetric_difference(found).collect();
        assert!(
            differ.is_empty(),
            "`cargo {command}` would compile wasmtime again after `cargo {first}`. Ask for the larger set of features of each \
             crate, and for each crate that only one command needs, in host/sandbox/Cargo.toml, where others are:\n{differ:#?}"
        );
    }
}

#[test]
fn run_test_and_build_share_one_wasmtime() {
    one_for(&[
        // What `cargo run` builds.
        "build",
        "build --workspace",
        "test",
        "test --workspace",
        "test --workspace --all-features",
        "test -p ta-sandbox",
        "test -p ta-runtime",
        "test -p ta-server",
        "test -p ta-evals",
        "test -p ta-bench",
    ]);
}

#[test]
fn what_is_released_is_what_is_measured() {
    one_for(&["build --release", "build --release --workspace", "bench -p teacher-assist -p bench-check -p ta-bench"]);
}

/// It is the first thing that a newcomer's machine compiles, and the checks in it must not wait for the product.
#[test]
fn the_tasks_are_built_without_the_product() {
    let units = Units::of("build -p xtask");
    let names: BTreeSet<&str> = units.0.iter().map(name).collect();
    for product in ["wasmtime@", "ta-", "tokio@", "reqwest@"] {
        assert!(!names.iter().any(|name| name.starts_with(product)), "xtask needs {product}: {names:?}");
    }
}
