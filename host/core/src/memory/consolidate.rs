//! From working notes to lasting ones: what a session leaves behind is scored. A note that a model took goes into every
//! prompt only when a person says so; what is decided here is which notes have come to be worth the question.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::score::{Scores, Words};
use super::{ARCHIVE_FILE, Change, ENTRY_FILE, ENTRY_LINES_MAX, MemoryFile, MemoryPath, MemoryRules, Note};

/// Sessions that must have come to a working note before a person is asked about it.
pub const SESSIONS_MIN: u32 = 2;

/// What becomes of a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Fate {
    /// A person has confirmed the same words before: the entry point counts them once more.
    Counted,
    /// Sessions enough came to it: it lasts as soon as a person says so.
    Proven,
    /// It stays where it is.
    Kept,
    /// It leaves an entry point that has grown too long.
    Archived,
}

/// A note with its scores and what becomes of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Scored {
    /// The file that it stands in.
    pub path: MemoryPath,
    /// The note.
    pub note: String,
    /// Its scores.
    pub scores: Scores,
    /// Its weight.
    pub weight: f64,
    /// What becomes of it.
    pub fate: Fate,
}

/// Looks at the working notes and the entry point of one scope: what becomes of each note, and the changes that make it so.
#[must_use]
pub fn consolidate(
    working: Option<&MemoryFile>,
    entry: Option<&MemoryFile>,
    rules: &MemoryRules,
    about: &Words,
    now_ms: u64,
) -> (Vec<Scored>, Vec<Change>) {
    let mut scored = Vec::new();
    let mut changes = Vec::new();
    for (note, record) in working.into_iter().flat_map(MemoryFile::noted) {
        let path = working.map(|file| file.path.clone()).unwrap_or_else(|| MemoryPath::working(None));
        let scores = Scores::of(note, record, about, now_ms);
        let weight = scores.for_keeping();
        let confirmed = entry.is_some_and(|entry| entry.record(note).is_some());
        let fate = if confirmed {
            // How much it matters is what it was confirmed with, whatever a model says now.
            let unranked = super::NoteRecord { importance: 0, ..record.clone() };
            changes.extend(moved(&path, &path.beside(ENTRY_FILE), note, &unranked));
            Fate::Counted
        } else if record.times >= SESSIONS_MIN {
            Fate::Proven
        } else {
            Fate::Kept
        };
        scored.push(Scored { path, note: note.to_owned(), scores, weight, fate });
    }
    let (left, leaving) = overflow(entry, rules, about, now_ms);
    scored.extend(left);
    changes.extend(leaving);
    (scored, changes)
}

/// What has to leave an entry point so that it stays within its lines: the least of what is not of a kind that comes first.
fn overflow(entry: Option<&MemoryFile>, rules: &MemoryRules, about: &Words, now_ms: u64) -> (Vec<Scored>, Vec<Change>) {
    let Some(entry) = entry else { return (Vec::new(), Vec::new()) };
    let excess = entry.text.lines().count().saturating_sub(ENTRY_LINES_MAX);
    let mut notes: Vec<_> = (entry.noted().filter(|(_, record)| !rules.first(&record.kind)))
        .map(|(note, record)| (note, record, Scores::of(note, record, about, now_ms)))
        .collect();
    notes.sort_by(|one, other| one.2.for_keeping().total_cmp(&other.2.for_keeping()));
    let mut scored = Vec::new();
    let mut changes = Vec::new();
    for (note, record, scores) in notes.into_iter().take(excess) {
        changes.extend(moved(&entry.path, &entry.path.beside(ARCHIVE_FILE), note, record));
        let (path, weight) = (entry.path.clone(), scores.for_keeping());
        scored.push(Scored { path, note: note.to_owned(), scores, weight, fate: Fate::Archived });
    }
    (scored, changes)
}

fn moved(from: &MemoryPath, to: &MemoryPath, text: &str, record: &super::NoteRecord) -> [Change; 2] {
    let mut evidence = record.evidence.clone();
    // Where it was first written down stays with it.
    let origin = format!("run {}", record.run);
    if !record.run.is_empty() && !evidence.contains(&origin) {
        evidence.truncate(super::EVIDENCE_MAX - 1);
        evidence.push(origin);
    }
    let note = Note { text: text.to_owned(), kind: record.kind.clone(), importance: record.importance, evidence };
    [Change::Remembered { path: to.clone(), note }, Change::Forgotten { path: from.clone(), text: text.to_owned() }]
}
