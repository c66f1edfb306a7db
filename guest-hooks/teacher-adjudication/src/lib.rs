//! Teacher adjudication, at post-loop: the teacher accepts, revises or asks for alternatives, section by section or for
//! the lesson as a whole.
//!
//! This hook judges nothing by itself and changes no word of a section: the only text that it puts in is an alternative
//! that the teacher chose. Start reading at [`adjudicate`], the order of questions and what follows from the answers; then
//! [`decisions`], what an answer says, and [`lesson`], the sections and what was decided on each.

mod adjudicate;
mod alternatives;
mod decisions;
mod lesson;
mod questions;
mod settings;
#[cfg(test)]
mod testing;

use ta_guest::post_loop::{Event, Response};
use ta_guest::{Context, ask, config, journal};

use crate::adjudicate::Ask;
use crate::settings::Settings;

ta_guest::post_loop!(run);

struct Host;

impl Ask for Host {
    fn put(&mut self, question: &ask::Question) -> ask::Outcome {
        ask::put(question)
    }

    fn asked(&self) -> Vec<journal::Asked> {
        journal::questions()
    }
}

fn run(context: &Context, event: &Event) -> Response {
    match Settings::read(config::get) {
        Ok(settings) => adjudicate::adjudicate(&settings, context.rework_round, event, &mut Host),
        Err(abort) => Response::abort(&abort.code, abort.reason),
    }
}
