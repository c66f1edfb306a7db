//! Who is asking: one person by a link that works once, or several by passcodes; then a cookie.

pub(crate) mod codes;
pub(crate) mod link;
pub(crate) mod people;
pub(crate) mod secret;
pub(crate) mod throttle;
pub(crate) mod tokens;

use std::sync::Arc;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::{ApiError, Result};
use crate::state::App;
use link::Link;
use people::{People, Role};
use throttle::Throttle;
use tokens::Tokens;

/// The cookie.
pub(crate) const COOKIE: &str = "ta_session";

/// Whoever is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Who {
    /// The name; data are kept apart by it.
    pub(crate) name: String,
    /// What they may do.
    pub(crate) roles: Vec<Role>,
    /// The sign-in, to count its streams: the digest of its token.
    pub(crate) token_sha256: String,
}

/// How people sign in.
pub(crate) enum Mode {
    /// One person, by a link.
    Single {
        /// The person's name.
        teacher: String,
        /// What they may do.
        roles: Vec<Role>,
        /// The link that is good at the moment.
        link: Link,
    },
    /// Several, by passcodes.
    Passcode(People),
}

/// Everything about signing in.
pub(crate) struct SignIn {
    pub(crate) mode: Mode,
    pub(crate) tokens: Tokens,
    pub(crate) throttle: Throttle,
    /// Wrong access codes, counted apart.
    pub(crate) guessed_codes: Throttle,
}

impl SignIn {
    /// What the person of that name may do now; none where they may not come in any more.
    fn roles(&self, name: &str) -> Option<Vec<Role>> {
        match &self.mode {
            Mode::Single { teacher, roles, .. } => (name == teacher).then(|| roles.clone()),
            Mode::Passcode(people) => people.of(name).map(|person| person.roles.clone()),
        }
    }

    /// Whoever holds the token of this request.
    pub(crate) fn who(&self, headers: &HeaderMap) -> Option<Who> {
        let (name, token_sha256) = self.tokens.holder(&token(headers)?)?;
        let roles = self.roles(&name)?;
        Some(Who { name, roles, token_sha256 })
    }
}

/// The token in the cookie. Two cookies of the name are none: one of them was put there by another.
pub(crate) fn token(headers: &HeaderMap) -> Option<String> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut ours = cookies
        .flat_map(|cookies| cookies.split(';'))
        .filter_map(|cookie| cookie.trim().split_once('='))
        .filter(|(name, _)| *name == COOKIE)
        .map(|(_, value)| value.to_owned());
    match (ours.next(), ours.next()) {
        (Some(token), None) => Some(token),
        _ => None,
    }
}

/// Lets in whoever is signed in, or has an access code: that opens nothing but its own session.
pub(crate) async fn signed_in(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    if let Some(code) = codes::sent(request.headers()) {
        match codes::holder(&app, code).await {
            Ok(holder) => drop(request.extensions_mut().insert(holder)),
            Err(error) => return error.into_response(),
        }
        return next.run(request).await;
    }
    let Some(who) = app.sign_in.who(request.headers()) else {
        let (message, hint) = ("nobody is signed in", "sign in; for one person the server prints the link");
        return ApiError::new(StatusCode::UNAUTHORIZED, "auth.required", message, hint).into_response();
    };
    request.extensions_mut().insert(who);
    next.run(request).await
}

fn with_role(parts: &Parts, role: Role) -> Result<Who> {
    let who = parts.extensions.get::<Who>().cloned();
    who.filter(|who| who.roles.contains(&role)).ok_or_else(|| {
        let message = format!("this is for the role {}", role.name());
        let hint = "whoever runs the server gives roles: `teacher-assist people add NAME --role …`";
        ApiError::new(StatusCode::FORBIDDEN, "auth.role", message, hint)
    })
}

/// A teacher, who sees their own sessions and memory, and the workspace that all share.
pub(crate) struct Teacher(pub(crate) Who);

impl<S: Send + Sync> FromRequestParts<S> for Teacher {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        with_role(parts, Role::Teacher).map(Self)
    }
}

/// A researcher, who sees runs, and nobody's name.
pub(crate) struct Researcher;

impl<S: Send + Sync> FromRequestParts<S> for Researcher {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        with_role(parts, Role::Researcher).map(|_| Self)
    }
}

/// Whoever is signed in.
pub(crate) struct Anybody(pub(crate) Who);

impl<S: Send + Sync> FromRequestParts<S> for Anybody {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        let who = parts.extensions.get::<Who>().cloned();
        who.map(Self)
            .ok_or_else(|| ApiError::new(StatusCode::UNAUTHORIZED, "auth.required", "nobody is signed in", "sign in"))
    }
}
