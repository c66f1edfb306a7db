//! What a person does to a session as a whole: name it, delete it, put it back, fork it, take an answer back.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use ta_runtime::host::now_ms;
use ta_runtime::surface::{Event, SessionDeleted, SessionRenamed, SessionRestored, SessionRow};
use ta_runtime::{ForkRequest, memory, standing, undo};
use utoipa::ToSchema;

use crate::error::{ApiError, Problem, Result};
use crate::hub;
use crate::limits::TITLE_CHARS_MAX;
use crate::live::{Desk, Job, begin};
use crate::sign_in::Teacher;
use crate::state::App;
use crate::wire::SessionLine;

/// Tries against a run that appends meanwhile.
const TRIES: usize = 50;
/// How long a run may take to be parked.
const PARK_TIMEOUT: Duration = Duration::from_secs(10);

/// Another title.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rename {
    title: String,
}

/// Gives a session another title.
#[utoipa::path(patch, path = "/api/sessions/{id}", tag = "sessions", params(("id" = String, Path)), request_body = Rename,
    responses((status = 200, body = SessionLine), (status = 404, body = Problem)))]
pub(crate) async fn rename(
    State(app): State<Arc<App>>,
    Teacher(who): Teacher,
    Path(id): Path<String>,
    Json(rename): Json<Rename>,
) -> Result<Json<SessionLine>> {
    let row = app.own_session(&id, &who.owner).await?;
    let title = rename.title.split_whitespace().collect::<Vec<_>>().join(" ");
    if title.is_empty() || title.chars().count() > TITLE_CHARS_MAX {
        let message = format!("a title has 1 to {TITLE_CHARS_MAX} characters");
        return Err(ApiError::bad("session.title", message, "shorten it"));
    }
    let by = memory::PERSON.to_owned();
    beside(&app, &row, Event::SessionRenamed(SessionRenamed { title, by })).await?;
    App::tell_waiting(&app, &who.owner);
    let row = app.own_session(&id, &who.owner).await?;
    Ok(Json(app.as_it_stands(row).into()))
}

/// Takes a session out of the lists. Its run is parked; nothing of it is lost.
#[utoipa::path(delete, path = "/api/sessions/{id}", tag = "sessions", params(("id" = String, Path)),
    responses((status = 204), (status = 404, body = Problem)))]
pub(crate) async fn delete(
    State(app): State<Arc<App>>,
    Teacher(who): Teacher,
    Path(id): Path<String>,
) -> Result<StatusCode> {
    let row = app.own_session(&id, &who.owner).await?;
    parked(&app, &id).await?;
    if row.deleted_ms.is_none() {
        take_out(&app, &row, memory::PERSON).await?;
    }
    App::tell_waiting(&app, &who.owner);
    Ok(StatusCode::NO_CONTENT)
}

async fn take_out(app: &App, row: &SessionRow, by: &str) -> Result<()> {
    beside(app, row, Event::SessionDeleted(SessionDeleted { by: by.to_owned() })).await.map(drop)
}

/// Puts a session back into the lists.
#[utoipa::path(post, path = "/api/sessions/{id}/restore", tag = "sessions", params(("id" = String, Path)),
    responses((status = 200, body = SessionLine), (status = 404, body = Problem)))]
pub(crate) async fn restore(
    State(app): State<Arc<App>>,
    Teacher(who): Teacher,
    Path(id): Path<String>,
) -> Result<Json<SessionLine>> {
    let row = app.own_session(&id, &who.owner).await?;
    if row.deleted_ms.is_some() {
        let by = memory::PERSON.to_owned();
        beside(&app, &row, Event::SessionRestored(SessionRestored { by })).await?;
    }
    App::tell_waiting(&app, &who.owner);
    let row = app.own_session(&id, &who.owner).await?;
    Ok(Json(app.as_it_stands(row).into()))
}

/// Appends an event beside whatever run the session has; answers with the number of its record.
pub(super) async fn beside(app: &App, row: &SessionRow, event: Event) -> Result<u64> {
    let _one_at_a_time = app.changing.lock().await;
    for _ in 0..TRIES {
        let last = app.store.last_seq(&row.id).await?;
        match app.store.append(&row.id, &row.last_run, last, now_ms(), vec![event.clone()], Vec::new()).await {
            Err(error) if error.code() == "store.conflict" => {}
            appended => {
                let mut seq = last;
                for record in appended? {
                    seq = record.seq;
                    app.hub.to_session(&row.id, || hub::record(&record));
                }
                return Ok(seq);
            }
        }
    }
    let hint = "wait until its run is done with what it does, and try again";
    Err(ApiError::conflict("session.busy", "the session is being written all the time", hint))
}

