//! How a study goes: cells, drop-outs, drift. By cells and public ids, and no word of anybody.

use std::collections::BTreeMap;

use serde::Serialize;
use ta_runtime::{Host, RuntimeError};

use crate::definition::StudyFiles;
use crate::study::{Standing, begun};

/// How a study goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Status {
    /// The study.
    pub study: String,
    /// `running` or `closed`.
    pub state: &'static str,
    /// When it started, in milliseconds since 1970-01-01 UTC.
    pub started_ms: u64,
    /// Participants that are planned.
    pub planned: usize,
    /// Participants with a code.
    pub invited: usize,
    /// Those who have begun and are still in it.
    pub begun: usize,
    /// Those who have done everything.
    pub finished: usize,
    /// Those who went no further.
    pub dropped_out: usize,
    /// Those whose data were erased.
    pub withdrawn: usize,
    /// How often each condition stands in each place, for those who are in it.
    pub cells: BTreeMap<String, Vec<u32>>,
    /// The largest difference between counts that the design wants equal.
    pub imbalance: u32,
    /// What was found not to be as at the start.
    pub drift: Vec<String>,
    /// What everything was drawn from; shown once the study is closed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
}

/// How a study goes.
///
/// # Errors
/// `study.not_started`, and where the journal cannot be read.
pub async fn status(host: &Host, files: &StudyFiles) -> Result<Status, RuntimeError> {
    let store = host.store_to_read()?;
    let (standing, _, study) = begun(&*store, files).await?;
    let started = standing.started(&study.name)?;
    let (_, taken, _) = standing.there(&started.conditions);
    let mut cells: BTreeMap<String, Vec<u32>> =
        started.conditions.iter().map(|name| (name.clone(), vec![0; study.design.each])).collect();
    for sequence in &taken {
        for (place, name) in study.named(sequence).into_iter().enumerate() {
            if let Some(count) = cells.get_mut(&name).and_then(|counts| counts.get_mut(place)) {
                *count += 1;
            }
        }
    }
    let gone = |how: &str| standing.participants.values().filter(|it| it.gone == Some(how)).count();
    Ok(Status {
        study: study.name.clone(),
        state: if standing.closed { "closed" } else { "running" },
        started_ms: standing.started_ms,
        planned: study.participants,
        invited: standing.participants.len(),
        begun: taken.len(),
        finished: finished(&standing),
        dropped_out: gone("dropped-out"),
        withdrawn: gone("withdrawn"),
        cells,
        imbalance: study.design.imbalance(&taken),
        drift: standing.drift.clone(),
        seed: standing.closed.then(|| started.seed.clone()),
    })
}

fn finished(standing: &Standing) -> usize {
    standing.participants.values().filter(|it| it.finished && it.gone.is_none()).count()
}
