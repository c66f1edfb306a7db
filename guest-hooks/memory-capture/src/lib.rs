//! Memory capture, at post-loop and last: proposes what to remember from what was done in this run, for the teacher to
//! confirm, edit or dismiss, one by one.
//!
//! This hook changes no lesson, remembers nothing without a yes, and never proposes twice what the teacher has dismissed.
//! A proposal is a lasting lesson learned about a class or about the teacher's way of planning, never about a person.
//! Start reading at [`flow`]; proposals come from [`changes`] (draft and outcome), [`said`] (decisions), [`patterns`]
//! (earlier sessions), [`noted`] (what a model wrote down in several sessions).

mod changes;
mod flow;
mod known;
mod lesson;
mod noted;
mod patterns;
mod personal;
mod proposal;
mod said;
mod sentences;
#[cfg(test)]
mod testing;
mod words;

use ta_guest::memory_update::{self, NewNote};
use ta_guest::post_loop::{Event, Response};
use ta_guest::{Context, Subject, ask, config, journal, memory, sessions};

use crate::flow::{Host, Settings};

ta_guest::post_loop!(run);

struct Imports;

impl Host for Imports {
    fn remembers(&self) -> bool {
        // A run without memory sees no sessions either, and says so; one that has none yet answers with an empty list.
        let query = sessions::Query { words: String::new(), subject: None, since: None, until: None, limit: 1 };
        sessions::search(&query).is_ok()
    }

    fn drafts(&self) -> Vec<journal::Draft> {
        journal::drafts()
    }

    fn questions(&self) -> Vec<journal::Asked> {
        journal::questions()
    }

    fn past_runs(&self, class: Option<&str>, limit: u32) -> Vec<sessions::PastRun> {
        let subject = class.map(|id| Subject { kind: "class".into(), id: id.into() });
        sessions::past_runs(subject.as_ref(), limit)
    }

    fn files(&self) -> Vec<String> {
        memory::files()
    }

    fn read(&self, path: &str) -> Option<memory::File> {
        memory::read(path).ok()
    }

    fn put(&mut self, question: &ask::Question) -> ask::Outcome {
        ask::put(question)
    }

    fn remember(&mut self, path: &str, note: &NewNote) -> Result<String, String> {
        memory_update::remember(path, note)
    }

    fn forget(&mut self, path: &str, text: &str) -> Result<(), String> {
        memory_update::forget(path, text)
    }
}

fn run(context: &Context, event: &Event) -> Response {
    match Settings::read(config::get) {
        Ok(settings) => flow::capture(&settings, context, event, &mut Imports),
        Err(abort) => Response::abort(&abort.code, abort.reason),
    }
}
