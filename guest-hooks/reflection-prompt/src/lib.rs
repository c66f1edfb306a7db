//! Reflection, at post-loop and before adjudication: a few pointed questions about this very lesson, for the teacher to
//! think about before deciding on it.
//!
//! This hook judges nothing and changes nothing: whatever is answered, the run goes on, and the answers are in the journal.
//! Every question is made from something that really stands in the lesson or in the class's profile; a question that would
//! fit any lesson is not asked. Start reading at [`flow`], then [`bank`], the makers of questions.

mod bank;
mod flow;
mod lesson;
mod profile;
mod pupils;
#[cfg(test)]
mod testing;
mod timing;
mod words;

use ta_guest::post_loop::{Event, Response};
use ta_guest::{Context, ask, config, journal, workspace};

use crate::flow::{Host, Settings};

ta_guest::post_loop!(run);

struct Imports;

impl Host for Imports {
    fn granted(&self) -> Vec<workspace::Granted> {
        workspace::granted_directories()
    }

    fn read(&self, directory: &str, path: &str) -> Option<String> {
        workspace::open(directory).ok()?.read(path).ok().map(|read| read.text)
    }

    fn questions(&self) -> Vec<journal::Asked> {
        journal::questions()
    }

    fn put(&mut self, question: &ask::Question) -> ask::Outcome {
        ask::put(question)
    }
}

fn run(context: &Context, event: &Event) -> Response {
    match Settings::read(config::get) {
        Ok(settings) => flow::reflect(&settings, context, event, &mut Imports),
        Err(abort) => Response::abort(&abort.code, abort.reason),
    }
}
