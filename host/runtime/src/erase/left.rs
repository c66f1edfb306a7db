//! What erasing the journal does not reach: looked for, named, and as far as it is asked for taken away.

use std::path::{Path, PathBuf};

use ta_sandbox::{Applied, Workspace};
use ta_store::Store;

use super::said::Said;
use super::{Left, LeftKind};
use crate::error::RuntimeError;

/// Directories that `restore` puts a journal aside in begin with this.
const SET_ASIDE: &str = "replaced-";
/// Lines typed at the terminal, below the data directory.
const TYPED_FILE: &str = "history.txt";
const CHANGED: &str = "it was changed since a run wrote it: look at it yourself";
/// Bytes of a list of people; nothing else there is named like one and longer.
const LIST_BYTES_MAX: u64 = 1024 * 1024;

/// Other sessions of the same owners that were shown something of these: by looking them up, or out of memory.
pub(super) async fn mentions(store: &dyn Store, erased: &[String], said: &Said) -> Result<Vec<Left>, RuntimeError> {
    // As they stand in JSON, without the quotes.
    let quoted = |note: &String| serde_json::to_string(note).map(|text| text.trim_matches('"').to_owned());
    let notes: Vec<String> = said.notes.iter().filter_map(|note| quoted(note).ok()).collect();
    let mut left = Vec::new();
    for owner in &said.owners {
        for session in store.sessions_of(owner).await? {
            if erased.contains(&session) {
                continue;
            }
            let bodies = bodies(store, &session).await?;
            let holds = |words: &[String]| bodies.iter().any(|body| words.iter().any(|word| body.contains(word)));
            if holds(erased) {
                left.push(Left::new(
                    LeftKind::Session,
                    &*session,
                    "it looked up a session that is erased: erase it as well",
                ));
            } else if holds(&notes) {
                let why = "it holds a note that an erased session put into memory: erase it as well";
                left.push(Left::new(LeftKind::Session, &*session, why));
            }
        }
    }
    Ok(left)
}

async fn bodies(store: &dyn Store, session: &str) -> Result<Vec<String>, RuntimeError> {
    let stored = store.stored(session, 0, usize::MAX).await?;
    Ok(stored.into_iter().filter_map(|record| record.body).map(|body| body.json).collect())
}

/// Lists the files that are still there, or takes away those that runs made and nobody has changed since. Gives those
/// that are gone.
pub(super) fn files(said: &Said, remove: bool, left: &mut Vec<Left>) -> Result<Vec<String>, RuntimeError> {
    let mut removed = Vec::new();
    for ((directory, path), wrote) in &said.files {
        let Ok(workspace) = Workspace::open(directory) else { continue };
        let why = match workspace.digest(path) {
            Ok(None) => continue,
            Ok(Some(_)) if wrote.was_there() => "it was there before a run changed it: look at it yourself".to_owned(),
            Ok(Some(now)) if !wrote.is(&now) => CHANGED.to_owned(),
            Ok(Some(_)) if !remove => "a run wrote it: --files takes such files away".to_owned(),
            Ok(Some(now)) => match workspace.remove(path, &now)? {
                Applied::Conflict => CHANGED.to_owned(),
                Applied::Written | Applied::AlreadyThere => {
                    removed.push(path.clone());
                    continue;
                }
            },
            Err(error) => format!("it cannot be read: {error}"),
        };
        left.push(Left::new(LeftKind::File, directory.join(path).display().to_string(), &why));
    }
    Ok(removed)
}

/// What lies beside the journal, and what may lie anywhere.
pub(super) fn beside(data_dir: &Path, owner: Option<&str>) -> Vec<Left> {
    let mut left = Vec::new();
    let entries = std::fs::read_dir(data_dir).into_iter().flatten().flatten();
    let mut entries: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    entries.sort();
    for path in entries {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let (kind, why) = if name.starts_with(SET_ASIDE) {
            (LeftKind::Backup, "a journal that was set aside: delete it when you need it no more")
        } else if name == TYPED_FILE {
            (LeftKind::Typed, "lines typed at the terminal, whoever typed them: delete it, or what you want out of it")
        } else if owner.is_some_and(|owner| names(&path, owner)) {
            (LeftKind::File, "it holds the owner's name: `people remove` takes a person out")
        } else {
            continue;
        };
        left.push(Left::new(kind, path.display().to_string(), why));
    }
    let why = "copies that were made of the journal, of its disk, or of what was sent elsewhere, are not reached";
    left.push(Left::new(LeftKind::Backup, "backups", why));
    left
}

/// Whether a list beside the journal names an owner.
fn names(path: &Path, owner: &str) -> bool {
    let small = std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() <= LIST_BYTES_MAX);
    let list = path.extension().is_some_and(|extension| extension == "json");
    small && list && std::fs::read_to_string(path).is_ok_and(|text| text.contains(&format!("\"{owner}\"")))
}
