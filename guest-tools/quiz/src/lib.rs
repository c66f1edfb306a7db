//! A flow: a quiz of three questions about a topic, by an agent that asks and an agent that judges.
//!
//! The flow decides what comes next and counts what is right; the agents write the words. An agent's answer that is not what
//! was asked for is asked for once more, then the exchange fails.
//! Start reading at [`step`].

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use ta_guest::Context;
use ta_guest::flow::{
    AgentRequest, Answer, End, Event, Failure, FlowStep, Observation, PersonWait, ShownMessage, Wait,
};

/// Questions of a quiz.
const QUESTIONS: u32 = 3;
/// How often an agent is asked again whose answer cannot be used.
const AGAIN_MAX: u32 = 1;
/// SHA-256 of the plugin's `schemas/answer-judged.json`.
const JUDGED_SCHEMA: &str = "36444406708b7459fa33a638c7c5834ac2d01dad1f2f10b07ddfa093943ddcd7";

ta_guest::flow!(step, view);

/// What the quiz is at.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct State {
    topic: String,
    /// Number of the question, counted from 1.
    number: u32,
    question: String,
    answer: String,
    /// What the person answered, while it is judged.
    given: String,
    right: u32,
    /// What the person was told about their last answer: it is answered with the next question.
    feedback: Option<String>,
    /// Until when the person is waited for before the quiz speaks first, in milliseconds since 1970-01-01 UTC.
    until_ms: Option<u64>,
    /// How often in a row an agent's answer could not be used.
    again: u32,
}

/// What the agent that asks answers.
#[derive(Debug, Deserialize)]
struct Asked {
    question: String,
    answer: String,
}

/// What the agent that judges answers.
#[derive(Debug, Deserialize)]
struct Judged {
    right: bool,
    feedback: String,
}

fn step(_: &Context, state: Option<&str>, event: &Event) -> Result<FlowStep, Failure> {
    let state = match state {
        Some(state) => serde_json::from_str(state).map_err(|error| failure("state", &error.to_string()))?,
        None => State { number: 1, ..State::default() },
    };
    match event {
        Event::Begun(begun) => {
            let (topic, until_ms) = begun_with(begun);
            let state = State { topic, until_ms, ..state };
            Ok(asks(state, Vec::new(), ""))
        }
        Event::Said(text) => Ok(judges(State { given: text.clone(), ..state })),
        Event::Answered(answers) => answered(state, answers),
        Event::Woken => Ok(listens(state, "Take your time. The question is still there.", Vec::new())),
        Event::Withheld(_) => {
            let question = state.question.clone();
            Ok(listens(state, &question, Vec::new()))
        }
        Event::Returned(returned) => Ok(asks(state, Vec::new(), &returned.instruction)),
    }
}

/// What the quiz begins with: a topic, as the person's words or the field `topic` of what a program sent, and until when it
/// waits for the first answer, `until_ms` of that.
fn begun_with(begun: &str) -> (String, Option<u64>) {
    let sent = serde_json::from_str::<Value>(begun).unwrap_or_default();
    let topic = sent.get("topic").and_then(Value::as_str).unwrap_or(begun);
    (topic.to_owned(), sent.get("until_ms").and_then(Value::as_u64))
}

/// What a teacher or the person sees of the quiz.
fn view(state: &str, role: &str) -> Result<String, Failure> {
    let state: State = serde_json::from_str(state).map_err(|error| failure("state", &error.to_string()))?;
    // The answer is for the teacher's eyes.
    let answer = (role == "teacher").then_some(state.answer);
    let shown = json!({
        "topic": state.topic, "number": state.number, "of": QUESTIONS, "right": state.right, "answer": answer,
    });
    Ok(shown.to_string())
}

fn failure(code: &str, message: &str) -> Failure {
    Failure { code: code.to_owned(), message: message.to_owned() }
}

