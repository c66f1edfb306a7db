//! `cargo xtask package`: the release binary with its components compiled beside it, ready to be copied to another machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use crate::checks::{succeed, target_dir};
use crate::{Problem, Result};

const BINARY: &str = "teacher-assist";
/// What everybody who is given the binary is given with it.
const BESIDE: [&str; 3] = ["README.md", "LICENSE-APACHE", "LICENSE-MIT"];

/// What to package.
#[derive(Debug, Default, Args)]
pub struct Options {
    /// Packages this binary instead of building one.
    #[arg(long, value_name = "FILE")]
    pub binary: Option<PathBuf>,
    /// Where to put it; made anew.
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// Runs the task for the workspace at `root`.
///
/// # Errors
/// A build that fails, a file that cannot be written, a component that is refused.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    let binary = match &options.binary {
        Some(binary) => binary.clone(),
        None => build(root)?,
    };
    let package = options.out.clone().unwrap_or_else(|| target_dir(root).join("package").join(BINARY));
    if package.exists() {
        fs::remove_dir_all(&package).map_err(|error| Problem::at(&package, error))?;
    }
    fs::create_dir_all(&package).map_err(|error| Problem::at(&package, error))?;
    copy(&binary, &package.join(BINARY))?;
    for name in BESIDE {
        copy(&root.join(name), &package.join(name))?;
    }
    // Without a cache and a workspace of this machine: what is shipped comes from the binary alone.
    let nowhere = package.join("nowhere");
    let mut ship = Command::new(package.join(BINARY));
    ship.arg("ship-components").env("TEACHER_ASSIST_CACHE", &nowhere).env("TEACHER_ASSIST_DATA", &nowhere);
    let shipped = succeed(ship.current_dir(&package), "teacher-assist ship-components");
    if nowhere.exists() {
        fs::remove_dir_all(&nowhere).map_err(|error| Problem::at(&nowhere, error))?;
    }
    shipped?;
    println!("{}", package.display());
    Ok(())
}

fn build(root: &Path) -> Result<PathBuf> {
    let mut build = Command::new("cargo");
    build.args(["build", "--release", "--package", BINARY]).current_dir(root);
    succeed(&mut build, "cargo build --release --package teacher-assist")?;
    Ok(target_dir(root).join("release").join(BINARY))
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::copy(from, to).map(drop).map_err(|error| Problem::at(from, error))
}
