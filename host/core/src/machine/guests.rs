//! What guests ask a model: counted in the run's one ledger, bounded by a budget of its own within the run's.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Machine;
use super::action::{Framing, ModelCall};
use crate::event::{GuestModelAnswered, GuestModelCalled, Input};
use crate::message::{Message, Usage};

/// What guests have asked so far.
#[derive(Debug, Clone, Default)]
pub(super) struct GuestCalls {
    calls: u32,
    tokens: u64,
    cost_usd: f64,
    /// What is set aside for requests that have no answer yet, by the call and its asker.
    open: BTreeMap<Asker, Open>,
    /// What each of their calls was told, up to its last request that was answered.
    inputs: BTreeMap<Asker, Vec<Input>>,
}

/// A request without an answer.
#[derive(Debug, Clone, Default)]
struct Open {
    tokens: u64,
    usd: f64,
    /// What the call was told before.
    inputs: Vec<Input>,
}

/// The record that led to a guest's call, and the hook or the id of the tool call.
type Asker = (u64, String);

/// What a guest's question comes to at the most.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MostOf {
    /// Tokens, sent and received.
    pub tokens: u64,
    /// US dollars; 0 where no price is known.
    pub usd: f64,
}

impl Machine {
    /// What a question of a guest comes to at the most.
    ///
    /// # Errors
    /// A sentence where it does not fit into what guests may use, or into what is left to the run.
    pub fn guest_may_ask(&self, system: &str, prompt: &str, output_tokens: u32) -> Result<MostOf, String> {
        let Some(model) = &self.ledger.start.guest_model else {
            return Err("this run has no model for guests".to_owned());
        };
        let messages = vec![Message::user(prompt)].into();
        let framing = Arc::new(Framing::new(system.to_owned(), Vec::new(), None));
        let call = ModelCall { turn: 0, framing, messages, max_output_tokens: None, crowded: None };
        let sent = call.input_tokens_max();
        let tokens = sent.saturating_add(output_tokens.into());
        let usd = model.price.and_then(|price| price.usd(sent, output_tokens.into()));
        let (limits, asked) = (self.ledger.start.limits, &self.ledger.guests);
        if usd.is_none() && limits.max_budget_usd.is_some() {
            return Err(format!(
                "no price is known for {} of {}, and the run has a budget",
                model.model, model.provider
            ));
        }
        let usd = usd.unwrap_or_default();
        let (open_tokens, open_usd) = asked.set_aside();
        let run_tokens = self.ledger.usage.input_tokens.saturating_add(self.ledger.usage.output_tokens);
        let over = if asked.calls >= model.max_calls {
            format!("guests have asked all {} questions of this run", model.max_calls)
        } else if asked.tokens.saturating_add(open_tokens).saturating_add(tokens) > model.max_tokens {
            format!("guests have used {} of {} tokens", asked.tokens, model.max_tokens)
        } else if asked.cost_usd + open_usd + usd > model.max_usd {
            format!("guests have spent {:.4} of {:.4} US dollars", asked.cost_usd, model.max_usd)
        } else if limits
            .max_tokens
            .is_some_and(|most| run_tokens.saturating_add(open_tokens).saturating_add(tokens) > most)
            || limits.max_budget_usd.is_some_and(|most| self.ledger.cost_usd + open_usd + usd > most)
        {
            "the run's own budget has no room for it".to_owned()
        } else {
            return self.spent().map_or(Ok(MostOf { tokens, usd }), Err);
        };
        Err(over)
    }

    /// What a call of a guest was told up to its last answered request before it was broken off, so that it is told the same
    /// again.
    #[must_use]
    pub fn guest_inputs(&self, call: u64, by: &str) -> &[Input] {
        self.ledger.guests.inputs.get(&(call, by.to_owned())).map_or(&[], Vec::as_slice)
    }

    pub(super) fn guest_model_called(&mut self, called: &GuestModelCalled) -> bool {
        self.ledger.guests.calls = self.ledger.guests.calls.saturating_add(1);
        let asker = (called.call, called.by.clone());
        // A call before it that was never answered, since the host was stopped in it, is taken as paid. How many of its
        // tokens would have been sent and how many received nobody knows: all stand with those sent.
        let open = Open { tokens: called.max_tokens, usd: called.max_usd, inputs: called.inputs.clone() };
        if let Some(Open { tokens, usd, .. }) = self.ledger.guests.open.insert(asker, open) {
            let usage = Usage { input_tokens: tokens, estimated: true, ..Usage::default() };
            self.ledger.usage = self.ledger.usage.plus(usage);
            self.guest_paid(tokens, usd);
        }
        true
    }

    pub(super) fn guest_model_answered(&mut self, answered: &GuestModelAnswered) -> bool {
        let asker = (answered.call, answered.by.clone());
        let mut inputs = self.ledger.guests.open.remove(&asker).unwrap_or_default().inputs;
        let usage = answered.usage;
        self.ledger.usage = self.ledger.usage.plus(usage);
        self.guest_paid(usage.input_tokens.saturating_add(usage.output_tokens), answered.cost_usd);
        inputs.push(Input { import: answered.import.clone(), sha256: answered.sha256.clone() });
        self.ledger.guests.inputs.insert(asker, inputs);
        true
    }

    fn guest_paid(&mut self, tokens: u64, usd: f64) {
        self.ledger.guests.tokens = self.ledger.guests.tokens.saturating_add(tokens);
        self.ledger.guests.cost_usd += usd;
        self.ledger.cost_usd += usd;
    }
}

impl GuestCalls {
    fn set_aside(&self) -> (u64, f64) {
        self.open.values().fold((0, 0.0), |(tokens, usd), open| (tokens.saturating_add(open.tokens), usd + open.usd))
    }
}
