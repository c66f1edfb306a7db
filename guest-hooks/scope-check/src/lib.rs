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

/// The word for a request that is not read at all.
const TOO_LONG: &str = "too-long";

/// A longer request is no request: it is refused before it is read, since reading it would use up the guard's time.
const REQUEST_BYTES_MAX: usize = 20_000;

ta_guest::pre_loop!(run);

fn run(_: &Context, event: &Event) -> Response {
    if event.input.len() > REQUEST_BYTES_MAX {
        let reason = format!(
            "The request is too long: {} bytes, and at most {REQUEST_BYTES_MAX} are read. Say in a few sentences what the \
             lesson is about, and put longer material into a file of the workspace.",
            event.input.len()
        );
        return Response::abort(TOO_LONG, reason);
    }
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
    fn a_request_that_is_too_long_is_not_read() {
        let Verdict::Abort(abort) = answer(&"loops ".repeat(4000)).verdict else { panic!("24,000 bytes are too long") };
        assert_eq!(abort.code, "too-long");
        assert!(abort.reason.contains("too long"), "{}", abort.reason);
        assert_eq!(answer(&"loops ".repeat(3000)).verdict, Verdict::Pass);
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
