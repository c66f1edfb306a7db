//! Erasing sessions.

use std::collections::BTreeSet;

use ta_core::event::SessionErased;
use ta_core::memory::MemoryFile;
use ta_core::{Event, Record};

use super::{Journal, Line};
use crate::audit::AuditKind;
use crate::chain::{Hash, Stored};
use crate::erase::{Erased, Erasure, Tombstone};
use crate::error::StoreError;
use crate::prefix::not_found;
use crate::prepare::prepare;
use crate::project::forget::{self, Told, corrections, written};

impl Journal {
    pub(super) fn sessions_of(&self, owner: &str) -> Vec<String> {
        let ran = self.views.iter().filter(|(_, views)| views.session.as_ref().is_some_and(|row| row.owner == owner));
        let wrote = self.audit.iter().filter(|(whose, row)| whose == owner && row.kind == AuditKind::Written);
        let all: BTreeSet<&String> = ran.map(|(id, _)| id).chain(wrote.map(|(_, row)| &row.session)).collect();
        all.into_iter().cloned().collect()
    }

    /// The sessions of an owner that are in no list: what a person did to memory outside any run.
    pub(super) fn memory_sessions(&self, owner: &str) -> BTreeSet<String> {
        let listed = |id: &String| self.views.get(id).is_some_and(|views| views.session.is_some());
        let theirs = self.audit.iter().filter(|(whose, _)| whose == owner).map(|(_, row)| &row.session);
        theirs.filter(|id| !listed(id)).cloned().collect()
    }

    pub(super) fn forks(&self, session: &str) -> Vec<String> {
        let rows = self.views.values().filter_map(|views| views.session.as_ref());
        rows.filter(|row| row.forked_from.as_deref() == Some(session)).map(|row| row.id.clone()).collect()
    }

    pub(super) fn erase(&mut self, erasure: &Erasure) -> Result<Erased, StoreError> {
        let Erasure { sessions, at_ms, .. } = erasure;
        for session in sessions {
            self.admit(erasure, session)?;
        }
        let owners: BTreeSet<String> = self
            .audit
            .iter()
            .filter(|(_, row)| sessions.contains(&row.session))
            .map(|(owner, _)| owner.clone())
            .collect();
        let before: Vec<(String, Vec<MemoryFile>)> =
            owners.into_iter().map(|owner| (owner.clone(), self.memory(&owner))).collect();
        let noted = forget::noted(sessions.iter().flat_map(|session| self.records_of(session)));
        let mut tombstones = self.take_out(erasure, sessions)?;
        for (number, (owner, before)) in before.iter().enumerate() {
            tombstones.extend(self.set_right(erasure, (number, owner, before), &noted)?);
        }
        Ok(Erased { at_ms: *at_ms, tombstones })
    }

    fn records_of(&self, session: &str) -> impl Iterator<Item = &Record> {
        self.records.get(session).into_iter().flatten().filter_map(|line| line.record.as_ref())
    }

    /// Takes the notes of the erased sessions also out of what a person did to an owner's memory since, and keeps what was
    /// forgotten from coming back.
    fn set_right(
        &mut self,
        erasure: &Erasure,
        (number, owner, before): (usize, &String, &[MemoryFile]),
        noted: &BTreeSet<String>,
    ) -> Result<Vec<Tombstone>, StoreError> {
        let all = self.records.values().flatten().filter_map(|line| line.record.as_ref());
        let remembered = forget::remembered(all, owner);
        let told = Told { before, erased: &erasure.sessions, remembered: &remembered };
        let wanted = told.wanted(&self.memory(owner));
        let stays: BTreeSet<&String> = wanted.iter().flat_map(|file| file.notes.keys()).collect();
        let gone: BTreeSet<String> = noted.iter().filter(|note| !stays.contains(note)).cloned().collect();
        let says = |session: &String| self.records_of(session).any(|record| forget::says(record, &gone));
        let saying: Vec<String> = self.memory_sessions(owner).into_iter().filter(says).collect();
        let tombstones = self.take_out(erasure, &saying)?;
        let changes = corrections(&wanted, &self.memory(owner));
        if !changes.is_empty() {
            let own = self.memory_sessions(owner).into_iter().next();
            let session = own.unwrap_or_else(|| format!("{}{number}", erasure.memory_session));
            let events = written(owner, &erasure.by, changes);
            let last = self.last_seq(&session);
            self.append(prepare(&session, &session, last, erasure.at_ms, &events, Vec::new())?)?;
        }
        Ok(tombstones)
    }

