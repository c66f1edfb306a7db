//! Erasing: what a session, or everything of an owner, has left in the journal is taken out of it for good.
//!
//! Files that runs wrote are the person's own: they are taken away only where that is asked for, and only where they are
//! still as the run wrote them. What cannot be reached is named.

mod left;
mod said;

use std::collections::BTreeSet;

use serde::Serialize;
use ta_core::event::Event;
use ta_store::{CodeChange, Erasure, Store, StoreError, Tombstone};
use uuid::Uuid;

use crate::codes;
use crate::error::RuntimeError;
use crate::history;
use crate::host::{Host, now_ms};
use crate::memory::PERSON;
use said::Said;

/// How long the sessions are held while they are being erased: files are taken away meanwhile.
const CLAIM_TTL_MS: u64 = 120_000;

/// What is to be erased.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// A session, by its id, the beginning of it, or a run of it.
    Session(String),
    /// All sessions of an owner, the owner's memory, and the access codes that they gave.
    Owner(String),
    /// An access code, or its id, and the session that it opened.
    Code(String),
    /// Everything of somebody who took part in a study.
    Participant {
        /// The owner of their runs.
        owner: String,
        /// The session, in no list, that holds what they said outside runs.
        session: String,
    },
}

/// What is to be erased, and how far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EraseRequest {
    /// What.
    pub what: What,
    /// Also the sessions that share the past of one of these.
    pub with_forks: bool,
    /// Also the files that their runs made, where nobody has changed them since.
    pub files: bool,
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// What stands in the journal in place of what was erased.
    pub tombstone: Buried,
    /// Bytes of all that was erased in the journal.
    pub bytes: u64,
    /// Files that were taken away, below their workspace.
    pub removed: Vec<String>,
    /// What is left, and where.
    pub left: Vec<Left>,
}

/// The tombstones of one erasure, and their sums.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Buried {
    /// When, in milliseconds since 1970-01-01 UTC.
    pub at_ms: u64,
    /// Records that say nothing any more.
    pub records: u64,
    /// Texts and answers that were kept beside them.
    pub blobs: u64,
    /// Bytes of all that.
    pub bytes: u64,
    /// By session.
    pub sessions: Vec<Tombstone>,
}

/// Something that was not reached.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Left {
    /// What kind of thing it is.
    pub kind: LeftKind,
    /// Where it is: a path, or the id of a session.
    pub what: String,
    /// Why it is left, and what can be done.
    pub why: String,
}

/// Kinds of things that can be left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum LeftKind {
    /// A file that a run wrote.
    File,
    /// Another session that was shown something of it.
    Session,
    /// A file of memory that a person has changed.
    Memory,
    /// A copy of the journal.
    Backup,
    /// Lines that were typed at the terminal.
    Typed,
}

impl Left {
    fn new(kind: LeftKind, what: impl Into<String>, why: &str) -> Self {
        Self { kind, what: what.into(), why: why.to_owned() }
    }
}

/// Erases.
///
/// # Errors
/// `session.busy` where a run of one of the sessions is going, `session.forked` where others share their past, and where
/// there is nothing of that name; nothing is erased then.
pub async fn erase(host: &Host, request: &EraseRequest) -> Result<Report, RuntimeError> {
    let store = host.store().map_err(busy_elsewhere)?;
    if let What::Code(typed) = &request.what {
        return of_code(host, &*store, typed, request).await;
    }
    let sessions = sessions(&*store, request).await?;
    let holder = Uuid::new_v4().simple().to_string();
    let erased = held(&*store, &sessions, &holder, host, request).await;
    for session in &sessions {
        store.release(session, &holder).await?;
    }
    erased
}

/// A code's session, where there is one, then what is left of the code.
async fn of_code(host: &Host, store: &dyn Store, typed: &str, request: &EraseRequest) -> Result<Report, RuntimeError> {
    let code = codes::find(store, typed).await?;
    let session = match &code.session {
        Some(id) => store.session(id).await?,
        None => None,
    };
    let report = match session {
        Some(session) => {
            let what = What::Session(session.id);
            Some(Box::pin(erase(host, &EraseRequest { what, ..request.clone() })).await?)
        }
        None => None,
    };
    // With its session it is gone already.
    store.change_code(&code.id, CodeChange::Forget).await?;
    let nothing = Buried { at_ms: now_ms(), records: 0, blobs: 0, bytes: 0, sessions: Vec::new() };
    Ok(report.unwrap_or_else(|| Report { tombstone: nothing, bytes: 0, removed: Vec::new(), left: Vec::new() }))
}

