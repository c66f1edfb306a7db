//! The end of the loop: post-loop hooks, rework, the last action.

use super::action::{Action, Finish};
use super::chain::Chain;
use super::{Machine, Step};
use crate::event::{RunFinished, Status};
use crate::hook::{HookInput, Section};
use crate::marked::Element;
use crate::message::Message;
use crate::sections;

impl Machine {
    /// Puts accepted sections back byte for byte, then shows the output to the post-loop hooks.
    pub(super) fn run_post_loop(&mut self, text: String) {
        let (output, restored) = sections::restore(&text, &self.accepted, self.last_output.as_deref());
        for heading in restored {
            self.context.feedback.push(format!("the accepted section \"{heading}\" was put back as it was"));
        }
        self.last_output = Some(output.clone());
        let rework_round = self.context.rework_rounds;
        self.context.drafts.push(super::Draft { rework_round, text: output.clone() });
        self.run_hooks(
            HookInput::PostLoop {
                output,
                reads: self.context.reads.clone(),
                accepted: self.accepted.clone(),
                decisions: self.context.decisions.clone(),
            },
            None,
        );
    }

    /// Goes round again, unless that has been tried often enough.
    pub(super) fn rework(
        &mut self,
        chain: Chain,
        hook: &str,
        instruction: &str,
        accepted: &[Section],
        rounds_max: u32,
    ) {
        let rounds = self.rework_rounds_of(hook) + 1;
        let total = self.start.limits.max_rework_rounds;
        if rounds > rounds_max || self.context.rework_rounds >= total {
            let limit = if rounds > rounds_max { rounds_max } else { total };
            let reason =
                format!("asked for changes {limit} times and still is not content. It last asked: {instruction}");
            return self.aborted(hook, &reason);
        }
        self.context.rework_rounds += 1;
        self.reworks.push(hook.to_owned());
        match chain.input {
            HookInput::PostLoop { output, .. } => {
                for section in accepted {
                    self.accepted.retain(|earlier| !sections::same_heading(&earlier.heading, &section.heading));
                    self.accepted.push(section.clone());
                }
                self.last_output = Some(output.clone());
                self.context.history.push(Message::assistant(output, Vec::new()));
            }
            // The calls are not run, and a history with calls but no results is one that providers refuse.
            HookInput::PostModel { text, .. } => {
                let text = if text.is_empty() { "(tool calls withdrawn)".to_owned() } else { text };
                self.context.history.push(Message::assistant(text, Vec::new()));
            }
            _ => {}
        }
        let message = Element::text("rework", instruction).with("hook", hook).with("round", &rounds.to_string());
        self.context.history.push(Message::user(message.alone()));
        self.begin_turn();
    }

    fn rework_rounds_of(&self, hook: &str) -> u32 {
        u32::try_from(self.reworks.iter().filter(|name| *name == hook).count()).unwrap_or(u32::MAX)
    }

    pub(super) fn output_passed(&mut self, output: String) {
        let misformed = self.misformed(&output);
        self.last_output = Some(output.clone());
        self.context.history.push(Message::assistant(output, Vec::new()));
        if misformed.is_some() {
            return self.finish(Status::ErrorOutputSchema, misformed);
        }
        if self.finalizing {
            let reason = "stalled; this is the best answer it could give".to_owned();
            return self.finish(Status::ErrorNoProgress, Some(reason));
        }
        self.finish(Status::Success, None);
    }

    pub(super) fn aborted(&mut self, hook: &str, reason: &str) {
        self.finish(Status::ErrorHookAbort, Some(format!("{hook}: {reason}")));
    }

    pub(super) fn finish(&mut self, status: Status, reason: Option<String>) {
        if self.parent.is_some() {
            return self.subagent_over(status, reason);
        }
        self.step = Step::Finishing;
        self.pending = Action::Finish(Box::new(Finish { status, reason, output: self.last_output.clone() }));
    }

    pub(super) fn run_finished(&mut self, finished: &RunFinished) {
        self.finished = Some(finished.clone());
        self.step = Step::Done;
        self.pending = Action::Wait;
    }
}
