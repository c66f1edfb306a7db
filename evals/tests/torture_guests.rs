//! Every guest of the torture list, run on the sandbox's own interface. One test and one process, so that what the
//! process holds afterwards can be counted, and so that times are the guest's own.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::time::{Duration, Instant};

use ta_core::kind::Kind;
use ta_evals::torture::{Caught, Census, GOOD, Row, Seen, Stage, component, row, rows};
use ta_sandbox::{Guest, Limits, Rights};

/// The budget of the clock rows, in milliseconds: longer than what a tick or a busy machine adds.
const CLOCK_MS: u64 = 100;
/// Interrupts and page faults make a call dearer, never cheaper: the best of so many tries is the call's own time.
const TRIES: usize = 5;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_guest_comes_to_its_end_and_the_host_goes_on() {
    let rows = rows().unwrap_or_else(|problems| panic!("{problems}"));
    assert!(rows.len() > 60, "only {} guests were found", rows.len());
    let scratch = tempfile::tempdir().unwrap();
    let workspace = scratch.path().join("workspace");
    std::fs::create_dir(&workspace).unwrap();
    std::fs::write(scratch.path().join("secret.md"), "secret").unwrap();
    for number in 0..40 {
        std::fs::File::create(workspace.join(format!("{number:02}"))).unwrap().set_len(1 << 20).unwrap();
    }
    std::fs::create_dir(workspace.join(".git")).unwrap();
    std::fs::write(workspace.join(".git/config"), "secret").unwrap();
    let stage = Stage::new(Some(&scratch.path().join("cache")), Some(&workspace)).unwrap();
    let good = load_good(&stage).await;
    let components: Vec<(Row, Vec<u8>)> = rows.into_iter().map(built).collect();
    // Once through: places of the pool that were used stay mapped, and from then on nothing may be added.
    for (row, bytes) in &components {
        stage.perform(bytes, &row.expectation, |_| {}).await.unwrap();
    }
    for _ in 0..20 {
        good_answers(&stage, &good).await.unwrap();
    }
    let before = Census::take().unwrap();
    let mut problems = Vec::new();
    for (row, bytes) in &components {
        for problem in check(&stage, row, bytes).await {
            problems.push(format!("{}: {problem}", row.name));
        }
        if let Err(problem) = good_answers(&stage, &good).await {
            problems.push(format!("{}: the good hook afterwards: {problem}", row.name));
        }
        if let Some(grown) = Census::take().unwrap().grown(&before) {
            problems.push(format!("{}: the process holds more than before: {grown}", row.name));
        }
    }
    let after = Census::take().unwrap();
    println!("before {before:?}\nafter  {after:?}");
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
    assert_eq!(std::fs::read_dir(&workspace).unwrap().count(), 41, "something was written");
    nothing_leaks(&stage, &components).await;
}

/// What one bad call leaves behind may hide in what an allocator keeps; what fifty leave does not.
async fn nothing_leaks(stage: &Stage, components: &[(Row, Vec<u8>)]) {
    for name in ["g3-memory-fill", "f5-handles", "m5-log", "m4-unreachable", "m3-recursion", "l2-questions"] {
        let (row, bytes) = components.iter().find(|(row, _)| row.name == name).unwrap();
        let fifty = || async {
            for _ in 0..50 {
                stage.perform(bytes, &row.expectation, |_| {}).await.unwrap();
            }
        };
        // Each place of the pool keeps a little of what it was used for: once all were used, nothing is added.
        fifty().await;
        let before = Census::take().unwrap();
        fifty().await;
        let after = Census::take().unwrap();
        let grown = after.resident_kib.saturating_sub(before.resident_kib);
        assert!(after.files <= before.files && grown < 8 * 1024, "{name}: before {before:?}, after {after:?}");
    }
}

fn built(row: Row) -> (Row, Vec<u8>) {
    let bytes = component(&row.wat, &row.expectation.point).unwrap_or_else(|error| panic!("{}.wat: {error}", row.name));
    (row, bytes)
}

async fn load_good(stage: &Stage) -> Guest {
    let (row, bytes) = built(row(GOOD).unwrap());
    let limits = Limits::of(Kind::Guardrail);
    stage.sandbox.load(&row.name, &bytes, None, Rights::default(), limits).await.unwrap()
}

/// The good hook, within 100 ms; a busy machine may be late twice.
async fn good_answers(stage: &Stage, good: &Guest) -> Result<(), String> {
    let mut quickest = Duration::MAX;
    for _ in 0..3 {
        let started = Instant::now();
        let seen = stage.call(good, "post-loop").await?;
        if let Some(code) = seen.code {
            return Err(format!("{code}: {}", seen.reason));
        }
        quickest = quickest.min(started.elapsed());
        if quickest <= Duration::from_millis(100) {
            return Ok(());
        }
    }
    Err(format!("it took {quickest:?}"))
}

