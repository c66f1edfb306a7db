//! Starting, stopping and going on with runs.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use ta_runtime::RunRequest;
use ta_runtime::models::Asked;
use ta_runtime::surface::{RunRow, SessionRow, State as RunState};
use utoipa::ToSchema;

use crate::error::{ApiError, Problem, Result};
use crate::limits::INPUT_CHARS_MAX;
use crate::live::{Begun, Desk, Job, begin};
use crate::sign_in::Teacher;
use crate::state::App;

/// A run to start.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewRun {
    plugin: String,
    command: String,
    /// The request, such as `iteration for 3B`.
    input: String,
    /// The session to go on with; none begins one.
    session: Option<String>,
    /// Another provider than the agent's. Without one a request in a session goes where the last one went over a network.
    provider: Option<String>,
    /// Another model.
    model: Option<String>,
    /// US dollars at the most.
    max_budget_usd: Option<f64>,
    /// Whether it runs without memory.
    no_memory: Option<bool>,
}

/// A run that is at work.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct AtWork {
    pub(crate) session: String,
    pub(crate) run: String,
}

impl From<Begun> for AtWork {
    fn from(begun: Begun) -> Self {
        Self { session: begun.session, run: begun.run }
    }
}

/// Answers 202.
pub(crate) type Accepted = (StatusCode, Json<AtWork>);

/// Starts a run. Answers when its first event is in the journal.
#[utoipa::path(post, path = "/api/runs", tag = "runs", request_body = NewRun,
    responses((status = 202, body = AtWork), (status = 409, body = Problem), (status = 422, body = Problem)))]
pub(crate) async fn begin_run(
    State(app): State<Arc<App>>,
    Teacher(who): Teacher,
    Json(new): Json<NewRun>,
) -> Result<Accepted> {
    check_input(&new.input)?;
    if let Some(session) = &new.session {
        app.own_session(session, &who.owner).await?;
    }
    if new.max_budget_usd.is_some_and(|usd| !usd.is_finite() || usd < 0.0) {
        return Err(ApiError::bad("budget.value", "a budget is a sum in US dollars, 0 or more", "mend max_budget_usd"));
    }
    let request = RunRequest {
        plugin: new.plugin,
        command: new.command,
        input: new.input,
        session: new.session,
        asked: Asked { provider: new.provider, model: new.model, ..Asked::default() },
        max_budget_usd: new.max_budget_usd,
        owner: Some(who.owner.clone()),
        no_memory: new.no_memory.unwrap_or(false),
        ..RunRequest::default()
    };
    let begun = begin(&app, &who.owner, Job::Start(Box::new(request)), Desk::default()).await?;
    Ok((StatusCode::ACCEPTED, Json(begun.into())))
}

pub(crate) fn check_input(input: &str) -> Result<()> {
    if input.trim().is_empty() || input.chars().count() > INPUT_CHARS_MAX {
        let message = format!("a request has 1 to {INPUT_CHARS_MAX} characters");
        return Err(ApiError::bad("usage.input", message, "say what you want, such as `iteration for 3B`"));
    }
    Ok(())
}

/// A run of this teacher with its session; another's is not told apart from none.
pub(crate) async fn own_run(app: &App, run: &str, teacher: &str) -> Result<(SessionRow, RunRow)> {
    let missing = || ApiError::not_found("such run");
    let run = app.store.run(run).await?.ok_or_else(missing)?;
    let session = app.own_session(&run.session, teacher).await.map_err(|_| missing())?;
    Ok((session, run))
}

/// Stops a run: it is parked.
#[utoipa::path(post, path = "/api/runs/{run}/stop", tag = "runs", params(("run" = String, Path)),
    responses((status = 202), (status = 404, body = Problem)))]
pub(crate) async fn stop(
    State(app): State<Arc<App>>,
    Teacher(who): Teacher,
    Path(run): Path<String>,
) -> Result<StatusCode> {
    let (session, _) = own_run(&app, &run, &who.owner).await?;
    if session.last_run == run
        && let Some(live) = app.live.of(&session.id)
    {
        live.stop();
    }
    Ok(StatusCode::ACCEPTED)
}

/// Goes on with a run that waits. One that is at work already is left at it.
#[utoipa::path(post, path = "/api/runs/{run}/resume", tag = "runs", params(("run" = String, Path)),
    responses((status = 202, body = AtWork), (status = 404, body = Problem), (status = 409, body = Problem)))]
pub(crate) async fn resume(
    State(app): State<Arc<App>>,
    Teacher(who): Teacher,
    Path(run): Path<String>,
) -> Result<Accepted> {
    let (session, run) = own_run(&app, &run, &who.owner).await?;
    if session.last_run != run.id {
        let (message, hint) = ("the session has gone on after this run", "go on with its latest run");
        return Err(ApiError::conflict("run.finished", message, hint));
    }
    if run.state != RunState::Finished && app.live.of(&session.id).is_some() {
        return Ok((StatusCode::ACCEPTED, Json(AtWork { session: session.id, run: run.id })));
    }
    let begun = begin(&app, &who.owner, Job::Resume(session.id), Desk::default()).await?;
    Ok((StatusCode::ACCEPTED, Json(begun.into())))
}
