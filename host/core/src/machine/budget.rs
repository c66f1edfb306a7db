//! Budgets: what a call may cost at the most is set aside before it is made, and a call that does not fit is not made.
//!
//! Everything that is decided here rests on the journal alone, so that a replay decides the same.

use super::action::{Action, ModelCall};
use super::lanes::Aside;
use super::{Machine, Step};
use crate::event::{CallPrice, Event, ModelPartial, Record, Status};
use crate::message::Usage;

/// Tokens that providers add to a request of their own accord: how tools are called, how messages are kept apart.
const PROVIDERS_OWN_TOKENS: u64 = 1_000;
/// Received at the most where no limit is given: more than models in use write in one answer.
const OUTPUT_TOKENS: u32 = 65_536;
const MINUTE_MS: u64 = 60_000;

impl ModelCall {
    /// The most tokens that the request can come to. A token is about four letters of English; half of that is reckoned
    /// with for ASCII, and a token for every other byte, since a tokenizer never makes more of it.
    #[must_use]
    pub fn input_tokens_max(&self) -> u64 {
        let (beside, messages) = (self.framing.json(), self.messages.json_sum());
        let (ascii, other) = (beside.ascii + messages.ascii, beside.other + messages.other);
        // What stands between the messages is a comma each.
        let tokens = (ascii + self.messages.len()).div_ceil(2).saturating_add(other);
        u64::try_from(tokens).unwrap_or(u64::MAX).saturating_add(PROVIDERS_OWN_TOKENS)
    }

    fn output_tokens_max(&self) -> u64 {
        self.max_output_tokens.unwrap_or(OUTPUT_TOKENS).into()
    }
}

impl Machine {
    /// Counts the time since the record before, unless nobody but a person was at work in it.
    pub(super) fn work(&mut self, record: &Record) {
        // While a question is open or a flow listens a person thinks, whatever comes next: an answer, or that they go away.
        let asking = matches!(self.pending, Action::Ask(_) | Action::Listen(_));
        let idle = asking || matches!(record.event, Event::RunStarted(_) | Event::RunForked(_) | Event::RunResumed(_));
        if !idle {
            self.ledger.worked_ms =
                self.ledger.worked_ms.saturating_add(record.at_ms.saturating_sub(self.ledger.stamp.at_ms));
        }
    }

    /// Why nothing more may be spent, where that is so.
    pub(super) fn spent(&self) -> Option<String> {
        let (limits, context) = (self.ledger.start.limits, &self.ledger);
        if let Some(budget) = limits.max_budget_usd.filter(|budget| context.cost_usd >= *budget) {
            return Some(format!("{:.4} of {budget:.4} US dollars are spent", context.cost_usd));
        }
        if let Some(minutes) = limits.max_minutes.filter(|it| self.ledger.worked_ms >= u64::from(*it) * MINUTE_MS) {
            return Some(format!("all {minutes} minutes are used"));
        }
        let budget = limits.max_tokens.filter(|budget| self.tokens() >= *budget)?;
        Some(format!("{} of {budget} tokens are used", self.tokens()))
    }

    /// Why a call does not fit into what is left beside what is set aside, where that is so.
    pub(super) fn unaffordable(&self, call: &ModelCall, aside: Aside) -> Option<String> {
        if let Some(budget) = self.ledger.start.limits.max_tokens {
            let most = call.input_tokens_max().saturating_add(call.output_tokens_max());
            if self.tokens().saturating_add(aside.tokens).saturating_add(most) > budget {
                let used = self.tokens();
                return Some(format!("{used} of {budget} tokens are used, and the next call may use up to {most}"));
            }
        }
        let (budget, price) = (self.ledger.start.limits.max_budget_usd?, self.price()?);
        let spent = self.ledger.cost_usd;
        let Some(most) = price.usd(call.input_tokens_max(), call.output_tokens_max()) else {
            return Some(format!(
                "{spent:.4} of {budget:.4} US dollars are spent, and no price is known for a call as long as the next"
            ));
        };
        let over = spent + aside.usd + most > budget;
        over.then(|| {
            format!("{spent:.4} of {budget:.4} US dollars are spent, and the next call may cost up to {most:.4}")
        })
    }

