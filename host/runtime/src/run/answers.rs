//! Questions: put to the person, each answer appended as it falls.

use std::time::Instant;

use sha2::{Digest, Sha256};
use ta_core::event::{Event, ItemDecided, RequestAnswer, RequestAnswered};
use ta_core::machine::Ask;
use ta_core::question::{Answer, Decision, Outcome, Question, QuestionKind};
use ta_core::step;

use super::drive::{Driver, Ended, Step};
use crate::error::RuntimeError;
use crate::person::{Reply, next_item};

impl Driver<'_> {
    pub(super) async fn ask(&mut self, ask: &Ask) -> Result<Step, RuntimeError> {
        if let (QuestionKind::Items { .. }, None) = (&ask.question.kind, next_item(ask)) {
            let outcome = Outcome::Answered(Answer::Items(ask.decided.clone()));
            return self.answered(ask, outcome, 0).await;
        }
        let started = Instant::now();
        let reply = self.person.ask(ask).await;
        let waited_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let elapsed_ms = self.person.took_ms(ask).unwrap_or(waited_ms);
        match reply {
            Reply::Later => Ok(Step::Park(Ended::Parked, "question")),
            Reply::Decided(decision) => {
                check_decision(&ask.question, &decision)?;
                let decided = ItemDecided { hash: ask.hash.clone(), decision, elapsed_ms };
                self.on(Event::ItemDecided(decided)).await
            }
            // Going on without deciding leaves open what is open; it takes back nothing that was decided.
            Reply::Outcome(Outcome::Dismissed) if !ask.decided.is_empty() => {
                self.answered(ask, Outcome::Answered(Answer::Items(ask.decided.clone())), elapsed_ms).await
            }
            Reply::Outcome(outcome) => {
                check_outcome(&ask.question, &outcome)?;
                self.answered(ask, outcome, elapsed_ms).await
            }
        }
    }

    async fn answered(&mut self, ask: &Ask, outcome: Outcome, elapsed_ms: u64) -> Result<Step, RuntimeError> {
        let told = serde_json::to_vec(&outcome).unwrap_or_default();
        let answer = RequestAnswer::Ask { outcome, answered_by: self.person.name().to_owned(), elapsed_ms };
        let (id, by, hash) = (ask.request.clone(), ask.by.clone(), ask.hash.clone());
        let answered = RequestAnswered { id, by, hash, sha256: hex::encode(Sha256::digest(&told)), answer };
        self.on(step::Step::from(Event::RequestAnswered(Box::new(answered))).with_blobs([told])).await
    }
}

/// Whether a decision is one that the question allows, whoever takes it. The run stays parked otherwise.
///
/// # Errors
/// `answer.invalid`, with what the question allows.
pub fn check_decision(question: &Question, decision: &Decision) -> Result<(), RuntimeError> {
    let QuestionKind::Items { items, options } = &question.kind else {
        return Err(unfit(question, "a decision on an item, but the question has none"));
    };
    if !items.iter().any(|item| item.id == decision.item) {
        return Err(unfit(question, &format!("a decision on `{}`, which is no item of it", decision.item)));
    }
    if !options.iter().any(|option| option.id == decision.choice) {
        let known: Vec<&str> = options.iter().map(|option| option.id.as_str()).collect();
        return Err(unfit(question, &format!("`{}`; the decisions are: {}", decision.choice, known.join(", "))));
    }
    Ok(())
}

/// Whether an outcome is one that the question allows.
///
/// # Errors
/// `answer.invalid`, with what the question allows.
pub fn check_outcome(question: &Question, outcome: &Outcome) -> Result<(), RuntimeError> {
    let Outcome::Answered(answer) = outcome else { return Ok(()) };
    match (&question.kind, answer) {
        (QuestionKind::Choice { choices }, Answer::Choice(id)) if choices.iter().any(|choice| choice.id == *id) => {
            Ok(())
        }
        (QuestionKind::Choice { choices }, Answer::Choice(id)) => {
            let known: Vec<&str> = choices.iter().map(|choice| choice.id.as_str()).collect();
            Err(unfit(question, &format!("`{id}`; the choices are: {}", known.join(", "))))
        }
        (QuestionKind::Text { .. }, Answer::Text(_)) => Ok(()),
        (QuestionKind::Items { .. }, Answer::Items(decisions)) => {
            decisions.iter().try_for_each(|decision| check_decision(question, decision))
        }
        _ => Err(unfit(question, "another kind of answer than it wants")),
    }
}

fn unfit(question: &Question, what: &str) -> RuntimeError {
    let message = format!("the answer to the question `{}` does not fit: {what}", question.id);
    RuntimeError::usage("answer.invalid", message, "the run waits; mend the answer and go on with --resume")
}
