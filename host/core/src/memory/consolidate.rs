//! From working notes to lasting ones: what a session leaves behind is scored, and what counts enough is promoted.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::score::{Scores, Words};
use super::{ARCHIVE_FILE, Change, ENTRY_FILE, ENTRY_LINES_MAX, MemoryFile, MemoryPath, MemoryRules, Note};

/// Weight from which a working note is promoted, once more than one session has come to it: nobody has confirmed it, so it
/// has to prove itself. A note of middling importance (50) that this session is about (0.6) and that one earlier session
/// came to as well (0.5) is just over it.
pub const PROMOTION_WEIGHT_MIN: f64 = 0.55;

/// Sessions that must have come to a working note before it is promoted.
pub const SESSIONS_MIN: u32 = 2;

/// What becomes of a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Fate {
    /// It goes from the working notes to the entry point.
    Promoted,
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
        let weight = scores.for_promotion();
        // One that stands there already is counted once more.
        let known = entry.is_some_and(|entry| entry.record(note).is_some());
        let proven = known || record.times >= SESSIONS_MIN && weight >= PROMOTION_WEIGHT_MIN;
        let fate = if proven { Fate::Promoted } else { Fate::Kept };
        if fate == Fate::Promoted {
            changes.extend(moved(&path, &path.beside(ENTRY_FILE), note, record));
        }
        scored.push(Scored { path, note: note.to_owned(), scores, weight, fate });
    }
    let promoted = scored.iter().filter(|it| it.fate == Fate::Promoted).count();
    let (left, leaving) = overflow(entry, rules, promoted, about, now_ms);
    scored.extend(left);
    changes.extend(leaving);
    (scored, changes)
}

/// What has to leave an entry point so that it stays within its lines: the least of what is not of a kind that comes first.
fn overflow(
    entry: Option<&MemoryFile>,
    rules: &MemoryRules,
    promoted: usize,
    about: &Words,
    now_ms: u64,
) -> (Vec<Scored>, Vec<Change>) {
    let Some(entry) = entry else { return (Vec::new(), Vec::new()) };
    let excess = (entry.text.lines().count() + promoted).saturating_sub(ENTRY_LINES_MAX);
    let mut notes: Vec<_> = (entry.noted().filter(|(_, record)| !rules.first(&record.kind)))
        .map(|(note, record)| (note, record, Scores::of(note, record, about, now_ms)))
        .collect();
    notes.sort_by(|one, other| one.2.for_promotion().total_cmp(&other.2.for_promotion()));
    let mut scored = Vec::new();
    let mut changes = Vec::new();
    for (note, record, scores) in notes.into_iter().take(excess) {
        changes.extend(moved(&entry.path, &entry.path.beside(ARCHIVE_FILE), note, record));
        let (path, weight) = (entry.path.clone(), scores.for_promotion());
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
