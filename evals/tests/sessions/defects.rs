//! Defects that this project once had, put back where the journal is read and written, so that no way leads to them from what
//! is shipped.

use std::collections::BTreeMap;

use ta_core::Record;
use ta_core::event::{Event, TasksReplaced};
use ta_core::hook::Verdict;
use ta_core::machine::OUTPUT;
use ta_store::{Store, StoreError};

use super::guests::TASKS;
use super::seam::{Doing, Seam};

/// A defect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Defect {
    /// Two parts of one title have one id.
    PartsShareAnId,
    /// Saving puts the file in the place of whatever has its name.
    SavingReplaces,
    /// Calls of one message that replace the tasks run side by side, and the last one to be done is the first.
    TasksSideBySide,
    /// A run that is past begins with no tasks.
    TasksOfOneRun,
    /// A call that is shared by a fork is given another seed.
    SeedOfTheFork,
    /// A run goes on with the plugin's texts as they are now.
    TextsOfNow,
    /// A fork may begin between a call and its effects.
    ForkWithinAStep,
    /// A fork's trace lists the components of the run that it was made from.
    ComponentsOfTheParent,
}

impl Seam {
    pub(super) fn is(&self, defect: Defect) -> bool {
        self.defect == Some(defect)
    }

    /// What is appended, with the defect in it.
    pub(super) fn written(&self, run: &str, mut events: Vec<Event>) -> Vec<Event> {
        for event in &mut events {
            if let Event::HookFinished(finished) = event
                && self.is(Defect::PartsShareAnId)
                && let Verdict::Rework { accepted, .. } = &mut finished.verdict
            {
                for part in accepted {
                    part.id = part.id.trim_end_matches(|c: char| c == '-' || c.is_ascii_digit()).to_owned();
                }
            }
        }
        if self.is(Defect::TasksSideBySide) { self.side_by_side(run, events) } else { events }
    }

    /// Keeps back what the first of several calls does to the tasks until the others are done.
    fn side_by_side(&self, run: &str, events: Vec<Event>) -> Vec<Event> {
        let mut state = self.state.lock().unwrap();
        let mut written = Vec::new();
        for event in events {
            match event {
                Event::ModelAnswered(answered) => {
                    let calls = answered.answer.calls.iter().filter(|call| call.name == TASKS).count();
                    state.open_calls.insert(run.to_owned(), calls);
                    written.push(Event::ModelAnswered(answered));
                }
                Event::TasksReplaced(replaced) => {
                    let open = state.open_calls.entry(run.to_owned()).or_default();
                    *open = open.saturating_sub(1);
                    let last = *open == 0;
                    let held = state.held.entry(run.to_owned()).or_default();
                    held.insert(0, replaced);
                    if last {
                        written.extend(held.drain(..).map(Event::TasksReplaced));
                    }
                }
                other => written.push(other),
            }
        }
        written
    }

    /// Takes away what has the name that an output is about to get.
    pub(super) fn make_way(&self, events: &[Event]) {
        for event in events {
            if let Event::WritesIntended(intended) = event
                && intended.by == OUTPUT
                && self.is(Defect::SavingReplaces)
            {
                for write in &intended.writes {
                    let _gone = std::fs::remove_file(self.workspace.join(&write.path));
                }
            }
        }
    }

    /// What is read, with the defect in it.
    pub(super) async fn seen(&self, session: &str, records: Vec<Record>) -> Result<Vec<Record>, StoreError> {
        let doing = self.state.lock().unwrap().doing.clone();
        match (self.defect, doing) {
            (Some(Defect::TasksOfOneRun), Doing::Starting) => Ok(forgetful(records)),
            (Some(Defect::SeedOfTheFork), Doing::Forking(..)) => Ok(reseeded(records)),
            (Some(Defect::ForkWithinAStep), Doing::Forking(of, at)) if of == session => {
                Ok(records.into_iter().filter(|record| record.seq <= at).collect())
            }
            (Some(Defect::ComponentsOfTheParent), Doing::Tracing) => self.unswapped(records).await,
            _ => Ok(records),
        }
    }

    async fn unswapped(&self, mut records: Vec<Record>) -> Result<Vec<Record>, StoreError> {
        for record in &mut records {
            let Event::RunForked(forked) = &mut record.event else { continue };
            let of_parent = self.inner.read(&forked.session, 0, usize::MAX).await?;
            let start = of_parent.iter().find_map(|record| match &record.event {
                Event::RunStarted(start) if record.run == forked.run => Some((**start).clone()),
                Event::RunForked(earlier) if record.run == forked.run => Some(earlier.start.clone()),
                _ => None,
            });
            forked.start.components = start.unwrap().components;
        }
        Ok(records)
    }

    /// The plugin's texts as they lie on the disk now, where these are its texts.
    pub(super) fn texts_of_now(&self, bytes: Vec<u8>) -> Vec<u8> {
        let kept: Result<BTreeMap<String, String>, _> = serde_json::from_slice(&bytes);
        let Some(kept) = kept.ok().filter(|it| it.keys().any(|path| path == "agents/first.md")) else { return bytes };
        let now = |path: &String| std::fs::read_to_string(self.plugin.join(path)).unwrap();
        let now: BTreeMap<String, String> = kept.keys().map(|path| (path.clone(), now(path))).collect();
        serde_json::to_vec(&now).unwrap()
    }
}

/// Every run but the first begins with no tasks.
fn forgetful(records: Vec<Record>) -> Vec<Record> {
    let mut seen = Vec::new();
    for record in records {
        let later = matches!(record.event, Event::RunStarted(_)) && !seen.is_empty();
        let emptied = Record { event: Event::TasksReplaced(TasksReplaced { tasks: Vec::new() }), ..record.clone() };
        seen.push(record);
        seen.extend(later.then_some(emptied));
    }
    seen
}

/// A hook that runs first takes its seed from the number of the run's first record.
fn reseeded(mut records: Vec<Record>) -> Vec<Record> {
    for record in &mut records {
        if matches!(record.event, Event::RunStarted(_)) {
            record.seq = 0;
        }
    }
    records
}
