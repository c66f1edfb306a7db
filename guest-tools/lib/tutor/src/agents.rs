//! What agents are asked, and what is taken from their answers. They write; what comes next is decided elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::{Value as Json, json};

use crate::mastery::Level;
use crate::matrix::{Action, Understanding};
use crate::message::{Emotion, Kind, Shown};
use crate::speech::spoken;
use crate::state::{Judged, Open, Progress, State};
use crate::topic::{Section, Topic};
use crate::visual::Visual;

/// Characters that an agent may show and say.
const DISPLAY_CHARS_MAX: usize = 3_000;
const SPEECH_CHARS_MAX: usize = 1_000;

/// What the evaluator reports. The flow decides; where the two differ, the log says so.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Evaluation {
    /// Whether it takes the answer for right.
    pub answer_correct: bool,
    /// How well the learner understands.
    pub understanding: Understanding,
    /// What they seem to miss.
    #[serde(default)]
    pub concept_gaps: Vec<String>,
    /// Signs of the rubric that it saw.
    #[serde(default)]
    pub met: BTreeSet<String>,
    /// Whether it takes the section for mastered.
    pub section_mastered: bool,
    /// Whether it would go on to the next section.
    pub advance_to_next_section: bool,
    /// What it would do.
    pub action: Action,
    /// Which hint it would give.
    #[serde(default)]
    pub hint_level: Option<u32>,
    /// Why, for the agents that write.
    pub reasoning: String,
}

#[derive(Debug, Deserialize)]
struct Written {
    speech: Speech,
    #[serde(default)]
    display: Option<Display>,
    #[serde(default, rename = "mathTool")]
    math_tool: Option<MathTool>,
}

#[derive(Debug, Deserialize)]
struct Speech {
    text: String,
    #[serde(default)]
    emotion: Emotion,
}

