//! What is tried beyond the crates' own tests, in one program, so that there is one to link.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod measured;
mod routing;
mod sessions;
mod torture;
