//! Hooks of one point, one after the other, each seeing what the one before it left.

use super::action::{Action, HookCall, Stamp};
use super::conversation::Work;
use super::questions::{of_failed_check, said_yes};
use super::{Machine, Step};
use crate::event::{CallReport, HookBinding, HookFinished};
use crate::flow::ShownMessage;
use crate::hook::{CallContext, Change, HookInput, OnFailure, Verdict};
use crate::message::ToolCall;
use crate::parts;
use crate::question::Outcome;

/// The hooks of a point, at work.
#[derive(Debug, Clone)]
pub(super) struct HookRound {
    bindings: Vec<HookBinding>,
    position: usize,
    pub(super) input: HookInput,
    /// What the hook was told up to its last request, with the answer to that.
    pub(super) earlier: Option<CallReport>,
    /// Why the hook failed, while the person decides whether to go on without it.
    failed: Option<String>,
    stamp: Stamp,
    /// What the hook was told about the run when it was first run: a fork goes on with it.
    context: Option<CallContext>,
    /// The tool round that goes on afterwards, at the points around a tool.
    pub(super) tools: Option<Box<super::ToolRound>>,
}

impl HookRound {
    /// The hook that is at work.
    pub(super) fn binding(&self) -> Option<&HookBinding> {
        self.bindings.get(self.position)
    }
}

impl Machine {
    /// Runs the hooks of the input's point, then goes on with what they left of it.
    pub(super) fn run_hooks(&mut self, input: HookInput, tools: Option<Box<super::ToolRound>>) {
        let point = input.point();
        // Who takes over works on the same request: a hook that has seen it does not ask about it again.
        let seen = |hook: &String| {
            point == crate::Point::PreLoop
                && matches!(self.conversation.work, Work::Run)
                && self.ledger.request_seen_by.contains(hook)
        };
        let due = |binding: &&HookBinding| binding.point == point && !seen(&binding.hook);
        let bindings = self.hooks().iter().filter(due).cloned().collect();
        let stamp = self.ledger.stamp;
        let (earlier, failed, context) = (None, None, None);
        self.run_hook(HookRound { bindings, position: 0, input, earlier, failed, stamp, context, tools });
    }

    /// Shows the post-loop hooks what a flow wants to show the person, and what its reply says beside that.
    pub(super) fn show_to_hooks(&mut self, messages: Vec<ShownMessage>, beside: Vec<String>) {
        let output = messages.iter().map(ShownMessage::text).chain(beside).collect::<Vec<_>>().join("\n\n");
        let (reads, decisions) = (self.ledger.reads.clone(), self.ledger.decisions.clone());
        let (parts, accepted, facts) = (Vec::new(), Vec::new(), self.facts());
        self.run_hooks(HookInput::PostLoop { output, shown: messages, parts, reads, accepted, decisions, facts }, None);
    }

    /// Whether a flow and the person talk, and no agent is at work.
    pub(super) const fn in_exchange(&self) -> bool {
        matches!(self.conversation.work, Work::Exchange)
    }

    pub(super) fn run_hook(&mut self, mut hooks: HookRound) {
        let callers = hooks.callers();
        let Some(binding) = hooks.bindings.get(hooks.position) else { return self.hooks_done(hooks) };
        let context = hooks.context.get_or_insert_with(|| self.call_context()).clone();
        self.pending = Action::RunHook(Box::new(HookCall {
            hook: binding.hook.clone(),
            point: binding.point,
            input: hooks.input.clone(),
            context,
            earlier: hooks.earlier.clone(),
            callers,
            stamp: hooks.stamp,
        }));
        self.step = Step::Hooks(Box::new(hooks));
    }

    fn take_hooks(&mut self) -> Option<HookRound> {
        match std::mem::replace(&mut self.step, Step::Done) {
            Step::Hooks(hooks) => Some(*hooks),
            other => {
                self.step = other;
                None
            }
        }
    }

    pub(super) fn hook_finished(&mut self, finished: &HookFinished) -> bool {
        let Some(mut hooks) = self.take_hooks() else { return false };
        let Some(binding) = hooks.bindings.get(hooks.position).filter(|it| it.hook == finished.hook).cloned() else {
            self.step = Step::Hooks(Box::new(hooks));
            return false;
        };
        if finished.point == crate::Point::PreLoop && matches!(self.conversation.work, Work::Run) {
            self.ledger.request_seen_by.insert(finished.hook.clone());
        }
        let notes = finished.notes.iter().map(|note| format!("{}: {note}", finished.hook));
        self.ledger.feedback.extend(notes);
        self.ledger.findings.retain(|_| finished.point != crate::Point::PostLoop || hooks.position > 0);
        self.ledger.findings.extend(finished.findings.iter().cloned());
        let failed = match &finished.verdict {
            Verdict::Pass => None,
            Verdict::Modify(change) => {
                self.keep_additions(change);
                hooks.input.apply(change).err()
            }
            Verdict::Refuse { reason } => {
                self.refused(hooks, &binding.hook, reason);
                return true;
            }
            Verdict::Rework { instruction, accepted, rounds_max } => {
                self.rework(hooks, &binding.hook, instruction, accepted, *rounds_max);
                return true;
            }
            Verdict::Abort { code, reason, declined } => {
                self.aborted(&hooks, &binding.hook, (code, reason, *declined));
                return true;
            }
            Verdict::Failed { code, reason } => Some(format!("{code}: {reason}")),
        };
        if let Some(why) = failed {
            match binding.on_failure {
                OnFailure::Abort => {
                    self.aborted(&hooks, &binding.hook, ("hook.failed", &format!("it failed ({why})"), false));
                    return true;
                }
                OnFailure::Ask => {
                    self.pending =
                        Action::PutQuestion(Box::new(of_failed_check(self.ledger.stamp, &binding.hook, &why)));
                    hooks.failed = Some(why);
                    self.step = Step::Hooks(Box::new(hooks));
                    return true;
                }
                OnFailure::Tell | OnFailure::Skip => {
                    self.ledger.feedback.push(format!("{} failed and was skipped ({why})", binding.hook))
                }
            }
        }
        self.next_hook(hooks);
        true
    }

