//! Hooks of one point, one after the other, each seeing what the one before it left.

use super::action::{Action, Ask, HookCall, Stamp};
use super::{Machine, Step};
use crate::event::{CallReport, HookBinding, HookFinished, ItemDecided, QuestionAnswered, QuestionAsked};
use crate::hook::{Change, HookInput, OnFailure, Verdict};
use crate::message::ToolCall;
use crate::parts;
use crate::question::{Answer, Decision, Outcome, Question};

/// The hooks of a point, at work.
#[derive(Debug, Clone)]
pub(super) struct Chain {
    bindings: Vec<HookBinding>,
    position: usize,
    pub(super) input: HookInput,
    answers: Vec<(String, Outcome)>,
    asked: Option<Asked>,
    told: Option<CallReport>,
    stamp: Stamp,
    /// The tool round that goes on afterwards, at the points around a tool.
    pub(super) round: Option<Box<super::ToolRound>>,
}

#[derive(Debug, Clone)]
struct Asked {
    question: Question,
    hash: String,
    decided: Vec<Decision>,
}

impl Machine {
    /// Runs the hooks of the input's point, then goes on with what they left of it.
    pub(super) fn run_hooks(&mut self, input: HookInput, round: Option<Box<super::ToolRound>>) {
        let point = input.point();
        let bindings = self.hooks().iter().filter(|binding| binding.point == point).cloned().collect();
        let (answers, stamp) = (Vec::new(), self.stamp);
        let chain = Chain { bindings, position: 0, input, answers, asked: None, told: None, stamp, round };
        self.run_hook(chain);
    }

    fn run_hook(&mut self, chain: Chain) {
        let Some(binding) = chain.bindings.get(chain.position) else { return self.hooks_done(chain) };
        self.pending = Action::RunHook(Box::new(HookCall {
            hook: binding.hook.clone(),
            point: binding.point,
            input: chain.input.clone(),
            context: self.call_context(),
            answers: chain.answers.clone(),
            told: chain.told.clone(),
            stamp: chain.stamp,
        }));
        self.step = Step::Hooks(Box::new(chain));
    }

    fn take_chain(&mut self) -> Option<Chain> {
        match std::mem::replace(&mut self.step, Step::Done) {
            Step::Hooks(chain) => Some(*chain),
            other => {
                self.step = other;
                None
            }
        }
    }

    pub(super) fn hook_finished(&mut self, finished: &HookFinished) {
        let Some(mut chain) = self.take_chain() else { return };
        let Some(binding) = chain.bindings.get(chain.position).filter(|it| it.hook == finished.hook).cloned() else {
            self.step = Step::Hooks(Box::new(chain));
            return;
        };
        let notes = finished.notes.iter().map(|note| format!("{}: {note}", finished.hook));
        self.context.feedback.extend(notes);
        self.context.findings.retain(|_| finished.point != crate::Point::PostLoop || chain.position > 0);
        self.context.findings.extend(finished.findings.iter().cloned());
        let failed = match &finished.verdict {
            Verdict::Pass => None,
            Verdict::Modify(change) => {
                self.keep_additions(change);
                chain.input.apply(change).err()
            }
            Verdict::Refuse { reason } => return self.refused(chain, reason),
            Verdict::Rework { instruction, accepted, rounds_max } => {
                return self.rework(chain, &binding.hook, instruction, accepted, *rounds_max);
            }
            Verdict::Abort { reason, declined, .. } => return self.aborted(&binding.hook, reason, *declined),
            Verdict::Failed { code, reason } => Some(format!("{code}: {reason}")),
        };
        if let Some(why) = failed {
            match binding.on_failure {
                OnFailure::Abort => return self.aborted(&binding.hook, &format!("it failed ({why})"), false),
                OnFailure::Skip => {
                    self.context.feedback.push(format!("{} failed and was skipped ({why})", binding.hook))
                }
            }
        }
        chain.position += 1;
        chain.answers = Vec::new();
        chain.told = None;
        chain.stamp = self.stamp;
        self.run_hook(chain);
    }

