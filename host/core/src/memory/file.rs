//! A memory file, made from the changes in the journal.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::{Change, FILE_BYTES_MAX, KIND_DEFAULT, MemoryPath, MemoryRules, Note};

/// How much a line that a person typed matters: more than what a model noted, since somebody took the trouble.
const TYPED_IMPORTANCE: u8 = 70;

/// Where a change comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cause<'a> {
    /// The tool call, the hook, `consolidation`, or `person`.
    pub by: &'a str,
    /// Id of the session.
    pub session: &'a str,
    /// Of a fork, the id of the session that its past began in; of others, their own.
    pub lineage: &'a str,
    /// Id of the run.
    pub run: &'a str,
    /// When, in milliseconds since 1970-01-01 UTC.
    pub at_ms: u64,
}

/// What is known about a note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoteRecord {
    /// What it is about.
    pub kind: String,
    /// How much it matters, 0 to 100.
    pub importance: u8,
    /// What it rests on.
    #[serde(default)]
    pub evidence: Vec<String>,
    /// The tool call, the hook, `consolidation`, or `person`.
    pub by: String,
    /// The session that it comes from.
    pub session: String,
    /// The run that it comes from: its trace.
    pub run: String,
    /// When it was first written down, in milliseconds.
    pub created_ms: u64,
    /// The last session that came to it; of a fork, the one that its past began in.
    pub last_session: String,
    /// When it was last come to, in milliseconds.
    pub last_ms: u64,
    /// Sessions that came to it; a session and its forks are one.
    pub times: u32,
    /// How often it was shown to a model.
    pub uses: u32,
}

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line<'a> {
    /// As it stands.
    pub raw: &'a str,
    /// The note's text, where it is one.
    pub note: Option<&'a str>,
}

/// A memory file with what is known about its notes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemoryFile {
    /// Where it is.
    pub path: MemoryPath,
    /// Its text.
    pub text: String,
    /// When it last changed, in milliseconds.
    pub updated_ms: u64,
    /// What is known about its notes, by [`key`].
    pub notes: BTreeMap<String, NoteRecord>,
}

/// What makes two notes the same: their words, in order, whatever the case and the marks.
#[must_use]
pub fn key(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join(" ")
}

/// What the notes of a text that a person typed are about, by note, where it is not the default kind.
pub(super) fn kinds(text: &str, rules: &MemoryRules) -> BTreeMap<String, String> {
    let guessed = text.lines().filter_map(note_of).map(|note| (note.to_owned(), rules.guess(note)));
    guessed.filter(|(_, kind)| kind != KIND_DEFAULT).collect()
}

/// The note on a line, where it is one.
fn note_of(line: &str) -> Option<&str> {
    let note = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "))?.trim();
    (!key(note).is_empty()).then_some(note)
}

impl MemoryFile {
    /// An empty file.
    #[must_use]
    pub const fn new(path: MemoryPath) -> Self {
        Self { path, text: String::new(), updated_ms: 0, notes: BTreeMap::new() }
    }

    /// SHA-256 of the text in hexadecimal.
    #[must_use]
    pub fn sha256(&self) -> String {
        hex::encode(Sha256::digest(self.text.as_bytes()))
    }

    /// Its lines.
    pub fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        self.text.lines().map(|raw| Line { raw, note: note_of(raw) })
    }

    /// What is known about a note.
    #[must_use]
    pub fn record(&self, text: &str) -> Option<&NoteRecord> {
        self.notes.get(&key(text))
    }

    /// Its notes, each with what is known about it.
    pub fn noted(&self) -> impl Iterator<Item = (&str, &NoteRecord)> {
        self.lines().filter_map(|line| line.note).filter_map(|note| Some((note, self.record(note)?)))
    }

    /// Whether the change could be made.
    ///
    /// # Errors
    /// A sentence that says why not.
    pub fn check(file: Option<&Self>, change: &Change) -> Result<(), String> {
        let path = change.path();
        let missing = || format!("there is no memory file `{path}`");
        match change {
            Change::Remembered { note, .. } => {
                let bytes = file.map_or(0, |file| file.text.len());
                let known = file.is_some_and(|file| file.record(&note.text).is_some());
                if !known && bytes + note.text.len() + 64 > FILE_BYTES_MAX {
                    return Err(format!("`{path}` is full ({FILE_BYTES_MAX} bytes): move notes into a topic file"));
                }
            }
            Change::Forgotten { text, .. } => {
                let file = file.ok_or_else(missing)?;
                if !file.lines().any(|line| line.note.is_some_and(|note| key(note) == key(text))) {
                    return Err(format!("`{path}` has no note \"{text}\""));
                }
            }
            Change::Written { before, text, .. } => {
                if text.len() > FILE_BYTES_MAX {
                    return Err(format!("a memory file has at most {FILE_BYTES_MAX} bytes; this has {}", text.len()));
                }
                let present = file.map(Self::sha256);
                if present != *before {
                    return Err(format!("`{path}` is not the file that was read: somebody else has changed it"));
                }
            }
            Change::Removed { .. } => drop(file.ok_or_else(missing)?),
        }
        Ok(())
    }
}

