//! M2 and P6: components made to keep a compiler busy, or to eat its memory, are refused by name, and nobody else notices.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ta_evals::torture::{Census, GOOD, Stage, component, row};
use ta_sandbox::{Capability, Guest, Kind, Limits, Rights, SandboxError};

use super::bombs::{bombs, chain, variables};
use super::bytes::{body, functions, signature, types};

const REFUSED_WITHIN: Duration = Duration::from_secs(5);
const MEMORY_KIB_MAX: u64 = 500_000;
const GOOD_WITHIN: Duration = Duration::from_millis(100);

/// What the processes that compile have used at the most, looked at again and again while something is loaded.
struct Watched {
    over: AtomicBool,
    peak_kib: AtomicU64,
    cpu_ms: AtomicU64,
}

/// Loads a component, and says what it cost: time, CPU time of this process and the compiler's, memory of both.
async fn cost(stage: &Stage, bytes: &[u8], rights: Rights) -> (Result<Guest, SandboxError>, Duration, Duration, u64) {
    let watched = Arc::new(Watched { over: false.into(), peak_kib: 0.into(), cpu_ms: 0.into() });
    let watcher = {
        let watched = Arc::clone(&watched);
        thread::spawn(move || {
            while !watched.over.load(Ordering::Relaxed) {
                if let Some((kib, cpu)) = Census::children() {
                    watched.peak_kib.fetch_max(kib, Ordering::Relaxed);
                    watched.cpu_ms.fetch_max(u64::try_from(cpu.as_millis()).unwrap(), Ordering::Relaxed);
                }
                // Looking costs time as well, which is counted with the rest.
                thread::sleep(Duration::from_millis(10));
            }
        })
    };
    let (started, cpu) = (Instant::now(), Census::cpu_time().unwrap());
    let loaded = stage.sandbox.load("bomb", bytes, None, rights, Limits::of(Kind::Guardrail)).await;
    let (elapsed, own) = (started.elapsed(), Census::cpu_time().unwrap().saturating_sub(cpu));
    watched.over.store(true, Ordering::Relaxed);
    watcher.join().unwrap();
    let cpu = own + Duration::from_millis(watched.cpu_ms.load(Ordering::Relaxed));
    (loaded, elapsed, cpu, watched.peak_kib.load(Ordering::Relaxed))
}

async fn good_guest(stage: &Stage) -> Guest {
    let row = row(GOOD).unwrap();
    let bytes = component(&row.wat, &row.expectation.point).unwrap();
    stage.sandbox.load(GOOD, &bytes, None, Rights::default(), Limits::of(Kind::Guardrail)).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn p6_every_bomb_is_refused_by_name_in_time() {
    let stage = Stage::new(None, None).unwrap();
    let good = good_guest(&stage).await;
    let bombs = bombs();
    assert!(bombs.len() >= 60, "only {} bombs", bombs.len());
    let before = Census::take().unwrap();
    let mut problems = Vec::new();
    for (name, bytes) in &bombs {
        for capabilities in [Vec::new(), vec![Capability::Wasi]] {
            let granted = if capabilities.is_empty() { "plain" } else { "wasi" };
            let rights = Rights { capabilities, ..Rights::default() };
            let (loaded, elapsed, cpu, kib) = cost(&stage, bytes, rights).await;
            let code = loaded.as_ref().map_or_else(|error| error.code, |_| "loaded");
            let said = loaded.as_ref().err().map(ToString::to_string).unwrap_or_default();
            println!("{granted:5} {elapsed:>7.1?} {cpu:>7.1?} {:>4} MB {code:18} {name}: {said}", kib / 1_000);
            if !["plugin.too_complex", "plugin.malformed"].contains(&code) {
                problems.push(format!("{name} ({granted}): {code} {said}"));
            }
            // A busy machine takes longer without doing more.
            if elapsed.min(cpu) > REFUSED_WITHIN || kib > MEMORY_KIB_MAX {
                problems.push(format!("{name} ({granted}): it took {elapsed:?}, {cpu:?} at work, {} MB", kib / 1_000));
            }
        }
        let mut quickest = Duration::MAX;
        for _ in 0..3 {
            let started = Instant::now();
            assert_eq!(stage.call(&good, "post-loop").await.unwrap().code, None, "after {name}");
            quickest = quickest.min(started.elapsed());
        }
        if quickest > GOOD_WITHIN {
            problems.push(format!("{name}: the next good call took {quickest:?}"));
        }
    }
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
    let after = Census::take().unwrap();
    let grown = after.resident_kib.saturating_sub(before.resident_kib);
    assert!(grown < 200_000, "this process keeps {grown} KiB of it");
}

/// A component within every limit, whose one export is not ours.
#[tokio::test]
async fn m2_what_a_compiler_can_do_is_left_to_it() {
    let stage = Stage::new(None, None).unwrap();
    let empty = || body(0, &[]);
    let cases = [
        ("functions", functions(2_000, &[signature(0, 0)], &empty())),
        ("instances", chain(3, 4)),
        ("loops", variables(1_000, 1_000)),
        ("types", types(60, |at| if at == 0 { vec![0x70, 0x79] } else { vec![0x70, u8::try_from(at - 1).unwrap()] })),
    ];
    for (what, bytes) in cases {
        let limits = Limits::of(Kind::Guardrail);
        let error = stage.sandbox.load("torture", &bytes, None, Rights::default(), limits).await.unwrap_err();
        assert_eq!(error.code, "plugin.world_mismatch", "{what}: {error}");
    }
}
