//! A participant's session for a page: what it shows, and answers that come with a request.
//!
//! Nothing is held between two requests: each goes on with the session until something is asked that it brought no answer to.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ta_runtime::observer::Silent;
use ta_runtime::person::next_item;
use ta_runtime::surface::{Answer, Ask, BoxFuture, Decision, Outcome, Question, QuestionKind};
use ta_runtime::{Person, Reply, RuntimeError};

use crate::definition::Item;
use crate::sitting::{Progress, Sitting, begun};
use crate::steps::{Step, to_come};

/// The longest time that is taken for one answer: whoever needed longer was away.
const ELAPSED_MS_MAX: u64 = 4 * 60 * 60 * 1_000;

/// What a page sends.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sent {
    /// The access code.
    pub code: String,
    /// Whether the task that is shown is to begin.
    #[serde(default)]
    pub begin: bool,
    /// The hash of the question that is answered, where a run asked it.
    #[serde(default)]
    pub hash: Option<String>,
    /// Its answer: the option or the text; for a question with items an object of `{choice, text}` by item.
    #[serde(default)]
    pub answer: Value,
    /// Answers to what the study itself asks, by question: `consent`, `work`, `questionnaire:item`. Null is left out.
    #[serde(default)]
    pub answers: BTreeMap<String, Value>,
    /// How long the person was at it, in milliseconds, as the page counted it while it was looked at.
    #[serde(default)]
    pub elapsed_ms: u64,
}

/// What a page shows. No condition is named in it.
#[derive(Debug, Clone, Serialize)]
pub struct Shown {
    /// How far the participant has come.
    #[serde(flatten)]
    pub progress: Progress,
    /// The title of the study.
    pub title: String,
    /// What is to be done now.
    pub page: Page,
}

/// What is to be done.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Page {
    /// To agree to taking part, or not.
    Consent {
        /// The text, as markdown.
        text: String,
    },
    /// To answer a questionnaire.
    Questionnaire {
        /// What stands above it.
        title: String,
        /// The items.
        items: Vec<ShownItem>,
    },
    /// To read a task, and begin.
    Task {
        /// What stands above it.
        title: String,
        /// What is to be done, as markdown.
        text: String,
        /// Minutes that there are for it.
        minutes: Option<u32>,
    },
    /// To do a task alone.
    Work {
        /// What stands above it.
        title: String,
        /// What is to be done, as markdown.
        text: String,
    },
    /// To answer what a run asks.
    Question {
        /// What its answer is bound to.
        hash: String,
        /// The question.
        question: Question,
    },
    /// Nothing: a run could not go on; later it may.
    Later,
    /// Nothing: everything is done.
    Finished,
    /// Nothing: they do not take part.
    Declined,
}

/// An item of a questionnaire.
#[derive(Debug, Clone, Serialize)]
pub struct ShownItem {
    /// What its answer is sent under.
    pub id: String,
    /// What is asked.
    pub text: String,
    /// The scale, lowest first: the point and what it means; none where words are wanted.
    pub scale: Option<(i64, i64, String, String)>,
}

/// Goes on with a session by what a page sent, and says what it is to show.
///
/// # Errors
/// As [`Sitting::go_on`].
pub async fn go_on(sitting: &Sitting<'_>, sent: Sent) -> Result<Shown, RuntimeError> {
    let begins = usize::from(sent.begin);
    let elapsed_ms = AtomicU64::new(sent.elapsed_ms.min(ELAPSED_MS_MAX));
    let person = OfPage { sent, elapsed_ms, open: Mutex::new(None) };
    let progress = sitting.go_on(&person, &Silent, begins).await?;
    let open = person.open.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let page = match (progress.state, open) {
        ("finished", _) => Page::Finished,
        ("declined", _) => Page::Declined,
        (_, Some(ask)) if ask.by != "study" => Page::Question { hash: ask.hash, question: ask.question },
        _ => page(sitting).await?,
    };
    Ok(Shown { title: sitting.study.title.clone(), progress, page })
}

/// What comes next, as nothing of a run is open.
async fn page(sitting: &Sitting<'_>) -> Result<Page, RuntimeError> {
    let (records, sequence) = sitting.so_far().await?;
    let study = &sitting.study;
    let (left, _) = to_come(study, &sequence, &records);
    Ok(match left.first() {
        None => Page::Later,
        Some(Step::Consent) => Page::Consent { text: study.consent.clone() },
        Some(Step::Ask { questionnaire, .. }) => {
            let known = study.questionnaires.get(*questionnaire);
            let item = |it: &Item| ShownItem {
                id: format!("{questionnaire}:{}", it.id),
                text: it.text.clone(),
                scale: it.scale.clone().map(|scale| (scale.from, scale.to, scale.low, scale.high)),
            };
            Page::Questionnaire {
                title: known.map(|it| it.title.clone()).unwrap_or_default(),
                items: known.map(|it| it.items.iter().map(item).collect()).unwrap_or_default(),
            }
        }
        Some(Step::Do { task, condition, .. }) => match begun(&records, task, condition) {
            None => Page::Task { title: task.title.clone(), text: task.text.clone(), minutes: task.minutes },
            Some(None) => Page::Work { title: task.title.clone(), text: task.text.clone() },
            Some(Some(_)) => Page::Later,
        },
    })
}

/// Whoever sits at the page: answers what the request brought answers to, and notes what else is asked.
struct OfPage {
    sent: Sent,
    /// The time that is not yet counted: the answers of one request were thought about together.
    elapsed_ms: AtomicU64,
    open: Mutex<Option<Ask>>,
}

impl OfPage {
    fn reply(&self, ask: &Ask) -> Option<Reply> {
        let own = ask.by == "study";
        let value = match own {
            true => self.sent.answers.get(&ask.question.id)?,
            // What was meant for another question is no answer to this one.
            false => Some(&self.sent.answer).filter(|_| self.sent.hash.as_ref() == Some(&ask.hash))?,
        };
        if value.is_null() {
            return own.then_some(Reply::Outcome(Outcome::Dismissed));
        }
        match &ask.question.kind {
            QuestionKind::Choice { choices } => {
                let id = value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned);
                let known = choices.iter().any(|choice| choice.id == id);
                known.then_some(Reply::Outcome(Outcome::Answered(Answer::Choice(id))))
            }
            QuestionKind::Text { .. } => {
                Some(Reply::Outcome(Outcome::Answered(Answer::Text(value.as_str()?.to_owned()))))
            }
            QuestionKind::Items { options, .. } => {
                let item = next_item(ask)?;
                let own = value.get(&item.id)?;
                let text = |name: &str| own.get(name).and_then(Value::as_str).map(ToOwned::to_owned);
                let choice = text("choice").filter(|id| options.iter().any(|option| option.id == *id))?;
                Some(Reply::Decided(Decision { item: item.id.clone(), choice, text: text("text") }))
            }
        }
    }
}

impl Person for OfPage {
    fn ask<'a>(&'a self, ask: &'a Ask) -> BoxFuture<'a, Reply> {
        let reply = self.reply(ask).unwrap_or_else(|| {
            if let Ok(mut open) = self.open.lock() {
                *open = Some(ask.clone());
            }
            Reply::Later
        });
        Box::pin(std::future::ready(reply))
    }

    fn name(&self) -> &'static str {
        "person"
    }

    fn took_ms(&self, _: &Ask) -> Option<u64> {
        Some(self.elapsed_ms.swap(0, Ordering::Relaxed))
    }
}
