//! Refuses requests that the lesson-planning plugin is not for, with a reason that a teacher understands.
//!
//! [`scope`] is the whole rule in plain Rust: it takes the request and says what it is. It never asks a model, never reads
//! a file and never sees more than the request. Start with [`scope::classify`].

pub mod scope;

use ta_guest::pre_loop::{Event, Response};
use ta_guest::{Context, Finding};

use crate::scope::{Scope, classify};

/// The word for every refusal; what was asked for instead is the class of its finding.
const CODE: &str = "out-of-scope";

ta_guest::pre_loop!(run);

fn run(_: &Context, event: &Event) -> Response {
    match classify(&event.input) {
        Scope::InScope => Response::pass(),
        Scope::Unsure { reason } => Response::pass().note(reason),
        Scope::OutOfScope { kind, reason } => {
            let finding =
                Finding { class: kind.name().into(), code: None, section: None, line: None, message: reason.clone() };
            Response::abort(CODE, reason).findings(vec![finding])
        }
    }
}

#[cfg(test)]
mod tests {
    use ta_guest::Context;
    use ta_guest::pre_loop::{Event, Response, Verdict};

    use super::run;

    fn answer(input: &str) -> Response {
        run(&Context::default(), &Event { input: input.into(), classes: Vec::new() })
    }

    #[test]
    fn a_lesson_passes_and_what_is_unclear_passes_with_a_note() {
        assert_eq!(answer("A lesson on iteration for 3B"), Response::pass());
        let response = answer("hmm, something");
        assert_eq!(response.verdict, Verdict::Pass);
    }

    #[test]
    fn anything_else_is_refused_with_a_reason() {
        for (input, kind) in [("", "empty"), ("Write a reference for Callum", "reference")] {
            let Verdict::Abort(abort) = answer(input).verdict else { panic!("{input}") };
            assert_eq!(abort.code, "out-of-scope");
            assert!(!abort.reason.is_empty());
            assert_eq!(answer(input).findings[0].class, kind);
        }
    }
}
