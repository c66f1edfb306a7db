//! The journal: every event of every session, appended and never changed, and the views made from it.
//!
//! An append is one transaction, durable before its caller hears of it, unless the caller says that it may be later.
//! Sessions and runs are listed from views that
//! are updated in the same transaction and can be rebuilt from the events at any time: the events are the only truth.
//!
//! A record has a header, which forms a chain with those before it, and a body, which can be erased: see [`Header`].
//!
//! This crate never reads the clock, never makes an id, and never decides what an event means for a run; whoever
//! appends says when and under which ids. SQL is written here and nowhere else.
//!
//! Start reading at [`Store`], then at `project`, which says what the views hold, then at `sqlite`.

mod audit;
mod chain;
mod codes;
#[cfg(any(test, feature = "conformance"))]
pub mod conformance;
mod erase;
mod error;
mod limits;
mod prefix;
mod prepare;
mod project;
mod ram;
mod rows;
mod search;
mod sqlite;
mod store;
#[cfg(test)]
mod tests;

pub use audit::{AuditKind, AuditRow};
pub use chain::{Body, Broken, Chain, Hash, Header, Stored, Why, verify_chain};
pub use codes::{CodeChange, CodeFilter, CodeRow};
pub use erase::{Erased, Erasure, Tombstone};
pub use error::StoreError;
pub use limits::{
    BLOB_BYTES_MAX, BODY_BYTES_MAX, CANDIDATES_MAX, ID_BYTES_MAX, PREFIX_CHARS_MIN, SEARCH_WORDS_MAX, TITLE_CHARS_MAX,
};
pub use prepare::digest;
pub use ram::RamStore;
pub use rows::{Cursor, RunRow, SessionRow, State};
pub use search::{Hit, SearchQuery};
pub use sqlite::SqliteStore;
pub use store::{About, Found, SessionFilter, Store};
