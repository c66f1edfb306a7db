//! Headers that every answer carries.

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::ApiError;

/// What an answer may do in a browser: nothing. The page's own policy is looser; see `page`.
const NOTHING: &str = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

const ALL: [(&str, &str); 7] = [
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    ("x-robots-tag", "noindex"),
];

/// Bytes of what a library says about a request that it cannot read.
const SAID_BYTES_MAX: usize = 4_096;

/// Puts them on.
pub(crate) async fn on_every_answer(request: Request, next: Next) -> Response {
    let mut response = as_problem(next.run(request).await).await;
    let headers = response.headers_mut();
    for (name, value) in ALL {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(NOTHING));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// A request that the library underneath cannot read is refused in its words: they are put into the form of every error.
async fn as_problem(response: Response) -> Response {
    let status = response.status();
    let kind = response.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if !status.is_client_error() && !status.is_server_error() || kind.starts_with("application/json") {
        return response;
    }
    let code = match status {
        StatusCode::METHOD_NOT_ALLOWED => "request.method",
        StatusCode::PAYLOAD_TOO_LARGE => "request.too_large",
        StatusCode::UNSUPPORTED_MEDIA_TYPE => "request.content_type",
        _ => "request.invalid",
    };
    // What does not fit its type is as wrong as what is no JSON.
    let status = if status == StatusCode::UNPROCESSABLE_ENTITY { StatusCode::BAD_REQUEST } else { status };
    let allowed = response.headers().get(header::ALLOW).cloned();
    let said = axum::body::to_bytes(response.into_body(), SAID_BYTES_MAX).await.unwrap_or_default();
    let said = String::from_utf8_lossy(&said);
    let message = if said.trim().is_empty() { status.canonical_reason().unwrap_or("refused") } else { said.trim() };
    let mut response = ApiError::new(status, code, message, "/api/openapi.json says what is expected").into_response();
    response.headers_mut().extend(allowed.map(|allowed| (header::ALLOW, allowed)));
    response
}