/// Has the next question written; what was said so far is shown before.
fn asks(state: State, messages: Vec<ShownMessage>, wish: &str) -> FlowStep {
    let mut input = format!("Question {} of {QUESTIONS} about {}.", state.number, state.topic);
    if !wish.is_empty() {
        input.push_str(&format!(" Your last one may not be shown: {wish}"));
    }
    let schema = json!({
        "type": "object", "required": ["question", "answer"],
        "properties": { "question": { "type": "string" }, "answer": { "type": "string" } }
    });
    let wait = Wait::Agents(vec![request("ask", "asker", input, &schema)]);
    FlowStep { messages, ..plain(&State { again: 0, ..state }, wait) }
}

fn judges(state: State) -> FlowStep {
    let input =
        format!("Question: {}\nExpected answer: {}\nGiven answer: {}", state.question, state.answer, state.given);
    let schema = json!({
        "type": "object", "required": ["right", "feedback"],
        "properties": { "right": { "type": "boolean" }, "feedback": { "type": "string" } }
    });
    let wait = Wait::Agents(vec![request("judge", "judge", input, &schema)]);
    plain(&state, wait)
}

fn request(id: &str, agent: &str, input: String, schema: &Value) -> AgentRequest {
    AgentRequest {
        id: id.to_owned(),
        agent: agent.to_owned(),
        input,
        conversation: Some(agent.to_owned()),
        schema: Some(schema.to_string()),
    }
}

fn answered(state: State, answers: &[Answer]) -> Result<FlowStep, Failure> {
    let Some(answer) = answers.first() else { return Err(failure("answers", "nobody answered")) };
    if answer.status != "success" {
        let reason = answer.reason.clone().unwrap_or_else(|| answer.status.clone());
        return Err(failure("agent", &format!("{} did not answer: {reason}", answer.agent)));
    }
    let used = match answer.id.as_str() {
        "ask" => serde_json::from_str::<Asked>(&answer.output).ok().map(|asked| puts(state.clone(), asked)),
        _ => serde_json::from_str::<Judged>(&answer.output).ok().map(|judged| tells(state.clone(), judged)),
    };
    match used {
        Some(step) => Ok(step),
        None if state.again < AGAIN_MAX => {
            let state = State { again: state.again + 1, ..state };
            Ok(if answer.id == "ask" { asks(state, Vec::new(), "it was no JSON object") } else { judges(state) })
        }
        None => Err(failure("answer", &format!("{} answered with something else than was asked for", answer.agent))),
    }
}

/// Puts the question to the person; hooks are told the answer, so that none gives it away.
fn puts(state: State, asked: Asked) -> FlowStep {
    let state = State { question: asked.question, answer: asked.answer, again: 0, ..state };
    let text = format!("Question {} of {QUESTIONS}: {}", state.number, state.question);
    let reply = reply(&state, "active", Some(&state.question));
    FlowStep { reply: Some(reply), ..listens(state, &text, Vec::new()) }
}

/// What a program that spoke for the person is answered.
fn reply(state: &State, status: &str, question: Option<&str>) -> String {
    let (number, right) = (state.number, state.right);
    let of =
        json!({ "status": status, "question": question, "feedback": state.feedback, "number": number, "right": right });
    of.to_string()
}

/// Tells the person how they did, and goes on to the next question or to the end.
fn tells(state: State, judged: Judged) -> FlowStep {
    let (right, told) = (state.right + u32::from(judged.right), Some(judged.feedback.clone()));
    let state = State { right, feedback: told, again: 0, ..state };
    let data = json!({ "number": state.number, "right": judged.right }).to_string();
    let observation = Observation { name: "answer-judged".into(), schema: JUDGED_SCHEMA.into(), data };
    let feedback = shown(&judged.feedback);
    if state.number >= QUESTIONS {
        let result = shown(&format!("That was the quiz: {} of {QUESTIONS} right.", state.right));
        let wait = Wait::End(End { status: "success".into(), reason: None });
        let (step, reply) = (plain(&state, wait), Some(reply(&state, "completed", None)));
        return FlowStep { messages: vec![feedback, result], observations: vec![observation], reply, ..step };
    }
    let step = asks(State { number: state.number + 1, ..state }, vec![feedback], "");
    FlowStep { observations: vec![observation], ..step }
}

