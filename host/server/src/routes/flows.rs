//! Sessions of flows: begun, spoken to, looked at. What is sent and what is answered is the flow's; the host adds where the
//! session stands. The same under `/api/flows/PLUGIN/FLOW` and under the shorter address that a manifest gives.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use serde::Serialize;
use serde_json::{Map, Value};
use ta_runtime::flows::{self, FlowName, FlowSession};
use ta_runtime::surface::{CodeChange, CodeFilter, CodeRow, SessionRow, ShownMessage};
use ta_runtime::{OpenQuestion, RunRequest, codes};
use utoipa::ToSchema;

use super::runs::check_input;
use crate::error::{ApiError, Problem, Result};
use crate::limits::TEXT_CHARS_MAX;
use crate::live::{Job, at_rest, exchange};
use crate::sign_in::codes::Speaker;
use crate::sign_in::secret;
use crate::state::App;
use crate::wire::ShownMessageSchema;

/// The answer of a flow: what the host says of the session, and beside it the flow's own fields.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct FlowAnswer {
    /// The session.
    session_id: String,
    /// Where the session stands: what is said next is sent with it. It changes with each exchange.
    after: u64,
    /// In which role somebody is waited for; null where nobody is.
    waits_for: Option<String>,
    /// A question of a hook, which has to be answered before the flow goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    open_question: Option<OpenQuestion>,
    /// What was shown since somebody last said something, every hook having let it pass.
    #[schema(value_type = Vec<ShownMessageSchema>)]
    messages: Vec<ShownMessage>,
    /// How the run ended, such as `success`; null while it goes on.
    ended: Option<&'static str>,
    /// The flow's own: its reply, or what it shows of its state.
    #[serde(flatten)]
    #[schema(value_type = BTreeMap<String, Object>)]
    flow: Map<String, Value>,
}

impl FlowAnswer {
    fn new(session: &SessionRow, standing: &FlowSession, flow: Map<String, Value>) -> Self {
        Self {
            session_id: session.id.clone(),
            after: standing.after(),
            waits_for: standing.waits_for().map(|wait| wait.role.clone()),
            open_question: standing.question(),
            messages: standing.messages().to_vec(),
            ended: standing.ended(),
            flow,
        }
    }

    /// With what the flow answered whoever spoke.
    fn of_reply(session: &SessionRow, standing: &FlowSession) -> Self {
        let reply = standing.reply().and_then(Value::as_object).cloned().unwrap_or_default();
        Self::new(session, standing, reply)
    }
}

type Answered = Result<Json<FlowAnswer>>;

/// Begins a session of a flow. The flow is told the JSON that is sent; `{"text": …}` alone is told as those words. Answers
/// when the flow waits or is over.
#[utoipa::path(post, path = "/api/flows/{plugin}/{flow}/sessions", tag = "flows", request_body = Object,
    params(("plugin" = String, Path), ("flow" = String, Path)),
    responses((status = 200, body = FlowAnswer), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 422, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn begin_session(
    State(app): State<Arc<App>>,
    speaker: Speaker,
    Path((plugin, flow)): Path<(String, String)>,
    Json(body): Json<Value>,
) -> Answered {
    begin_of(&app, speaker, &FlowName { plugin, flow }, body).await
}

/// Says something to the flow, and answers when it waits again or is over. Beside `after` the body is the flow's: where it has
/// one field, a text, the flow is told that text, otherwise the JSON without `after`.
#[utoipa::path(post, path = "/api/flows/{plugin}/{flow}/sessions/{id}/step", tag = "flows", request_body = Object,
    params(("plugin" = String, Path), ("flow" = String, Path), ("id" = String, Path)),
    responses((status = 200, body = FlowAnswer), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem), (status = 422, body = Problem), (status = 429, body = Problem),
        (status = 503, body = Problem)))]
pub(crate) async fn step(
    State(app): State<Arc<App>>,
    speaker: Speaker,
    Path((plugin, flow, id)): Path<(String, String, String)>,
    Json(body): Json<Value>,
) -> Answered {
    step_of(&app, &speaker, &id, &FlowName { plugin, flow }, body).await
}

/// What the flow shows of the session to a teacher.
#[utoipa::path(get, path = "/api/flows/{plugin}/{flow}/sessions/{id}/status", tag = "flows",
    params(("plugin" = String, Path), ("flow" = String, Path), ("id" = String, Path)),
    responses((status = 200, body = FlowAnswer), (status = 404, body = Problem)))]
pub(crate) async fn status(
    State(app): State<Arc<App>>,
    speaker: Speaker,
    Path((plugin, flow, id)): Path<(String, String, String)>,
) -> Answered {
    status_of(&app, &speaker, &id, &FlowName { plugin, flow }).await
}

