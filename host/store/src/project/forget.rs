//! What an owner's memory is to hold when sessions are erased: their notes go, and nothing comes back that was forgotten before.

use std::collections::{BTreeMap, BTreeSet};

use ta_core::event::MemoryWritten;
use ta_core::memory::file::key;
use ta_core::memory::{Change, KIND_DEFAULT, MemoryFile};
use ta_core::{Event, Record};

/// A file's path and the key of a note in it.
pub(crate) type NoteKey = (String, String);

/// What the journal says of an owner's memory besides the files.
pub(crate) struct Told<'a> {
    /// The files before anything was erased.
    pub(crate) before: &'a [MemoryFile],
    /// The sessions that are erased.
    pub(crate) erased: &'a [String],
    /// Notes that sessions which stay came to by themselves.
    pub(crate) remembered: &'a BTreeSet<NoteKey>,
}

impl Told<'_> {
    /// The files as they are to be, of those that the events which are left make.
    pub(crate) fn wanted(&self, after: &[MemoryFile]) -> Vec<MemoryFile> {
        after.iter().filter_map(|file| self.wanted_file(file)).collect()
    }

    fn wanted_file(&self, file: &MemoryFile) -> Option<MemoryFile> {
        let path = file.path.to_string();
        let before = self.before.iter().find(|before| before.path == file.path);
        let was_there = |raw: &str| before.is_some_and(|before| before.text.lines().any(|line| line == raw));
        let kept = |note: &str| match before.and_then(|before| before.record(note)) {
            // A person who typed the whole file has only taken over what an erased session had noted in it.
            Some(known) => {
                !self.erased.contains(&known.session) || self.remembered.contains(&(path.clone(), key(note)))
            }
            // It had been moved, and the move is erased.
            None => self.before.iter().any(|other| other.record(note).is_some()),
        };
        let mut notes = BTreeMap::new();
        let mut lines = Vec::new();
        for line in file.lines() {
            match line.note {
                Some(note) if kept(note) => {
                    notes.extend(file.record(note).map(|known| (key(note), known.clone())));
                    lines.push(line.raw);
                }
                Some(_) => {}
                None if line.raw.trim().is_empty() || line.raw.starts_with('#') || was_there(line.raw) => {
                    lines.push(line.raw);
                }
                None => {}
            }
        }
        if before.is_none() && notes.is_empty() {
            return None;
        }
        let mut text = lines.join("\n");
        if !text.is_empty() {
            text.push('\n');
        }
        // A text that lost no line is what it was, however it ends.
        let text = if lines.len() == file.lines().count() { file.text.clone() } else { text };
        Some(MemoryFile { text, notes, ..file.clone() })
    }
}

/// The changes that make the files what they are to be.
pub(crate) fn corrections(wanted: &[MemoryFile], now: &[MemoryFile]) -> Vec<Change> {
    let found = |files: &[MemoryFile], file: &MemoryFile| files.iter().find(|it| it.path == file.path).cloned();
    let mut changes = Vec::new();
    for file in wanted {
        let present = found(now, file);
        if present.as_ref().is_some_and(|present| present.text == file.text) {
            continue;
        }
        let kinds = file.noted().filter(|(_, known)| known.kind != KIND_DEFAULT);
        let kinds = kinds.map(|(note, known)| (note.to_owned(), known.kind.clone())).collect();
        let (path, before) = (file.path.clone(), present.map(|present| present.sha256()));
        changes.push(Change::Written { path, before, text: file.text.clone(), kinds });
    }
    let gone = now.iter().filter(|file| found(wanted, file).is_none());
    changes.extend(gone.map(|file| Change::Removed { path: file.path.clone() }));
    changes
}

/// Changes of an owner's memory, as events.
pub(crate) fn written(owner: &str, by: &str, changes: Vec<Change>) -> Vec<Event> {
    let event = |change| {
        let (owner, by) = (owner.to_owned(), by.to_owned());
        Event::MemoryWritten(Box::new(MemoryWritten { owner, by, change }))
    };
    changes.into_iter().map(event).collect()
}

/// Notes that records came to by themselves, of one owner.
pub(crate) fn remembered<'a>(records: impl Iterator<Item = &'a Record>, owner: &str) -> BTreeSet<NoteKey> {
    let of_record = |record: &Record| match &record.event {
        Event::MemoryWritten(written) if written.owner == owner => match &written.change {
            Change::Remembered { path, note } => Some((path.to_string(), key(&note.text))),
            _ => None,
        },
        _ => None,
    };
    records.filter_map(of_record).collect()
}

/// Keys of the notes that records put into anybody's memory.
pub(crate) fn noted<'a>(records: impl Iterator<Item = &'a Record>) -> BTreeSet<String> {
    let written = records.filter_map(|record| match &record.event {
        Event::MemoryWritten(written) => Some(&written.change),
        _ => None,
    });
    written.flat_map(keys).collect()
}

/// Whether a record says one of these notes.
pub(crate) fn says(record: &Record, notes: &BTreeSet<String>) -> bool {
    match &record.event {
        Event::MemoryWritten(written) => keys(&written.change).iter().any(|note| notes.contains(note)),
        _ => false,
    }
}

fn keys(change: &Change) -> Vec<String> {
    match change {
        Change::Remembered { note, .. } => vec![key(&note.text)],
        Change::Forgotten { text, .. } => vec![key(text)],
        Change::Written { text, path, .. } => {
            let file = MemoryFile { text: text.clone(), ..MemoryFile::new(path.clone()) };
            file.lines().filter_map(|line| line.note.map(key)).collect()
        }
        Change::Removed { .. } => Vec::new(),
    }
}
