//! What agents are asked, and what is taken from their answers.
//!
//! An agent is asked with one JSON object. What a learner wrote stands in it as a text among others: data, never an instruction.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::plan::{Plan, Step};
use crate::replan::Proposal;
use crate::state::{State, Wanted};

/// Characters of a message, of feedback, of reasons.
const MESSAGE_CHARS_MAX: usize = 2_000;
const REASON_CHARS_MAX: usize = 2_000;

/// Names of the agents, as the manifest lists them.
pub const PLANNER: &str = "planner";
/// Writes the next message.
pub const EXECUTOR: &str = "executor";
/// Judges a reply.
pub const EVALUATOR: &str = "evaluator";
/// Summarises what was said.
pub const SUMMARISER: &str = "summariser";

/// What a message is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A question.
    #[default]
    Question,
    /// An explanation.
    Explanation,
    /// Encouragement.
    Encouragement,
    /// A hint on the question that is open.
    Hint,
}

/// What the executor answers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Written {
    /// What is shown.
    pub message: String,
    /// Why.
    #[serde(default)]
    pub reasoning: String,
    /// What it is.
    pub meta: Meta,
}

/// What a message is, and how hard.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Meta {
    /// What it is.
    pub message_type: Kind,
    /// `easy`, `medium`, `hard`.
    #[serde(default)]
    pub difficulty: String,
}

/// What the evaluator answers.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct Evaluation {
    /// 0 to 1; none where there was nothing to judge.
    #[serde(default)]
    pub score: Option<f64>,
    /// For the learner.
    #[serde(default)]
    pub feedback: String,
    /// Why, for the log.
    #[serde(default)]
    pub reasoning: String,
    /// What it proposes for steps: their ids, with `completed` or `blocked`.
    #[serde(default)]
    pub updated_step_statuses: BTreeMap<String, String>,
    /// What it noticed.
    #[serde(default)]
    pub assessment_note: String,
    /// Whether the reply was about something else.
    #[serde(default)]
    pub was_off_topic: bool,
    /// What leads back.
    #[serde(default)]
    pub off_topic_response: Option<String>,
    /// Whether the plan should be made anew.
    #[serde(default)]
    pub replan_needed: bool,
    /// Why.
    #[serde(default)]
    pub replan_reason: Option<String>,
}

#[derive(Deserialize)]
struct Summarised {
    summary: String,
}

fn object(properties: &Json, required: &[&str]) -> Json {
    json!({ "type": "object", "required": required, "properties": properties })
}

/// What the planner has to answer.
#[must_use]
pub fn plan_schema() -> Json {
    let text = json!({ "type": "string" });
    let step = object(
        &json!({
            "step_id": { "type": ["string", "null"] }, "title": text, "description": text,
            "teaching_approach": text, "success_criteria": text,
        }),
        &["title", "description", "teaching_approach", "success_criteria"],
    );
    object(
        &json!({
            "todo_list": { "type": "array", "items": step }, "reasoning": text,
            "estimated_total_questions": { "type": "integer" }, "estimated_duration_minutes": { "type": "integer" },
            "changes_made": { "type": ["string", "null"] },
        }),
        &["todo_list", "reasoning"],
    )
}

/// What the executor has to answer.
#[must_use]
pub fn write_schema() -> Json {
    let meta = object(
        &json!({
            "message_type": { "enum": ["question", "explanation", "encouragement", "hint"] },
            "difficulty": { "enum": ["easy", "medium", "hard"] },
        }),
        &["message_type", "difficulty"],
    );
    let text = json!({ "type": "string" });
    object(&json!({ "message": text, "reasoning": text, "meta": meta }), &["message", "reasoning", "meta"])
}

/// What the evaluator has to answer.
#[must_use]
pub fn evaluate_schema() -> Json {
    let (text, maybe) = (json!({ "type": "string" }), json!({ "type": ["string", "null"] }));
    object(
        &json!({
            "score": { "type": ["number", "null"] }, "feedback": text, "reasoning": text,
            "updated_step_statuses": { "type": "object", "additionalProperties": text },
            "assessment_note": text, "was_off_topic": { "type": "boolean" }, "off_topic_response": maybe,
            "replan_needed": { "type": "boolean" }, "replan_reason": maybe,
        }),
        &["score", "feedback", "reasoning", "assessment_note", "was_off_topic", "replan_needed"],
    )
}

/// What the summariser has to answer.
#[must_use]
pub fn summary_schema() -> Json {
    object(&json!({ "summary": { "type": "string" } }), &["summary"])
}

fn read<T: for<'a> Deserialize<'a>>(output: &str) -> Result<T, String> {
    serde_json::from_str(output).map_err(|error| error.to_string())
}

