//! A request that is sent twice is done once: the second one gets the first answer again.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http_body_util::BodyExt;
use sha2::{Digest, Sha256};
use ta_runtime::host::now_ms;
use tokio::sync::watch;

use crate::error::{ApiError, Result};
use crate::guard::writes;
use crate::limits::{KEY_CHARS_MAX, REPEAT_BYTES_MAX, REPEAT_MS, REPEATS_MAX};
use crate::sign_in::Who;
use crate::sign_in::codes::Holder;
use crate::state::App;

/// Who, what and which key.
type Key = (String, String, String);

#[derive(Clone)]
struct Answer {
    status: StatusCode,
    kind: Option<HeaderValue>,
    body: Bytes,
}

struct First {
    body_sha256: [u8; 32],
    at_ms: u64,
    /// None as long as it is being done; then none inside where it may be done again.
    answer: watch::Receiver<Option<Option<Answer>>>,
}

/// First answers.
#[derive(Default)]
pub(crate) struct Repeats {
    firsts: Mutex<HashMap<Key, Arc<First>>>,
}

impl Repeats {
    fn firsts(&self) -> MutexGuard<'_, HashMap<Key, Arc<First>>> {
        self.firsts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The first of this key; or none, and then this is the first.
    fn enter(&self, key: &Key, first: First) -> Option<Arc<First>> {
        let mut firsts = self.firsts();
        if firsts.len() >= REPEATS_MAX {
            let now = now_ms();
            firsts.retain(|_, first| now.saturating_sub(first.at_ms) < REPEAT_MS);
        }
        if firsts.len() >= REPEATS_MAX
            && let Some(oldest) = firsts.iter().min_by_key(|(_, first)| first.at_ms).map(|(key, _)| key.clone())
        {
            firsts.remove(&oldest);
        }
        if let Some(earlier) = firsts.get(key)
            && now_ms().saturating_sub(earlier.at_ms) < REPEAT_MS
        {
            return Some(Arc::clone(earlier));
        }
        firsts.insert(key.clone(), Arc::new(first));
        None
    }
}

/// Wants a key for each write, and does a request of a key once.
pub(crate) async fn once(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    if !writes(request.method()) {
        return next.run(request).await;
    }
    match by_key(&app, request, next).await {
        Ok(response) => response,
        Err(error) => error.into_response(),
    }
}

/// The key that a request came with; empty where there is none.
pub(crate) fn key_of(headers: &HeaderMap) -> &str {
    headers.get("idempotency-key").and_then(|key| key.to_str().ok()).unwrap_or_default()
}

async fn by_key(app: &Arc<App>, request: Request, next: Next) -> Result<Response> {
    let given = key_of(request.headers());
    if given.is_empty() || given.len() > KEY_CHARS_MAX {
        let message = format!("a change needs an Idempotency-Key of 1 to {KEY_CHARS_MAX} characters");
        return Err(ApiError::bad("request.key", message, "send a new random one with each new change"));
    }
    let holder = request.extensions().get::<Holder>().map(|Holder(code)| format!("code {}", code.id));
    let who = request.extensions().get::<Who>().map(|who| who.owner.clone()).or(holder).unwrap_or_default();
    let key = (who, format!("{} {}", request.method(), request.uri().path()), given.to_owned());
    let (parts, body) = request.into_parts();
    let body = body.collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    let body_sha256 = Sha256::digest(&body).into();
    let (tell, answer) = watch::channel(None);
    if let Some(first) = app.repeats.enter(&key, First { body_sha256, at_ms: now_ms(), answer }) {
        if first.body_sha256 != body_sha256 {
            let message = "this Idempotency-Key was used for another change";
            return Err(ApiError::conflict("request.key_reused", message, "send a new one with each new change"));
        }
        let mut answer = first.answer.clone();
        let known = answer.wait_for(Option::is_some).await.ok().and_then(|it| it.clone()).flatten();
        return known.map(Answer::into_response).ok_or_else(|| {
            let message = "the first request of this Idempotency-Key came to no answer that is kept";
            ApiError::conflict("request.unknown", message, "look whether it was done, then send it with a new key")
        });
    }
    // Dropped before it is told: whoever waits hears that there is no answer, and the key is free again.
    let undone = Undone { app: Arc::clone(app), key: Some(key) };
    // A task of its own: whoever sent it may go away and ask again, and what was begun must not be begun twice.
    let done = tokio::spawn(async move {
        let response = next.run(Request::from_parts(parts, Body::from(body))).await;
        keep(response, undone, &tell).await
    });
    done.await.map_err(|_| {
        let message = "the server could not finish this";
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "host.bug", message, "look at what the server printed")
    })
}

async fn keep(response: Response, mut undone: Undone, tell: &watch::Sender<Option<Option<Answer>>>) -> Response {
    let status = response.status();
    let again = status.is_server_error() || status == StatusCode::TOO_MANY_REQUESTS;
    let (parts, body) = response.into_parts();
    let Ok(body) = body.collect().await.map(http_body_util::Collected::to_bytes) else {
        return Response::from_parts(parts, Body::empty());
    };
    if !again && body.len() <= REPEAT_BYTES_MAX {
        let kind = parts.headers.get(header::CONTENT_TYPE).cloned();
        tell.send_replace(Some(Some(Answer { status, kind, body: body.clone() })));
        undone.key = None;
    }
    Response::from_parts(parts, Body::from(body))
}

/// Frees a key whose request came to nothing that can be repeated.
struct Undone {
    app: Arc<App>,
    key: Option<Key>,
}

impl Drop for Undone {
    fn drop(&mut self) {
        if let Some(key) = self.key.take() {
            self.app.repeats.firsts().remove(&key);
        }
    }
}

impl Answer {
    fn into_response(self) -> Response {
        let mut response = (self.status, self.body).into_response();
        response.headers_mut().remove(header::CONTENT_TYPE);
        if let Some(kind) = self.kind {
            response.headers_mut().insert(header::CONTENT_TYPE, kind);
        }
        response.headers_mut().insert("idempotency-replayed", HeaderValue::from_static("true"));
        response
    }
}
