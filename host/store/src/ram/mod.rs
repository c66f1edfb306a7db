//! A journal that is gone with its process: for throw-away runs and tests.

mod erase;
mod search;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use ta_core::memory::{MemoryFile, MemoryPath};
use ta_core::model::BoxFuture;
use ta_core::step::Blob;
use ta_core::{Event, Record};

use crate::audit::AuditRow;
use crate::chain::{Hash, Stored};
use crate::codes::{CodeChange, CodeFilter, CodeRow};
use crate::erase::{Erased, Erasure};
use crate::error::StoreError;
use crate::prefix::{self, LOOKUP_MAX, Meaning, not_found, range};
use crate::prepare::{Prepared, check_id, prepare, verify_blob};
use crate::project::{Files, Views, project, remember};
use crate::rows::{RunRow, SessionRow, State};
use crate::search::{Hit, SearchQuery};
use crate::store::{Found, SessionFilter, Store};

/// A journal in memory. Dropping it forgets everything.
#[derive(Debug, Default)]
pub struct RamStore {
    journal: Mutex<Journal>,
}

#[derive(Debug, Default)]
struct Journal {
    /// By session.
    records: BTreeMap<String, Vec<Line>>,
    /// Session and number of each event, in the order in which all of them were appended.
    order: Vec<(String, u64)>,
    /// By session.
    views: BTreeMap<String, Views>,
    /// The session of each run that is listed.
    sessions: BTreeMap<String, String>,
    /// By owner and path.
    files: Files,
    /// The first one first, each with its owner.
    audit: Vec<(String, AuditRow)>,
    /// By digest.
    blobs: BTreeMap<String, Vec<u8>>,
    /// By session.
    blobs_of_sessions: BTreeMap<String, BTreeSet<String>>,
    /// Ids of sessions that were erased, and of their runs.
    erased: BTreeSet<String>,
    /// By session.
    claims: BTreeMap<String, Claim>,
    codes: Vec<CodeRow>,
}

/// A record, as it is stored and as it is read.
#[derive(Debug)]
struct Line {
    stored: Stored,
    /// None where the session was erased.
    record: Option<Record>,
}

#[derive(Debug)]
struct Claim {
    holder: String,
    claimed_ms: u64,
    ttl_ms: u64,
}

impl RamStore {
    /// An empty journal.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Work on the journal, done when the future is polled.
    fn with<'a, T: 'a>(&'a self, work: impl FnOnce(&mut Journal) -> T + Send + 'a) -> BoxFuture<'a, T> {
        // A thread that panicked elsewhere leaves the journal whole: every change below is made in one piece.
        Box::pin(async move { work(&mut self.journal.lock().unwrap_or_else(PoisonError::into_inner)) })
    }
}

impl Journal {
    fn append(&mut self, prepared: Prepared) -> Result<Vec<Record>, StoreError> {
        let Prepared { session, run, expected_last, entries, blobs } = prepared;
        if self.erased.contains(&session) {
            return Err(StoreError::Erased { id: session });
        }
        let last = self.last_seq(&session);
        if last != expected_last {
            return Err(StoreError::Conflict { session, expected: expected_last, last });
        }
        if let Some(home) = self.sessions.get(&run).filter(|home| **home != session) {
            return Err(StoreError::RunElsewhere { run, session: home.clone() });
        }
        let held = |(name, bytes): &&(String, Option<Vec<u8>>)| bytes.is_some() || self.blobs.contains_key(name);
        if let Some((sha256, _)) = blobs.iter().find(|blob| !held(blob)) {
            return Err(StoreError::BlobMissing { sha256: sha256.clone() });
        }
        self.blobs_of_sessions.entry(session.clone()).or_default().extend(blobs.iter().map(|(name, _)| name.clone()));
        self.blobs.extend(blobs.into_iter().filter_map(|(name, bytes)| Some((name, bytes?))));
        let records: Vec<Record> = entries.iter().map(|entry| entry.record.clone()).collect();
        if records.is_empty() {
            return Ok(records);
        }
        for record in &records {
            self.project(record);
            self.order.push((session.clone(), record.seq));
        }
        if self.views.get(&session).is_some_and(|views| views.session.is_some()) {
            self.sessions.insert(run, session.clone());
        }
        let lines = self.records.entry(session).or_default();
        for entry in entries {
            let previous = lines.last().map_or(Hash::NONE, |line| line.stored.header.hash());
            let stored = Stored { header: entry.header(previous), body: Some(entry.body) };
            lines.push(Line { stored, record: Some(entry.record) });
        }
        Ok(records)
    }

