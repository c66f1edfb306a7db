//! Errors as every route answers them: a status, a stable code, a sentence, a hint.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use ta_runtime::RuntimeError;
use ta_runtime::error::Kind;
use utoipa::ToSchema;

/// Why a request was not done.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct Problem {
    /// A stable word, such as `store.not_found`.
    pub(crate) code: String,
    /// What happened.
    pub(crate) message: String,
    /// What to do.
    pub(crate) hint: String,
}

/// An error with its status.
#[derive(Debug, Clone)]
pub(crate) struct ApiError {
    pub(crate) status: StatusCode,
    pub(crate) problem: Problem,
    /// Seconds after which to try again.
    pub(crate) retry_after: Option<u64>,
    /// What the file or the object holds now, for a conflict.
    pub(crate) current: Option<serde_json::Value>,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, code: &str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        let problem = Problem { code: code.to_owned(), message: message.into(), hint: hint.into() };
        Self { status, problem, retry_after: None, current: None }
    }

    pub(crate) fn bad(code: &str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message, hint)
    }

    pub(crate) fn conflict(code: &str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self::new(StatusCode::CONFLICT, code, message, hint)
    }

    pub(crate) fn not_found(what: &str) -> Self {
        Self::new(StatusCode::NOT_FOUND, "store.not_found", format!("there is no {what}"), "look at the list again")
    }

    /// After so many seconds it may be tried again.
    pub(crate) fn later(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds);
        self
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let mut body = serde_json::to_value(&self.problem).unwrap_or_default();
        if let (Some(current), Some(body)) = (self.current, body.as_object_mut()) {
            body.insert("current".to_owned(), current);
        }
        let mut response = (self.status, Json(body)).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

impl From<RuntimeError> for ApiError {
    fn from(error: RuntimeError) -> Self {
        let status = match error.code.as_str() {
            "store.not_found" | "path.not_found" | "memory.not_found" | "command.unknown" | "plugin.unknown"
            | "action.unknown" => StatusCode::NOT_FOUND,
            "session.busy" | "run.finished" | "undo.nothing" | "memory.busy" => StatusCode::CONFLICT,
            "path.outside" | "path.protected" | "path.not_granted" | "path.read_only" => StatusCode::FORBIDDEN,
            "path.too_large" => StatusCode::PAYLOAD_TOO_LARGE,
            _ => match error.kind {
                Kind::Usage => StatusCode::BAD_REQUEST,
                Kind::Configuration | Kind::NoProvider => StatusCode::UNPROCESSABLE_ENTITY,
                Kind::Environment => StatusCode::INTERNAL_SERVER_ERROR,
            },
        };
        let mut message = error.message;
        for problem in error.problems.iter().take(5) {
            message.push_str(&format!("; {problem}"));
        }
        Self::new(status, &error.code, message, error.hint)
    }
}

impl From<ta_runtime::surface::StoreError> for ApiError {
    fn from(error: ta_runtime::surface::StoreError) -> Self {
        RuntimeError::from(error).into()
    }
}

impl From<ta_runtime::surface::WorkspaceError> for ApiError {
    fn from(error: ta_runtime::surface::WorkspaceError) -> Self {
        RuntimeError::from(error).into()
    }
}

pub(crate) type Result<T> = std::result::Result<T, ApiError>;
