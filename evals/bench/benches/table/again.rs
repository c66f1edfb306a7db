//! Runs made again: gone on with, and replayed.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::binary::{Binary, REQUEST, script};
use crate::measure::median;
use crate::row::{Row, millis};
use crate::watch::{Watched, copy, watch, watch_to};
use ta_bench::Outcome;

const ROUNDS: usize = 9;
/// Exit code of a run that waits because its provider could not answer.
const PROVIDER_FAILED: i32 = 6;
/// Turns of the run that waits: each leaves nine events.
const TURNS: usize = 112;
const EVENTS_MIN: usize = 1_000;
const RESUME_MAX: Duration = Duration::from_millis(50);
/// What a model takes to answer, in the comparison.
const MODEL: Duration = Duration::from_secs(1);
const FASTER_MIN: f64 = 100.0;

/// The rows about going on and replaying.
///
/// # Errors
/// Where a run fails.
pub(crate) fn rows(binary: &Binary<'_>, directory: &Path, cache: &Path) -> Outcome<Vec<Row>> {
    Ok(vec![resume_row(binary, directory, cache)?, replay_row(binary, directory, cache)?])
}

fn named<'a>(watched: &'a Watched, kind: &str) -> impl Iterator<Item = &'a Value> {
    watched.lines.iter().filter(move |line| line.get("type").and_then(Value::as_str) == Some(kind))
}

/// A run whose script ends before it does waits for its provider, and so it does each time it goes on.
fn resume_row(binary: &Binary<'_>, directory: &Path, cache: &Path) -> Outcome<Row> {
    let plugins = directory.join("plugins");
    let mut answers = script(TURNS, 0);
    if let Some(list) = answers.get_mut("answers").and_then(Value::as_array_mut) {
        list.pop();
    }
    let begun = directory.join("waiting");
    let mut command = binary.scripted(&plugins, &begun, cache, &answers)?;
    let parked = watch_to(command.args(["bench:turns", REQUEST]), PROVIDER_FAILED)?;
    let events = parked.lines.len();
    let session = parked.lines.iter().find_map(|line| line.get("session")?.as_str()).ok_or("no session")?;
    if events < EVENTS_MIN || named(&parked, "run.parked").count() != 1 {
        return Err(format!("the run has {events} events and is not one that waits").into());
    }
    let mut times = Vec::new();
    for round in 0..ROUNDS {
        let data = directory.join(format!("waiting-{round}"));
        copy(&begun, &data)?;
        let started = Instant::now();
        let mut command = binary.command(&data, cache);
        let resumed = watch_to(command.arg("--plugins").arg(&plugins).args(["--resume", session]), PROVIDER_FAILED)?;
        times.push(started.elapsed());
        if named(&resumed, "run.resumed").count() != 1 || named(&resumed, "model.called").count() != 1 {
            return Err("the run did not go on".into());
        }
    }
    let time = median(&times);
    Ok(Row::new(format!("Resume of a run of {events} events"))
        .measured(millis(time))
        .target("under 50 ms", time < RESUME_MAX)
        .how(format!(
            "Release binary, from spawn to exit: the journal opened and read, the run rebuilt, its components loaded, the next \
             model call tried, and the run parked again. Median of {ROUNDS}."
        )))
}

fn replay_row(binary: &Binary<'_>, directory: &Path, cache: &Path) -> Outcome<Row> {
    let data = directory.join("replayed");
    let lesson = binary.lesson(&data, cache)?;
    let turns = u32::try_from(named(&lesson, "model.answered").count())?;
    let run = lesson.lines.iter().find_map(|line| line.get("run")?.as_str()).ok_or("no run")?;
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let started = Instant::now();
        let replayed = watch(&mut binary.replay(&data, cache, run))?;
        times.push(started.elapsed());
        if !replayed.lines.iter().any(|line| line.get("divergence").is_some_and(Value::is_null)) {
            return Err("the replay diverged".into());
        }
    }
    let time = median(&times);
    let faster = (MODEL * turns).as_secs_f64() / time.as_secs_f64();
    Ok(Row::new(format!("Replay of a lesson of {turns} turns, {} events", lesson.lines.len()))
        .measured(millis(time))
        .ratio(format!("{faster:.0} × faster than its model calls at 1 s"))
        .target("at least 100 × faster", faster >= FASTER_MIN)
        .how(format!(
            "Release binary, from spawn to exit: every hook and tool call of the shipped lesson made again in its component and \
             compared. Median of {ROUNDS}."
        )))
}
