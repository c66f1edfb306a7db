//! Signing in and out, and who is asking.

use std::sync::Arc;
use std::time::Instant;

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use ta_runtime::host::now_ms;
use ta_runtime::providers::{self, Look};
use utoipa::ToSchema;

use crate::error::{ApiError, Problem, Result};
use crate::limits::{PASSCODE_BYTES_MAX, PROVIDERS_KEPT, SIGN_IN_MS};
use crate::page;
use crate::sign_in::link::Taken;
use crate::sign_in::people::{People, Role};
use crate::sign_in::{Anybody, COOKIE, EPOCH_OF_ONE, Mode, token, tokens};
use crate::state::App;

/// How people sign in.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum SignInMode {
    /// One person, by the link that the server prints.
    Single,
    /// Several, by name and passcode.
    Passcode,
}

impl SignInMode {
    const fn of(mode: &Mode) -> Self {
        match mode {
            Mode::Single { .. } => Self::Single,
            Mode::Passcode(_) => Self::Passcode,
        }
    }
}

/// How people sign in.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct HowToSignIn {
    mode: SignInMode,
}

/// How people sign in here.
#[utoipa::path(get, path = "/api/sign-in", tag = "account", responses((status = 200, body = HowToSignIn)))]
pub(crate) async fn mode(State(app): State<Arc<App>>) -> Json<HowToSignIn> {
    Json(HowToSignIn { mode: SignInMode::of(&app.sign_in.mode) })
}

/// Name and passcode.
#[derive(Debug, Deserialize, ToSchema)]
pub(crate) struct Passcode {
    /// The person's name; may be left out where there is only one person.
    name: Option<String>,
    passcode: String,
}

/// Signs in by passcode.
#[utoipa::path(post, path = "/api/sign-in", tag = "account", request_body = Passcode,
    responses((status = 204), (status = 401, body = Problem), (status = 429, body = Problem)))]
pub(crate) async fn sign_in(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    Json(given): Json<Passcode>,
) -> Result<Response> {
    let wrong = || {
        let hint = "look at both again; whoever runs the server can give you another passcode";
        ApiError::new(StatusCode::UNAUTHORIZED, "auth.wrong", "name or passcode is wrong", hint)
    };
    let Mode::Passcode(directory) = &app.sign_in.mode else {
        let hint = "open the link that the server printed when it began";
        return Err(ApiError::new(StatusCode::UNAUTHORIZED, "auth.wrong", "there are no passcodes here", hint));
    };
    let people = directory.people();
    let only = || people.iter().next().map(|person| person.name.clone()).filter(|_| people.iter().count() == 1);
    let name = given.name.filter(|name| !name.is_empty()).or_else(only).ok_or_else(wrong)?;
    if name.len() > PASSCODE_BYTES_MAX || given.passcode.len() > PASSCODE_BYTES_MAX {
        return Err(wrong());
    }
    // In turn: each guess is counted before the next one is looked at.
    let turn = app.checking.acquire().await.map_err(|_| wrong())?;
    let wait_ms = app.sign_in.throttle.wait_ms(&name, now_ms());
    if wait_ms > 0 {
        let seconds = wait_ms.div_ceil(1_000);
        let message = format!("too many wrong passcodes: wait {seconds} seconds");
        let status = StatusCode::TOO_MANY_REQUESTS;
        return Err(ApiError::new(status, "auth.throttled", message, "then try again").later(seconds));
    }
    app.sign_in.throttle.guessed(&name, now_ms());
    let asked = name.clone();
    let checked = tokio::task::spawn_blocking(move || {
        people.check(&asked, &given.passcode).map(|person| (person.id.clone(), person.epoch))
    });
    let right = checked.await.ok().flatten();
    drop(turn);
    let (id, epoch) = right.ok_or_else(wrong)?;
    app.sign_in.throttle.right(&name);
    with_cookie(&app, (&id, epoch), &headers, StatusCode::NO_CONTENT.into_response())
}

/// The token of the link.
#[derive(Debug, Deserialize)]
pub(crate) struct LinkToken {
    token: Option<String>,
}

/// Signs in by the link; without a token this is a place of the page.
pub(crate) async fn by_link(
    State(app): State<Arc<App>>,
    Query(given): Query<LinkToken>,
    headers: HeaderMap,
) -> Result<Response> {
    let Some(token) = given.token else { return Ok(page::index()) };
    let Mode::Single { teacher, link, .. } = &app.sign_in.mode else { return Ok(see_other("/sign-in")) };
    let taken = link.take(&token)?;
    if taken == Taken::Good {
        app.tell_link(false);
        return with_cookie(&app, (teacher, EPOCH_OF_ONE), &headers, see_other("/"));
    }
    Ok(see_other(match taken {
        // Whoever is signed in already does not care.
        _ if app.sign_in.who(&headers).is_some() => "/",
        Taken::Used => "/sign-in?problem=used",
        Taken::Expired => "/sign-in?problem=expired",
        Taken::Good | Taken::Wrong => "/sign-in?problem=wrong",
    }))
}

fn see_other(place: &'static str) -> Response {
    (StatusCode::SEE_OTHER, [(header::LOCATION, place)]).into_response()
}

