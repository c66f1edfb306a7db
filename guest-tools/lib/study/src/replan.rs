//! Plans made from what the planner proposes: the first one, and one after a replan.
//!
//! A replan touches no completed step and not the one in progress. The planner names the open steps that it keeps by their ids;
//! those that it leaves out are skipped, with what it says about the change as the reason, so that nothing of a plan is lost.

use serde::Deserialize;

use crate::plan::{Cause, Metadata, Plan, REPLANS_MAX, STEPS_MAX, Status, Step};

/// Characters of a text of a step.
const TITLE_CHARS_MAX: usize = 120;
const TEXT_CHARS_MAX: usize = 600;
/// Minutes of a session at the most, and questions.
const MINUTES_MAX: u32 = 240;
const QUESTIONS_MAX: u32 = 200;
/// Proposed steps at the most.
const PROPOSED_MAX: usize = 12;

/// What the planner answers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Proposal {
    /// The steps that are still to be done, in order.
    pub todo_list: Vec<Proposed>,
    /// Why.
    #[serde(default)]
    pub reasoning: String,
    /// Questions that it expects.
    #[serde(default)]
    pub estimated_total_questions: u32,
    /// Minutes that it expects.
    #[serde(default)]
    pub estimated_duration_minutes: u32,
    /// What was changed, where a plan was there before.
    #[serde(default)]
    pub changes_made: Option<String>,
}

/// A step as the planner proposes it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Proposed {
    /// Id of an open step of the plan that is kept; none for a new one.
    #[serde(default)]
    pub step_id: Option<String>,
    /// As in [`Step`].
    pub title: String,
    /// As in [`Step`].
    #[serde(default)]
    pub description: String,
    /// As in [`Step`].
    #[serde(default)]
    pub teaching_approach: String,
    /// As in [`Step`].
    #[serde(default)]
    pub success_criteria: String,
}

impl Proposal {
    /// Says what is wrong with it.
    ///
    /// # Errors
    /// A sentence for whoever wrote it.
    pub fn check(&self) -> Result<(), String> {
        if self.todo_list.is_empty() || self.todo_list.len() > PROPOSED_MAX {
            return Err(format!("`todo_list` has 1 to {PROPOSED_MAX} steps"));
        }
        for step in &self.todo_list {
            let texts = [&step.description, &step.teaching_approach, &step.success_criteria];
            if step.title.trim().is_empty() || texts.iter().any(|text| text.trim().is_empty()) {
                return Err("each step has title, description, teaching_approach and success_criteria".to_owned());
            }
            if step.title.chars().count() > TITLE_CHARS_MAX
                || texts.iter().any(|text| text.chars().count() > TEXT_CHARS_MAX)
            {
                return Err(format!("a title has at most {TITLE_CHARS_MAX} characters, other texts {TEXT_CHARS_MAX}"));
            }
        }
        Ok(())
    }
}

fn new(proposed: &Proposed, id: String) -> Step {
    Step {
        step_id: id,
        title: proposed.title.trim().to_owned(),
        description: proposed.description.trim().to_owned(),
        teaching_approach: proposed.teaching_approach.trim().to_owned(),
        success_criteria: proposed.success_criteria.trim().to_owned(),
        ..Step::default()
    }
}

/// The first plan of a session.
pub fn first(proposal: &Proposal, at: &str, id: &mut dyn FnMut() -> String) -> Plan {
    Plan {
        todo_list: proposal.todo_list.iter().map(|step| new(step, id())).collect(),
        metadata: Metadata {
            plan_version: 1,
            estimated_total_questions: proposal.estimated_total_questions.min(QUESTIONS_MAX),
            estimated_duration_minutes: proposal.estimated_duration_minutes.min(MINUTES_MAX),
            replan_count: 0,
            max_replans: REPLANS_MAX,
            created_at: at.to_owned(),
            last_updated_at: at.to_owned(),
        },
    }
}

/// The plan after a replan: completed steps and the one in progress as they were, then what is proposed. Open steps that are
/// kept go on with their counts; those left out are skipped.
///
/// # Errors
/// A sentence for the planner where the plan grows too long.
pub fn again(plan: &Plan, proposal: &Proposal, at: &str, id: &mut dyn FnMut() -> String) -> Result<Plan, String> {
    let mut changed = plan.clone();
    let open: Vec<String> = ids(plan, &[Status::Pending, Status::Blocked]);
    let keeps = |id: &str| proposal.todo_list.iter().any(|step| step.step_id.as_deref() == Some(id));
    let why = proposal.changes_made.as_deref().map_or("", str::trim);
    let why = if why.is_empty() { "left out when the plan was changed" } else { why };
    for id in &open {
        let blocked = plan.step(id).is_some_and(|step| step.status == Status::Blocked);
        let cause = match (keeps(id), blocked) {
            (true, true) => Cause::Retried,
            (true, false) => continue,
            (false, _) => Cause::Skipped,
        };
        changed.change(id, cause, why, at).map_err(|refused| refused.to_string())?;
    }
    let mut todo: Vec<Step> = Vec::new();
    for proposed in &proposal.todo_list {
        let kept = proposed.step_id.as_deref().filter(|id| open.iter().any(|it| it == id));
        match kept.and_then(|id| changed.step(id)) {
            // Named twice it is kept once; what is settled stays where it is.
            None if proposed.step_id.as_deref().is_some_and(|id| plan.step(id).is_some()) => {}
            Some(step) if todo.iter().any(|it| it.step_id == step.step_id) => {}
            Some(step) => {
                let texts = new(proposed, step.step_id.clone());
                todo.push(Step { status: step.status, status_info: step.status_info.clone(), ..texts });
            }
            None => todo.push(new(proposed, id())),
        }
    }
    let settled = changed.todo_list.iter().filter(|step| !keeps(&step.step_id) || !open.contains(&step.step_id));
    changed.todo_list = settled.cloned().chain(todo).collect();
    if changed.todo_list.len() > STEPS_MAX {
        return Err(format!("a plan has at most {STEPS_MAX} steps, those that are done among them"));
    }
    if changed.current().is_none() {
        return Err("a plan needs a step that is still to be done".to_owned());
    }
    let metadata = &mut changed.metadata;
    metadata.plan_version += 1;
    metadata.replan_count += 1;
    metadata.estimated_total_questions = proposal.estimated_total_questions.min(QUESTIONS_MAX);
    metadata.estimated_duration_minutes = proposal.estimated_duration_minutes.min(MINUTES_MAX);
    at.clone_into(&mut metadata.last_updated_at);
    Ok(changed)
}

fn ids(plan: &Plan, of: &[Status]) -> Vec<String> {
    plan.todo_list.iter().filter(|step| of.contains(&step.status)).map(|step| step.step_id.clone()).collect()
}
