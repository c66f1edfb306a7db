//! Refuses requests that the lesson-planning plugin is not for, with a reason that a teacher understands.
//!
//! [`scope`] judges in plain Rust: it takes the request and says what it is. It never reads a file and never sees more than the
//! request. Where it is unsure, and only there, a model decides, if the operator granted one ([`second_opinion`]), and else the
//! person is asked one question. Start with [`scope::classify`].

pub mod scope;
pub mod second_opinion;

use ta_guest::ask::{self, Answer, Choice, Outcome, Question};
use ta_guest::pre_loop::{Event, Response};
use ta_guest::{Context, Finding};

use crate::scope::{INTENTS, Kind, Scope, classify};
use crate::second_opinion::Opinion;

/// The word for every refusal; what was asked for instead is the class of its finding.
const CODE: &str = "out-of-scope";

/// The word for a request that is not read at all.
const TOO_LONG: &str = "too-long";

/// The question's name.
const QUESTION: &str = "scope";

/// What the person may answer; the first is what going on takes.
const LESSON: &str = "lesson";
const OTHER: &str = "other";

/// How much of what is unclear is shown, in characters.
const SHOWN_CHARS_MAX: usize = 120;

/// What the guard holds: a hundred kilobytes, and a little more for what stands around them. A longer request is refused before it is read.
const REQUEST_BYTES_MAX: usize = 110_000;

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
        Scope::OutOfScope { kind, reason } => refused(kind, reason),
        Scope::Unsure { words } => unsure(&words, second_opinion::ask(&event.input), &mut ask::put),
    }
}

/// A clear word of the model decides; where there is none, the person does.
fn unsure(words: &str, opinion: Opinion, put: &mut dyn FnMut(&Question) -> Outcome) -> Response {
    let note = match opinion {
        Opinion::Lesson => {
            return Response::pass().note("the words alone did not say; a model takes it as part of a lesson");
        }
        Opinion::Other => return refused(Kind::Chat, Kind::Chat.reason().to_owned()),
        Opinion::None(why) => why,
    };
    let response = match put(&question(words)) {
        Outcome::Answered(Answer::Choice(choice)) if choice == LESSON => {
            Response::pass().note("the words alone did not say; you said that it is for a class")
        }
        Outcome::Answered(_) => refused(Kind::Chat, Kind::Chat.reason().to_owned()),
        Outcome::Dismissed | Outcome::Declined | Outcome::TimedOut => refused(Kind::Chat, UNSAID.to_owned()),
    };
    if note.is_empty() { response } else { response.note(note) }
}

const UNSAID: &str = "It was not clear whether this is for a lesson, and nobody said. Ask again with the class and the topic, such \
    as \"iteration for 3B\".";

fn question(words: &str) -> Question {
    let mut shown: String = words.chars().take(SHOWN_CHARS_MAX).collect();
    if shown.len() < words.len() {
        shown.push('…');
    }
    let intents: Vec<String> = INTENTS.iter().map(|(intent, example)| format!("{intent} (\"{example}\")")).collect();
    let choice = |id: &str, label: &str| Choice { id: id.into(), label: label.into(), detail: None };
    Question {
        id: QUESTION.into(),
        title: format!("Is \"{}\" for a lesson?", shown.replace('\n', " ")),
        detail: format!(
            "I plan lessons and what belongs to them: {}. Other papers and questions I leave alone.",
            intents.join(", ")
        ),
        kind: ask::Kind::Choice(vec![
            choice(LESSON, "Yes, it is for a class or for planning"),
            choice(OTHER, "No, it is something else"),
        ]),
    }
}

fn refused(kind: Kind, reason: String) -> Response {
    let finding = Finding::new(kind.name(), reason.as_str());
    Response::decline(CODE, reason).findings(vec![finding])
}

#[cfg(test)]
mod tests {
    use ta_guest::Context;
    use ta_guest::ask::{Answer, Outcome, Question};
    use ta_guest::pre_loop::{Event, Response, Verdict};

    use super::{run, unsure};
    use crate::second_opinion::Opinion;

    fn answer(input: &str) -> Response {
        run(&Context::default(), &Event { input: input.into(), ..Event::default() })
    }

    /// What is done with an unclear request, and how many questions were put.
    fn settled(opinion: Opinion, outcome: Outcome) -> (Response, usize) {
        let mut asked: Vec<Question> = Vec::new();
        let response = unsure("the report", opinion, &mut |question| {
            asked.push(question.clone());
            outcome.clone()
        });
        assert!(asked.iter().all(|question| question.title.contains("the report")));
        (response, asked.len())
    }

    #[test]
    fn a_lesson_passes() {
        assert_eq!(answer("A lesson on iteration for 3B"), Response::pass());
    }

    #[test]
    fn what_is_unclear_is_decided_by_a_model_or_by_one_question() {
        let choice = |id: &str| Outcome::Answered(Answer::Choice(id.into()));
        let refuses =
            |response: &Response| matches!(&response.verdict, Verdict::Abort(abort) if abort.code == "out-of-scope");
        for (opinion, passes) in [(Opinion::Lesson, true), (Opinion::Other, false)] {
            let (response, asked) = settled(opinion, choice("lesson"));
            assert_eq!((refuses(&response), asked), (!passes, 0), "a clear word needs no person");
        }
        for (outcome, passes) in [
            (choice("lesson"), true),
            (choice("other"), false),
            (Outcome::Dismissed, false),
            (Outcome::Declined, false),
            (Outcome::TimedOut, false),
        ] {
            let (response, asked) = settled(Opinion::None("nobody".into()), outcome);
            assert_eq!((refuses(&response), asked), (!passes, 1));
            assert!(response.notes.iter().any(|note| note == "nobody"));
        }
    }

    #[test]
    fn a_request_that_is_too_long_is_not_read() {
        let Verdict::Abort(abort) = answer(&"loops ".repeat(40_000)).verdict else {
            panic!("240,000 bytes are too long")
        };
        assert_eq!(abort.code, "too-long");
        assert!(abort.reason.contains("too long"), "{}", abort.reason);
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