/// Begins a session of the flow that has this address.
#[utoipa::path(post, path = "/api/{address}/sessions", tag = "flows", params(("address" = String, Path)),
    request_body = Object,
    responses((status = 200, body = FlowAnswer), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 422, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn begin_session_at(
    State(app): State<Arc<App>>,
    speaker: Speaker,
    Path(address): Path<String>,
    Json(body): Json<Value>,
) -> Answered {
    let flow = at(&app, &address)?;
    begin_of(&app, speaker, &flow, body).await
}

/// Says something to the flow that has this address.
#[utoipa::path(post, path = "/api/{address}/sessions/{id}/step", tag = "flows", request_body = Object,
    params(("address" = String, Path), ("id" = String, Path)),
    responses((status = 200, body = FlowAnswer), (status = 400, body = Problem), (status = 404, body = Problem),
        (status = 409, body = Problem), (status = 422, body = Problem), (status = 429, body = Problem),
        (status = 503, body = Problem)))]
pub(crate) async fn step_at(
    State(app): State<Arc<App>>,
    speaker: Speaker,
    Path((address, id)): Path<(String, String)>,
    Json(body): Json<Value>,
) -> Answered {
    step_of(&app, &speaker, &id, &at(&app, &address)?, body).await
}

/// What the flow that has this address shows of the session.
#[utoipa::path(get, path = "/api/{address}/sessions/{id}/status", tag = "flows",
    params(("address" = String, Path), ("id" = String, Path)),
    responses((status = 200, body = FlowAnswer), (status = 404, body = Problem)))]
pub(crate) async fn status_at(
    State(app): State<Arc<App>>,
    speaker: Speaker,
    Path((address, id)): Path<(String, String)>,
) -> Answered {
    status_of(&app, &speaker, &id, &at(&app, &address)?).await
}

fn at(app: &App, address: &str) -> Result<FlowName> {
    app.addresses.get(address).cloned().ok_or_else(|| ApiError::not_found("such session"))
}

async fn begin_of(app: &Arc<App>, speaker: Speaker, flow: &FlowName, body: Value) -> Answered {
    let (speaker, begins) = match speaker {
        Speaker::Teacher(_) => (speaker, None),
        Speaker::Code(code) => {
            let code = with_session(app, code, flow).await?;
            let session = code.session.clone();
            (Speaker::Code(code), session)
        }
    };
    let speaker = &speaker;
    if let Some(id) = &begins
        && app.store.session(id).await?.is_some()
    {
        return go_on(app, speaker, id, flow).await;
    }
    let input = begun_with(body);
    check_input(&input)?;
    let command = flows::command(app.host.config.plugins.as_deref(), flow)?;
    let request = RunRequest {
        plugin: flow.plugin.clone(),
        command,
        input,
        begins,
        owner: Some(speaker.owner().to_owned()),
        ..RunRequest::default()
    };
    let begun = exchange(app, speaker.owner(), Job::Start(Box::new(request))).await?;
    let (session, standing) = standing(app, speaker, &begun.session, flow).await?;
    Ok(Json(FlowAnswer::of_reply(&session, &standing)))
}

/// A code with the one session that it opens: the id is settled before that begins, so that two requests at once are no two
/// sessions.
async fn with_session(app: &App, code: CodeRow, flow: &FlowName) -> Result<CodeRow> {
    let missing = || ApiError::not_found("such session");
    if codes::opens(flow) != code.opens {
        return Err(missing());
    }
    if code.session.is_some() {
        return Ok(code);
    }
    app.store.change_code(&code.id, CodeChange::Open { session: secret::id()? }).await?.ok_or_else(missing)
}

/// A session that a code has begun before, as it stands. One whose beginning was broken off is taken up again.
async fn go_on(app: &Arc<App>, speaker: &Speaker, id: &str, flow: &FlowName) -> Answered {
    let (session, before) = standing(app, speaker, id, flow).await?;
    let idle = before.waits_for().is_none() && before.ended().is_none() && before.question().is_none();
    if idle && before.unanswered().is_none() && app.live.of(id).is_none() {
        exchange(app, speaker.owner(), Job::Resume(id.to_owned())).await?;
        let (session, after) = standing(app, speaker, id, flow).await?;
        return Ok(Json(FlowAnswer::of_reply(&session, &after)));
    }
    Ok(Json(FlowAnswer::of_reply(&session, &before)))
}

/// What a flow is told of the body that begins a session.
fn begun_with(body: Value) -> String {
    match &body {
        Value::Object(fields) if fields.len() == 1 => {
            fields.get("text").and_then(Value::as_str).map_or_else(|| body.to_string(), ToOwned::to_owned)
        }
        _ => body.to_string(),
    }
}

/// What is said, and after which exchange.
struct Words {
    text: String,
    after: u64,
}

impl Words {
    fn read(body: Value) -> Result<Self> {
        let hint =
            "send the `after` of the last answer, and beside it what is said, such as {\"after\": 12, \"text\": \"4\"}";
        let wrong = |message: &str| ApiError::bad("usage.input", message, hint);
        let Value::Object(mut fields) = body else { return Err(wrong("what is said is a JSON object")) };
        let after = fields.remove("after").and_then(|after| after.as_u64());
        let after = after.ok_or_else(|| wrong("`after`, a number, is missing"))?;
        let alone = if fields.len() == 1 { fields.values().next().and_then(Value::as_str) } else { None };
        let text = alone.map_or_else(|| Value::Object(fields.clone()).to_string(), ToOwned::to_owned);
        if fields.is_empty() || text.trim().is_empty() || text.chars().count() > TEXT_CHARS_MAX {
            return Err(wrong(&format!("what is said has 1 to {TEXT_CHARS_MAX} characters")));
        }
        Ok(Self { text, after })
    }
}

