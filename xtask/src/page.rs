//! The page: built from `web/` into `web/dist`, which is committed, so that nobody needs Node to use it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::checks::{succeed, target_dir};
use crate::{Problem, Result};

/// What the page is made from, below `web/`: the same list as in `web/scripts/sources.mjs`.
const SOURCES: [&str; 8] = [
    "index.html",
    "learn.html",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "vite.config.ts",
    "public",
    "src",
];
/// Says from which sources the built page was made.
const BUILT: &str = "web/dist/BUILT.json";
/// Where Debian puts it.
const CHROMIUM: &str = "/usr/bin/chromium";

#[derive(Deserialize)]
struct Built {
    sources_sha256: String,
}

/// Builds the page anew.
///
/// # Errors
/// Where npm is missing or a step fails.
pub fn run(root: &Path) -> Result<()> {
    packages(root)?;
    npm(root, &["run", "build"])
}

/// Whether the built page is that of its sources. Nothing is built: digests are compared.
///
/// # Errors
/// The reason, with the command that mends it; or a file that cannot be read.
pub fn fresh(root: &Path) -> Result<()> {
    let path = root.join(BUILT);
    let text = fs::read_to_string(&path).map_err(|error| Problem::at(&path, error))?;
    let built: Built = serde_json::from_str(&text).map_err(|error| Problem::at(&path, error))?;
    if built.sources_sha256 == digest(&root.join("web"))? {
        return Ok(());
    }
    Err(Problem::new("web/dist is older than its sources")
        .remedy("Run `cargo xtask page`, which needs Node, and commit."))
}

/// SHA-256 over, for each source in order of its path: the path below `web/`, a zero byte, its bytes, a zero byte.
fn digest(web: &Path) -> Result<String> {
    let mut files = Vec::new();
    for source in SOURCES {
        files_below(&web.join(source), &mut files)?;
    }
    let mut named = Vec::new();
    for file in files {
        let below = file.strip_prefix(web).map_err(|error| Problem::at(&file, error))?;
        let name = below.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/");
        if !name.ends_with(".test.ts") && !name.ends_with(".test.tsx") {
            named.push((name, file));
        }
    }
    named.sort();
    let mut digest = Sha256::new();
    for (name, file) in named {
        let bytes = fs::read(&file).map_err(|error| Problem::at(&file, error))?;
        digest.update(name.as_bytes());
        digest.update([0]);
        digest.update(bytes);
        digest.update([0]);
    }
    Ok(hex::encode(digest.finalize()))
}

fn files_below(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if !path.is_dir() {
        files.push(path.to_path_buf());
        return Ok(());
    }
    for entry in fs::read_dir(path).map_err(|error| Problem::at(path, error))? {
        files_below(&entry.map_err(|error| Problem::at(path, error))?.path(), files)?;
    }
    Ok(())
}

/// Everything that a change of the page must pass without a browser; and the committed page is what its sources give.
///
/// # Errors
/// The first check that fails. A page that differs stays in `web/dist`.
pub fn check(root: &Path) -> Result<()> {
    packages(root)?;
    for script in ["check", "test"] {
        npm(root, &["run", script])?;
    }
    let (dist, committed) = (root.join("web/dist"), target_dir(root).join("committed-page"));
    if committed.exists() {
        fs::remove_dir_all(&committed).map_err(|error| Problem::at(&committed, error))?;
    }
    crate::smoke::copy(&dist, &committed)?;
    npm(root, &["run", "build"])?;
    let mut compare = Command::new("node");
    compare.arg("scripts/compare.mjs").args([&committed, &dist]).current_dir(root.join("web"));
    succeed(&mut compare, "node scripts/compare.mjs (in web/)")
        .map_err(|problem| problem.remedy("It has been built anew: look at `git diff web/dist`, and commit."))
}

/// What people do with the page, in a browser, with the binary that the tests before have built.
///
/// # Errors
/// The first check that fails.
pub fn in_a_browser(root: &Path, program: &Path) -> Result<()> {
    browser()?;
    let mut command = Command::new("npm");
    command.args(["run", "e2e"]).current_dir(root.join("web"));
    command.env("TEACHER_ASSIST_BIN", program).env("CHROMIUM", CHROMIUM);
    succeed(&mut command, "npm run e2e (in web/)")
}

/// The packages that `web/package-lock.json` names.
fn packages(root: &Path) -> Result<()> {
    npm(root, &["ci", "--no-audit", "--no-fund", "--prefer-offline"])
}

fn npm(root: &Path, arguments: &[&str]) -> Result<()> {
    let mut command = Command::new("npm");
    command.args(arguments).current_dir(root.join("web"));
    succeed(&mut command, &format!("npm {} (in web/)", arguments.join(" ")))
}

/// Installs the distribution's browser where there is none.
fn browser() -> Result<()> {
    if Path::new(CHROMIUM).exists() {
        return Ok(());
    }
    println!("== installing Debian's chromium, for the tests of the page");
    let remedy = "Install the package `chromium` by hand; the tests of the page need it at /usr/bin/chromium.";
    let apt = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        succeed(&mut command, &format!("apt-get {}", arguments.join(" "))).map_err(|problem| problem.remedy(remedy))
    };
    // The lists of a fresh machine may be empty or old; one that has them needs no update.
    if apt(&["install", "-y", "--no-install-recommends", "chromium"]).is_ok() {
        return Ok(());
    }
    apt(&["update"])?;
    apt(&["install", "-y", "--no-install-recommends", "chromium"])
}
