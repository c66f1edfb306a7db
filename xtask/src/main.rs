//! `cargo xtask`: one subcommand for each thing that is made from sources.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use xtask::{bench, c_guest, checks, claude, guests, long, package, page, rust_guest, wire};

/// Makes and checks what is generated in this repository.
#[derive(Parser)]
#[command(bin_name = "cargo xtask", arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Checks everything: formatting, tests, lints, the page in a browser, rebuilt components, dependencies, a newcomer's
    /// first command.
    Test(checks::Options),
    /// Builds every Rust component of guest-hooks/ and guest-tools/.
    Guests(guests::Options),
    /// Builds the guest in C of evals/guests/c (needs clang and lld).
    CGuest,
    /// Builds the page of web/ into web/dist (needs Node).
    Page,
    /// Puts the release binary into a directory, with its components compiled beside it.
    Package(package::Options),
    /// Measures everything that has a target, prints the table and writes docs/benchmark.md.
    Bench(bench::Options),
    /// Runs a check that takes longer than a change can wait for.
    Long(long::Options),
    /// Has every plugin and skill validated by the published tools of Claude Code (outside CI; see docs/formats.md).
    Claude(claude::Options),
    /// Reads a folder of recorded exchanges with the providers and reports what became of each.
    Wire(wire::Options),
}

fn main() -> ExitCode {
    match rust_guest::as_rustc().unwrap_or_else(|| run(&root())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("error: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn run(root: &Path) -> xtask::Result<()> {
    match Arguments::parse().task {
        Task::Test(options) => checks::run(root, &options),
        Task::Guests(options) => guests::run(root, &options),
        Task::CGuest => c_guest::run(root),
        Task::Package(options) => package::run(root, &options),
        Task::Page => page::run(root),
        Task::Bench(options) => bench::run(root, &options),
        Task::Long(options) => long::run(root, &options),
        Task::Claude(options) => claude::run(root, &options),
        Task::Wire(options) => wire::run(root, &options),
    }
}

/// The workspace: where cargo found this crate when it ran it, so that a copied tree works on itself.
fn root() -> PathBuf {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").map_or_else(|| env!("CARGO_MANIFEST_DIR").into(), PathBuf::from);
    here.parent().map_or_else(|| here.clone(), Path::to_path_buf)
}
