//! What an evaluation does to the plan: code decides, by counts; the evaluator proposes.

use serde::Serialize;

use crate::agents::Evaluation;
use crate::plan::{Cause, Plan, Status};

/// Right is a score of this and more.
pub const RIGHT_MIN: f64 = 0.7;
/// Wrong answers in a row that block a step.
pub const WRONG_MAX: u32 = 3;
/// Right answers that a step needs before the evaluator can have it completed.
pub const CORRECT_MIN: u32 = 2;
/// Right answers that complete a step whatever the evaluator says, so that nobody stays in it for ever.
pub const CORRECT_ENOUGH: u32 = 5;

/// A change of one step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The step.
    pub step_id: String,
    /// Why it changes, for the table.
    pub cause: Cause,
    /// Why, in words.
    pub why: String,
}

/// What follows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Decision {
    /// Whether the reply was right; none where no question was open.
    pub right: Option<bool>,
    /// Changes of steps, in order.
    pub changes: Vec<Change>,
    /// Why the plan is to be made anew.
    pub replan: Option<String>,
    /// What the evaluator wanted and did not get, and why.
    pub refused: Vec<String>,
}

/// Where the session goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Route {
    /// To the planner.
    Replan,
    /// To a teacher.
    Intervention,
    /// To the executor.
    Continue,
    /// All steps are completed.
    End,
}

/// What was counted before the evaluation.
#[derive(Debug, Clone, Copy, Default)]
pub struct Before {
    /// Whether a question is open.
    pub question: bool,
    /// Wrong answers in a row, this one not among them.
    pub wrong_in_a_row: u32,
}

/// Decides what an evaluation of a reply that was on the topic does. The answer's own counts are not yet in the plan.
#[must_use]
pub fn decide(plan: &Plan, before: Before, evaluation: &Evaluation) -> Decision {
    let mut decision = Decision::default();
    let Some(current) = plan.current() else { return decision };
    let right = evaluation.score.is_some_and(|score| score >= RIGHT_MIN);
    let judged = before.question && evaluation.score.is_some();
    decision.right = judged.then_some(right);
    let proposed = |status: &str| {
        let ids = evaluation.updated_step_statuses.iter().filter(move |(_, it)| it.as_str() == status);
        ids.map(|(id, _)| id.as_str()).collect::<Vec<_>>()
    };
    let (completed, blocked) = (proposed("completed"), proposed("blocked"));
    let counts = current.counts();
    let correct = counts.questions_correct + u32::from(judged && right);
    let wants = completed.contains(&current.step_id.as_str());
    let enough = (wants && correct >= CORRECT_MIN) || correct >= CORRECT_ENOUGH;
    let done = judged && right && enough && current.status == Status::InProgress;
    if done {
        decision.changes.push(change(&current.step_id, Cause::Met, &evaluation.reasoning));
    } else if wants {
        let why = format!("a step is completed on a right answer, after {CORRECT_MIN} right ones");
        decision.refused.push(format!("the evaluator wanted the step completed: {why}"));
    }
    let no_slip = done && counts.attempts == counts.questions_correct;
    decision.skips(plan, &current.step_id, &completed, no_slip, evaluation);
    let wrong = before.wrong_in_a_row + 1;
    let failed = judged && !right && wrong >= WRONG_MAX;
    let asks = evaluation.replan_reason.as_deref().filter(|_| evaluation.replan_needed).map(str::trim);
    let reason = match (failed, asks) {
        (true, asks) => {
            let said = asks.map(|asks| format!(" {asks}")).unwrap_or_default();
            Some(format!("{WRONG_MAX} wrong answers in a row in \u{201c}{}\u{201d}.{said}", current.title))
        }
        (false, Some(asks)) => Some(asks.to_owned()),
        (false, None) => None,
    };
    if !blocked.is_empty() && reason.is_none() {
        let why = "a step is blocked by wrong answers in a row, or with a reason to plan it anew";
        decision.refused.push(format!("the evaluator wanted a step blocked: {why}"));
    }
    if let Some(reason) = &reason
        && !right
        && current.status == Status::InProgress
    {
        decision.changes.push(change(&current.step_id, Cause::Failed, reason));
    }
    decision.replan = reason;
    decision
}

impl Decision {
    /// One step is skipped ahead, the next one, by a learner who made no mistake in the step that is done now.
    fn skips(&mut self, plan: &Plan, current: &str, completed: &[&str], no_slip: bool, by: &Evaluation) {
        let next = plan.todo_list.iter().find(|step| step.status == Status::Pending && step.step_id != current);
        for id in completed.iter().filter(|id| **id != current) {
            let why = by.assessment_note.trim();
            if no_slip && !why.is_empty() && next.is_some_and(|next| next.step_id == **id) {
                self.changes.push(change(id, Cause::Skipped, why));
            } else {
                self.refused.push(format!(
                    "the evaluator wanted the step `{id}` completed: only the next one is skipped, by a learner who made no \
                     mistake in this one, with a note that says why"
                ));
            }
        }
    }
}

fn change(id: &str, cause: Cause, why: &str) -> Change {
    Change { step_id: id.to_owned(), cause, why: why.to_owned() }
}

/// Where the session goes on, once the plan is changed. A wish to change the plan of somebody who does well is no reason to
/// call a teacher: when no replan is left it is let go.
#[must_use]
pub fn route(plan: &Plan, replan: bool) -> Route {
    let left = plan.metadata.replan_count < plan.metadata.max_replans;
    match (replan, left, plan.blocked().is_some()) {
        _ if plan.completed() => Route::End,
        (true, true, _) => Route::Replan,
        (true, false, true) => Route::Intervention,
        (true, false, false) | (false, _, _) => Route::Continue,
    }
}
