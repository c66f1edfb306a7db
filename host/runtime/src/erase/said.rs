//! What erased sessions said that may stand elsewhere too.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use ta_core::Record;
use ta_core::event::{Event, MemoryWritten, RunStarted, Write};
use ta_core::memory::{Change, MemoryPath};

use crate::host::Host;

/// Notes of an erased session that others are looked through for.
const NOTES_MAX: usize = 100;

/// What the sessions said that may be elsewhere too.
#[derive(Default)]
pub(super) struct Said {
    pub(super) owners: BTreeSet<String>,
    /// Notes that they put into memory.
    pub(super) notes: BTreeSet<String>,
    /// Files of memory that they changed, by owner and path.
    pub(super) remembered_in: BTreeSet<(String, MemoryPath)>,
    /// Files that they wrote, by workspace and path.
    pub(super) files: BTreeMap<(PathBuf, String), Wrote>,
}

/// What is known of a file.
#[derive(Default)]
pub(super) struct Wrote {
    /// When it was written first, and whether there was none before.
    first: Option<(u64, bool)>,
    /// What it was after each write, by digest.
    after: BTreeSet<String>,
    /// Whether a session that stays wrote it as well.
    shared: bool,
}

impl Wrote {
    /// Whether it was there before the sessions wrote it, or belongs to one that stays.
    pub(super) fn was_there(&self) -> bool {
        self.shared || self.first.is_none_or(|(_, made)| !made)
    }

    /// Whether it is still as one of them wrote it.
    pub(super) fn is(&self, digest: &str) -> bool {
        self.after.contains(digest)
    }
}

impl Said {
    pub(super) fn read(&mut self, host: &Host, records: &[Record]) {
        let mut workspace = host.config.workspace.clone();
        let mut intended: Vec<(u64, &Write)> = Vec::new();
        for record in records {
            match &record.event {
                Event::RunStarted(start) => self.started(start, &mut workspace),
                Event::RunForked(forked) => self.started(&forked.start, &mut workspace),
                Event::MemoryWritten(written) => self.wrote(written),
                Event::WritesIntended(more) => intended.extend(more.writes.iter().map(|write| (record.at_ms, write))),
                // What was refused is somebody else's file.
                Event::WritesDone(done) => self.files_of(&workspace, &mut intended, |path| done.paths.contains(path)),
                Event::PromptAssembled(_)
                | Event::HookFinished(_)
                | Event::RequestMade(_)
                | Event::RequestAnswered(_)
                | Event::ItemDecided(_)
                | Event::ContextCompacted(_)
                | Event::ModelCalled(_)
                | Event::ModelAnswered(_)
                | Event::ModelFailed(_)
                | Event::ModelFellBack(_)
                | Event::ModelPartial(_)
                | Event::ToolStarted(_)
                | Event::ToolFinished(_)
                | Event::ToolSettled(_)
                | Event::SubagentStarted(_)
                | Event::SubagentFinished(_)
                | Event::HandoffMade(_)
                | Event::TasksReplaced(_)
                | Event::RunParked(_)
                | Event::PromptCorrected(_)
                | Event::MemoryConsolidated(_)
                | Event::RunResumed(_)
                | Event::FlowStepped(_)
                | Event::FlowFailed(_)
                | Event::FlowWoken
                | Event::AgentAnswered(_)
                | Event::MessageSaid(_)
                | Event::MessagesShown(_)
                | Event::RunFinished(_)
                | Event::ObservationsMade(_)
                | Event::SessionRenamed(_)
                | Event::SessionDeleted(_)
                | Event::SessionRestored(_)
                | Event::SessionErased(_)
                | Event::StudyRecorded(_) => {}
            }
        }
        // Where the process was killed nobody knows; the digest of the file does.
        self.files_of(&workspace, &mut intended, |_| true);
    }

    /// A run's files lie in the workspace that it ran in, where that is still there.
    fn started(&mut self, start: &RunStarted, workspace: &mut PathBuf) {
        self.owners.insert(start.owner.clone());
        let of_run = PathBuf::from(&start.workspace);
        if of_run.is_dir() {
            *workspace = of_run;
        }
    }

    fn wrote(&mut self, written: &MemoryWritten) {
        self.owners.insert(written.owner.clone());
        self.remembered_in.insert((written.owner.clone(), written.change.path().clone()));
        if let Change::Remembered { note, .. } = &written.change
            && self.notes.len() < NOTES_MAX
        {
            self.notes.insert(note.text.clone());
        }
    }

    fn files_of(&mut self, workspace: &Path, intended: &mut Vec<(u64, &Write)>, written: impl Fn(&String) -> bool) {
        for (at_ms, write) in intended.drain(..).filter(|(_, write)| written(&write.path)) {
            let wrote = self.files.entry((workspace.to_owned(), write.path.clone())).or_default();
            if wrote.first.is_none_or(|(first, _)| at_ms < first) {
                wrote.first = Some((at_ms, write.before.is_none()));
            }
            wrote.after.insert(write.after.clone());
        }
    }

    /// Leaves alone what a session that stays wrote as well: where a fork finds a file that is already as it would be, it
    /// is the other's.
    pub(super) fn shared_with(&mut self, records: &[Record]) {
        let writes = records.iter().filter_map(|record| match &record.event {
            Event::WritesDone(done) => Some(&done.paths),
            _ => None,
        });
        let paths: BTreeSet<&String> = writes.flatten().collect();
        for ((_, path), wrote) in &mut self.files {
            wrote.shared |= paths.contains(path);
        }
    }
}
