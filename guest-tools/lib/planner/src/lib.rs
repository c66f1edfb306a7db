//! A deterministic planner: no network, no language model, no text written in advance for a topic.
//!
//! It sees what a language model would see, the system prompt, the conversation and the tools, and works the same loop.
//! For a new lesson it lists `classes` and `curriculum`, reads the class profile and every curriculum file, chooses one
//! to three outcomes, reads the skills it uses, notes its tasks, and writes the lesson. Where a tool fails it tries once
//! more; then it goes on without and says so in the lesson. Where the topic fits no outcome it says so and writes none.
//!
//! What a lesson holds comes from the fields of the curriculum file and the class profile. How it is taught comes from a
//! bank of activity patterns (`bank/*.md`) that is filled from those fields. Nothing is drawn by lot: the same
//! request gives the same answer, and no state is kept between two calls. Every lesson says under "About this draft"
//! that it was written this way.
//!
//! Ways of working, by what the last message and the command ask for:
//! - a request under `create-lesson`, or without a command: a new lesson; a follow-up such as "now for 1B" takes over
//!   what it leaves out from the request before, and "make the starter shorter" changes the lesson above;
//! - a request under `refine-lesson`: the lesson named, with the part named changed and every other byte as it was;
//! - a request under `create-unit`, `create-resource` or `review-lesson`, or to the agents `resource-creator`,
//!   `differentiation-specialist` or `pedagogy-reviewer`: a unit, a resource with answers, versions of a task, a review;
//! - a message that begins with `<rework`: sections revised, alternatives offered, evidence repaired.
//!
//! Reading order: `talk` (what was asked and answered so far), `plan` (the order of work), `matching` (which outcomes),
//! `gather` and `compose` (from entries to a lesson), `product` (what else is written), `team` (other agents), `revise` (changing one), `bank` and `render` (the patterns).

mod advice;
mod answers;
mod bank;
mod change;
mod choose;
mod codes;
mod compose;
mod cuts;
mod demands;
mod examples;
mod gather;
mod look;
mod matching;
mod material;
mod means;
mod minutes;
mod needs;
mod occasion;
mod phrase;
mod plan;
mod product;
mod profile;
mod prompt;
pub mod provider;
mod questions;
mod read_back;
mod refine;
mod remarks;
mod render;
mod repair;
mod request;
mod reshape;
mod resource;
mod review;
mod revise;
mod rework;
mod sections;
mod session;
mod sources;
mod talk;
mod team;
mod timing;
mod title;
mod unit;
mod versions;
mod wish;
mod words;

use product::Product;
use prompt::Prompt;
use provider::{Answer, Request};
use talk::{Desk, Talk};

/// Answers a request: with tool calls while something has to be read, then with text. The same request always gets the
/// same answer.
#[must_use]
pub fn answer(request: &Request) -> Answer {
    let prompt = Prompt::read(&request.parts);
    let talk = Talk::read(&request.messages, !request.tools.is_empty());
    let mut desk = Desk::new(talk, &request.tools);
    let said = said(&mut desk, &prompt);
    let calls = if said.is_none() { desk.take_calls() } else { Vec::new() };
    Answer { text: said.unwrap_or_default(), calls, declined: desk.declined() }
}

fn said(desk: &mut Desk<'_>, prompt: &Prompt) -> plan::Said {
    if desk.talk.is_rework() {
        return rework::rework(desk, prompt);
    }
    let product = Product::of(prompt);
    if product == Product::Change {
        return change::change(desk);
    }
    if product == Product::Review {
        return review::review(desk, prompt);
    }
    if product != Product::Lesson {
        let request = product.cleaned(&desk.talk.task());
        return plan::create(desk, prompt, &request);
    }
    let command = prompt.command.rsplit(':').next().unwrap_or_default();
    if command.contains("refine") {
        return refine::refine(desk);
    }
    let plans = command.is_empty() || ["create", "plan", "lesson"].iter().any(|word| command.contains(word));
    if !plans {
        return desk.decline(answers::other_command(command));
    }
    let follows_up =
        desk.talk.earlier_lesson().is_some_and(|lesson| refine::is_about_change(&desk.talk.request(), lesson));
    if follows_up {
        return refine::refine_here(desk);
    }
    let request = team::cleaned(desk, product, &desk.talk.request());
    plan::create(desk, prompt, &request)
}

#[cfg(test)]
mod tests;
