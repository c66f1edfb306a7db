//! A turn: limits, the model, what it answered.

use std::sync::Arc;

use super::action::{Action, Framing, ModelCall};
use super::lanes::Aside;
use super::{Machine, Step};
use crate::event::{Crowded, ModelAnswered, Status};
use crate::hook::HookInput;
use crate::message::{Message, Messages, StopReason, ToolCall};

/// Said once to a stalled run that may still give its best answer.
const FINALIZE: &str = "You are not getting any further. Give your best final answer now, from what you have, without \
                        calling tools. Say plainly what is missing.";
/// Said when a model answers with nothing at all.
const EMPTY: &str = "Your answer was empty. Go on with the task, or give your final answer.";
/// Said once when an answer was cut off at its length limit.
const CUT_OFF: &str = "Your answer was cut off at its length limit, so it is not finished. Write it again, whole and \
                       shorter: from its beginning to its end, with fewer words in every part.";

/// Why a call is not made that no window holds: a provider would refuse it, or quietly leave its beginning out.
fn too_long(Crowded { tokens, window }: Crowded) -> String {
    format!(
        "the conversation comes to about {tokens} tokens and the model's window holds {window}, also after older messages \
         made room [model.too_long]; choose a model with a larger window, say with --context-window where this one's is \
         larger, or let it read shorter files"
    )
}

impl Machine {
    /// Begins a turn, unless a limit says no.
    pub(super) fn begin_turn(&mut self) {
        let turns_max = self.turns_max();
        if self.conversation.sitting_turns >= turns_max {
            let reason = format!("all {turns_max} turns are used");
            return self.finish(Status::ErrorMaxTurns, Some(reason));
        }
        if let Some(reason) = self.spent() {
            return self.finish(Status::ErrorMaxBudget, Some(reason));
        }
        self.make_room();
    }

    pub(super) fn call_model(&mut self, messages: Messages) {
        let framing = self.framing();
        let (turn, max_output_tokens) = (self.next_turn(), self.ledger.start.limits.max_output_tokens);
        let crowded = match self.filled(&messages) {
            Some(crowded) if crowded.tokens > crowded.window => {
                return self.finish(Status::ErrorTooLong, Some(too_long(crowded)));
            }
            crowded => crowded.filter(|_| !std::mem::replace(&mut self.ledger.crowded_said, true)),
        };
        let stamp = self.ledger.stamp;
        let call = ModelCall { turn, framing, messages, max_output_tokens, crowded, stamp };
        if let Some(reason) = self.unaffordable(&call, Aside::default()) {
            return self.finish(Status::ErrorMaxBudget, Some(reason));
        }
        self.step = Step::Model;
        self.pending = Action::CallModel(Arc::new(call));
    }

    /// What the agent's model is sent beside the messages: that of the turn before, as long as it is the same.
    fn framing(&mut self) -> Arc<Framing> {
        let (system, tools) = match &self.conversation.prompt {
            Some(prompt) => (prompt.system.as_str(), prompt.tools.as_slice()),
            None => ("", [].as_slice()),
        };
        let parts = (system, if self.conversation.finalizing { &[] } else { tools }, self.output_schema());
        if let Some(framing) = self.conversation.framing.as_ref().filter(|framing| framing.is_of(parts)) {
            return Arc::clone(framing);
        }
        let (system, tools, output_schema) = parts;
        let framing = Arc::new(Framing::new(system.to_owned(), tools.to_vec(), output_schema.cloned()));
        self.conversation.framing = Some(Arc::clone(&framing));
        framing
    }

    pub(super) fn model_answered(&mut self, answered: &ModelAnswered) -> bool {
        let own = matches!(self.step, Step::Model);
        if !own && !self.lane_answered(answered) {
            return false;
        }
        let answer = &answered.answer;
        self.ledger.turns += 1;
        self.ledger.usage = self.ledger.usage.plus(answer.used());
        self.ledger.cost_usd += answer.cost_usd;
        self.ledger.cache_saved_usd += answer.cache_saved_usd;
        if own {
            self.answer_came(answered);
        }
        true
    }