/// Reads a plan.
///
/// # Errors
/// A sentence that says what is wrong with it.
pub fn proposal(output: &str) -> Result<Proposal, String> {
    let proposal: Proposal = read(output)?;
    proposal.check().map(|()| proposal)
}

/// Reads a message.
///
/// # Errors
/// A sentence that says what is wrong with it.
pub fn written(output: &str) -> Result<Written, String> {
    let written: Written = read(output)?;
    fits("message", &written.message)?;
    Ok(written)
}

/// Reads a judgement.
///
/// # Errors
/// A sentence that says what is wrong with it.
pub fn evaluation(output: &str) -> Result<Evaluation, String> {
    let evaluation: Evaluation = read(output)?;
    if evaluation.was_off_topic {
        fits("off_topic_response", evaluation.off_topic_response.as_deref().unwrap_or_default())?;
        return Ok(evaluation);
    }
    fits("feedback", &evaluation.feedback)?;
    if evaluation.score.is_some_and(|score| !(0.0..=1.0).contains(&score)) {
        return Err("`score` is 0 to 1".to_owned());
    }
    if evaluation.replan_needed && evaluation.replan_reason.as_deref().is_none_or(|it| it.trim().is_empty()) {
        return Err("`replan_reason` says why the plan should change".to_owned());
    }
    Ok(evaluation)
}

/// Reads a summary.
///
/// # Errors
/// A sentence that says what is wrong with it.
pub fn summary(output: &str) -> Result<String, String> {
    let Summarised { summary } = read(output)?;
    fits("summary", &summary).map(|()| summary)
}

fn fits(name: &str, text: &str) -> Result<(), String> {
    let length = text.trim().chars().count();
    if length == 0 || length > MESSAGE_CHARS_MAX {
        return Err(format!("`{name}` has 1 to {MESSAGE_CHARS_MAX} characters"));
    }
    if text.matches('$').count() % 2 == 1 {
        return Err(format!("a `$` of a formula is missing in `{name}`"));
    }
    Ok(())
}

/// Reasons as the log keeps them.
#[must_use]
pub fn reason(text: &str) -> String {
    crate::state::clipped(text.trim(), REASON_CHARS_MAX)
}

/// The plan as agents see it.
fn plan(plan: &Plan) -> Json {
    json!(plan)
}

fn step(step: Option<&Step>) -> Json {
    step.map_or(Json::Null, |step| json!(step))
}

/// What the planner is asked.
#[must_use]
pub fn for_planner(state: &State, guidelines: &str, reason: Option<&str>) -> Json {
    let mut input = json!({
        "task": "plan", "guidelines": guidelines, "student_profile": state.begin.profile(),
        "topic_info": state.begin.topic_info(),
        "session_context": { "estimated_duration_minutes": state.begin.minutes },
        "is_replanning": reason.is_some(),
    });
    if let (Some(reason), Some(fields)) = (reason, input.as_object_mut()) {
        fields.insert("original_plan".to_owned(), plan(&state.plan));
        fields.insert("assessment_notes".to_owned(), json!(state.notes));
        fields.insert("replan_reason".to_owned(), json!(reason));
        fields.insert("conversation".to_owned(), json!(state.conversation.window()));
    }
    input
}

/// What the executor is asked.
#[must_use]
pub fn for_executor(state: &State, guidelines: &str, wanted: Wanted) -> Json {
    json!({
        "task": "write", "wanted": wanted, "topic_info": state.begin.topic_info(), "study_plan": plan(&state.plan),
        "current_step": step(state.plan.current()), "guidelines": guidelines,
        "student_profile": state.begin.profile(), "conversation": state.conversation.window(),
        "assessment_notes": state.notes, "open_question": state.open, "asked_before": state.asked,
        "last_reply": { "feedback": state.exchange.feedback, "score": state.exchange.score },
    })
}

/// What the evaluator is asked.
#[must_use]
pub fn for_evaluator(state: &State, guidelines: &str) -> Json {
    json!({
        "task": "evaluate", "student_response": state.exchange.reply, "topic_info": state.begin.topic_info(),
        "study_plan": plan(&state.plan), "current_step": step(state.plan.current()), "guidelines": guidelines,
        "assessment_notes": state.notes, "conversation": state.conversation.window(), "question_context": state.open,
        "wrong_in_a_row": state.wrong_in_a_row,
    })
}

/// What the summariser is asked.
#[must_use]
pub fn for_summariser(state: &State) -> Json {
    let (before, messages) = state.conversation.to_summarise();
    json!({
        "task": "summarise", "summary_before": before.map(|it| it.text.as_str()), "messages": messages,
        "assessment_notes": state.notes,
    })
}
