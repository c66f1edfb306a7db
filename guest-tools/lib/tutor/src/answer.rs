//! What a learner's answer is: right, wrong, or nothing that can be judged.

use crate::state::{GIVEN_CHARS_MAX, Open};
use crate::tutor::{Verdict, World};

/// Judges an answer.
pub(crate) fn verdict(world: &dyn World, open: &Open, given: &str, characters: usize) -> Verdict {
    if given.is_empty() || characters > GIVEN_CHARS_MAX {
        let why = if given.is_empty() { "" } else { "That is too long for an answer." };
        return Verdict { right: None, why: why.to_owned() };
    }
    world.check(&open.problem.question, given, &open.problem.answer, &open.problem.options)
}

/// What a wrong answer tells, where it is a known mistake.
pub(crate) fn mistake(world: &dyn World, open: &Open, given: &str) -> Option<String> {
    let is =
        |answer: &str| world.check(&open.problem.question, given, answer, &open.problem.options).right == Some(true);
    let known = open.problem.mistakes.iter().find(|(answer, _)| is(answer));
    known.map(|(_, says)| says.clone())
}
