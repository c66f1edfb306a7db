//! All routes, and their description, which is made from them.

pub(crate) mod account;
mod actions;
mod answers;
mod changes;
mod codes;
mod described;
mod document;
mod files;
mod flows;
mod memory;
mod observations;
mod opened;
mod people;
mod research;
mod runs;
mod said;
mod say;
mod schemas;
mod sessions;
pub(crate) mod start;

use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::get;
use axum::{Json, Router};
use utoipa::OpenApi;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::error::Problem;
use crate::limits::BODY_BYTES_MAX;
use crate::state::App;
use crate::{guard, headers, page, repeat, sign_in, stream};

#[derive(OpenApi)]
#[openapi(
    info(
        title = "teacher-assist",
        description = "The HTTP API of `teacher-assist serve`. Every change wants `Content-Type: application/json`, the page's \
                       `Origin` and an `Idempotency-Key`; every error is a `Problem`. docs/http-api.md says the rest."
    ),
    components(schemas(Problem))
)]
struct Described;

/// Routes for whoever is signed in.
fn inside() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new()
        .routes(routes!(account::me))
        .routes(routes!(account::sign_out))
        .routes(routes!(account::sign_ins))
        .routes(routes!(account::end_sign_in))
        .routes(routes!(account::sign_out_everywhere))
        .routes(routes!(people::all, people::add))
        .routes(routes!(people::change, people::remove))
        .routes(routes!(people::sign_out))
        .routes(routes!(start::commands))
        .routes(routes!(runs::begin_run))
        .routes(routes!(runs::stop))
        .routes(routes!(runs::resume))
        .routes(routes!(say::say))
        .routes(routes!(observations::observe))
        .routes(routes!(flows::begin_session, opened::all))
        .routes(routes!(flows::step))
        .routes(routes!(flows::status))
        .routes(routes!(said::all))
        .routes(routes!(codes::flows))
        .routes(routes!(codes::give, codes::list))
        .routes(routes!(codes::revoke))
        .routes(routes!(codes::opened))
        .routes(routes!(flows::begin_session_at))
        .routes(routes!(flows::step_at))
        .routes(routes!(flows::status_at))
        .routes(routes!(answers::answer))
        .routes(routes!(answers::waiting))
        .routes(routes!(sessions::list))
        .routes(routes!(sessions::one, changes::rename, changes::delete))
        .routes(routes!(changes::restore))
        .routes(routes!(changes::fork))
        .routes(routes!(changes::take_back))
        .routes(routes!(document::document))
        .routes(routes!(document::export))
        .routes(routes!(sessions::records))
        .routes(routes!(files::tree))
        .routes(routes!(files::read, files::write, files::delete))
        .routes(routes!(memory::all))
        .routes(routes!(memory::write, memory::delete))
        .routes(routes!(memory::audit))
        .routes(routes!(actions::plugins))
        .routes(routes!(actions::ask_action, actions::call_action))
        .routes(routes!(research::runs))
        .routes(routes!(research::trace))
        .routes(routes!(research::journal))
        .routes(routes!(research::again))
        .routes(routes!(research::components))
        .routes(routes!(research::agree))
        .routes(routes!(stream::events))
        .routes(routes!(description))
}

/// Routes for everybody.
fn outside() -> OpenApiRouter<Arc<App>> {
    OpenApiRouter::new().routes(routes!(account::mode, account::sign_in))
}

/// The description of the API.
#[must_use]
pub fn openapi() -> serde_json::Value {
    let described = OpenApiRouter::with_openapi(Described::openapi());
    let (_, api) = described.merge(outside()).merge(inside()).split_for_parts();
    let (_, outside) = outside().split_for_parts();
    let mut api = schemas::whole(serde_json::to_value(api).unwrap_or_default());
    described::whole(&mut api, &serde_json::to_value(outside).unwrap_or_default());
    api
}

/// This description.
#[utoipa::path(get, path = "/api/openapi.json", tag = "description", responses((status = 200, body = Object)))]
async fn description() -> Json<serde_json::Value> {
    Json(openapi())
}

/// Everything that the server answers. A request passes from the outermost layer, which stands last, inwards.
pub(crate) fn router(app: &Arc<App>) -> Router {
    let (inside, _) = inside().split_for_parts();
    let (outside, _) = outside().split_for_parts();
    let inside = inside
        .layer(from_fn_with_state(Arc::clone(app), repeat::once))
        .layer(from_fn(guard::take_in))
        .layer(from_fn_with_state(Arc::clone(app), sign_in::signed_in));
    let outside = outside.layer(from_fn(guard::take_in));
    inside
        .merge(outside)
        .route("/sign-in", get(account::by_link))
        .fallback(page::page)
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
        .layer(from_fn_with_state(Arc::clone(app), guard::at_the_door))
        .layer(from_fn(headers::on_every_answer))
        .with_state(Arc::clone(app))
}
