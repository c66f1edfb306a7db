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

/// How often others go on at the most before the person stops a run.
const PATIENCE_MAX: usize = 600;

pub(crate) struct Somebody {
    choices: Mutex<Choices>,
    /// Of a hundred questions, those that are left open.
    leaves: usize,
}

impl Somebody {
    pub(crate) const fn of(seed: u64, leaves: usize) -> Self {
        Self { choices: Mutex::new(Choices::of(seed)), leaves }
    }

    fn reply(&self, ask: &Ask) -> Reply {
        let mut choices = self.choices.lock().unwrap();
        if choices.percent(self.leaves) {
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
            QuestionKind::Items { .. } if choices.percent(3) => Reply::Outcome(Outcome::Declined),
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
        let says = self.choices.lock().unwrap().percent(70).then(|| "four".to_owned());
        Box::pin(std::future::ready(says))
    }

    fn stops(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            let (stops, patience) = {
                let mut choices = self.choices.lock().unwrap();
                (choices.percent(10), choices.below(PATIENCE_MAX))
            };
            if !stops {
                return std::future::pending().await;
            }
            for _ in 0..patience {
                tokio::task::yield_now().await;
            }
        })
    }

    fn name(&self) -> &'static str {
        "somebody"
    }
}
