//! `journal`: the run's own drafts and questions so far.

use ta_core::machine::Asked;
use ta_core::question::{Answer, Outcome};
use wasmtime::Result;

use crate::bindings::teacher_assist::plugin::journal;
use crate::state::State;

impl journal::Host for State {
    fn drafts(&mut self) -> Result<Vec<journal::Draft>> {
        self.enter()?;
        let drafts = self.invocation.journal.iter().flat_map(|journal| &journal.drafts);
        Ok(drafts.map(|it| journal::Draft { rework_round: it.rework_round, text: it.text.clone() }).collect())
    }

    fn questions(&mut self) -> Result<Vec<journal::Asked>> {
        self.enter()?;
        Ok(self.invocation.journal.iter().flat_map(|journal| &journal.questions).map(asked).collect())
    }
}

pub(super) fn asked(it: &Asked) -> journal::Asked {
    let (outcome, decisions, answer) = match &it.outcome {
        Outcome::Answered(Answer::Items(decisions)) => ("answered", decisions.clone(), None),
        Outcome::Answered(Answer::Choice(id)) => ("answered", Vec::new(), Some(id.clone())),
        Outcome::Answered(Answer::Text(text)) => ("answered", Vec::new(), Some(text.clone())),
        Outcome::Declined => ("declined", Vec::new(), None),
        Outcome::Dismissed => ("dismissed", Vec::new(), None),
        Outcome::TimedOut => ("timed-out", Vec::new(), None),
    };
    journal::Asked {
        hook: it.by.clone(),
        question: it.question.id.clone(),
        outcome: outcome.to_owned(),
        decisions: decisions.into_iter().map(Into::into).collect(),
        answer,
        rework_round: it.rework_round,
        elapsed_ms: it.elapsed_ms,
    }
}
