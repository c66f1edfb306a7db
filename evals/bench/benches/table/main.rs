//! The benchmark of the project: everything in one run, one table at the end. `cargo xtask bench` builds what it needs
//! and runs it.
//!
//! It prints the table and writes `docs/benchmark.md`. It never leaves a row out: what could not be measured says so.

mod again;
mod binary;
mod call;
mod journal;
mod limits;
mod long;
mod measure;
mod models;
mod parked;
mod pool;
mod provider;
mod row;
mod sizes;
mod start;
mod watch;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use binary::Binary;
use row::Row;
use ta_bench::Outcome;

/// Where the release binary is, set by `cargo xtask bench`.
const HOST: &str = "TA_BENCH_HOST";
/// Where the check is as a program.
const PROGRAM: &str = "TA_BENCH_PROGRAM";
/// Where the benchmark of Extism is, if it was built.
const EXTISM: &str = "TA_BENCH_EXTISM";
/// Measures only the groups whose name holds this, and writes no page: it would lack rows.
const ONLY: &str = "TA_BENCH_ONLY";

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Outcome<()> {
    let (host, program) = (path(HOST), path(PROGRAM));
    let (Some(host), Some(program)) = (host, program) else {
        return Err("run it with `cargo xtask bench`, which builds what it needs".into());
    };
    let directory = tempfile::tempdir()?;
    let rows = rows(&host, &program, path(EXTISM).as_deref(), directory.path())?;
    if std::env::var_os(ONLY).is_some() {
        print!("{}", row::table(&rows));
        return Ok(());
    }
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/benchmark.md");
    std::fs::write(&page, row::page(&rows))?;
    print!("{}", row::table(&rows));
    eprintln!("written to docs/benchmark.md");
    Ok(())
}

fn path(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from)
}

fn rows(host: &Path, program: &Path, extism: Option<&Path>, directory: &Path) -> Outcome<Vec<Row>> {
    let cache = directory.join("cache");
    let binary = Binary::new(host, directory)?;
    let mut rows = step("calls", || call::rows(&cache, program, extism));
    rows.extend(step("the pool", || pool::rows(&cache)));
    rows.extend(step("turns of the release binary", || Ok(vec![binary.turn_row(&cache)?])));
    rows.extend(step("calls of a provider", || models::rows(&binary, directory, &cache)));
    rows.extend(step("runs made again", || again::rows(&binary, directory, &cache)));
    rows.extend(step("long runs of the release binary", || long::rows(&binary, directory, &cache)));
    rows.extend(step("starts of the release binary", || start::rows(&binary)));
    rows.extend(step("starts with a large journal", || Ok(vec![sizes::row(&binary, directory, &cache)?])));
    rows.extend(step("loading", || limits::load_rows(&cache)));
    rows.extend(step("stopping", limits::stop_rows));
    rows.extend(step("the journal", || journal::rows(directory)));
    rows.extend(step("long runs in the journal", || long::journal_rows(directory)));
    rows.extend(step("parked runs", || Ok(vec![parked::row(directory)?])));
    Ok(rows)
}

/// Says on standard error what is going on: a minute without a word looks like a hang. What cannot be measured is a row
/// that says why; the others are measured all the same.
fn step(what: &str, measure: impl FnOnce() -> Outcome<Vec<Row>>) -> Vec<Row> {
    if std::env::var(ONLY).is_ok_and(|only| !what.contains(&only)) {
        return Vec::new();
    }
    eprintln!("measuring: {what}");
    measure().unwrap_or_else(|error| {
        eprintln!("error: {error}");
        vec![Row::new(what).not_measured("", format!("It failed: {error}"))]
    })
}
