//! The people of a server that serves several: ids, names, roles, hashed passcodes, in one file that only its owner reads.
//!
//! What somebody has is kept apart by their id, never by their name: an id is given once. Who is removed leaves it behind, so
//! that somebody who is added under the same name later does not inherit anything.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};

use argon2::Argon2;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use serde::{Deserialize, Serialize};
use ta_runtime::host::now_ms;
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
    /// Says who may sign in, and signs others out.
    Operator,
}

impl Role {
    /// The word.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Teacher => "teacher",
            Self::Researcher => "researcher",
            Self::Operator => "operator",
        }
    }
}

/// A person.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Person {
    /// Stands for them in the journal and in memory, for ever.
    pub id: String,
    /// What they sign in with; empty once they are removed.
    pub name: String,
    /// What they may do.
    pub roles: Vec<Role>,
    /// Raised by another passcode, by signing out everywhere and by removal: sign-ins of an earlier one hold no more.
    pub epoch: u64,
    /// Argon2id of the passcode, with salt and parameters; empty once they are removed.
    hash: String,
    /// When they were removed, in milliseconds since 1970-01-01 UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    removed_ms: Option<u64>,
}

/// Everybody.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct People {
    people: Vec<Person>,
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
    pub fn open(file: &Path) -> Result<Self, RuntimeError> {
        match std::fs::read(file) {
            Ok(text) => serde_json::from_slice(&text).map_err(|error| secret::unusable(file, &error)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(secret::unusable(file, &error)),
        }
    }

    /// Changes the file, one process after the other, and gives what the change gives. A server that runs takes it up by itself.
    ///
    /// # Errors
    /// Those of the change, which then changes nothing; where the file cannot be read or written.
    pub fn change<T>(
        file: &Path,
        change: impl FnOnce(&mut Self) -> Result<T, RuntimeError>,
    ) -> Result<T, RuntimeError> {
        let unusable = |error: std::io::Error| secret::unusable(file, &error);
        if let Some(parent) = file.parent() {
            std::fs::create_dir_all(parent).map_err(unusable)?;
        }
        let beside = file.with_extension("lock");
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(beside).map_err(unusable)?;
        lock.lock().map_err(unusable)?;
        let mut people = Self::open(file)?;
        let given = change(&mut people)?;
        secret::write(file, &serde_json::to_vec_pretty(&people).unwrap_or_default()).map_err(unusable)?;
        Ok(given)
    }

    /// Whether there is nobody.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// Everybody who may sign in, by name.
    pub fn iter(&self) -> impl Iterator<Item = &Person> {
        self.people.iter().filter(|person| person.removed_ms.is_none())
    }

    /// The person of that id, unless they were removed.
    #[must_use]
    pub fn of(&self, id: &str) -> Option<&Person> {
        self.iter().find(|person| person.id == id)
    }

    /// The person of that name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Person> {
        self.iter().find(|person| person.name == name)
    }

    /// Adds a person, or gives one another passcode and other roles. Gives their id.
    ///
    /// # Errors
    /// `people.passcode` for one that is too short, `owner.name`.
    pub fn add(&mut self, name: &str, roles: Vec<Role>, passcode: &str) -> Result<String, RuntimeError> {
        let name = memory::owner(name)?;
        let hash = hashed(passcode)?;
        if let Some(person) = self.present(name) {
            (person.roles, person.hash) = (roles, hash);
            person.epoch += 1;
            return Ok(person.id.clone());
        }
        let id = self.free_id(name);
        let person = Person { id: id.clone(), name: name.to_owned(), roles, epoch: 1, hash, removed_ms: None };
        self.people.push(person);
        self.people.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(id)
    }

    /// Gives a person other roles, another passcode, or both.
    ///
    /// # Errors
    /// `people.unknown`; `people.passcode` for one that is too short.
    pub fn change_person(
        &mut self,
        name: &str,
        roles: Option<Vec<Role>>,
        passcode: Option<&str>,
    ) -> Result<(), RuntimeError> {
        let hash = passcode.map(hashed).transpose()?;
        let person = self.known(name)?;
        if let Some(hash) = hash {
            person.hash = hash;
            person.epoch += 1;
        }
        if let Some(roles) = roles {
            person.roles = roles;
        }
        Ok(())
    }

    /// Gives a person another name; everything that they have stays theirs.
    ///
    /// # Errors
    /// `people.unknown`; `people.taken`; `owner.name`.
    pub fn rename(&mut self, name: &str, other: &str) -> Result<(), RuntimeError> {
        let other = memory::owner(other)?.to_owned();
        if self.named(&other).is_some() {
            let message = format!("somebody is called `{other}` already");
            return Err(RuntimeError::usage("people.taken", message, "take another name"));
        }
        self.known(name)?.name = other;
        Ok(())
    }

    /// Ends all sign-ins of a person.
    ///
    /// # Errors
    /// `people.unknown`.
    pub fn sign_out(&mut self, name: &str) -> Result<(), RuntimeError> {
        self.known(name)?.epoch += 1;
        Ok(())
    }

    /// Takes a person away. Their sessions and memory stay in the journal, under an id that nobody else is given.
    ///
    /// # Errors
    /// `people.unknown`.
    pub fn remove(&mut self, name: &str) -> Result<(), RuntimeError> {
        let person = self.known(name)?;
        (person.name, person.hash) = (String::new(), String::new());
        person.roles = Vec::new();
        person.epoch += 1;
        person.removed_ms = Some(now_ms());
        Ok(())
    }

    /// The person of that name, where the passcode is theirs. Takes as long where there is no such person. Slow on purpose.
    #[must_use]
    pub fn check(&self, name: &str, passcode: &str) -> Option<&Person> {
        let person = self.named(name).or_else(|| self.iter().next())?;
        let right = passcode.len() <= PASSCODE_BYTES_MAX
            && Argon2::default().verify_password(passcode.as_bytes(), person.hash.as_str()).is_ok();
        (right && person.name == name).then_some(person)
    }

    fn present(&mut self, name: &str) -> Option<&mut Person> {
        self.people.iter_mut().find(|person| person.removed_ms.is_none() && person.name == name)
    }

    fn known(&mut self, name: &str) -> Result<&mut Person, RuntimeError> {
        let message = format!("there is nobody called `{name}`");
        let unknown = RuntimeError::usage("people.unknown", message, "`people list` shows who there is");
        self.present(name).ok_or(unknown)
    }

    /// The name itself, where nobody ever had it as an id; else with a number behind it.
    fn free_id(&self, name: &str) -> String {
        let taken = |id: &String| self.people.iter().any(|person| person.id == *id);
        let numbered = (2_u64..).map(|number| format!("{name}-{number}"));
        std::iter::once(name.to_owned()).chain(numbered).find(|id| !taken(id)).unwrap_or_default()
    }
}