/// The file after a change; none where it was taken away. Total: a change that could not be made leaves it as it is.
#[must_use]
pub fn changed(file: Option<MemoryFile>, change: &Change, cause: &Cause<'_>) -> Option<MemoryFile> {
    let mut file = match change {
        Change::Removed { .. } => return None,
        _ => file.unwrap_or_else(|| MemoryFile::new(change.path().clone())),
    };
    match change {
        Change::Remembered { note, .. } => file.remember(note, cause),
        Change::Forgotten { text, .. } => file.forget(text),
        Change::Written { text, kinds, .. } => file.write(text, kinds, cause),
        Change::Removed { .. } => {}
    }
    file.updated_ms = cause.at_ms;
    Some(file)
}

impl MemoryFile {
    fn remember(&mut self, note: &Note, cause: &Cause<'_>) {
        if let Some(known) = self.notes.get_mut(&key(&note.text)) {
            // Coming to the same thing twice in a session, or in a fork that shares its past, says no more than coming to it once.
            known.times += u32::from(known.last_session != cause.lineage);
            cause.lineage.clone_into(&mut known.last_session);
            known.last_ms = cause.at_ms;
            known.importance = known.importance.max(note.importance);
            let new = note.evidence.iter().filter(|it| !known.evidence.contains(it)).cloned().collect::<Vec<_>>();
            known.evidence.extend(new);
            known.evidence.truncate(super::EVIDENCE_MAX);
            return;
        }
        if self.text.is_empty() {
            self.text = title(&self.path);
        }
        if !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.text.push_str(&format!("- {}\n", note.text));
        let mut record = record(note.kind.clone(), note.importance, cause);
        record.evidence.clone_from(&note.evidence);
        self.notes.insert(key(&note.text), record);
    }

    fn forget(&mut self, text: &str) {
        let gone = key(text);
        let kept: Vec<&str> =
            self.text.lines().filter(|line| note_of(line).is_none_or(|note| key(note) != gone)).collect();
        self.text = kept.join("\n");
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.notes.remove(&gone);
    }

    fn write(&mut self, text: &str, kinds: &BTreeMap<String, String>, cause: &Cause<'_>) {
        text.clone_into(&mut self.text);
        let mut notes = BTreeMap::new();
        for note in self.text.lines().filter_map(note_of) {
            let known = self.notes.remove(&key(note));
            let kind = || kinds.get(note).cloned().unwrap_or_else(|| KIND_DEFAULT.to_owned());
            notes.insert(key(note), known.unwrap_or_else(|| record(kind(), TYPED_IMPORTANCE, cause)));
        }
        self.notes = notes;
    }

    /// Counts that notes were shown to a model.
    pub fn used<'a>(&mut self, notes: impl Iterator<Item = &'a str>) {
        for note in notes {
            if let Some(record) = self.notes.get_mut(&key(note)) {
                record.uses = record.uses.saturating_add(1);
            }
        }
    }
}

fn record(kind: String, importance: u8, cause: &Cause<'_>) -> NoteRecord {
    NoteRecord {
        kind,
        importance,
        evidence: Vec::new(),
        by: cause.by.to_owned(),
        session: cause.session.to_owned(),
        run: cause.run.to_owned(),
        created_ms: cause.at_ms,
        last_session: cause.lineage.to_owned(),
        last_ms: cause.at_ms,
        times: 1,
        uses: 0,
    }
}

/// What a new file begins with.
fn title(path: &MemoryPath) -> String {
    match (&path.of, path.is_entry()) {
        (None, true) => "# What I have learned\n\n".to_owned(),
        (Some(of), true) => format!("# What I have learned about {}\n\n", of.id),
        (of, false) => {
            let topic = path.file.trim_end_matches(".md").replace('-', " ");
            of.as_ref().map_or_else(|| format!("# {topic}\n\n"), |of| format!("# {}: {topic}\n\n", of.id))
        }
    }
}