    fn after(&self, session: &str, seq: u64, limit: usize) -> impl Iterator<Item = &Line> {
        let lines = self.records.get(session).into_iter().flatten();
        lines.filter(move |line| line.stored.header.seq > seq).take(limit)
    }

    fn read(&self, session: &str, after: u64, limit: usize) -> Result<Vec<Record>, StoreError> {
        let erased = || StoreError::Erased { id: session.to_owned() };
        // Of an erased session no record is left.
        self.after(session, after, limit).map(|line| line.record.clone().ok_or_else(erased)).collect()
    }

    fn project(&mut self, record: &Record) {
        let views = self.views.entry(record.session.clone()).or_default();
        project(record, views);
        let (owner, mut audit) = (views.owner().to_owned(), std::mem::take(&mut views.audit));
        let lineage = self.lineage(&record.session);
        remember(record, &owner, &lineage, &mut self.files);
        self.audit.append(&mut audit);
    }

    /// The session that the past of a session began in.
    fn lineage(&self, session: &str) -> String {
        let mut first = session.to_owned();
        let parent = |id: &String| self.session(id).and_then(|row| row.forked_from);
        while let Some(session) = parent(&first).filter(|session| *session != first) {
            first = session;
        }
        first
    }

    fn last_seq(&self, session: &str) -> u64 {
        self.records.get(session).and_then(|lines| lines.last()).map_or(0, |line| line.stored.header.seq)
    }

    fn session(&self, id: &str) -> Option<SessionRow> {
        self.views.get(id)?.session.clone()
    }

    fn run(&self, id: &str) -> Option<RunRow> {
        self.views.get(self.sessions.get(id)?)?.runs.get(id).cloned()
    }

    fn find(&self, prefix: &str) -> Result<Found, StoreError> {
        let (first, end) = range(prefix)?;
        let ids = first..end;
        let listed = self.views.range(ids.clone()).filter(|(_, views)| views.session.is_some());
        let sessions = listed.map(|(id, _)| id.clone()).take(LOOKUP_MAX).collect();
        let runs = self.sessions.range(ids.clone()).map(|(id, _)| id.clone()).take(LOOKUP_MAX).collect();
        let erased = self.erased.range(ids).take(LOOKUP_MAX).cloned().collect();
        let found = match prefix::resolve(prefix, sessions, runs, erased)? {
            Meaning::Session(id) => self.session(&id).map(Found::Session),
            Meaning::Run(id) => self.run(&id).map(Found::Run),
            Meaning::Erased(id) => return Err(StoreError::Erased { id }),
        };
        found.ok_or_else(|| not_found(prefix))
    }

    fn sessions(&self, filter: &SessionFilter) -> Vec<SessionRow> {
        let wanted = |row: &&SessionRow| {
            filter.plugin.as_ref().is_none_or(|plugin| *plugin == row.plugin)
                && filter.owner.as_ref().is_none_or(|owner| *owner == row.owner)
                && filter.subject.as_ref().is_none_or(|subject| subject.is(row.subject.as_ref()))
                && filter.since_ms.is_none_or(|since_ms| row.created_ms >= since_ms)
                && filter.until_ms.is_none_or(|until_ms| row.created_ms <= until_ms)
                && filter.after.as_ref().is_none_or(|after| row.cursor() < *after)
                && !(filter.unfinished && row.state == State::Finished)
                && row.deleted_ms.is_none()
        };
        let mut rows: Vec<_> = self.views.values().filter_map(|views| views.session.as_ref()).filter(wanted).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.cursor()));
        rows.into_iter().take(filter.limit).cloned().collect()
    }

    fn due(&self, now_ms: u64, after: Option<(u64, String)>, limit: usize) -> Vec<SessionRow> {
        let place = |row: &SessionRow| (row.due_ms.unwrap_or(u64::MAX), row.id.clone());
        let rows = self.views.values().filter_map(|views| views.session.as_ref());
        let mut rows: Vec<&SessionRow> = rows
            .filter(|row| row.deleted_ms.is_none() && row.due_ms.is_some_and(|due_ms| due_ms <= now_ms))
            .filter(|row| after.as_ref().is_none_or(|after| place(row) > *after))
            .collect();
        rows.sort_by_key(|row| place(row));
        rows.into_iter().take(limit).cloned().collect()
    }

    fn runs(&self, session: &str) -> Vec<RunRow> {
        let mut runs: Vec<_> =
            self.views.get(session).into_iter().flat_map(|views| views.runs.values()).cloned().collect();
        runs.sort_by_key(|run| run.first_seq);
        runs
    }

    fn claim(&mut self, session: &str, holder: &str, now_ms: u64, ttl_ms: u64) -> Result<(), StoreError> {
        self.unclaimed(session, holder, now_ms)?;
        self.claims.insert(session.to_owned(), Claim { holder: holder.to_owned(), claimed_ms: now_ms, ttl_ms });
        Ok(())
    }

    /// Refuses a session that another one holds.
    fn unclaimed(&self, session: &str, holder: &str, now_ms: u64) -> Result<(), StoreError> {
        match self.claims.get(session) {
            Some(held) if held.holder != holder && held.holds_at(now_ms) => {
                let until_ms = held.claimed_ms.saturating_add(held.ttl_ms);
                Err(StoreError::Claimed { session: session.to_owned(), holder: held.holder.clone(), until_ms })
            }
            _ => Ok(()),
        }
    }

    fn memory(&self, owner: &str) -> Vec<MemoryFile> {
        let of_owner = self.files.iter().filter(|((whose, _), _)| whose == owner);
        of_owner.filter_map(|(_, file)| file.clone()).collect()
    }

    fn memory_audit(&self, owner: &str, path: Option<&MemoryPath>, limit: usize) -> Vec<AuditRow> {
        let wanted = |(whose, row): &&(String, AuditRow)| {
            whose == owner && path.is_none_or(|path| row.path.as_ref() == Some(path))
        };
        self.audit.iter().rev().filter(wanted).take(limit).map(|(_, row)| row.clone()).collect()
    }

    fn rebuild(&mut self) {
        self.views.clear();
        self.files.clear();
        self.audit.clear();
        let order = self.order.clone();
        for (session, seq) in order {
            let place = usize::try_from(seq.saturating_sub(1)).unwrap_or(usize::MAX);
            let line = self.records.get(&session).and_then(|lines| lines.get(place));
            if let Some(record) = line.and_then(|line| line.record.clone()) {
                self.project(&record);
            }
        }
    }
}

