//! Which outcome a lesson is for, at pre-loop: where the topic does not say it, the person is asked before anything is planned.
//!
//! A lesson on a real outcome that nobody asked for is worse than none, and nothing later would notice. So this hook looks the
//! topic up in the curriculum files of the class's subjects. Where no outcome is certain, it offers the nearest and
//! "none of these". The one that is certain or chosen is given to whoever plans. It invents nothing and changes no file.
//!
//! Start reading at [`flow`], the order of things; the matching itself is the crate `ta-topics`.

mod class;
mod flow;
#[cfg(test)]
mod tests;

use ta_guest::granted::{Files, Host};
use ta_guest::pre_loop::{Event, Response};
use ta_guest::{Context, ask, config};

use crate::flow::{Outside, Settings};

ta_guest::pre_loop!(run);

struct Imports;

impl Outside for Imports {
    fn put(&self, question: &ask::Question) -> ask::Outcome {
        ask::put(question)
    }
}

fn run(context: &Context, event: &Event) -> Response {
    flow::outcome(&Settings::read(config::get), context, event, &Files::new(&Host), &Imports)
}
