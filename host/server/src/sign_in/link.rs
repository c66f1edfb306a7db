//! The link of the single user: good once, then another takes its place.

use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};
use ta_runtime::RuntimeError;

use super::secret;

/// The link that is good at the moment.
pub(crate) struct Link(Mutex<String>);

impl Link {
    pub(crate) fn new() -> Result<Self, RuntimeError> {
        Ok(Self(Mutex::new(secret::token()?)))
    }

    /// Its token.
    pub(crate) fn token(&self) -> String {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Whether the token is the one that is good; then it is good no more.
    pub(crate) fn take(&self, token: &str) -> Result<bool, RuntimeError> {
        let mut present = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // By digest: how long comparing takes tells nothing about the token.
        if Sha256::digest(token) != Sha256::digest(present.as_str()) {
            return Ok(false);
        }
        *present = secret::token()?;
        Ok(true)
    }
}