async fn check(stage: &Stage, row: &Row, bytes: &[u8]) -> Vec<String> {
    let expectation = &row.expectation;
    let before = Census::cpu_time().unwrap();
    let seen = stage.perform(bytes, expectation, |_| {}).await.unwrap_or_else(|error| panic!("{}: {error}", row.name));
    let spent = Census::cpu_time().unwrap().saturating_sub(before);
    let mut problems = outcome(row, &seen);
    // A busy machine takes longer without doing more.
    let bounded = Duration::from_millis(expectation.bounded_ms);
    if (seen.elapsed > bounded && spent > bounded) || seen.elapsed > bounded * 10 {
        problems.push(format!("it took {:?}, of which {spent:?} at work; {bounded:?} are allowed", seen.elapsed));
    }
    let mut line = format!(
        "{:24} {:8} {:18} {:>9.1?}",
        row.name,
        expectation.row,
        seen.code.as_deref().unwrap_or("-"),
        seen.elapsed
    );
    if let Some(over_ms_max) = expectation.over_ms_max {
        let over = over_budget(stage, row, bytes, over_ms_max, &mut problems).await;
        line.push_str(&format!("  over by {over:.1?}"));
    }
    println!("{line}  {}", ta_core::text::line(&seen.reason, 160));
    problems
}

fn outcome(row: &Row, seen: &Seen) -> Vec<String> {
    let expectation = &row.expectation;
    let mut problems = Vec::new();
    let mut expect = |holds: bool, what: String| {
        if !holds {
            problems.push(what);
        }
    };
    let came = match (&seen.code, seen.at_load, &seen.question) {
        (Some(_), true, _) => Caught::Load,
        (Some(_), false, _) => Caught::Call,
        (None, _, Some(_)) => Caught::Parked,
        (None, _, None) => Caught::Never,
    };
    expect(
        came == expectation.caught,
        format!("caught {came:?} instead of {:?}: {:?} {}", expectation.caught, seen.code, seen.reason),
    );
    let fits = match &seen.code {
        Some(code) => expectation.codes.contains(code),
        None => expectation.codes.is_empty(),
    };
    expect(fits, format!("{:?} instead of {:?}: {}", seen.code, expectation.codes, seen.reason));
    for word in &expectation.says {
        expect(seen.reason.contains(word), format!("`{word}` is not in `{}`", seen.reason));
    }
    if let Some(text) = &expectation.returns {
        expect(seen.text.contains(text), format!("returned `{}`", ta_core::text::line(&seen.text, 200)));
    }
    if let Some(logs) = expectation.logs {
        expect(seen.report.logs.len() == logs, format!("{} lines logged instead of {logs}", seen.report.logs.len()));
    }
    if let Some(dropped) = expectation.logs_dropped {
        expect(
            seen.report.logs_dropped == dropped,
            format!("{} lines dropped instead of {dropped}", seen.report.logs_dropped),
        );
    }
    let visible = ta_core::text::visible(&seen.reason) == seen.reason;
    expect(visible, format!("the reason would act on a terminal: {:?}", seen.reason));
    problems
}

/// The same with fuel switched off, so that only the clock can end it. The budget is one of CPU time, so that is what
/// is measured: on a busy machine a call takes longer, which is not the guest's doing.
async fn over_budget(stage: &Stage, row: &Row, bytes: &[u8], over_ms_max: u64, problems: &mut Vec<String>) -> Duration {
    let clock_only = |limits: &mut Limits| {
        limits.fuel = u64::MAX;
        limits.cpu_ms = CLOCK_MS;
        limits.host_calls = u32::MAX;
    };
    let mut best = Duration::MAX;
    for _ in 0..TRIES {
        let before = Census::cpu_time().unwrap();
        let seen = stage.perform(bytes, &row.expectation, clock_only).await.unwrap();
        let spent = Census::cpu_time().unwrap().saturating_sub(before);
        if seen.code.as_deref() != Some("hook.deadline") {
            problems.push(format!("on the clock alone: {:?} {}", seen.code, seen.reason));
        }
        best = best.min(spent.saturating_sub(Duration::from_millis(CLOCK_MS)));
        if best <= Duration::from_millis(over_ms_max) {
            return best;
        }
    }
    problems.push(format!("{best:?} over its budget, more than {over_ms_max} ms"));
    best
}
