//! Memory: files of the run's owner, read as they were when the call began, changed when it ends well.

use std::collections::BTreeSet;

use ta_core::hook::Correction;
use ta_core::memory::file::key;
use ta_core::memory::{Cause, Change, FILES_MAX, MemoryFile, MemoryPath, Note, changed};
use wasmtime::Result;

use crate::bindings::teacher_assist::plugin::{memory, memory_update};
use crate::limits::MEMORY_CHANGES_MAX;
use crate::state::State;

impl memory::Host for State {
    fn files(&mut self) -> Result<Vec<String>> {
        self.enter()?;
        let mut paths: BTreeSet<String> = self.stored_paths()?.into_iter().collect();
        for change in &self.trail.memory {
            paths.insert(change.path().to_string());
        }
        Ok(paths.into_iter().collect())
    }

    fn read(&mut self, path: String) -> Result<std::result::Result<memory::File, String>> {
        self.enter()?;
        let path: MemoryPath = match path.parse() {
            Ok(path) => path,
            Err(error) => return Ok(Err(error)),
        };
        let Some(file) = self.present(&path)? else {
            let there = self.stored_paths()?.join(", ");
            let there = if there.is_empty() { "there are none yet".to_owned() } else { format!("there are: {there}") };
            return Ok(Err(format!("there is no memory file `{path}`; {there}")));
        };
        Ok(Ok(shown(&file, &self.invocation.corrections)))
    }
}

impl memory_update::Host for State {
    fn remember(&mut self, path: String, note: memory_update::NewNote) -> Result<std::result::Result<String, String>> {
        self.enter()?;
        let note = match (path.parse::<MemoryPath>(), self.checked(note)) {
            (Ok(path), Ok(note)) => (path, note),
            (Err(error), _) | (_, Err(error)) => return Ok(Err(error)),
        };
        let known = self.present(&note.0)?.is_some_and(|file| file.record(&note.1.text).is_some());
        let staged = self.stage_memory(Change::Remembered { path: note.0, note: note.1 })?;
        Ok(staged.map(|()| if known { "reinforced" } else { "added" }.to_owned()))
    }

    fn forget(&mut self, path: String, text: String) -> Result<std::result::Result<(), String>> {
        self.enter()?;
        match path.parse() {
            Ok(path) => self.stage_memory(Change::Forgotten { path, text }),
            Err(error) => Ok(Err(error)),
        }
    }

    fn write(
        &mut self,
        path: String,
        text: String,
        expected: Option<String>,
    ) -> Result<std::result::Result<(), String>> {
        self.enter()?;
        let path: MemoryPath = match path.parse() {
            Ok(path) => path,
            Err(error) => return Ok(Err(error)),
        };
        let present = self.present(&path)?.map(|file| file.sha256());
        if expected.is_some_and(|expected| expected != present.clone().unwrap_or_default()) {
            return Ok(Err(format!("`{path}` is not the file that was read: read it again")));
        }
        let change = Change::written(path, present, text, &self.invocation.memory_rules);
        self.stage_memory(change)
    }
}

impl State {
    fn checked(&self, note: memory_update::NewNote) -> std::result::Result<Note, String> {
        let kind = self.invocation.memory_rules.kind(&note.kind)?;
        Note { text: note.text, kind, importance: note.importance, evidence: note.evidence }.checked()
    }

    fn stored_paths(&mut self) -> Result<Vec<String>> {
        self.input("memory.files", |state| {
            let files = state.invocation.memory.iter().flat_map(|files| files.iter());
            files.map(|file| file.path.to_string()).collect()
        })
    }

    /// A file as the call sees it: as it was when the call began, with the call's own changes.
    fn present(&mut self, path: &MemoryPath) -> Result<Option<MemoryFile>> {
        let stored: Option<MemoryFile> = self.input(&format!("memory.read {path}"), |state| {
            let mut files = state.invocation.memory.iter().flat_map(|files| files.iter());
            files.find(|file| file.path == *path).cloned()
        })?;
        let context = &self.invocation.context;
        let (session, run, at_ms) = (&context.session, &context.run, self.invocation.now_ms);
        let cause = Cause { by: "", session, lineage: session, run, at_ms };
        let own = self.trail.memory.iter().filter(|change| change.path() == path);
        Ok(own.fold(stored, |file, change| changed(file, change, &cause)))
    }

    fn stage_memory(&mut self, change: Change) -> Result<std::result::Result<(), String>> {
        if self.invocation.memory.is_none() {
            return Ok(Err("this run has no memory".to_owned()));
        }
        if let Err(error) = self.invocation.memory_rules.allows(change.path()) {
            return Ok(Err(error));
        }
        if self.trail.memory.len() >= MEMORY_CHANGES_MAX {
            return Ok(Err(format!("one call makes at most {MEMORY_CHANGES_MAX} changes of memory")));
        }
        let present = self.present(change.path())?;
        if present.is_none() && self.stored_paths()?.len() >= FILES_MAX {
            return Ok(Err(format!("an owner has at most {FILES_MAX} memory files")));
        }
        if let Err(error) = MemoryFile::check(present.as_ref(), &change) {
            return Ok(Err(error));
        }
        self.trail.memory.push(change);
        Ok(Ok(()))
    }
}

/// A file as the guest is shown it.
fn shown(file: &MemoryFile, corrections: &[Correction]) -> memory::File {
    let text = Correction::apply_all(corrections, &file.path.to_string(), &file.text);
    let kept: BTreeSet<String> = text.lines().map(key).collect();
    let notes = file.noted().filter(|(note, _)| kept.contains(&key(note)));
    let notes = notes.map(|(note, record)| memory::Note {
        text: note.to_owned(),
        kind: record.kind.clone(),
        importance: record.importance,
        evidence: record.evidence.clone(),
        times: record.times,
        created: record.created_ms,
    });
    memory::File { path: file.path.to_string(), sha256: file.sha256(), notes: notes.collect(), text }
}
