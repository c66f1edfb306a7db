//! Leaving a study: going no further, or being erased from it.

use serde::Serialize;
use ta_runtime::erase::{self, EraseRequest, Left, What};
use ta_runtime::surface::{Event, StudyStep};
use ta_runtime::{Host, RuntimeError, history};

use crate::definition::StudyFiles;
use crate::home::directory_of;
use crate::study::{Standing, decide, owner_of, session_of, session_of_participant};

/// Classes of reasons for a withdrawal; the reason itself is nobody's business.
pub const REASONS: [&str; 3] = ["asked", "ineligible", "error"];

/// What a withdrawal came to.
#[derive(Debug, Clone, Serialize)]
pub struct Withdrawn {
    /// The participant.
    pub participant: String,
    /// Records that say nothing any more.
    pub records: u64,
    /// Texts and answers beside them that were deleted.
    pub blobs: u64,
    /// What is left, and where.
    pub left: Vec<Left>,
    /// Exports that were made before, by their digests: they may hold rows of the participant, and nobody here can reach them.
    pub exports: Vec<String>,
}

/// Erases what a participant did, frees the cell, and keeps the number and the class of the reason.
///
/// # Errors
/// `study.participant` where there is none of that id, or they have withdrawn; `session.busy` while a run of theirs is going.
pub async fn withdraw(
    host: &Host,
    files: &StudyFiles,
    participant: &str,
    reason: &str,
) -> Result<Withdrawn, RuntimeError> {
    let store = host.store()?;
    known(&Standing::of(&*store, &files.name).await?, files, participant)?;
    let what = What::Participant {
        owner: owner_of(&files.name, participant),
        session: session_of_participant(&files.name, participant),
    };
    let there = !store.sessions_of(&owner_of(&files.name, participant)).await?.is_empty()
        || store.last_seq(&session_of_participant(&files.name, participant)).await? > 0;
    let report = match there {
        true => Some(erase::erase(host, &EraseRequest { what, with_forks: true, files: false }).await?),
        false => None,
    };
    let directory = directory_of(&host.config.data_dir, &files.name, participant);
    if directory.exists() {
        std::fs::remove_dir_all(&directory).map_err(|error| {
            let message = format!("the files in {} cannot be taken away: {error}", directory.display());
            RuntimeError::environment("study.files", message, "look at the rights there, and withdraw once more")
        })?;
    }
    let records = report.as_ref().map_or(0, |report| report.tombstone.records);
    let step = (Some(participant.to_owned()), StudyStep::Withdrawn { reason: reason.to_owned(), records });
    decide(&*store, &files.name, |_| Ok(Some(step.clone()))).await?;
    let mut exports = Vec::new();
    for record in history::records(&*store, &session_of(&files.name)).await? {
        if let Event::StudyRecorded(recorded) = record.event
            && let StudyStep::Exported { sha256, .. } = recorded.what
        {
            exports.push(sha256);
        }
    }
    let blobs = report.as_ref().map_or(0, |report| report.tombstone.blobs);
    // Their own workspace is gone, with every file in it.
    let mut left = report.map(|report| report.left).unwrap_or_default();
    left.retain(|it| !std::path::Path::new(&it.what).starts_with(&directory));
    Ok(Withdrawn { participant: participant.to_owned(), records, blobs, left, exports })
}

/// Notes that a participant goes no further: what they did stays, the cell is free again.
///
/// # Errors
/// `study.participant`.
pub async fn drop_out(host: &Host, files: &StudyFiles, participant: &str) -> Result<Standing, RuntimeError> {
    let store = host.store()?;
    decide(&*store, &files.name, |standing| {
        known(standing, files, participant)?;
        Ok(Some((Some(participant.to_owned()), StudyStep::DroppedOut)))
    })
    .await
}

fn known(standing: &Standing, files: &StudyFiles, participant: &str) -> Result<(), RuntimeError> {
    standing.started(&files.name)?;
    let gone = standing.participants.get(participant).map(|it| it.gone);
    let message = match gone {
        Some(None | Some("dropped-out")) => return Ok(()),
        Some(_) => format!("{participant} has withdrawn from the study `{}` already", files.name),
        None => format!("the study `{}` has no participant `{participant}`", files.name),
    };
    Err(RuntimeError::usage(
        "study.participant",
        message,
        "`study status` says how many there are; they are P01, P02, …",
    ))
}
