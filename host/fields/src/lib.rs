//! What people write in fields, front matter and TOML tables, read with its lines, and every problem of it at once: the same for
//! the host and for guests that check files of their own.
//!
//! It takes text and gives values. It never opens a file, and knows no field by its name.

pub mod fields;
pub mod front_matter;
pub mod problem;
