//! The languages that there are templates for.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

/// A language that guests are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// Rust, by cargo.
    Rust,
    /// C, by clang, without a C library.
    C,
    /// JavaScript, by componentize-qjs: the engine is a tenth of the size of the other one.
    JavaScript,
    /// Python, by componentize-py.
    Python,
}

impl Language {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Rust, Self::C, Self::JavaScript, Self::Python];

    /// Its name on the command line and in `guest.toml`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rust => "rust",
            Self::C => "c",
            Self::JavaScript => "javascript",
            Self::Python => "python",
        }
    }

    /// Whether its components carry a runtime, which needs the capability `wasi` to start.
    #[must_use]
    pub const fn has_runtime(self) -> bool {
        match self {
            Self::Rust | Self::C => false,
            Self::JavaScript | Self::Python => true,
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Language {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let known = Self::ALL.map(Self::name).join(", ");
        let found = Self::ALL.into_iter().find(|language| language.name() == text);
        found.ok_or_else(|| format!("`{text}` is no language that guests are begun in; there are: {known}"))
    }
}
