//! Checks that what pupils are to read suits their year: words, sentences, definitions, instructions, and content.
//!
//! There is no single number for how hard a text is, and none is made here: each finding names a sentence, says what is
//! hard about it and what to do. Only text for pupils is measured. It asks no model and changes nothing.
//! Start reading at [`text`], which parts of a lesson those are; [`year`] has the limits, [`measure`] and [`content`] the
//! rules, [`check`] what follows from the findings.

mod check;
mod content;
mod familiar;
mod measure;
mod text;
mod year;

#[cfg(test)]
mod tests;

use ta_curriculum::front_matter::{field, profile_path};
use ta_guest::granted::{Files, Host};
use ta_guest::post_loop::{Event, Response};
use ta_guest::{Context, config};

use crate::check::{Settings, respond};
use crate::year::Year;

ta_guest::post_loop!(run);

fn run(context: &Context, event: &Event) -> Response {
    let profile = context.about("class").and_then(profile);
    let (year, note) = year_of(context.about("class"), profile.as_deref());
    match Settings::read(year, config::get) {
        Ok(settings) => {
            let response = respond(&settings, year, context.rework_round, event);
            if let Some(note) = note { response.note(note) } else { response }
        }
        Err(abort) => Response::abort(&abort.code, abort.reason),
    }
}

/// The text of a class's profile, where it can be read.
fn profile(class: &str) -> Option<String> {
    let path = profile_path(class)?;
    Files::new(&Host).read(&path).ok().map(|read| read.text)
}

/// The year that is written against, and a note where it had to be assumed.
fn year_of(class: Option<&str>, profile: Option<&str>) -> (Year, Option<String>) {
    let written = profile.and_then(|profile| field(profile, "year")).and_then(|year| year.parse().ok());
    if let Some(year) = written {
        return (year, None);
    }
    match class.and_then(Year::of_class) {
        Some(year) => (year, Some(format!("no year in the class profile: taken as {year} from the name of the class"))),
        None => (Year::UNKNOWN, Some(format!("the year of the class is not known: taken as {}", Year::UNKNOWN))),
    }
}
