//! Agents that a flow asks, side by side: a lane for each, with a conversation of its own.
//!
//! While a model writes, its lane rests, and so the models of all lanes are called at once. All else (prompts, hooks, tools,
//! requests) is done for one lane at a time, the one in focus, whose conversation, step and action are the machine's. So no
//! record has to say whose it is: a model's has its turn, every other one belongs to the lane in focus. Which lane is next
//! follows from the records alone: first the one whose model answered earliest, then those that have not begun, in order; a question
//! to the person comes when all others are at rest.

use std::sync::Arc;

use super::action::{Action, ModelCall};
use super::conversation::{Conversation, Work};
use super::{Machine, Step};
use crate::delegation::SUBAGENT_TURNS_MAX;
use crate::event::{Event, ModelAnswered, Status};
use crate::flow::{AgentAnswered, AgentRequest, FlowEvent};
use crate::message::Message;

/// The agents that a flow waits for.
#[derive(Debug, Clone, Default)]
pub(super) struct Lanes {
    lanes: Vec<Lane>,
    /// The lane whose conversation, step and action are the machine's; the lane holds the flow's own meanwhile.
    focus: Option<usize>,
    /// Why the run ends once the calls under way are over: its budget is used up.
    over: Option<String>,
}

/// One agent's.
#[derive(Debug, Clone)]
struct Lane {
    request: AgentRequest,
    conversation: Conversation,
    step: Step,
    pending: Action,
    /// The answer of its model, with the number of its record, as long as another lane is in focus.
    arrived: Option<(u64, Box<ModelAnswered>)>,
    /// Whether what its call may cost is set aside: the call is made, or about to be.
    reserved: bool,
    answer: Option<AgentAnswered>,
}

/// What calls may come to, together.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Aside {
    /// Tokens, sent and received.
    pub(super) tokens: u64,
    /// US dollars, where a price is known.
    pub(super) usd: f64,
}

impl Lane {
    fn new(request: AgentRequest) -> Self {
        let (conversation, step, pending) = (Conversation::default(), Step::New, Action::Wait);
        Self { request, conversation, step, pending, arrived: None, reserved: false, answer: None }
    }

    /// The name of the conversation that it goes on with, where it has one.
    fn named(&self) -> Option<&str> {
        self.request.conversation.as_deref()
    }

    /// The call that it waits for.
    fn calls(&self) -> Option<&Arc<ModelCall>> {
        match (&self.step, &self.pending) {
            (Step::Model, Action::CallModel(call)) if self.arrived.is_none() => Some(call),
            _ => None,
        }
    }

    fn reserves(&self) -> Option<&Arc<ModelCall>> {
        self.calls().filter(|_| self.reserved)
    }
}

impl Lanes {
    /// The lane that waits for the answer of this turn.
    fn calling(&self, turn: u32) -> Option<usize> {
        self.lanes.iter().position(|lane| lane.calls().is_some_and(|call| call.turn == turn))
    }

    /// Turns that are given out and not answered yet.
    pub(super) fn turns_open(&self) -> u32 {
        u32::try_from(self.lanes.iter().filter(|lane| lane.calls().is_some()).count()).unwrap_or(u32::MAX)
    }

    /// The next that has not begun. Of two that go on with one conversation the second waits for the first.
    fn next_to_begin(&self) -> Option<usize> {
        let busy = |at: usize, lane: &Lane| {
            let earlier = self.lanes.get(..at).unwrap_or_default();
            lane.named().is_some() && earlier.iter().any(|it| it.answer.is_none() && it.named() == lane.named())
        };
        let mut all = self.lanes.iter().enumerate();
        all.find(|(at, lane)| matches!(lane.step, Step::New) && !busy(*at, lane)).map(|(at, _)| at)
    }

    /// The one whose model answered first.
    fn next_arrived(&self) -> Option<usize> {
        let arrived = self.lanes.iter().enumerate().filter_map(|(at, lane)| Some((lane.arrived.as_ref()?.0, at)));
        arrived.min().map(|(_, at)| at)
    }

    /// Whether a lane that is not in focus has something to do before the person is asked.
    fn others_at_work(&self) -> bool {
        let others = || self.lanes.iter().enumerate().filter(|(at, _)| self.focus != Some(*at)).map(|(_, lane)| lane);
        others().any(|lane| lane.arrived.is_some() || lane.calls().is_some()) || self.next_to_begin().is_some()
    }
}

impl Machine {
    /// Waits for all of these agents.
    pub(super) fn ask_agents(&mut self, requests: Vec<AgentRequest>) {
        self.lanes = Lanes { lanes: requests.into_iter().map(Lane::new).collect(), ..Lanes::default() };
        self.step = Step::Agents;
        self.pending = Action::Wait;
    }

