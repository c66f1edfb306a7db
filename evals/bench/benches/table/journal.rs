//! The journal: what it takes in, and what it gives back.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ta_core::event::{Event, RunStarted};
use ta_store::conformance::{called, lesson, rare};
use ta_store::{SearchQuery, SessionFilter, SqliteStore, Store};
use tokio::task::JoinSet;

use crate::measure::{median, ratio};
use crate::row::{Row, millis};
use ta_bench::Outcome;

const OWNER: &str = "ana";
/// Events of one append: about what a turn writes at once.
const BATCH: usize = 10;
/// Appends that one writer makes, and that all of many make together.
const APPENDS: usize = 200;
const WRITERS: usize = 64;
const EVENTS_PER_SECOND_MIN: f64 = 1_000.0;
/// Events of the run that is read again.
const RUN: usize = 1_000;
const READ_MAX: Duration = Duration::from_millis(50);
/// Sessions that are searched.
const SEARCHED: u64 = 10_000;
const SEARCH_MAX: Duration = Duration::from_millis(50);
/// Sessions that are listed.
const LISTED: u64 = 100_000;
/// Sessions that a page shows.
const PAGE: usize = 20;
const REPEATS: usize = 50;
/// What ten times as many sessions may cost a page more.
const SLOWER_MAX: f64 = 2.0;

/// The rows about the journal.
///
/// # Errors
/// Where it fails.
pub(crate) fn rows(directory: &Path) -> Outcome<Vec<Row>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    // Where it is filled before it is measured, in memory, if there is such a place: filling is no part of it.
    let memory = tempfile::tempdir_in("/dev/shm").ok();
    let filled = memory.as_ref().map_or(directory, tempfile::TempDir::path).join("filled");
    runtime.block_on(async {
        let mut rows = vec![append_row(&directory.join("appended")).await?];
        let store = Arc::new(SqliteStore::open(&filled)?);
        rows.push(read_row(&store).await?);
        fill(&store, 0..SEARCHED, |number| lesson(OWNER, number)).await?;
        let few = page(&store).await?;
        rows.push(search_row(&store).await?);
        fill(&store, SEARCHED..LISTED, small).await?;
        rows.push(list_row(few, page(&store).await?));
        Ok(rows)
    })
}

/// Events a second, durable on this machine's disk.
async fn append_row(directory: &Path) -> Outcome<Row> {
    let store = Arc::new(SqliteStore::open(directory)?);
    let begun = Instant::now();
    for number in 0..APPENDS {
        append(&store, "alone", number).await?;
    }
    let alone = per_second(APPENDS * BATCH, begun.elapsed());
    let begun = Instant::now();
    let mut writers = JoinSet::new();
    for writer in 0..WRITERS {
        let store = Arc::clone(&store);
        writers.spawn(async move {
            for number in 0..APPENDS {
                append(&store, &format!("writer-{writer}"), number).await?;
            }
            Outcome::Ok(())
        });
    }
    while let Some(written) = writers.join_next().await {
        written??;
    }
    let together = per_second(WRITERS * APPENDS * BATCH, begun.elapsed());
    Ok(Row::new("durable events a second through one journal")
        .measured(format!("{alone:.0}/s by one writer"))
        .ratio(format!("{together:.0}/s by {WRITERS} writers"))
        .target(format!("at least {EVENTS_PER_SECOND_MIN}/s"), alone >= EVENTS_PER_SECOND_MIN)
        .how(format!(
            "`Store::append` of {BATCH} events at a time on this machine's disk, each waiting until it is synced; by one \
             writer, and by {WRITERS} at once, whose appends are committed together."
        )))
}

async fn append(store: &SqliteStore, session: &str, number: usize) -> Outcome<()> {
    let events = (0..BATCH).map(|_| called(1)).collect();
    store
        .append(session, &format!("run-{session}"), (number * BATCH) as u64, number as u64, events, Vec::new())
        .await?;
    Ok(())
}

#[allow(clippy::cast_precision_loss, reason = "some hundred thousand events")]
fn per_second(events: usize, time: Duration) -> f64 {
    events as f64 / time.as_secs_f64().max(f64::MIN_POSITIVE)
}

