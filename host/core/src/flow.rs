//! Flows: what comes next in a run.
//!
//! An exchange is what lies between a person's message and what they are shown. A flow is told what has happened ([`FlowEvent`])
//! and answers with a step: messages to show, and one thing to wait for. The tool-use loop is the built-in one; a plugin can
//! bring another as a component, which the machine has called. No flow does IO.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::event::Status;
pub use crate::hook::{Observation, ShownMessage};

/// Bytes of a flow's state at the most.
pub const STATE_BYTES_MAX: usize = 256 * 1024;
/// Messages of one step at the most.
pub const MESSAGES_MAX: usize = 32;
/// Agents that one step may wait for.
pub const AGENTS_MAX: usize = 16;
/// Bytes of a reply at the most.
pub const REPLY_BYTES_MAX: usize = 64 * 1024;
/// Fields of an answer over HTTP that the host writes: a reply has none of them.
pub const REPLY_FIELDS_TAKEN: [&str; 6] = ["session_id", "after", "waits_for", "open_question", "messages", "ended"];

impl ShownMessage {
    /// A message that says and displays the same.
    #[must_use]
    pub fn plain(text: &str) -> Self {
        Self { speech: text.to_owned(), emotion: None, display: text.to_owned(), visual: None }
    }

    /// All its text, labels of what is drawn included: what a guard has to read.
    #[must_use]
    pub fn text(&self) -> String {
        let mut parts = vec![self.display.clone()];
        if self.speech != self.display {
            parts.insert(0, self.speech.clone());
        }
        if let Some(visual) = self.visual.as_deref().and_then(|visual| serde_json::from_str(visual).ok()) {
            labels(&visual, &mut parts);
        }
        parts.retain(|part| !part.trim().is_empty());
        parts.join("\n")
    }
}

/// Every text and number within a value, in order.
fn labels(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::String(text) => into.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|value| labels(value, into)),
        Value::Object(values) => values.values().for_each(|value| labels(value, into)),
        Value::Number(number) => into.push(number.to_string()),
        Value::Null | Value::Bool(_) => {}
    }
}

/// An agent that a flow asks.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AgentRequest {
    /// What its answer is known by; differs within a step.
    pub id: String,
    /// The agent.
    pub agent: String,
    /// What it is asked.
    pub input: String,
    /// Goes on with the conversation of this name; a new one begins without a name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conversation: Option<String>,
    /// JSON Schema that the answer has to fit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
}

/// What an agent answered to a flow.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AgentAnswered {
    /// As in the request.
    pub id: String,
    /// The agent.
    pub agent: String,
    /// How it ended.
    pub status: Status,
    /// Its answer; empty where it did not end well.
    pub output: String,
    /// Why it did not end well.
    pub reason: Option<String>,
}

/// Who is waited for.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PersonWait {
    /// In which role they speak, such as `guest` or `teacher`.
    pub role: String,
    /// The flow is woken at this time where nobody has spoken, in milliseconds since 1970-01-01 UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_ms: Option<u64>,
}

/// The one thing that a step waits for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "for", rename_all = "kebab-case")]
pub enum Wait {
    /// Answers of agents: of all of them.
    Agents {
        /// The agents.
        requests: Vec<AgentRequest>,
    },
    /// What the person says next.
    Person(PersonWait),
    /// Nothing: the run ends.
    End {
        /// How.
        status: Status,
        /// Why, where it does not end well.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
}

/// What a flow is told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum FlowEvent {
    /// The run begins with this request.
    Begun {
        /// The request.
        input: String,
    },
    /// The person said something.
    Said {
        /// Their words.
        text: String,
    },
    /// All agents that were asked have answered.
    Answered {
        /// Their answers, in the order of the requests.
        answers: Vec<AgentAnswered>,
    },
    /// The time that was waited for has come.
    Woken,
    /// A pre-loop hook withheld what the person said: the person was told why, the text is not passed on.
    Withheld {
        /// The hook.
        by: String,
        /// A stable word.
        code: String,
        /// What the person was told.
        reason: String,
    },
    /// A post-loop hook did not let the messages pass.
    Returned {
        /// The hook.
        by: String,
        /// What is to be done.
        instruction: String,
        /// Counted from 1.
        round: u32,
    },
}

impl FlowEvent {
    /// The name in the contract and in traces.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Begun { .. } => "begun",
            Self::Said { .. } => "said",
            Self::Answered { .. } => "answered",
            Self::Woken => "woken",
            Self::Withheld { .. } => "withheld",
            Self::Returned { .. } => "returned",
        }
    }
}

/// What a flow answers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FlowStep {
    /// SHA-256 of the new state, a JSON text that is kept beside the journal.
    pub state: String,
    /// What the person is shown, in order.
    pub messages: Vec<ShownMessage>,
    /// Data for dashboards and studies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observations: Vec<Observation>,
    /// What the hooks of this exchange are told, as JSON.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub facts: Option<Value>,
    /// Sentences for the trace.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What a program that spoke for the person is answered: a JSON object.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<Value>,
    /// What is waited for.
    pub wait: Wait,
}

