//! `cargo xtask bench`: builds everything that the benchmark runs, in release mode, and runs it.
//!
//! The measuring itself, and the page that comes of it, are those of `evals/bench/benches/table`.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use crate::rust_guest::{Toolchain, run as run_command};
use crate::{Problem, Result};

/// The component that is measured.
const COMPONENT: &str = "evals/bench/check.wasm";
/// The workspace of the other engine, and its plugin.
const EXTISM: &str = "evals/extism";
const EXTISM_PLUGIN: &str = "evals/extism/plugin.wasm";

/// What to do before measuring.
#[derive(Debug, Default, Args)]
pub struct Options {
    /// Only builds the component and the Extism plugin that are measured, from their sources.
    #[arg(long)]
    pub guests: bool,
    /// Does not build Extism; its row then says that it was not measured.
    #[arg(long, conflicts_with = "guests")]
    pub without_extism: bool,
    /// Measures only the groups whose name holds this word, such as `provider`, and writes no page.
    #[arg(long, value_name = "WORD", conflicts_with = "guests")]
    pub only: Option<String>,
}

/// Runs the task for the workspace at `root`.
///
/// # Errors
/// A build that fails, but for Extism's: without it, its row says that it was not measured.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    if options.guests {
        return guests(root);
    }
    let target = target(root);
    let built = |name: &str| target.join("release").join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    let extism = if options.without_extism || options.only.is_some() { None } else { extism(root, &target) };
    // One command for all, so that shared crates are built with one set of features.
    let packages = ["--package", "teacher-assist", "--package", "bench-check", "--package", "ta-bench"];
    let mut build = cargo(root);
    build.args(["build", "--release", "--bin", "teacher-assist", "--bin", "bench-check"]);
    run_command(build.args(packages))?;
    let mut bench = cargo(root);
    bench.args(["bench", "--quiet", "--bench", "table"]).args(packages);
    bench.env("TA_BENCH_HOST", built("teacher-assist")).env("TA_BENCH_PROGRAM", built("bench-check"));
    if let Some(only) = &options.only {
        bench.env("TA_BENCH_ONLY", only);
    }
    if let Some(extism) = extism {
        bench.env("TA_BENCH_EXTISM", extism);
    }
    run_command(&mut bench)
}

fn guests(root: &Path) -> Result<()> {
    let toolchain = Toolchain::find(root)?;
    let built = [
        (COMPONENT, toolchain.build("bench-check-guest")?),
        (EXTISM_PLUGIN, toolchain.module(&root.join(EXTISM), "bench-extism-plugin")?),
    ];
    for (path, bytes) in built {
        let path = root.join(path);
        fs::write(&path, &bytes).map_err(|error| Problem::at(&path, error))?;
        println!("{} {} bytes", path.display(), bytes.len());
    }
    Ok(())
}

/// The benchmark of Extism, which brings a wasmtime of its own and is built for itself.
fn extism(root: &Path, target: &Path) -> Option<PathBuf> {
    let directory = std::env::var_os("EXTISM_TARGET_DIR").map_or_else(|| target.join("extism"), PathBuf::from);
    let mut build = cargo(root);
    build.args(["build", "--release", "--locked", "--manifest-path"]).arg(root.join(EXTISM).join("Cargo.toml"));
    match run_command(build.arg("--target-dir").arg(&directory)) {
        Ok(()) => Some(directory.join("release").join(format!("bench-extism{}", std::env::consts::EXE_SUFFIX))),
        Err(problem) => {
            eprintln!("warning: Extism is left out: {problem}");
            None
        }
    }
}

fn cargo(root: &Path) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| OsString::from("cargo")));
    command.current_dir(root);
    command
}

fn target(root: &Path) -> PathBuf {
    root.join(std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| "target".into(), PathBuf::from))
}
