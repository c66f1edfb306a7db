//! Runs of ten, a hundred and a thousand turns: what they cost grows with their turns, not with the square of them.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::Value;
use ta_core::event::{Event, TasksReplaced, ToolStarted};
use ta_core::message::ToolCall;
use ta_store::conformance::{answered, called, hooked, started, used};
use ta_store::{SqliteStore, Store, verify_chain};

use crate::binary::{Binary, REQUEST, script};
use crate::measure::median;
use crate::row::{Row, millis};
use crate::watch::{Watched, watch};
use ta_bench::Outcome;

const TURNS: [usize; 3] = [10, 100, 1_000];
const ROUNDS: usize = 3;
/// What cost grows with: turns to this power.
const EXPONENT_MAX: f64 = 1.1;
const TRACE_MAX: Duration = Duration::from_millis(60);
const REPLAY_MAX: Duration = Duration::from_millis(400);

/// The rows about long runs of the release binary.
///
/// # Errors
/// Where a run fails.
pub(crate) fn rows(binary: &Binary<'_>, directory: &Path, cache: &Path) -> Outcome<Vec<Row>> {
    let plugins = binary.plugins(cache)?;
    let (mut runs, mut traces, mut replays) = (Times::default(), Times::default(), Times::default());
    // The first is what a process costs by itself.
    for turns in [1].into_iter().chain(TURNS) {
        let (mut run_times, mut trace_times, mut replay_times) = (Vec::new(), Vec::new(), Vec::new());
        for round in 0..ROUNDS {
            let data = directory.join(format!("long-{turns}-{round}"));
            let mut command = binary.scripted(&plugins, &data, cache, &script(turns - 1, 0))?;
            let (time, made) = timed(command.args(["bench:turns", REQUEST]))?;
            run_times.push(time);
            let answers =
                made.lines.iter().filter(|line| line.get("type").and_then(Value::as_str) == Some("model.answered"));
            let run = made.lines.iter().find_map(|line| line.get("run")?.as_str()).ok_or("no run")?;
            if answers.count() != turns {
                return Err(format!("the run has not {turns} turns").into());
            }
            trace_times.push(timed(binary.command(&data, cache).args(["--trace", run]))?.0);
            let (time, replayed) = timed(&mut binary.replay(&data, cache, run))?;
            replay_times.push(time);
            if !replayed.lines.iter().any(|line| line.get("divergence").is_some_and(Value::is_null)) {
                return Err("the replay diverged".into());
            }
        }
        runs.push(turns, median(&run_times));
        traces.push(turns, median(&trace_times));
        replays.push(turns, median(&replay_times));
    }
    let how = |what: &str| {
        format!(
            "Release binary, provider `script`, from spawn to exit: {what}. The exponent is fitted to {TURNS:?} turns, less what one \
             turn takes. Median of {ROUNDS}."
        )
    };
    Ok(vec![
        runs.row("Run", None, how("the turns of the row above, each with a tool call and four hooks")),
        traces.row("Trace of a run", Some(TRACE_MAX), how("`--trace` of it")),
        replays.row(
            "Replay of a run",
            Some(REPLAY_MAX),
            how("`replay` of it, every call of hooks and tools made again"),
        ),
    ])
}

fn timed(command: &mut std::process::Command) -> Outcome<(Duration, Watched)> {
    let started = Instant::now();
    let watched = watch(command)?;
    Ok((started.elapsed(), watched))
}

/// The rows about the journal's share of long runs.
///
/// # Errors
/// Where it fails.
pub(crate) fn journal_rows(directory: &Path) -> Outcome<Vec<Row>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let (mut appends, mut reads, mut chains) = (Times::default(), Times::default(), Times::default());
    runtime.block_on(async {
        let store = SqliteStore::open(&directory.join("long-runs"))?;
        for turns in TURNS {
            let (mut append_times, mut read_times, mut chain_times) = (Vec::new(), Vec::new(), Vec::new());
            for round in 0..ROUNDS {
                let session = format!("s-{turns}-{round}");
                let begun = Instant::now();
                let last = append_turns(&store, &session, turns).await?;
                append_times.push(begun.elapsed());
                let begun = Instant::now();
                let read = store.read(&session, 0, usize::MAX).await?.len() as u64;
                read_times.push(begun.elapsed());
                let begun = Instant::now();
                let broken = verify_chain(&store, &session).await?;
                chain_times.push(begun.elapsed());
                if read != last || !broken.is_empty() {
                    return Err("the journal does not hold what was put in".into());
                }
            }
            appends.push(turns, median(&append_times));
            reads.push(turns, median(&read_times));
            chains.push(turns, median(&chain_times));
        }
        Outcome::Ok(())
    })?;
    let how =
        "The events of a turn as a run appends them: eight appends, two of which are durable before they are ready.";
    Ok(vec![
        appends.row("The journal's share of a run", None, how.to_owned()),
        reads.row("Reading a run", None, "`Store::read` of its whole session.".to_owned()),
        chains.row("Looking through the chain of a run", None, "`verify_chain` of its session.".to_owned()),
    ])
}

