//! What events mean for an owner's memory: its files, and the audit of them.

use std::collections::BTreeMap;

use ta_core::event::{CallReport, MemoryWritten, PromptAssembled};
use ta_core::memory::{Cause, Change, MemoryFile, MemoryPath, changed};
use ta_core::question::{Answer, Decision, Outcome};
use ta_core::{Event, Record};

use super::Views;
use crate::audit::{AuditKind, AuditRow};
use crate::prepare::digest;

/// The hook whose questions propose what to remember.
pub(crate) const CAPTURE_HOOK: &str = "memory-capture";

/// How a call's report names the reading of a memory file, before its path.
const READ_IMPORT: &str = "memory.read ";

/// An owner and the path of a file.
pub(crate) type FileKey = (String, String);

/// Memory files that the events at hand touch; none under its key where there is no such file.
pub(crate) type Files = BTreeMap<FileKey, Option<MemoryFile>>;

/// The files that an event can change: they have to be there before [`remember`].
pub(crate) fn touched(record: &Record, owner: &str) -> Vec<FileKey> {
    match &record.event {
        Event::MemoryWritten(written) => vec![(written.owner.clone(), written.change.path().to_string())],
        Event::PromptAssembled(prompt) if !owner.is_empty() => {
            prompt.memory.iter().map(|selection| (owner.to_owned(), selection.path.to_string())).collect()
        }
        _ => Vec::new(),
    }
}

/// Brings the files up to date with one more event of a session that runs for `owner`. In the order in which the
/// events of all sessions were appended: an owner's sessions share their memory. `lineage` is the session that its past began in.
pub(crate) fn remember(record: &Record, owner: &str, lineage: &str, files: &mut Files) {
    match &record.event {
        Event::MemoryWritten(written) => {
            let key = (written.owner.clone(), written.change.path().to_string());
            let file = files.remove(&key).flatten();
            let (by, session, run, at_ms) = (&written.by, &record.session, &record.run, record.at_ms);
            let cause = Cause { by, session, lineage, run, at_ms };
            files.insert(key, changed(file, &written.change, &cause));
        }
        Event::PromptAssembled(prompt) if !owner.is_empty() => {
            for selection in &prompt.memory {
                let key = (owner.to_owned(), selection.path.to_string());
                if let Some(Some(file)) = files.get_mut(&key) {
                    file.used(selection.included.iter().map(|chosen| chosen.note.as_str()));
                }
            }
        }
        _ => {}
    }
}

/// Notes for the audit what a write changed.
pub(super) fn written(record: &Record, written: &MemoryWritten, views: &mut Views) {
    let detail = match &written.change {
        Change::Remembered { note, .. } => format!("remembered ({}): {}", note.kind, note.text),
        Change::Forgotten { text, .. } => format!("forgot: {text}"),
        Change::Written { text, .. } => format!("wrote {} lines", text.lines().count()),
        Change::Removed { .. } => "removed the file".to_owned(),
    };
    let path = Some(written.change.path().clone());
    add(record, &written.owner, &written.by, AuditKind::Written, path, detail, views);
}

/// Notes for the audit which files a call read.
pub(super) fn read(record: &Record, by: &str, report: &CallReport, views: &mut Views) {
    for input in &report.inputs {
        let Some(path) = input.import.strip_prefix(READ_IMPORT) else { continue };
        // There was no such file: nothing was read.
        if input.sha256 == digest(b"null") {
            continue;
        }
        of_session(record, by, AuditKind::Read, path.parse().ok(), input.sha256.clone(), views);
    }
}

/// Whether an event may take a place in memory's audit. What one person's sessions do to their memory stands in one order, so
/// such an event is never kept back.
pub(crate) fn concerns(event: &Event) -> bool {
    let reads = |report: &CallReport| report.inputs.iter().any(|input| input.import.starts_with(READ_IMPORT));
    match event {
        Event::MemoryWritten(_) | Event::MemoryConsolidated(_) | Event::ItemDecided(_) => true,
        Event::RequestAnswered(answered) => answered.outcome().is_some(),
        Event::PromptAssembled(prompt) => !prompt.memory.is_empty(),
        Event::HookFinished(finished) => reads(&finished.report),
        Event::ToolFinished(finished) => reads(&finished.report),
        Event::FlowStepped(stepped) => reads(&stepped.report),
        Event::FlowFailed(failed) => reads(&failed.report),
        _ => false,
    }
}

/// Notes for the audit which files a prompt shows.
pub(super) fn shown(record: &Record, prompt: &PromptAssembled, views: &mut Views) {
    for selection in &prompt.memory {
        let (shown, left_out) = (selection.included.len(), selection.left_out.len());
        let detail = format!("{shown} notes shown, {left_out} left out");
        of_session(record, "prompt", AuditKind::Read, Some(selection.path.clone()), detail, views);
    }
}

/// Notes for the audit what the person decided on one proposal.
pub(super) fn decided(record: &Record, by: &str, decision: &Decision, views: &mut Views) {
    let Decision { item, choice, text } = decision;
    let detail = text.as_ref().map_or_else(|| format!("{item}: {choice}"), |text| format!("{item}: {choice}: {text}"));
    of_session(record, by, AuditKind::Decided, None, detail, views);
}

/// Notes for the audit what became of a question about memory, where that is no decision on its items.
pub(super) fn answered(record: &Record, by: &str, outcome: &Outcome, views: &mut Views) {
    let detail = match outcome {
        Outcome::Answered(Answer::Items(_)) => return,
        Outcome::Answered(Answer::Choice(text) | Answer::Text(text)) => text.clone(),
        Outcome::Declined => "declined".to_owned(),
        Outcome::Dismissed => "dismissed".to_owned(),
        Outcome::TimedOut => "timed out".to_owned(),
    };
    of_session(record, by, AuditKind::Decided, None, detail, views);
}

/// A row about the memory of the session's owner; none where nobody is known to be one.
fn of_session(record: &Record, by: &str, kind: AuditKind, path: Option<MemoryPath>, detail: String, views: &mut Views) {
    let owner = views.owner().to_owned();
    if !owner.is_empty() {
        add(record, &owner, by, kind, path, detail, views);
    }
}

fn add(
    record: &Record,
    owner: &str,
    by: &str,
    kind: AuditKind,
    path: Option<MemoryPath>,
    detail: String,
    views: &mut Views,
) {
    let (session, run) = (record.session.clone(), record.run.clone());
    let row = AuditRow { at_ms: record.at_ms, session, run, seq: record.seq, by: by.to_owned(), kind, path, detail };
    views.audit.push((owner.to_owned(), row));
}
