//! The guard, by example.

mod codes;
mod levels;
mod pointers;
mod reports;
mod wording;
mod workspace;
