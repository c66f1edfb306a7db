//! A flow that calls a tool: it gives `first` what the person said as arguments, shows what it answered, and ends.
//!
//! An example of requests, and what their tests run. Start reading at [`step`].

use serde_json::json;
use ta_guest::Context;
use ta_guest::flow::{End, Event, Failure, FlowStep, ShownMessage, Wait};
use ta_guest::tools;

ta_guest::flow!(step, view);

fn step(_: &Context, _: Option<&str>, event: &Event) -> Result<FlowStep, Failure> {
    let (Event::Begun(said) | Event::Said(said)) = event else {
        return Err(Failure { code: "event".into(), message: "only what the person says is taken".into() });
    };
    let answer = match tools::call("first", said) {
        Ok(text) => text,
        Err(failure) => format!("{}: {}", failure.code, failure.message),
    };
    Ok(FlowStep {
        state: json!({ "answer": answer }).to_string(),
        messages: vec![ShownMessage { speech: answer.clone(), emotion: None, display: answer, visual: None }],
        observations: Vec::new(),
        facts: None,
        notes: Vec::new(),
        reply: None,
        wait: Wait::End(End { status: "success".into(), reason: None }),
    })
}

/// What the tool answered, for every role.
fn view(state: &str, _: &str) -> Result<String, Failure> {
    Ok(state.to_owned())
}
