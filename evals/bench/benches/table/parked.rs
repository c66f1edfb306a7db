//! Parked runs: rows of the journal and nothing else.

use std::path::Path;
use std::time::{Duration, Instant};

use ta_core::event::{Event, RunParked, RunStarted};
use ta_store::{SessionFilter, SqliteStore, Store};

use crate::measure::{median, ratio};
use crate::row::{Row, micros};
use ta_bench::Outcome;

const FEW: usize = 1_000;
const MANY: usize = 100_000;
const READS: usize = 200;
/// Sessions that a page lists.
const PAGE: usize = 20;
/// What a hundred times as many may cost more: a list that scanned them would cost a hundred times as much.
const SLOWER_MAX: f64 = 2.0;

/// The row about parked runs.
///
/// # Errors
/// Where the journal fails.
pub(crate) fn row(directory: &Path) -> Outcome<Row> {
    // In memory, where there is such a place: filling it is no part of what is measured.
    let memory = tempfile::tempdir_in("/dev/shm").ok();
    let directory = memory.as_ref().map_or(directory, tempfile::TempDir::path).join("parked");
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let (few, many) = runtime.block_on(async {
        let store = SqliteStore::open(&directory)?;
        fill(&store, 0..FEW).await?;
        let few = times(&store, FEW).await?;
        fill(&store, FEW..MANY).await?;
        Outcome::Ok((few, times(&store, MANY).await?))
    })?;
    let slower = ratio(many, few);
    Ok(Row::new(format!("{MANY} parked runs: list a page, find one, read it to resume"))
        .measured(micros(many))
        .ratio(format!("{slower:.1} × of {FEW} parked runs"))
        .target("no memory per run, no scan", slower <= SLOWER_MAX)
        .how(format!(
            "`Store::sessions` ({PAGE} of them), `find` by a prefix, `read`; met where a hundred times as many cost at most \
             {SLOWER_MAX} times as much. A parked run is rows in the journal: the process that parked it is gone."
        )))
}

fn session(number: usize) -> String {
    // Spread, as random ids are.
    format!("{:032x}", (number as u128).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835))
}

async fn fill(store: &SqliteStore, numbers: std::ops::Range<usize>) -> Outcome<()> {
    for number in numbers {
        let id = session(number);
        let started =
            RunStarted { plugin: "lesson-planning".into(), command: "create-lesson".into(), ..RunStarted::default() };
        let events =
            vec![Event::RunStarted(Box::new(started)), Event::RunParked(RunParked { reason: "question".into() })];
        store.append(&id, &format!("r{id}"), 0, number as u64 * 1_000, events, Vec::new()).await?;
    }
    Ok(())
}

async fn times(store: &SqliteStore, count: usize) -> Outcome<Duration> {
    let mut samples = Vec::new();
    for read in 0..READS {
        let id = session(read * (count / READS));
        let prefix = id.get(..12).unwrap_or(&id);
        let started = Instant::now();
        let page = store.sessions(SessionFilter::newest(PAGE)).await?;
        store.find(prefix).await?;
        let records = store.read(&id, 0, 100).await?;
        samples.push(started.elapsed());
        if page.len() != PAGE || records.len() != 2 {
            return Err("the journal does not hold what was put in".into());
        }
    }
    Ok(median(&samples))
}
