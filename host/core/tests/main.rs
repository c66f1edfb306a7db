//! The pure rules from outside the crate, one module a part, in one program, so that there is one to link.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod budgets;
mod catalogue;
mod changes;
mod compaction;
mod contract;
mod delegation;
mod flows;
mod forms;
mod guest_model;
mod lanes;
mod machine;
mod machine_properties;
mod memory;
mod reading;
mod requests;
mod support;