#[derive(Debug, Deserialize)]
struct Display {
    #[serde(default)]
    content: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct MathTool {
    tool_name: String,
    #[serde(default)]
    parameters: BTreeMap<String, Json>,
    #[serde(default)]
    caption: String,
    #[serde(default)]
    alternative: String,
}

/// What the evaluator has to answer.
#[must_use]
pub fn evaluation_schema() -> Json {
    json!({
        "type": "object",
        "required": ["answerCorrect", "understanding", "conceptGaps", "met", "sectionMastered", "advanceToNextSection", "action", "reasoning"],
        "properties": {
            "answerCorrect": { "type": "boolean" },
            "understanding": { "enum": ["strong", "developing", "struggling"] },
            "conceptGaps": { "type": "array", "items": { "type": "string" } },
            "met": { "type": "array", "items": { "type": "string" } },
            "sectionMastered": { "type": "boolean" },
            "advanceToNextSection": { "type": "boolean" },
            "action": { "enum": ["GIVE_HINT", "GIVE_SOLUTION", "NEW_PROBLEM", "CELEBRATE"] },
            "hintLevel": { "type": "integer" },
            "reasoning": { "type": "string" }
        }
    })
}

/// What an agent that writes has to answer.
#[must_use]
pub fn written_schema() -> Json {
    json!({
        "type": "object", "required": ["speech", "display"],
        "properties": {
            "speech": {
                "type": "object", "required": ["text", "emotion"],
                "properties": {
                    "text": { "type": "string" },
                    "emotion": { "enum": ["encouraging", "celebratory", "supportive", "neutral"] }
                }
            },
            "display": {
                "type": "object", "required": ["content"],
                "properties": { "content": { "type": ["string", "null"] } }
            },
            "mathTool": { "type": "object" }
        }
    })
}

/// Reads what the evaluator answered.
///
/// # Errors
/// A sentence that says what is wrong with it.
pub fn evaluation(output: &str) -> Result<Evaluation, String> {
    serde_json::from_str(output).map_err(|error| error.to_string())
}

/// Reads what an agent wrote, as the message that it stands for. A drawing that cannot be drawn is left out.
///
/// # Errors
/// A sentence that says what is wrong with it.
pub fn written(output: &str, instead_of: &Shown) -> Result<Shown, String> {
    let written: Written = serde_json::from_str(output).map_err(|error| error.to_string())?;
    let display = written.display.and_then(|it| it.content).unwrap_or_else(|| written.speech.text.clone());
    let speech = spoken(&written.speech.text);
    if display.trim().is_empty() || speech.is_empty() {
        return Err("nothing is said or shown".to_owned());
    }
    if display.chars().count() > DISPLAY_CHARS_MAX || speech.chars().count() > SPEECH_CHARS_MAX {
        return Err("it is too long".to_owned());
    }
    if display.matches('$').count() % 2 == 1 {
        return Err("a `$` of a formula is missing".to_owned());
    }
    let visual = written
        .math_tool
        .and_then(|it| Visual::read(&it.tool_name, &it.parameters, it.caption, it.alternative).ok())
        .or_else(|| instead_of.visual.clone());
    Ok(Shown { kind: instead_of.kind, speech, emotion: written.speech.emotion, display, visual })
}

/// What the evaluator is asked: it sees the current section only.
#[must_use]
pub fn for_evaluator(state: &State, section: &Section, open: &Open, judged: &Judged) -> String {
    let progress = state.section().cloned().unwrap_or_default();
    let signs = |of: &BTreeMap<String, String>| {
        of.iter().map(|(id, sign)| format!("{id} ({sign})")).collect::<Vec<_>>().join("; ")
    };
    let rubric = &section.rubric;
    format!(
        "Section {} of {}: {} ({:?})\nObjectives: {}\nFormulas: {}\nSigns of mastery: {}\nSigns of struggling: {}\n\
         So far here: {} problems, {} right, {} hints. This problem: wrong answer {}, {} hints given.\n\
         Problem: {}\nExpected: {}\nThe checker says: {} {}\n{}<learner>{}</learner>",
        state.current + 1,
        state.sections.len(),
        section.title,
        section.difficulty,
        section.objectives.join("; "),
        section.formulas.join("; "),
        signs(&rubric.mastery.signs),
        signs(&rubric.struggling.signs),
        progress.attempted,
        progress.correct,
        progress.hints,
        open.attempts,
        open.hints,
        open.problem.question,
        open.problem.answer,
        if judged.right { "right." } else { "wrong." },
        judged.why,
        recent(state),
        inert(&judged.given),
    )
}

/// What an agent that writes is asked.
#[must_use]
pub fn for_writer(state: &State, topic: &Topic) -> String {
    let Some(narration) = &state.narration else { return String::new() };
    let first = narration.messages.first();
    let own = first.map(|it| it.display.as_str()).unwrap_or_default();
    match narration.agent.as_str() {
        "question" => {
            let all: Vec<String> =
                topic.sections.iter().map(|it| format!("{}: {}", it.title, it.objectives.join("; "))).collect();
            let problem = narration.messages.get(1).map(|it| it.display.as_str()).unwrap_or_default();
            let next = topic.sections.get(state.current + 1).map_or("none", |it| it.title.as_str());
            format!(
                "The whole topic:\n{}\nSection now: {}. Next: {next}.\nWhy this comes: {}\nWhat I would say: {own}\n\
                 The problem that follows, shown as it stands: {problem}\n{}<learner>{}</learner>",
                all.join("\n"),
                state.section().map(|it| it.title.as_str()).unwrap_or_default(),
                narration.reasoning,
                recent(state),
                inert(&narration.given),
            )
        }
        "solution" => format!(
            "Worked solution to put into your own words, with every number as it stands:\n{own}\nWhat went wrong: {}\n\
             <learner>{}</learner>",
            narration.reasoning,
            inert(&narration.given),
        ),
        _ => {
            let question = state.open.as_ref().map(|it| it.problem.question.as_str()).unwrap_or_default();
            format!(
                "Problem: {question}\nHint level: {}\nWhat I would say: {own}\nWhy: {}\n{}<learner>{}</learner>",
                narration.level,
                narration.reasoning,
                recent(state),
                inert(&narration.given),
            )
        }
    }
}

/// Where the evaluator wanted something else than what was decided.
#[must_use]
pub fn differs(it: &Evaluation, right: bool, action: Action, level: Level) -> Option<String> {
    let mut differs = Vec::new();
    if it.answer_correct != right {
        let word = |right| if right { "right" } else { "wrong" };
        differs.push(format!(
            "the evaluator took the answer for {}, the checker for {}",
            word(it.answer_correct),
            word(right)
        ));
    }
    if it.action != action {
        differs.push(format!("the evaluator wanted {:?}, the matrix says {action:?}", it.action));
    }
    if it.section_mastered != (level == Level::Mastered) {
        differs.push(format!("the evaluator said mastered: {}, the rubric says {level:?}", it.section_mastered));
    }
    (!differs.is_empty()).then(|| differs.join("; "))
}

/// The messages of this section that went before.
fn recent(state: &State) -> String {
    let line = |line: &crate::state::Line| {
        format!("{}: {}\n", if line.learner { "learner" } else { "tutor" }, inert(&line.text))
    };
    state.history.iter().map(line).collect()
}

/// A learner's words, which are data: nothing in them ends the element that they stand in.
fn inert(text: &str) -> String {
    text.replace('<', "‹").replace('>', "›").replace('\n', " ")
}

/// A section as nobody is asked about it: what a learner's page shows.
#[must_use]
pub fn brief(progress: &Progress) -> Json {
    json!({
        "id": progress.id, "title": progress.title, "difficulty": progress.difficulty,
        "enteredAt": progress.entered_at, "masteredAt": progress.mastered_at,
        "questionsAttempted": progress.attempted, "questionsCorrect": progress.correct, "hintsUsed": progress.hints,
    })
}

/// A message in the words of the documented output.
#[must_use]
pub fn documented(shown: &Shown) -> Json {
    let kind = match shown.kind {
        Kind::Question => "question",
        Kind::Hint => "hint",
        Kind::Solution => "solution",
        Kind::Feedback => "feedback",
        Kind::Celebration => "celebration",
    };
    json!({
        "speech": { "text": shown.speech, "emotion": shown.emotion },
        "display": { "content": shown.display, "showAfterSpeech": true, "type": kind },
        "mathTool": shown.visual,
    })
}
