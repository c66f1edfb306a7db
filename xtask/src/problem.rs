//! What can go wrong in a task: what happened, and what to do.

use std::fmt;
use std::path::Path;

/// The result of a step.
pub type Result<T> = std::result::Result<T, Problem>;

/// Something that went wrong, with its remedy where there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    what: String,
    remedy: Option<String>,
}

impl Problem {
    /// A problem without a remedy beyond its own words.
    #[must_use]
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), remedy: None }
    }

    /// A problem with a file.
    #[must_use]
    pub fn at(path: &Path, cause: impl fmt::Display) -> Self {
        Self::new(format!("{}: {cause}", path.display()))
    }

    /// The same, with what to do.
    #[must_use]
    pub fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = Some(remedy.into());
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        match &self.remedy {
            Some(remedy) => write!(f, "\n  hint: {remedy}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Problem {}
