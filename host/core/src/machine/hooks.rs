//! Hooks of one point, one after the other, each seeing what the one before it left.

use super::action::{Action, Ask, HookCall, Stamp};
use super::conversation::Work;
use super::{Machine, Step};
use crate::event::{CallReport, HookBinding, HookFinished, ItemDecided, QuestionAnswered, QuestionAsked};
use crate::flow::ShownMessage;
use crate::hook::{CallContext, Change, HookInput, OnFailure, Verdict};
use crate::message::ToolCall;
use crate::parts;
use crate::question::{Answer, Decision, Outcome, Question};

/// The hooks of a point, at work.
#[derive(Debug, Clone)]
pub(super) struct HookRound {
    bindings: Vec<HookBinding>,
    position: usize,
    pub(super) input: HookInput,
    answers: Vec<(String, Outcome)>,
    asked: Option<Asked>,
    told: Option<CallReport>,
    stamp: Stamp,
    /// What the hook was told about the run when it was first run: a fork goes on with it.
    context: Option<CallContext>,
    /// The tool round that goes on afterwards, at the points around a tool.
    pub(super) tools: Option<Box<super::ToolRound>>,
}

#[derive(Debug, Clone)]
struct Asked {
    question: Question,
    hash: String,
    decided: Vec<Decision>,
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
        let (answers, stamp) = (Vec::new(), self.ledger.stamp);
        self.run_hook(HookRound {
            bindings,
            position: 0,
            input,
            answers,
            asked: None,
            told: None,
            stamp,
            context: None,
            tools,
        });
    }

    /// Shows the post-loop hooks what a flow wants to show the person.
    pub(super) fn show_to_hooks(&mut self, messages: Vec<ShownMessage>) {
        let output = messages.iter().map(ShownMessage::text).collect::<Vec<_>>().join("\n\n");
        let (reads, decisions) = (self.ledger.reads.clone(), self.ledger.decisions.clone());
        let (parts, accepted, facts) = (Vec::new(), Vec::new(), self.facts());
        self.run_hooks(HookInput::PostLoop { output, shown: messages, parts, reads, accepted, decisions, facts }, None);
    }

    /// Whether a flow and the person talk, and no agent is at work.
    pub(super) const fn in_exchange(&self) -> bool {
        matches!(self.conversation.work, Work::Exchange)
    }

    fn run_hook(&mut self, mut hooks: HookRound) {
        let Some(binding) = hooks.bindings.get(hooks.position) else { return self.hooks_done(hooks) };
        let context = hooks.context.get_or_insert_with(|| self.call_context()).clone();
        self.pending = Action::RunHook(Box::new(HookCall {
            hook: binding.hook.clone(),
            point: binding.point,
            input: hooks.input.clone(),
            context,
            answers: hooks.answers.clone(),
            told: hooks.told.clone(),
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
                self.refused(hooks, reason);
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
                OnFailure::Skip => {
                    self.ledger.feedback.push(format!("{} failed and was skipped ({why})", binding.hook))
                }
            }
        }
        hooks.position += 1;
        hooks.answers = Vec::new();
        hooks.told = None;
        hooks.context = None;
        hooks.stamp = self.ledger.stamp;
        self.run_hook(hooks);
        true
    }

    pub(super) fn question_asked(&mut self, asked: &QuestionAsked) -> bool {
        let Step::Hooks(hooks) = &mut self.step else { return false };
        *self.ledger.asked.entry((asked.hook.clone(), asked.question.id.clone())).or_default() += 1;
        hooks.told = Some(asked.report.clone());
        let asked = Asked { question: asked.question.clone(), hash: asked.hash.clone(), decided: Vec::new() };
        hooks.asked = Some(asked);
        self.put_question();
        true
    }

    pub(super) fn item_decided(&mut self, decided: &ItemDecided) -> bool {
        let Step::Hooks(hooks) = &mut self.step else { return false };
        let Some(asked) = hooks.asked.as_mut().filter(|asked| asked.hash == decided.hash) else { return false };
        asked.decided.retain(|earlier| earlier.item != decided.decision.item);
        asked.decided.push(decided.decision.clone());
        self.put_question();
        true
    }

    fn put_question(&mut self) {
        let Step::Hooks(hooks) = &self.step else { return };
        let (Some(asked), Some(binding)) = (&hooks.asked, hooks.bindings.get(hooks.position)) else { return };
        self.pending = Action::Ask(Box::new(Ask {
            hook: binding.hook.clone(),
            question: asked.question.clone(),
            hash: asked.hash.clone(),
            decided: asked.decided.clone(),
            time: self.ledger.asked.get(&(binding.hook.clone(), asked.question.id.clone())).copied().unwrap_or(1),
        }));
    }

    /// An answer counts only for the very question that waits.
    pub(super) fn question_answered(&mut self, answered: &QuestionAnswered) -> bool {
        let Some(mut hooks) = self.take_hooks() else { return false };
        if hooks.asked.as_ref().is_none_or(|asked| asked.hash != answered.hash) {
            self.step = Step::Hooks(Box::new(hooks));
            return false;
        }
        if let Outcome::Answered(Answer::Items(decisions)) = &answered.outcome {
            self.ledger.decisions.extend(decisions.iter().cloned());
        }
        if let (Some(asked), Some(binding)) = (hooks.asked.take(), hooks.bindings.get(hooks.position)) {
            self.ledger.questions.push(super::Asked {
                hook: binding.hook.clone(),
                question: asked.question,
                outcome: answered.outcome.clone(),
                rework_round: self.ledger.rework_rounds,
                elapsed_ms: answered.elapsed_ms,
            });
        }
        hooks.answers.push((answered.hash.clone(), answered.outcome.clone()));
        self.run_hook(hooks);
        true
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
            (Self::PreModel { messages, .. }, Change::Messages { messages: changed }) => messages.clone_from(changed),
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
