//! The flow of the tutor of mathematics: puts the contract around `ta-tutor`, which decides.
//!
//! It is told of the world by what it was granted: topics are files of the skill `topics`, right and wrong are the tool's
//! `check_answer`, problems are drawn from the journal's randomness. Start reading at [`step`].

use serde_json::{Value, json};
use ta_guest::flow::{
    AgentRequest, Answer, End, Event, Failure, FlowStep, Observation, PersonWait, ShownMessage, Wait,
};
use ta_guest::{Context, clock, config_or, random, skills, tools};
use ta_tutor::check::check;
use ta_tutor::message::Shown;
use ta_tutor::state::State;
use ta_tutor::topic::Options;
use ta_tutor::tutor::{self, Verdict, World};
use ta_tutor::view as shown_view;

/// The skill whose files are the topics.
const TOPICS: &str = "topics";
/// The command that looks topics through instead of teaching one.
const CHECK: &str = "check";
/// The provider that stands in where there is no key: it writes no lessons for learners.
const NO_AGENTS: [&str; 1] = ["offline"];
/// Minutes of silence after which a learner is spoken to.
const SILENCE_MINUTES: u64 = 10;
const MINUTE_MS: u64 = 60_000;
/// SHA-256 of the plugin's schemas, by the observation that they are of.
const SCHEMAS: [(&str, &str); 3] = [
    ("exchange", "189876d2b49e5ad32d97d2a4095f3b0d25215b09ee8ff974b7783cf121136bf3"),
    ("section", "5809043bdbaf14f816052774e8d65206d132c0edc376e1226086480402f450f8"),
    ("alert", "3d99191dc3fea42fe0783d1cddea628f6cb3daf5eb269e73622de977ab8de06b"),
];

ta_guest::flow!(step, view);

/// The world as the host tells it.
struct Host {
    agents: bool,
}

impl World for Host {
    fn now(&self) -> u64 {
        clock::now()
    }

    fn seed(&self) -> u64 {
        random::bytes(8).iter().fold(0, |seed, byte| (seed << 8) | u64::from(*byte))
    }

    fn file(&self, name: &str) -> Result<String, String> {
        let reference = if name.is_empty() { TOPICS.to_owned() } else { format!("{TOPICS}/{name}") };
        skills::read(&reference).map(|skill| skill.text)
    }

    fn check(&self, question: &str, given: &str, expected: &str, options: &Options) -> Verdict {
        let arguments = json!({ "question": question, "expected": expected, "given": given, "options": options });
        match tools::call("check_answer", &arguments.to_string()) {
            Ok(answer) => verdict(&answer),
            Err(failure) => Verdict { right: None, why: format!("it cannot be checked now ({})", failure.code) },
        }
    }

    fn agents(&self) -> bool {
        self.agents
    }

    fn silence_ms(&self) -> Option<u64> {
        let minutes = config_or("silence-minutes", SILENCE_MINUTES);
        (minutes > 0).then(|| minutes.saturating_mul(MINUTE_MS))
    }
}

/// What the checker answers: `{"verdict": "right" | "wrong" | "undecided", "why": …}`.
fn verdict(answer: &str) -> Verdict {
    let answer: Value = serde_json::from_str(answer).unwrap_or_default();
    let right = match answer.get("verdict").and_then(Value::as_str) {
        Some("right") => Some(true),
        Some("wrong") => Some(false),
        _ => None,
    };
    Verdict { right, why: answer.get("why").and_then(Value::as_str).unwrap_or_default().to_owned() }
}

fn step(context: &Context, state: Option<&str>, event: &Event) -> Result<FlowStep, Failure> {
    let state = state.map(read).transpose()?;
    let provider = context.extra.iter().find(|entry| entry.name == "provider").map(|entry| entry.value.as_str());
    let agents = provider.is_some_and(|provider| !NO_AGENTS.contains(&provider));
    let host = Host { agents };
    let step = match event {
        Event::Begun(text) if context.command == CHECK => check(&host, text),
        _ => tutor::step(&host, state, &happened(event)),
    };
    step.map(stepped).map_err(|(code, message)| Failure { code: code.to_owned(), message })
}

fn view(state: &str, role: &str) -> Result<String, Failure> {
    Ok(shown_view::view(&read(state)?, role).to_string())
}

fn read(state: &str) -> Result<State, Failure> {
    serde_json::from_str(state).map_err(|error| Failure { code: "state".into(), message: error.to_string() })
}

fn happened(event: &Event) -> tutor::Event {
    match event {
        Event::Begun(text) => tutor::Event::Begun(text.clone()),
        Event::Said(text) => tutor::Event::Said(text.clone()),
        Event::Answered(answers) => tutor::Event::Answered(answers.first().and_then(output)),
        Event::Woken => tutor::Event::Woken,
        Event::Withheld(withheld) => tutor::Event::Withheld(format!("{}: {}", withheld.by, withheld.code)),
        Event::Returned(returned) => tutor::Event::Returned(returned.instruction.clone()),
    }
}

/// What an agent answered, where it ended well.
fn output(answer: &Answer) -> Option<String> {
    (answer.status == "success").then(|| answer.output.clone())
}

fn stepped(step: tutor::Step) -> FlowStep {
    let mut reply = shown_view::view(&step.state, "learner");
    if let Some(fields) = reply.as_object_mut() {
        // The host tells the messages itself, as the guards let them pass.
        fields.remove("messages");
    }
    FlowStep {
        state: serde_json::to_string(&step.state).unwrap_or_default(),
        messages: step.messages.iter().map(message).collect(),
        observations: step.observations.iter().map(|(name, data)| observation(name, data)).collect(),
        facts: Some(step.facts.to_string()),
        notes: step.notes,
        reply: Some(reply.to_string()),
        wait: match step.wait {
            tutor::Wait::Agent { name, input, schema } => Wait::Agents(vec![AgentRequest {
                id: name.clone(),
                agent: name,
                input,
                conversation: None,
                schema: Some(schema.to_string()),
            }]),
            tutor::Wait::Learner(until) => Wait::Person(PersonWait { role: "learner".into(), until }),
            tutor::Wait::End => Wait::End(End { status: "success".into(), reason: None }),
        },
    }
}

fn message(shown: &Shown) -> ShownMessage {
    ShownMessage {
        speech: shown.speech.clone(),
        emotion: Some(shown.emotion.name().to_owned()),
        display: shown.display.clone(),
        visual: shown.visual.as_ref().and_then(|visual| serde_json::to_string(visual).ok()),
    }
}

fn observation(name: &str, data: &Value) -> Observation {
    let schema = SCHEMAS.iter().find(|(known, _)| *known == name).map(|(_, sha256)| *sha256).unwrap_or_default();
    Observation { name: name.to_owned(), schema: schema.to_owned(), data: data.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checkers_answer_is_read_and_anything_else_is_undecided() {
        let right = |answer: &str| verdict(answer).right;
        assert_eq!(right(r#"{"verdict":"right","why":""}"#), Some(true));
        assert_eq!(right(r#"{"verdict":"wrong","why":"sign"}"#), Some(false));
        for other in ["", "right", r#"{"verdict":"undecided"}"#, r#"{"verdict":true}"#] {
            assert_eq!(right(other), None, "{other}");
        }
    }
}
