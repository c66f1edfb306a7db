//! What the arguments say of themselves to shells and to `man`.

use std::path::Path;

use clap::CommandFactory as _;
use serde_json::json;
use ta_runtime::RuntimeError;

use crate::args::{Args, Output};
use crate::exit::{self, Code};
use crate::out::{self, outln};

/// Prints a script with which a shell completes verbs and options.
pub(crate) fn completions(shell: clap_complete::Shell) -> Code {
    let mut command = Args::command();
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "teacher-assist", &mut script);
    outln!("{}", String::from_utf8_lossy(&script).trim_end());
    exit::SUCCESS
}

/// Writes a manual page for the program and for each of its verbs.
///
/// # Errors
/// `path.io`.
pub(crate) fn pages(directory: &Path, output: Output) -> Result<Code, RuntimeError> {
    let unwritable = |error: std::io::Error| {
        let message = format!("the pages cannot be written to {}: {error}", directory.display());
        RuntimeError::environment("path.io", message, "look at the disk: space, rights")
    };
    std::fs::create_dir_all(directory).map_err(unwritable)?;
    clap_mangen::generate_to(Args::command(), directory).map_err(unwritable)?;
    match output {
        Output::Text => outln!("wrote manual pages to {0}: man -l {0}/teacher-assist.1", directory.display()),
        _ => out::json(&json!({ "directory": directory.display().to_string() })),
    }
    Ok(exit::SUCCESS)
}
