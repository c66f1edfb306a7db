//! A newcomer's first minutes: a copy of the checkout, nothing on the path but Rust and a C compiler, the README's
//! first commands.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Command, Stdio};

use ignore::WalkBuilder;

use crate::checks::target_dir;
use crate::{Problem, Result};

/// The README's first command in a terminal, with somebody who accepts everything in the person's place.
const ARGUMENTS: [&str; 7] =
    ["run", "--quiet", "--", "lesson-planning:create-lesson", "iteration for 3B", "--answers", "accept"];

/// Copies the checkout and runs the first command in the copy.
///
/// # Errors
/// Where it fails, or prints no lesson, or saves none.
pub fn run(root: &Path) -> Result<()> {
    let copy = target_dir(root).join("smoke");
    if copy.exists() {
        fs::remove_dir_all(&copy).map_err(|error| Problem::at(&copy, error))?;
    }
    self::copy(root, &copy)?;
    let home = copy.join("home");
    fs::create_dir_all(&home).map_err(|error| Problem::at(&home, error))?;
    let mut command = Command::new("cargo");
    command
        .args(ARGUMENTS)
        .current_dir(&copy)
        // The same target directory: what the copy and the checkout share is not compiled twice.
        .env("CARGO_TARGET_DIR", target_dir(root))
        .env("PATH", path_without_node())
        // A build that asked rustup for another target would fail here.
        .env("RUSTUP_AUTO_INSTALL", "0")
        .env("TEACHER_ASSIST_DATA", home.join("data"))
        .env("TEACHER_ASSIST_CACHE", home.join("cache"));
    let output = command.output().map_err(|error| Problem::new(format!("cargo does not start: {error}")))?;
    let (text, log) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if !output.status.success() || !text.contains("## Outcomes") {
        return Err(Problem::new(format!("the first command failed:\n{log}\n{text}")));
    }
    let saved = fs::read_dir(copy.join("workspace/lessons")).map(Iterator::count).unwrap_or(0);
    if saved != 1 {
        return Err(Problem::new(format!("the first command saved {saved} lessons, not one:\n{log}")));
    }
    page(root, &copy, &home)?;
    fs::remove_dir_all(&copy).map_err(|error| Problem::at(&copy, error))
}

/// Starts the page as a newcomer would, and asks for it.
fn page(root: &Path, copy: &Path, home: &Path) -> Result<()> {
    let mut serve = Command::new(target_dir(root).join("debug/teacher-assist"));
    serve.args(["serve", "--addr", "127.0.0.1:0", "--no-open"]).current_dir(copy).stdout(Stdio::piped());
    serve.env("TEACHER_ASSIST_DATA", home.join("data")).env("TEACHER_ASSIST_CACHE", home.join("cache"));
    let mut child = serve.spawn().map_err(|error| Problem::new(format!("`serve` does not start: {error}")))?;
    let shown = child.stdout.take().map(first_page).unwrap_or_else(|| Err("it prints nothing".to_owned()));
    let _ = child.kill();
    let _ = child.wait();
    shown.map_err(|why| Problem::new(format!("`cargo run -- serve` shows no page: {why}")))
}

/// Reads the address that is printed, and the page behind it.
fn first_page(output: ChildStdout) -> std::result::Result<(), String> {
    let mut line = String::new();
    BufReader::new(output).read_line(&mut line).map_err(|error| error.to_string())?;
    let address = line.split_once("http://").and_then(|(_, rest)| rest.split('/').next()).ok_or(line.clone())?;
    let mut stream = TcpStream::connect(address).map_err(|error| error.to_string())?;
    let request = format!("GET / HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).map_err(|error| error.to_string())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).map_err(|error| error.to_string())?;
    if answer.starts_with("HTTP/1.1 200") && answer.contains("<div id=\"root\">") && answer.contains("/assets/") {
        return Ok(());
    }
    Err(answer)
}

/// Copies what git would see of a directory.
///
/// # Errors
/// Where a file cannot be read or written.
pub fn copy(root: &Path, copy: &Path) -> Result<()> {
    for entry in WalkBuilder::new(root).hidden(false).filter_entry(|entry| entry.file_name() != ".git").build() {
        let entry = entry.map_err(|error| Problem::new(error.to_string()))?;
        let Ok(relative) = entry.path().strip_prefix(root) else { continue };
        let target = copy.join(relative);
        if entry.file_type().is_some_and(|kind| kind.is_dir()) {
            fs::create_dir_all(&target).map_err(|error| Problem::at(&target, error))?;
        } else {
            fs::copy(entry.path(), &target).map_err(|error| Problem::at(&target, error))?;
        }
    }
    Ok(())
}

fn path_without_node() -> std::ffi::OsString {
    let path = std::env::var_os("PATH").unwrap_or_default();
    // A directory that holds the C compiler as well must stay: the build needs it.
    let needed = |directory: &PathBuf| !directory.join("node").exists() || directory.join("cc").exists();
    let kept: Vec<PathBuf> = std::env::split_paths(&path).filter(needed).collect();
    std::env::join_paths(kept).unwrap_or(path)
}
