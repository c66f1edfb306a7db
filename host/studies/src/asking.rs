//! What the study itself asks a participant, in the form of every question.

use serde_json::Value;
use ta_runtime::host::now_ms;
use ta_runtime::surface::{Answer, Ask, Choice, Outcome, Question, QuestionKind};
use ta_runtime::{Person, Reply, RuntimeError};

use crate::definition::{Item, Questionnaire};

/// Puts a question; none where it is not answered now.
pub(crate) async fn answer(person: &dyn Person, question: Question, time: u32) -> Option<(Outcome, u64)> {
    let hash = question.hash();
    let ask = Ask {
        request: format!("study:{}", question.id),
        by: "study".to_owned(),
        question,
        hash,
        decided: Vec::new(),
        time,
    };
    let began_ms = now_ms();
    match person.ask(&ask).await {
        Reply::Outcome(outcome) => {
            let took_ms = person.took_ms(&ask).unwrap_or_else(|| now_ms().saturating_sub(began_ms));
            Some((outcome, took_ms))
        }
        Reply::Decided(_) | Reply::Later => None,
    }
}

/// An item as a question: in files of answers `questionnaire:item`.
pub(crate) fn asked(questionnaire: &Questionnaire, item: &Item) -> Question {
    let kind = match &item.scale {
        None => QuestionKind::Text { suggestion: None },
        Some(scale) => {
            let label = |point: i64| match point {
                _ if point == scale.from && !scale.low.is_empty() => format!("{point}: {}", scale.low),
                _ if point == scale.to && !scale.high.is_empty() => format!("{point}: {}", scale.high),
                _ => point.to_string(),
            };
            let choice = |point: i64| Choice { id: point.to_string(), label: label(point), detail: None };
            QuestionKind::Choice { choices: (scale.from..=scale.to).map(choice).collect() }
        }
    };
    Question {
        id: format!("{}:{}", questionnaire.name, item.id),
        title: questionnaire.title.clone(),
        detail: item.text.clone(),
        kind,
    }
}

/// The answer to an item as it is kept; what was left out is null.
pub(crate) fn value(item: &Item, outcome: &Outcome) -> Result<Value, RuntimeError> {
    match (outcome, &item.scale) {
        (Outcome::Answered(Answer::Text(text)), None) => Ok(Value::String(text.clone())),
        (Outcome::Answered(Answer::Choice(point)), Some(scale)) => {
            let point = point.parse::<i64>().ok().filter(|point| (scale.from..=scale.to).contains(point));
            point.map(Value::from).ok_or_else(|| {
                let message = format!("the answer to `{}` lies outside {} to {}", item.id, scale.from, scale.to);
                RuntimeError::usage("study.answer", message, "answer with a point of the scale")
            })
        }
        _ => Ok(Value::Null),
    }
}