/// The sessions that are to be erased, with their forks where that is wanted.
async fn sessions(store: &dyn Store, request: &EraseRequest) -> Result<Vec<String>, RuntimeError> {
    let mut all: BTreeSet<String> = match &request.what {
        What::Session(id) => BTreeSet::from([history::session(store, id).await?.id]),
        What::Owner(owner) => store.sessions_of(owner).await?.into_iter().collect(),
        What::Code(_) => BTreeSet::new(),
        What::Participant { owner, session } => {
            let mut all: BTreeSet<String> = store.sessions_of(owner).await?.into_iter().collect();
            if store.last_seq(session).await? > 0 {
                all.insert(session.clone());
            }
            all
        }
    };
    if let (What::Owner(owner), true) = (&request.what, all.is_empty()) {
        let message = format!("nothing in the journal is of `{owner}`");
        return Err(RuntimeError::usage("owner.not_found", message, "--sessions lists what there is"));
    }
    let mut to_follow: Vec<String> = all.iter().cloned().collect();
    while let Some(session) = to_follow.pop() {
        let more: Vec<String> = store.forks(&session).await?.into_iter().filter(|fork| !all.contains(fork)).collect();
        if !more.is_empty() && !request.with_forks {
            let forked = StoreError::Forked { session, forks: more };
            let hint = "erase them as well with --with-forks, or first";
            return Err(RuntimeError::usage(forked.code(), forked.to_string(), hint));
        }
        all.extend(more.iter().cloned());
        to_follow.extend(more);
    }
    Ok(all.into_iter().collect())
}

/// Erases sessions that nobody else may write meanwhile.
async fn held(
    store: &dyn Store,
    sessions: &[String],
    holder: &str,
    host: &Host,
    request: &EraseRequest,
) -> Result<Report, RuntimeError> {
    for session in sessions {
        store.claim(session, holder, now_ms(), CLAIM_TTL_MS).await.map_err(going)?;
    }
    // Read while there is something to read; of an owner nothing else is left that could have been shown any of it.
    let mut said = Said::default();
    let mut origins = BTreeSet::new();
    for session in sessions {
        let records = history::records(store, session).await?;
        if let Some(Event::RunForked(forked)) = records.first().map(|record| &record.event) {
            origins.insert(forked.session.clone());
        }
        said.read(host, &records);
    }
    for origin in origins.iter().filter(|origin| !sessions.contains(origin)) {
        said.shared_with(&history::records(store, origin).await?);
    }
    let mut left = left::mentions(store, sessions, &said).await?;
    // Before the journal: where that fails, the journal still knows of those that are left.
    let removed = left::files(&said, request.files, &mut left)?;
    let erasure = Erasure {
        sessions: sessions.to_vec(),
        claimed_by: holder.to_owned(),
        memory_session: Uuid::new_v4().simple().to_string(),
        by: PERSON.to_owned(),
        at_ms: now_ms(),
    };
    let erased = store.erase(erasure).await.map_err(going)?;
    let owner = match &request.what {
        What::Owner(owner) => {
            codes::forget_all(store, owner).await?;
            Some(owner.as_str())
        }
        What::Session(_) | What::Code(_) | What::Participant { .. } => None,
    };
    left.extend(left::memory(store, &said).await?);
    left.extend(left::beside(&host.config.data_dir, owner));
    let sum = |of: fn(&Tombstone) -> u64| erased.tombstones.iter().map(of).sum();
    let tombstone = Buried {
        at_ms: erased.at_ms,
        records: sum(|it| it.records),
        blobs: sum(|it| it.blobs),
        bytes: sum(|it| it.bytes),
        sessions: erased.tombstones,
    };
    Ok(Report { bytes: tombstone.bytes, tombstone, removed, left })
}

fn going(error: StoreError) -> RuntimeError {
    let StoreError::Claimed { session, .. } = &error else { return error.into() };
    let message = format!("a run of the session {session} is going");
    let hint = "stop it, or wait until it waits or is over";
    RuntimeError::configuration("session.busy", message, hint)
}

/// Whoever holds the journal may have a run going.
fn busy_elsewhere(error: RuntimeError) -> RuntimeError {
    if error.code != "store.locked" {
        return error;
    }
    RuntimeError::configuration(&error.code, error.message, error.hint)
}