    /// Takes sessions out of the journal and appends a tombstone to each.
    fn take_out(&mut self, erasure: &Erasure, sessions: &[String]) -> Result<Vec<Tombstone>, StoreError> {
        let blobs: Vec<BTreeSet<String>> =
            sessions.iter().map(|session| self.blobs_of_sessions.remove(session).unwrap_or_default()).collect();
        let mut tombstones = Vec::new();
        for (session, blobs) in sessions.iter().zip(blobs) {
            let (count, bytes) = self.drop_unshared(&blobs);
            self.codes.retain(|code| code.session.as_ref() != Some(session));
            tombstones.push(self.bury(erasure, session, count, bytes)?);
        }
        self.rebuild();
        Ok(tombstones)
    }

    fn admit(&self, erasure: &Erasure, session: &str) -> Result<(), StoreError> {
        if self.erased.contains(session) {
            return Err(StoreError::Erased { id: session.to_owned() });
        }
        if !self.records.contains_key(session) {
            return Err(not_found(session));
        }
        self.unclaimed(session, &erasure.claimed_by, erasure.at_ms)?;
        let left: Vec<String> =
            self.forks(session).into_iter().filter(|fork| !erasure.sessions.contains(fork)).collect();
        if left.is_empty() { Ok(()) } else { Err(StoreError::Forked { session: session.to_owned(), forks: left }) }
    }

    /// Drops those of the blobs that belong to no session any more: how many, and how many bytes.
    fn drop_unshared(&mut self, blobs: &BTreeSet<String>) -> (u64, u64) {
        let (mut count, mut sum) = (0_u64, 0_u64);
        for sha256 in blobs {
            if self.blobs_of_sessions.values().any(|others| others.contains(sha256)) {
                continue;
            }
            if let Some(bytes) = self.blobs.remove(sha256) {
                (count, sum) = (count.saturating_add(1), sum.saturating_add(bytes.len() as u64));
            }
        }
        (count, sum)
    }

    /// Takes away bodies and salts, and appends the tombstone.
    fn bury(&mut self, erasure: &Erasure, session: &str, blobs: u64, bytes: u64) -> Result<Tombstone, StoreError> {
        let lines = self.records.entry(session.to_owned()).or_default();
        let (mut records, mut bytes, mut run) = (0_u64, bytes, String::new());
        for line in &mut *lines {
            records = records.saturating_add(1);
            run.clone_from(&line.stored.header.run);
            self.erased.insert(run.clone());
            self.sessions.remove(&run);
            line.record = None;
            if let Some(body) = line.stored.body.take() {
                bytes = bytes.saturating_add((body.salt.len() + body.json.len()) as u64);
            }
        }
        self.erased.insert(session.to_owned());
        self.claims.remove(session);
        let (last, previous) = lines.last().map_or((0, Hash::NONE), |line| {
            let header = &line.stored.header;
            (header.seq, header.hash())
        });
        let event = Event::SessionErased(SessionErased { by: erasure.by.clone(), records, blobs, bytes });
        let prepared = prepare(session, &run, last, erasure.at_ms, &[event], Vec::new())?;
        for entry in prepared.entries {
            let stored = Stored { header: entry.header(previous), body: Some(entry.body) };
            lines.push(Line { stored, record: None });
        }
        Ok(Tombstone { session: session.to_owned(), seq: last.saturating_add(1), records, blobs, bytes })
    }
}
