//! What a person says to a flow that waits for them.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::Deserialize;
use ta_runtime::history;
use utoipa::ToSchema;

use super::runs::{Accepted, own_run};
use crate::error::{ApiError, Problem, Result};
use crate::limits::TEXT_CHARS_MAX;
use crate::live::{Desk, Job, at_rest, begin};
use crate::sign_in::Teacher;
use crate::state::App;

/// What a person says.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Words {
    text: String,
    /// Number of the last record that the person has seen: words that were meant for another place are refused.
    after: u64,
}

/// Says something to the flow that waits. Answers when the run goes on; what the flow shows comes over the stream.
#[utoipa::path(post, path = "/api/runs/{run}/say", tag = "runs", params(("run" = String, Path)), request_body = Words,
    responses((status = 202, body = super::runs::AtWork), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem)))]
pub(crate) async fn say(
    State(app): State<Arc<App>>,
    Teacher(who): Teacher,
    Path(run): Path<String>,
    Json(words): Json<Words>,
) -> Result<Accepted> {
    let (session, run) = own_run(&app, &run, &who.owner).await?;
    if words.text.trim().is_empty() || words.text.chars().count() > TEXT_CHARS_MAX {
        let message = format!("what is said has 1 to {TEXT_CHARS_MAX} characters");
        return Err(ApiError::bad("usage.input", message, "say something shorter, or anything at all"));
    }
    at_rest(&app, &session.id).await?;
    if app.live.of(&session.id).is_some() {
        let (message, hint) = ("the flow is still at work on what was said before", "wait until it has answered");
        return Err(ApiError::conflict("session.busy", message, hint));
    }
    let lineage = history::lineage(&*app.store, &session.id).await?;
    // What a surface observes meanwhile stands beside the run, and changes nothing of what was shown.
    let own = lineage.iter().filter(|record| record.session == session.id);
    let since = own.filter(|record| record.seq > words.after).any(|record| !record.event.beside_runs());
    if since || app.store.last_seq(&session.id).await? < words.after {
        let (message, hint) = ("the session has gone on since", "look at what was shown, and say it again");
        return Err(ApiError::conflict("message.stale", message, hint));
    }
    if session.last_run != run.id || history::machine(&lineage, &run.id).listening().is_none() {
        let (message, hint) = ("the run does not wait for words", "look at what it waits for, or begin another");
        return Err(ApiError::conflict("run.not_listening", message, hint));
    }
    let begun = begin(&app, &who.owner, Job::Say(session.id, words.text), Desk::default()).await?;
    Ok((StatusCode::ACCEPTED, Json(begun.into())))
}
