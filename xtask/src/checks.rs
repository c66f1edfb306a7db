//! `cargo xtask test`: everything that a change must pass, in the order in which it fails fastest.
//!
//! Nothing is compiled twice that need not be. Clippy is the compiler of the tests, so that lints cost no build of their
//! own, and the suite runs again only on components that are not, byte for byte, the committed ones.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use clap::Args;

use crate::catalogue::GUEST_WORKSPACE;
use crate::rebuilt::{self, Rebuilt};
use crate::{Problem, Result, aimock, page, smoke, tools};

/// What is compiled and tested: the very same words each time, since with others cargo would settle other features.
const ALL: [&str; 2] = ["--workspace", "--all-features"];
/// The only crate whose documentation has examples that run, which nextest does not do.
const WITH_EXAMPLES: &str = "ta-guest";
/// Set in CI. There alone a warning is a failure: a newer compiler, which warns of more, must not stop anybody else.
const CI: &str = "CI";

/// What to check.
#[derive(Debug, Default, Args)]
pub struct Options {
    /// Leave out what takes longest: the page in a browser, rebuilding the guests, `cargo deny`, the smoke run.
    #[arg(long)]
    pub quick: bool,
}

/// Runs every check of the workspace at `root`, and says how long each took.
///
/// # Errors
/// The first check that fails, with the command that repeats it.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    let mut steps = Steps::default();
    let done = all(root, options, &mut steps);
    steps.print();
    done
}

fn all(root: &Path, options: &Options, steps: &mut Steps) -> Result<()> {
    let guests = root.join(GUEST_WORKSPACE);
    steps.run("formatting", || {
        cargo(root, &["fmt", "--all", "--check"])?;
        cargo(&guests, &["fmt", "--all", "--check"])
    })?;
    if !options.quick {
        steps.run("dependencies", || deny(root))?;
    }
    let runner = steps.run("the runner of the tests", || Ok(Runner::find(root)))?;
    let mock = steps.run("the mock of the providers", || aimock::install(root))?;
    steps.run("guests: compiling, with lints", || compile(&guests))?;
    steps.run("guests: tests", || runner.guests(&guests))?;
    let mut rebuilt = Rebuilt::Same;
    if !options.quick {
        rebuilt = steps.run("components built from their sources", || rebuilt::components(root))?;
    }
    steps.run("host: compiling, with lints", || compile(root))?;
    steps.run("host: tests", || runner.host(root, &mock, None))?;
    if let Rebuilt::Differ(plugins) = rebuilt {
        steps.run("host: tests on what was built", || runner.host(root, &mock, Some(&plugins)))?;
    }
    if options.quick {
        return Ok(());
    }
    let program = target_dir(root).join("debug").join(format!("teacher-assist{}", std::env::consts::EXE_SUFFIX));
    steps.run("the page, built and compared", || page::check(root))?;
    steps.run("the page in a browser", || page::in_a_browser(root, &program))?;
    steps.run("the README's first commands in a copy of the checkout", || smoke::run(root))
}

