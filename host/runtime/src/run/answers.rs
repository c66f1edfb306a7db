//! Questions: put to the person, each answer appended as it falls.

use std::time::Instant;

use ta_core::event::{Event, ItemDecided, QuestionAnswered};
use ta_core::machine::Ask;
use ta_core::question::{Answer, Decision, Outcome, QuestionKind};

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
        let elapsed_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        match reply {
            Reply::Later => Ok(Step::Park(Ended::Parked, "question")),
            Reply::Decided(decision) => {
                check_decision(ask, &decision)?;
                let decided = ItemDecided { hash: ask.hash.clone(), decision, elapsed_ms };
                self.append(vec![Event::ItemDecided(decided)], Vec::new()).await?;
                Ok(Step::On)
            }
            // Going on without deciding leaves open what is open; it takes back nothing that was decided.
            Reply::Outcome(Outcome::Dismissed) if !ask.decided.is_empty() => {
                self.answered(ask, Outcome::Answered(Answer::Items(ask.decided.clone())), elapsed_ms).await
            }
            Reply::Outcome(outcome) => {
                check_outcome(ask, &outcome)?;
                self.answered(ask, outcome, elapsed_ms).await
            }
        }
    }

    async fn answered(&mut self, ask: &Ask, outcome: Outcome, elapsed_ms: u64) -> Result<Step, RuntimeError> {
        let by = self.person.name().to_owned();
        let answered = QuestionAnswered { hash: ask.hash.clone(), outcome, by, elapsed_ms };
        self.append(vec![Event::QuestionAnswered(answered)], Vec::new()).await?;
        Ok(Step::On)
    }
}

/// An answer must be one that the question allows, whoever gives it. The run stays parked otherwise.
fn check_decision(ask: &Ask, decision: &Decision) -> Result<(), RuntimeError> {
    let QuestionKind::Items { items, options } = &ask.question.kind else {
        return Err(unfit(ask, "a decision on an item, but the question has none"));
    };
    if !items.iter().any(|item| item.id == decision.item) {
        return Err(unfit(ask, &format!("a decision on `{}`, which is no item of it", decision.item)));
    }
    if !options.iter().any(|option| option.id == decision.choice) {
        let known: Vec<&str> = options.iter().map(|option| option.id.as_str()).collect();
        return Err(unfit(ask, &format!("`{}`; the decisions are: {}", decision.choice, known.join(", "))));
    }
    Ok(())
}

fn check_outcome(ask: &Ask, outcome: &Outcome) -> Result<(), RuntimeError> {
    let Outcome::Answered(answer) = outcome else { return Ok(()) };
    match (&ask.question.kind, answer) {
        (QuestionKind::Choice { choices }, Answer::Choice(id)) if choices.iter().any(|choice| choice.id == *id) => {
            Ok(())
        }
        (QuestionKind::Choice { choices }, Answer::Choice(id)) => {
            let known: Vec<&str> = choices.iter().map(|choice| choice.id.as_str()).collect();
            Err(unfit(ask, &format!("`{id}`; the choices are: {}", known.join(", "))))
        }
        (QuestionKind::Text { .. }, Answer::Text(_)) => Ok(()),
        (QuestionKind::Items { .. }, Answer::Items(decisions)) => {
            decisions.iter().try_for_each(|decision| check_decision(ask, decision))
        }
        _ => Err(unfit(ask, "another kind of answer than it wants")),
    }
}

fn unfit(ask: &Ask, what: &str) -> RuntimeError {
    let message = format!("the answer to the question `{}` does not fit: {what}", ask.question.id);
    RuntimeError::usage("answer.invalid", message, "the run waits; mend the answer and go on with --resume")
}
