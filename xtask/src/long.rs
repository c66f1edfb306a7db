//! `cargo xtask long NAME`: checks that take longer than a change can wait for, and need more than this repository has.

use std::path::Path;
use std::process::Command;

use clap::{Args, ValueEnum};

use crate::Result;
use crate::checks::succeed;

/// What to run.
#[derive(Debug, Args)]
pub struct Options {
    /// Which check.
    pub name: Name,
}

/// The checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Name {
    /// Guests in JavaScript and Python, with their tools from the registries (some minutes; needs node, npm, python3).
    Guests,
}

/// Runs a check.
///
/// # Errors
/// Where it fails.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    match options.name {
        Name::Guests => {
            let mut cargo = Command::new("cargo");
            cargo.args([
                "test",
                "--workspace",
                "--all-features",
                "--test",
                "suite",
                "--",
                "guest_languages",
                "--nocapture",
            ]);
            cargo.env("TEACHER_ASSIST_LONG_GUESTS", "1").current_dir(root);
            succeed(&mut cargo, "cargo test guest_languages")
        }
    }
}
