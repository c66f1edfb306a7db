//! The check, run in every way there is.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::Value;

use crate::measure::{Participant, ratio, rounds};
use crate::row::{Row, micros, millis};
use ta_bench::{Outcome, Subject};

/// Rounds of what runs in this process; in each everyone calls ten times.
const ROUNDS: usize = 120;
const REPEATS: usize = 10;
/// Rounds of what is spawned.
const SPAWN_ROUNDS: usize = 40;
/// How often Extism has its turn.
const EXTISM_TURNS: usize = 3;

struct Times {
    native: Duration,
    native_typed: Duration,
    sandboxed: Duration,
    typed: Duration,
    long: Duration,
    smallest: Duration,
    turn: Duration,
}

/// All rows about calls.
///
/// # Errors
/// Where a participant fails or gives a wrong answer. What is not installed is a row that says so.
pub(crate) fn rows(cache: &Path, program: &Path, extism: Option<&Path>) -> Outcome<Vec<Row>> {
    let subject = Subject::check(Some(cache))?;
    let event = ta_bench::event()?;
    if !ta_bench::is_right(&subject.respond(&ta_bench::json_check()?)?) {
        return Err("the component gives a wrong answer".into());
    }
    let mut engines = Vec::new();
    let times = in_process(&subject, || {
        engines.extend(extism.map(|path| extism_times(path, &event)).transpose()?);
        Ok(())
    })?;
    let spawned = spawned(program, &event)?;
    let mut rows = own_rows(&times);
    rows.extend(spawn_rows(&times, &spawned));
    rows.push(extism_row(&times, engines));
    rows.push(
        Row::new("All hooks of one turn: pre-model, post-model, pre-tool, post-tool")
            .measured(micros(times.turn))
            .target("under 0.5 ms", times.turn < Duration::from_micros(500))
            .how("Four calls, each in a fresh instance: ten messages of 500 B, a response of 2 KB, a small tool call, a result of 2 KB."),
    );
    Ok(rows)
}

fn in_process(subject: &Subject, mut between: impl FnMut() -> Outcome<()>) -> Outcome<Times> {
    let (event, json, typed) = (ta_bench::event()?, ta_bench::json_check()?, ta_bench::typed_check());
    let (texts, smallest, turn) = (ta_bench::texts(&typed), ta_bench::smallest(), ta_bench::turn());
    let long = ta_bench::long_check();
    let call = |input| move || subject.respond(input).map(drop);
    let mut all = [
        Participant::new(REPEATS, || {
            std::hint::black_box(bench_check::check_event(&event)?);
            Ok(())
        }),
        Participant::new(REPEATS, || {
            std::hint::black_box(bench_check::check_texts(texts.iter().map(String::as_str)));
            Ok(())
        }),
        Participant::new(REPEATS, call(&json)),
        Participant::new(REPEATS, call(&typed)),
        Participant::new(REPEATS, call(&long)),
        Participant::new(REPEATS, call(&smallest)),
        Participant::new(REPEATS, || turn.iter().try_for_each(|input| subject.respond(input).map(drop))),
    ];
    for _ in 0..EXTISM_TURNS {
        rounds(ROUNDS / EXTISM_TURNS, &mut all)?;
        between()?;
    }
    let [native, native_typed, sandboxed, typed, long, smallest, turn] = all.each_ref().map(Participant::median);
    Ok(Times { native, native_typed, sandboxed, typed, long, smallest, turn })
}

fn own_rows(times: &Times) -> Vec<Row> {
    let native = ratio(times.sandboxed, times.native);
    let (typed, long) = (ratio(times.typed, times.native_typed), ratio(times.long, times.typed));
    vec![
        Row::new("Check of a 4 KB JSON event, native function").measured(micros(times.native)).ratio("1").how(
            "Parses the event, counts words, looks for eight headings; the same source is every other participant.",
        ),
        Row::new("The same, sandboxed, fresh instance")
            .measured(micros(times.sandboxed))
            .ratio(format!("{native:.1} × native"))
            .target("at most 3 × native", native <= 3.0)
            .how("`Sandbox::call_hook` at pre-tool: store, limits, instance, call, verdict and findings, drop."),
        Row::new("Hook call on 10 typed messages of 500 B, fresh instance")
            .measured(micros(times.typed))
            .ratio(format!("{typed:.1} × native ({})", micros(times.native_typed)))
            .target("at most 60 µs", times.typed <= Duration::from_micros(60))
            .how("`Sandbox::call_hook` at pre-model; the messages cross as records, not as JSON."),
        Row::new("The same on the last 10 of 2,000 messages")
            .measured(micros(times.long))
            .ratio(format!("{long:.2} × on 10"))
            .target("at most 1.2 × on 10", long <= 1.2)
            .how("A conversation stays with the host, and a hook reads of it what it looks at."),
        Row::new("The smallest call, fresh instance")
            .measured(micros(times.smallest))
            .how("What every call costs before it does anything: an empty tool call at pre-tool."),
    ]
}

