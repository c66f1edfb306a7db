//! Pseudonyms, who agreed to be looked at, and components that may be swapped in.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;
use sha2::{Digest, Sha256};
use ta_runtime::RuntimeError;
use ta_runtime::surface::OWNER_DEFAULT;

use crate::sign_in::secret;

/// Components that are listed.
const COMPONENTS_MAX: usize = 200;
/// Hexadecimal digits of a pseudonym: enough to tell the teachers of an authority apart.
const ALIAS_DIGITS: usize = 12;

/// A component that may be swapped in.
pub(crate) struct ComponentFile {
    pub(crate) id: String,
    pub(crate) file: PathBuf,
}

/// What research on this server rests on.
pub(crate) struct Research {
    /// Whoever does not know it cannot tell whose pseudonym it is.
    key: String,
    file: PathBuf,
    agreed: Mutex<BTreeSet<String>>,
    swaps: PathBuf,
}

impl Research {
    /// Reads what is there; makes a key where there is none.
    ///
    /// # Errors
    /// Where a file cannot be read or written.
    pub(crate) fn open(data_dir: &Path) -> Result<Self, RuntimeError> {
        let key_file = data_dir.join("pseudonyms.key");
        let key = match std::fs::read_to_string(&key_file) {
            Ok(key) => key,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let key = secret::token()?;
                secret::write(&key_file, key.as_bytes()).map_err(|error| secret::unusable(&key_file, &error))?;
                key
            }
            Err(error) => return Err(secret::unusable(&key_file, &error)),
        };
        let file = data_dir.join("research.json");
        let agreed = match std::fs::read(&file) {
            Ok(text) => serde_json::from_slice(&text).map_err(|error| secret::unusable(&file, &error))?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => BTreeSet::new(),
            Err(error) => return Err(secret::unusable(&file, &error)),
        };
        Ok(Self { key, file, agreed: Mutex::new(agreed), swaps: data_dir.join("swaps") })
    }

    /// Whether this teacher agreed that researchers look at their runs.
    pub(crate) fn agreed(&self, teacher: &str) -> bool {
        self.all().contains(teacher)
    }

    /// A teacher agrees, or takes it back.
    ///
    /// # Errors
    /// Where that cannot be written down.
    pub(crate) fn agree(&self, teacher: &str, agrees: bool) -> Result<(), RuntimeError> {
        let mut agreed = self.all();
        let mut then = agreed.clone();
        if agrees {
            then.insert(teacher.to_owned());
        } else {
            then.remove(teacher);
        }
        let text = serde_json::to_vec(&then).unwrap_or_default();
        secret::write(&self.file, &text).map_err(|error| secret::unusable(&self.file, &error))?;
        *agreed = then;
        Ok(())
    }

    /// Stands for a teacher.
    pub(crate) fn alias(&self, teacher: &str) -> String {
        let digest = hex::encode(Sha256::digest(format!("{}\n{teacher}", self.key)));
        format!("owner-{}", digest.get(..ALIAS_DIGITS).unwrap_or_default())
    }

    /// Puts the pseudonym in the place of the teacher's name, wherever it stands as a word, and takes away where on this
    /// machine the workspace is.
    pub(crate) fn without_names(&self, value: &mut Value, teacher: &str) {
        match value {
            Value::String(text) if teacher != OWNER_DEFAULT && text.contains(teacher) => {
                *text = replaced(text, teacher, &self.alias(teacher));
            }
            Value::Array(values) => values.iter_mut().for_each(|value| self.without_names(value, teacher)),
            Value::Object(fields) => {
                for (name, value) in fields.iter_mut() {
                    match (name.as_str(), &*value) {
                        ("owner", Value::String(named)) => *value = self.alias(named).into(),
                        ("workspace", Value::String(_)) => *value = "workspace".into(),
                        _ => self.without_names(value, teacher),
                    }
                }
            }
            _ => {}
        }
    }

    /// Components that whoever runs the server has put into `swaps` of the data directory.
    pub(crate) fn components(&self) -> Vec<ComponentFile> {
        let Ok(entries) = std::fs::read_dir(&self.swaps) else { return Vec::new() };
        let mut files: Vec<ComponentFile> = entries
            .flatten()
            .filter_map(|entry| {
                let id = entry.file_name().into_string().ok()?.strip_suffix(".wasm")?.to_owned();
                // Not through a link: the directory is what was meant, nothing beside it.
                entry.metadata().ok().filter(std::fs::Metadata::is_file)?;
                Some(ComponentFile { id, file: entry.path() })
            })
            .take(COMPONENTS_MAX)
            .collect();
        files.sort_by(|one, other| one.id.cmp(&other.id));
        files
    }

    fn all(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.agreed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The text with another word in the place of a word.
fn replaced(text: &str, word: &str, other: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(word) {
        let begins = before.chars().next_back().is_none_or(|c| !c.is_alphanumeric());
        let ends = after.chars().next().is_none_or(|c| !c.is_alphanumeric());
        out.push_str(before);
        out.push_str(if begins && ends { other } else { word });
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::replaced;

    #[test]
    fn only_whole_words_are_names() {
        assert_eq!(replaced("ana: banana for Ana, ana's", "ana", "t-1"), "t-1: banana for Ana, t-1's");
    }
}
