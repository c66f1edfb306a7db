//! What the tutor itself says: about an answer, a hint, a section, the end. A topic says everything about mathematics.
//!
//! It speaks of the work and never of the person, and praises nothing that was not done.

use crate::state::{Judged, Open, Progress, State};

/// What a learner is told about who speaks to them.
pub(crate) const fn who(agents: bool) -> &'static str {
    match agents {
        true => {
            "I am a program. A language model helps me with the wording, and may word something badly; whether an answer is right \
             is checked without it."
        }
        false => "I am a program, and no language model speaks here: problems and hints were written beforehand.",
    }
}

/// What stands before the first hint of each kind.
pub(crate) const HINT_NAMES: [&str; 3] = ["A question to start with", "An idea", "A step"];
/// Hints that hold nothing of the problem: for a hint whose words may not be shown.
const PLAIN_HINTS: [&str; 3] = [
    "Read the question again. What are you asked for, and what do you know?",
    "Which rule of this section links what you know with what you are asked for?",
    "Write the rule down, put in what you know, and go on step by step. Send me your line.",
];
const RIGHT_ALONE: [&str; 4] = ["Yes, that is right.", "Right.", "That is it.", "Correct, and without a hint."];
const RIGHT_HELPED: [&str; 3] = [
    "Yes, that is right. The hint was there to be used.",
    "Right. You worked it out from the hint.",
    "That is right now.",
];
const RIGHT_AFTER: [&str; 2] = ["Yes, now it is right.", "That is right. You looked again and put it right yourself."];
const WRONG: [&str; 3] = ["Not quite yet.", "Not yet.", "That is not it yet."];

fn one<'a>(of: &[&'a str], turn: u32) -> &'a str {
    usize::try_from(turn).ok().and_then(|turn| of.get(turn % of.len().max(1))).copied().unwrap_or_default()
}

/// About a right answer.
pub(crate) fn right(open: &Open) -> &'static str {
    match (open.hints, open.attempts) {
        (0, 0) => one(&RIGHT_ALONE, open.number),
        (0, _) => one(&RIGHT_AFTER, open.number),
        _ => one(&RIGHT_HELPED, open.number),
    }
}

/// About a wrong answer: what a known mistake tells, where it is one; else what the checker found.
pub(crate) fn wrong(open: &Open, again: bool, judged: &Judged) -> String {
    let first = if again { "You have tried that answer already." } else { one(&WRONG, open.number + open.attempts) };
    match &judged.mistake {
        Some(mistake) => format!("{first} {mistake}"),
        None if again || judged.why.is_empty() => first.to_owned(),
        None => judged.why.clone(),
    }
}

/// A hint as it is shown. It holds no number of its own: a learner could take it for the answer, and so could a guard.
pub(crate) fn hint(number: u32, text: &str) -> String {
    let name =
        usize::try_from(number).ok().and_then(|at| HINT_NAMES.get(at.wrapping_sub(1))).copied().unwrap_or("A hint");
    format!("**{name}.** {}", text.trim())
}

/// A hint that holds nothing of the problem.
pub(crate) fn plain_hint(number: u32) -> String {
    hint(number, one(&PLAIN_HINTS, number.saturating_sub(1)))
}

/// A worked solution as it is shown: its steps, and the answer at the end.
pub(crate) fn solution(open: &Open) -> String {
    let steps = open.problem.solution.iter().enumerate().map(|(at, step)| format!("{}. {}", at + 1, step.trim()));
    let steps: Vec<String> = steps.collect();
    format!("Let us look at it step by step.\n\n{}\n\n**Answer:** {}", steps.join("\n"), shown_answer(open))
}

/// The answer as it is shown.
pub(crate) fn shown_answer(open: &Open) -> String {
    format!("${}$", open.problem.shown)
}

/// A problem as it is shown.
pub(crate) fn question(open: &Open) -> String {
    format!("**Problem {}.** {}", open.number, open.problem.question)
}

/// What stands before a problem that takes the place of one that was shown.
pub(crate) const SISTER: &str = "Now you: the same kind of problem with other numbers.";