/// What has been checked, and for how long.
#[derive(Default)]
struct Steps(Vec<(&'static str, u64)>);

impl Steps {
    fn run<T>(&mut self, what: &'static str, work: impl FnOnce() -> Result<T>) -> Result<T> {
        println!("== {what}");
        let started = Instant::now();
        let done = work();
        let seconds = started.elapsed().as_secs();
        self.0.push((what, seconds));
        println!("== {what}: {seconds} s");
        done
    }

    fn print(&self) {
        println!("== where the time went");
        for (what, seconds) in &self.0 {
            println!("{seconds:>6} s  {what}");
        }
        println!("{:>6} s  in all", self.0.iter().map(|(_, seconds)| seconds).sum::<u64>());
    }
}

/// What runs the tests.
struct Runner {
    /// cargo-nextest, where it can be had: it says which tests are slow, and runs each in a process of its own.
    nextest: Option<PathBuf>,
}

impl Runner {
    fn find(root: &Path) -> Self {
        let nextest = tools::find(root, "cargo-nextest");
        if let Err(problem) = &nextest {
            println!("the tests are run by `cargo test`, since there is no cargo-nextest: {problem}");
        }
        Self { nextest: nextest.ok() }
    }

    /// The tests of the guests, natively, and the examples in the documentation of their SDK.
    fn guests(&self, workspace: &Path) -> Result<()> {
        self.all(workspace, &mut linted(self.command()))?;
        if self.nextest.is_none() {
            return Ok(());
        }
        let mut examples = linted(Command::new("cargo"));
        examples.args(["test", "--doc", "--all-features", "--package", WITH_EXAMPLES]).current_dir(workspace);
        succeed(&mut examples, "cargo test --doc")
    }

    /// The tests of the host, also those that need the mock of the providers; on other components where they are named.
    fn host(&self, root: &Path, mock: &Path, plugins: Option<&Path>) -> Result<()> {
        let mut command = linted(self.command());
        command.env(aimock::VARIABLE, mock);
        if let Some(plugins) = plugins {
            command.env("TEACHER_ASSIST_TEST_PLUGINS", plugins);
        }
        self.all(root, &mut command)
    }

    fn command(&self) -> Command {
        match &self.nextest {
            Some(nextest) => {
                let mut command = Command::new(nextest);
                command.args(["nextest", "run", "--no-fail-fast", "--status-level=slow", "--final-status-level=slow"]);
                command
            }
            None => {
                let mut command = Command::new("cargo");
                command.args(["test", "--no-fail-fast"]);
                command
            }
        }
    }

    fn all(&self, workspace: &Path, command: &mut Command) -> Result<()> {
        let shown = if self.nextest.is_some() { "cargo nextest run" } else { "cargo test" };
        succeed(command.args(ALL).current_dir(workspace), &format!("{shown} {}", ALL.join(" ")))
    }
}

/// Everything of a workspace, benchmarks and examples too, compiled for the tests and linted.
fn compile(workspace: &Path) -> Result<()> {
    let mut command = linted(Command::new("cargo"));
    command.args(["test", "--no-run", "--quiet", "--all-targets"]).args(ALL).current_dir(workspace);
    succeed(&mut command, &format!("cargo clippy --all-targets {}", ALL.join(" ")))
}

/// Has clippy compile what is ours, so that it is linted where it is built anyway: `cargo clippy` would check every crate
/// that ours depend on once more.
fn linted(mut command: Command) -> Command {
    command.env("RUSTC_WORKSPACE_WRAPPER", "clippy-driver");
    if std::env::var_os(CI).is_some() {
        // As `cargo clippy -- -D warnings` says it to its driver.
        command.env("CLIPPY_ARGS", "-D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__");
    }
    command
}

fn cargo(workspace: &Path, arguments: &[&str]) -> Result<()> {
    let mut command = Command::new("cargo");
    command.args(arguments).current_dir(workspace);
    succeed(&mut command, &format!("cargo {}", arguments.join(" ")))
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

/// The directory that cargo builds into.
#[must_use]
pub fn target_dir(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |dir| root.join(dir))
}

/// Licences, sources and banned crates, of host and guests. Advisories need a database that only a machine with internet can
/// fetch.
fn deny(root: &Path) -> Result<()> {
    let program = tools::find(root, "cargo-deny")?;
    for manifest in ["Cargo.toml".to_owned(), format!("{GUEST_WORKSPACE}/Cargo.toml")] {
        let mut check = Command::new(&program);
        check.args(["--manifest-path", &manifest, "--config", "deny.toml", "check", "--hide-inclusion-graph"]);
        // One list serves both workspaces, and neither has every licence of it.
        check.args(["--allow", "license-not-encountered", "bans", "licenses", "sources"]).current_dir(root);
        succeed(&mut check, &format!("cargo deny --manifest-path {manifest} check bans licenses sources"))?;
    }
    Ok(())
}
