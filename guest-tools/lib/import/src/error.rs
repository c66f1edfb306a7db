//! Errors: a stable code, a sentence, a hint.

use std::fmt;

use serde::Serialize;

/// Why something could not be read or made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ImportError {
    /// A stable word, such as `import.encrypted`.
    pub code: &'static str,
    /// What happened.
    pub message: String,
    /// What to do.
    pub hint: String,
    /// Whether it is about how it was called, not about what was read.
    pub usage: bool,
}

impl ImportError {
    /// An error.
    pub fn new(code: &'static str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: hint.into(), usage: false }
    }

    /// The same, about how it was called.
    #[must_use]
    pub fn of_usage(mut self) -> Self {
        self.usage = true;
        self
    }
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.message, self.code)
    }
}

impl std::error::Error for ImportError {}