    /// Goes on with the lanes, until something is to be done.
    pub(super) fn tend_lanes(&mut self) {
        // Every round begins a lane, ends one, or takes one to its next call: so many there cannot be.
        while !self.lanes.lanes.is_empty() {
            if self.rests() {
                self.leave();
            }
            if self.lanes.focus.is_some() || !self.next_lane() {
                return;
            }
        }
    }

    /// Whether the lane in focus has nothing to do now that would have to be done at once.
    fn rests(&self) -> bool {
        self.lanes.focus.is_some()
            && match (&self.step, &self.pending) {
                (Step::Model | Step::Done, _) => true,
                (_, Action::Ask(_)) => self.lanes.over.is_some() || self.lanes.others_at_work(),
                _ => false,
            }
    }

    /// Turns to the next lane, or says what all wait for; whether there is more to see to.
    fn next_lane(&mut self) -> bool {
        if self.lanes.over.is_none() {
            if let Some(at) = self.lanes.next_arrived() {
                self.enter(at);
                if let Some((_, answered)) = self.lanes.lanes.get_mut(at).and_then(|lane| lane.arrived.take()) {
                    self.answer_came(&answered);
                }
                return true;
            }
            if let Some(at) = self.lanes.next_to_begin() {
                self.begin_lane(at);
                return true;
            }
        }
        let calls = self.calls_side_by_side();
        if let Some(calls) = Action::of_calls(calls) {
            self.pending = calls;
            return false;
        }
        if let Some(reason) = self.lanes.over.take() {
            self.lanes.lanes.clear();
            self.finish_run(Status::ErrorMaxBudget, Some(reason));
            return false;
        }
        let held = self.lanes.lanes.iter().position(|lane| lane.calls().is_some());
        if let Some(at) = held {
            // Nothing else is under way, so it does not fit into what is left.
            self.enter(at);
            let Action::CallModel(call) = self.pending.clone() else { return false };
            let reason = self.unaffordable(&call, Aside::default());
            self.finish(Status::ErrorMaxBudget, reason);
            return true;
        }
        if let Some(at) = self.lanes.lanes.iter().position(|lane| lane.answer.is_none()) {
            self.enter(at);
            return true;
        }
        let answers = std::mem::take(&mut self.lanes).lanes.into_iter().filter_map(|lane| lane.answer).collect();
        self.advance(FlowEvent::Answered { answers });
        false
    }

    /// Takes a lane into focus.
    fn enter(&mut self, at: usize) {
        self.swap(at);
        self.lanes.focus = Some(at);
    }

    /// Takes the lane in focus out of it.
    fn leave(&mut self) {
        if let Some(at) = self.lanes.focus.take() {
            self.swap(at);
        }
    }

    fn swap(&mut self, at: usize) {
        let Some(lane) = self.lanes.lanes.get_mut(at) else { return };
        std::mem::swap(&mut self.conversation, &mut lane.conversation);
        std::mem::swap(&mut self.step, &mut lane.step);
        std::mem::swap(&mut self.pending, &mut lane.pending);
    }

    /// Begins with an agent, or goes on with a conversation of that name.
    fn begin_lane(&mut self, at: usize) {
        let Some(request) = self.lanes.lanes.get(at).map(|lane| lane.request.clone()) else { return };
        let additions = self.conversation.additions.clone();
        self.enter(at);
        let resumed = request.conversation.as_ref().and_then(|name| self.exchanges.take_named(name));
        self.conversation = Conversation {
            agent: request.agent.clone(),
            input: request.input.clone(),
            additions,
            schema: request.schema.clone(),
            sitting_turns: 0,
            finalizing: false,
            repairs: 0,
            last_output: None,
            ..resumed.unwrap_or_default()
        };
        let input = request.input.clone();
        self.conversation.work = Work::Flow(Box::new(request));
        if self.conversation.prompt.is_none() {
            return self.assemble();
        }
        self.conversation.history.push(Message::user(input));
        self.begin_turn();
    }

    /// Turns that an agent of a flow may take for one answer.
    pub(super) fn flow_turns_max(&self) -> u32 {
        let binding = self.ledger.start.agents.get(&self.conversation.agent);
        binding.map_or(SUBAGENT_TURNS_MAX, |agent| agent.max_turns)
    }

