//! Refuses requests that the lesson-planning plugin is not for, with a reason that a teacher understands.
//!
//! [`scope`] is the whole rule in plain Rust: it takes the request and says what it is. It never reads a file and never sees
//! more than the request. Where it is unsure, and only there, a model is asked, if the operator granted one
//! ([`second_opinion`]). Start with [`scope::classify`].

pub mod scope;
pub mod second_opinion;

use ta_guest::pre_loop::{Event, Response};
use ta_guest::{Context, Finding};

use crate::scope::{Kind, Scope, classify};
use crate::second_opinion::Opinion;

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
        return Response::decline(TOO_LONG, reason);
    }
    match classify(&event.input) {
        Scope::InScope => Response::pass(),
        Scope::InPart { reason } => Response::pass().note(reason),
        Scope::Unsure { reason } => unsure(second_opinion::ask(&event.input), reason),
        Scope::OutOfScope { kind, reason } => refused(kind, reason),
    }
}

/// The rules' own verdict is to plan it, with a note; only a clear word of a model changes that.
fn unsure(opinion: Opinion, reason: String) -> Response {
    match opinion {
        Opinion::Lesson => Response::pass().note("the rules were unsure; a model takes it as the topic of a lesson"),
        Opinion::Other => refused(Kind::Chat, scope::NO_LESSON.to_owned()),
        Opinion::None(why) if why.is_empty() => Response::pass().note(reason),
        Opinion::None(why) => Response::pass().note(reason).note(why),
    }
}

fn refused(kind: Kind, reason: String) -> Response {
    let finding = Finding::new(kind.name(), reason.as_str());
    Response::decline(CODE, reason).findings(vec![finding])
}

#[cfg(test)]
mod tests {
    use ta_guest::Context;
    use ta_guest::pre_loop::{Event, Response, Verdict};

    use super::{run, unsure};
    use crate::second_opinion::Opinion;

    fn answer(input: &str) -> Response {
        run(&Context::default(), &Event { input: input.into(), ..Event::default() })
    }

    #[test]
    fn a_lesson_passes_and_what_is_unclear_passes_with_a_note() {
        assert_eq!(answer("A lesson on iteration for 3B"), Response::pass());
        let note = |opinion| unsure(opinion, "unclear".to_owned());
        assert_eq!(note(Opinion::None(String::new())), Response::pass().note("unclear"));
        assert_eq!(note(Opinion::None("nobody".into())), Response::pass().note("unclear").note("nobody"));
        assert_eq!(note(Opinion::Lesson).verdict, Verdict::Pass);
        let Verdict::Abort(abort) = note(Opinion::Other).verdict else { panic!("a model may turn it away") };
        assert_eq!(abort.code, "out-of-scope");
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
            assert_eq!((abort.code.as_str(), abort.declined), ("out-of-scope", true));
            assert!(!abort.reason.is_empty());
            assert_eq!(answer(input).findings[0].class, kind);
        }
    }
}
