//! Programs of a language that a build runs.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use ta_runtime::RuntimeError;

/// A program that was not found, with the line that installs it.
pub(crate) fn missing(program: &str, install: &str) -> RuntimeError {
    let message = format!("`{program}` was not found");
    RuntimeError::configuration("guest.tool_missing", message, format!("install it: {install}"))
}

/// What a program printed; none where it cannot be started or fails.
pub(crate) fn said(command: &mut Command) -> Option<String> {
    let output = command.stdin(Stdio::null()).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Runs a program. What it prints is for the person: it goes to standard error, so that standard output stays a program's.
/// Standard output of the program comes back.
///
/// # Errors
/// `guest.tool_missing` where it cannot be started, `guest.build` where it fails.
pub(crate) fn run(command: &mut Command, install: &str) -> Result<Vec<u8>, RuntimeError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::inherit()).output();
    let output = output.map_err(|_| missing(&program, install))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let message = format!("`{program}` ended with {}", output.status);
    Err(RuntimeError::configuration("guest.build", message, "mend what it says above"))
}

/// The place of a program on the path.
pub(crate) fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let names = [program.to_owned(), format!("{program}{}", std::env::consts::EXE_SUFFIX)];
    std::env::split_paths(&path)
        .flat_map(|directory| names.clone().map(|name| directory.join(name)))
        .find(|it| it.is_file())
}

/// Whether a file is there.
pub(crate) fn exists(path: &Path) -> bool {
    path.exists()
}