fn hashed(passcode: &str) -> Result<String, RuntimeError> {
    if passcode.chars().count() < PASSCODE_CHARS_MIN || passcode.len() > PASSCODE_BYTES_MAX {
        let message = format!("a passcode has {PASSCODE_CHARS_MIN} characters at the least");
        let hint = format!("take four words; {PASSCODE_BYTES_MAX} bytes are the most");
        return Err(RuntimeError::usage("people.passcode", message, hint));
    }
    let hash = Argon2::default().hash_password(passcode.as_bytes()).map_err(|error| {
        let message = format!("the passcode cannot be hashed: {error}");
        RuntimeError::environment("host.bug", message, "this is a bug; please report it")
    })?;
    Ok(hash.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_given_once() {
        let mut people = People::default();
        let passcode = "four quiet words here";
        assert_eq!(people.add("ann", vec![Role::Teacher], passcode).unwrap(), "ann");
        people.rename("ann", "anna").unwrap();
        assert_eq!(people.check("anna", passcode).map(|person| person.id.as_str()), Some("ann"));
        assert_eq!(people.add("ann", vec![Role::Teacher], passcode).unwrap(), "ann-2");
        assert!(people.rename("ann", "anna").is_err());
        let epoch = people.of("ann").unwrap().epoch;
        people.add("anna", vec![Role::Researcher], "four other words here").unwrap();
        assert!(people.of("ann").unwrap().epoch > epoch && people.check("anna", passcode).is_none());
        people.remove("anna").unwrap();
        assert!(people.of("ann").is_none() && people.check("", "").is_none() && people.remove("").is_err());
        people.remove("ann").unwrap();
        assert!(people.is_empty());
        assert_eq!(people.add("ann", vec![Role::Teacher], passcode).unwrap(), "ann-3");
    }
}
