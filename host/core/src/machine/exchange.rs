//! Exchanges: what lies between a person's message and what they are shown, and who answers within them.

use std::collections::BTreeMap;

use serde_json::Value;

use super::action::{Action, Assemble, FlowCall, PromptForm};
use super::conversation::{Conversation, Work};
use super::reply::{Showing, as_passed, texts};
use super::{Machine, Step};
use crate::event::{FlowFailed, FlowStepped, MessageSaid, MessagesShown, Status};
use crate::flow::{
    AgentRequest, Flow, FlowEvent, FlowInput, FlowOutput, FlowStep, Guest, Loop, PersonWait, ShownMessage, Wait,
};
use crate::hook::{Entry, HookInput};
use crate::message::Message;

/// Rounds in which a flow may mend messages that a hook sent back.
const ROUNDS_MAX: u32 = 3;

/// The flow of a run, and how far its exchange is.
#[derive(Debug, Clone, Default)]
pub(super) struct Exchanges {
    flow: Kind,
    /// What the flow is told once the pre-loop hooks have let it pass.
    opening: Option<Opening>,
    /// What the component is being called with.
    event: Option<FlowEvent>,
    /// A step whose messages are with the hooks, or are being shown.
    showing: Option<Showing>,
    /// What a program that spoke for the person is answered.
    pub(super) reply: Option<Value>,
    /// SHA-256 of the flow's state at the end of the last exchange.
    pub(super) settled: Option<String>,
    /// Number of the record with which it ended.
    pub(super) settled_seq: u64,
    /// Conversations that go on, by name.
    named: BTreeMap<String, Conversation>,
    /// How often the messages of this exchange were sent back.
    rounds: u32,
    /// What was shown since the person last said something.
    shown: Vec<ShownMessage>,
    /// How often they have said something.
    said: usize,
    /// The run as it stood before the exchange.
    before: Option<Box<Before>>,
}

#[derive(Debug, Clone)]
enum Kind {
    Loop(Loop),
    Guest(Guest),
}

