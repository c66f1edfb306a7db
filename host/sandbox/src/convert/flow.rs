//! Flows: what they are told, and what they answer.

use serde_json::Value;
use ta_core::event::Status;
use ta_core::flow::{AgentRequest, FlowEvent, Observation, PersonWait, STATE_BYTES_MAX, ShownMessage, Wait};

use crate::bindings::exports::teacher_assist::plugin::flow;
use crate::bindings::teacher_assist::plugin::types;

/// What a flow's component answered: its state is the text itself, which the journal keeps by digest.
#[derive(Debug, Clone, PartialEq)]
pub struct Stepped {
    /// The new state: a JSON text.
    pub state: String,
    /// What the person is shown.
    pub messages: Vec<ShownMessage>,
    /// Data for dashboards and studies.
    pub observations: Vec<Observation>,
    /// What the hooks of the exchange are told.
    pub facts: Option<Value>,
    /// Sentences for the trace.
    pub notes: Vec<String>,
    /// What a program that spoke for the person is answered.
    pub reply: Option<Value>,
    /// What is waited for.
    pub wait: Wait,
}

impl From<&FlowEvent> for flow::Event {
    fn from(it: &FlowEvent) -> Self {
        match it {
            FlowEvent::Begun { input } => Self::Begun(input.clone()),
            FlowEvent::Said { text } => Self::Said(text.clone()),
            FlowEvent::Answered { answers } => Self::Answered(answers.iter().map(Into::into).collect()),
            FlowEvent::Woken => Self::Woken,
            FlowEvent::Withheld { by, code, reason } => {
                Self::Withheld(flow::Withheld { by: by.clone(), code: code.clone(), reason: reason.clone() })
            }
            FlowEvent::Returned { by, instruction, round } => {
                Self::Returned(flow::Returned { by: by.clone(), instruction: instruction.clone(), round: *round })
            }
        }
    }
}

impl From<&ta_core::flow::AgentAnswered> for flow::Answer {
    fn from(it: &ta_core::flow::AgentAnswered) -> Self {
        Self {
            id: it.id.clone(),
            agent: it.agent.clone(),
            status: it.status.name().to_owned(),
            output: it.output.clone(),
            reason: it.reason.clone(),
        }
    }
}

/// A step as the host can carry it out; the error says what of it is not JSON, too long, or unknown.
impl TryFrom<flow::FlowStep> for Stepped {
    type Error = String;

    fn try_from(it: flow::FlowStep) -> Result<Self, String> {
        if it.state.len() > STATE_BYTES_MAX {
            return Err(format!("a state of {} bytes; it may have {STATE_BYTES_MAX}", it.state.len()));
        }
        json(&it.state, "the state")?;
        Ok(Self {
            messages: it.messages.into_iter().map(shown).collect::<Result<_, _>>()?,
            observations: it.observations.into_iter().map(observation).collect::<Result<_, _>>()?,
            facts: it.facts.map(|facts| json(&facts, "the facts")).transpose()?,
            notes: it.notes,
            reply: it.reply.map(|reply| json(&reply, "the reply")).transpose()?,
            wait: wait(it.wait)?,
            state: it.state,
        })
    }
}

fn json(text: &str, what: &str) -> Result<Value, String> {
    serde_json::from_str(text).map_err(|error| format!("{what}: no JSON: {error}"))
}

fn shown(it: types::ShownMessage) -> Result<ShownMessage, String> {
    it.visual.as_deref().map(|visual| json(visual, "what is drawn")).transpose()?;
    Ok(it.into())
}

fn observation(it: types::Observation) -> Result<Observation, String> {
    json(&it.data, &format!("the observation `{}`", it.name))?;
    Ok(it.into())
}

fn wait(it: flow::Wait) -> Result<Wait, String> {
    Ok(match it {
        flow::Wait::Agents(requests) => {
            Wait::Agents { requests: requests.into_iter().map(request).collect::<Result<_, _>>()? }
        }
        flow::Wait::Person(wait) => Wait::Person(PersonWait { role: wait.role, until_ms: wait.until }),
        flow::Wait::End(end) => {
            let status = Status::from_name(&end.status).ok_or_else(|| format!("no status `{}`", end.status))?;
            Wait::End { status, reason: end.reason }
        }
    })
}

fn request(it: flow::AgentRequest) -> Result<AgentRequest, String> {
    let schema =
        it.schema.map(|schema| json(&schema, &format!("the schema of the request `{}`", it.id))).transpose()?;
    Ok(AgentRequest { id: it.id, agent: it.agent, input: it.input, conversation: it.conversation, schema })
}