/// A program and its time; none where it is not installed.
struct Spawned {
    program: Duration,
    python: Option<(PathBuf, Duration)>,
}

fn spawned(program: &Path, event: &str) -> Outcome<Spawned> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("check.py");
    let python = interpreter();
    let by_shell = || spawn(Command::new("sh").arg("-c").arg(program), event);
    let by_python = || match &python {
        Some(python) => spawn(Command::new(python).arg("-I").arg(&script), event),
        None => Ok(()),
    };
    let mut all = [Participant::new(1, by_shell), Participant::new(1, by_python)];
    rounds(SPAWN_ROUNDS, &mut all)?;
    let [program, script_time] = all.each_ref().map(Participant::median);
    Ok(Spawned { program, python: python.clone().map(|path| (path, script_time)) })
}

/// The interpreter itself: `python3` may be a shell script that looks for one, which would be measured with it.
fn interpreter() -> Option<PathBuf> {
    let output = Command::new("python3").args(["-I", "-c", "import sys; print(sys.executable)"]).output().ok()?;
    let path = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| PathBuf::from(path.trim()))
}

fn spawn(command: &mut Command, event: &str) -> Outcome<()> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    // Dropped at once, so that the program sees the end.
    child.stdin.take().ok_or("no standard input")?.write_all(event.as_bytes())?;
    let output = child.wait_with_output()?;
    let answer: Value = serde_json::from_slice(&output.stdout)?;
    if answer.get("verdict").and_then(Value::as_str) == Some("abort") {
        Ok(())
    } else {
        Err(format!("a wrong answer: {answer}").into())
    }
}

fn spawn_rows(times: &Times, spawned: &Spawned) -> Vec<Row> {
    let program = ratio(spawned.program, times.sandboxed);
    let mut rows = vec![
        Row::new("The same check, native program spawned by `sh -c`")
            .measured(millis(spawned.program))
            .ratio(format!("{program:.1} × sandboxed"))
            .target("at least 10 × sandboxed", program >= 10.0)
            .how("A release build of the same source; JSON on standard input, JSON on standard output."),
    ];
    let row = Row::new("The same check, Python script spawned with `-I`");
    rows.push(match &spawned.python {
        None => row.not_measured("at least 300 × sandboxed", "There is no `python3` here."),
        Some((_, time)) => {
            let python = ratio(*time, times.sandboxed);
            row.measured(millis(*time))
                .ratio(format!("{python:.0} × sandboxed"))
                .target("at least 300 × sandboxed", python >= 300.0)
                .how("The interpreter itself, without a shim or shell before it.")
        }
    });
    rows
}

/// What Extism and the native function took in its process, and which version it is.
struct Engine {
    native: Duration,
    extism: Duration,
    version: String,
}

fn extism_times(path: &Path, event: &str) -> Outcome<Engine> {
    let mut child = Command::new(path).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    child.stdin.take().ok_or("no standard input")?.write_all(event.as_bytes())?;
    let output = child.wait_with_output()?;
    let line: Value = serde_json::from_slice(&output.stdout)?;
    let time = |name: &str| {
        let micros = line.get(name).and_then(Value::as_f64).ok_or_else(|| format!("no `{name}` in {line}"));
        micros.map(|it| Duration::from_secs_f64(it / 1e6))
    };
    let version = line.get("version").and_then(Value::as_str).unwrap_or_default().to_owned();
    Ok(Engine { native: time("native_us")?, extism: time("extism_us")?, version })
}

fn extism_row(times: &Times, mut engines: Vec<Engine>) -> Row {
    let target = "at least 2 × sandboxed";
    engines.sort_by(|a, b| ratio(a.extism, a.native).total_cmp(&ratio(b.extism, b.native)));
    let Some(engine) = engines.get(engines.len() / 2) else {
        let how = "`cargo build --release --manifest-path evals/extism/Cargo.toml` did not succeed here.";
        return Row::new("The same check, Extism from its compiled form").not_measured(target, how);
    };
    // Each engine is held against the native function in its own process, so that a slower moment counts for neither.
    let slower = ratio(engine.extism, engine.native) / ratio(times.sandboxed, times.native);
    Row::new(format!("The same check, Extism {} from its compiled form", engine.version))
        .measured(micros(engine.extism))
        .ratio(format!("{slower:.1} × sandboxed"))
        .target(target, slower >= 2.0)
        .how(format!(
            "`Plugin::new_from_compiled` and one call, in a process of its own, three times between ours. Native there: {}; \
             the ratio compares both engines by their native function.",
            micros(engine.native)
        ))
}
