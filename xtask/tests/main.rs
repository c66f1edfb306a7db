//! What the repository promises about itself, one module a part, in one program, so that there is one to link.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod arrows;
mod compiled_once;
mod freshness;
mod page;
mod programs;
mod words;
