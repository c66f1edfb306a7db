//! Errors: a stable code, a sentence, a hint.

use std::fmt;

/// Why something could not be read or made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportError {
    /// A stable word, such as `import.encrypted`.
    pub code: &'static str,
    /// What happened.
    pub message: String,
    /// What to do.
    pub hint: String,
}

impl ImportError {
    /// An error.
    pub fn new(code: &'static str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { code, message: message.into(), hint: hint.into() }
    }
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.message, self.code)
    }
}

impl std::error::Error for ImportError {}
