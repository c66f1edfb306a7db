//! A flow that asks others: a tool, or several agents at once. It gives `first` what the person said as arguments, shows what it
//! answered, and ends; where they say `{"agents": […]}`, it asks these and shows what all of them answered.
//!
//! An example of requests and of agents side by side, and what their tests run. Start reading at [`step`].

use serde_json::{Value, json};
use ta_guest::Context;
use ta_guest::flow::{AgentRequest, Answer, End, Event, Failure, FlowStep, PersonWait, ShownMessage, Wait};
use ta_guest::tools;

ta_guest::flow!(step, view);

fn step(_: &Context, state: Option<&str>, event: &Event) -> Result<FlowStep, Failure> {
    match event {
        Event::Begun(said) | Event::Said(said) => match agents_of(said) {
            Some(requests) => Ok(plain(state.unwrap_or("{}"), Wait::Agents(requests))),
            None => Ok(told(said)),
        },
        Event::Answered(answers) => answered(answers),
        Event::Woken | Event::Withheld(_) | Event::Returned(_) => {
            Err(failure("event", "only what the person says and what agents answer is taken"))
        }
    }
}

/// What the tool or the agents answered, for every role.
fn view(state: &str, _: &str) -> Result<String, Failure> {
    Ok(state.to_owned())
}

/// The agents that are to be asked: each by its name, about `input`, in a conversation that goes on with the next round.
fn agents_of(said: &str) -> Option<Vec<AgentRequest>> {
    let said: Value = serde_json::from_str(said).ok()?;
    let input = said.get("input").and_then(Value::as_str).unwrap_or_default();
    let names = said.get("agents")?.as_array()?.iter().filter_map(Value::as_str);
    let request = |name: &str| AgentRequest {
        id: name.to_owned(),
        agent: name.to_owned(),
        input: input.to_owned(),
        conversation: Some(name.to_owned()),
        schema: None,
    };
    Some(names.map(request).collect())
}

/// Shows what all agents said, and waits for the person.
fn answered(answers: &[Answer]) -> Result<FlowStep, Failure> {
    if let Some(silent) = answers.iter().find(|answer| answer.status != "success") {
        let reason = silent.reason.as_deref().unwrap_or(&silent.status);
        return Err(failure("agent", &format!("{} did not answer: {reason}", silent.agent)));
    }
    let said: Vec<String> = answers.iter().map(|answer| format!("{}: {}", answer.id, answer.output)).collect();
    let wait = Wait::Person(PersonWait { role: "person".into(), until: None });
    Ok(shows(&said.join("\n"), wait))
}

/// Shows what the tool says, and ends.
fn told(said: &str) -> FlowStep {
    let answer = match tools::call("first", said) {
        Ok(text) => text,
        Err(failure) => format!("{}: {}", failure.code, failure.message),
    };
    shows(&answer, Wait::End(End { status: "success".into(), reason: None }))
}

fn shows(text: &str, wait: Wait) -> FlowStep {
    let shown = ShownMessage { speech: text.to_owned(), emotion: None, display: text.to_owned(), visual: None };
    FlowStep { messages: vec![shown], ..plain(&json!({ "answer": text }).to_string(), wait) }
}

fn plain(state: &str, wait: Wait) -> FlowStep {
    FlowStep {
        state: state.to_owned(),
        messages: Vec::new(),
        observations: Vec::new(),
        facts: None,
        notes: Vec::new(),
        reply: None,
        wait,
    }
}

fn failure(code: &str, message: &str) -> Failure {
    Failure { code: code.to_owned(), message: message.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(id: &str, status: &str) -> Answer {
        let (agent, output) = (id.to_owned(), format!("{id} is fine."));
        Answer { id: id.into(), agent, status: status.into(), output, reason: None }
    }

    #[test]
    fn agents_are_asked_at_once_and_shown_in_one_message() {
        let said = r#"{"agents":["clarity","facts"],"input":"A text."}"#;
        let begun = step(&Context::default(), None, &Event::Begun(said.into())).unwrap();
        let Wait::Agents(asked) = begun.wait else { panic!("nobody is asked") };
        let asked: Vec<_> = asked.iter().map(|it| (it.id.as_str(), it.input.as_str())).collect();
        assert_eq!(asked, [("clarity", "A text."), ("facts", "A text.")]);
        let answers = vec![answer("clarity", "success"), answer("facts", "success")];
        let shown = step(&Context::default(), Some("{}"), &Event::Answered(answers)).unwrap();
        assert_eq!(shown.messages[0].display, "clarity: clarity is fine.\nfacts: facts is fine.");
        assert!(matches!(shown.wait, Wait::Person(_)));
    }

    #[test]
    fn an_agent_that_does_not_answer_fails_the_exchange() {
        let answers = vec![answer("clarity", "success"), answer("facts", "error_max_turns")];
        let failed = step(&Context::default(), Some("{}"), &Event::Answered(answers)).unwrap_err();
        assert_eq!((failed.code.as_str(), failed.message.as_str()), ("agent", "facts did not answer: error_max_turns"));
    }
}
