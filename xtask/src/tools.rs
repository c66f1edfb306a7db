//! Programs that the checks use and a machine may not have. They come as wheels from Python's package index, which hold the
//! binary: compiled from source each would take minutes.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::checks::{succeed, target_dir};
use crate::{Problem, Result, digest};

/// Names each with its version and the digests of its wheels, so that nothing else is installed.
const REQUIREMENTS: &str = "xtask/tools.txt";

/// The program of this name: the machine's own, else one that is installed below the target directory.
///
/// # Errors
/// Where there is none and it cannot be installed.
pub fn find(root: &Path, name: &str) -> Result<PathBuf> {
    let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
    let path = std::env::var_os("PATH").unwrap_or_default();
    if let Some(own) = std::env::split_paths(&path).map(|directory| directory.join(&name)).find(|it| it.is_file()) {
        return Ok(own);
    }
    let requirements = root.join(REQUIREMENTS);
    let bytes = fs::read(&requirements).map_err(|error| Problem::at(&requirements, error))?;
    // Other versions lie in another directory.
    let version: String = digest::sha256(&bytes).chars().take(12).collect();
    let directory = target_dir(root).join("tools").join(version);
    let program = directory.join("bin").join(&name);
    if program.is_file() {
        return Ok(program);
    }
    let mut install = Command::new("python3");
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--root-user-action=ignore"]);
    install.args(["--no-deps", "--only-binary=:all:", "--require-hashes", "--target"]).arg(&directory);
    install.arg("--requirement").arg(&requirements);
    succeed(&mut install, "python3 -m pip install")
        .map_err(|problem| problem.remedy(format!("Install Python 3 with pip, or `{name}` by hand.")))?;
    if program.is_file() { Ok(program) } else { Err(Problem::at(&program, "pip did not install it")) }
}
