//! Questions: an answer from the journal, or the end of this call.

use std::collections::HashSet;

use ta_core::question::{Outcome, Question, QuestionKind};
use ta_core::request::Request;
use wasmtime::Result;

use crate::bindings::teacher_assist::plugin::ask;
use crate::failure::Stop;
use crate::limits::QUESTION_PARTS_MAX;
use crate::state::State;

impl ask::Host for State {
    fn put(&mut self, question: ask::Question) -> Result<ask::Outcome> {
        self.enter()?;
        if !self.invocation.limits.asks {
            return Err(Stop::limit("hook.questions", "a component of its kind may not ask the person"));
        }
        self.may_request()?;
        let question = Question::from(question);
        if let Err(reason) = sound(&question) {
            return Err(Stop::limit("hook.malformed", reason));
        }
        let outcome: Outcome = self.request(Request::Ask { question })?;
        Ok(outcome.into())
    }
}

/// A question that can be shown and answered: ids that are there and differ, parts within the limit.
fn sound(question: &Question) -> std::result::Result<(), String> {
    let ids: Vec<&str> = match &question.kind {
        QuestionKind::Choice { choices } => choices.iter().map(|choice| choice.id.as_str()).collect(),
        QuestionKind::Text { .. } => {
            return if question.id.is_empty() { Err("a question without an id".into()) } else { Ok(()) };
        }
        QuestionKind::Items { items, options } => {
            distinct("option", &options.iter().map(|option| option.id.as_str()).collect::<Vec<_>>())?;
            items.iter().map(|item| item.id.as_str()).collect()
        }
    };
    distinct("item", &ids)
}

fn distinct(what: &str, ids: &[&str]) -> std::result::Result<(), String> {
    let set: HashSet<_> = ids.iter().collect();
    if ids.is_empty() || ids.len() > QUESTION_PARTS_MAX {
        return Err(format!("a question with {} {what}s; 1 to {QUESTION_PARTS_MAX} can be asked", ids.len()));
    }
    if set.len() != ids.len() || set.contains(&"") {
        return Err(format!("a question whose {what}s have empty or equal ids"));
    }
    Ok(())
}
