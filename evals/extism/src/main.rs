//! Times the check on Extism, from its compiled form, in a fresh instance for each call. The event comes on standard
//! input; one line of JSON with medians goes to standard output. `cargo xtask bench` runs it.

use std::io::Read as _;
use std::time::{Duration, Instant};

use extism::{CompiledPlugin, Manifest, Plugin, PluginBuilder, Wasm};

/// `cargo xtask bench --guests` builds it.
const PLUGIN: &[u8] = include_bytes!("../plugin.wasm");
const ROUNDS: usize = 60;
const REPEATS: usize = 10;
/// As our guardrails have; Extism counts none without a limit.
const FUEL: u64 = 200_000_000;

fn main() -> Result<(), extism::Error> {
    let mut event = String::new();
    std::io::stdin().read_to_string(&mut event)?;
    let manifest = Manifest::new([Wasm::data(PLUGIN)]);
    let compiled = PluginBuilder::new(manifest).with_wasi(false).with_fuel_limit(FUEL).compile()?;
    let answer = call(&compiled, &event)?;
    if answer != bench_check::check_event(&event)?.to_json() {
        return Err(extism::Error::msg(format!("a wrong answer: {answer}")));
    }
    let (mut native, mut extism) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        for _ in 0..REPEATS {
            let started = Instant::now();
            std::hint::black_box(bench_check::check_event(&event)?);
            native.push(started.elapsed());
        }
        for _ in 0..REPEATS {
            let started = Instant::now();
            std::hint::black_box(call(&compiled, &event)?);
            extism.push(started.elapsed());
        }
    }
    println!(
        r#"{{"version":"1.30.0","native_us":{},"extism_us":{}}}"#,
        median(&mut native).as_secs_f64() * 1e6,
        median(&mut extism).as_secs_f64() * 1e6
    );
    Ok(())
}

fn call(compiled: &CompiledPlugin, event: &str) -> Result<String, extism::Error> {
    Plugin::new_from_compiled(compiled)?.call("check", event)
}

fn median(samples: &mut [Duration]) -> Duration {
    samples.sort();
    samples.get(samples.len() / 2).copied().unwrap_or_default()
}
