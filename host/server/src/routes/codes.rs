//! Access codes of a flow: given, listed and revoked by a teacher; what a code opens, for whoever has it.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use ta_runtime::codes;
use ta_runtime::flows::{self, FlowName};
use ta_runtime::host::now_ms;
use ta_runtime::plugin::{self, Plugin};
use ta_runtime::surface::{CodeChange, CodeFilter, CodeRow};
use utoipa::ToSchema;

use crate::error::{ApiError, Problem, Result};
use crate::limits::{CODE_DAYS, CODE_DAYS_MAX, CODE_SUBJECT_CHARS_MAX, CODES_AT_ONCE_MAX};
use crate::sign_in::Teacher;
use crate::sign_in::codes::Speaker;
use crate::sign_in::secret;
use crate::state::App;

/// Milliseconds of a day.
const DAY_MS: u64 = 24 * 60 * 60 * 1_000;

/// Codes to give.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewCodes {
    /// How many: one for each person.
    count: usize,
    /// For how many days they are good; 30 where nothing is said.
    days: Option<u64>,
    /// What they are for, such as a class. Never a name.
    subject: Option<String>,
}

/// A code that was given. The code itself is told here and never again.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GivenCode {
    /// By what it is listed and revoked.
    id: String,
    /// What opens a session.
    code: String,
    /// When it ends, in milliseconds since 1970-01-01 UTC.
    expires_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<String>,
}

/// A flow whose sessions are opened by codes.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FlowLine {
    plugin: String,
    flow: String,
    /// The role of whoever has a code.
    role: String,
    /// What the command does that begins a session.
    description: String,
}

/// The flows whose sessions are opened by codes.
#[utoipa::path(get, path = "/api/flows", tag = "flows", responses((status = 200, body = [FlowLine])))]
pub(crate) async fn flows(State(app): State<Arc<App>>, _: Teacher) -> Result<Json<Vec<FlowLine>>> {
    let directory = app.host.config.plugins.as_deref();
    let mut lines = Vec::new();
    for Plugin { manifest, commands, .. } in plugin::all(directory, &mut Vec::new())? {
        for (flow, entry) in manifest.flows {
            let Some(role) = entry.codes else { continue };
            let name = FlowName { plugin: manifest.name.clone(), flow };
            let begins = flows::command(directory, &name).ok().and_then(|command| commands.get(&command));
            let Some(begins) = begins else { continue };
            let description = begins.description.clone();
            lines.push(FlowLine { plugin: name.plugin, flow: name.flow, role, description });
        }
    }
    Ok(Json(lines))
}

/// Gives codes, each of which opens one session of the flow.
#[utoipa::path(post, path = "/api/flows/{plugin}/{flow}/codes", tag = "flows", request_body = NewCodes,
    params(("plugin" = String, Path), ("flow" = String, Path)),
    responses((status = 200, body = [GivenCode]), (status = 400, body = Problem), (status = 404, body = Problem)))]
pub(crate) async fn give(
    State(app): State<Arc<App>>,
    Teacher(who): Teacher,
    Path((plugin, flow)): Path<(String, String)>,
    Json(new): Json<NewCodes>,
) -> Result<Json<Vec<GivenCode>>> {
    let flow = FlowName { plugin, flow };
    let role = flows::role_of_codes(app.host.config.plugins.as_deref(), &flow)?;
    let days = new.days.unwrap_or(CODE_DAYS);
    let subject = new.subject.map(|subject| subject.trim().to_owned()).filter(|subject| !subject.is_empty());
    let long = subject.as_ref().is_some_and(|subject| subject.chars().count() > CODE_SUBJECT_CHARS_MAX);
    if !(1..=CODES_AT_ONCE_MAX).contains(&new.count) || !(1..=CODE_DAYS_MAX).contains(&days) || long {
        let message = format!(
            "codes are given 1 to {CODES_AT_ONCE_MAX} at once, for 1 to {CODE_DAYS_MAX} days, with a subject of at most \
             {CODE_SUBJECT_CHARS_MAX} characters"
        );
        return Err(ApiError::bad(
            "usage.input",
            message,
            "send such as {\"count\": 30, \"days\": 30, \"subject\": \"3B\"}",
        ));
    }
    let created_ms = now_ms();
    let expires_ms = created_ms.saturating_add(days.saturating_mul(DAY_MS));
    let (mut rows, mut given) = (Vec::new(), Vec::new());
    for _ in 0..new.count {
        let (id, code) = (secret::id()?, codes::written(&secret::bits()?));
        rows.push(CodeRow {
            id: id.clone(),
            sha256: codes::digest(&code).unwrap_or_default(),
            owner: who.owner.clone(),
            opens: codes::opens(&flow),
            role: role.clone(),
            subject: subject.clone(),
            created_ms,
            expires_ms,
            revoked_ms: None,
            session: None,
        });
        given.push(GivenCode { id, code, expires_ms, subject: subject.clone() });
    }
    app.store.add_codes(rows).await?;
    Ok(Json(given))
}

