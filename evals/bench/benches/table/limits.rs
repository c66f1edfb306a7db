//! What compiling and loading cost, and how soon a guest that does not stop is stopped.

use std::path::Path;
use std::time::{Duration, Instant};

use ta_core::kind::Kind;
use ta_sandbox::{Ended, Limits, Sandbox, SandboxConfig};

use crate::measure::{Participant, median, ratio, rounds};
use crate::row::{Row, micros, millis};
use ta_bench::{COMPONENT, Outcome, Subject};

const LOADS: usize = 10;
const STOPS: usize = 10;
/// More than any budget of time leaves: only the clock stops it.
const FUEL_ENDLESS: u64 = 1 << 60;

/// The rows about loading.
///
/// # Errors
/// Where the component is refused.
pub(crate) fn load_rows(cache: &Path) -> Outcome<Vec<Row>> {
    let limits = Limits::of(Kind::Guardrail);
    let config = SandboxConfig::new(ta_bench::compiler()?);
    let mut all = [
        Participant::new(1, || Subject::load(None, COMPONENT, limits).map(drop)),
        Participant::new(1, || Subject::load(Some(cache), COMPONENT, limits).map(drop)),
        Participant::new(1, || Sandbox::new(&config).map(drop).map_err(Into::into)),
    ];
    rounds(LOADS, &mut all)?;
    let [compiled, cached, engine] = all.each_ref().map(Participant::median);
    // Each load above made an engine of its own, which is no part of it.
    let (compiled, cached) = (compiled.saturating_sub(engine), cached.saturating_sub(engine));
    let kib = COMPONENT.len() / 1024;
    Ok(vec![
        Row::new(format!("A component of {kib} KiB compiled and loaded"))
            .measured(millis(compiled))
            .how(format!("`Sandbox::load` without a cache: compiled, linked, tried once. Median of {LOADS}.")),
        Row::new("The same from the compiled cache")
            .measured(millis(cached))
            .ratio(format!("{:.0} × faster", ratio(compiled, cached)))
            .how("`Sandbox::load` with its MAC checked, linked, tried once."),
        Row::new("Engine, linkers, clock, once per process")
            .measured(micros(engine))
            .how("`Sandbox::new`; linkers are built here, never per call."),
    ])
}

/// The rows about a guest that never stops.
///
/// # Errors
/// Where it ends in another way.
pub(crate) fn stop_rows() -> Outcome<Vec<Row>> {
    let limits = Limits { fuel: FUEL_ENDLESS, ..Limits::of(Kind::Observer) };
    let budget = Duration::from_millis(limits.cpu_ms);
    let by_clock = median(&stops(limits)?).saturating_sub(budget);
    let limits = Limits::of(Kind::Guardrail);
    let by_fuel = median(&stops(Limits { cpu_ms: 10_000, ..limits })?);
    Ok(vec![
        Row::new("Endless loop stopped by the clock, beyond its budget")
            .measured(millis(by_clock))
            .ratio(format!("{} ms of budget", budget.as_millis()))
            .target("at most 20 ms", by_clock <= Duration::from_millis(20))
            .how(format!(
                "The check's guest in `loop {{}}`, with boundless fuel; the budget is CPU time, so a busy machine adds to what the \
                 wall shows. Median of {STOPS}."
            )),
        Row::new(format!("Endless loop stopped by {} million of fuel", limits.fuel / 1_000_000))
            .measured(millis(by_fuel))
            .how("The same with a guardrail's fuel and boundless time: the same verdict on every machine."),
    ])
}

fn stops(limits: Limits) -> Outcome<Vec<Duration>> {
    let subject = Subject::load(None, COMPONENT, limits)?;
    let input = ta_bench::endless();
    let stop = |_| {
        let started = Instant::now();
        match subject.call(&input) {
            Ended::Failed(failure) if failure.code == "hook.deadline" => Ok(started.elapsed()),
            other => Err(format!("the endless loop ended otherwise: {other:?}").into()),
        }
    };
    (0..STOPS).map(stop).collect()
}