    /// Shows the answer of the agent at work to its hooks; what it cost is counted.
    pub(super) fn answer_came(&mut self, answered: &ModelAnswered) {
        let answer = &answered.answer;
        self.count(answer.usage);
        self.conversation.sitting_turns += 1;
        let calls = super::tools::sanitized(&answer.calls, answer.stop == StopReason::Length);
        self.conversation.progress.stop = Some(answer.stop);
        self.conversation.progress.declined.clone_from(&answer.declined);
        self.run_hooks(
            HookInput::PostModel {
                text: answer.text.clone(),
                calls,
                input_tokens: answer.usage.input_tokens,
                output_tokens: answer.usage.output_tokens,
            },
            None,
        );
    }

    /// The number of a call that is wanted now: those of other agents that are not answered yet have theirs.
    pub(super) fn next_turn(&self) -> u32 {
        self.ledger.turns + 1 + self.lanes.turns_open()
    }

    /// The post-model hooks let the answer pass. Whether there are calls is decided from the message.
    pub(super) fn model_passed(&mut self, text: String, calls: Vec<ToolCall>) {
        let stop = self.conversation.progress.stop;
        if stop == Some(StopReason::Refusal) {
            self.keep_unfinished(text);
            let reason = "the model declined to answer; ask in other words, or choose another model".to_owned();
            return self.finish(Status::ErrorRefusal, Some(reason));
        }
        if stop == Some(StopReason::Declined) {
            let reason = self.conversation.progress.declined.take().unwrap_or_else(|| text.clone());
            self.keep_unfinished(text);
            return self.finish(Status::Declined, Some(reason));
        }
        if !calls.is_empty() && !self.conversation.finalizing {
            return self.begin_tools(text, calls);
        }
        if text.trim().is_empty() {
            let why = match stop {
                Some(StopReason::Length) => "the model's answer was cut off before it said anything",
                _ => "the model answered with nothing",
            };
            return self.stalled_by(why, EMPTY);
        }
        if stop == Some(StopReason::Length) {
            return self.cut_off(text);
        }
        self.conversation.progress.cut = false;
        if let Some(reminder) = self.summary_missing(&text) {
            self.conversation.history.push(Message::assistant(text, Vec::new()));
            self.conversation.history.push(Message::user(reminder));
            return self.begin_turn();
        }
        self.check_form(text);
    }

    /// What was cut off is no answer: a text would lack its end, and nobody would be told. It is asked for once more.
    fn cut_off(&mut self, text: String) {
        self.ledger.feedback.push("the answer was cut off at its length limit".to_owned());
        if self.conversation.progress.cut {
            self.keep_unfinished(text);
            let reason = "the answer was cut off at its length limit, also when it was asked for a shorter one; ask for \
                          less at once, or choose a model that writes more in one answer";
            return self.finish(Status::ErrorMaxOutput, Some(reason.to_owned()));
        }
        self.conversation.progress.cut = true;
        self.conversation.history.push(Message::assistant(text, Vec::new()));
        self.conversation.history.push(Message::user(CUT_OFF));
        self.begin_turn();
    }

    /// Text that no hook has seen is shown with the run's end and stays in the conversation; it is never saved.
    fn keep_unfinished(&mut self, text: String) {
        if !text.trim().is_empty() {
            self.conversation.history.push(Message::assistant(text.clone(), Vec::new()));
            self.conversation.last_output = Some(text);
        }
    }

    /// Counts a turn without progress: nudges the model, or ends the run.
    pub(super) fn stalled_by(&mut self, why: &str, nudge: &str) {
        self.ledger.feedback.push(format!("no progress: {why}"));
        self.conversation.progress.idle_turns += 1;
        let limit = self.ledger.start.limits.max_no_progress_iterations;
        if self.conversation.progress.idle_turns < limit {
            if !nudge.is_empty() {
                self.conversation.history.push(Message::user(nudge));
            }
            return self.begin_turn();
        }
        let reason = format!("{limit} turns in a row without progress; the last: {why}");
        if self.ledger.start.limits.force_finalize_on_stall && !self.conversation.finalizing {
            self.conversation.finalizing = true;
            self.ledger.feedback.push(format!("stalled, asked for a final answer: {reason}"));
            self.conversation.history.push(Message::user(FINALIZE));
            return self.begin_turn();
        }
        self.finish(Status::ErrorNoProgress, Some(reason));
    }
}
