//! The imports, one file for each capability. Every function counts itself, then does what was granted.
//!
//! A component that was not granted a capability is refused when it is loaded; the checks here hold for the
//! grants themselves.

mod ask;
mod memory;
mod model;
mod past;
mod small;
mod workspace;
