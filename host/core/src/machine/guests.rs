//! What guests ask a model: counted in the run's one ledger, bounded by a budget of its own within the run's.

use std::sync::Arc;

use super::action::{Action, Framing, ModelAsk, ModelCall};
use super::requests::Waiting;
use super::{Machine, Stamp, Step};
use crate::event::RequestAnswer;
use crate::message::{Message, Usage};
use crate::request::{ModelQuestion, ModelReply, NoAnswer, Request};

/// What guests have asked so far.
#[derive(Debug, Clone, Default)]
pub(super) struct GuestCalls {
    calls: u32,
    tokens: u64,
    cost_usd: f64,
}

/// What a guest's question comes to at the most.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MostOf {
    /// Tokens, sent and received.
    pub tokens: u64,
    /// US dollars; 0 where no price is known.
    pub usd: f64,
}

impl Machine {
    /// Has a model asked, where there is one and room for it; else the guest is told why not.
    pub(super) fn ask_model(&mut self, waiting: Box<Waiting>, question: &ModelQuestion) {
        self.pending = match self.guest_may_ask(question) {
            Ok(most) => {
                self.ledger.guests.calls = self.ledger.guests.calls.saturating_add(1);
                let (id, by, hash) = (waiting.id.clone(), waiting.by.clone(), waiting.hash.clone());
                Action::AskModel(Box::new(ModelAsk { id, by, hash, question: question.clone(), most }))
            }
            Err(why) => {
                let code = match &why {
                    NoAnswer::OverBudget(_) => "model.over_budget",
                    NoAnswer::Denied(_) | NoAnswer::Unavailable(_) | NoAnswer::TooLong(_) => "model.unavailable",
                };
                let json = serde_json::to_vec(&ModelReply::Err(why)).unwrap_or_default();
                let (usage, code) = (Usage::default(), Some(code.to_owned()));
                waiting.reply(json, RequestAnswer::Model { usage, cost_usd: 0.0, elapsed_ms: 0, code })
            }
        };
        self.step = Step::Requested(waiting);
    }

    /// The run goes on after it was stopped. A model that was being asked for a guest may have answered, which nobody knows:
    /// it is taken as paid at the most, and asked again where there is room. How many of its tokens would have been sent and
    /// how many received nobody knows either: all stand with those sent.
    pub(super) fn resumed(&mut self) -> bool {
        let Action::AskModel(ask) = &self.pending else { return true };
        let MostOf { tokens, usd } = ask.most;
        self.guest_paid(Usage { input_tokens: tokens, estimated: true, ..Usage::default() }, usd);
        match std::mem::replace(&mut self.step, Step::Done) {
            Step::Requested(waiting) => match waiting.request.clone() {
                Request::Model(question) => self.ask_model(waiting, &question),
                Request::Ask { .. } | Request::Tool { .. } => self.step = Step::Requested(waiting),
            },
            other => self.step = other,
        }
        true
    }

    /// What a question of a guest comes to at the most.
    fn guest_may_ask(&self, question: &ModelQuestion) -> Result<MostOf, NoAnswer> {
        let Some(model) = &self.ledger.start.guest_model else {
            return Err(NoAnswer::Unavailable("nobody can be asked in this run".to_owned()));
        };
        let messages = vec![Message::user(question.prompt.clone())].into();
        let framing = Arc::new(Framing::new(question.system.clone(), Vec::new(), None));
        let stamp = Stamp::default();
        let call = ModelCall { turn: 0, framing, messages, max_output_tokens: None, crowded: None, stamp };
        let sent = call.input_tokens_max();
        let tokens = sent.saturating_add(question.max_tokens.into());
        let usd = model.price.and_then(|price| price.usd(sent, question.max_tokens.into()));
        let (limits, asked) = (self.ledger.start.limits, &self.ledger.guests);
        if usd.is_none() && limits.max_budget_usd.is_some() {
            let why = format!("no price is known for {} of {}, and the run has a budget", model.model, model.provider);
            return Err(NoAnswer::OverBudget(why));
        }
        let usd = usd.unwrap_or_default();
        // What models of other agents may come to meanwhile is set aside.
        let aside = self.set_aside(0);
        let run_tokens = self.ledger.usage.input_tokens.saturating_add(self.ledger.usage.output_tokens);
        let (run_tokens, run_usd) = (run_tokens.saturating_add(aside.tokens), self.ledger.cost_usd + aside.usd);
        let over = if asked.calls >= model.max_calls {
            format!("guests have asked all {} questions of this run", model.max_calls)
        } else if asked.tokens.saturating_add(tokens) > model.max_tokens {
            format!("guests have used {} of {} tokens", asked.tokens, model.max_tokens)
        } else if asked.cost_usd + usd > model.max_usd {
            format!("guests have spent {:.4} of {:.4} US dollars", asked.cost_usd, model.max_usd)
        } else if limits.max_tokens.is_some_and(|most| run_tokens.saturating_add(tokens) > most)
            || limits.max_budget_usd.is_some_and(|most| run_usd + usd > most)
        {
            "the run's own budget has no room for it".to_owned()
        } else {
            return self.spent().map_or(Ok(MostOf { tokens, usd }), |why| Err(NoAnswer::OverBudget(why)));
        };
        Err(NoAnswer::OverBudget(over))
    }

    pub(super) fn guest_paid(&mut self, usage: Usage, usd: f64) {
        let tokens = usage.input_tokens.saturating_add(usage.output_tokens);
        self.ledger.usage = self.ledger.usage.plus(usage);
        self.ledger.guests.tokens = self.ledger.guests.tokens.saturating_add(tokens);
        self.ledger.guests.cost_usd += usd;
        self.ledger.cost_usd += usd;
    }
}
