//! What a writer is asked: requests to start from in its own tests, options by name.

use crate::types::Entry;
use crate::writer::{Failure, Request};

impl Request {
    /// A request for the whole text, for a writer's own tests.
    #[must_use]
    pub fn new(format: &str, text: &str) -> Self {
        Self { format: format.into(), text: text.into(), part: None, options: Vec::new() }
    }

    /// The same with an option.
    #[must_use]
    pub fn with_option(mut self, name: &str, value: &str) -> Self {
        self.options.push(Entry { name: name.into(), value: value.into() });
        self
    }

    /// The option of this name, where the manifest or the operator set one.
    #[must_use]
    pub fn option(&self, name: &str) -> Option<&str> {
        self.options.iter().find(|entry| entry.name == name).map(|entry| entry.value.as_str())
    }
}

impl Failure {
    /// Why there is no document: a stable word, a sentence, what the person can do.
    #[must_use]
    pub fn new(code: &str, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into(), hint: hint.into() }
    }
}
