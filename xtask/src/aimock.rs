//! The independent mock of the providers, which one test runs against.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::checks::succeed;
use crate::{Problem, Result};

/// Names the mock's program to the test.
pub const VARIABLE: &str = "TEACHER_ASSIST_AIMOCK";
/// Where its lock file is.
const FOLDER: &str = "host/cli/tests/aimock";
/// The program below it.
const PROGRAM: &str = "node_modules/@copilotkit/aimock/dist/cli.js";

/// Installs exactly what the lock file says, and answers with the program.
///
/// # Errors
/// Where npm is missing or cannot install it.
pub fn install(root: &Path) -> Result<PathBuf> {
    let folder = root.join(FOLDER);
    let mut npm = Command::new("npm");
    let quiet = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
    npm.args(quiet).current_dir(&folder);
    succeed(&mut npm, &format!("npm ci (in {FOLDER}; it needs node 20 and the package registry)"))?;
    let program = folder.join(PROGRAM);
    if program.is_file() {
        return Ok(program);
    }
    Err(Problem::at(&program, "npm did not install it"))
}
