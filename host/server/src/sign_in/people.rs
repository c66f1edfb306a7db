//! The people of a server that serves several: names, roles, hashed passcodes, in one file that only its owner reads.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use argon2::Argon2;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use serde::{Deserialize, Serialize};
use ta_runtime::{RuntimeError, memory};
use utoipa::ToSchema;

use super::secret;
use crate::limits::{PASSCODE_BYTES_MAX, PASSCODE_CHARS_MIN};

/// What a person may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = PersonRole)]
pub enum Role {
    /// Works with the assistant; sees their own sessions and memory.
    Teacher,
    /// Looks at runs, under pseudonyms.
    Researcher,
}

impl Role {
    /// The word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Teacher => "teacher",
            Self::Researcher => "researcher",
        }
    }
}

/// A person.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Person {
    /// What they may do.
    pub roles: Vec<Role>,
    /// Argon2id of the passcode, with salt and parameters.
    hash: String,
}

/// Everybody.
#[derive(Debug, Clone)]
pub struct People {
    file: PathBuf,
    people: BTreeMap<String, Person>,
}

impl People {
    /// The file of a data directory.
    #[must_use]
    pub fn file(data_dir: &Path) -> PathBuf {
        data_dir.join("people.json")
    }

    /// Everybody in the file; nobody where there is none.
    ///
    /// # Errors
    /// Where it cannot be read or makes no sense.
    pub fn open(file: PathBuf) -> Result<Self, RuntimeError> {
        let text = match std::fs::read(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Ok(Self { file, people: BTreeMap::new() });
            }
            Err(error) => return Err(secret::unusable(&file, &error)),
        };
        let people = serde_json::from_slice(&text).map_err(|error| secret::unusable(&file, &error))?;
        Ok(Self { file, people })
    }

    /// Whether there is nobody.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.people.is_empty()
    }

    /// Names and people.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Person)> {
        self.people.iter().map(|(name, person)| (name.as_str(), person))
    }

    /// The person of that name.
    #[must_use]
    pub fn of(&self, name: &str) -> Option<&Person> {
        self.people.get(name)
    }

    /// Adds a person, or gives one another passcode and other roles.
    ///
    /// # Errors
    /// `people.passcode` for one that is too short, `owner.name`, or where the file cannot be written.
    pub fn add(&mut self, name: &str, roles: Vec<Role>, passcode: &str) -> Result<(), RuntimeError> {
        let name = memory::owner(name)?.to_owned();
        if passcode.chars().count() < PASSCODE_CHARS_MIN || passcode.len() > PASSCODE_BYTES_MAX {
            let message = format!("a passcode has {PASSCODE_CHARS_MIN} characters at the least");
            let hint = format!("take four words; {PASSCODE_BYTES_MAX} bytes are the most");
            return Err(RuntimeError::usage("people.passcode", message, hint));
        }
        let hash = Argon2::default().hash_password(passcode.as_bytes()).map_err(|error| {
            let message = format!("the passcode cannot be hashed: {error}");
            RuntimeError::environment("host.bug", message, "this is a bug; please report it")
        })?;
        self.people.insert(name, Person { roles, hash: hash.to_string() });
        self.write()
    }

    /// Takes a person away. Their sessions and memory stay in the journal.
    ///
    /// # Errors
    /// `people.unknown`, or where the file cannot be written.
    pub fn remove(&mut self, name: &str) -> Result<(), RuntimeError> {
        if self.people.remove(name).is_none() {
            let message = format!("there is nobody called `{name}`");
            return Err(RuntimeError::usage("people.unknown", message, "`people list` shows who there is"));
        }
        self.write()
    }

    /// Whether the passcode is this person's. Takes as long where there is no such person. Slow on purpose.
    #[must_use]
    pub fn check(&self, name: &str, passcode: &str) -> bool {
        let nobody = self.people.values().next();
        let Some(person) = self.people.get(name).or(nobody) else { return false };
        let right = passcode.len() <= PASSCODE_BYTES_MAX
            && Argon2::default().verify_password(passcode.as_bytes(), person.hash.as_str()).is_ok();
        right && self.people.contains_key(name)
    }

    fn write(&self) -> Result<(), RuntimeError> {
        let text = serde_json::to_vec_pretty(&self.people).unwrap_or_default();
        secret::write(&self.file, &text).map_err(|error| secret::unusable(&self.file, &error))
    }
}