    /// An agent that a flow asked has come to its end. A budget that is used up is the run's end, not only the agent's.
    pub(super) fn agent_over(&mut self, request: &AgentRequest, status: Status, reason: Option<String>) {
        if status == Status::ErrorMaxBudget {
            self.step = Step::Done;
            self.lanes.over.get_or_insert(reason.unwrap_or_default());
            return;
        }
        let output = match status {
            Status::Success => self.conversation.last_output.clone().unwrap_or_default(),
            _ => String::new(),
        };
        let (id, agent) = (request.id.clone(), request.agent.clone());
        self.step = Step::Answering;
        self.pending = Action::TakeAnswer(Box::new(AgentAnswered { id, agent, status, output, reason }));
    }

    pub(super) fn agent_answered(&mut self, answered: &AgentAnswered) -> bool {
        let (Step::Answering, Some(at)) = (&self.step, self.lanes.focus) else { return false };
        self.step = Step::Done;
        self.leave();
        let Some(lane) = self.lanes.lanes.get_mut(at) else { return false };
        lane.answer = Some(answered.clone());
        if let Some(name) = lane.named().map(ToOwned::to_owned) {
            self.exchanges.keep_named(name, std::mem::take(&mut lane.conversation));
        }
        true
    }

    /// A model has answered a lane that waits for it. It is counted at once, and read when the lane is next.
    pub(super) fn lane_answered(&mut self, answered: &ModelAnswered) -> bool {
        let Some(lane) = self.lanes.calling(answered.turn).and_then(|at| self.lanes.lanes.get_mut(at)) else {
            return false;
        };
        lane.arrived = Some((self.ledger.stamp.seq, Box::new(answered.clone())));
        lane.reserved = false;
        true
    }

    /// The call of a lane broke off; whether there is such a lane. It is made again where there is room for it.
    pub(super) fn lane_broke_off(&mut self, turn: u32) -> bool {
        let Some(at) = self.lanes.calling(turn) else { return false };
        let Some(call) = self.lanes.lanes.get(at).and_then(Lane::calls).cloned() else { return false };
        let reason = self.spent().or_else(|| self.unaffordable(&call, Aside::default()));
        if let Some(lane) = self.lanes.lanes.get_mut(at) {
            lane.reserved = false;
            if reason.is_some() {
                lane.step = Step::Done;
            }
        }
        if let Some(reason) = reason {
            self.lanes.over.get_or_insert(reason);
        }
        true
    }

    /// The calls that are under way or may be made beside them: what each may cost at the most is set aside.
    fn calls_side_by_side(&mut self) -> Vec<Arc<ModelCall>> {
        let mut calls: Vec<_> = self.lanes.lanes.iter().filter_map(Lane::reserves).cloned().collect();
        if self.lanes.over.is_none() {
            for at in 0..self.lanes.lanes.len() {
                let waits = self.lanes.lanes.get(at).filter(|lane| !lane.reserved).and_then(Lane::calls).cloned();
                let Some(call) = waits.filter(|call| self.unaffordable(call, self.set_aside(call.turn)).is_none())
                else {
                    continue;
                };
                if let Some(lane) = self.lanes.lanes.get_mut(at) {
                    lane.reserved = true;
                }
                calls.push(call);
            }
        }
        calls.sort_by_key(|call| call.turn);
        calls
    }

    /// What is set aside for the calls of lanes, without the one of this turn.
    pub(super) fn set_aside(&self, turn: u32) -> Aside {
        let others = self.lanes.lanes.iter().filter_map(Lane::reserves).filter(|call| call.turn != turn);
        others.fold(Aside::default(), |sum, call| {
            let most = self.most_of(call);
            Aside { tokens: sum.tokens.saturating_add(most.tokens), usd: sum.usd + most.usd }
        })
    }

    /// The call of this turn, where its answer is waited for.
    #[must_use]
    pub fn model_call(&self, turn: u32) -> Option<&Arc<ModelCall>> {
        let lane = self.lanes.calling(turn).and_then(|at| self.lanes.lanes.get(at)?.calls());
        lane.or_else(|| self.model_calls().iter().find(|call| call.turn == turn))
    }

    /// The calls of models that are wanted now; none where something else is to be done first.
    #[must_use]
    pub fn model_calls(&self) -> &[Arc<ModelCall>] {
        match &self.pending {
            Action::CallModel(call) => std::slice::from_ref(call),
            Action::CallModels(calls) => calls,
            _ => &[],
        }
    }

    /// Whose event it would be: the agent that waits for this turn of a model, otherwise the one at work.
    #[must_use]
    pub fn agent_of(&self, event: &Event) -> &str {
        let lane = event.turn().and_then(|turn| self.lanes.lanes.get(self.lanes.calling(turn)?));
        lane.map_or_else(|| self.agent(), |lane| &lane.conversation.agent)
    }
}
