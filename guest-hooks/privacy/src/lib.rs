//! Keeps likely personal data of pupils from being sent to a model or stored, unless the teacher allows it.
//!
//! It looks at the request and at the files that the prompt is made of (pre-loop), at what is new in the messages of every
//! model call (pre-model) and at what tools are to write (pre-tool). Local rules only: it asks no model, changes no file
//! and keeps nothing; what it shows goes to the teacher alone,
//! and its findings and ids hold nothing of what was found. Numbers in mathematics and people in books are not personal
//! data. Start reading at [`scan`], then [`names`] and [`numbers`], the rules; [`decide`] is the question and what
//! follows, [`points`] where it is asked, [`files`] what is read.

mod cues;
mod decide;
mod files;
mod hints;
mod lists;
mod names;
mod numbers;
mod people;
mod points;
mod scan;
mod tokens;
mod words;

#[cfg(test)]
mod files_tests;
#[cfg(test)]
mod points_tests;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;

use ta_guest::prompt::Correction;
use ta_guest::{Context, ask, config, journal, memory, pre_loop, pre_model, pre_tool, prompt, workspace};
use ta_linear::Model;

use crate::decide::Ask;
use crate::files::{Files, Unread};

ta_guest::pre_loop!(on_request);
ta_guest::pre_model!(on_messages);
ta_guest::pre_tool!(on_call);

/// Where in a request personal data is found, as byte ranges in order: what a person would be asked about.
#[must_use]
pub fn in_request(text: &str) -> Vec<std::ops::Range<usize>> {
    in_request_by(text, people::model())
}

/// The same by other weights, for training.
#[must_use]
pub fn in_request_by(text: &str, model: Model<'_>) -> Vec<std::ops::Range<usize>> {
    let found = scan::Scanner::with(model).scan(text, scan::Source::Request, &|_| false);
    found.into_iter().map(|found| found.range).collect()
}

/// What a text teaches, given the bytes of the names in it: features of each word that could be a name, and whether it is one.
#[must_use]
pub fn examples(text: &str, named: &[std::ops::Range<usize>]) -> Vec<(Vec<u32>, bool)> {
    people::examples(text, named)
}

/// The filter of plain words that `data/words.bin` holds, made of lists of words.
#[must_use]
pub fn words_filter<'w>(words: impl Iterator<Item = &'w str>) -> Vec<u8> {
    lists::filter(words)
}

struct Host;

impl Ask for Host {
    fn put(&mut self, question: &ask::Question) -> ask::Outcome {
        ask::put(question)
    }

    fn asked(&self) -> Vec<journal::Asked> {
        journal::questions()
    }
}

impl Files for Host {
    fn granted(&self) -> Vec<workspace::Granted> {
        workspace::granted_directories()
    }

    fn read(&self, directory: &str, path: &str) -> Result<String, Unread> {
        let read = workspace::open(directory).and_then(|directory| directory.read(path));
        read.map(|read| read.text).map_err(|error| match error.code {
            workspace::ErrorCode::NotFound => Unread::Missing,
            _ => Unread::Failed,
        })
    }

    fn remembered(&self, path: &str) -> Option<String> {
        memory::read(path).ok().map(|file| file.text)
    }

    fn correct(&mut self, corrections: &[Correction]) -> Result<(), String> {
        prompt::correct(corrections)
    }
}

fn on_request(context: &Context, event: &pre_loop::Event) -> pre_loop::Response {
    points::request(context, event, &mut Host)
}

fn on_messages(context: &Context, event: &pre_model::Event) -> pre_model::Response {
    points::messages(context, &event.messages, &mut Host)
}

fn on_call(context: &Context, event: &pre_tool::Event) -> pre_tool::Response {
    points::call(context, event, config::get("tools").as_deref(), &mut Host)
}
