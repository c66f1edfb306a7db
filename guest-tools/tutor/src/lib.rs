//! The flow of the tutor that plans: puts the contract around `ta-study`, which decides.
//!
//! It is told of the world by what it was granted: topics and guidelines are files of the skill `topics`, ids of steps are drawn
//! from the journal's randomness, times are the journal's. Start reading at [`step`].

use serde_json::Value;
use ta_guest::flow::{
    AgentRequest, Answer, End, Event, Failure, FlowStep, Observation, PersonWait, ShownMessage, Wait,
};
use ta_guest::{Context, clock, config_or, random, skills};
use ta_study::session::{self, World};
use ta_study::state::State;
use ta_study::view as shown_view;
use ta_tutor::speech::spoken;

/// The skill whose files are the topics.
const TOPICS: &str = "topics";
/// The provider that stands in where there is no key.
const OFFLINE: &str = "offline";
/// Minutes of silence after which a learner is spoken to.
const SILENCE_MINUTES: u64 = 10;
const MINUTE_MS: u64 = 60_000;
/// SHA-256 of the plugin's schemas, by the observation that they are of.
const SCHEMAS: [(&str, &str); 4] = [
    ("exchange", "b87fb507a8aec0324e0c72b127b699c39e902dfb24265692bcf7054abcc9590a"),
    ("plan", "ec922e95034f4a240e6d5f128916567ca27b6472f595dd7aef75cd045df6d3a7"),
    ("step", "245f454542f4b37d8752eda84a8151b5f56af6bac22f78b514047607bb764ff2"),
    ("alert", "e18dec04b9d0a72cdebe0cdee22c28f9eabb8312ddb5f72517708ffaa70a5163"),
];

ta_guest::flow!(step, view);

/// The world as the host tells it.
struct Host {
    offline: bool,
}

impl World for Host {
    fn now(&self) -> u64 {
        clock::now()
    }

    fn id(&self) -> String {
        uuid(&random::bytes(16))
    }

    fn file(&self, name: &str) -> Result<String, String> {
        let reference = if name.is_empty() { TOPICS.to_owned() } else { format!("{TOPICS}/{name}") };
        skills::read(&reference).map(|skill| skill.text)
    }

    fn offline(&self) -> bool {
        self.offline
    }

    fn silence_ms(&self) -> Option<u64> {
        let minutes = config_or("silence-minutes", SILENCE_MINUTES);
        (minutes > 0).then(|| minutes.saturating_mul(MINUTE_MS))
    }
}

/// A random UUID (version 4, RFC 9562) of 16 bytes.
fn uuid(bytes: &[u8]) -> String {
    let mut id = String::with_capacity(36);
    for (at, byte) in bytes.iter().take(16).enumerate() {
        let byte = match at {
            6 => byte & 0x0f | 0x40,
            8 => byte & 0x3f | 0x80,
            _ => *byte,
        };
        if matches!(at, 4 | 6 | 8 | 10) {
            id.push('-');
        }
        id.push_str(&format!("{byte:02x}"));
    }
    id
}

fn step(context: &Context, state: Option<&str>, event: &Event) -> Result<FlowStep, Failure> {
    let state = state.map(read).transpose()?;
    let provider = context.extra.iter().find(|entry| entry.name == "provider").map(|entry| entry.value.as_str());
    let host = Host { offline: provider.is_none_or(|provider| provider == OFFLINE) };
    let step = session::step(&host, state, &happened(event));
    step.map(stepped).map_err(|(code, message)| Failure { code: code.to_owned(), message })
}

fn view(state: &str, role: &str) -> Result<String, Failure> {
    Ok(shown_view::view(&read(state)?, role).to_string())
}

fn read(state: &str) -> Result<State, Failure> {
    serde_json::from_str(state).map_err(|error| Failure { code: "state".into(), message: error.to_string() })
}

fn happened(event: &Event) -> session::Event {
    match event {
        Event::Begun(text) => session::Event::Begun(text.clone()),
        Event::Said(text) => session::Event::Said(text.clone()),
        Event::Answered(answers) => {
            let nobody = || Err("nobody was asked".to_owned());
            session::Event::Answered(answers.first().map_or_else(nobody, output))
        }
        Event::Woken => session::Event::Woken,
        Event::Withheld(withheld) => session::Event::Withheld(format!("{}: {}", withheld.by, withheld.code)),
        Event::Returned(returned) => session::Event::Returned(returned.instruction.clone()),
    }
}

/// What an agent answered, where it ended well; else why not.
fn output(answer: &Answer) -> Result<String, String> {
    if answer.status == "success" {
        return Ok(answer.output.clone());
    }
    Err(answer.reason.clone().unwrap_or_else(|| answer.status.clone()))
}

fn stepped(step: session::Step) -> FlowStep {
    FlowStep {
        state: serde_json::to_string(&step.state).unwrap_or_default(),
        messages: step.messages.iter().map(|text| message(text)).collect(),
        observations: step.observations.iter().map(|(name, data)| observation(name, data)).collect(),
        facts: Some(step.facts.to_string()),
        notes: step.notes,
        reply: (!step.reply.is_null()).then(|| step.reply.to_string()),
        wait: match step.wait {
            session::Wait::Agent { name, input, schema } => Wait::Agents(vec![AgentRequest {
                id: name.to_owned(),
                agent: name.to_owned(),
                input: input.to_string(),
                conversation: None,
                schema: Some(schema.to_string()),
            }]),
            session::Wait::Learner(until) => Wait::Person(PersonWait { role: "learner".into(), until }),
            session::Wait::Teacher => Wait::Person(PersonWait { role: "teacher".into(), until: None }),
            session::Wait::End => Wait::End(End { status: "success".into(), reason: None }),
        },
    }
}

fn message(text: &str) -> ShownMessage {
    ShownMessage { speech: spoken(text), emotion: None, display: text.to_owned(), visual: None }
}

fn observation(name: &str, data: &Value) -> Observation {
    let schema = SCHEMAS.iter().find(|(known, _)| *known == name).map(|(_, sha256)| *sha256).unwrap_or_default();
    Observation { name: name.to_owned(), schema: schema.to_owned(), data: data.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_random_uuids() {
        let id = uuid(&[0xff; 16]);
        assert_eq!(id, "ffffffff-ffff-4fff-bfff-ffffffffffff");
        assert_eq!(uuid(&[0; 16]), "00000000-0000-4000-8000-000000000000");
    }

    #[test]
    fn an_agent_that_did_not_end_well_has_not_answered() {
        let answer = |status: &str, reason: Option<&str>| Answer {
            id: "planner".into(),
            agent: "planner".into(),
            status: status.into(),
            output: "{}".into(),
            reason: reason.map(ToOwned::to_owned),
        };
        assert_eq!(output(&answer("success", None)), Ok("{}".to_owned()));
        assert_eq!(output(&answer("declined", Some("no topic"))), Err("no topic".to_owned()));
        assert_eq!(output(&answer("error_max_turns", None)), Err("error_max_turns".to_owned()));
    }
}