/// What nobody could read as an answer.
pub(crate) fn unread(open: &Open, in_a_row: u32, why: &str) -> String {
    let how = format!("Write {}. For a hint, write `hint`.", open.problem.expects);
    match in_a_row {
        0 | 1 if why.is_empty() => format!("I cannot read that as an answer. {how}"),
        0 | 1 => format!("{why} {how}"),
        2 => format!("Let us come back to the problem. {how}\n\n{}", question(open)),
        _ => {
            format!("I can only talk about the problem here. Your teacher is the right person for anything else. {how}")
        }
    }
}

/// What a learner can write.
pub(crate) fn help(open: &Open) -> String {
    format!(
        "Write {}.\n\nYou can also write `hint`, `repeat` for the question, `progress`, `section 2` to go to another section, \
         and, after a first hint, `solution`. You can stop at any time: your place is kept.",
        open.problem.expects
    )
}

/// That a solution comes after a hint.
pub(crate) const HINT_FIRST: &str = "One hint first; after it you can have the solution.";

/// Where the learner is.
pub(crate) fn progress(state: &State) -> String {
    let line = |(at, section): (usize, &Progress)| {
        let mark = match (section.mastered_at, at == state.current) {
            (Some(_), true) => "done, and you are here",
            (Some(_), false) => "done",
            (None, true) => "you are here",
            (None, false) if section.entered_at.is_some() => "begun",
            (None, false) => "to come",
        };
        let counts = match section.attempted {
            0 => String::new(),
            attempted => format!(", {} of {attempted} right", section.correct),
        };
        format!("{}. {}: {mark}{counts}", at + 1, section.title)
    };
    let lines: Vec<String> = state.sections.iter().enumerate().map(line).collect();
    format!("{} of {} sections done.\n\n{}", state.mastered(), state.sections.len(), lines.join("\n"))
}

/// That a section is done.
pub(crate) fn mastered(section: &Progress, state: &State) -> String {
    format!("**{}** is done: {} of {} sections.", section.title, state.mastered(), state.sections.len())
}

/// That the learner comes to a section for the first time.
pub(crate) fn enters(at: usize, section: &Progress, intro: &str) -> String {
    format!("**Section {}: {}.** {}", at + 1, section.title, intro.trim())
}

/// That the learner comes back to a section, and where they left off.
pub(crate) fn comes_back(at: usize, section: &Progress, resume: &str) -> String {
    let done = match (section.attempted, section.left.is_some()) {
        (0, true) => "Your problem is still here.".to_owned(),
        (0, false) => String::new(),
        (attempted, true) => {
            format!("You had {} of {attempted} right, and a problem is still open.", section.correct)
        }
        (attempted, false) => format!("You had {} of {attempted} right here.", section.correct),
    };
    format!("Back to **section {}: {}.** {} {done}", at + 1, section.title, resume.trim())
}

/// That a section is hard, and what there is to do.
pub(crate) fn hard(state: &State) -> String {
    let back = match state.current {
        0 => "",
        _ => " You can also go back a section first: write `section` and its number.",
    };
    format!("This section takes time, and your teacher can see that you may want some help with it.{back}")
}

/// A silence.
pub(crate) fn silence(open: &Open) -> String {
    format!("Take your time. The problem is still here, and `hint` gives you a start.\n\n{}", question(open))
}

/// Somebody comes back after a while.
pub(crate) fn welcome_back(state: &State, open: &Open) -> String {
    let section = state.section().map(|it| it.title.as_str()).unwrap_or_default();
    format!("Welcome back. You are in **{section}**, at problem {}.\n\n{}", open.number, question(open))
}

/// The end: everything is mastered.
pub(crate) fn celebration(state: &State) -> String {
    let done: Vec<String> = state.sections.iter().map(|it| format!("- {}", it.title)).collect();
    let (attempted, correct): (u32, u32) =
        state.sections.iter().fold((0, 0), |(all, right), it| (all + it.attempted, right + it.correct));
    format!(
        "**You have done all of {}.** {correct} of {attempted} problems, and every section:\n\n{}\n\nWell worked.",
        state.title,
        done.join("\n")
    )
}

/// The end that the learner chose.
pub(crate) fn ended(state: &State) -> String {
    format!("That is it for now. {}", progress(state))
}
