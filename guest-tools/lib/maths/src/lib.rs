//! Answers in school mathematics, read as people type them and compared exactly.
//!
//! Start reading at [`judge::judge`]. Numbers are `num-rational`'s: `fend-core` has no surds that compare exactly and no letters.

pub mod answer;
pub mod exact;
pub mod expr;
pub mod form;
pub mod judge;
pub mod numeric;
pub mod parse;
pub mod poly;
pub mod same;
pub mod text;
pub mod token;
pub mod units;
pub mod why;
