//! The pages: the built files inside the binary. Whoever has an access code has a page of their own; every other address that is
//! no file and not of the API is the page of those who sign in.

use std::collections::HashMap;
use std::io::Write as _;
use std::sync::{Mutex, PoisonError};

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use rust_embed::RustEmbed;

use crate::error::ApiError;
use crate::sign_in::secret;

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
struct Built;

/// The page of those who sign in, and that of those who have an access code, with the address of the latter.
const INDEX: &str = "index.html";
const LEARN: (&str, &str) = ("learn", "learn.html");
/// The element of the page that tells scripts the nonce of styles.
const NONCE_META: &str = "name=\"csp-nonce\" content=\"";
/// Scripts and styles lie beside themselves as the build has compressed them.
const BROTLI: &str = ".br";
/// Files that are smaller are sent as they are.
const COMPRESSED_BYTES_MIN: usize = 1_024;

/// Files that were compressed already: each is compressed once, and there are only those that are built in.
static COMPRESSED: Mutex<Option<HashMap<String, Bytes>>> = Mutex::new(None);

/// Answers with a file or with the page.
pub(crate) async fn page(method: Method, uri: Uri, headers: HeaderMap) -> Response {
    if !matches!(method, Method::GET | Method::HEAD) {
        let (message, hint) = ("pages are only read", "changes go to /api");
        return ApiError::new(StatusCode::METHOD_NOT_ALLOWED, "request.method", message, hint).into_response();
    }
    let path = uri.path().trim_start_matches('/');
    if path == "api" || path.starts_with("api/") {
        let message = format!("there is no route {}", uri.path());
        return ApiError::new(StatusCode::NOT_FOUND, "request.route", message, "/api/openapi.json lists them")
            .into_response();
    }
    if path == LEARN.0 {
        return built(LEARN.1);
    }
    let page = [INDEX, LEARN.1].contains(&path);
    match Built::get(path).filter(|_| !page && !path.is_empty() && !path.ends_with(BROTLI)) {
        Some(file) => asset(path, &file.data, &headers),
        // An asset that is not there is not the page: a script that is markup would only hide what is wrong.
        None if path.starts_with("assets/") => {
            ApiError::new(StatusCode::NOT_FOUND, "request.route", "there is no such file", "reload the page")
                .into_response()
        }
        None => index(),
    }
}

fn asset(path: &str, data: &[u8], headers: &HeaderMap) -> Response {
    let kind = kind(path);
    let text =
        kind.starts_with("text/") || kind.contains("javascript") || kind.contains("json") || kind.contains("svg");
    let takes = headers.get(header::ACCEPT_ENCODING).and_then(|it| it.to_str().ok()).unwrap_or_default();
    let brotli = takes.split(',').any(|it| it.split(';').next().is_some_and(|it| it.trim() == "br"));
    if let Some(packed) = brotli.then(|| Built::get(&format!("{path}{BROTLI}"))).flatten() {
        let mut response = Body::from(packed.data.into_owned()).into_response();
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("br"));
        return described(path, kind, response);
    }
    let packed = (text && data.len() >= COMPRESSED_BYTES_MIN && takes.contains("gzip")).then(|| compressed(path, data));
    let response = match packed.flatten() {
        Some(packed) => {
            let mut response = Body::from(packed).into_response();
            response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
            response
        }
        None => Body::from(data.to_vec()).into_response(),
    };
    described(path, kind, response)
}

/// Says what a file is, and how long it may be kept.
fn described(path: &str, kind: &'static str, mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    // Names below assets carry a digest of what they hold.
    let caching = if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" };
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching));
    response
}

fn compressed(path: &str, data: &[u8]) -> Option<Bytes> {
    let mut known = COMPRESSED.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    if let Some(packed) = known.get(path) {
        return Some(packed.clone());
    }
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(data).ok()?;
    let packed = Bytes::from(encoder.finish().ok()?);
    known.insert(path.to_owned(), packed.clone());
    Some(packed)
}

/// An answer of the API, compressed where the browser takes it: for the few that are long. Nothing in it is secret and
/// nothing of the request is repeated in it, so that its length tells nobody anything.
pub(crate) fn packed_json<T: serde::Serialize>(headers: &HeaderMap, value: &T) -> Response {
    let takes = headers.get(header::ACCEPT_ENCODING).and_then(|it| it.to_str().ok()).unwrap_or_default();
    let bytes = serde_json::to_vec(value).ok().filter(|_| takes.contains("gzip"));
    let packed = bytes.and_then(|bytes| {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(&bytes).ok()?;
        encoder.finish().ok()
    });
    let Some(packed) = packed else { return axum::Json(value).into_response() };
    let mut response = Body::from(packed).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    response
}

/// The page of those who sign in.
pub(crate) fn index() -> Response {
    built(INDEX)
}

/// A page, with a nonce of its own for the styles that the editor makes.
fn built(name: &str) -> Response {
    let Some(file) = Built::get(name) else {
        let message = "the page was not built into this binary";
        return ApiError::new(StatusCode::NOT_FOUND, "page.missing", message, "build it and then the binary")
            .into_response();
    };
    let Ok(nonce) = secret::token() else {
        let message = "the system gives no randomness";
        return ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "host.random", message, "look at the system")
            .into_response();
    };
    let text = with_nonce(&String::from_utf8_lossy(&file.data), &nonce);
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; img-src 'self' blob:; font-src 'self'; \
         connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    );
    let mut response = Body::from(text).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    }
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn with_nonce(page: &str, nonce: &str) -> String {
    let Some(start) = page.find(NONCE_META).map(|at| at + NONCE_META.len()) else { return page.to_owned() };
    let (head, rest) = page.split_at(start);
    let tail = rest.find('"').and_then(|at| rest.get(at..)).unwrap_or(rest);
    format!("{head}{nonce}{tail}")
}

fn kind(path: &str) -> &'static str {
    match path.rsplit('.').next().unwrap_or_default() {
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "wasm" => "application/wasm",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nonce_takes_its_place() {
        let page = r#"<meta name="csp-nonce" content="here" /><div id="root"></div>"#;
        assert_eq!(with_nonce(page, "n"), r#"<meta name="csp-nonce" content="n" /><div id="root"></div>"#);
        assert_eq!(with_nonce("<p>", "n"), "<p>");
    }
}
