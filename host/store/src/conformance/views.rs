//! Rows of sessions and runs, as their events make them.

use std::sync::Arc;

use ta_core::event::Status;
use ta_core::hook::Subject;

use super::{Outcome, Wrong, answered, called, finished, parked, resumed, same, started};
use crate::limits::TITLE_CHARS_MAX;
use crate::rows::{RunRow, SessionRow, State};
use crate::store::{SessionFilter, Store};

/// A session of one run that began at 100 ms.
fn begun() -> SessionRow {
    SessionRow {
        id: "s-1".into(),
        plugin: "teacher".into(),
        command: "plan".into(),
        agent: "planner".into(),
        subject: Some(Subject { kind: "class".into(), id: "3B".into() }),
        owner: String::new(),
        title: "iteration for 3B".into(),
        created_ms: 100,
        updated_ms: 100,
        runs: 1,
        state: State::Running,
        last_status: None,
        last_run: "r-1".into(),
        forked_from: None,
        deleted_ms: None,
        due_ms: None,
    }
}

async fn begin(store: &dyn Store) -> Outcome {
    store.append("s-1", "r-1", 0, 100, vec![started("teacher", "plan", "iteration for 3B")], vec![]).await?;
    same("a session that began", &session(store).await?, &begun())
}

pub(super) async fn session_follows(store: Arc<dyn Store>) -> Outcome {
    begin(&*store).await?;
    store.append("s-1", "r-1", 1, 200, vec![called(1), parked()], vec![]).await?;
    let waits = SessionRow { state: State::Parked, updated_ms: 200, ..begun() };
    same("a session that waits", &session(&*store).await?, &waits)?;
    store.append("s-1", "r-1", 3, 300, vec![resumed()], vec![]).await?;
    let goes_on = SessionRow { updated_ms: 300, ..begun() };
    same("a session that goes on", &session(&*store).await?, &goes_on)?;
    store.append("s-1", "r-1", 4, 400, vec![finished(Status::ErrorMaxTurns)], vec![]).await?;
    let last_status = Some("error_max_turns".into());
    let over = SessionRow { state: State::Finished, updated_ms: 400, last_status, ..begun() };
    same("a session whose run is over", &session(&*store).await?, &over)
}

pub(super) async fn session_has_runs(store: Arc<dyn Store>) -> Outcome {
    begin(&*store).await?;
    store.append("s-1", "r-1", 1, 200, vec![finished(Status::Success)], vec![]).await?;
    store.append("s-1", "r-2", 2, 300, vec![started("other", "revise", "shorter")], vec![]).await?;
    let (last_status, last_run) = (Some("success".into()), "r-2".into());
    let expected = SessionRow { updated_ms: 300, runs: 2, last_status, last_run, ..begun() };
    same("a session with another run", &session(&*store).await?, &expected)?;
    same("the list", &store.sessions(SessionFilter::newest(10)).await?, &vec![expected])?;
    let runs = store.runs("s-1").await?.into_iter().map(|run| format!("{} {} {}", run.id, run.command, run.state));
    same("its runs", &runs.collect::<Vec<_>>(), &vec!["r-1 plan finished", "r-2 revise running"])
}

pub(super) async fn run_adds_up(store: Arc<dyn Store>) -> Outcome {
    let first = vec![started("teacher", "plan", "i"), called(1), answered(1, 100, 10, 0.25)];
    store.append("s-1", "r-1", 0, 100, first, vec![]).await?;
    let second = vec![called(2), answered(2, 200, 20, 0.5), called(3), finished(Status::Success)];
    store.append("s-1", "r-1", 3, 900, second, vec![]).await?;
    let mut expected = RunRow {
        id: "r-1".into(),
        session: "s-1".into(),
        command: "plan".into(),
        state: State::Finished,
        status: Some("success".into()),
        started_ms: 100,
        ended_ms: Some(900),
        first_seq: 1,
        last_seq: 7,
        turns: 2,
        input_tokens: 300,
        output_tokens: 30,
        cost_usd: 0.75,
    };
    same("a run", &run(&*store).await?, &expected)?;
    // More tokens than there are numbers, more money than there is.
    let absurd = [u64::MAX, 1].map(|tokens| answered(2, tokens, tokens, f64::MAX)).to_vec();
    store.append("s-1", "r-1", 7, 900, absurd, vec![]).await?;
    let most = i64::MAX.unsigned_abs();
    expected = RunRow { last_seq: 9, input_tokens: most, output_tokens: most, cost_usd: f64::MAX, ..expected };
    same("sums that end somewhere", &run(&*store).await?, &expected)?;
    same("no run", &store.run("r-2").await?, &None)?;
    same("runs of no session", &store.runs("s-2").await?, &Vec::new())
}

pub(super) async fn cuts_titles(store: Arc<dyn Store>) -> Outcome {
    store.append("s-1", "r-1", 0, 100, vec![started("p", "c", &"é𝄞".repeat(TITLE_CHARS_MAX))], vec![]).await?;
    same("the title", &session(&*store).await?.title, &"é𝄞".repeat(TITLE_CHARS_MAX / 2))
}

pub(super) async fn rebuilds(store: Arc<dyn Store>) -> Outcome {
    let events = vec![started("teacher", "plan", "i"), answered(1, 100, 10, 0.1), parked()];
    store.append("s-1", "r-1", 0, 300, events, vec![]).await?;
    store.append("s-2", "r-2", 0, 200, vec![started("tutor", "talk", "j")], vec![]).await?;
    store.append("s-1", "r-3", 3, 100, vec![called(1), answered(1, 1, 1, 0.2)], vec![]).await?;
    let before = (store.sessions(SessionFilter::newest(10)).await?, store.runs("s-1").await?);
    store.rebuild_views().await?;
    let after = (store.sessions(SessionFilter::newest(10)).await?, store.runs("s-1").await?);
    same("rows made again", &after, &before)?;
    store.append("s-1", "r-3", 5, 100, vec![finished(Status::Success)], vec![]).await?;
    same("a row that goes on", &session(&*store).await?.state, &State::Finished)
}

async fn session(store: &dyn Store) -> Result<SessionRow, Wrong> {
    store.session("s-1").await?.ok_or_else(|| Wrong("there is no session `s-1`".into()))
}

async fn run(store: &dyn Store) -> Result<RunRow, Wrong> {
    store.run("r-1").await?.ok_or_else(|| Wrong("there is no run `r-1`".into()))
}