/// Stops the run of a session and waits until it is parked.
async fn parked(app: &App, session: &str) -> Result<()> {
    let Some(live) = app.live.of(session) else { return Ok(()) };
    live.stop();
    tokio::time::timeout(PARK_TIMEOUT, live.over()).await.map_err(|_| {
        let hint = "wait a moment and try again";
        ApiError::conflict("session.busy", "the run of this session does not stop", hint)
    })
}

/// Where a fork begins.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Fork {
    /// Number of the last record that is shared.
    at: u64,
}

/// A fork that is at work.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Forked {
    session: String,
    run: String,
    /// Files that were changed after the point from which it goes on, and still stand as changed.
    changed: Vec<String>,
}

/// Makes a session of its own that shares the past up to a record, and goes on from there.
#[utoipa::path(post, path = "/api/sessions/{id}/fork", tag = "sessions", params(("id" = String, Path)), request_body = Fork,
    responses((status = 202, body = Forked), (status = 400, body = Problem), (status = 404, body = Problem)))]
pub(crate) async fn fork(
    State(app): State<Arc<App>>,
    Teacher(who): Teacher,
    Path(id): Path<String>,
    Json(fork): Json<Fork>,
) -> Result<(StatusCode, Json<Forked>)> {
    let row = app.own_session(&id, &who.owner).await?;
    // The run that the record is of: the session may have gone on with others since.
    let runs = app.store.runs(&row.id).await?;
    let run = runs.into_iter().rev().find(|run| run.first_seq <= fork.at).map_or(row.last_run, |run| run.id);
    let request = ForkRequest { run, at: fork.at, ..ForkRequest::default() };
    let changed = standing::of_fork(&app.host, &request).await?.into_iter().map(|file| file.path).collect();
    let begun = begin(&app, &who.owner, Job::Fork(Box::new(request)), Desk::default()).await?;
    Ok((StatusCode::ACCEPTED, Json(Forked { session: begun.session, run: begun.run, changed })))
}

/// What taking an answer back came to.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TakenBack {
    /// The session that goes on from before the answer.
    session: String,
    run: String,
    /// Title of the question that is asked again.
    question: String,
    /// Notes that the answer had led to, taken out of memory again.
    forgotten: Vec<String>,
    /// Files that were changed after that answer and still stand as changed.
    changed: Vec<String>,
    /// Where the run had saved its output; the file stays.
    #[serde(skip_serializing_if = "Option::is_none")]
    saved: Option<String>,
}

/// Takes back the last answer: a session of its own goes on from before it. One that had not come to its end is taken out
/// of the lists, so that its question does not wait twice.
#[utoipa::path(post, path = "/api/sessions/{id}/undo", tag = "sessions", params(("id" = String, Path)),
    responses((status = 202, body = TakenBack), (status = 409, body = Problem), (status = 404, body = Problem)))]
pub(crate) async fn take_back(
    State(app): State<Arc<App>>,
    Teacher(who): Teacher,
    Path(id): Path<String>,
) -> Result<(StatusCode, Json<TakenBack>)> {
    app.own_session(&id, &who.owner).await?;
    parked(&app, &id).await?;
    let undone = undo::undo(&app.host, &id, &who.owner).await?;
    let request = ForkRequest { run: undone.run, at: undone.at, ..ForkRequest::default() };
    let begun = begin(&app, &who.owner, Job::Fork(Box::new(request)), Desk::default()).await?;
    let row = app.own_session(&id, &who.owner).await?;
    if row.state != ta_runtime::surface::State::Finished && row.deleted_ms.is_none() {
        take_out(&app, &row, "undo").await?;
    }
    let (question, forgotten, saved) = (undone.question, undone.forgotten, undone.saved);
    let changed = undone.changed.into_iter().map(|file| file.path).collect();
    let back = TakenBack { session: begun.session, run: begun.run, question, forgotten, changed, saved };
    Ok((StatusCode::ACCEPTED, Json(back)))
}
