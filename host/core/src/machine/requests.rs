//! What guests ask for from outside: a guest's call ends with a request, and with the answer it is run again. What it asks
//! the person is in [`super::questions`], what it asks a model in [`super::guests`]; a tool is called in a round of its own,
//! while its caller waits.

use sha2::{Digest, Sha256};

use super::action::{Action, Reply};
use super::hooks::HookRound;
use super::ledger::{CallStatus, ToolCallState};
use super::questions::HOST;
use super::tools::{Slot, ToolRound};
use super::{Machine, Step};
use crate::event::{CallReport, Input, RequestAnswer, RequestAnswered, RequestMade};
use crate::message::ToolCall;
use crate::question::Decision;
use crate::request::{Request, TOOL_REQUESTS_MAX, ToolAnswer, ToolRefusal, tool};

/// A request that waits for its answer.
#[derive(Debug, Clone)]
pub(super) struct Waiting {
    /// Where the run was when it was made.
    step: Step,
    pub(super) id: String,
    pub(super) by: String,
    /// The tool call within which it was made; none where no tool makes it.
    call: Option<String>,
    pub(super) hash: String,
    pub(super) request: Request,
    /// What the person has decided of it so far.
    pub(super) decided: Vec<Decision>,
    /// Whoever makes it, after all that wait for them.
    callers: Vec<String>,
}

impl Waiting {
    /// The answer that the guest is told and the journal holds.
    pub(super) fn reply(&self, json: Vec<u8>, answer: RequestAnswer) -> Action {
        let sha256 = hex::encode(Sha256::digest(&json));
        let (id, by, hash) = (self.id.clone(), self.by.clone(), self.hash.clone());
        Action::Reply(Box::new(Reply { answered: RequestAnswered { id, by, hash, sha256, answer }, json }))
    }
}

impl Machine {
    /// A guest's call has ended with a request, or the host asks.
    pub(super) fn request_made(&mut self, made: &RequestMade) -> bool {
        let callers = if made.by == HOST { self.host_asks(made) } else { self.caller_of(made) };
        let Some(callers) = callers else { return false };
        let waiting = Box::new(Waiting {
            step: std::mem::replace(&mut self.step, Step::Done),
            id: made.id.clone(),
            by: made.by.clone(),
            call: made.call.clone(),
            hash: made.hash.clone(),
            request: made.request.clone(),
            decided: Vec::new(),
            callers,
        });
        match &made.request {
            Request::Ask { question } => self.ask_person(waiting, question),
            Request::Model(question) => self.ask_model(waiting, question),
            Request::Tool { name, arguments } => {
                let (id, name, arguments) = (made.id.clone(), name.clone(), arguments.clone());
                self.call_for(waiting, ToolCall { id, name, arguments });
            }
        }
        true
    }

    /// Whether the host is to ask just this. Nobody waits for the host.
    fn host_asks(&self, made: &RequestMade) -> Option<Vec<String>> {
        matches!(&self.pending, Action::PutQuestion(due) if due.hash == made.hash).then(Vec::new)
    }

    /// Keeps what the caller was told so far; its callers, where it is at work.
    fn caller_of(&mut self, made: &RequestMade) -> Option<Vec<String>> {
        let report = Some(made.report.clone());
        match (&mut self.step, &made.call) {
            (Step::Hooks(hooks), None) if hooks.binding().is_some_and(|it| it.hook == made.by) => {
                hooks.earlier = report;
                Some(hooks.callers())
            }
            (Step::Tools(round), Some(call)) => {
                let planned = round.planned.iter_mut().find(|planned| planned.call.id == *call)?;
                planned.earlier = report;
                Some(planned.callers.clone())
            }
            (Step::Flow(call), None) if call.flow == made.by && matches!(made.request, Request::Tool { .. }) => {
                call.earlier = report;
                Some(call.callers.clone())
            }
            _ => None,
        }
    }

    /// Makes the call of a tool that a guest wants.
    fn call_for(&mut self, caller: Box<Waiting>, call: ToolCall) {
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
        self.allow_next(Box::new(ToolRound { caller: Some(caller), ..ToolRound::new(vec![slot]) }));
    }

    /// A round that a guest asked for is over.
    pub(super) fn answer_caller(&mut self, caller: Box<Waiting>, round: ToolRound) {
        let slot = round.slots.into_iter().next();
        let answer: ToolAnswer = match slot.as_ref().and_then(|slot| slot.result.as_ref().map(|it| (slot, it))) {
            Some((_, result)) if !result.failed => Ok(result.text.clone()),
            Some((slot, result)) => {
                Err(ToolRefusal::new(slot.code.as_deref().unwrap_or("tools.failed"), result.text.clone()))
            }
            None => Err(ToolRefusal::new("tools.failed", "it was not called")),
        };
        let status = if answer.is_err() { CallStatus::Failed } else { CallStatus::Completed };
        if let Some(state) = self.ledger.tool_calls.iter_mut().rev().find(|state| state.id == caller.id) {
            state.status = status;
        }
        let json = serde_json::to_vec(&answer).unwrap_or_default();
        let code = answer.err().map(|refusal| refusal.code);
        self.pending = caller.reply(json, RequestAnswer::Tool { code });
        self.step = Step::Requested(caller);
    }

    /// The answer stands in the journal: whoever asked goes on with it.
    pub(super) fn request_answered(&mut self, answered: &RequestAnswered) -> bool {
        let waiting = match std::mem::replace(&mut self.step, Step::Done) {
            Step::Requested(waiting) if waiting.answered_by(answered) => *waiting,
            other => {
                self.step = other;
                return false;
            }
        };
        match (&waiting.request, &answered.answer) {
            (Request::Ask { question }, RequestAnswer::Ask { outcome, elapsed_ms, .. }) => {
                self.keep_answer(&waiting.by, question, outcome, *elapsed_ms);
                if waiting.by == HOST {
                    self.host_answered(waiting.step, outcome);
                    return true;
                }
            }
            (Request::Model(_), RequestAnswer::Model { usage, cost_usd, .. }) => self.guest_paid(*usage, *cost_usd),
            _ => {}
        }
        let input = answered.input(waiting.request.import(&waiting.hash));
        self.go_on(waiting.step, waiting.call.as_deref(), input);
        true
    }

    /// Runs a call again from its start, told this behind what it was told before.
    fn go_on(&mut self, step: Step, call: Option<&str>, input: Input) {
        let tell = |report: &mut Option<CallReport>| report.get_or_insert_default().inputs.push(input);
        match step {
            Step::Hooks(mut hooks) => {
                tell(&mut hooks.earlier);
                self.run_hook(*hooks);
            }
            Step::Tools(mut round) => {
                if let Some(planned) = round.planned.iter_mut().find(|planned| call == Some(&planned.call.id)) {
                    tell(&mut planned.earlier);
                }
                self.call_planned(round);
            }
            Step::Flow(mut flow) => {
                tell(&mut flow.earlier);
                self.call_flow_again(flow);
            }
            other => self.step = other,
        }
    }
}

impl Waiting {
    /// Whether this is an answer to it, and of its kind.
    fn answered_by(&self, answered: &RequestAnswered) -> bool {
        let of_kind = match (&self.request, &answered.answer) {
            (Request::Ask { .. }, RequestAnswer::Ask { .. })
            | (Request::Model(_), RequestAnswer::Model { .. })
            | (Request::Tool { .. }, RequestAnswer::Tool { .. }) => true,
            (Request::Ask { .. } | Request::Model(_) | Request::Tool { .. }, _) => false,
        };
        of_kind && self.id == answered.id && self.hash == answered.hash
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
