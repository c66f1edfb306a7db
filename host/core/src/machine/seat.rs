//! Who is at work: a subagent takes the seat for a while, a handoff for good.
//!
//! A subagent's conversation, prompt, limits of turns and progress are its own; tokens, money, minutes, files read, tasks and
//! decisions are the run's. What its parent was at is put aside meanwhile, and comes back untouched.

use super::action::Action;
use super::progress::Progress;
use super::tools::ToolRound;
use super::{Draft, Machine, Step};
use crate::delegation::{self, Order, Returned, SUBAGENT_TURNS_MAX, SUBAGENTS_MAX};
use crate::event::{HandoffMade, HookBinding, PromptAssembled, Status, SubagentFinished, SubagentStarted};
use crate::hook::{Addition, Brief, HookInput, Part};
use crate::message::{Message, ToolResult};
use crate::summary;

/// What an agent was at when it spawned a subagent.
#[derive(Debug, Clone)]
pub(super) struct Parent {
    agent: String,
    round: Box<ToolRound>,
    /// What the subagent began with.
    started: SubagentStarted,
    /// Whether the subagent was told already that its answer lacks something.
    reminded: bool,
    own: Own,
}

/// What belongs to one agent's own conversation.
#[derive(Debug, Clone, Default)]
struct Own {
    history: Vec<Message>,
    history_before: usize,
    input: String,
    additions: Vec<Addition>,
    prompt: Option<PromptAssembled>,
    progress: Progress,
    accepted: Vec<Part>,
    reworks: Vec<String>,
    drafts: Vec<Draft>,
    last_output: Option<String>,
    finalizing: bool,
    sitting_turns: u32,
    repairs: u32,
    /// What is known of messages that made room.
    earlier: summary::Summary,
    counted: Option<super::compact::Counted>,
}

impl Machine {
    /// The agent at work.
    #[must_use]
    pub fn agent(&self) -> &str {
        &self.agent
    }

    /// Id of the call that spawned the agent at work; none where it is no subagent.
    #[must_use]
    pub fn spawned_by(&self) -> Option<&str> {
        self.parent.as_ref().map(|parent| parent.started.call.as_str())
    }

    /// Whether memory is shown to the agent at work and may be written by it.
    #[must_use]
    pub fn remembers(&self) -> bool {
        if self.agent == self.start.agent {
            return self.start.memory;
        }
        self.start.agents.get(&self.agent).is_some_and(|agent| agent.memory)
    }

    /// The hooks of the agent at work.
    pub(super) fn hooks(&self) -> &[HookBinding] {
        match self.start.agents.get(&self.agent) {
            Some(agent) if self.agent != self.start.agent => &agent.hooks,
            _ => &self.start.hooks,
        }
    }

    /// JSON Schema of the output of the agent at work.
    pub(super) fn output_schema(&self) -> Option<&serde_json::Value> {
        match self.start.agents.get(&self.agent) {
            Some(agent) if self.agent != self.start.agent => agent.output_schema.as_ref(),
            _ => self.start.output_schema.as_ref(),
        }
    }

    pub(super) fn turns_max(&self) -> u32 {
        self.parent.as_ref().map_or(self.start.limits.max_turns, |parent| parent.started.turns_max)
    }

    /// Goes on with the next call that gives work to another agent; handing over comes last. Ends the round where there is
    /// none.
    pub(super) fn delegate_next(&mut self, mut round: Box<ToolRound>) {
        let open = |name: &str| delegation::target(name).is_none();
        let spawn = round.slots.iter().position(|slot| slot.result.is_none() && open(&slot.call.name));
        let next = spawn.or_else(|| round.slots.iter().position(|slot| slot.result.is_none()));
        let Some(position) = next else { return self.end_tools(*round) };
        round.position = position;
        let call = round.slots.get(position).map(|slot| slot.allowed.clone().unwrap_or_else(|| slot.call.clone()));
        let Some(call) = call else { return self.end_tools(*round) };
        let wanted = match delegation::target(&call.name) {
            None => self.order(&call.arguments).map(|(order, turns_max)| HookInput::OnSubagentStart {
                agent: order.agent,
                task: order.task,
                turns_max,
            }),
            Some(_) if round.handed_over.is_some() => Err("you have handed over already".to_owned()),
            Some(target) => Brief::read(&call.arguments).map(|brief| HookInput::OnHandoff {
                source: self.agent.clone(),
                target: target.to_owned(),
                brief,
            }),
        };
        match wanted {
            Ok(input) => self.run_hooks(input, Some(round)),
            Err(why) => self.not_delegated(round, &why),
        }
    }

