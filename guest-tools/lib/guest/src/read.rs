//! What a reader is asked: requests to start from in its own tests, options by name.

use crate::reader::{Failure, Request};
use crate::types::Entry;

impl Request {
    /// A request to read a file, for a reader's own tests.
    #[must_use]
    pub fn new(name: &str, bytes: &[u8]) -> Self {
        Self { name: name.into(), bytes: bytes.into(), options: Vec::new() }
    }

    /// The same with an option.
    #[must_use]
    pub fn with_option(mut self, name: &str, value: &str) -> Self {
        self.options.push(Entry { name: name.into(), value: value.into() });
        self
    }

    /// The last option of this name: what the caller says of the document comes after the configuration.
    #[must_use]
    pub fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().rev().find(|entry| entry.name == name).map(|entry| entry.value.as_str())
    }
}

impl Failure {
    /// Why there is no document: a stable word, a sentence, what the person can do.
    #[must_use]
    pub fn new(code: &str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into(), hint: hint.into() }
    }
}
