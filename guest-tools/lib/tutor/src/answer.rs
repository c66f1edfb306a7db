//! What a learner's answer is: right, wrong, or nothing that can be judged.

use crate::state::{GIVEN_CHARS_MAX, Open};
use crate::tutor::{Verdict, World};

/// Judges an answer.
pub(crate) fn verdict(world: &dyn World, open: &Open, given: &str, characters: usize) -> Verdict {
    if given.is_empty() || characters > GIVEN_CHARS_MAX {
        let why = if given.is_empty() { "" } else { "it is too long" };
        return Verdict { right: None, why: why.to_owned() };
    }
    world.check(given, &open.problem.answer, &open.problem.options)
}

/// What a wrong answer tells, where it is a known mistake.
pub(crate) fn mistake(world: &dyn World, open: &Open, given: &str) -> Option<String> {
    let mut mistakes = open.problem.mistakes.iter();
    let known = mistakes.find(|(answer, _)| world.check(given, answer, &open.problem.options).right == Some(true));
    known.map(|(_, says)| says.clone())
}
