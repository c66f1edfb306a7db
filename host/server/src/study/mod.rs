//! The page of a study: participants come by code, and see one calm page with what is to be done.
//!
//! A server of its own: whoever takes part reaches the study and nothing else of the host, and there is nobody to sign in. It
//! holds nothing: each request goes on with the participant's session by the code that it brings.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use ta_runtime::{Host, RuntimeError};
use ta_studies::definition::StudyFiles;
use ta_studies::page::{Sent, Shown, go_on};
use ta_studies::sitting::Sitting;
use tokio::sync::watch;

use crate::connections::Connections;
use crate::error::ApiError;
use crate::headers::on_every_answer;
use crate::host_names::{HostNames, same_origin};
use crate::limits::STOP_TIMEOUT;
use crate::serve::{cannot_listen, listen};

const PAGE: &str = include_str!("page.html");
const SCRIPT: &str = include_str!("page.js");
const STYLE: &str = include_str!("page.css");
/// What the page may do: run its own script, and speak to its own server.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; \
                      form-action 'none'; frame-ancestors 'none'";
/// Bytes of a request: a long text that somebody wrote alone, several times over.
const BODY_BYTES_MAX: usize = 1024 * 1024;
/// How long somebody who typed a wrong code waits for the answer.
const WRONG_CODE_DELAY: Duration = Duration::from_millis(500);

struct StudyApp {
    host: Host,
    files: StudyFiles,
    names: HostNames,
    /// Codes whose session is being gone on with: a second click waits for no second run.
    at_work: Mutex<BTreeSet<String>>,
}

/// Serves a study that has started, until asked to stop.
///
/// # Errors
/// `study.not_started`, `study.closed`; where it cannot listen, or the journal cannot be opened.
pub async fn serve_study(
    host: Host,
    files: StudyFiles,
    (address, host_names): (SocketAddr, &[String]),
    tell: impl FnOnce(SocketAddr),
) -> Result<(), RuntimeError> {
    ta_studies::study::ready(&host, &files).await?;
    host.workspace()?;
    let listener = listen(address).await?;
    let address = listener.local_addr().map_err(|error| cannot_listen(address, &error))?;
    let names = HostNames::new(address, host_names);
    let app = Arc::new(StudyApp { host, files, names, at_work: Mutex::default() });
    let router = router(&app);
    tell(address);
    let (connections, stopping) = (Connections::new(), watch::channel(false).0);
    connections.accept(&listener, &router, &stopping).await;
    drop(listener);
    // What a step came to is in the journal at once, so whoever is cut off finds it there; most are told before.
    stopping.send_replace(true);
    let _ = tokio::time::timeout(STOP_TIMEOUT, connections.all_closed()).await;
    Ok(())
}

fn router(app: &Arc<StudyApp>) -> Router {
    Router::new()
        .route("/", get(|| file("text/html; charset=utf-8", PAGE)))
        .route("/page.js", get(|| file("text/javascript; charset=utf-8", SCRIPT)))
        .route("/page.css", get(|| file("text/css; charset=utf-8", STYLE)))
        .route("/api/study/step", post(step))
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
        .layer(from_fn_with_state(Arc::clone(app), only_ours))
        .layer(from_fn(on_every_answer))
        .with_state(Arc::clone(app))
}

async fn file(kind: &'static str, text: &'static str) -> Response {
    let mut response = text.into_response();
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    response
}

/// A page elsewhere can neither name this server as its own nor send it anything.
async fn only_ours(State(app): State<Arc<StudyApp>>, request: Request, next: Next) -> Response {
    let Some(host) = app.names.of(request.headers(), request.uri()) else {
        let (message, hint) =
            ("this server is not asked under that name", "give it with --host-name when it is started");
        return ApiError::new(StatusCode::MISDIRECTED_REQUEST, "request.host", message, hint).into_response();
    };
    let writes = request.method() == axum::http::Method::POST;
    if writes && request.headers().contains_key(header::ORIGIN) && !same_origin(request.headers(), host) {
        let (message, hint) = ("another page sent this", "open the page of this server");
        return ApiError::new(StatusCode::FORBIDDEN, "request.origin", message, hint).into_response();
    }
    next.run(request).await
}

/// Goes on with a participant's session.
async fn step(State(app): State<Arc<StudyApp>>, Json(sent): Json<Sent>) -> Result<Json<Shown>, ApiError> {
    let sitting = match Sitting::of_code(&app.host, &app.files, &sent.code).await {
        Err(error) if error.code == "code.unknown" => {
            tokio::time::sleep(WRONG_CODE_DELAY).await;
            return Err(error.into());
        }
        sitting => sitting?,
    };
    let _at_work = AtWork::new(&app.at_work, sitting.participant()).ok_or_else(|| {
        let hint = "wait for the answer; nothing is lost";
        ApiError::conflict("session.busy", "the session of this code is at work", hint)
    })?;
    match go_on(&sitting, sent).await {
        Ok(shown) => Ok(Json(shown)),
        // What differs is for whoever runs the study: it might tell of conditions.
        Err(error) if error.code == "study.drift" => {
            let hint = "tell whoever gave you the code; nothing that you did is lost";
            Err(ApiError::conflict("study.drift", "the study has to be looked at before you can go on", hint))
        }
        Err(error) => Err(error.into()),
    }
}

/// Somebody whose session is being gone on with.
struct AtWork<'a>(&'a Mutex<BTreeSet<String>>, String);

impl<'a> AtWork<'a> {
    fn new(all: &'a Mutex<BTreeSet<String>>, who: &str) -> Option<Self> {
        let first = all.lock().unwrap_or_else(PoisonError::into_inner).insert(who.to_owned());
        first.then(|| Self(all, who.to_owned()))
    }
}

impl Drop for AtWork<'_> {
    fn drop(&mut self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.1);
    }
}
