//! The tool calls of one turn: hooks before each, all calls at once, hooks after each, results in the order of the calls.

use super::action::{Action, PlannedCall, Settlement};
use super::ledger::{CallStatus, ToolCallState};
use super::questions::{HOST, of_change, said_yes};
use super::requests::Waiting;
use super::{Machine, Step};
use crate::delegation::delegates;
use crate::event::{Effects, Status, SubagentFinished, ToolFinished, ToolSettled, Write, WritesDone, WritesIntended};
use crate::hook::{FileChange, FileDigest, HookInput};
use crate::message::{Message, ToolCall, ToolResult};
use crate::question::Outcome;
use crate::request::ARGUMENTS_BYTES_MAX;

/// Calls of one message that are made; a model that asks for more is told so.
const CALLS_MAX: usize = 32;
/// Who refuses where the person does, in `ToolSettled::refused_by`.
const PERSON: &str = "person";

/// The calls of one turn.
#[derive(Debug, Clone)]
pub(super) struct ToolRound {
    pub(super) slots: Vec<Slot>,
    /// The call that the hooks around a tool are at.
    pub(super) position: usize,
    /// What the agent that takes over once the round is done is told.
    pub(super) handed_over: Option<String>,
    /// What the subagent that is over gives back, while the hooks look at it.
    pub(super) returned: Option<SubagentFinished>,
    /// Calls that are to be made: one that was begun keeps its context, its time and its seed.
    pub(super) planned: Vec<PlannedCall>,
    /// The guest that called the round's one tool; none where the model asked for the round.
    pub(super) caller: Option<Box<Waiting>>,
}

#[derive(Debug, Clone)]
pub(super) struct Slot {
    /// As the model asked for it.
    pub(super) call: ToolCall,
    /// As it is made, once the pre-tool hooks have let it pass.
    pub(super) allowed: Option<ToolCall>,
    pub(super) result: Option<ToolResult>,
    /// A stable word where it failed, for a guest that called it.
    pub(super) code: Option<String>,
    /// Whether the post-tool hooks have seen the result; results that no tool gave are not shown to them.
    pub(super) passed: bool,
    /// What it would do to files: not in place yet.
    staged: Vec<FileChange>,
    /// What else it would do.
    effects: Effects,
    /// How many of these may be made: nothing has to be asked about them, or the person said yes.
    settled: usize,
    /// Whether it is one too many, which says nothing about its tool.
    over: bool,
}

/// Calls fit for the history: ids that differ, arguments that are JSON objects. What is wrong with a call is kept in
/// its place, so that the model reads it as that call's result.
pub(super) fn sanitized(calls: &[ToolCall], cut_off: bool) -> Vec<ToolCall> {
    let mut ids = std::collections::HashSet::new();
    let mut sane: Vec<ToolCall> = Vec::new();
    for (index, call) in calls.iter().enumerate() {
        let mut call = call.clone();
        if call.id.is_empty() || !ids.insert(call.id.clone()) {
            call.id = format!("{}#{index}", call.id);
            ids.insert(call.id.clone());
        }
        if cut_off || call.arguments.trim().is_empty() {
            call.arguments =
                if cut_off { marked("your message was cut off before the call was complete") } else { "{}".to_owned() };
        } else if call.arguments.len() > ARGUMENTS_BYTES_MAX {
            call.arguments = marked(&format!(
                "arguments of {} bytes; at most {ARGUMENTS_BYTES_MAX} are allowed",
                call.arguments.len()
            ));
        } else {
            match serde_json::from_str::<serde_json::Value>(&call.arguments) {
                Ok(value) if value.is_object() => {}
                Ok(_) => call.arguments = marked("the arguments are no JSON object"),
                Err(error) => call.arguments = marked(&format!("the arguments are no JSON: {error}")),
            }
        }
        sane.push(call);
    }
    sane
}

fn marked(reason: &str) -> String {
    ToolCall::unusable("", "", reason).arguments
}

impl ToolRound {
    pub(super) const fn new(slots: Vec<Slot>) -> Self {
        Self { slots, position: 0, handed_over: None, returned: None, planned: Vec::new(), caller: None }
    }
}

impl Slot {
    pub(super) fn new(call: ToolCall) -> Self {
        Self {
            call,
            allowed: None,
            result: None,
            code: None,
            passed: false,
            staged: Vec::new(),
            effects: Effects::default(),
            settled: 0,
            over: false,
        }
    }

