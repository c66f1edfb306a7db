//! Who is at work: a subagent for a while, the agent that is handed over to for good.
//!
//! A subagent has a conversation of its own, and the one of the agent that spawned it is put aside until it comes back,
//! untouched. Tokens, money, minutes, files read, tasks and decisions are in the run's ledger.

use super::action::Action;
use super::conversation::{Conversation, Work};
use super::progress::Progress;
use super::tools::ToolRound;
use super::{Machine, Step};
use crate::delegation::{self, Order, Returned, SUBAGENT_TURNS_MAX, SUBAGENTS_MAX};
use crate::event::{HandoffMade, HookBinding, Status, SubagentFinished, SubagentStarted};
use crate::hook::{Brief, HookInput};
use crate::message::ToolResult;

/// An agent that waits for a subagent.
#[derive(Debug, Clone)]
pub(super) struct Delegator {
    conversation: Conversation,
    round: Box<ToolRound>,
}

impl Machine {
    /// The agent at work.
    #[must_use]
    pub fn agent(&self) -> &str {
        &self.conversation.agent
    }

    /// Id of the call that spawned the agent at work; none where it is no subagent.
    #[must_use]
    pub fn spawned_by(&self) -> Option<&str> {
        match &self.conversation.work {
            Work::Subagent { started, .. } => Some(&started.call),
            Work::Run | Work::Exchange | Work::Flow(_) => None,
        }
    }

    /// Whether memory is shown to the agent at work and may be written by it.
    #[must_use]
    pub fn remembers(&self) -> bool {
        if self.conversation.agent == self.ledger.start.agent {
            return self.ledger.start.memory;
        }
        self.ledger.start.agents.get(&self.conversation.agent).is_some_and(|agent| agent.memory)
    }

    /// The hooks of the agent at work.
    pub(super) fn hooks(&self) -> &[HookBinding] {
        match self.ledger.start.agents.get(&self.conversation.agent) {
            Some(agent) if self.conversation.agent != self.ledger.start.agent => &agent.hooks,
            _ => &self.ledger.start.hooks,
        }
    }

    /// JSON Schema of the output of the agent at work.
    pub(super) fn output_schema(&self) -> Option<&serde_json::Value> {
        let own = self.conversation.schema.as_ref();
        own.or_else(|| match self.ledger.start.agents.get(&self.conversation.agent) {
            Some(agent) if self.conversation.agent != self.ledger.start.agent => agent.output_schema.as_ref(),
            _ => self.ledger.start.output_schema.as_ref(),
        })
    }

