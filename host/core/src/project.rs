//! What a team writes for agents of its own: capabilities, agents, skills, signals, below `.agent/` and in `agent.yaml`.
//!
//! Pure: texts come in, definitions and problems go out. What a project may not say (rights, keys, addresses, prices) is refused
//! here, so that no layer that comes with somebody's files can widen what the operator allows.

pub mod aliases;
pub mod config;
pub mod definitions;
pub mod signals;
pub mod template;

use serde::Serialize;

use ta_fields::fields::Fields;
use ta_fields::problem::Problem;

/// A value that somebody wrote, and where.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Said<T> {
    /// The value.
    pub value: T,
    /// The file, as the person would name it.
    pub file: String,
    /// The line, counted from 1.
    pub line: usize,
}

impl<T> Said<T> {
    /// A value of this field.
    fn of(fields: &Fields, field: &str, value: T) -> Self {
        let line = fields.fields.get(field).map_or(0, |found| found.line);
        Self { value, file: fields.file.clone(), line }
    }
}

/// A name as capabilities, agents, skills and parameters have it: small letters, digits, hyphens, underscores.
#[must_use]
pub fn is_name(text: &str) -> bool {
    let rest = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    text.len() <= NAME_CHARS_MAX && text.starts_with(|c: char| c.is_ascii_lowercase()) && text.chars().all(rest)
}

/// Characters of a name: what a model may call as a tool has no more.
pub const NAME_CHARS_MAX: usize = 48;

/// Says of a name that it is none.
fn check_name(fields: &Fields, field: &str, name: &str, problems: &mut Vec<Problem>) {
    if is_name(name) {
        return;
    }
    let message = format!("`{name}` is no name");
    let remedy =
        format!("write small letters, digits and hyphens, a letter first, at most {NAME_CHARS_MAX} characters");
    let line = fields.fields.get(field).map(|found| found.line);
    problems.push(Problem::new("field.value", &fields.file, message, remedy).at(line).field(field));
}