    pub(super) fn fail_as(&mut self, code: &str, text: String) {
        self.fail(text);
        self.code = Some(code.to_owned());
    }

    pub(super) fn fail(&mut self, text: String) {
        self.result = Some(ToolResult { id: self.call.id.clone(), name: self.call.name.clone(), failed: true, text });
        self.passed = true;
    }

    /// Whether something is to take effect once nobody refuses it.
    const fn changes(&self) -> bool {
        !self.staged.is_empty() || !self.effects.is_empty()
    }
}

impl Machine {
    pub(super) fn begin_tools(&mut self, text: String, calls: Vec<ToolCall>) {
        let known: Vec<String> = match &self.conversation.prompt {
            Some(prompt) => prompt.tools.iter().map(|tool| tool.name.clone()).collect(),
            None => Vec::new(),
        };
        self.conversation.history.push(Message::assistant(text, calls.clone()));
        let mut slots = Vec::new();
        for (index, call) in calls.into_iter().enumerate() {
            let retries = self.conversation.progress.failures.get(&call.name).copied().unwrap_or(0);
            let state =
                ToolCallState { id: call.id.clone(), name: call.name.clone(), status: CallStatus::Pending, retries };
            self.ledger.tool_calls.push(state);
            let over = index >= CALLS_MAX;
            let mut slot = Slot { over, ..Slot::new(call) };
            if over {
                slot.fail(format!("not called: one message may ask for {CALLS_MAX} calls at the most"));
            } else if let Some(reason) = slot.call.unusable_because() {
                slot.fail(format!("not called: {reason}; send a JSON object that fits the tool's schema"));
            } else if !known.contains(&slot.call.name) {
                slot.fail(format!("there is no tool `{}`; there are {}", slot.call.name, known.join(", ")));
            }
            slots.push(slot);
        }
        self.allow_next(Box::new(ToolRound::new(slots)));
    }

    /// Runs the pre-tool hooks of the next call that has none yet, then makes the calls.
    pub(super) fn allow_next(&mut self, mut round: Box<ToolRound>) {
        let open = |slot: &Slot| slot.allowed.is_none() && slot.result.is_none();
        match round.slots.iter().position(open) {
            Some(position) => {
                round.position = position;
                let call = round.slots.get(position).map(|slot| slot.call.clone());
                if let Some(call) = call {
                    self.run_hooks(HookInput::PreTool { call }, Some(round));
                }
            }
            None => self.make_calls(round),
        }
    }

    pub(super) fn tool_allowed(&mut self, round: Option<Box<ToolRound>>, call: ToolCall) {
        let Some(mut round) = round else { return };
        if let Some(slot) = round.slots.get_mut(round.position) {
            slot.allowed = Some(call);
        }
        self.allow_next(round);
    }

    pub(super) fn refused(&mut self, hooks: super::hooks::HookRound, hook: &str, reason: &str) {
        let called = matches!(hooks.input, HookInput::PostTool { .. });
        let Some(mut round) = hooks.tools else { return };
        if called {
            return self.refuse(round, hook, "tools.refused", format!("refused: {reason}"));
        }
        if let Some(slot) = round.slots.get_mut(round.position) {
            slot.fail_as("tools.refused", format!("refused: {reason}"));
        }
        self.allow_next(round);
    }

    /// Nothing of the call at hand takes effect; the model reads this in place of what the tool says.
    fn refuse(&mut self, mut round: Box<ToolRound>, by: &str, code: &str, text: String) {
        if let Some(slot) = round.slots.get_mut(round.position) {
            slot.fail_as(code, text);
        }
        self.settle(round, Some(by.to_owned()));
    }

    /// What becomes of the call at hand, for the journal: all of it, or nothing.
    fn settle(&mut self, mut round: Box<ToolRound>, refused_by: Option<String>) {
        let Some(slot) = round.slots.get_mut(round.position) else { return };
        let Some(result) = slot.result.clone() else { return };
        let (staged, effects) = (std::mem::take(&mut slot.staged), std::mem::take(&mut slot.effects));
        let (effects, refused) = match refused_by {
            Some(_) => (Effects::default(), staged),
            None => (effects, Vec::new()),
        };
        let settled = ToolSettled { result, refused_by, standing: Vec::new() };
        self.pending = Action::Settle(Box::new(Settlement { settled, effects, refused }));
        self.step = Step::Tools(round);
    }

