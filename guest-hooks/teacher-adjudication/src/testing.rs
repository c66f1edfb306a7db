//! A teacher who answers from a script, for tests.

use std::collections::{BTreeMap, VecDeque};

use ta_curriculum::outline::slug;
use ta_guest::ask::{Answer, Kind, Outcome, Question};
use ta_guest::journal::Asked;
use ta_guest::post_loop::{Event, Response, Verdict};
use ta_guest::{Decision, Part};

use crate::adjudicate::{Ask, adjudicate};
use crate::settings::Settings;

/// Answers by the question's id, one after the other; whatever has none is dismissed.
#[derive(Default)]
pub(crate) struct Script {
    outcomes: BTreeMap<&'static str, VecDeque<Outcome>>,
    pub(crate) journal: Vec<Asked>,
    pub(crate) asked: Vec<Question>,
}

impl Ask for Script {
    fn put(&mut self, question: &Question) -> Outcome {
        self.asked.push(question.clone());
        self.outcomes.get_mut(question.id.as_str()).and_then(VecDeque::pop_front).unwrap_or(Outcome::Dismissed)
    }

    fn asked(&self) -> Vec<Asked> {
        self.journal.clone()
    }
}

impl Script {
    pub(crate) fn decide(mut self, id: &'static str, decisions: &[(&str, &str, Option<&str>)]) -> Self {
        let decision = |(item, choice, text): &(&str, &str, Option<&str>)| Decision {
            item: (*item).into(),
            choice: (*choice).into(),
            text: text.map(Into::into),
        };
        let decisions = decisions.iter().map(decision).collect();
        self.outcomes.entry(id).or_default().push_back(Outcome::Answered(Answer::Items(decisions)));
        self
    }

    pub(crate) fn choose(mut self, id: &'static str, choice: &str) -> Self {
        self.outcomes.entry(id).or_default().push_back(Outcome::Answered(Answer::Choice(choice.into())));
        self
    }

    pub(crate) fn with(mut self, id: &'static str, outcome: Outcome) -> Self {
        self.outcomes.entry(id).or_default().push_back(outcome);
        self
    }

    pub(crate) fn asked(&self) -> Vec<&str> {
        self.asked.iter().map(|question| question.id.as_str()).collect()
    }

    pub(crate) fn items(&self, index: usize) -> Vec<(&str, &str)> {
        match &self.asked[index].kind {
            Kind::Items(items) => items.items.iter().map(|item| (item.id.as_str(), item.label.as_str())).collect(),
            _ => panic!("not a question about items"),
        }
    }
}

pub(crate) fn event(output: &str, accepted: &[(&str, &str)]) -> Event {
    let part = |(title, text): &(&str, &str)| Part { id: slug(title), title: (*title).into(), text: (*text).into() };
    Event { output: output.into(), accepted: accepted.iter().map(part).collect(), ..Event::default() }
}

pub(crate) fn run(config: &[(&str, &str)], event: &Event, script: &mut Script) -> Response {
    let get = |name: &str| config.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
    adjudicate(&Settings::read(get).unwrap(), 0, event, script)
}

pub(crate) fn rework(response: &Response) -> (&str, Vec<(&str, &str)>, u32) {
    let Verdict::Rework(rework) = &response.verdict else { panic!("{:?}", response.verdict) };
    let accepted = rework.accepted.iter().map(|part| (part.title.as_str(), part.text.as_str()));
    (&rework.instruction, accepted.collect(), rework.rounds_max)
}

pub(crate) fn abort(response: &Response) -> (&str, &str) {
    let Verdict::Abort(abort) = &response.verdict else { panic!("{:?}", response.verdict) };
    (&abort.code, &abort.reason)
}
