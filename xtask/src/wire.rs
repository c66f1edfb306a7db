//! Recorded exchanges with the providers, whoever recorded them: each must be read rightly or refused by name.
//!
//! The product reads them, in a program of its own: this crate does without the product, so that it is built in no time.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Result;
use crate::rust_guest::run as run_command;

/// What to read.
#[derive(clap::Args)]
pub struct Options {
    /// A folder of YAML files: one document an exchange, `when` the request and `then` the response.
    folder: PathBuf,
}

/// Prints what became of every exchange.
///
/// # Errors
/// Where the folder cannot be read, or an exchange was read wrongly.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    let mut command = Command::new("cargo");
    command.args(["run", "--quiet", "-p", "ta-models", "--example", "wire", "--manifest-path"]);
    run_command(command.arg(root.join("Cargo.toml")).arg("--").arg(&options.folder))
}
