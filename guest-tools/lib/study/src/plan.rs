//! A plan of steps. Which step is taught is computed from their statuses; no number of a step is kept anywhere.
//!
//! Statuses change only by [`Plan::change`], which goes by [`TRANSITIONS`].

use std::fmt;

use serde::{Deserialize, Serialize};

/// Replans of a session at the most; the next request for one is for a teacher.
pub const REPLANS_MAX: u32 = 3;
/// Steps of a plan at the most.
pub const STEPS_MAX: usize = 24;

/// How a step stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Not begun.
    #[default]
    Pending,
    /// The learner works at it.
    InProgress,
    /// Done, or skipped for a reason that stands in its `status_info`.
    Completed,
    /// It did not work: it waits to be planned anew, skipped, or looked at by a teacher.
    Blocked,
}

/// Why a step changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cause {
    /// Its first message is shown.
    Begun,
    /// Its success criteria are met.
    Met,
    /// Too many wrong answers, or the approach does not work.
    Failed,
    /// It is not needed, or cannot be done now.
    Skipped,
    /// It is tried again: planned anew, or after a teacher's word.
    Retried,
}

/// Every change of a step that there is.
pub const TRANSITIONS: [(Status, Cause, Status); 6] = [
    (Status::Pending, Cause::Begun, Status::InProgress),
    (Status::Pending, Cause::Skipped, Status::Completed),
    (Status::InProgress, Cause::Met, Status::Completed),
    (Status::InProgress, Cause::Failed, Status::Blocked),
    (Status::Blocked, Cause::Retried, Status::Pending),
    (Status::Blocked, Cause::Skipped, Status::Completed),
];

/// Why a change was refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// The plan has no such step.
    NoStep(String),
    /// The table has no such change.
    NotInTable(Status, Cause),
    /// Another step is in progress.
    Another(String),
    /// A step is skipped for a reason, and there is none.
    NoReason,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoStep(id) => write!(f, "the plan has no step `{id}`"),
            Self::NotInTable(status, cause) => write!(f, "no step that is {status:?} changes by {cause:?}"),
            Self::Another(id) => write!(f, "the step `{id}` is in progress"),
            Self::NoReason => write!(f, "a step is skipped for a reason"),
        }
    }
}

/// What is counted in a step, from its first message on.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Questions that were asked.
    pub questions_asked: u32,
    /// Answers that were right.
    pub questions_correct: u32,
    /// Answers that were judged.
    pub attempts: u32,
}

/// What is known of a step beside its status; empty before it begins.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatusInfo {
    /// What was counted.
    #[serde(flatten)]
    pub counts: Option<Counts>,
    /// When its first message was shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub started_at: Option<String>,
    /// When it was done, or skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub completed_at: Option<String>,
    /// Why it was skipped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped: Option<String>,
    /// Why it is blocked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocked: Option<String>,
}

/// A step.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Step {
    /// Its id, a UUID that code has made.
    pub step_id: String,
    /// What a learner calls it.
    pub title: String,
    /// What it is about.
    pub description: String,
    /// How it is taught.
    pub teaching_approach: String,
    /// When it is done.
    pub success_criteria: String,
    /// How it stands.
    pub status: Status,
    /// What is known of it.
    pub status_info: StatusInfo,
}

impl Step {
    /// What was counted in it.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.status_info.counts.unwrap_or_default()
    }
}

/// What is known of the plan as a whole. Code writes all of it but the two estimates.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Metadata {
    /// Counted from 1; each replan adds one.
    pub plan_version: u32,
    /// Questions that the planner expects.
    pub estimated_total_questions: u32,
    /// Minutes that it expects.
    pub estimated_duration_minutes: u32,
    /// Replans so far.
    pub replan_count: u32,
    /// Replans at the most.
    pub max_replans: u32,
    /// When it was made.
    pub created_at: String,
    /// When it was changed last.
    pub last_updated_at: String,
}

/// A plan.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The steps, in order.
    pub todo_list: Vec<Step>,
    /// What is known of the whole.
    pub metadata: Metadata,
}

impl Plan {
    /// The step that is taught: the one in progress, else the first that is pending.
    #[must_use]
    pub fn current(&self) -> Option<&Step> {
        let first = |status| self.todo_list.iter().find(|step| step.status == status);
        first(Status::InProgress).or_else(|| first(Status::Pending))
    }

    /// The first step that is blocked.
    #[must_use]
    pub fn blocked(&self) -> Option<&Step> {
        self.todo_list.iter().find(|step| step.status == Status::Blocked)
    }

    /// Whether every step is completed.
    #[must_use]
    pub fn completed(&self) -> bool {
        self.todo_list.iter().all(|step| step.status == Status::Completed)
    }

    /// How many steps are completed.
    #[must_use]
    pub fn steps_completed(&self) -> usize {
        self.todo_list.iter().filter(|step| step.status == Status::Completed).count()
    }

    /// A step by its id.
    #[must_use]
    pub fn step(&self, id: &str) -> Option<&Step> {
        self.todo_list.iter().find(|step| step.step_id == id)
    }

    /// Adds to what is counted in a step.
    pub fn count(&mut self, id: &str, add: impl FnOnce(&mut Counts)) {
        if let Some(step) = self.todo_list.iter_mut().find(|step| step.step_id == id) {
            add(step.status_info.counts.get_or_insert_default());
        }
    }

    /// Changes a step, where the table has the change; otherwise nothing is changed.
    ///
    /// # Errors
    /// Why the change is refused.
    pub fn change(&mut self, id: &str, cause: Cause, why: &str, at: &str) -> Result<Status, Refused> {
        let step = self.step(id).ok_or_else(|| Refused::NoStep(id.to_owned()))?;
        let from = step.status;
        let row = TRANSITIONS.iter().find(|(status, by, _)| *status == from && *by == cause);
        let Some((_, _, to)) = row else { return Err(Refused::NotInTable(from, cause)) };
        if cause == Cause::Skipped && why.trim().is_empty() {
            return Err(Refused::NoReason);
        }
        let other = self.todo_list.iter().find(|step| step.status == Status::InProgress);
        if let Some(other) = other.filter(|_| *to == Status::InProgress) {
            return Err(Refused::Another(other.step_id.clone()));
        }
        if let Some(step) = self.todo_list.iter_mut().find(|step| step.step_id == id) {
            step.status = *to;
            step.status_info.note(cause, why, at);
        }
        at.clone_into(&mut self.metadata.last_updated_at);
        Ok(*to)
    }
}

impl StatusInfo {
    fn note(&mut self, cause: Cause, why: &str, at: &str) {
        match cause {
            Cause::Begun => {
                self.counts.get_or_insert_default();
                self.started_at.get_or_insert_with(|| at.to_owned());
            }
            Cause::Met => self.completed_at = Some(at.to_owned()),
            Cause::Failed => self.blocked = Some(why.to_owned()),
            Cause::Skipped => {
                self.completed_at = Some(at.to_owned());
                self.skipped = Some(why.to_owned());
                self.blocked = None;
            }
            Cause::Retried => self.blocked = None,
        }
    }
}
