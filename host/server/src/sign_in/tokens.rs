//! Sign-ins: kept by the digest of their token, in memory and in a file, so that a restart signs nobody out.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use ta_runtime::RuntimeError;
use ta_runtime::host::now_ms;
use utoipa::ToSchema;

use super::secret;
use crate::limits::{IDLE_MS, SIGN_IN_MS, SIGN_INS_MAX};

/// How often the use of a sign-in is written down: no need to write at each request.
const WRITTEN_MS: u64 = 10 * 60 * 1_000;

/// Hexadecimal digits by which a sign-in is named: enough to tell those of one person apart, and no way in.
const ID_DIGITS: usize = 16;
/// Characters that are kept of what a browser calls itself.
const BROWSER_CHARS_MAX: usize = 200;

#[derive(Debug, Clone, Serialize, Deserialize)]
struct Held {
    /// Whose it is.
    id: String,
    /// Their epoch when they signed in.
    epoch: u64,
    since_ms: u64,
    used_ms: u64,
    /// What the browser called itself.
    browser: String,
}

/// Who holds a token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Holder {
    /// Their id.
    pub(crate) id: String,
    /// Their epoch when they signed in.
    pub(crate) epoch: u64,
    /// Digest of the token.
    pub(crate) key: String,
}

/// One of a person's sign-ins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = SignInLine)]
pub(crate) struct Line {
    /// Names it; opens nothing.
    id: String,
    /// When it was made, in milliseconds since 1970-01-01 UTC.
    since_ms: u64,
    /// When it was last used, to ten minutes.
    used_ms: u64,
    /// What the browser calls itself.
    browser: String,
    /// Whether it is the one that asks.
    current: bool,
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
    pub(crate) fn give(&self, id: &str, epoch: u64, browser: &str) -> Result<String, RuntimeError> {
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
        let browser = browser.chars().filter(|c| !c.is_control()).take(BROWSER_CHARS_MAX).collect();
        held.insert(digest(&token), Held { id: id.to_owned(), epoch, since_ms: now, used_ms: now, browser });
        self.write(&held).map_err(|error| secret::unusable(&self.file, &error))?;
        Ok(token)
    }

    /// Who holds a token.
    pub(crate) fn holder(&self, token: &str) -> Option<Holder> {
        let key = digest(token);
        let now = now_ms();
        let mut held = self.held();
        let one = held.get_mut(&key)?;
        if !one.good(now) {
            held.remove(&key);
            return None;
        }
        let (id, epoch) = (one.id.clone(), one.epoch);
        if now.saturating_sub(one.used_ms) > WRITTEN_MS {
            one.used_ms = now;
            // Not written is not lost: only the time of its last use is older after a restart.
            let _ = self.write(&held);
        }
        Some(Holder { id, epoch, key })
    }

    /// Who holds the token of this digest, where it still holds; looking is no use of it.
    pub(crate) fn of_key(&self, key: &str) -> Option<Holder> {
        let held = self.held();
        let one = held.get(key).filter(|one| one.good(now_ms()))?;
        Some(Holder { id: one.id.clone(), epoch: one.epoch, key: key.to_owned() })
    }

    /// A person's sign-ins that hold, newest first.
    pub(crate) fn of_person(&self, holder: &Holder) -> Vec<Line> {
        let now = now_ms();
        let held = self.held();
        let own = held.iter().filter(|(_, one)| one.id == holder.id && one.epoch == holder.epoch && one.good(now));
        let line = |(key, one): (&String, &Held)| Line {
            id: named(key).to_owned(),
            since_ms: one.since_ms,
            used_ms: one.used_ms,
            browser: one.browser.clone(),
            current: *key == holder.key,
        };
        let mut lines: Vec<Line> = own.map(line).collect();
        lines.sort_by(|one, other| (other.since_ms, &other.id).cmp(&(one.since_ms, &one.id)));
        lines
    }

    /// Ends a person's sign-ins: the one of that name, or all. Gives how many ended.
    pub(crate) fn end(&self, person: &str, only: Option<&str>) -> usize {
        let mut held = self.held();
        let before = held.len();
        held.retain(|key, one| one.id != person || only.is_some_and(|only| named(key) != only));
        let ended = before - held.len();
        if ended > 0
            && let Err(error) = self.write(&held)
        {
            // Those tokens are good again after a restart until they expire.
            eprintln!("{} cannot be written: {error}", self.file.display());
        }
        ended
    }

    /// Signs a token out.
    pub(crate) fn take(&self, token: &str) {
        let key = digest(token);
        let owner = self.held().get(&key).map(|one| one.id.clone());
        if let Some(owner) = owner {
            self.end(&owner, Some(named(&key)));
        }
    }

    fn write(&self, held: &HashMap<String, Held>) -> std::io::Result<()> {
        secret::write(&self.file, &serde_json::to_vec(held).unwrap_or_default())
    }

    fn held(&self) -> MutexGuard<'_, HashMap<String, Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The name of the sign-in with this digest.
fn named(key: &str) -> &str {
    key.get(..ID_DIGITS).unwrap_or(key)
}

fn digest(token: &str) -> String {
    hex::encode(Sha256::digest(token))
}
