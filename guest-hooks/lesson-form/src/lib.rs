//! Checks that a lesson has its form: every part, counts and lengths within limits, minutes that add up to the period, an
//! answer to every need of the class, and British spelling.
//!
//! It judges form and never content, asks no model and changes nothing. What a part must hold stands once, in
//! [`form::PARTS`]. Start reading there; [`lesson`] is how a text is taken apart, [`check`] makes the findings,
//! [`spelling`] looks at words, and `verdict` says what follows.

pub mod check;
pub mod form;
pub mod lesson;
pub mod needs;
pub mod spelling;
mod verdict;

#[cfg(test)]
mod tests;

use ta_guest::granted::locate;
use ta_guest::post_loop::{Event, Response};
use ta_guest::{Context, config, workspace};

use crate::check::Expected;
use crate::verdict::Settings;

ta_guest::post_loop!(run);

fn run(context: &Context, event: &Event) -> Response {
    let settings = match Settings::read(config::get) {
        Ok(settings) => settings,
        Err(abort) => return Response::abort(&abort.code, abort.reason),
    };
    let profile = context.about("class").and_then(profile).unwrap_or_default();
    let expected = Expected::read(context.about("class"), &profile, &context.input);
    verdict::respond(&settings, context, event, &expected)
}

/// The text of a class's profile, where it can be read.
fn profile(class: &str) -> Option<String> {
    // The name becomes part of a path, so it may not hold anything that leads elsewhere.
    let plain = class.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ' '));
    let path = format!("classes/{class}.md");
    let place = locate(&workspace::granted_directories(), &path).filter(|_| plain)?;
    let read = workspace::open(&place.directory).ok()?.read(&place.path).ok()?;
    Some(read.text)
}
