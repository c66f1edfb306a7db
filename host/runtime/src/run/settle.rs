//! What becomes of a tool's call: its changes of files are put in place, and with them all else that it does; or nothing of it.

use ta_core::event::{Event, Write, WritesDone};
use ta_core::files::Applied;
use ta_core::machine::Settlement;
use ta_core::step;

use super::drive::{Driver, Step};
use crate::error::RuntimeError;

/// What settles a call. `standing` are files that already are as a refused call would have made them.
pub(crate) fn settled(settlement: Settlement, owner: &str, standing: &[String]) -> step::Step {
    let Settlement { settled, effects, .. } = settlement;
    let by = settled.result.id.clone();
    let own = Event::ToolSettled(Box::new(settled.with_standing(standing.to_vec())));
    step::Step::from(own).with_effects(&by, owner, effects)
}

impl Driver<'_> {
    /// Lets a call take effect, or says that nothing of it does.
    pub(super) async fn settle(&mut self, settlement: Settlement) -> Result<Step, RuntimeError> {
        // In a fork the file may be as the run before it left it: then a no has come too late, and that is said.
        let stands =
            |path: &str, after: &str| self.workspace.digest(path).is_ok_and(|now| now.as_deref() == Some(after));
        let changed = settlement.refused.iter().filter(|it| it.before.as_ref() != Some(&it.after));
        let standing: Vec<String> =
            changed.filter(|it| stands(&it.path, &it.after)).map(|it| it.path.clone()).collect();
        let settled = settled(settlement, &self.machine.start().owner, &standing);
        self.on(settled).await
    }

    /// Completes writes that are in the journal and not known to be on the disk.
    pub(super) async fn complete_writes(&mut self) -> Result<(), RuntimeError> {
        for intended in self.machine.ledger().open_writes.clone() {
            let mut done = WritesDone { by: intended.by.clone(), paths: Vec::new(), refused: Vec::new() };
            // All of a call's changes, or none: what was changed meanwhile is looked for before the first is made.
            let conflicts = self.conflicts(&intended.writes);
            for write in &intended.writes {
                if !conflicts.is_empty() {
                    done.refused.clone_from(&conflicts);
                    break;
                }
                let text = self.store.blob(&write.after).await?.ok_or_else(|| {
                    let message = format!("the journal does not hold the text of {}", write.path);
                    RuntimeError::environment(
                        "store.corrupt",
                        message,
                        "put a backup in its place with `teacher-assist restore FILE`",
                    )
                })?;
                match self.workspace.apply(&write.path, write.before.as_deref(), &text) {
                    Ok(Applied::Written | Applied::AlreadyThere) => done.paths.push(write.path.clone()),
                    Ok(Applied::Conflict) => {
                        done.refused.push(format!("{}: somebody else has changed it meanwhile", write.path));
                    }
                    // The disk may have room again later: the intent stays open, and resuming tries again.
                    Err(error) if error.code == ta_core::files::WorkspaceErrorCode::Io => return Err(error.into()),
                    Err(error) => done.refused.push(error.to_string()),
                }
            }
            self.append(Event::WritesDone(done)).await?;
        }
        Ok(())
    }

    /// Why changes cannot be made that somebody else was quicker than. Where a run was killed in the middle of them, those that are
    /// made already are no reason.
    fn conflicts(&self, writes: &[Write]) -> Vec<String> {
        let taken = |write: &&Write| {
            self.workspace
                .digest(&write.path)
                .is_ok_and(|now| now != write.before && now.as_ref() != Some(&write.after))
        };
        let conflicts: Vec<&Write> = writes.iter().filter(taken).collect();
        conflicts.into_iter().map(|write| format!("{}: somebody else has changed it meanwhile", write.path)).collect()
    }
}
