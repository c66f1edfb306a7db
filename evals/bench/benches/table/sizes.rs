//! Journals as years of use make them: the first event comes as soon as in an empty one.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use ta_store::conformance::lesson;
use ta_store::{SqliteStore, Store};
use tokio::task::JoinSet;

use crate::binary::Binary;
use crate::measure::median;
use crate::row::{Row, millis};
use crate::watch::copy;
use ta_bench::Outcome;

/// Sizes of the journal in millions of bytes.
const SIZES_MB: [usize; 4] = [0, 30, 60, 300];
/// What a session leaves beside its events: prompts, files that were read, the component's answers.
const BESIDE_BYTES: usize = 60_000;
/// About what it leaves in all.
const SESSION_BYTES: usize = 70_000;
const STARTS: usize = 9;
const COPIES: usize = 3;
/// What the largest journal may take longer than an empty one.
const LONGER_MAX: Duration = Duration::from_millis(3);
/// Sessions that are filled in at a time: they are committed together.
const TOGETHER: usize = 100;

/// The row about starting with a journal of each size.
///
/// # Errors
/// Where a run fails.
pub(crate) fn row(binary: &Binary<'_>, directory: &Path, cache: &Path) -> Outcome<Row> {
    let (mut closed, mut copied, mut megabytes) = (Vec::new(), Vec::new(), Vec::new());
    for size in SIZES_MB {
        let data = directory.join(format!("sized-{size}"));
        fill(&data, size)?;
        megabytes.push(format!("{}", std::fs::metadata(data.join("journal.db"))?.len() / 1_000_000));
        let mut times = Vec::new();
        for _ in 0..STARTS {
            times.push(binary.lesson(&data, cache)?.first_output);
        }
        closed.push(median(&times));
        let mut times = Vec::new();
        for number in 0..COPIES {
            let other = directory.join(format!("sized-{size}-{number}"));
            copy(&data, &other)?;
            times.push(binary.lesson(&other, cache)?.first_output);
            std::fs::remove_dir_all(&other)?;
        }
        copied.push(median(&times));
        std::fs::remove_dir_all(&data)?;
    }
    let shown = |times: &[Duration]| times.iter().copied().map(millis).collect::<Vec<_>>().join(", ");
    let longer = match (closed.first(), closed.last()) {
        (Some(empty), Some(largest)) => largest.saturating_sub(*empty),
        _ => Duration::MAX,
    };
    Ok(Row::new(format!("First event with a journal of {} MB", megabytes.join(", ")))
        .measured(shown(&closed))
        .ratio(format!("copied from elsewhere: {}", shown(&copied)))
        .target(format!("the largest at most {} more than an empty one", millis(LONGER_MAX)), longer <= LONGER_MAX)
        .how(format!(
            "Release binary, compiled cache warm, `lesson-planning:create-lesson`, from spawn to the first event, in a journal of \
             sessions with a lesson and {} kB beside it each. Closed well before: its pages are not read. Copied: they are \
             looked through while the run goes on. Median of {STARTS} and of {COPIES}.",
            BESIDE_BYTES / 1_000
        )))
}

/// A journal of about so many megabytes, closed well.
fn fill(data: &Path, megabytes: usize) -> Outcome<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    let store = Arc::new(SqliteStore::open(data)?);
    let sessions: Vec<usize> = (0..megabytes * 1_000_000 / SESSION_BYTES).collect();
    for some in sessions.chunks(TOGETHER) {
        let mut appends = JoinSet::new();
        for &number in some {
            let store = Arc::clone(&store);
            appends.spawn_on(
                async move {
                    let (session, run) = (format!("s-{number:08}"), format!("r-{number:08}"));
                    let beside = format!("What session {number} was told. ").repeat(BESIDE_BYTES / 30).into_bytes();
                    store
                        .append(&session, &run, 0, 1, lesson("local", number as u64), vec![beside.into()])
                        .await
                        .map(drop)
                },
                runtime.handle(),
            );
        }
        while let Some(appended) = runtime.block_on(appends.join_next()) {
            appended??;
        }
    }
    Ok(())
}
