//! Sign-ins: kept by the digest of their token, in memory and in a file, so that a restart signs nobody out.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use ta_runtime::RuntimeError;
use ta_runtime::host::now_ms;

use super::secret;
use crate::limits::{IDLE_MS, SIGN_IN_MS, SIGN_INS_MAX};

/// How often the use of a sign-in is written down: no need to write at each request.
const WRITTEN_MS: u64 = 10 * 60 * 1_000;

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Held {
    name: String,
    since_ms: u64,
    used_ms: u64,
}

impl Held {
    const fn good(&self, now_ms: u64) -> bool {
        now_ms.saturating_sub(self.used_ms) < IDLE_MS && now_ms.saturating_sub(self.since_ms) < SIGN_IN_MS
    }
}

/// All sign-ins.
pub(crate) struct Tokens {
    file: PathBuf,
    held: Mutex<HashMap<String, Held>>,
}

impl Tokens {
    /// Those of the file; none where there is no file or it makes no sense: then people sign in again.
    pub(crate) fn open(file: PathBuf) -> Self {
        let text = std::fs::read(&file).unwrap_or_default();
        let held: HashMap<String, Held> = serde_json::from_slice(&text).unwrap_or_default();
        Self { file, held: Mutex::new(held) }
    }

    /// Signs somebody in.
    ///
    /// # Errors
    /// Where there is no randomness, or the file cannot be written.
    pub(crate) fn give(&self, name: &str) -> Result<String, RuntimeError> {
        let token = secret::token()?;
        let now = now_ms();
        let mut held = self.held();
        held.retain(|_, one| one.good(now));
        while held.len() >= SIGN_INS_MAX {
            let Some(oldest) = held.iter().min_by_key(|(_, one)| one.used_ms).map(|(key, _)| key.clone()) else {
                break;
            };
            held.remove(&oldest);
        }
        held.insert(digest(&token), Held { name: name.to_owned(), since_ms: now, used_ms: now });
        self.write(&held).map_err(|error| secret::unusable(&self.file, &error))?;
        Ok(token)
    }

    /// Who holds a token, with its digest.
    pub(crate) fn holder(&self, token: &str) -> Option<(String, String)> {
        let key = digest(token);
        let now = now_ms();
        let mut held = self.held();
        let one = held.get_mut(&key)?;
        if !one.good(now) {
            held.remove(&key);
            return None;
        }
        let name = one.name.clone();
        if now.saturating_sub(one.used_ms) > WRITTEN_MS {
            one.used_ms = now;
            // Not written is not lost: only the time of its last use is older after a restart.
            let _ = self.write(&held);
        }
        Some((name, key))
    }

    /// Whether the sign-in of this digest still holds; looking is no use of it.
    pub(crate) fn is_good(&self, key: &str) -> bool {
        self.held().get(key).is_some_and(|one| one.good(now_ms()))
    }

    /// Signs a token out.
    pub(crate) fn take(&self, token: &str) {
        let mut held = self.held();
        if held.remove(&digest(token)).is_some() {
            // If that fails, the token is good again after a restart until it expires.
            if let Err(error) = self.write(&held) {
                eprintln!("{} cannot be written: {error}", self.file.display());
            }
        }
    }

    fn write(&self, held: &HashMap<String, Held>) -> std::io::Result<()> {
        secret::write(&self.file, &serde_json::to_vec(held).unwrap_or_default())
    }

    fn held(&self) -> MutexGuard<'_, HashMap<String, Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn digest(token: &str) -> String {
    hex::encode(Sha256::digest(token))
}
