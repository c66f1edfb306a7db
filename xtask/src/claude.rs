//! `cargo xtask claude`: whether Claude Code and the agent-skills reference tool take the plugins as they are.
//!
//! Both tools come from registries, so this stands outside what every change must pass. It downloads nothing itself: it says
//! which package to get where a tool is missing.

use std::path::{Path, PathBuf};
use std::process::Command;

use clap::Args;

use crate::{Problem, Result};

/// Where the validators are.
#[derive(Debug, Args)]
pub struct Options {
    /// Claude Code, of the npm package `@anthropic-ai/claude-code`.
    #[arg(long, value_name = "PROGRAM", default_value = "claude")]
    pub claude: PathBuf,
    /// The validator of skills, of the PyPI package `skills-ref`.
    #[arg(long, value_name = "PROGRAM", default_value = "agentskills")]
    pub agentskills: PathBuf,
}

/// Validates every plugin and every skill of the workspace at `root`, all of them before it answers.
///
/// # Errors
/// A tool that is not there, and what did not pass.
pub fn run(root: &Path, options: &Options) -> Result<()> {
    let mut failed = Vec::new();
    for plugin in directories(&root.join("plugins"))? {
        let arguments = ["plugin", "validate", "--strict"];
        if !passes(&options.claude, &arguments, &plugin, "npm install @anthropic-ai/claude-code")? {
            failed.push(plugin.display().to_string());
        }
        for skill in directories(&plugin.join("skills"))? {
            if !passes(&options.agentskills, &["validate"], &skill, "pip install skills-ref")? {
                failed.push(skill.display().to_string());
            }
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(Problem::new(format!("not valid:\n  {}", failed.join("\n  ")))) }
}

fn passes(program: &Path, arguments: &[&str], what: &Path, package: &str) -> Result<bool> {
    println!("== {} {} {}", program.display(), arguments.join(" "), what.display());
    let status = Command::new(program).args(arguments).arg(what).status();
    status.map(|status| status.success()).map_err(|error| {
        Problem::at(program, error)
            .remedy(format!("Get it with `{package}` and name it with --claude or --agentskills."))
    })
}

/// The directories below one, by name; none where it is not there.
fn directories(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(Vec::new());
    }
    let entries = std::fs::read_dir(path).map_err(|error| Problem::at(path, error))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()).map_err(|error| Problem::at(path, error)));
    let mut paths = paths.collect::<Result<Vec<PathBuf>>>()?;
    paths.retain(|path| path.is_dir());
    paths.sort();
    Ok(paths)
}