    /// The order in a call's arguments, and how many turns it may take.
    fn order(&self, arguments: &str) -> Result<(Order, u32), String> {
        let order = Order::read(arguments)?;
        let agent = self.start.agents.get(&order.agent).ok_or_else(|| {
            let known: Vec<&str> = self.start.agents.keys().map(String::as_str).collect();
            format!("there is no subagent `{}`; there are {}", order.agent, known.join(", "))
        })?;
        if self.spawned >= SUBAGENTS_MAX {
            return Err(format!("this run has spawned {SUBAGENTS_MAX} subagents, as many as it may"));
        }
        let turns_max = agent.max_turns.clamp(1, SUBAGENT_TURNS_MAX);
        Ok((order, turns_max))
    }

    fn not_delegated(&mut self, mut round: Box<ToolRound>, why: &str) {
        let position = round.position;
        if let Some(slot) = round.slots.get_mut(position) {
            slot.fail(format!("not done: {why}"));
        }
        self.delegate_next(round);
    }

    /// The hooks let the task pass: what they left of it is checked again.
    pub(super) fn spawn(&mut self, round: Option<Box<ToolRound>>, task: String) {
        let Some(round) = round else { return };
        let Some(slot) = round.slots.get(round.position) else { return };
        let arguments = &slot.allowed.as_ref().unwrap_or(&slot.call).arguments;
        let checked = self.order(arguments).and_then(|(order, turns_max)| {
            let order = Order { task, ..order };
            order.check().map(|()| (order, turns_max))
        });
        match checked {
            Ok((order, turns_max)) => {
                let (call, parent) = (slot.call.id.clone(), self.agent.clone());
                self.step = Step::Delegating(round);
                self.pending = Action::Spawn(Box::new(SubagentStarted { call, parent, order, turns_max }));
            }
            Err(why) => self.not_delegated(round, &why),
        }
    }

    pub(super) fn subagent_started(&mut self, started: &SubagentStarted) {
        let round = match std::mem::replace(&mut self.step, Step::Done) {
            Step::Delegating(round) => round,
            other => {
                self.step = other;
                return;
            }
        };
        // Its hooks see the task; what it is to work on they see with the messages, as with everything that was read.
        let input = started.order.task.clone();
        let own = self.exchange(Own { input: input.clone(), ..Own::default() });
        let agent = std::mem::replace(&mut self.agent, started.order.agent.clone());
        self.spawned += 1;
        self.parent = Some(Box::new(Parent { agent, round, started: started.clone(), reminded: false, own }));
        self.run_hooks(HookInput::PreLoop { input, subjects: self.start.subjects.clone(), facts: None }, None);
    }

    /// What the agent at work reads before its first turn.
    pub(super) fn first_message(&mut self) -> String {
        if let Some(parent) = &self.parent {
            return Order { task: self.input.clone(), ..parent.started.order.clone() }.message();
        }
        self.incoming.take().unwrap_or_else(|| self.input.clone())
    }

    /// Puts another conversation in the place of the one that is going on.
    fn exchange(&mut self, new: Own) -> Own {
        use std::mem::replace;
        Own {
            history: replace(&mut self.context.history, new.history),
            history_before: replace(&mut self.context.history_before, new.history_before),
            input: replace(&mut self.input, new.input),
            additions: replace(&mut self.additions, new.additions),
            prompt: replace(&mut self.prompt, new.prompt),
            progress: replace(&mut self.progress, new.progress),
            accepted: replace(&mut self.accepted, new.accepted),
            reworks: replace(&mut self.reworks, new.reworks),
            drafts: replace(&mut self.context.drafts, new.drafts),
            last_output: replace(&mut self.last_output, new.last_output),
            finalizing: replace(&mut self.finalizing, new.finalizing),
            sitting_turns: replace(&mut self.sitting_turns, new.sitting_turns),
            repairs: replace(&mut self.repairs, new.repairs),
            earlier: replace(&mut self.context.earlier, new.earlier),
            counted: replace(&mut self.counted, new.counted),
        }
    }