impl Default for Kind {
    fn default() -> Self {
        Self::Loop(Loop::default())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Opening {
    Begun,
    Said,
}

/// What a failed exchange goes back to.
#[derive(Debug, Clone)]
struct Before {
    flow: Kind,
    named: BTreeMap<String, Conversation>,
    conversation: Conversation,
    pending: Action,
    step: Step,
}

impl Exchanges {
    /// Takes out the conversation of that name, to go on with it.
    pub(super) fn take_named(&mut self, name: &str) -> Option<Conversation> {
        self.named.remove(name)
    }

    pub(super) fn keep_named(&mut self, name: String, conversation: Conversation) {
        self.named.insert(name, conversation);
    }
}

impl Kind {
    fn next(&mut self, input: FlowInput) -> FlowOutput {
        match self {
            Self::Loop(flow) => flow.next(input),
            Self::Guest(flow) => flow.next(input),
        }
    }
}

impl Machine {
    /// Whether a flow's component says what comes next, and what its hooks are told of the exchange.
    #[must_use]
    pub fn flow(&self) -> Option<&Guest> {
        match &self.exchanges.flow {
            Kind::Guest(flow) => Some(flow),
            Kind::Loop(_) => None,
        }
    }

    /// Facts for the hooks of this exchange, as JSON.
    pub(super) fn facts(&self) -> Option<String> {
        self.flow().and_then(|flow| flow.facts.as_ref()).map(ToString::to_string)
    }

    pub(super) fn begin_exchange(&mut self, input: String) {
        match self.ledger.start.flow.clone() {
            Some(name) => {
                self.conversation.work = Work::Exchange;
                self.conversation.agent.clone_from(&name);
                self.exchanges.flow = Kind::Guest(Guest { name, ..Guest::default() });
                self.open(Opening::Begun, input);
            }
            None => {
                self.exchanges.flow = Kind::Loop(Loop { agent: self.ledger.start.agent.clone() });
                self.advance(FlowEvent::Begun { input });
            }
        }
    }

    /// Shows the pre-loop hooks what the person said; the flow sees it only after that.
    fn open(&mut self, opening: Opening, input: String) {
        self.exchanges.opening = Some(opening);
        self.exchanges.rounds = 0;
        self.conversation.input.clone_from(&input);
        self.conversation.additions.clear();
        self.remember_before(opening);
        let (subjects, facts) = (self.ledger.start.subjects.clone(), self.facts());
        self.run_hooks(HookInput::PreLoop { input, subjects, facts }, None);
    }

    fn remember_before(&mut self, opening: Opening) {
        let (flow, named) = (self.exchanges.flow.clone(), self.exchanges.named.clone());
        let conversation = self.conversation.clone();
        let (pending, step) = match opening {
            // A run that fails at its very beginning begins again.
            Opening::Begun => (Action::Wait, Step::New),
            Opening::Said => (self.pending.clone(), Step::Person),
        };
        self.exchanges.before = Some(Box::new(Before { flow, named, conversation, pending, step }));
    }

    /// The pre-loop hooks of an exchange let the person's words pass.
    pub(super) fn opened(&mut self, input: String) {
        self.conversation.input.clone_from(&input);
        self.conversation.history.push(Message::user(input.clone()));
        let event = match self.exchanges.opening.take() {
            Some(Opening::Said) => FlowEvent::Said { text: input },
            Some(Opening::Begun) | None => FlowEvent::Begun { input },
        };
        self.advance(event);
    }

    /// A pre-loop hook did not let the person's words pass. At a run's beginning that is the end of the run; later only this
    /// exchange ends.
    pub(super) fn withheld(&mut self, by: &str, code: &str, reason: &str, status: Status) {
        if self.exchanges.opening.take() != Some(Opening::Said) {
            return self.finish(status, Some(format!("{by}: {reason}")));
        }
        let (by, code, reason) = (by.to_owned(), code.to_owned(), reason.to_owned());
        let messages = vec![ShownMessage::plain(&reason)];
        self.exchanges.event = Some(FlowEvent::Withheld { by: by.clone(), code, reason });
        self.step = Step::Showing;
        self.pending = Action::Show(Box::new(MessagesShown { by, messages }));
    }

    /// A post-loop hook did not let the messages pass: the flow is asked for others, while there are rounds left.
    pub(super) fn returned(&mut self, by: &str, instruction: &str, rounds_max: u32) {
        self.exchanges.rounds += 1;
        let most = rounds_max.min(ROUNDS_MAX);
        if self.exchanges.rounds > most {
            let reason = format!("{by}: messages did not pass in {most} rounds. It last said: {instruction}");
            return self.finish(Status::ErrorHookAbort, Some(reason));
        }
        self.ledger.rework_rounds += 1;
        let (by, instruction, round) = (by.to_owned(), instruction.to_owned(), self.exchanges.rounds);
        self.advance(FlowEvent::Returned { by, instruction, round });
    }

    pub(super) fn advance(&mut self, event: FlowEvent) {
        match self.exchanges.flow.next(FlowInput::Event(event)) {
            FlowOutput::Call(event) => self.call_flow(event),
            FlowOutput::Step(step) => self.take_step(*step),
        }
    }

    fn call_flow(&mut self, event: FlowEvent) {
        if let Some(reason) = self.spent() {
            return self.finish(Status::ErrorMaxBudget, Some(reason));
        }
        let Some(flow) = self.flow() else { return };
        let (name, state) = (flow.name.clone(), flow.state.clone());
        self.exchanges.event = Some(event.clone());
        let provider = Entry { name: "provider".to_owned(), value: self.ledger.start.provider.clone() };
        let mut context = self.call_context();
        context.extra.push(provider);
        let stamp = self.ledger.stamp;
        let callers = vec![crate::request::flow(&name)];
        self.call_flow_again(Box::new(FlowCall { flow: name, state, event, context, earlier: None, callers, stamp }));
    }

    pub(super) fn call_flow_again(&mut self, call: Box<FlowCall>) {
        self.pending = Action::CallFlow(call.clone());
        self.step = Step::Flow(call);
    }

    pub(super) fn flow_stepped(&mut self, stepped: &FlowStepped) -> bool {
        if !matches!(self.step, Step::Flow(_)) {
            return false;
        }
        self.keep_reads(&stepped.report.reads);
        let output = self.exchanges.flow.next(FlowInput::Stepped(Box::new(stepped.step.clone())));
        if let FlowOutput::Step(step) = output {
            self.take_step(*step);
        }
        true
    }

    fn take_step(&mut self, step: FlowStep) {
        let FlowStep { messages, notes, wait, reply, .. } = step;
        self.ledger.feedback.extend(notes);
        self.exchanges.showing = None;
        let reply = reply.filter(|_| !matches!(wait, Wait::Agents { .. }));
        let beside = reply.as_ref().map(|reply| texts(reply, &messages)).unwrap_or_default();
        if messages.is_empty() && beside.is_empty() {
            return self.wait_for(wait, reply);
        }
        self.exchanges.showing = Some(Showing { wait, reply, written: messages.clone() });
        self.show_to_hooks(messages, beside);
    }

    /// Every post-loop hook let the messages pass.
    pub(super) fn passed(&mut self, messages: Vec<ShownMessage>) {
        if let Some(showing) = &mut self.exchanges.showing {
            showing.reply = showing.reply.take().map(|reply| as_passed(reply, &showing.written, &messages));
        }
        if messages.is_empty() {
            self.all_shown();
            return;
        }
        let by = self.flow().map(|flow| flow.name.clone()).unwrap_or_default();
        self.step = Step::Showing;
        self.pending = Action::Show(Box::new(MessagesShown { by, messages }));
    }

    pub(super) fn messages_shown(&mut self, shown: &MessagesShown) -> bool {
        if !matches!(self.step, Step::Showing) {
            return false;
        }
        let text = shown.messages.iter().map(|message| message.display.as_str()).collect::<Vec<_>>().join("\n\n");
        self.conversation.history.push(Message::assistant(text.clone(), Vec::new()));
        self.conversation.last_output = Some(text);
        self.exchanges.shown.extend(shown.messages.iter().cloned());
        self.all_shown()
    }

    /// What stands behind a withheld message is that the flow is told; behind its own messages what it waits for.
    fn all_shown(&mut self) -> bool {
        match (self.exchanges.showing.take(), self.exchanges.event.clone()) {
            (Some(showing), _) => self.wait_for(showing.wait, showing.reply),
            (None, Some(event)) => self.advance(event),
            (None, None) => return false,
        }
        true
    }

    fn wait_for(&mut self, wait: Wait, reply: Option<Value>) {
        if !matches!(wait, Wait::Agents { .. }) {
            self.settle_exchange(reply);
        }
        match wait {
            Wait::Agents { requests } => self.ask(requests),
            Wait::Person(wait) => {
                self.step = Step::Person;
                self.pending = Action::Listen(Box::new(wait));
            }
            Wait::End { status, reason } => self.finish_run(status, reason),
        }
    }

    pub(super) fn message_said(&mut self, said: &MessageSaid) -> bool {
        if !matches!(self.step, Step::Person) {
            return false;
        }
        self.exchanges.shown.clear();
        self.exchanges.reply = None;
        self.exchanges.said += 1;
        self.open(Opening::Said, said.text.clone());
        true
    }

    pub(super) fn flow_woken(&mut self) -> bool {
        if !matches!(self.step, Step::Person) {
            return false;
        }
        self.remember_before(Opening::Said);
        self.advance(FlowEvent::Woken);
        true
    }

    /// What a flow has shown since the person last said something.
    #[must_use]
    pub fn shown(&self) -> &[ShownMessage] {
        &self.exchanges.shown
    }

    /// How often the person has said something to the flow.
    #[must_use]
    pub const fn times_said(&self) -> usize {
        self.exchanges.said
    }

    /// Who is waited for, where a flow waits for the person.
    #[must_use]
    pub fn listening(&self) -> Option<&PersonWait> {
        match &self.pending {
            Action::Listen(wait) => Some(wait),
            _ => None,
        }
    }

    fn ask(&mut self, requests: Vec<AgentRequest>) {
        if self.flow().is_some() {
            return self.ask_agents(requests);
        }
        // The loop is about one agent, which has the run's own conversation.
        let Some(request) = requests.into_iter().next() else { return };
        self.conversation.agent = request.agent;
        self.conversation.input.clone_from(&request.input);
        let subjects = self.ledger.start.subjects.clone();
        self.run_hooks(HookInput::PreLoop { input: request.input, subjects, facts: None }, None);
    }

    /// The prompt of the agent at work is to be made.
    pub(super) fn assemble(&mut self) {
        self.step = Step::Prompt;
        let form = match &self.conversation.work {
            Work::Run | Work::Exchange => PromptForm::Whole,
            Work::Subagent { .. } => PromptForm::Subagent,
            Work::Flow(_) => PromptForm::Plain,
        };
        self.pending = Action::Assemble(Box::new(Assemble {
            agent: self.conversation.agent.clone(),
            form,
            input: self.conversation.input.clone(),
            additions: self.conversation.additions.clone(),
            corrections: self.ledger.corrections.clone(),
        }));
    }

    /// The exchange is undone; what it cost stays in the ledger.
    pub(super) fn flow_failed(&mut self, failed: &FlowFailed) -> bool {
        if !matches!(self.step, Step::Flow(_)) {
            return false;
        }
        self.ledger
            .feedback
            .push(format!("{} failed and the exchange was undone ({}: {})", failed.flow, failed.code, failed.message));
        let Some(before) = self.exchanges.before.take() else { return false };
        let Before { flow, named, conversation, pending, step } = *before;
        let (shown, said) = (std::mem::take(&mut self.exchanges.shown), self.exchanges.said);
        let (settled, settled_seq) = (self.exchanges.settled.take(), self.exchanges.settled_seq);
        self.exchanges = Exchanges { flow, named, shown, said, settled, settled_seq, ..Exchanges::default() };
        self.conversation = conversation;
        match step {
            Step::New => {
                let input = self.ledger.start.input.clone();
                self.open(Opening::Begun, input);
            }
            _ => (self.pending, self.step) = (pending, step),
        }
        true
    }
}