fn with_cookie(app: &App, who: (&str, u64), headers: &HeaderMap, mut response: Response) -> Result<Response> {
    let browser = headers.get(header::USER_AGENT).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let token = app.sign_in.tokens.give(who.0, who.1, browser)?;
    let cookie = cookie(app, &token, SIGN_IN_MS / 1_000);
    response.headers_mut().insert(header::SET_COOKIE, cookie);
    Ok(response)
}

fn cookie(app: &App, token: &str, seconds: u64) -> HeaderValue {
    let secure = if app.settings.https { "; Secure" } else { "" };
    let text = format!("{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/; Max-Age={seconds}{secure}");
    HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static(""))
}

/// Signs out.
#[utoipa::path(post, path = "/api/sign-out", tag = "account", responses((status = 204)))]
pub(crate) async fn sign_out(State(app): State<Arc<App>>, headers: HeaderMap) -> Response {
    if let Some(token) = token(&headers) {
        app.sign_in.tokens.take(&token);
        app.sign_in.tell_changed();
    }
    signed_out(&app)
}

fn signed_out(app: &App) -> Response {
    let gone = cookie(app, "", 0);
    (StatusCode::NO_CONTENT, [(header::SET_COOKIE, gone)]).into_response()
}

/// Where one is signed in.
#[utoipa::path(get, path = "/api/me/sign-ins", tag = "account", responses((status = 200, body = [tokens::Line])))]
pub(crate) async fn sign_ins(State(app): State<Arc<App>>, Anybody(who): Anybody) -> Json<Vec<tokens::Line>> {
    Json(app.sign_in.tokens.of_person(&who.holder))
}

/// Ends one of one's sign-ins.
#[utoipa::path(delete, path = "/api/me/sign-ins/{sign_in}", tag = "account", params(("sign_in" = String, Path)),
    responses((status = 204), (status = 404, body = Problem)))]
pub(crate) async fn end_sign_in(
    State(app): State<Arc<App>>,
    Anybody(who): Anybody,
    Path(sign_in): Path<String>,
) -> Result<StatusCode> {
    if app.sign_in.tokens.end(&who.owner, Some(&sign_in)) == 0 {
        return Err(ApiError::not_found("such sign-in"));
    }
    app.sign_in.tell_changed();
    Ok(StatusCode::NO_CONTENT)
}

/// Signs out everywhere.
#[utoipa::path(post, path = "/api/sign-out-everywhere", tag = "account", responses((status = 204)))]
pub(crate) async fn sign_out_everywhere(State(app): State<Arc<App>>, Anybody(who): Anybody) -> Result<Response> {
    if let Mode::Passcode(directory) = &app.sign_in.mode {
        // Also where another process keeps a copy of the sign-ins.
        People::change(directory.file(), |people| people.sign_out(&who.name))?;
    }
    app.sign_in.tokens.end(&who.owner, None);
    app.sign_in.tell_changed();
    Ok(signed_out(&app))
}

/// A provider of models.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct ProviderLine {
    name: String,
    /// The model that is called where none is named.
    model: String,
    /// Whether it can be called: it needs no key, or there is one.
    ready: bool,
    /// Why it cannot.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
}

/// Who is asking, and what there is.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Me {
    name: String,
    /// Whose sessions and memory are seen.
    owner: String,
    roles: Vec<Role>,
    mode: SignInMode,
    /// Version of the server.
    version: String,
    /// Name of the workspace's directory, which all teachers of the server share.
    workspace: String,
    providers: Vec<ProviderLine>,
    /// Whether this teacher agreed that researchers look at their runs.
    research: bool,
    /// Whether files of the workspace may be changed here.
    writes: bool,
}

/// Who is asking.
#[utoipa::path(get, path = "/api/me", tag = "account", responses((status = 200, body = Me)))]
pub(crate) async fn me(State(app): State<Arc<App>>, Anybody(who): Anybody) -> Result<Json<Me>> {
    let workspace = app.host.config.workspace.file_name().map(|name| name.to_string_lossy().into_owned());
    Ok(Json(Me {
        research: app.research.agreed(&who.owner),
        owner: who.owner,
        name: who.name,
        writes: who.roles.contains(&Role::Teacher),
        roles: who.roles,
        mode: SignInMode::of(&app.sign_in.mode),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        workspace: workspace.unwrap_or_default(),
        providers: providers(&app).await?,
    }))
}

/// The providers as they stood a moment ago: looking opens a connection's worth of certificates for each.
async fn providers(app: &App) -> Result<Vec<ProviderLine>> {
    let mut known = app.providers.lock().await;
    if let Some((since, lines)) = &*known
        && since.elapsed() < PROVIDERS_KEPT
    {
        return Ok(lines.clone());
    }
    let found = providers::look(&app.host, Look::default()).await?;
    let lines = found.providers.into_iter().map(|it| ProviderLine {
        ready: it.problem.is_none() && it.key != "missing",
        reason: match it.key {
            "missing" => Some(format!("there is no key in {}", it.key_variable)),
            _ => it.problem.map(|problem| problem.message),
        },
        name: it.provider,
        model: it.model.name,
    });
    let lines: Vec<ProviderLine> = lines.collect();
    *known = Some((Instant::now(), lines.clone()));
    Ok(lines)
}
