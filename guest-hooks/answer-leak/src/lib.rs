//! Keeps a hint from giving the answer away: what a flow is about to show is held against the problem's answers, wherever it
//! stands, in what is said, what is shown, and in a picture's labels.
//!
//! A hint that leaks is sent back: the flow writes another, at last from its data. What leaks all the same ends the run. Start with [`leak::leak`].

pub mod facts;
pub mod leak;
mod read;
mod spans;
mod together;
pub mod words;

use serde_json::Value;
use ta_guest::post_loop::{Event, Response};
use ta_guest::{Context, Finding, ShownMessage};

use crate::facts::Facts;
use crate::leak::{Leak, leak};

/// How often a hint is sent back: an agent's twice, then the topic's own; words without any mathematics are left.
const ROUNDS_MAX: u32 = 3;

/// The word for a hint that leaks.
const CODE: &str = "answer-leak";

/// A longer message is no hint, and reading it would use up the guard's time.
const MESSAGE_BYTES_MAX: usize = 4_000;

/// Deepest nesting of a picture that labels are looked for in.
const DEPTH_MAX: usize = 12;

ta_guest::post_loop!(run);

fn run(context: &Context, event: &Event) -> Response {
    let Some(text) = &event.facts else {
        return Response::pass();
    };
    let facts = match Facts::read(text) {
        Ok(Some(facts)) => facts,
        Ok(None) => return Response::pass(),
        // Without facts nothing can be compared, so nothing is shown.
        Err(problem) => return Response::abort("facts", format!("The hint could not be checked: {problem}.")),
    };
    let texts = texts(event);
    if texts.iter().map(String::len).sum::<usize>() > MESSAGE_BYTES_MAX {
        return Response::abort("too-long", "The hint is too long to be checked.");
    }
    match leak(&facts, &texts) {
        None => Response::pass(),
        Some(found) => respond(context.rework_round, &found),
    }
}

fn respond(round: u32, found: &Leak) -> Response {
    let what = if found.step { "a value on the way that gives the answer away" } else { "the answer" };
    let finding =
        Finding::new(CODE, format!("`{}` in the hint is {what}.", found.text)).about("text", found.text.as_str());
    let response = if round >= ROUNDS_MAX {
        Response::abort(CODE, "The hint gave the answer away each time it was written.")
    } else {
        let instruction = format!(
            "The hint contains {what} (`{}`). Write it again so that the learner still has to find it: ask a question, name an \
             idea, or name the next step without carrying it out. Leave the value out of what is said, what is shown and every label.",
            found.text
        );
        Response::rework(instruction, ROUNDS_MAX)
    };
    response.findings(vec![finding])
}

/// Every text that the learner would see: the messages with their labels, or the output where there are none.
fn texts(event: &Event) -> Vec<String> {
    if event.shown.is_empty() {
        return vec![event.output.clone()];
    }
    event.shown.iter().flat_map(texts_of).collect()
}

fn texts_of(message: &ShownMessage) -> Vec<String> {
    let mut found = vec![message.speech.clone(), message.display.clone()];
    if let Some(visual) = &message.visual {
        match serde_json::from_str(visual) {
            Ok(value) => labels(&value, 0, &mut found),
            Err(_) => found.push(visual.clone()),
        }
    }
    found
}

/// The texts of a picture. Its numbers are where things lie; a learner reads the labels.
fn labels(value: &Value, depth: usize, found: &mut Vec<String>) {
    if depth > DEPTH_MAX {
        found.push(value.to_string());
        return;
    }
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(items) => items.iter().for_each(|item| labels(item, depth + 1, found)),
        Value::Object(fields) => {
            for (name, item) in fields {
                match item {
                    Value::Number(number) if name.contains("label") => found.push(number.to_string()),
                    _ => labels(item, depth + 1, found),
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
