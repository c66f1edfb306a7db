//! Questions and answers.

use ta_core::question::{Answer, Choice, Decision, Item, OptionKind, Outcome, Question, QuestionKind};

use super::{ask, types};

impl From<ask::Question> for Question {
    fn from(it: ask::Question) -> Self {
        let kind = match it.kind {
            ask::Kind::Choice(choices) => QuestionKind::Choice {
                choices: choices
                    .into_iter()
                    .map(|it| Choice { id: it.id, label: it.label, detail: it.detail })
                    .collect(),
            },
            ask::Kind::Text(suggestion) => QuestionKind::Text { suggestion },
            ask::Kind::Items(items) => QuestionKind::Items {
                items: items
                    .items
                    .into_iter()
                    .map(|it| Item { id: it.id, label: it.label, detail: it.detail })
                    .collect(),
                options: (items.options.into_iter())
                    .map(|it| OptionKind { id: it.id, label: it.label, text_prompt: it.text_prompt })
                    .collect(),
            },
        };
        Self { id: it.id, title: it.title, detail: it.detail, kind }
    }
}

impl From<Decision> for types::Decision {
    fn from(it: Decision) -> Self {
        Self { item: it.item, choice: it.choice, text: it.text }
    }
}

impl From<Outcome> for ask::Outcome {
    fn from(it: Outcome) -> Self {
        match it {
            Outcome::Answered(Answer::Choice(id)) => Self::Answered(ask::Answer::Choice(id)),
            Outcome::Answered(Answer::Text(text)) => Self::Answered(ask::Answer::Text(text)),
            Outcome::Answered(Answer::Items(decisions)) => {
                Self::Answered(ask::Answer::Items(decisions.into_iter().map(Into::into).collect()))
            }
            Outcome::Declined => Self::Declined,
            Outcome::Dismissed => Self::Dismissed,
            Outcome::TimedOut => Self::TimedOut,
        }
    }
}
