//! What is shown of a session, by role. It depends on nothing but the state.

use serde_json::{Value as Json, json};

use crate::plan::{Plan, Step};
use crate::state::{Stage, State};

/// What a program that spoke is answered: the documented answer of a start, or of a step. Neither holds what learners do not
/// see.
#[must_use]
pub fn reply(state: &State) -> Json {
    let exchange = &state.exchange;
    let steps = json!({
        "steps_completed": state.plan.steps_completed(), "steps_total": state.plan.todo_list.len(),
    });
    if state.conversation.last_of(crate::conversation::Role::Student).is_none() {
        return json!({
            "study_plan": for_learners(&state.plan), "first_message": exchange.next_message, "status": state.standing,
            "session_status": state.standing, "next_message": exchange.next_message, "current_progress": steps,
        });
    }
    json!({
        "feedback": exchange.feedback, "score": exchange.score, "next_message": exchange.next_message,
        "session_status": state.standing, "plan_updated": exchange.plan_updated,
        "replan_reason": exchange.replan_reason, "current_progress": steps,
    })
}

/// The whole for a teacher; for everybody else no notes, no logs, no approach and no criteria.
#[must_use]
pub fn view(state: &State, role: &str) -> Json {
    let counts = state.plan.todo_list.iter().map(Step::counts);
    let (asked, correct, attempts) = counts.fold((0, 0, 0), |(asked, correct, attempts), it| {
        (asked + it.questions_asked, correct + it.questions_correct, attempts + it.attempts)
    });
    let accuracy = (attempts > 0).then(|| f64::from(correct) / f64::from(attempts));
    let mut shown = json!({
        "status": state.standing,
        "topic": state.begin.topic, "level": state.begin.level, "offline": state.offline,
        "study_plan": for_learners(&state.plan),
        "progress": {
            "steps_completed": state.plan.steps_completed(), "steps_total": state.plan.todo_list.len(),
            "questions_asked": asked, "accuracy": accuracy,
        },
        "current_step": state.plan.current().map(|step| learners(step, &state.plan)),
        "open_question_text": state.open.as_ref().map(|open| &open.text),
    });
    if role == "teacher"
        && let Some(fields) = shown.as_object_mut()
    {
        let waits = (state.stage == Stage::Teacher).then_some(crate::words::FOR_TEACHER);
        let totals = &state.totals;
        let rate = |of: u32| (totals.replies > 0).then(|| f64::from(of) / f64::from(totals.replies));
        let own = [
            ("study_plan", json!(state.plan)),
            ("current_step", json!(state.plan.current())),
            ("assessment_notes", json!(state.notes)),
            ("agent_logs", json!(state.logs)),
            ("agent_logs_left_out", json!(state.logs_left_out)),
            ("alerts", json!(state.alerts)),
            ("conversation", json!(state.conversation.messages().collect::<Vec<_>>())),
            ("totals", json!(totals)),
            ("off_topic_rate", json!(rate(totals.off_topic))),
            ("replan_count", json!(state.plan.metadata.replan_count)),
            ("duration_ms", json!(state.at_ms.saturating_sub(state.began_ms))),
            ("what_you_can_write", json!(waits)),
        ];
        fields.extend(own.map(|(name, value)| (name.to_owned(), value)));
    }
    shown
}

fn for_learners(plan: &Plan) -> Json {
    let steps: Vec<Json> = plan.todo_list.iter().map(|step| learners(step, plan)).collect();
    json!({ "todo_list": steps, "metadata": plan.metadata })
}

/// A step without how it is taught and when it is done, and without what somebody wrote about the learner in it.
fn learners(step: &Step, plan: &Plan) -> Json {
    let counts = step.status_info.counts;
    let mut info = counts.map_or_else(|| json!({}), |counts| json!(counts));
    let times = [("started_at", &step.status_info.started_at), ("completed_at", &step.status_info.completed_at)];
    if let Some(fields) = info.as_object_mut() {
        let known = times.iter().filter_map(|(name, at)| at.as_ref().map(|at| ((*name).to_owned(), json!(at))));
        fields.extend(known);
    }
    json!({
        "step_id": step.step_id, "title": step.title, "description": step.description, "status": step.status,
        "status_info": info, "current": plan.current().is_some_and(|current| current.step_id == step.step_id),
    })
}