    pub(super) fn tool_settled(&mut self, settled: &ToolSettled) -> bool {
        if !matches!(&self.pending, Action::Settle(due) if due.settled.result.id == settled.result.id) {
            return false;
        }
        let Step::Tools(mut round) = std::mem::replace(&mut self.step, Step::Done) else { return false };
        if let Some(slot) = round.slots.get_mut(round.position) {
            slot.result = Some(settled.result.clone());
            slot.passed = true;
        }
        self.pass_next(round);
        true
    }

    fn make_calls(&mut self, mut round: Box<ToolRound>) {
        let open = round.slots.iter().filter(|slot| slot.result.is_none()).filter_map(|slot| slot.allowed.clone());
        // Work given to other agents comes after the tools: what they find may be what it rests on.
        let open = open.filter(|call| !delegates(&call.name));
        let context = self.call_context();
        let stamp = self.ledger.stamp;
        let planned = |call: ToolCall| {
            let (context, callers) = (context.clone(), round.callers_of(&call));
            PlannedCall { call, context, earlier: None, callers, stamp }
        };
        let planned = open.map(planned).collect();
        round.planned = planned;
        self.call_planned(round);
    }

    pub(super) fn call_planned(&mut self, round: Box<ToolRound>) {
        if round.planned.is_empty() {
            return self.pass_next(round);
        }
        self.pending = Action::CallTools(round.planned.clone());
        self.step = Step::Tools(round);
    }

    pub(super) fn keep_reads(&mut self, reads: &[FileDigest]) {
        for read in reads {
            if !self.ledger.reads.contains(read) {
                self.ledger.reads.push(read.clone());
            }
        }
    }

    pub(super) fn tool_finished(&mut self, finished: &ToolFinished) -> bool {
        let Step::Tools(round) = &mut self.step else { return false };
        let Some(position) = round.slots.iter().position(|slot| slot.call.id == finished.result.id) else {
            return false;
        };
        let Some(slot) = round.slots.get_mut(position) else { return false };
        slot.result = Some(finished.result.clone());
        slot.code.clone_from(&finished.code);
        slot.staged.clone_from(&finished.staged);
        slot.effects.clone_from(&finished.effects);
        let changes = slot.changes();
        round.planned.retain(|planned| planned.call.id != finished.result.id);
        let left = round.planned.clone();
        self.keep_reads(&finished.report.reads);
        let rules = &self.ledger.start.changes;
        if let Some(change) = finished.staged.iter().find(|change| !rules.allows(&change.path)) {
            let (path, allowed) = (&change.path, rules.paths.join(", "));
            let why = format!("refused: {path} is not among what may be changed here: {allowed}");
            if let Step::Tools(mut round) = std::mem::replace(&mut self.step, Step::Done) {
                round.position = position;
                self.refuse(round, HOST, "tools.refused", why);
            }
            return true;
        }
        // What it changes is in place before the next call is made: that one may rest on it.
        if left.is_empty() || changes {
            if let Step::Tools(round) = std::mem::replace(&mut self.step, Step::Done) {
                self.pass_next(round);
            }
        } else {
            self.pending = Action::CallTools(left);
        }
        true
    }

    /// Asks about the next change that the person has to see, or lets all that the call would do take effect.
    fn place_next(&mut self, mut round: Box<ToolRound>) {
        let confirm = self.ledger.start.changes.confirm;
        let Some(slot) = round.slots.get_mut(round.position) else { return };
        while let Some(change) = slot.staged.get(slot.settled) {
            if confirm.asks(change) {
                self.pending = Action::PutQuestion(Box::new(of_change(self.ledger.stamp, change)));
                self.step = Step::Tools(round);
                return;
            }
            slot.settled += 1;
        }
        let write =
            |it: &FileChange| Write { path: it.path.clone(), before: it.before.clone(), after: it.after.clone() };
        let changes = slot.staged.iter().filter(|it| it.before.as_ref() != Some(&it.after));
        let writes: Vec<Write> = changes.map(write).collect();
        if writes.is_empty() {
            return self.settle(round, None);
        }
        self.pending = Action::PlaceWrites(WritesIntended { by: slot.call.id.clone(), writes });
        self.step = Step::Tools(round);
    }

