//! Feedforward, at pre-loop: before a lesson is drafted, the teacher sees what it is about to rely on, item by item with
//! its source, and confirms, changes or leaves out.
//!
//! This hook never changes a file and never invents a fact: every item is a passage of the workspace or of memory, and what
//! the teacher changes is shown otherwise in this run only. Start reading at [`flow`], the order of things; then [`compose`], which
//! passages become items, and [`decide`], what follows from the answers.

mod bullets;
mod compose;
mod day;
mod decide;
mod flow;
mod need;
mod profile;
mod relevance;
mod shown;
mod sources;
#[cfg(test)]
mod testing;

use ta_guest::pre_loop::{Event, Response};
use ta_guest::prompt::Correction;
use ta_guest::{Context, ask, config, memory, prompt, workspace};

use crate::flow::{Host, Settings};

ta_guest::pre_loop!(run);

struct Imports;

impl Host for Imports {
    fn granted(&self) -> Vec<workspace::Granted> {
        workspace::granted_directories()
    }

    fn read(&self, directory: &str, path: &str) -> Option<String> {
        workspace::open(directory).ok()?.read(path).ok().map(|read| read.text)
    }

    fn remembered(&self, path: &str) -> Option<memory::File> {
        memory::read(path).ok()
    }

    fn put(&mut self, question: &ask::Question) -> ask::Outcome {
        ask::put(question)
    }

    fn correct(&mut self, corrections: &[Correction]) -> Result<(), String> {
        prompt::correct(corrections)
    }
}

fn run(context: &Context, event: &Event) -> Response {
    match Settings::read(config::get) {
        Ok(settings) => flow::feedforward(&settings, context, event, &mut Imports),
        Err(abort) => Response::abort(&abort.code, abort.reason),
    }
}
