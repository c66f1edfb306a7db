//! What a participant does, in order. Pure: it follows from the study, the sequence and the records of what is done.

use ta_runtime::surface::{StudyRecorded, StudyStep};

use crate::definition::{Study, Task};

/// One thing that a participant does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'a> {
    /// They agree to take part, or do not.
    Consent,
    /// They answer a questionnaire.
    Ask {
        /// The questionnaire.
        questionnaire: &'a str,
        /// When: `before`, `after` or `end`.
        moment: &'static str,
        /// The task that it is about; empty at the end.
        task: &'a str,
        /// The condition; empty for a practice and at the end.
        condition: &'a str,
    },
    /// They do a task.
    Do {
        /// The task.
        task: &'a Task,
        /// The condition; empty for a practice.
        condition: &'a str,
        /// The how-manieth condition, counted from 1; 0 for a practice.
        place: u32,
    },
}

/// Everything that a participant with this sequence does.
#[must_use]
pub fn steps<'a>(study: &'a Study, sequence: &'a [String]) -> Vec<Step<'a>> {
    let mut steps = vec![Step::Consent];
    for task in study.tasks.iter().filter(|task| task.practice) {
        around(&mut steps, task, "", 0);
    }
    let counted = study.counted_tasks();
    let mut next = counted.iter().cycle();
    for (place, condition) in (1..).zip(sequence) {
        for task in next.by_ref().take(study.tasks_each) {
            around(&mut steps, task, condition, place);
        }
    }
    let at_the_end = |questionnaire: &'a String| Step::Ask { questionnaire, moment: "end", task: "", condition: "" };
    steps.extend(study.at_the_end.iter().map(at_the_end));
    steps
}

/// A task with its questionnaires.
fn around<'a>(steps: &mut Vec<Step<'a>>, task: &'a Task, condition: &'a str, place: u32) {
    let ask = |moment: &'static str| {
        move |questionnaire: &'a String| Step::Ask { questionnaire, moment, task: &task.name, condition }
    };
    steps.extend(task.before.iter().map(ask("before")));
    steps.push(Step::Do { task, condition, place });
    steps.extend(task.after.iter().map(ask("after")));
}

impl Step<'_> {
    /// Whether this record says that it is done.
    #[must_use]
    pub fn done_by(&self, record: &StudyRecorded, consent_version: &str) -> bool {
        match (self, &record.what) {
            (Self::Consent, StudyStep::Consented { version, .. }) => version == consent_version,
            (Self::Ask { questionnaire, moment, task, condition }, StudyStep::Answered { .. }) => {
                matches!(&record.what, StudyStep::Answered { questionnaire: q, moment: m, task: t, condition: c, .. }
                    if q == questionnaire && m == moment && t == task && c == condition)
            }
            (Self::Do { task, condition, .. }, StudyStep::TaskEnded { task: ended, condition: under, .. }) => {
                task.name == *ended && condition == under
            }
            _ => false,
        }
    }
}

/// The steps that are to come, and how many there are in all.
#[must_use]
pub fn to_come<'a>(study: &'a Study, sequence: &'a [String], records: &[StudyRecorded]) -> (Vec<Step<'a>>, usize) {
    let all = steps(study, sequence);
    let count = all.len();
    let done = |step: &Step<'_>| records.iter().any(|record| step.done_by(record, &study.consent_version));
    (all.into_iter().filter(|step| !done(step)).collect(), count)
}