    pub(super) fn question_asked(&mut self, asked: &QuestionAsked) {
        let Step::Hooks(chain) = &mut self.step else { return };
        *self.asked.entry((asked.hook.clone(), asked.question.id.clone())).or_default() += 1;
        chain.told = Some(asked.report.clone());
        let asked = Asked { question: asked.question.clone(), hash: asked.hash.clone(), decided: Vec::new() };
        chain.asked = Some(asked);
        self.put_question();
    }

    pub(super) fn item_decided(&mut self, decided: &ItemDecided) {
        let Step::Hooks(chain) = &mut self.step else { return };
        let Some(asked) = chain.asked.as_mut().filter(|asked| asked.hash == decided.hash) else { return };
        asked.decided.retain(|earlier| earlier.item != decided.decision.item);
        asked.decided.push(decided.decision.clone());
        self.put_question();
    }

    fn put_question(&mut self) {
        let Step::Hooks(chain) = &self.step else { return };
        let (Some(asked), Some(binding)) = (&chain.asked, chain.bindings.get(chain.position)) else { return };
        self.pending = Action::Ask(Box::new(Ask {
            hook: binding.hook.clone(),
            question: asked.question.clone(),
            hash: asked.hash.clone(),
            decided: asked.decided.clone(),
            time: self.asked.get(&(binding.hook.clone(), asked.question.id.clone())).copied().unwrap_or(1),
        }));
    }

    /// An answer counts only for the very question that waits.
    pub(super) fn question_answered(&mut self, answered: &QuestionAnswered) {
        let Some(mut chain) = self.take_chain() else { return };
        if chain.asked.as_ref().is_none_or(|asked| asked.hash != answered.hash) {
            self.step = Step::Hooks(Box::new(chain));
            return;
        }
        if let Outcome::Answered(Answer::Items(decisions)) = &answered.outcome {
            self.context.decisions.extend(decisions.iter().cloned());
        }
        if let (Some(asked), Some(binding)) = (chain.asked.take(), chain.bindings.get(chain.position)) {
            self.context.questions.push(super::Asked {
                hook: binding.hook.clone(),
                question: asked.question,
                outcome: answered.outcome.clone(),
                rework_round: self.context.rework_rounds,
                elapsed_ms: answered.elapsed_ms,
            });
        }
        chain.answers.push((answered.hash.clone(), answered.outcome.clone()));
        self.run_hook(chain);
    }

    /// Every hook of the point has let it pass: goes on with what they left.
    fn hooks_done(&mut self, chain: Chain) {
        match chain.input {
            HookInput::PreLoop { input, .. } => {
                self.input = input;
                self.step = Step::Prompt;
                self.pending = Action::Assemble(Box::new(super::Assemble {
                    agent: self.agent.clone(),
                    subagent: self.parent.is_some(),
                    input: self.input.clone(),
                    additions: self.additions.clone(),
                    corrections: self.corrections.clone(),
                }));
            }
            HookInput::PreModel { messages, .. } => self.call_model(messages),
            HookInput::PostModel { text, calls, .. } => self.model_passed(text, calls),
            HookInput::PreTool { call } => self.tool_allowed(chain.round, call),
            HookInput::PostTool { result, .. } => self.tool_passed(chain.round, result),
            HookInput::PostLoop { output, .. } => self.output_passed(output),
            HookInput::OnSubagentStart { task, .. } => self.spawn(chain.round, task),
            HookInput::OnSubagentEnd { summary, .. } => self.give_back(chain.round, summary),
            HookInput::OnHandoff { brief, .. } => self.hand_off(chain.round, brief),
        }
    }

    fn keep_additions(&mut self, change: &Change) {
        if let Change::Input { additions, .. } = change {
            self.additions.extend(additions.iter().cloned());
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
