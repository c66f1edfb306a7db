//! The torture guests: read from `evals/torture`, made into components, run, and compared with what must come.
//!
//! [`rows`] reads the guests with their expectations, [`component`] makes the text a component, [`Stage`] runs it
//! on the sandbox's own interface and says what it saw, [`Census`] counts what the process holds.

mod census;
mod component;
mod row;
mod stage;

pub use census::Census;
pub use component::{component, expanded};
pub use row::{Caught, Expectation, Row, folder, row, rows};
pub use stage::{GOOD, Seen, Stage, compiler, input};
