//! A person who answers, decides, declines, waves away or goes away, as the choices say.

use std::sync::Mutex;

use ta_core::flow::{PersonWait, ShownMessage};
use ta_core::machine::Ask;
use ta_core::model::BoxFuture;
use ta_core::question::{Answer, Decision, Outcome, QuestionKind};
use ta_runtime::person::next_item;
use ta_runtime::{Person, Reply};

use super::choices::Choices;

/// How often one and the same question is answered with doubts; after that, everything is accepted.
const DOUBTS_MAX: u32 = 3;

pub(crate) struct Somebody(Mutex<Choices>);

impl Somebody {
    pub(crate) const fn of(seed: u64) -> Self {
        Self(Mutex::new(Choices::of(seed)))
    }

    fn reply(&self, ask: &Ask) -> Reply {
        let mut choices = self.0.lock().unwrap();
        if choices.percent(25) {
            return Reply::Later;
        }
        let sure = ask.time > DOUBTS_MAX;
        match &ask.question.kind {
            QuestionKind::Text { .. } => Reply::Outcome(match choices.below(4) {
                0 => Outcome::Dismissed,
                1 => Outcome::Declined,
                _ => Outcome::Answered(Answer::Text("as you like".into())),
            }),
            QuestionKind::Choice { choices: offered } => {
                Reply::Outcome(Outcome::Answered(Answer::Choice(offered[0].id.clone())))
            }
            QuestionKind::Items { items, .. } => {
                let mut decide = |item: &str| {
                    let revised = !sure && choices.percent(35);
                    let (choice, text) =
                        if revised { ("revise", Some("in other words".to_owned())) } else { ("accept", None) };
                    Decision { item: item.to_owned(), choice: choice.into(), text }
                };
                match next_item(ask) {
                    Some(item) if items.len() % 2 == 0 => Reply::Decided(decide(&item.id)),
                    _ => {
                        let all = items.iter().map(|item| decide(&item.id)).collect();
                        Reply::Outcome(Outcome::Answered(Answer::Items(all)))
                    }
                }
            }
        }
    }
}

impl Person for Somebody {
    fn ask<'a>(&'a self, ask: &'a Ask) -> BoxFuture<'a, Reply> {
        Box::pin(std::future::ready(self.reply(ask)))
    }

    fn say<'a>(&'a self, _: &'a PersonWait, _: &'a [ShownMessage], _: usize) -> BoxFuture<'a, Option<String>> {
        let says = self.0.lock().unwrap().percent(70).then(|| "four".to_owned());
        Box::pin(std::future::ready(says))
    }

    fn name(&self) -> &'static str {
        "somebody"
    }
}
