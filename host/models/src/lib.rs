//! Models: who answers when the agent loop asks.
//!
//! All of them implement [`ta_core::model::Model`]: providers over HTTP ([`Connection`]), a recording of one ([`play`]), and
//! [`Script`], which answers from a file, for tests and evals. A plugin's own providers are components, and none of this
//! crate's business.
//!
//! What is asked and what comes back is translated in [`wire`], without a network; [`transport`] carries it; a call is
//! made again where that is worth it, and every failure is of a kind ([`failure`]) with a stable code. A [`Key`] goes
//! into the header of a request and nowhere else. Nothing here decides what a run does next, and nothing is kept between
//! calls that could change an answer.
//!
//! Start reading at [`script`] for the smallest provider; at [`wire`] for the formats.

mod cassette;
mod completions;
mod connection;
mod estimate;
pub mod failure;
mod key;
mod otlp;
mod prices;
mod provider;
mod report;
mod retry;
pub mod script;
mod scrub;
pub mod transport;
mod watch;
pub mod wire;

pub use cassette::play;
pub use completions::Completions;
pub use connection::Connection;
pub use estimate::{completed, tokens_of};
pub use key::{Key, Keys};
pub use otlp::Collector;
pub use prices::{Price, Prices};
pub use provider::{Provider, Providers};
pub use report::{Entry, Report, wire_report};
pub use retry::Timing;
pub use script::{Script, ScriptError};
pub use transport::HttpClients;
