//! What erasing the journal does not reach: looked for, named, and as far as it is asked for taken away.

use std::path::{Path, PathBuf};

use ta_core::event::Event;
use ta_core::files::{Applied, Files};
use ta_sandbox::Workspace;
use ta_store::{AuditKind, Store};

use super::said::Said;
use super::{Left, LeftKind};
use crate::error::RuntimeError;
use crate::history;
use crate::memory::PERSON;

/// Directories that `restore` puts a journal aside in begin with this.
const SET_ASIDE: &str = "replaced-";
/// Lines typed at the terminal, below the data directory.
const TYPED_FILE: &str = "history.txt";
const CHANGED: &str = "it was changed since a run wrote it: look at it yourself";
/// Beginnings of the imports that show a component what other sessions said.
const SHOWS_OTHERS: [&str; 2] = ["memory", "sessions"];
/// Rows of the audit that are looked through for one file.
const AUDIT_MAX: usize = 1_000;
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
            // What a person did to memory is in no list: of that the notes are taken out with the session.
            if erased.contains(&session) || store.session(&session).await?.is_none() {
                continue;
            }
            let mut bodies = bodies(store, &session).await?;
            bodies.extend(shown(store, &session).await?);
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

/// What a session's components were shown of memory and of earlier sessions, which is kept beside its records.
async fn shown(store: &dyn Store, session: &str) -> Result<Vec<String>, RuntimeError> {
    let mut texts = Vec::new();
    for record in history::records(store, session).await? {
        let report = match &record.event {
            Event::HookFinished(it) => &it.report,
            Event::ToolFinished(it) => &it.report,
            Event::RequestMade(it) => &it.report,
            Event::FlowStepped(it) => &it.report,
            Event::FlowFailed(it) => &it.report,
            _ => continue,
        };
        let of_others = |import: &str| SHOWS_OTHERS.iter().any(|begin| import.starts_with(begin));
        for input in report.inputs.iter().filter(|input| of_others(&input.import)) {
            let bytes = store.blob(&input.sha256).await?.unwrap_or_default();
            texts.push(String::from_utf8_lossy(&bytes).into_owned());
        }
    }
    Ok(texts)
}

/// Files of memory that the sessions wrote into and a person has changed as well: what they typed is theirs and stays.
pub(super) async fn memory(store: &dyn Store, said: &Said) -> Result<Vec<Left>, RuntimeError> {
    let mut left = Vec::new();
    for (owner, path) in &said.remembered_in {
        let audit = store.memory_audit(owner, Some(path), AUDIT_MAX).await?;
        let typed = audit.iter().any(|row| row.kind == AuditKind::Written && row.by == PERSON);
        if typed && store.memory_file(owner, path).await?.is_some() {
            let why = "you have changed it yourself, and what you wrote stays: `memory show` prints it, `memory delete` takes it \
                       out, or with --note one note";
            left.push(Left::new(LeftKind::Memory, path.to_string(), why));
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
