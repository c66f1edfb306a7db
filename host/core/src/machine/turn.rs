//! A turn: limits, the model, what it answered.

use super::action::{Action, ModelCall};
use super::{Machine, Step};
use crate::event::{ModelAnswered, Status};
use crate::hook::HookInput;
use crate::message::{Message, StopReason, ToolCall};

/// Said once to a stalled run that may still give its best answer.
const FINALIZE: &str = "You are not getting any further. Give your best final answer now, from what you have, without \
                        calling tools. Say plainly what is missing.";
/// Said when a model answers with nothing at all.
const EMPTY: &str = "Your answer was empty. Go on with the task, or give your final answer.";

/// Said when a model declines without a word.
const DECLINED: &str =
    "You declined to answer. Do what part of the task you can do, and say plainly what you leave out.";

impl Machine {
    /// Begins a turn, unless a limit says no.
    pub(super) fn begin_turn(&mut self) {
        let turns_max = self.turns_max();
        if self.sitting_turns >= turns_max {
            let reason = format!("all {turns_max} turns are used");
            return self.finish(Status::ErrorMaxTurns, Some(reason));
        }
        if let Some(reason) = self.spent() {
            return self.finish(Status::ErrorMaxBudget, Some(reason));
        }
        self.make_room();
    }

    pub(super) fn call_model(&mut self, messages: Vec<Message>) {
        let (system, tools) = match &self.prompt {
            Some(prompt) => (prompt.system.clone(), prompt.tools.clone()),
            None => (String::new(), Vec::new()),
        };
        let tools = if self.finalizing { Vec::new() } else { tools };
        let (turn, max_output_tokens) = (self.context.turns + 1, self.start.limits.max_output_tokens);
        let output_schema = self.output_schema().cloned();
        let call = ModelCall { turn, system, messages, tools, max_output_tokens, output_schema };
        if let Some(reason) = self.unaffordable(&call) {
            return self.finish(Status::ErrorMaxBudget, Some(reason));
        }
        self.step = Step::Model;
        self.pending = Action::CallModel(Box::new(call));
    }

    pub(super) fn model_answered(&mut self, answered: &ModelAnswered) {
        if !matches!(self.step, Step::Model) {
            return;
        }
        let answer = &answered.answer;
        self.count(answer.usage);
        self.context.turns += 1;
        self.sitting_turns += 1;
        self.context.usage = self.context.usage.plus(answer.used());
        self.context.cost_usd += answer.cost_usd;
        self.context.cache_saved_usd += answer.cache_saved_usd;
        let calls = super::tools::sanitized(&answer.calls, answer.stop == StopReason::Length);
        self.progress.stop = Some(answer.stop);
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

    /// The post-model hooks let the answer pass. Whether there are calls is decided from the message.
    pub(super) fn model_passed(&mut self, text: String, calls: Vec<ToolCall>) {
        if !calls.is_empty() && !self.finalizing {
            return self.begin_tools(text, calls);
        }
        if text.trim().is_empty() {
            let (why, nudge) = match self.progress.stop {
                Some(StopReason::Refusal) => ("the model declined to answer", DECLINED),
                Some(StopReason::Length) => ("the model's answer was cut off before it said anything", EMPTY),
                _ => ("the model answered with nothing", EMPTY),
            };
            return self.stalled_by(why, nudge);
        }
        if let Some(reminder) = self.summary_missing(&text) {
            self.context.history.push(Message::assistant(text, Vec::new()));
            self.context.history.push(Message::user(reminder));
            return self.begin_turn();
        }
        self.check_form(text);
    }

    /// Counts a turn without progress: nudges the model, or ends the run.
    pub(super) fn stalled_by(&mut self, why: &str, nudge: &str) {
        self.context.feedback.push(format!("no progress: {why}"));
        self.progress.idle_turns += 1;
        let limit = self.start.limits.max_no_progress_iterations;
        if self.progress.idle_turns < limit {
            if !nudge.is_empty() {
                self.context.history.push(Message::user(nudge));
            }
            return self.begin_turn();
        }
        let reason = format!("{limit} turns in a row without progress; the last: {why}");
        if self.start.limits.force_finalize_on_stall && !self.finalizing {
            self.finalizing = true;
            self.context.feedback.push(format!("stalled, asked for a final answer: {reason}"));
            self.context.history.push(Message::user(FINALIZE));
            return self.begin_turn();
        }
        self.finish(Status::ErrorNoProgress, Some(reason));
    }
}
