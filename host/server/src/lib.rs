//! The HTTP API and the page: axum routes, one event stream per tab, sign-in, limits.
//!
//! The only crate that knows of HTTP. It decides nothing about a run: every route is a call of the runtime, and what a
//! browser sees of a run is the journal. It keeps no state that matters: a run goes on after the server was killed.
//!
//! Start reading at [`serve()`], then `guard` (what every request passes), then `live` (runs at work), then `routes`.

mod connections;
mod error;
mod guard;
mod headers;
mod host_names;
mod hub;
mod limits;
mod live;
mod open_questions;
mod page;
mod repeat;
mod research;
mod routes;
mod serve;
mod sign_in;
mod stall;
mod state;
mod stream;
mod study;
mod wire;

pub use routes::openapi;
pub use serve::{Listening, Settings, Tell, serve};
pub use sign_in::people::{People, Person, Role};
pub use study::serve_study;