    pub(super) fn change_decided(&mut self, mut round: Box<ToolRound>, outcome: &Outcome) {
        let Some(slot) = round.slots.get_mut(round.position) else { return };
        let path = slot.staged.get(slot.settled).map(|change| change.path.clone()).unwrap_or_default();
        match said_yes(outcome) {
            Ok(()) => {
                self.ledger.feedback.push(format!("confirmed: {path}"));
                slot.settled += 1;
                self.place_next(round);
            }
            Err(how) => {
                self.ledger.feedback.push(format!("not confirmed: {path}"));
                let text = format!(
                    "The person {how} this change of {path}. This call has written nothing. Do not try it again in other words; \
                     say that it was not made."
                );
                self.refuse(round, PERSON, "tools.not_written", text);
            }
        }
    }

    /// What a tool says that it wrote is not so where the write was refused.
    pub(super) fn tool_wrote(&mut self, done: &WritesDone) {
        let Step::Tools(round) = &self.step else { return };
        let writing = |slot: &Slot| !slot.staged.is_empty() && slot.call.id == done.by;
        if !round.slots.get(round.position).is_some_and(writing) {
            return;
        }
        let Step::Tools(round) = std::mem::replace(&mut self.step, Step::Done) else { return };
        if done.refused.is_empty() {
            return self.settle(round, None);
        }
        let written =
            if done.paths.is_empty() { String::new() } else { format!("; written: {}", done.paths.join(", ")) };
        self.refuse(round, HOST, "tools.not_written", format!("not written: {}{written}", done.refused.join("; ")));
    }

    /// Runs the post-tool hooks of the next result that they have not seen, then goes on with what is left to be done.
    pub(super) fn pass_next(&mut self, mut round: Box<ToolRound>) {
        match round.slots.iter().position(|slot| slot.result.is_some() && !slot.passed) {
            Some(position) => {
                round.position = position;
                let slot = round.slots.get(position);
                let parts =
                    slot.and_then(|slot| Some((slot.allowed.clone()?, slot.result.clone()?, slot.staged.clone())));
                if let Some((call, result, writes)) = parts {
                    self.run_hooks(HookInput::PostTool { call, result, writes }, Some(round));
                }
            }
            None if !round.planned.is_empty() => self.call_planned(round),
            None => self.delegate_next(round),
        }
    }

    pub(super) fn tool_passed(&mut self, round: Option<Box<ToolRound>>, result: ToolResult) {
        let Some(mut round) = round else { return };
        if let Some(slot) = round.slots.get_mut(round.position) {
            slot.result = Some(result);
            slot.passed = true;
            if slot.changes() {
                return self.place_next(round);
            }
        }
        self.pass_next(round);
    }

    pub(super) fn end_tools(&mut self, mut round: ToolRound) {
        if let Some(caller) = round.caller.take() {
            return self.answer_caller(caller, round);
        }
        let mut news = false;
        let handed_over = round.handed_over;
        let counted = round.slots.iter().filter(|slot| !slot.over);
        self.conversation.progress.count_failures(
            counted.filter_map(|slot| slot.result.as_ref().map(|result| (slot.call.name.as_str(), result.failed))),
        );
        for slot in round.slots {
            let Some(result) = slot.result else { continue };
            news |= !slot.over && self.conversation.progress.observe(&slot.call, &result);
            let status = if result.failed { CallStatus::Failed } else { CallStatus::Completed };
            if let Some(state) = self.ledger.tool_calls.iter_mut().rev().find(|state| state.id == result.id) {
                state.status = status;
            }
            self.conversation.history.push(Message::tool(result));
        }
        if let Some(message) = handed_over {
            return self.take_over(message);
        }
        let retries_max = self.ledger.start.limits.max_tool_retries;
        if let Some((tool, count)) = self.conversation.progress.exhausted(retries_max) {
            let reason = format!("every call of the tool `{tool}` failed, {count} messages in a row");
            return self.finish(Status::ErrorToolRetryExhausted, Some(reason));
        }
        if news {
            self.conversation.progress.idle_turns = 0;
            return self.begin_turn();
        }
        self.stalled_by("every tool call repeated an earlier one or failed", "");
    }
}