/// Everything that a resume reads.
async fn read_row(store: &SqliteStore) -> Outcome<Row> {
    let mut last = 0;
    while last < RUN as u64 {
        // A request and an output of some kilobytes among them, as in a run.
        let events = lesson(OWNER, last);
        let count = events.len() as u64;
        store.append("long", "run-long", last, last, events, Vec::new()).await?;
        last += count;
    }
    let mut samples = Vec::new();
    for _ in 0..REPEATS {
        let begun = Instant::now();
        let records = store.read("long", 0, usize::MAX).await?;
        samples.push(begun.elapsed());
        if records.len() < RUN {
            return Err("the journal does not hold what was put in".into());
        }
    }
    let time = median(&samples);
    Ok(Row::new(format!("read a run of {RUN} events"))
        .measured(millis(time))
        .target(format!("under {}", millis(READ_MAX)), time < READ_MAX)
        .how("`Store::read` of a whole session, a third of whose events hold a lesson of four kilobytes: what a resume reads."))
}

/// Searches for a word that hardly a session has, that one of twelve has, and that nearly all have; the slowest counts.
async fn search_row(store: &SqliteStore) -> Outcome<Row> {
    let mut slowest = Duration::ZERO;
    let mut each = Vec::new();
    for words in [rare(7), "recursion".into(), "pupils".into(), "recurs* pupils".into()] {
        let query = SearchQuery { owner: OWNER.into(), words: words.clone(), limit: PAGE, ..SearchQuery::default() };
        let mut samples = Vec::new();
        for _ in 0..REPEATS {
            let begun = Instant::now();
            let hits = store.search(query.clone()).await?;
            samples.push(begun.elapsed());
            if hits.len() != PAGE {
                return Err(format!("`{words}` found {} sessions", hits.len()).into());
            }
        }
        let time = median(&samples);
        slowest = slowest.max(time);
        each.push(format!("`{words}` {}", millis(time)));
    }
    Ok(Row::new(format!("search {SEARCHED} sessions"))
        .measured(millis(slowest))
        .ratio(each.join(", "))
        .target(format!("under {}", millis(SEARCH_MAX)), slowest < SEARCH_MAX)
        .how(format!(
            "`Store::search` for the {PAGE} best of {SEARCHED} sessions of one teacher, each with a lesson of 600 words, with \
             snippets; the slowest of a rare word, a topic, a word of nearly every lesson, and a beginning with a word."
        )))
}

/// A page of a teacher's sessions, at the end of the list and in the middle.
async fn page(store: &SqliteStore) -> Outcome<Duration> {
    let newest = SessionFilter { owner: Some(OWNER.into()), ..SessionFilter::newest(PAGE) };
    let middle = SessionFilter { until_ms: Some(SEARCHED / 2), ..newest.clone() };
    let mut samples = Vec::new();
    for repeat in 0..REPEATS * 4 {
        let filter = if repeat % 2 == 0 { newest.clone() } else { middle.clone() };
        let begun = Instant::now();
        let rows = store.sessions(filter).await?;
        samples.push(begun.elapsed());
        if rows.len() != PAGE {
            return Err("the journal does not hold what was put in".into());
        }
    }
    Ok(median(&samples))
}

fn list_row(few: Duration, many: Duration) -> Row {
    let slower = ratio(many, few);
    Row::new(format!("list a page of {LISTED} sessions of a teacher"))
        .measured(millis(many))
        .ratio(format!("{slower:.1} × of {SEARCHED} sessions"))
        .target("reads no events, no scan", slower <= SLOWER_MAX)
        .how(format!(
            "`Store::sessions` of one teacher, {PAGE} of them; met where ten times as many cost at most {SLOWER_MAX} times \
             as much."
        ))
}

/// A session of one small event.
fn small(number: u64) -> Vec<Event> {
    let input = format!("Lesson {number}");
    let plugin = "lesson-planning".to_owned();
    vec![Event::RunStarted(Box::new(RunStarted { plugin, input, owner: OWNER.into(), ..RunStarted::default() }))]
}

/// Many at a time: they are committed together.
async fn fill(store: &Arc<SqliteStore>, numbers: std::ops::Range<u64>, events: fn(u64) -> Vec<Event>) -> Outcome<()> {
    let mut numbers = numbers;
    loop {
        let some: Vec<u64> = numbers.by_ref().take(200).collect();
        if some.is_empty() {
            return Ok(());
        }
        let mut appends = JoinSet::new();
        for number in some {
            let store = Arc::clone(store);
            appends.spawn(async move {
                let (session, run) = (format!("s-{number:08}"), format!("r-{number:08}"));
                store.append(&session, &run, 0, number, events(number), Vec::new()).await.map(drop)
            });
        }
        while let Some(appended) = appends.join_next().await {
            appended??;
        }
    }
}