impl FlowStep {
    /// Whether the host can do what the step says, given the agents that the flow may ask.
    ///
    /// # Errors
    /// A sentence that says what it may not.
    pub fn check(&self, knows: impl Fn(&str) -> bool) -> Result<(), String> {
        if self.messages.len() > MESSAGES_MAX {
            return Err(format!("a step with {} messages; it may have {MESSAGES_MAX}", self.messages.len()));
        }
        check_reply(self.reply.as_ref())?;
        let Wait::Agents { requests } = &self.wait else { return Ok(()) };
        if requests.is_empty() || requests.len() > AGENTS_MAX {
            return Err(format!("a step that waits for {} agents; 1 to {AGENTS_MAX} can be asked", requests.len()));
        }
        for (index, request) in requests.iter().enumerate() {
            if request.id.is_empty() || requests.iter().take(index).any(|earlier| earlier.id == request.id) {
                return Err(format!("a step whose requests have empty or equal ids: `{}`", request.id));
            }
            if !knows(&request.agent) {
                return Err(format!(
                    "a step that asks the agent `{}`, which its manifest does not name",
                    request.agent
                ));
            }
        }
        Ok(())
    }
}

fn check_reply(reply: Option<&Value>) -> Result<(), String> {
    let Some(reply) = reply else { return Ok(()) };
    let Some(fields) = reply.as_object() else { return Err("a step whose reply is no JSON object".to_owned()) };
    let bytes = reply.to_string().len();
    if bytes > REPLY_BYTES_MAX {
        return Err(format!("a step with a reply of {bytes} bytes; it may have {REPLY_BYTES_MAX}"));
    }
    match REPLY_FIELDS_TAKEN.into_iter().find(|name| fields.contains_key(*name)) {
        Some(name) => Err(format!("a step whose reply has a field `{name}`, which the host writes")),
        None => Ok(()),
    }
}

/// What the machine takes from a flow.
#[derive(Debug, Clone, PartialEq)]
pub enum FlowOutput {
    /// The component is to be called with this event.
    Call(FlowEvent),
    /// The flow is at its next step.
    Step(Box<FlowStep>),
}

/// What a flow takes from the machine.
#[derive(Debug, Clone, PartialEq)]
pub enum FlowInput {
    /// Something has happened.
    Event(FlowEvent),
    /// The component was called and has stepped.
    Stepped(Box<FlowStep>),
}

/// What comes next in a run.
pub trait Flow {
    /// Takes what has happened, and answers with what is to be done.
    fn next(&mut self, input: FlowInput) -> FlowOutput;
}

/// The built-in flow: one agent works on the request in the tool-use loop, and what it comes to is the end.
#[derive(Debug, Clone, Default)]
pub struct Loop {
    /// The agent that begins.
    pub agent: String,
}

impl Flow for Loop {
    fn next(&mut self, input: FlowInput) -> FlowOutput {
        let wait = match input {
            FlowInput::Stepped(step) => return FlowOutput::Step(step),
            FlowInput::Event(FlowEvent::Begun { input } | FlowEvent::Said { text: input }) => {
                let request =
                    AgentRequest { id: "run".to_owned(), agent: self.agent.clone(), input, ..AgentRequest::default() };
                Wait::Agents { requests: vec![request] }
            }
            FlowInput::Event(FlowEvent::Answered { answers }) => match answers.into_iter().next() {
                Some(answer) => Wait::End { status: answer.status, reason: answer.reason },
                None => Wait::End { status: Status::ErrorNoProgress, reason: Some("nobody answered".to_owned()) },
            },
            FlowInput::Event(FlowEvent::Withheld { reason, .. }) => {
                Wait::End { status: Status::ErrorHookAbort, reason: Some(reason) }
            }
            FlowInput::Event(FlowEvent::Returned { instruction, .. }) => {
                Wait::End { status: Status::ErrorHookAbort, reason: Some(instruction) }
            }
            FlowInput::Event(FlowEvent::Woken) => {
                Wait::End { status: Status::ErrorNoProgress, reason: Some("woken with nothing to do".to_owned()) }
            }
        };
        let (state, messages, observations, notes) = (String::new(), Vec::new(), Vec::new(), Vec::new());
        FlowOutput::Step(Box::new(FlowStep { state, messages, observations, facts: None, notes, reply: None, wait }))
    }
}

/// A flow that a component holds: it says nothing itself but that the component is to be called.
#[derive(Debug, Clone, Default)]
pub struct Guest {
    /// Name of the component.
    pub name: String,
    /// SHA-256 of its state; none before its first step.
    pub state: Option<String>,
    /// What the hooks of the exchange are told.
    pub facts: Option<Value>,
}

impl Flow for Guest {
    fn next(&mut self, input: FlowInput) -> FlowOutput {
        match input {
            FlowInput::Event(event) => FlowOutput::Call(event),
            FlowInput::Stepped(step) => {
                self.state = Some(step.state.clone());
                self.facts.clone_from(&step.facts);
                FlowOutput::Step(step)
            }
        }
    }
}
