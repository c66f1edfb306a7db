//! The guest SDK: bindings of the contract in `wit/plugin`, generated, with the few words that make a hook read well.
//!
//! A guest is a library crate with its logic in plain functions and one line that exports it:
//!
//! ```
//! # #[cfg(feature = "post-loop")]
//! # mod guest {
//! use ta_guest::Context;
//! use ta_guest::post_loop::{Event, Response};
//!
//! ta_guest::post_loop!(mentions_subject);
//!
//! /// Asks for another round, at most two, when an output never says what it is about.
//! fn mentions_subject(context: &Context, event: &Event) -> Response {
//!     match &context.subject {
//!         Some(subject) if !event.output.contains(subject.id.as_str()) => {
//!             Response::rework(format!("Say that this is about {}.", subject.id), 2).note("it is not named")
//!         }
//!         _ => Response::pass(),
//!     }
//! }
//! # }
//! ```
//!
//! This crate never decides anything: whatever a guest asks for goes to the host, which may say no.
//! Start reading at [`types`], what a guest is given and what it says, then at the module of a point, such as `post_loop`.

#[cfg(feature = "tool")]
pub mod arguments;
mod bindings;
mod context;
mod export;
pub mod granted;
mod messages;
#[cfg(not(target_arch = "wasm32"))]
mod native;
#[cfg(feature = "provider")]
mod provided;
#[cfg(feature = "reader")]
mod read;
mod responses;
mod settings;
#[cfg(not(target_arch = "wasm32"))]
pub mod testing;
#[cfg(feature = "writer")]
mod written;

#[cfg(feature = "flow")]
pub use bindings::flow;
#[cfg(target_arch = "wasm32")]
pub use bindings::imports::teacher_assist::plugin::*;
#[cfg(feature = "provider")]
pub use bindings::provider;
#[cfg(feature = "reader")]
pub use bindings::reader;
#[cfg(feature = "tool")]
pub use bindings::tool;
#[cfg(feature = "writer")]
pub use bindings::writer;
pub use export::start;
pub use messages::Conversation;
#[cfg(not(target_arch = "wasm32"))]
pub use native::*;
#[cfg(feature = "provider")]
pub use provided::tokens_of;
pub use settings::setting;
pub use types::{
    Abort, Context, Decision, Entry, FileChange, FileDigest, Finding, Observation, Part, Rework, ShownMessage, Subject,
};

include!("../../../../wit/plugin/lists.rs");

macro_rules! modules {
    ([] $($variant:ident $module:ident $name:literal $world:literal $when:literal;)*) => {
        $(#[cfg(feature = $name)] pub use bindings::$module;)*
    };
}

points!(modules);

/// A configuration value, parsed, or the default where there is none or it does not parse.
#[must_use]
pub fn config_or<T: std::str::FromStr>(name: &str, default: T) -> T {
    config::get(name).and_then(|value| value.trim().parse().ok()).unwrap_or(default)
}