    pub(super) fn turns_max(&self) -> u32 {
        match &self.conversation.work {
            Work::Run | Work::Exchange => self.ledger.start.limits.max_turns,
            Work::Subagent { started, .. } => started.turns_max,
            Work::Flow(_) => self.flow_turns_max(),
        }
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
                source: self.conversation.agent.clone(),
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
        let agent = self.ledger.start.agents.get(&order.agent).ok_or_else(|| {
            let known: Vec<&str> = self.ledger.start.agents.keys().map(String::as_str).collect();
            format!("there is no subagent `{}`; there are {}", order.agent, known.join(", "))
        })?;
        if self.ledger.spawned >= SUBAGENTS_MAX {
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
                let (call, parent) = (slot.call.id.clone(), self.conversation.agent.clone());
                self.step = Step::Delegating(round);
                self.pending = Action::Spawn(Box::new(SubagentStarted { call, parent, order, turns_max }));
            }
            Err(why) => self.not_delegated(round, &why),
        }
    }

    pub(super) fn subagent_started(&mut self, started: &SubagentStarted) -> bool {
        let Some(round) = self.take_delegating() else { return false };
        // Its hooks see the task; what it is to work on they see with the messages, as with everything that was read.
        let input = started.order.task.clone();
        let subagent = Conversation {
            agent: started.order.agent.clone(),
            input: input.clone(),
            work: Work::Subagent { started: Box::new(started.clone()), reminded: false },
            ..Conversation::default()
        };
        let conversation = std::mem::replace(&mut self.conversation, subagent);
        self.delegator = Some(Box::new(Delegator { conversation, round }));
        self.ledger.spawned += 1;
        self.run_hooks(HookInput::PreLoop { input, subjects: self.ledger.start.subjects.clone(), facts: None }, None);
        true
    }

    fn take_delegating(&mut self) -> Option<Box<ToolRound>> {
        match std::mem::take(&mut self.step) {
            Step::Delegating(round) => Some(round),
            other => {
                self.step = other;
                None
            }
        }
    }

    /// What the agent at work reads before its first turn.
    pub(super) fn first_message(&mut self) -> String {
        if let Work::Subagent { started, .. } = &self.conversation.work {
            return Order { task: self.conversation.input.clone(), ..started.order.clone() }.message();
        }
        self.conversation.incoming.take().unwrap_or_else(|| self.conversation.input.clone())
    }

    /// What a subagent is told once where its last answer cannot be taken apart.
    pub(super) fn summary_missing(&mut self, text: &str) -> Option<String> {
        // An output with a schema has no headings.
        if self.output_schema().is_some() {
            return None;
        }
        let finalizing = self.conversation.finalizing;
        let Work::Subagent { reminded, .. } = &mut self.conversation.work else { return None };
        if *reminded || finalizing {
            return None;
        }
        let reminder = Returned::read(text).err()?;
        *reminded = true;
        Some(reminder)
    }

    /// A subagent has come to its end: the agent that spawned it goes on, and the hooks see what comes back. Of a subagent
    /// that did not end well nothing comes back but the reason: a guardrail may have ended it for what it wrote.
    pub(super) fn subagent_over(&mut self, started: SubagentStarted, status: Status, reason: Option<String>) {
        let Some(delegator) = self.delegator.take() else { return };
        let Delegator { conversation, mut round } = *delegator;
        let output = std::mem::replace(&mut self.conversation, conversation).last_output;
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

    pub(super) fn subagent_finished(&mut self, finished: &SubagentFinished) -> bool {
        let Some(mut round) = self.take_delegating() else { return false };
        let position = round.position;
        if let Some(slot) = round.slots.get_mut(position) {
            let failed = finished.status != Status::Success;
            let (id, name, text) = (slot.call.id.clone(), slot.call.name.clone(), finished.text.clone());
            slot.result = Some(ToolResult { id, name, failed, text });
        }
        self.pass_next(round);
        true
    }

    /// The hooks let the brief pass: what they left of it is checked again.
    pub(super) fn hand_off(&mut self, round: Option<Box<ToolRound>>, brief: Brief) {
        let Some(round) = round else { return };
        if let Err(why) = brief.check() {
            return self.not_delegated(round, &why);
        }
        let Some(slot) = round.slots.get(round.position) else { return };
        let target = delegation::target(&slot.call.name).unwrap_or_default().to_owned();
        let made = HandoffMade { call: slot.call.id.clone(), source: self.conversation.agent.clone(), target, brief };
        self.step = Step::Delegating(round);
        self.pending = Action::HandOff(Box::new(made));
    }

    pub(super) fn handoff_made(&mut self, made: &HandoffMade) -> bool {
        let Some(mut round) = self.take_delegating() else { return false };
        let position = round.position;
        if let Some(slot) = round.slots.get_mut(position) {
            let (id, name) = (slot.call.id.clone(), slot.call.name.clone());
            slot.result = Some(ToolResult { id, name, failed: false, text: format!("{} has taken over", made.target) });
            slot.passed = true;
        }
        self.conversation.agent.clone_from(&made.target);
        // Should the messages make room one day, what was handed over stays.
        for entry in made.brief.decisions.iter().chain(&made.brief.constraints) {
            self.conversation.earlier.constrain(entry);
        }
        round.handed_over = Some(made.brief.message(&made.source));
        self.delegate_next(round);
        true
    }

    /// Another agent takes over: its hooks see the request, its prompt is made, and it reads what it was told.
    pub(super) fn take_over(&mut self, message: String) {
        self.conversation.incoming = Some(message);
        self.conversation.prompt = None;
        self.conversation.prompt_bytes = 0;
        self.conversation.progress = Progress::default();
        let (input, subjects) = (self.conversation.input.clone(), self.ledger.start.subjects.clone());
        self.run_hooks(HookInput::PreLoop { input, subjects, facts: None }, None);
    }
}
