//! What this host is measured by. So far: the torture guests, components that try to break out, hang, fill the
//! memory or lie, each beside the outcome that must come of it.
//!
//! This crate never ships: it is for tests and benchmarks. Start reading at [`torture`], then `torture/README.md`.

pub mod torture;
