//! What a surface has observed of a run: time at work, evidence that was opened, alternatives that were looked at. Data for
//! dashboards and studies, of the kinds that the run's plugin declares; no model sees it, and no replay compares it.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use ta_runtime::history;
use ta_runtime::surface::{
    Event, Observation, ObservationsMade, Record, RunRow, SessionRow, check_observations, of_surface,
};
use utoipa::ToSchema;

use super::changes::beside;
use super::runs::own_run;
use crate::error::{ApiError, Problem, Result};
use crate::repeat::key_of;
use crate::sign_in::codes::Speaker;
use crate::state::App;

/// What was observed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Observed {
    /// At most 100, of at most 4 kB each and 64 KiB together.
    observations: Vec<One>,
}

/// One observation.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct One {
    /// Of the plugin's `[observations]`.
    name: String,
    /// As the schema of that name wants it.
    #[schema(value_type = Object)]
    data: Value,
}

/// Where they are kept.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Kept {
    /// Number of their record in the session.
    seq: u64,
    /// How many they are.
    observations: usize,
}

/// Keeps what a surface has observed of a run, by its id or its session's, while it is at work, waits or is over. A request that is sent again with its
/// `Idempotency-Key` is kept once, also after a restart of the server.
#[utoipa::path(post, path = "/api/runs/{run}/observations", tag = "runs", params(("run" = String, Path)),
    request_body = Observed,
    responses((status = 201, body = Kept), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem)))]
pub(crate) async fn observe(
    State(app): State<Arc<App>>,
    speaker: Speaker,
    Path(run): Path<String>,
    headers: HeaderMap,
    Json(observed): Json<Observed>,
) -> Result<(StatusCode, Json<Kept>)> {
    let (session, run) = run_of(&app, &speaker, &run).await?;
    if session.last_run != run.id {
        let (message, hint) = ("the session has gone on after this run", "send it for the session's latest run");
        return Err(ApiError::conflict("run.finished", message, hint));
    }
    let lineage = history::lineage(&*app.store, &session.id).await?;
    let observations = declared(&lineage, &run, observed)?;
    let made = ObservationsMade { by: speaker.role().to_owned(), key: key_of(&headers).to_owned(), observations };
    let kept = |seq| (StatusCode::CREATED, Json(Kept { seq, observations: made.observations.len() }));
    if let Some(record) = earlier(&lineage, &run, &made)? {
        return Ok(kept(record.seq));
    }
    let seq = beside(&app, &session, Event::ObservationsMade(Box::new(made.clone()))).await?;
    Ok(kept(seq))
}

/// The run, where this speaker may have it: a teacher's own, or one of the session that a code opens. A session's id stands for
/// its latest run: whoever has a code knows no other.
async fn run_of(app: &App, speaker: &Speaker, id: &str) -> Result<(SessionRow, RunRow)> {
    let latest = app.store.session(id).await?.map(|session| session.last_run);
    let (session, run) = own_run(app, latest.as_deref().unwrap_or(id), speaker.owner()).await?;
    match speaker {
        Speaker::Code(code) if code.session.as_deref() != Some(&*session.id) => Err(ApiError::not_found("such run")),
        Speaker::Code(_) | Speaker::Teacher(_) => Ok((session, run)),
    }
}

/// The observations as the run's plugin declares them.
fn declared(lineage: &[Record], run: &RunRow, observed: Observed) -> Result<Vec<Observation>> {
    let machine = history::machine(lineage, &run.id);
    let known = &machine.start().observations;
    let hint = "look at `[observations]` of the plugin's manifest, and at the schemas that it names";
    let wrong = |why: String| ApiError::bad("observation.refused", why, hint);
    if observed.observations.is_empty() {
        return Err(wrong("no observation was sent".to_owned()));
    }
    let made = observed.observations.into_iter().map(|One { name, data }| of_surface(known, &name, &data));
    let made = made.collect::<std::result::Result<Vec<_>, String>>().map_err(wrong)?;
    check_observations(known, &made).map_err(wrong)?;
    Ok(made)
}

/// The record of the same request, where it was sent before.
fn earlier<'a>(lineage: &'a [Record], run: &RunRow, made: &ObservationsMade) -> Result<Option<&'a Record>> {
    let before = lineage.iter().filter(|record| record.run == run.id).find_map(|record| match &record.event {
        Event::ObservationsMade(earlier) if (&earlier.key, &earlier.by) == (&made.key, &made.by) => {
            Some((record, earlier))
        }
        _ => None,
    });
    match before {
        Some((_, earlier)) if earlier.observations != made.observations => {
            let message = "this Idempotency-Key was used for other observations";
            Err(ApiError::conflict("request.key_reused", message, "send a new one with each new change"))
        }
        before => Ok(before.map(|(record, _)| record)),
    }
}