/// A code, without what opens anything.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct CodeLine {
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<String>,
    /// When it was given, in milliseconds since 1970-01-01 UTC.
    created_ms: u64,
    /// When it ends, in milliseconds since 1970-01-01 UTC.
    expires_ms: u64,
    /// When it was revoked, in milliseconds since 1970-01-01 UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    revoked_ms: Option<u64>,
    /// The session that it opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<String>,
    /// Whether it opens its session now.
    good: bool,
}

/// The codes of this teacher for the flow, the first given first.
#[utoipa::path(get, path = "/api/flows/{plugin}/{flow}/codes", tag = "flows",
    params(("plugin" = String, Path), ("flow" = String, Path)), responses((status = 200, body = [CodeLine])))]
pub(crate) async fn list(
    State(app): State<Arc<App>>,
    Teacher(who): Teacher,
    Path((plugin, flow)): Path<(String, String)>,
) -> Result<Json<Vec<CodeLine>>> {
    let opens = codes::opens(&FlowName { plugin, flow });
    let rows = app.store.codes(CodeFilter::Of { owner: who.owner, opens: Some(opens) }).await?;
    let line = |row: CodeRow| CodeLine {
        good: codes::check(&row, now_ms()).is_ok(),
        id: row.id,
        subject: row.subject,
        created_ms: row.created_ms,
        expires_ms: row.expires_ms,
        revoked_ms: row.revoked_ms,
        session_id: row.session,
    };
    Ok(Json(rows.into_iter().map(line).collect()))
}

/// Revokes a code: it opens nothing any more, from the next request on. Its session stays.
#[utoipa::path(delete, path = "/api/flows/{plugin}/{flow}/codes/{code}", tag = "flows",
    params(("plugin" = String, Path), ("flow" = String, Path), ("code" = String, Path)),
    responses((status = 204), (status = 404, body = Problem)))]
pub(crate) async fn revoke(
    State(app): State<Arc<App>>,
    Teacher(who): Teacher,
    Path((plugin, flow, code)): Path<(String, String, String)>,
) -> Result<StatusCode> {
    let opens = codes::opens(&FlowName { plugin, flow });
    let found = app.store.codes(CodeFilter::Id(code)).await?.into_iter().next();
    let own = found.filter(|row| row.owner == who.owner && row.opens == opens);
    let own = own.ok_or_else(|| ApiError::not_found("such access code"))?;
    app.store.change_code(&own.id, CodeChange::Revoke { at_ms: now_ms() }).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// What a code opens.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OpenedByCode {
    plugin: String,
    flow: String,
    /// The flow's shorter address, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    address: Option<String>,
    /// In which role one speaks.
    role: String,
    /// The session, once it has begun.
    #[serde(skip_serializing_if = "Option::is_none")]
    session_id: Option<String>,
    /// When the code ends, in milliseconds since 1970-01-01 UTC.
    expires_ms: u64,
}

/// What the code of this request opens.
#[utoipa::path(get, path = "/api/code", tag = "flows",
    responses((status = 200, body = OpenedByCode), (status = 401, body = Problem), (status = 404, body = Problem)))]
pub(crate) async fn opened(State(app): State<Arc<App>>, speaker: Speaker) -> Result<Json<OpenedByCode>> {
    let missing = || ApiError::not_found("access code with this request");
    let Speaker::Code(code) = speaker else { return Err(missing()) };
    let flow = codes::flow(&code).ok_or_else(missing)?;
    let address = app.addresses.iter().find(|(_, of)| **of == flow).map(|(name, _)| name.clone());
    let begun = match &code.session {
        Some(id) => app.store.session(id).await?.map(|row| row.id),
        None => None,
    };
    let FlowName { plugin, flow } = flow;
    let (role, expires_ms) = (code.role, code.expires_ms);
    Ok(Json(OpenedByCode { plugin, flow, address, role, session_id: begun, expires_ms }))
}
