//! The link of the single user: good once, then another takes its place.

use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};
use ta_runtime::RuntimeError;

use super::secret;

/// Links that were used and are remembered, to say so.
const USED_MAX: usize = 100;

/// What became of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Taken {
    /// It was the one that is good; now it is used.
    Good,
    /// It was good once.
    Used,
    /// It has the form of one, and is not of this server, or no longer.
    Expired,
    /// It is no token: a part of the link was lost.
    Wrong,
}

/// The link that is good at the moment, and those before it.
pub(crate) struct Link(Mutex<(String, Vec<String>)>);

impl Link {
    pub(crate) fn new() -> Result<Self, RuntimeError> {
        Ok(Self(Mutex::new((secret::token()?, Vec::new()))))
    }

    /// Its token.
    pub(crate) fn token(&self) -> String {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).0.clone()
    }

    /// Takes a token. If it is the one that is good, another takes its place.
    pub(crate) fn take(&self, token: &str) -> Result<Taken, RuntimeError> {
        let mut link = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (present, used) = &mut *link;
        // By digest: how long comparing takes tells nothing about the token.
        let digest = hex::encode(Sha256::digest(token));
        if digest == hex::encode(Sha256::digest(present.as_str())) {
            *present = secret::token()?;
            used.insert(0, digest);
            used.truncate(USED_MAX);
            return Ok(Taken::Good);
        }
        let whole = token.len() == present.len() && token.chars().all(|c| c.is_ascii_hexdigit());
        Ok(match whole {
            _ if used.contains(&digest) => Taken::Used,
            true => Taken::Expired,
            false => Taken::Wrong,
        })
    }
}
