//! What every request passes before any work is done for it.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http_body_util::{BodyExt, LengthLimitError, Limited};

use crate::error::{ApiError, Result};
use crate::host_names::same_origin;
use crate::limits::{ANSWER_TIMEOUT, BODY_BYTES_MAX, BODY_TIMEOUT, JSON_DEPTH_MAX, PARAMETERS_MAX, URI_BYTES_MAX};
use crate::state::App;

/// Whether a request may change something.
pub(crate) const fn writes(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS)
}

/// For every request: the host is one of ours, the address has a measure, a write comes from our page and is JSON.
pub(crate) async fn at_the_door(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    match checked(&app, request.method(), request.uri(), request.headers()) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    }
}

fn checked(app: &App, method: &Method, uri: &Uri, headers: &HeaderMap) -> Result<()> {
    let Some(host) = app.names.of(headers, uri) else {
        let message = "the Host of the request is none of this server's names";
        let hint = "open the address that the server printed; another name is added with --host-name";
        return Err(ApiError::new(StatusCode::FORBIDDEN, "request.host", message, hint));
    };
    if uri.path_and_query().map_or(0, |it| it.as_str().len()) > URI_BYTES_MAX {
        let message = format!("the address has more than {URI_BYTES_MAX} bytes");
        return Err(ApiError::new(StatusCode::URI_TOO_LONG, "request.address", message, "shorten it"));
    }
    if uri.query().map_or(0, |query| query.split('&').count()) > PARAMETERS_MAX {
        let message = format!("the address has more than {PARAMETERS_MAX} parameters");
        return Err(ApiError::bad("request.parameters", message, "leave some out"));
    }
    if !writes(method) {
        return Ok(());
    }
    if !same_origin(headers, host) {
        let message = "a change must come from a page of this server: Origin is missing or another's";
        let hint = "send `Origin` with scheme, host and port of this server";
        return Err(ApiError::new(StatusCode::FORBIDDEN, "request.origin", message, hint));
    }
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !kind.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json") {
        let message = "a change must be sent as application/json";
        let hint = "send `Content-Type: application/json`, also where there is no body";
        return Err(ApiError::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "request.content_type", message, hint));
    }
    let length = headers.get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok());
    if length.and_then(|length| length.parse::<usize>().ok()).is_some_and(|length| length > BODY_BYTES_MAX) {
        return Err(too_large());
    }
    Ok(())
}

fn too_large() -> ApiError {
    let message = format!("the body has more than {BODY_BYTES_MAX} bytes");
    ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "request.too_large", message, "send less at once")
}

/// For requests that are let in: the body is read whole within its time and its measure, and the answer comes in time.
pub(crate) async fn take_in(request: Request, next: Next) -> Response {
    let (parts, body) = request.into_parts();
    let body = if writes(&parts.method) { read(body).await } else { Ok(Body::empty()) };
    let body = match body {
        Ok(body) => body,
        Err(error) => return error.into_response(),
    };
    match tokio::time::timeout(ANSWER_TIMEOUT, next.run(Request::from_parts(parts, body))).await {
        Ok(response) => response,
        Err(_) => {
            let message = "this took too long";
            let hint = "look whether it was done before you try again";
            ApiError::new(StatusCode::GATEWAY_TIMEOUT, "request.too_slow", message, hint).into_response()
        }
    }
}

async fn read(body: Body) -> Result<Body> {
    let read = tokio::time::timeout(BODY_TIMEOUT, Limited::new(body, BODY_BYTES_MAX).collect()).await;
    let bytes = match read {
        Ok(Ok(read)) => read.to_bytes(),
        Ok(Err(error)) if error.is::<LengthLimitError>() => return Err(too_large()),
        Ok(Err(_)) => return Err(ApiError::bad("request.body", "the body broke off", "send it again")),
        Err(_) => {
            let message = "the body did not come in time";
            return Err(ApiError::new(StatusCode::REQUEST_TIMEOUT, "request.timeout", message, "send it again"));
        }
    };
    if depth(&bytes) > JSON_DEPTH_MAX {
        let message = format!("the JSON is nested more than {JSON_DEPTH_MAX} deep");
        return Err(ApiError::bad("request.too_deep", message, "no request of this API is"));
    }
    Ok(Body::from(bytes))
}

/// How deep arrays and objects are nested, without building any of them.
fn depth(json: &[u8]) -> usize {
    let (mut depth, mut deepest, mut text, mut escaped) = (0_usize, 0, false, false);
    for byte in json {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if text => escaped = true,
            b'"' => text = !text,
            b'[' | b'{' if !text => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b']' | b'}' if !text => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_counts_what_is_open() {
        assert_eq!(depth(b"{}"), 1);
        assert_eq!(depth(br#"{"a":[1,[2]],"b":"[[[[\"[["}"#), 3);
        assert_eq!(depth("[".repeat(1_000).as_bytes()), 1_000);
    }
}
