//! Memory in a person's hands: looked at, changed, taken away, outside any run.
//!
//! What a person changes is an event like everything else, in a session of the owner's own that holds nothing but
//! changes of memory and is listed nowhere.

use ta_core::event::{Event, MemoryWritten};
use ta_core::memory::{Change, MemoryFile, MemoryPath};
use ta_store::Store;
use uuid::Uuid;

use crate::error::RuntimeError;
use crate::host::{Host, now_ms};

/// Who changes memory outside any run, in `MemoryWritten::by`.
pub const PERSON: &str = "person";
/// Tries against another writer: each needs one append.
const TRIES: usize = 5;
const TEACHER_CHARS_MAX: usize = 64;

/// An owner's name, as data are kept apart by it.
///
/// # Errors
/// `owner.name` where it is not made of letters, digits, `-`, `_` and `.`.
pub fn owner(name: &str) -> Result<&str, RuntimeError> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    if !name.is_empty() && name.len() <= TEACHER_CHARS_MAX && name.chars().all(allowed) {
        return Ok(name);
    }
    let message = format!("`{name}` cannot be an owner's name");
    let hint = format!("use at most {TEACHER_CHARS_MAX} letters, digits, `-`, `_` and `.`");
    Err(RuntimeError::usage("owner.name", message, hint))
}

/// A path as a person writes it: with `memory/` or without.
///
/// # Errors
/// `memory.path`, with the form.
pub fn path(text: &str) -> Result<MemoryPath, RuntimeError> {
    let whole = if text.starts_with("memory/") { text.to_owned() } else { format!("memory/{text}") };
    whole.parse().map_err(|why: String| RuntimeError::usage("memory.path", why, "`memory list` shows what there is"))
}

/// A file.
///
/// # Errors
/// `memory.not_found`, naming what there is.
pub async fn file(host: &Host, owner: &str, path: &MemoryPath) -> Result<MemoryFile, RuntimeError> {
    let store = host.store_to_read()?;
    if let Some(file) = store.memory_file(owner, path).await? {
        return Ok(file);
    }
    let there: Vec<String> = store.memory(owner).await?.iter().map(|file| file.path.to_string()).collect();
    let hint = if there.is_empty() {
        "nothing has been remembered yet".to_owned()
    } else {
        format!("there are: {}", there.join(", "))
    };
    Err(RuntimeError::usage("memory.not_found", format!("there is no memory file `{path}`"), hint))
}

/// Makes changes, one after the other.
///
/// # Errors
/// `memory.refused` where one cannot be made; those before it are.
pub async fn change(host: &Host, owner: &str, changes: Vec<Change>) -> Result<(), RuntimeError> {
    let store = host.store()?;
    for change in changes {
        make(&*store, owner, change).await?;
    }
    Ok(())
}

async fn make(store: &dyn Store, owner: &str, change: Change) -> Result<(), RuntimeError> {
    // Of random letters and not of the name: the id outlives the session when that is erased.
    let session = store.memory_session(owner).await?.unwrap_or_else(|| Uuid::new_v4().simple().to_string());
    for _ in 0..TRIES {
        let present = store.memory_file(owner, change.path()).await?;
        MemoryFile::check(present.as_ref(), &change)
            .map_err(|why| RuntimeError::usage("memory.refused", why, "look at the file with `memory show`"))?;
        let last = store.last_seq(&session).await?;
        let written = MemoryWritten { owner: owner.to_owned(), by: PERSON.to_owned(), change: change.clone() };
        let events = vec![Event::MemoryWritten(Box::new(written))];
        match store.append(&session, &session, last, now_ms(), events, Vec::new()).await {
            Err(error) if error.code() == "store.conflict" => {}
            appended => {
                appended?;
                return Ok(());
            }
        }
    }
    let message = "memory is being changed elsewhere all the time";
    Err(RuntimeError::usage("memory.busy", message, "try again in a moment"))
}