impl Claim {
    /// Neither past its time, nor left behind by a clock that was set back.
    const fn holds_at(&self, now_ms: u64) -> bool {
        now_ms < self.claimed_ms.saturating_add(self.ttl_ms) && self.claimed_ms <= now_ms.saturating_add(self.ttl_ms)
    }
}

impl Store for RamStore {
    fn append<'a>(
        &'a self,
        session: &'a str,
        run: &'a str,
        expected_last: u64,
        at_ms: u64,
        events: Vec<Event>,
        blobs: Vec<Blob>,
    ) -> BoxFuture<'a, Result<Vec<Record>, StoreError>> {
        self.with(move |journal| journal.append(prepare(session, run, expected_last, at_ms, &events, blobs)?))
    }

    fn append_later<'a>(
        &'a self,
        session: &'a str,
        run: &'a str,
        expected_last: u64,
        at_ms: u64,
        events: Vec<Event>,
        blobs: Vec<Blob>,
    ) -> BoxFuture<'a, Result<Vec<Record>, StoreError>> {
        self.append(session, run, expected_last, at_ms, events, blobs)
    }

    fn barrier<'a>(&'a self, _session: &'a str) -> BoxFuture<'a, Result<(), StoreError>> {
        self.with(|_| Ok(()))
    }

    fn read<'a>(
        &'a self,
        session: &'a str,
        after: u64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<Record>, StoreError>> {
        self.with(move |journal| journal.read(session, after, limit))
    }

    fn stored<'a>(
        &'a self,
        session: &'a str,
        after: u64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<Stored>, StoreError>> {
        self.with(move |journal| Ok(journal.after(session, after, limit).map(|line| line.stored.clone()).collect()))
    }

    fn last_seq<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<u64, StoreError>> {
        self.with(|journal| Ok(journal.last_seq(session)))
    }

    fn session<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<SessionRow>, StoreError>> {
        self.with(|journal| Ok(journal.session(id)))
    }

    fn run<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<RunRow>, StoreError>> {
        self.with(|journal| Ok(journal.run(id)))
    }

    fn find<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, Result<Found, StoreError>> {
        self.with(|journal| journal.find(prefix))
    }

    fn sessions(&self, filter: SessionFilter) -> BoxFuture<'_, Result<Vec<SessionRow>, StoreError>> {
        self.with(move |journal| Ok(journal.sessions(&filter)))
    }

    fn due(
        &self,
        now_ms: u64,
        after: Option<(u64, String)>,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<SessionRow>, StoreError>> {
        self.with(move |journal| Ok(journal.due(now_ms, after, limit)))
    }

    fn add_codes(&self, codes: Vec<CodeRow>) -> BoxFuture<'_, Result<(), StoreError>> {
        self.with(move |journal| {
            let there = |new: &CodeRow| journal.codes.iter().any(|it| it.id == new.id || it.sha256 == new.sha256);
            if let Some(twice) = codes.iter().find(|new| there(new)) {
                let reason = format!("the access code {} is there already", twice.id);
                return Err(StoreError::Unstorable { what: "code".to_owned(), reason });
            }
            journal.codes.extend(codes);
            Ok(())
        })
    }

    fn codes(&self, filter: CodeFilter) -> BoxFuture<'_, Result<Vec<CodeRow>, StoreError>> {
        self.with(move |journal| {
            let mut rows: Vec<CodeRow> = journal.codes.iter().filter(|row| filter.wants(row)).cloned().collect();
            rows.sort_by(|a, b| (a.created_ms, &a.id).cmp(&(b.created_ms, &b.id)));
            Ok(rows)
        })
    }

    fn change_code<'a>(
        &'a self,
        id: &'a str,
        change: CodeChange,
    ) -> BoxFuture<'a, Result<Option<CodeRow>, StoreError>> {
        self.with(move |journal| {
            let Some(place) = journal.codes.iter().position(|row| row.id == id) else { return Ok(None) };
            if change == CodeChange::Forget {
                return Ok(Some(journal.codes.remove(place)));
            }
            let row = journal.codes.get_mut(place);
            Ok(row.map(|row| {
                change.apply(row);
                row.clone()
            }))
        })
    }

    fn runs<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<Vec<RunRow>, StoreError>> {
        self.with(|journal| Ok(journal.runs(session)))
    }

    fn search(&self, query: SearchQuery) -> BoxFuture<'_, Result<Vec<Hit>, StoreError>> {
        self.with(move |journal| search::search(journal, &query))
    }

    fn memory<'a>(&'a self, owner: &'a str) -> BoxFuture<'a, Result<Vec<MemoryFile>, StoreError>> {
        self.with(|journal| Ok(journal.memory(owner)))
    }

    fn memory_file<'a>(
        &'a self,
        owner: &'a str,
        path: &'a MemoryPath,
    ) -> BoxFuture<'a, Result<Option<MemoryFile>, StoreError>> {
        self.with(|journal| Ok(journal.files.get(&(owner.to_owned(), path.to_string())).cloned().flatten()))
    }

    fn memory_audit<'a>(
        &'a self,
        owner: &'a str,
        path: Option<&'a MemoryPath>,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<AuditRow>, StoreError>> {
        self.with(move |journal| Ok(journal.memory_audit(owner, path, limit)))
    }

    fn claim<'a>(
        &'a self,
        session: &'a str,
        holder: &'a str,
        now_ms: u64,
        ttl_ms: u64,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        self.with(move |journal| {
            check_id(session)?;
            check_id(holder)?;
            journal.claim(session, holder, now_ms, ttl_ms)
        })
    }

    fn sessions_of<'a>(&'a self, owner: &'a str) -> BoxFuture<'a, Result<Vec<String>, StoreError>> {
        self.with(|journal| Ok(journal.sessions_of(owner)))
    }

    fn memory_session<'a>(&'a self, owner: &'a str) -> BoxFuture<'a, Result<Option<String>, StoreError>> {
        self.with(|journal| Ok(journal.memory_sessions(owner).into_iter().next()))
    }

    fn forks<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<Vec<String>, StoreError>> {
        self.with(|journal| Ok(journal.forks(session)))
    }

    fn erase(&self, erasure: Erasure) -> BoxFuture<'_, Result<Erased, StoreError>> {
        self.with(move |journal| journal.erase(&erasure))
    }

    fn release<'a>(&'a self, session: &'a str, holder: &'a str) -> BoxFuture<'a, Result<(), StoreError>> {
        self.with(move |journal| {
            if journal.claims.get(session).is_some_and(|claim| claim.holder == holder) {
                journal.claims.remove(session);
            }
            Ok(())
        })
    }

    fn missing_blobs<'a>(&'a self, sha256s: &'a [String]) -> BoxFuture<'a, Result<Vec<String>, StoreError>> {
        self.with(|journal| Ok(sha256s.iter().filter(|name| !journal.blobs.contains_key(*name)).cloned().collect()))
    }

    fn blob<'a>(&'a self, sha256: &'a str) -> BoxFuture<'a, Result<Option<Vec<u8>>, StoreError>> {
        self.with(|journal| journal.blobs.get(sha256).cloned().map(|bytes| verify_blob(sha256, bytes)).transpose())
    }

    fn rebuild_views(&self) -> BoxFuture<'_, Result<(), StoreError>> {
        self.with(|journal| {
            journal.rebuild();
            Ok(())
        })
    }
}
