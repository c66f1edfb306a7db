//! What the pool gains: the same calls with it and without it.

use std::path::Path;
use std::time::Duration;

use ta_sandbox::{Kind, Limits, SandboxConfig};

use crate::measure::{Participant, ratio, rounds};
use crate::row::{Row, micros};
use ta_bench::{COMPONENT, Outcome, Subject};

const ROUNDS: usize = 200;
const REPEATS: usize = 10;

/// A row for each size of a call.
///
/// # Errors
/// Where the component is refused or a call fails.
pub(crate) fn rows(cache: &Path) -> Outcome<Vec<Row>> {
    let subject = |pool| {
        let config =
            SandboxConfig { cache_dir: Some(cache.to_path_buf()), pool, ..SandboxConfig::new(ta_bench::compiler()?) };
        Subject::with(&config, COMPONENT, Limits::of(Kind::Guardrail))
    };
    let (pooled, on_demand) = (subject(true)?, subject(false)?);
    let (smallest, typed, json) = (ta_bench::smallest(), ta_bench::typed_check(), ta_bench::json_check()?);
    let call = |subject, input| {
        let subject: &Subject = subject;
        Participant::new(REPEATS, move || subject.respond(input).map(drop))
    };
    let mut all = [
        call(&pooled, &smallest),
        call(&on_demand, &smallest),
        call(&pooled, &typed),
        call(&on_demand, &typed),
        call(&pooled, &json),
        call(&on_demand, &json),
    ];
    rounds(ROUNDS, &mut all)?;
    let medians = all.each_ref().map(Participant::median);
    let row = |what: &str, target: u64, pooled, on_demand| {
        Row::new(format!("{what}, from the pool"))
            .measured(micros(pooled))
            .ratio(format!("{:.2} × on demand ({})", ratio(pooled, on_demand), micros(on_demand)))
            .target(format!("at most {target} µs"), pooled <= Duration::from_micros(target))
            .how("The same component, event and limits in two sandboxes of one process, one with `pool = false`.")
    };
    let [a, b, c, d, e, f] = medians;
    Ok(vec![row("The smallest call", 20, a, b), row("A typed call", 40, c, d), row("A JSON call of 4 KB", 40, e, f)])
}
