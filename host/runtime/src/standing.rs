//! Files that a run changed after a point that another goes on from: going back in the run does not change them back.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;
use ta_core::Record;
use ta_core::event::{Event, WritesIntended};
use ta_core::files::Files;
use ta_core::machine::OUTPUT;
use ta_sandbox::Workspace;
use ta_store::{Found, Store};

use crate::error::RuntimeError;
use crate::history;
use crate::host::Host;
use crate::run::ForkRequest;

/// A file that still is as a run left it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Standing {
    /// Its path below the workspace.
    pub path: String,
    /// The run that changed it first, of those that are gone back behind.
    pub run: String,
    /// Whether it was there before.
    pub was_there: bool,
    /// Whether the journal still has it as it was.
    pub kept: bool,
}

impl Standing {
    /// What a person should know about it, and how it is had back.
    #[must_use]
    pub fn told(&self) -> String {
        let Self { path, run, was_there, kept } = self;
        let back = match (was_there, kept) {
            (false, _) => "it was not there before; delete it where you do not want it".to_owned(),
            (true, true) => format!("`teacher-assist before {run} {path}` prints it as it was"),
            (true, false) => "the journal does not have it as it was".to_owned(),
        };
        format!("{path} stays as the run changed it after that point: {back}")
    }
}

/// What the records of a run, or of several, left of the files.
///
/// # Errors
/// Where the journal cannot be read.
pub async fn standing<'a>(
    host: &Host,
    store: &dyn Store,
    records: impl Iterator<Item = &'a Record>,
    workspace: &str,
) -> Result<Vec<Standing>, RuntimeError> {
    let mut changed: BTreeMap<String, (String, Option<String>, String)> = BTreeMap::new();
    let mut intended: Vec<&WritesIntended> = Vec::new();
    for record in records {
        match &record.event {
            // What a run saves as its output takes no file's place.
            Event::WritesIntended(more) if more.by != OUTPUT => intended.push(more),
            Event::WritesDone(done) => {
                let writes = intended.drain(..).flat_map(|it| &it.writes).filter(|it| done.paths.contains(&it.path));
                for write in writes {
                    let first = || (record.run.clone(), write.before.clone(), String::new());
                    changed.entry(write.path.clone()).or_insert_with(first).2.clone_from(&write.after);
                }
            }
            _ => {}
        }
    }
    let of_run = PathBuf::from(workspace);
    let directory = if of_run.is_dir() { of_run } else { host.config.workspace.clone() };
    let Ok(workspace) = Workspace::open(&directory) else { return Ok(Vec::new()) };
    let mut standing = Vec::new();
    for (path, (run, before, after)) in changed {
        let now = workspace.digest(&path).ok().flatten();
        if before.as_ref() == Some(&after) || now.as_ref() != Some(&after) {
            continue;
        }
        let kept = match &before {
            Some(sha256) => store.blob(sha256).await?.is_some(),
            None => false,
        };
        standing.push(Standing { path, run, was_there: before.is_some(), kept });
    }
    Ok(standing)
}

/// What a fork leaves as it is: all that its session changed after the point from which it goes on.
///
/// # Errors
/// Where there is no such run.
pub async fn of_fork(host: &Host, request: &ForkRequest) -> Result<Vec<Standing>, RuntimeError> {
    let store = host.store_to_read()?;
    let (session, run) = match store.find(&request.run).await? {
        Found::Session(session) => (session.id, session.last_run),
        Found::Run(run) => (run.session, run.id),
    };
    let records = history::lineage(&*store, &session).await?;
    let machine = history::machine(&records, &run);
    let after = records.iter().filter(|record| record.session == session && record.seq > request.at);
    standing(host, &*store, after, &machine.start().workspace).await
}

/// A file as it was before a run first changed it.
///
/// # Errors
/// `file.unchanged` where the run did not change it or it was not there, `file.not_kept` where the journal does not have it.
pub async fn before(host: &Host, run: &str, path: &str) -> Result<Vec<u8>, RuntimeError> {
    let store = host.store_to_read()?;
    let (session, run) = match store.find(run).await? {
        Found::Session(session) => (session.id, session.last_run),
        Found::Run(run) => (run.session, run.id),
    };
    let records = history::lineage(&*store, &session).await?;
    let own = records.iter().filter(|record| record.run == run);
    let writes = own.filter_map(|record| match &record.event {
        Event::WritesIntended(intended) => Some(&intended.writes),
        _ => None,
    });
    let first = writes.flatten().find(|write| write.path == path);
    let Some(sha256) = first.and_then(|write| write.before.as_ref()) else {
        let message = format!("the run {run} changed no file `{path}` that was there before");
        return Err(RuntimeError::usage("file.unchanged", message, format!("--trace {run} shows what it wrote")));
    };
    store.blob(sha256).await?.ok_or_else(|| {
        let message = format!("the journal does not have `{path}` as it was before the run {run}");
        RuntimeError::usage("file.not_kept", message, "look for a copy of the file itself")
    })
}