    /// The person has decided whether to go on although a check could not be made.
    pub(super) fn unchecked(&mut self, mut hooks: HookRound, outcome: &Outcome) {
        let hook = hooks.binding().map(|binding| binding.hook.clone()).unwrap_or_default();
        let why = hooks.failed.take().unwrap_or_default();
        match said_yes(outcome) {
            Ok(()) => {
                self.ledger.feedback.push(format!("{hook} failed, and the person went on without it ({why})"));
                self.next_hook(hooks);
            }
            Err(_) => self.aborted(&hooks, &hook, ("hook.failed", &format!("it failed ({why})"), false)),
        }
    }

    fn next_hook(&mut self, mut hooks: HookRound) {
        hooks.position += 1;
        hooks.earlier = None;
        hooks.context = None;
        hooks.stamp = self.ledger.stamp;
        self.run_hook(hooks);
    }

    /// Every hook of the point has let it pass: goes on with what they left.
    fn hooks_done(&mut self, hooks: HookRound) {
        match hooks.input.clone() {
            HookInput::PreLoop { input, .. } if self.in_exchange() => self.opened(input),
            HookInput::PreLoop { input, .. } => {
                self.conversation.input = input;
                self.assemble();
            }
            HookInput::PreModel { messages, .. } => self.call_model(messages),
            HookInput::PostModel { text, calls, .. } => self.model_passed(text, calls),
            HookInput::PreTool { call } => self.tool_allowed(hooks.tools, call),
            HookInput::PostTool { result, .. } => self.tool_passed(hooks.tools, result),
            HookInput::PostLoop { shown, .. } if self.in_exchange() => self.passed(shown),
            HookInput::PostLoop { output, .. } => self.output_passed(output),
            HookInput::OnSubagentStart { task, .. } => self.spawn(hooks.tools, task),
            HookInput::OnSubagentEnd { summary, .. } => self.give_back(hooks.tools, summary),
            HookInput::OnHandoff { brief, .. } => self.hand_off(hooks.tools, brief),
        }
    }

    fn keep_additions(&mut self, change: &Change) {
        if let Change::Input { additions, .. } = change {
            self.conversation.additions.extend(additions.iter().cloned());
        }
    }
}

impl HookInput {
    /// Changes what the next hook sees. The error says why the change does not belong here.
    ///
    /// # Errors
    /// Where the change is one that the point does not allow.
    pub fn apply(&mut self, change: &Change) -> Result<(), String> {
        match (self, change) {
            (Self::PreLoop { input, .. }, Change::Input { input: changed, .. }) => {
                if let Some(changed) = changed {
                    input.clone_from(changed);
                }
            }
            (Self::PreModel { messages, .. }, Change::Messages { messages: changed }) => {
                *messages = changed.clone().into()
            }
            (Self::PostModel { text, .. }, Change::Text { text: changed }) => text.clone_from(changed),
            (Self::PreTool { call }, Change::Arguments { arguments }) => change_arguments(call, arguments)?,
            (Self::PostTool { result, .. }, Change::Text { text }) => result.text.clone_from(text),
            (
                Self::PostLoop { output, shown, parts: of_output, .. },
                Change::Output { output: changed, shown: messages },
            ) => {
                output.clone_from(changed);
                shown.clone_from(messages);
                *of_output = parts::read(output);
            }
            (Self::OnHandoff { brief, .. }, Change::Brief { brief: changed }) => brief.clone_from(changed),
            (Self::OnSubagentStart { task, .. }, Change::Text { text }) => task.clone_from(text),
            (Self::OnSubagentEnd { summary, .. }, Change::Text { text }) => summary.clone_from(text),
            (input, _) => return Err(format!("hook.malformed: a change that {} does not allow", input.point())),
        }
        Ok(())
    }
}

fn change_arguments(call: &mut ToolCall, arguments: &str) -> Result<(), String> {
    let value: serde_json::Value =
        serde_json::from_str(arguments).map_err(|error| format!("hook.malformed: {error}"))?;
    if !value.is_object() {
        return Err("hook.malformed: arguments that are no object".to_owned());
    }
    arguments.clone_into(&mut call.arguments);
    Ok(())
}