    /// What a subagent is told once where its last answer cannot be taken apart.
    pub(super) fn summary_missing(&mut self, text: &str) -> Option<String> {
        // An output with a schema has no headings.
        if self.output_schema().is_some() {
            return None;
        }
        let parent = self.parent.as_mut().filter(|parent| !parent.reminded && !self.finalizing)?;
        let reminder = Returned::read(text).err()?;
        parent.reminded = true;
        Some(reminder)
    }

    /// A subagent has come to its end: its parent takes the seat again, and the hooks see what comes back. Of a subagent
    /// that did not end well nothing comes back but the reason: a guardrail may have ended it for what it wrote.
    pub(super) fn subagent_over(&mut self, status: Status, reason: Option<String>) {
        let output = self.last_output.take();
        let Some(parent) = self.parent.take() else { return };
        let Parent { agent, mut round, started, own, .. } = *parent;
        let _over = self.exchange(own);
        self.agent = agent;
        let summary = match status {
            Status::Success => Some(Returned::plain(&output.unwrap_or_default())),
            _ => None,
        };
        let text = match (&summary, &reason) {
            (Some(summary), _) => summary.text(),
            (None, reason) => {
                format!("the subagent ended with {}: {}", status.name(), reason.as_deref().unwrap_or("no reason given"))
            }
        };
        let (call, name) = (started.call, started.order.agent);
        let input =
            HookInput::OnSubagentEnd { agent: name.clone(), status: status.name().to_owned(), summary: text.clone() };
        round.returned = Some(SubagentFinished { call, agent: name, status, reason, summary, text });
        self.run_hooks(input, Some(round));
    }

    /// The hooks let the summary pass.
    pub(super) fn give_back(&mut self, round: Option<Box<ToolRound>>, text: String) {
        let Some(mut round) = round else { return };
        let Some(mut returned) = round.returned.take() else { return };
        returned.text = text;
        self.step = Step::Delegating(round);
        self.pending = Action::Return(Box::new(returned));
    }

    pub(super) fn subagent_finished(&mut self, finished: &SubagentFinished) {
        let mut round = match std::mem::replace(&mut self.step, Step::Done) {
            Step::Delegating(round) => round,
            other => {
                self.step = other;
                return;
            }
        };
        let position = round.position;
        if let Some(slot) = round.slots.get_mut(position) {
            let failed = finished.status != Status::Success;
            let (id, name, text) = (slot.call.id.clone(), slot.call.name.clone(), finished.text.clone());
            slot.result = Some(ToolResult { id, name, failed, text });
        }
        self.pass_next(round);
    }

    /// The hooks let the brief pass: what they left of it is checked again.
    pub(super) fn hand_off(&mut self, round: Option<Box<ToolRound>>, brief: Brief) {
        let Some(round) = round else { return };
        if let Err(why) = brief.check() {
            return self.not_delegated(round, &why);
        }
        let Some(slot) = round.slots.get(round.position) else { return };
        let target = delegation::target(&slot.call.name).unwrap_or_default().to_owned();
        let made = HandoffMade { call: slot.call.id.clone(), source: self.agent.clone(), target, brief };
        self.step = Step::Delegating(round);
        self.pending = Action::HandOff(Box::new(made));
    }

    pub(super) fn handoff_made(&mut self, made: &HandoffMade) {
        let mut round = match std::mem::replace(&mut self.step, Step::Done) {
            Step::Delegating(round) => round,
            other => {
                self.step = other;
                return;
            }
        };
        let position = round.position;
        if let Some(slot) = round.slots.get_mut(position) {
            let (id, name) = (slot.call.id.clone(), slot.call.name.clone());
            slot.result = Some(ToolResult { id, name, failed: false, text: format!("{} has taken over", made.target) });
            slot.passed = true;
        }
        self.agent.clone_from(&made.target);
        // Should the messages make room one day, what was handed over stays.
        for entry in made.brief.decisions.iter().chain(&made.brief.constraints) {
            self.context.earlier.constrain(entry);
        }
        round.handed_over = Some(made.brief.message(&made.source));
        self.delegate_next(round);
    }

    /// Another agent takes the seat: its hooks see the request, its prompt is made, and it reads what it was told.
    pub(super) fn take_over(&mut self, message: String) {
        self.incoming = Some(message);
        self.prompt = None;
        self.progress = Progress::default();
        let (input, subjects) = (self.input.clone(), self.start.subjects.clone());
        self.run_hooks(HookInput::PreLoop { input, subjects, facts: None }, None);
    }
}