fn listens(mut state: State, text: &str, observations: Vec<Observation>) -> FlowStep {
    let wait = Wait::Person(PersonWait { role: "learner".into(), until: state.until_ms.take() });
    let step = plain(&state, wait);
    FlowStep { messages: vec![shown(text)], observations, ..step }
}

fn plain(state: &State, wait: Wait) -> FlowStep {
    let facts = (!state.answer.is_empty()).then(|| json!({ "answers": [state.answer] }).to_string());
    FlowStep {
        state: serde_json::to_string(state).unwrap_or_default(),
        messages: Vec::new(),
        observations: Vec::new(),
        facts,
        notes: Vec::new(),
        reply: None,
        wait,
    }
}

fn shown(text: &str) -> ShownMessage {
    ShownMessage { speech: text.to_owned(), emotion: None, display: text.to_owned(), visual: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn context() -> Context {
        Context::default()
    }

    fn answer(id: &str, output: &str) -> Event {
        let (agent, status) = (id.to_owned(), "success".to_owned());
        Event::Answered(vec![Answer { id: id.into(), agent, status, output: output.into(), reason: None }])
    }

    #[test]
    fn three_questions_and_the_count_of_what_was_right() {
        let mut last = step(&context(), None, &Event::Begun("loops".into())).unwrap();
        for number in 1..=3 {
            let asked = answer("ask", r#"{"question":"How often?","answer":"4"}"#);
            last = step(&context(), Some(&last.state), &asked).unwrap();
            assert!(last.messages[0].display.starts_with(&format!("Question {number} of 3")));
            assert_eq!(last.facts.as_deref(), Some(r#"{"answers":["4"]}"#));
            let reply: Value = serde_json::from_str(last.reply.as_deref().unwrap()).unwrap();
            assert_eq!((&reply["number"], &reply["question"]), (&json!(number), &json!("How often?")));
            assert_eq!(reply["feedback"], if number == 1 { Value::Null } else { json!("Well.") });
            last = step(&context(), Some(&last.state), &Event::Said("4".into())).unwrap();
            let judged = answer("judge", &format!(r#"{{"right":{},"feedback":"Well."}}"#, number != 2));
            last = step(&context(), Some(&last.state), &judged).unwrap();
            assert_eq!(last.observations.len(), 1);
        }
        assert_eq!(last.messages[1].display, "That was the quiz: 2 of 3 right.");
        let reply: Value = serde_json::from_str(last.reply.as_deref().unwrap()).unwrap();
        assert_eq!((&reply["status"], &reply["right"]), (&json!("completed"), &json!(2)));
        assert!(matches!(last.wait, Wait::End(_)));
    }

    #[test]
    fn a_topic_is_words_or_a_field_of_what_was_sent() {
        for (begun, wanted) in
            [("loops", "loops"), (r#"{"topic":"loops","grade":4}"#, "loops"), ("{}", "{}"), ("7", "7")]
        {
            assert_eq!(begun_with(begun), (wanted.to_owned(), None));
        }
        assert_eq!(begun_with(r#"{"topic":"loops","until_ms":5}"#), ("loops".to_owned(), Some(5)));
    }

    #[test]
    fn an_answer_that_cannot_be_used_is_asked_for_once_more() {
        let begun = step(&context(), None, &Event::Begun("loops".into())).unwrap();
        let put = step(&context(), Some(&begun.state), &answer("ask", r#"{"question":"q","answer":"a"}"#)).unwrap();
        let said = step(&context(), Some(&put.state), &Event::Said("a".into())).unwrap();
        let again = step(&context(), Some(&said.state), &answer("judge", "well done")).unwrap();
        assert!(matches!(again.wait, Wait::Agents(_)));
        assert!(step(&context(), Some(&again.state), &answer("judge", "well done")).is_err());
    }
}
