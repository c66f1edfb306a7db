//! Work on the repository itself: what `cargo xtask` does, and the questions that tests ask about the tree.
//!
//! Nothing here is part of the product, and nothing of the product is built for it. It never changes a source: it writes only
//! what is made from sources, and says with which command.
//!
//! Start reading at [`freshness()`], which says whether the components in the tree are those of their sources, then
//! [`guests`], which makes them. The generator that writes a file and the check that compares it use one function.

pub mod aimock;
pub mod bench;
pub mod c_guest;
pub mod catalogue;
pub mod checks;
pub mod claude;
pub mod digest;
pub mod encode;
pub mod freshness;
pub mod guests;
pub mod long;
pub mod package;
pub mod page;
pub mod problem;
pub mod rebuilt;
pub mod rust_guest;
pub mod smoke;
pub mod tools;
pub mod wire;

pub use freshness::{Stale, freshness};
pub use problem::{Problem, Result};
