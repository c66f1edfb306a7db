//! Whoever has an access code: somebody with a link, who has no account. The code comes with each request.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use ta_runtime::codes::{self, Shut};
use ta_runtime::host::now_ms;
use ta_runtime::surface::{CodeFilter, CodeRow};

use super::people::Role;
use super::{Who, with_role};
use crate::error::{ApiError, Result};
use crate::state::App;

/// Characters of a code by which wrong ones are counted: whoever guesses at one code keeps no other out.
const COUNTED_CHARS: usize = 5;

/// A code that a request came with, and that opens something now.
#[derive(Debug, Clone)]
pub(crate) struct Holder(pub(crate) CodeRow);

/// The code that a request came with: `Authorization: Bearer CODE`. It goes before a sign-in, so that whoever is
/// signed in can try a link.
pub(crate) fn sent(headers: &HeaderMap) -> Option<&str> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().unwrap_or_default();
    Some(value.strip_prefix("Bearer ").unwrap_or_default().trim())
}

/// Looks a code up. Wrong ones are counted and slowed down; a right one waits only where somebody guesses at its beginning.
pub(crate) async fn holder(app: &App, typed: &str) -> Result<Holder> {
    let counted: String = typed.chars().take(COUNTED_CHARS).collect::<String>().to_ascii_uppercase();
    let guesses = &app.sign_in.guessed_codes;
    slow_down(guesses.wait_ms(&counted, now_ms()))?;
    let row = match codes::digest(typed) {
        Some(sha256) => app.store.codes(CodeFilter::Sha256(sha256)).await?.into_iter().next(),
        None => None,
    };
    let Some(row) = row else {
        let wait_ms = guesses.wait_all_ms(now_ms());
        guesses.guessed(&counted, now_ms());
        slow_down(wait_ms)?;
        let hint = "look at the code again: it has twenty letters and digits; whoever gave it can give you another";
        return Err(ApiError::new(StatusCode::UNAUTHORIZED, "code.wrong", "this access code opens nothing", hint));
    };
    let shut = |code: &str, message: &str| {
        ApiError::new(StatusCode::UNAUTHORIZED, code, message, "whoever gave it can give you another")
    };
    match codes::check(&row, now_ms()) {
        Ok(()) => Ok(Holder(row)),
        Err(Shut::Expired) => Err(shut("code.expired", "the time of this access code is over")),
        Err(Shut::Revoked) => Err(shut("code.revoked", "this access code was revoked")),
    }
}

fn slow_down(wait_ms: u64) -> Result<()> {
    if wait_ms == 0 {
        return Ok(());
    }
    let seconds = wait_ms.div_ceil(1_000);
    let message = format!("too many wrong access codes: wait {seconds} seconds");
    let status = StatusCode::TOO_MANY_REQUESTS;
    Err(ApiError::new(status, "auth.throttled", message, "then try again").later(seconds))
}

/// Whoever speaks to a flow: a teacher about their own sessions, or somebody with a code, in the one session that it opens.
pub(crate) enum Speaker {
    /// A teacher.
    Teacher(Who),
    /// Somebody with a code.
    Code(CodeRow),
}

impl Speaker {
    /// Whose sessions they are.
    pub(crate) fn owner(&self) -> &str {
        match self {
            Self::Teacher(who) => &who.owner,
            Self::Code(code) => &code.owner,
        }
    }

    /// In which role they speak, and look at a session.
    pub(crate) fn role(&self) -> &str {
        match self {
            Self::Teacher(_) => Role::Teacher.name(),
            Self::Code(code) => &code.role,
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Speaker {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        match parts.extensions.get::<Holder>() {
            Some(Holder(code)) => Ok(Self::Code(code.clone())),
            None => with_role(parts, Role::Teacher).map(Self::Teacher),
        }
    }
}
