//! A process, watched while it runs.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use ta_bench::Outcome;

/// What was seen of a run.
pub(crate) struct Watched {
    /// From its start to its first line.
    pub(crate) first_output: Duration,
    /// The most memory that it held, in KiB; 0 where the system does not say.
    pub(crate) peak_kib: u64,
    /// The most of that which is its own, and not a file's, in KiB.
    pub(crate) private_kib: u64,
    /// What it printed.
    pub(crate) lines: Vec<Value>,
}

/// Runs a command that prints a JSON object per line and must succeed.
///
/// # Errors
/// Where it fails, with what it said.
pub(crate) fn watch(command: &mut Command) -> Outcome<Watched> {
    watch_to(command, 0)
}

/// The same for a command that must end with this exit code.
///
/// # Errors
/// Where it ends otherwise.
pub(crate) fn watch_to(command: &mut Command, code: i32) -> Outcome<Watched> {
    let mut watched = Watched { first_output: Duration::ZERO, peak_kib: 0, private_kib: 0, lines: Vec::new() };
    let errors = tempfile::tempfile()?;
    let started = Instant::now();
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(errors.try_clone()?).spawn()?;
    let status = format!("/proc/{}/status", child.id());
    let output = child.stdout.take().ok_or("no standard output")?;
    for line in BufReader::new(output).lines() {
        if watched.lines.is_empty() {
            watched.first_output = started.elapsed();
        }
        watched.peak_kib = watched.peak_kib.max(kib(&status, "VmHWM:"));
        watched.private_kib = watched.private_kib.max(kib(&status, "RssAnon:"));
        watched.lines.push(serde_json::from_str(&line?)?);
    }
    let ended = child.wait()?;
    if ended.code() == Some(code) {
        return Ok(watched);
    }
    let said = said(errors)?;
    Err(format!("{command:?} ended with {ended}: {said}{:?}", watched.lines.last()).into())
}

fn said(mut file: fs::File) -> Outcome<String> {
    use std::io::{Read as _, Seek as _};
    let mut text = String::new();
    file.rewind()?;
    file.read_to_string(&mut text)?;
    Ok(text)
}

fn kib(status: &str, field: &str) -> u64 {
    let text = fs::read_to_string(status).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(field)).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse().unwrap_or_default()
}

/// Copies a directory.
///
/// # Errors
/// Where a file cannot be read or written.
pub(crate) fn copy(from: &Path, to: &Path) -> Outcome<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), target)?;
        }
    }
    Ok(())
}
