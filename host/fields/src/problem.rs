//! Problems in files that people write: every one is reported, each with its place and its remedy.

use std::fmt;

use serde::{Deserialize, Serialize};

/// One problem in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Problem {
    /// A stable word, such as `front-matter.missing-field`.
    pub code: String,
    /// The file, as the person would name it.
    pub file: String,
    /// The line, counted from 1, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The field, where it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub remedy: String,
}

impl Problem {
    /// A problem with a file as a whole.
    #[must_use]
    pub fn new(code: &str, file: &str, message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            code: code.into(),
            file: file.into(),
            line: None,
            field: None,
            message: message.into(),
            remedy: remedy.into(),
        }
    }

    /// The same, at a line.
    #[must_use]
    pub const fn at(mut self, line: Option<usize>) -> Self {
        self.line = line;
        self
    }

    /// The same, about a field.
    #[must_use]
    pub fn field(mut self, field: &str) -> Self {
        self.field = Some(field.into());
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
        }
        if let Some(field) = &self.field {
            write!(f, ": {field}")?;
        }
        write!(f, ": {} [{}]\n  hint: {}", self.message, self.code, self.remedy)
    }
}
