//! Who may sign in, for operators. The same file that `teacher-assist people` changes.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::{ApiError, Problem, Result};
use crate::sign_in::directory::Directory;
use crate::sign_in::people::{People, Person, Role};
use crate::sign_in::{Mode, Operator};
use crate::state::App;

/// A person who may sign in.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PersonLine {
    /// Stands for them in the journal; never changes.
    id: String,
    /// What they sign in with.
    name: String,
    roles: Vec<Role>,
}

impl PersonLine {
    fn of(person: &Person) -> Self {
        Self { id: person.id.clone(), name: person.name.clone(), roles: person.roles.clone() }
    }
}

/// The people of the server, and a way to change them. What takes long, hashing and the disk, is done beside.
struct Desk(Arc<App>);

impl Desk {
    fn directory(&self) -> Result<&Directory> {
        match &self.0.sign_in.mode {
            Mode::Passcode(directory) => Ok(directory),
            Mode::Single { .. } => {
                let hint = "`teacher-assist people add NAME --role operator`, then start the server again";
                Err(ApiError::conflict("people.single", "this server is one person's, who signs in by a link", hint))
            }
        }
    }

    async fn change<T: Send + 'static>(
        &self,
        change: impl FnOnce(&mut People) -> std::result::Result<T, ta_runtime::RuntimeError> + Send + 'static,
    ) -> Result<T> {
        let file = self.directory()?.file().to_owned();
        let changed = tokio::task::spawn_blocking(move || People::change(&file, change)).await;
        let given = changed.map_err(|_| ApiError::not_found("such person"))??;
        self.0.sign_in.tell_changed();
        Ok(given)
    }

    /// The name of the person with that id.
    fn name(&self, id: &str) -> Result<String> {
        let people = self.directory()?.people();
        people.of(id).map(|person| person.name.clone()).ok_or_else(|| ApiError::not_found("such person"))
    }
}

/// Who may sign in.
#[utoipa::path(get, path = "/api/people", tag = "people",
    responses((status = 200, body = [PersonLine]), (status = 409, body = Problem)))]
pub(crate) async fn all(State(app): State<Arc<App>>, _: Operator) -> Result<Json<Vec<PersonLine>>> {
    let people = Desk(app).directory()?.people();
    Ok(Json(people.iter().map(PersonLine::of).collect()))
}

/// A person who is to sign in.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewPerson {
    name: String,
    roles: Vec<Role>,
    passcode: String,
}

/// Adds a person.
#[utoipa::path(post, path = "/api/people", tag = "people", request_body = NewPerson,
    responses((status = 201, body = PersonLine), (status = 400, body = Problem), (status = 409, body = Problem)))]
pub(crate) async fn add(
    State(app): State<Arc<App>>,
    _: Operator,
    Json(new): Json<NewPerson>,
) -> Result<(StatusCode, Json<PersonLine>)> {
    let desk = Desk(app);
    if desk.directory()?.people().named(&new.name).is_some() {
        let message = format!("somebody is called `{}` already", new.name);
        return Err(ApiError::conflict("people.taken", message, "take another name, or change that person"));
    }
    let line = desk.change(move |people| {
        let id = people.add(&new.name, new.roles.clone(), &new.passcode)?;
        Ok(PersonLine { id, name: new.name, roles: new.roles })
    });
    Ok((StatusCode::CREATED, Json(line.await?)))
}

/// What is to be another; what is left out stays.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PersonChange {
    name: Option<String>,
    roles: Option<Vec<Role>>,
    /// Ends all their sign-ins.
    passcode: Option<String>,
}

/// Changes a person.
#[utoipa::path(patch, path = "/api/people/{person}", tag = "people", params(("person" = String, Path)),
    request_body = PersonChange,
    responses((status = 204), (status = 400, body = Problem), (status = 404, body = Problem), (status = 409, body = Problem)))]
pub(crate) async fn change(
    State(app): State<Arc<App>>,
    _: Operator,
    Path(person): Path<String>,
    Json(change): Json<PersonChange>,
) -> Result<StatusCode> {
    let desk = Desk(app);
    let name = desk.name(&person)?;
    desk.change(move |people| {
        people.change_person(&name, change.roles, change.passcode.as_deref())?;
        change.name.map_or(Ok(()), |other| people.rename(&name, &other))
    })
    .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Ends all sign-ins of a person.
#[utoipa::path(post, path = "/api/people/{person}/sign-out", tag = "people", params(("person" = String, Path)),
    responses((status = 204), (status = 404, body = Problem)))]
pub(crate) async fn sign_out(
    State(app): State<Arc<App>>,
    _: Operator,
    Path(person): Path<String>,
) -> Result<StatusCode> {
    let desk = Desk(app);
    let name = desk.name(&person)?;
    desk.change(move |people| people.sign_out(&name)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Takes a person away; what they have stays, under an id that nobody else is given.
#[utoipa::path(delete, path = "/api/people/{person}", tag = "people", params(("person" = String, Path)),
    responses((status = 204), (status = 404, body = Problem), (status = 409, body = Problem)))]
pub(crate) async fn remove(
    State(app): State<Arc<App>>,
    Operator(who): Operator,
    Path(person): Path<String>,
) -> Result<StatusCode> {
    if person == who.owner {
        let hint = "another operator can, or `teacher-assist people remove`";
        return Err(ApiError::conflict("people.self", "nobody removes themselves", hint));
    }
    let desk = Desk(app);
    let name = desk.name(&person)?;
    desk.change(move |people| people.remove(&name)).await?;
    Ok(StatusCode::NO_CONTENT)
}