    /// What a call may come to at the most; no US dollars where no price is known.
    pub(super) fn most_of(&self, call: &ModelCall) -> Aside {
        let (input, output) = (call.input_tokens_max(), call.output_tokens_max());
        let usd = self.price().and_then(|price| price.usd(input, output)).unwrap_or_default();
        Aside { tokens: input.saturating_add(output), usd }
    }

    /// US dollars that are left for a call beside those that are set aside for others. None where there is no budget.
    #[must_use]
    pub fn left_usd(&self, call: &ModelCall) -> Option<f64> {
        let aside = self.set_aside(call.turn);
        Some(self.ledger.start.limits.max_budget_usd? - self.ledger.cost_usd - aside.usd)
    }

    /// Milliseconds of work that are left, as of the last record. None where there is no limit.
    #[must_use]
    pub fn left_ms(&self) -> Option<u64> {
        let minutes = self.ledger.start.limits.max_minutes?;
        Some(u64::from(minutes).saturating_mul(MINUTE_MS).saturating_sub(self.ledger.worked_ms))
    }

    /// Follows which calls are under way.
    pub(super) fn model_under_way(&mut self, event: &Event) {
        match event {
            Event::ModelCalled(_) | Event::ModelFellBack(_) => self.ledger.calling.extend(event.turn()),
            Event::ModelAnswered(_) | Event::ModelFailed(_) | Event::ModelPartial(_) => {
                self.ledger.calling.retain(|turn| Some(*turn) != event.turn());
            }
            Event::RunParked(_) | Event::RunForked(_) => self.ledger.calling.clear(),
            _ => {}
        }
    }

    /// A call whose end is in no record, since the host was killed in it. What had come of it nobody knows: it is taken
    /// to have used all that was set aside for it. None where there is no such call, or no price.
    #[must_use]
    pub fn lost_call(&self, call: &ModelCall) -> Option<ModelPartial> {
        let price = self.price().filter(|_| self.ledger.calling.contains(&call.turn))?;
        let (input_tokens, output_tokens) = (call.input_tokens_max(), call.output_tokens_max());
        let usage = Usage { input_tokens, output_tokens, estimated: true, ..Usage::default() };
        let cost_usd = price.usd_at_least(input_tokens, output_tokens);
        Some(ModelPartial { turn: call.turn, text: String::new(), usage, cost_usd })
    }

    /// All such calls.
    #[must_use]
    pub fn lost_calls(&self) -> Vec<ModelPartial> {
        let open = self.ledger.calling.iter().filter_map(|turn| self.model_call(*turn));
        open.filter_map(|call| self.lost_call(call)).collect()
    }

    /// What may be lost on a call, in US dollars, before it has to be given up: what is left of the budget once the whole
    /// call is paid, and those of others beside it. None where there is no budget, or no price.
    #[must_use]
    pub fn spare_usd(&self, call: &ModelCall) -> Option<f64> {
        let (budget, price) = (self.ledger.start.limits.max_budget_usd?, self.price()?);
        let most = price.usd(call.input_tokens_max(), call.output_tokens_max())?;
        Some(budget - self.ledger.cost_usd - self.set_aside(call.turn).usd - most)
    }

    /// What a call is reckoned at, whoever answers it.
    fn price(&self) -> Option<CallPrice> {
        let second = self.ledger.start.fallback.as_ref().and_then(|second| second.price);
        match (self.ledger.start.price, second) {
            (Some(first), Some(second)) => Some(first.dearer(second)),
            (first, second) => first.or(second),
        }
    }

    const fn tokens(&self) -> u64 {
        self.ledger.usage.input_tokens.saturating_add(self.ledger.usage.output_tokens)
    }

    /// What broke off is paid for all the same; the call is made again only if there is time and money left for it.
    pub(super) fn model_broke_off(&mut self, partial: &ModelPartial) -> bool {
        self.ledger.usage = self.ledger.usage.plus(partial.usage);
        self.ledger.cost_usd += partial.cost_usd;
        if self.lane_broke_off(partial.turn) {
            return true;
        }
        let Action::CallModel(call) = &self.pending else { return true };
        let reason = self.spent().or_else(|| self.unaffordable(call, Aside::default()));
        if reason.is_some() && matches!(self.step, Step::Model) {
            self.finish(Status::ErrorMaxBudget, reason);
        }
        true
    }
}