async fn step_of(app: &Arc<App>, speaker: &Speaker, id: &str, flow: &FlowName, body: Value) -> Answered {
    allowed(app, speaker, id, flow).await?;
    at_rest(app, id).await?;
    let turn = app.turns.take(id).filter(|_| app.live.of(id).is_none());
    let Some(_turn) = turn else {
        let (message, hint) = ("the flow is still at work on what was said before", "wait until it has answered");
        return Err(ApiError::conflict("session.busy", message, hint).later(1));
    };
    let (session, before) = standing(app, speaker, id, flow).await?;
    let words = Words::read(body)?;
    let job = next(&session, &before, words)?;
    may_speak(app, speaker, id, &before).await?;
    exchange(app, &session.owner, job).await?;
    let (session, after) = standing(app, speaker, id, flow).await?;
    Ok(Json(FlowAnswer::of_reply(&session, &after)))
}

/// Nobody speaks for another: with a code only in its role, and a teacher not for whoever has the code.
async fn may_speak(app: &App, speaker: &Speaker, id: &str, standing: &FlowSession) -> Result<()> {
    let Some(wait) = standing.waits_for() else { return Ok(()) };
    let other = wait.role != speaker.role();
    let not_theirs = match speaker {
        Speaker::Code(_) => other,
        Speaker::Teacher(_) => other && !app.store.codes(CodeFilter::Session(id.to_owned())).await?.is_empty(),
    };
    if not_theirs {
        let message = format!("the flow waits for the {}", wait.role);
        return Err(ApiError::conflict("flow.waits_for_other", message, "wait until they have spoken"));
    }
    Ok(())
}

/// What the words do where the session stands: they are said, or an exchange that was broken off with them goes on.
fn next(session: &SessionRow, standing: &FlowSession, words: Words) -> Result<Job> {
    let conflict = |code: &str, message: &str, hint: &str| {
        let current = serde_json::to_value(FlowAnswer::of_reply(session, standing)).ok();
        ApiError { current, ..ApiError::conflict(code, message, hint) }
    };
    if standing.ended().is_some() {
        return Err(conflict("run.finished", "the session is over", "begin another"));
    }
    if words.after != standing.after() {
        let hint = "look at what was shown since, in `current`, and say it again";
        return Err(conflict("message.stale", "the session has gone on since", hint));
    }
    if standing.waits_for().is_some() {
        return Ok(Job::Say(session.id.clone(), words.text));
    }
    if standing.unanswered() == Some(words.text.as_str()) {
        return Ok(Job::Resume(session.id.clone()));
    }
    let hint = "say the same as before to go on with it, or answer the question that is open";
    Err(conflict("run.not_listening", "the flow does not wait for words", hint))
}

async fn status_of(app: &Arc<App>, speaker: &Speaker, id: &str, flow: &FlowName) -> Answered {
    let (session, standing) = standing(app, speaker, id, flow).await?;
    let view = standing.view(&app.host, speaker.role()).await?.unwrap_or_default();
    Ok(Json(FlowAnswer::new(&session, &standing, view)))
}

/// A session that this speaker may have; another's is not told apart from none.
async fn allowed(app: &App, speaker: &Speaker, id: &str, flow: &FlowName) -> Result<SessionRow> {
    if let Speaker::Code(code) = speaker
        && (code.opens != codes::opens(flow) || code.session.as_deref() != Some(id))
    {
        return Err(ApiError::not_found("such session"));
    }
    app.own_session(id, speaker.owner()).await
}

/// A session of this flow, and where it stands.
pub(super) async fn standing(
    app: &App,
    speaker: &Speaker,
    id: &str,
    flow: &FlowName,
) -> Result<(SessionRow, FlowSession)> {
    let session = allowed(app, speaker, id, flow).await?;
    let standing = FlowSession::of(&*app.store, &session).await?.filter(|standing| standing.flow() == flow);
    standing.map(|standing| (session, standing)).ok_or_else(|| ApiError::not_found("such session"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_a_flow_is_told_of_a_body() {
        assert_eq!(begun_with(json!({ "text": "sums" })), "sums");
        assert_eq!(begun_with(json!({ "topic": "sums", "grade": 4 })), r#"{"grade":4,"topic":"sums"}"#);
        let said = |body: Value| Words::read(body).map(|words| (words.text, words.after)).ok();
        assert_eq!(said(json!({ "after": 3, "student_reply": "x = 5" })), Some(("x = 5".to_owned(), 3)));
        assert_eq!(said(json!({ "after": 3, "text": "a", "n": 1 })), Some((r#"{"n":1,"text":"a"}"#.to_owned(), 3)));
        for wrong in [json!({ "text": "a" }), json!({ "after": 3 }), json!({ "after": 3, "text": " " }), json!("a")] {
            assert_eq!(said(wrong), None);
        }
    }
}
