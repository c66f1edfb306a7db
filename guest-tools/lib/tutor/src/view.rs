//! What a page shows of a session, by role. It depends on nothing but the state.

use serde_json::{Value as Json, json};

use crate::agents::{brief, documented};
use crate::state::{Progress, State};

/// The whole for a teacher; for everybody else what the learner may see: no answers, no reasoning, no alerts.
#[must_use]
pub fn view(state: &State, role: &str) -> Json {
    let mut shown = json!({
        "topic": state.title,
        "status": state.status,
        "currentSection": state.section().map(|it| it.id.clone()),
        "masteredSections": mastered(state),
        "sectionHistory": state.sections.iter().map(brief).collect::<Vec<Json>>(),
        "progress": { "mastered": state.mastered(), "sections": state.sections.len() },
        "problem": state.open.as_ref().map(|open| json!({
            "number": open.number, "question": open.problem.question, "attempts": open.attempts, "hintsGiven": open.hints,
            "hintsLeft": 3_u32.saturating_sub(open.hints), "expects": open.problem.expects, "mathTool": open.problem.visual,
        })),
        "messages": state.shown.iter().map(documented).collect::<Vec<Json>>(),
    });
    if role == "teacher"
        && let Some(fields) = shown.as_object_mut()
    {
        fields.insert("answer".to_owned(), json!(state.open.as_ref().map(|open| &open.problem.answer)));
        fields.insert("understanding".to_owned(), json!(state.understanding));
        fields.insert("levels".to_owned(), state.sections.iter().map(levels).collect());
        fields.insert("counts".to_owned(), json!(state.counts));
        fields.insert("alerts".to_owned(), json!(state.alerts));
        fields.insert("exchanges".to_owned(), json!(state.log));
    }
    shown
}

fn mastered(state: &State) -> Vec<&str> {
    state.sections.iter().filter(|it| it.mastered_at.is_some()).map(|it| it.id.as_str()).collect()
}

fn levels(section: &Progress) -> Json {
    json!({ "section": section.id, "level": section.level, "solutions": section.solutions, "signs": section.signs })
}
