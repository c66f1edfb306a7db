//! Keeps likely personal data of pupils from being sent to a model or stored, unless the teacher allows it.
//!
//! It looks at the request (pre-loop), at the messages of every model call (pre-model) and at what tools are to write
//! (pre-tool). Local rules only: it asks no model, reads no file and keeps nothing; what it shows goes to the teacher alone,
//! and its findings and ids hold nothing of what was found. Numbers in mathematics and people in books are not personal
//! data. Start reading at [`scan`], then [`names`] and [`numbers`], the rules; [`decide`] is the question and what
//! follows, [`points`] where it is asked.

mod decide;
mod names;
mod numbers;
mod points;
mod scan;
mod tokens;
mod words;

#[cfg(test)]
mod points_tests;
#[cfg(test)]
mod tests;

use ta_guest::{Context, ask, config, journal, pre_loop, pre_model, pre_tool};

use crate::decide::Ask;

ta_guest::pre_loop!(on_request);
ta_guest::pre_model!(on_messages);
ta_guest::pre_tool!(on_call);

struct Host;

impl Ask for Host {
    fn put(&mut self, question: &ask::Question) -> ask::Outcome {
        ask::put(question)
    }

    fn asked(&self) -> Vec<journal::Asked> {
        journal::questions()
    }
}

fn on_request(_: &Context, event: &pre_loop::Event) -> pre_loop::Response {
    points::request(event, &mut Host)
}

fn on_messages(context: &Context, event: &pre_model::Event) -> pre_model::Response {
    points::messages(context, event, &mut Host)
}

fn on_call(context: &Context, event: &pre_tool::Event) -> pre_tool::Response {
    points::call(context, event, config::get("tools").as_deref(), &mut Host)
}
