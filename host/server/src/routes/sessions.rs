//! Sessions: the list, one of them, its records.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use serde::{Deserialize, Serialize};
use ta_runtime::history;
use ta_runtime::surface::{About, Cursor, Record, SearchQuery, SessionFilter};
use utoipa::{IntoParams, ToSchema};

use crate::error::{ApiError, Problem, Result};
use crate::limits::ROWS_MAX;
use crate::sign_in::Teacher;
use crate::state::App;
use crate::wire::{RecordSchema, RunLine, SessionLine};

/// Rows of a page where nothing is said.
const ROWS: usize = 50;

/// Which sessions.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Wanted {
    /// Words that must occur; the best fit first then, without pages.
    q: Option<String>,
    plugin: Option<String>,
    /// Only sessions about this, such as a class.
    subject: Option<String>,
    /// Created then or later.
    since_ms: Option<u64>,
    /// Created then or earlier.
    until_ms: Option<u64>,
    /// `next` of the page before.
    after: Option<String>,
    limit: Option<usize>,
}

/// A page of sessions.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct SessionPage {
    sessions: Vec<SessionLine>,
    /// Where the next page begins; none where this is the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

/// Sessions of this teacher, the newest first.
#[utoipa::path(get, path = "/api/sessions", tag = "sessions", params(Wanted),
    responses((status = 200, body = SessionPage), (status = 400, body = Problem)))]
pub(crate) async fn list(
    State(app): State<Arc<App>>,
    Teacher(who): Teacher,
    Query(wanted): Query<Wanted>,
) -> Result<Json<SessionPage>> {
    let limit = wanted.limit.unwrap_or(ROWS).clamp(1, ROWS_MAX);
    if let Some(words) = wanted.q.filter(|words| !words.trim().is_empty()) {
        let query = SearchQuery {
            owner: who.owner,
            words,
            plugin: wanted.plugin,
            subject: wanted.subject.map(About::id),
            since_ms: wanted.since_ms,
            until_ms: wanted.until_ms,
            limit,
        };
        let hits = app.store.search(query).await.map_err(|error| match error.code() {
            "store.bad_query" => ApiError::bad(error.code(), error.to_string(), error.hint()),
            _ => error.into(),
        })?;
        let sessions = hits.into_iter().map(|hit| {
            let line = SessionLine::from(app.as_it_stands(hit.session));
            SessionLine { hits: Some(vec![hit.snippet]), ..line }
        });
        return Ok(Json(SessionPage { sessions: sessions.collect(), next: None }));
    }
    let after = wanted.after.map(|text| text.parse::<Cursor>()).transpose();
    let after = after.map_err(|why| ApiError::bad("request.cursor", why, "take `next` of the page before"))?;
    let filter = SessionFilter {
        plugin: wanted.plugin,
        owner: Some(who.owner),
        subject: wanted.subject.map(About::id),
        since_ms: wanted.since_ms,
        until_ms: wanted.until_ms,
        after,
        ..SessionFilter::newest(limit + 1)
    };
    let mut rows = app.store.sessions(filter).await?;
    let more = rows.len() > limit;
    rows.truncate(limit);
    let next = rows.last().filter(|_| more).map(|row| row.cursor().to_string());
    let sessions = rows.into_iter().map(|row| app.as_it_stands(row).into()).collect();
    Ok(Json(SessionPage { sessions, next }))
}

/// A session with its runs.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OneSession {
    session: SessionLine,
    /// The first one first.
    runs: Vec<RunLine>,
    /// For a session that began as a fork: the records that it shares, which come before its own.
    #[schema(value_type = Vec<RecordSchema>)]
    shared: Vec<Record>,
    /// Number of its last record.
    last_seq: u64,
    /// Whether a run of it is at work.
    live: bool,
}

/// One session.
#[utoipa::path(get, path = "/api/sessions/{id}", tag = "sessions", params(("id" = String, Path)),
    responses((status = 200, body = OneSession), (status = 404, body = Problem)))]
pub(crate) async fn one(
    State(app): State<Arc<App>>,
    Teacher(who): Teacher,
    Path(id): Path<String>,
) -> Result<Json<OneSession>> {
    let row = app.own_session(&id, &who.owner).await?;
    let runs = app.store.runs(&id).await?;
    let last_seq = app.store.last_seq(&id).await?;
    let mut shared = history::lineage(&*app.store, &id).await?;
    shared.retain(|record| record.session != id);
    let live = app.live.of(&id).is_some();
    let stands = |run: &ta_runtime::surface::RunRow| {
        if run.id == row.last_run { app.state_of(&id, run.state) } else { run.state }
    };
    let runs = runs.into_iter().map(|run| {
        let state = stands(&run);
        RunLine::of(run, state)
    });
    let runs = runs.collect();
    Ok(Json(OneSession { session: app.as_it_stands(row).into(), runs, shared, last_seq, live }))
}

/// From where.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Page {
    /// Number of the last record that is known already.
    after: Option<u64>,
    limit: Option<usize>,
}

/// The session's own records, in order.
#[utoipa::path(get, path = "/api/sessions/{id}/records", tag = "sessions", params(("id" = String, Path), Page),
    responses((status = 200, body = [RecordSchema]), (status = 404, body = Problem)))]
pub(crate) async fn records(
    State(app): State<Arc<App>>,
    Teacher(who): Teacher,
    Path(id): Path<String>,
    Query(page): Query<Page>,
) -> Result<Json<Vec<Record>>> {
    app.own_session(&id, &who.owner).await?;
    let limit = page.limit.unwrap_or(ROWS_MAX).clamp(1, ROWS_MAX);
    Ok(Json(app.store.read(&id, page.after.unwrap_or(0), limit).await?))
}
