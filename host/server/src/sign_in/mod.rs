//! Who is asking: one person by a link that works once, or several by passcodes; then a cookie.

pub(crate) mod codes;
pub(crate) mod directory;
pub(crate) mod link;
pub(crate) mod people;
pub(crate) mod secret;
pub(crate) mod throttle;
pub(crate) mod tokens;

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::sync::watch;

use crate::error::{ApiError, Result};
use crate::state::App;
use directory::Directory;
use link::Link;
use people::Role;
use throttle::Throttle;
use tokens::{Holder, Tokens};

/// The cookie.
pub(crate) const COOKIE: &str = "ta_session";

/// Whoever is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Who {
    /// The id; what they have is kept apart by it, as the journal's owner.
    pub(crate) owner: String,
    /// What they are called now.
    pub(crate) name: String,
    /// What they may do.
    pub(crate) roles: Vec<Role>,
    /// The sign-in.
    pub(crate) holder: Holder,
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
    Passcode(Directory),
}

/// Everything about signing in.
pub(crate) struct SignIn {
    pub(crate) mode: Mode,
    pub(crate) tokens: Tokens,
    pub(crate) throttle: Throttle,
    /// Wrong access codes, counted apart.
    pub(crate) guessed_codes: Throttle,
    /// Counts what may have ended sign-ins, for the streams that are open.
    pub(crate) changed: watch::Sender<u64>,
}

/// How often the file of people is looked at where nobody asks for anything.
const LOOKED_AT: Duration = Duration::from_millis(500);
/// The epoch of the one person, whose link is the server's own.
pub(crate) const EPOCH_OF_ONE: u64 = 0;

impl SignIn {
    /// Whoever holds a token, as they are now; none where that sign-in holds no more.
    fn now(&self, holder: Holder) -> Option<Who> {
        match &self.mode {
            Mode::Single { teacher, roles, .. } => (holder.id == *teacher && holder.epoch == EPOCH_OF_ONE)
                .then(|| Who { owner: teacher.clone(), name: teacher.clone(), roles: roles.clone(), holder }),
            Mode::Passcode(directory) => {
                let people = directory.people();
                let person = people.of(&holder.id).filter(|person| person.epoch == holder.epoch)?;
                Some(Who { owner: person.id.clone(), name: person.name.clone(), roles: person.roles.clone(), holder })
            }
        }
    }

    /// Whoever holds the token of this request.
    pub(crate) fn who(&self, headers: &HeaderMap) -> Option<Who> {
        self.now(self.tokens.holder(&token(headers)?)?)
    }

    /// Whoever signed in with the token of this digest; looking is no use of it.
    pub(crate) fn of_key(&self, key: &str) -> Option<Who> {
        self.now(self.tokens.of_key(key)?)
    }

    /// Has all open streams look whether their sign-in still holds.
    pub(crate) fn tell_changed(&self) {
        self.changed.send_modify(|count| *count = count.wrapping_add(1));
    }
}

/// Looks at the file of people while the server runs, so that who is signed out elsewhere is told nothing more.
pub(crate) async fn watch_people(app: Arc<App>) {
    let Mode::Passcode(directory) = &app.sign_in.mode else { return };
    let mut known = directory.people();
    let mut stopping = app.stopping.subscribe();
    loop {
        tokio::select! {
            () = tokio::time::sleep(LOOKED_AT) => {}
            _ = stopping.changed() => return,
        }
        let now = directory.people();
        if !Arc::ptr_eq(&known, &now) {
            known = now;
            app.sign_in.tell_changed();
        }
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

/// An operator, who says who may sign in.
pub(crate) struct Operator(pub(crate) Who);

impl<S: Send + Sync> FromRequestParts<S> for Operator {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        with_role(parts, Role::Operator).map(Self)
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
