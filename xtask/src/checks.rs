//! `cargo xtask test`: everything that a change must pass, in the order in which it fails fastest.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use clap::Args;

use crate::catalogue::GUEST_WORKSPACE;
use crate::{Problem, Result, aimock, catalogue, guests, page, smoke};

/// The version that the checks install; it needs no network but the package registry's.
const DENY_VERSION: &str = "0.20.2";

/// All tests of a workspace.
const TEST: [&str; 3] = ["test", "--workspace", "--all-features"];
/// All lints of a workspace.
const LINTS: [&str; 7] = ["clippy", "--workspace", "--all-targets", "--all-features", "--", "-D", "warnings"];

/// What to check.
#[derive(Debug, Default, Args)]
pub struct Options {
    /// Leave out what takes longest: the page in a browser, rebuilding the guests, `cargo deny`, the smoke run.
    #[arg(long)]
    pub quick: bool,
}

/// Runs every check of the workspace at `root`.
///
/// # Errors
/// The first check that fails, with the command that repeats it.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    cargo(root, "formatting", &["fmt", "--all", "--check"])?;
    cargo(&root.join(GUEST_WORKSPACE), "formatting of the guests", &["fmt", "--all", "--check"])?;
    let mut mock = PathBuf::new();
    step("the mock of the providers", || aimock::install(root).map(|program| mock = program))?;
    cargo(&root.join(GUEST_WORKSPACE), "tests of the guests", &TEST)?;
    step("tests", || tests(root, &mock, None))?;
    cargo(&root.join(GUEST_WORKSPACE), "lints of the guests", &LINTS)?;
    cargo(root, "lints", &LINTS)?;
    if options.quick {
        return Ok(());
    }
    step("the page", || page::check(root, &target_dir(root).join("debug/teacher-assist")))?;
    rebuilt_guests(root, &mock)?;
    step("dependencies", || deny(root))?;
    step("the README's first commands in a copy of the checkout", || smoke::run(root))
}

fn step(what: &str, work: impl FnOnce() -> Result<()>) -> Result<()> {
    println!("== {what}");
    let started = Instant::now();
    work()?;
    println!("== {what}: {} s", started.elapsed().as_secs());
    Ok(())
}

fn cargo(root: &Path, what: &str, arguments: &[&str]) -> Result<()> {
    step(what, || {
        let mut command = Command::new("cargo");
        command.args(arguments).current_dir(root);
        succeed(&mut command, &format!("cargo {}", arguments.join(" ")))
    })
}

/// Runs a command that must succeed.
///
/// # Errors
/// One that does not, with what to type to see it again.
pub fn succeed(command: &mut Command, shown: &str) -> Result<()> {
    let status = command.status().map_err(|error| Problem::new(format!("`{shown}` does not start: {error}")))?;
    if status.success() {
        return Ok(());
    }
    Err(Problem::new(format!("`{shown}` failed")).remedy("Run it alone to see only this."))
}

/// Where the target can be had, the components are built from their sources and the suite runs on what was built.
fn rebuilt_guests(root: &Path, mock: &Path) -> Result<()> {
    if !guests_can_be_built(root) {
        println!("== rebuilt components: left out, because this machine cannot have the wasm target");
        return Ok(());
    }
    let plugins = target_dir(root).join("rebuilt-plugins");
    step("components built from their sources", || rebuild(root, &plugins))?;
    step("the tests on what was built", || tests(root, mock, Some(&plugins)))
}

/// All tests, also the one that needs the mock of the providers; on other components where they are named.
fn tests(root: &Path, mock: &Path, plugins: Option<&Path>) -> Result<()> {
    let mut command = Command::new("cargo");
    // The very same words each time: with others, cargo would settle other features and compile the engine again.
    command.args(TEST).env(aimock::VARIABLE, mock).current_dir(root);
    if let Some(plugins) = plugins {
        command.env("TEACHER_ASSIST_TEST_PLUGINS", plugins);
        return succeed(&mut command, "cargo test (on rebuilt components)");
    }
    succeed(&mut command, "cargo test --workspace --all-features")
}

/// Whether the wasm target is there, or rustup can add it.
fn guests_can_be_built(root: &Path) -> bool {
    let mut add = Command::new("rustup");
    add.args(["target", "add", "wasm32-unknown-unknown"]).current_dir(root);
    add.status().is_ok_and(|status| status.success())
}

/// A copy of the plugins with components built now, pinned to what was built.
fn rebuild(root: &Path, plugins: &Path) -> Result<()> {
    if plugins.exists() {
        fs::remove_dir_all(plugins).map_err(|error| Problem::at(plugins, error))?;
    }
    crate::smoke::copy(&root.join("plugins"), plugins)?;
    let directory = plugins.join("lesson-planning/components");
    guests::run(root, &guests::Options { check: false, out: Some(directory.clone()) })?;
    let entries = catalogue::read(&directory)?;
    guests::pin(&plugins.join("lesson-planning/plugin.toml"), &catalogue::rust_guests(root)?, &entries)
}

/// The directory that cargo builds into.
#[must_use]
pub fn target_dir(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |dir| root.join(dir))
}

/// Licences, sources and banned crates. Advisories need a database that only a machine with internet can fetch.
fn deny(root: &Path) -> Result<()> {
    let tools = target_dir(root).join("tools");
    let program = tools.join("bin/cargo-deny");
    if !program.is_file() {
        let mut install = Command::new("cargo");
        install.args(["install", "cargo-deny", "--locked", "--debug", "--version", DENY_VERSION, "--root"]).arg(&tools);
        install.env("CARGO_TARGET_DIR", target_dir(root).join("tools-build")).current_dir(root);
        succeed(&mut install, "cargo install cargo-deny")?;
    }
    let mut check = Command::new(&program);
    check.args(["check", "--hide-inclusion-graph", "bans", "licenses", "sources"]).current_dir(root);
    succeed(&mut check, "cargo deny check bans licenses sources")
}
