//! Tools that guests call: each in a round of its own, while its caller waits. With the answer the caller is run again.

use sha2::{Digest, Sha256};

use super::action::{Action, Answer};
use super::hooks::HookRound;
use super::ledger::{CallStatus, ToolCallState};
use super::tools::{Slot, ToolRound};
use super::{Machine, Step};
use crate::event::{CallReport, Input, ToolAnswered, ToolRequested};
use crate::message::ToolCall;
use crate::request::{TOOL_REQUESTS_MAX, ToolAnswer, ToolRefusal, tool};

/// Whoever waits for a tool.
#[derive(Debug, Clone)]
pub(super) struct Caller {
    /// Where the run was when it called.
    step: Step,
    /// The tool call within which it called; none where no tool did.
    call: Option<String>,
    /// Id of the call that it waits for.
    request: String,
    import: String,
    /// It, after all that wait for it.
    callers: Vec<String>,
}

impl Machine {
    /// A guest's call has ended with the call of a tool.
    pub(super) fn tool_requested(&mut self, requested: &ToolRequested) -> bool {
        let Some(callers) = self.now_requests(requested) else { return false };
        let caller = Caller {
            step: std::mem::replace(&mut self.step, Step::Done),
            call: requested.call.clone(),
            request: requested.request.id.clone(),
            import: requested.import.clone(),
            callers,
        };
        let call = requested.request.clone();
        let (id, name) = (call.id.clone(), call.name.clone());
        self.ledger.tool_calls.push(ToolCallState { id, name, status: CallStatus::Pending, retries: 0 });
        self.ledger.tool_requests = self.ledger.tool_requests.saturating_add(1);
        let over = match self.ledger.tool_requests > TOOL_REQUESTS_MAX {
            true => Some(format!("the components of a run may call {TOOL_REQUESTS_MAX} tools")),
            false => self.spent(),
        };
        let mut slot = Slot::new(call);
        if let Some(reason) = over {
            slot.fail_as("tools.over_budget", format!("not called: {reason}"));
        }
        self.allow_next(Box::new(ToolRound { caller: Some(Box::new(caller)), ..ToolRound::new(vec![slot]) }));
        true
    }

    /// Keeps what the caller was told so far; its callers, where it is at work.
    fn now_requests(&mut self, requested: &ToolRequested) -> Option<Vec<String>> {
        let report = Some(requested.report.clone());
        match (&mut self.step, &requested.call) {
            (Step::Hooks(hooks), None) if hooks.binding().is_some_and(|it| it.hook == requested.by) => {
                hooks.earlier = report;
                Some(hooks.callers())
            }
            (Step::Tools(round), Some(call)) => {
                let planned = round.planned.iter_mut().find(|planned| planned.call.id == *call)?;
                planned.earlier = report;
                Some(planned.callers.clone())
            }
            (Step::Flow(call), None) if call.flow == requested.by => {
                call.earlier = report;
                Some(call.callers.clone())
            }
            _ => None,
        }
    }

    /// A round that a guest asked for is over.
    pub(super) fn answer_caller(&mut self, caller: Box<Caller>, round: ToolRound) {
        let slot = round.slots.into_iter().next();
        let answer: ToolAnswer = match slot.as_ref().and_then(|slot| slot.result.as_ref().map(|it| (slot, it))) {
            Some((_, result)) if !result.failed => Ok(result.text.clone()),
            Some((slot, result)) => {
                Err(ToolRefusal::new(slot.code.as_deref().unwrap_or("tools.failed"), result.text.clone()))
            }
            None => Err(ToolRefusal::new("tools.failed", "it was not called")),
        };
        let status = if answer.is_err() { CallStatus::Failed } else { CallStatus::Completed };
        if let Some(state) = self.ledger.tool_calls.iter_mut().rev().find(|state| state.id == caller.request) {
            state.status = status;
        }
        let json = serde_json::to_vec(&answer).unwrap_or_default();
        let answered = ToolAnswered {
            request: caller.request.clone(),
            import: caller.import.clone(),
            sha256: hex::encode(Sha256::digest(&json)),
            code: answer.err().map(|refusal| refusal.code),
        };
        self.step = Step::Requested(caller);
        self.pending = Action::AnswerTool(Box::new(Answer { answered, json }));
    }

    /// The answer stands in the journal: the caller is run again from its start.
    pub(super) fn tool_request_answered(&mut self, answered: &ToolAnswered) -> bool {
        let caller = match std::mem::replace(&mut self.step, Step::Done) {
            Step::Requested(caller) if caller.request == answered.request => caller,
            other => {
                self.step = other;
                return false;
            }
        };
        let input = Input { import: answered.import.clone(), sha256: answered.sha256.clone() };
        let tell = |report: &mut Option<CallReport>| report.get_or_insert_default().inputs.push(input);
        let Caller { step, call, .. } = *caller;
        match step {
            Step::Hooks(mut hooks) => {
                tell(&mut hooks.earlier);
                self.run_hook(*hooks);
            }
            Step::Tools(mut round) => {
                let made = |planned: &&mut super::PlannedCall| call.as_ref() == Some(&planned.call.id);
                if let Some(planned) = round.planned.iter_mut().find(made) {
                    tell(&mut planned.earlier);
                }
                self.call_planned(round);
            }
            Step::Flow(mut call) => {
                tell(&mut call.earlier);
                self.call_flow_again(call);
            }
            other => {
                self.step = other;
                return false;
            }
        }
        true
    }
}

impl HookRound {
    /// The hook at work, after all that wait for it.
    pub(super) fn callers(&self) -> Vec<String> {
        let before = self.tools.as_deref().map(ToolRound::callers).unwrap_or_default();
        let own = self.binding().map(|binding| crate::request::hook(&binding.hook));
        before.iter().cloned().chain(own).collect()
    }
}

impl ToolRound {
    /// Those that wait for the round: none where a model asked for it.
    pub(super) fn callers(&self) -> &[String] {
        self.caller.as_ref().map_or(&[], |caller| &caller.callers)
    }

    /// A tool of the round, after all that wait for it.
    pub(super) fn callers_of(&self, call: &ToolCall) -> Vec<String> {
        self.callers().iter().cloned().chain([tool(&call.name)]).collect()
    }
}
