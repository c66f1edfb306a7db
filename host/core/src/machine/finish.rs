//! The end of the loop: post-loop hooks, rework, the last action.

use super::action::{Action, Finish};
use super::conversation::Work;
use super::hooks::HookRound;
use super::{Machine, Step};
use crate::event::{RunFinished, Status};
use crate::hook::{HookInput, Part};
use crate::marked::Element;
use crate::message::Message;
use crate::parts;

impl Machine {
    /// Puts accepted sections back byte for byte, then shows the output to the post-loop hooks.
    pub(super) fn run_post_loop(&mut self, text: String) {
        let restored = parts::restore(&text, &self.conversation.accepted, self.conversation.last_output.as_deref());
        for title in restored.changed {
            self.ledger.feedback.push(format!("the accepted section \"{title}\" was put back as it was"));
        }
        self.conversation.accepted = restored.accepted;
        let output = restored.output;
        self.conversation.last_output = Some(output.clone());
        if matches!(self.conversation.work, Work::Flow(_)) {
            return self.output_passed(output);
        }
        let rework_round = self.ledger.rework_rounds;
        self.conversation.drafts.push(super::Draft { rework_round, text: output.clone() });
        self.run_hooks(
            HookInput::PostLoop {
                parts: parts::read(&output),
                output,
                shown: Vec::new(),
                reads: self.ledger.reads.clone(),
                accepted: self.conversation.accepted.clone(),
                decisions: self.ledger.decisions.clone(),
                facts: None,
            },
            None,
        );
    }

    /// Goes round again, unless that has been tried often enough.
    pub(super) fn rework(
        &mut self,
        hooks: HookRound,
        hook: &str,
        instruction: &str,
        accepted: &[Part],
        rounds_max: u32,
    ) {
        if self.in_exchange() {
            return self.returned(hook, instruction, rounds_max);
        }
        let rounds = self.rework_rounds_of(hook) + 1;
        let total = self.ledger.start.limits.max_rework_rounds;
        if rounds > rounds_max || self.ledger.rework_rounds >= total {
            let limit = if rounds > rounds_max { rounds_max } else { total };
            let reason =
                format!("asked for changes {limit} times and still is not content. It last asked: {instruction}");
            return self.end_by(hook, &reason, false);
        }
        self.ledger.rework_rounds += 1;
        self.conversation.reworks.push(hook.to_owned());
        match hooks.input {
            HookInput::PostLoop { output, .. } => {
                for part in accepted {
                    self.conversation.accepted.retain(|earlier| earlier.id != part.id);
                    self.conversation.accepted.push(part.clone());
                }
                self.conversation.last_output = Some(output.clone());
                self.conversation.history.push(Message::assistant(output, Vec::new()));
            }
            // The calls are not run, and a history with calls but no results is one that providers refuse.
            HookInput::PostModel { text, .. } => {
                let text = if text.is_empty() { "(tool calls withdrawn)".to_owned() } else { text };
                self.conversation.history.push(Message::assistant(text, Vec::new()));
            }
            _ => {}
        }
        let message = Element::text("rework", instruction).with("hook", hook).with("round", &rounds.to_string());
        self.conversation.history.push(Message::user(message.alone()));
        self.begin_turn();
    }

    fn rework_rounds_of(&self, hook: &str) -> u32 {
        u32::try_from(self.conversation.reworks.iter().filter(|name| *name == hook).count()).unwrap_or(u32::MAX)
    }

    pub(super) fn output_passed(&mut self, output: String) {
        let misformed = self.misformed(&output);
        self.conversation.last_output = Some(output.clone());
        self.conversation.history.push(Message::assistant(output, Vec::new()));
        if misformed.is_some() {
            return self.finish(Status::ErrorOutputSchema, misformed);
        }
        if self.conversation.finalizing {
            let reason = "stalled; this is the best answer it could give".to_owned();
            return self.finish(Status::ErrorNoProgress, Some(reason));
        }
        self.finish(Status::Success, None);
    }

    /// A hook says no. In an exchange a flow may go on, otherwise the agent at work has come to its end.
    pub(super) fn aborted(&mut self, hooks: &HookRound, hook: &str, (code, reason, declined): (&str, &str, bool)) {
        match &hooks.input {
            HookInput::PreLoop { .. } if self.in_exchange() => {
                self.withheld(hook, code, reason, Status::of_abort(declined));
            }
            HookInput::PostLoop { .. } if self.in_exchange() => self.returned(hook, reason, u32::MAX),
            _ => self.end_by(hook, reason, declined),
        }
    }

    fn end_by(&mut self, hook: &str, reason: &str, declined: bool) {
        self.finish(Status::of_abort(declined), Some(format!("{hook}: {reason}")));
    }

    /// The agent at work has come to its end.
    pub(super) fn finish(&mut self, status: Status, reason: Option<String>) {
        match self.conversation.work.clone() {
            Work::Run | Work::Exchange => self.finish_run(status, reason),
            Work::Subagent { started, .. } => self.subagent_over(*started, status, reason),
            Work::Flow(request) => self.agent_over(&request, status, reason),
        }
    }

    pub(super) fn finish_run(&mut self, status: Status, reason: Option<String>) {
        self.step = Step::Finishing;
        self.pending =
            Action::Finish(Box::new(Finish { status, reason, output: self.conversation.last_output.clone() }));
    }

    pub(super) fn run_finished(&mut self, finished: &RunFinished) -> bool {
        self.ledger.finished = Some(finished.clone());
        self.step = Step::Done;
        self.pending = Action::Wait;
        true
    }
}
