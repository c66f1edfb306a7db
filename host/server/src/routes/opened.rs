//! The sessions of a flow that a teacher's codes have opened, side by side: where each stands, and what the flow shows of it.
//! They stand in the order in which their codes were given, whatever they hold: nothing here ranks anybody.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use futures::{StreamExt as _, TryStreamExt as _};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use ta_runtime::codes;
use ta_runtime::flows::{FlowName, FlowSession};
use ta_runtime::host::now_ms;
use ta_runtime::surface::{CodeFilter, CodeRow, SessionRow};
use utoipa::{IntoParams, ToSchema};

use crate::error::Result;
use crate::limits::ROWS_MAX;
use crate::sign_in::Teacher;
use crate::sign_in::people::Role;
use crate::state::App;

/// Sessions that are looked at together: each reads its journal and calls its component once.
const AT_ONCE: usize = 4;

/// Which of them, and what of each.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Which {
    /// Only those whose codes are for this, such as a class.
    subject: Option<String>,
    /// The fields of the flow's view that are wanted, with commas between them; all where none are named.
    fields: Option<String>,
}

/// Sessions that codes have opened.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OpenedSessions {
    /// In the order in which their codes were given.
    sessions: Vec<OpenedSession>,
    /// How many of the first ones were left out, because there are too many.
    left_out: usize,
}

/// A session that a code has opened.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OpenedSession {
    session_id: String,
    /// By what its code is listed and revoked.
    code: String,
    /// What the code is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<String>,
    /// Whether the code opens it now.
    good: bool,
    /// When it began, in milliseconds since 1970-01-01 UTC.
    begun_ms: u64,
    /// When something happened in it last, in milliseconds since 1970-01-01 UTC.
    updated_ms: u64,
    /// In which role somebody is waited for; null where nobody is.
    waits_for: Option<String>,
    /// How it ended; null while it goes on.
    ended: Option<&'static str>,
    /// What the flow shows of it to a teacher; empty before the first exchange has ended, and where the flow cannot show it.
    #[schema(value_type = BTreeMap<String, Object>)]
    view: Map<String, Value>,
    /// Why the flow cannot show it.
    #[serde(skip_serializing_if = "Option::is_none")]
    problem: Option<String>,
}

/// The sessions of a flow that codes of this teacher have opened.
#[utoipa::path(get, path = "/api/flows/{plugin}/{flow}/sessions", tag = "flows",
    params(("plugin" = String, Path), ("flow" = String, Path), Which), responses((status = 200, body = OpenedSessions)))]
pub(crate) async fn all(
    State(app): State<Arc<App>>,
    Teacher(who): Teacher,
    Path((plugin, flow)): Path<(String, String)>,
    Query(which): Query<Which>,
) -> Result<Json<OpenedSessions>> {
    let name = FlowName { plugin, flow };
    let opens = Some(codes::opens(&name));
    let rows = app.store.codes(CodeFilter::Of { owner: who.owner.clone(), opens }).await?;
    let wanted = |row: &CodeRow| which.subject.is_none() || row.subject == which.subject;
    let mut begun = Vec::new();
    for code in rows.into_iter().filter(wanted) {
        let Some(id) = &code.session else { continue };
        let session = app.store.session(id).await?;
        let session = session.filter(|session| session.owner == who.owner && session.deleted_ms.is_none());
        begun.extend(session.map(|session| (code, session)));
    }
    let left_out = begun.len().saturating_sub(ROWS_MAX);
    begun.drain(..left_out);
    let fields = which.fields.as_deref();
    let lines = begun.into_iter().map(|(code, session)| line(&app, &name, fields, code, session));
    let sessions = futures::stream::iter(lines).buffered(AT_ONCE).try_filter_map(|line| async { Ok(line) });
    Ok(Json(OpenedSessions { sessions: sessions.try_collect().await?, left_out }))
}

/// A session as it is listed; none where its latest run is of another flow.
async fn line(
    app: &App,
    flow: &FlowName,
    fields: Option<&str>,
    code: CodeRow,
    session: SessionRow,
) -> Result<Option<OpenedSession>> {
    let standing = FlowSession::of(&*app.store, &session).await?.filter(|standing| standing.flow() == flow);
    let Some(standing) = standing else { return Ok(None) };
    let (mut view, problem) = match standing.view(&app.host, Role::Teacher.name()).await {
        Ok(view) => (view.unwrap_or_default(), None),
        // One session that cannot be shown hides none of the others.
        Err(error) => (Map::new(), Some(error.to_string())),
    };
    if let Some(fields) = fields {
        view.retain(|name, _| fields.split(',').any(|field| field == name));
    }
    Ok(Some(OpenedSession {
        good: codes::check(&code, now_ms()).is_ok(),
        code: code.id,
        subject: code.subject,
        begun_ms: session.created_ms,
        updated_ms: session.updated_ms,
        waits_for: standing.waits_for().map(|wait| wait.role.clone()),
        ended: standing.ended(),
        session_id: session.id,
        view,
        problem,
    }))
}