/// Appends what so many turns append. Gives the number of the last event.
async fn append_turns(store: &SqliteStore, session: &str, turns: usize) -> Outcome<u64> {
    let run = format!("r-{session}");
    let begun = store.append(session, &run, 0, 1, vec![started("bench", "turns", REQUEST)], Vec::new()).await?;
    let mut last = begun.len() as u64;
    for turn in 1..=u32::try_from(turns)? {
        for (durable, events) in turn_events(turn) {
            let count = events.len() as u64;
            if durable {
                store.append(session, &run, last, 1, events, Vec::new()).await?;
            } else {
                store.append_later(session, &run, last, 1, events, Vec::new()).await?;
            }
            last += count;
        }
    }
    store.barrier(session).await?;
    Ok(last)
}

/// The appends of a turn, and whether each is durable at once.
fn turn_events(turn: u32) -> Vec<(bool, Vec<Event>)> {
    let arguments = r#"{"tasks":[{"id":"1","title":"Task 1","status":"pending"}]}"#.to_owned();
    let call = ToolCall { id: format!("call-{turn}"), name: "update_tasks".into(), arguments };
    let begun = ToolStarted { call, component: "tasks".into(), sha256: "0".repeat(64) };
    let tasks = TasksReplaced { tasks: Vec::new() };
    let hook = || vec![hooked("check", &[])];
    vec![
        (false, hook()),
        (true, vec![called(turn)]),
        (true, vec![answered(turn, 900, 400, 0.001)]),
        (false, hook()),
        (false, hook()),
        (false, vec![Event::ToolStarted(begun)]),
        (false, vec![used("update_tasks", &[]), Event::TasksReplaced(tasks)]),
        (false, hook()),
    ]
}

/// Times by turns.
#[derive(Default)]
struct Times(Vec<(usize, Duration)>);

impl Times {
    fn push(&mut self, turns: usize, time: Duration) {
        self.0.push((turns, time));
    }

    /// The power of the turns that the times grow with, by least squares over their logarithms, less the time of a single
    /// turn where that was measured.
    fn exponent(&self) -> f64 {
        let base = self.0.iter().find(|(turns, _)| *turns == 1).map_or(Duration::ZERO, |(_, time)| *time);
        let points = self.0.iter().filter(|(turns, _)| *turns > 1).map(|(turns, time)| {
            let time = time.saturating_sub(base).as_secs_f64().max(1e-6);
            ((*turns as f64).ln(), time.ln())
        });
        let points: Vec<(f64, f64)> = points.collect();
        let count = points.len() as f64;
        let (x, y) = points.iter().fold((0.0, 0.0), |(x, y), point| (x + point.0 / count, y + point.1 / count));
        let (above, below) = points.iter().fold((0.0, 0.0), |(above, below), point| {
            (above + (point.0 - x) * (point.1 - y), below + (point.0 - x) * (point.0 - x))
        });
        above / below.max(f64::MIN_POSITIVE)
    }

    /// A row of them. `most` is what the longest may take.
    fn row(&self, what: &str, most: Option<Duration>, how: String) -> Row {
        let turns: Vec<String> = self.0.iter().map(|(turns, _)| turns.to_string()).collect();
        let times: Vec<String> = self.0.iter().map(|(_, time)| millis(*time)).collect();
        let longest = self.0.last().map_or(Duration::MAX, |(_, time)| *time);
        let exponent = self.exponent();
        let within = most.is_none_or(|most| longest <= most);
        let target = match most {
            Some(most) => format!("exponent at most {EXPONENT_MAX}, the longest within {}", millis(most)),
            None => format!("exponent at most {EXPONENT_MAX}"),
        };
        Row::new(format!("{what} of {} turns", turns.join(", ")))
            .measured(times.join(", "))
            .ratio(format!("exponent {exponent:.2}"))
            .target(target, exponent <= EXPONENT_MAX && within)
            .how(how)
    }
}
