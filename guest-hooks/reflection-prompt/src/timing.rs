//! Questions about minutes, steps and pace.

use crate::bank::{Candidate, View, detail};
use crate::lesson::Kind;
use crate::words::{minutes, quote, spelled, things};

/// The minutes do not come to the period.
pub(crate) fn total(view: &View<'_>) -> Option<Candidate> {
    let period = view.profile.period_minutes?;
    let total = view.lesson.minutes();
    let section = view.of(Kind::Practice).or_else(|| view.lesson.sections.first())?;
    if total == 0 || total == period {
        return None;
    }
    let text = if total > period {
        format!("The timed parts come to {}, and the period has {period}: which part gives way?", minutes(total))
    } else {
        format!(
            "The timed parts come to {}, and the period has {period}: what happens in the other {}?",
            minutes(total),
            minutes(period - total)
        )
    };
    Some(Candidate { id: "total", area: Kind::Other, points: 96, text, detail: detail(section, "") })
}

/// A practice with many written steps: these are what pupils have to follow by themselves.
pub(crate) fn many_steps(view: &View<'_>) -> Option<Candidate> {
    const STEPS_MIN: usize = 4;
    let section = view.of(Kind::Practice)?;
    // Only what is numbered is followed step by step; bullets may be entrances or materials.
    let steps = section.entries.iter().filter(|entry| entry.numbered).count();
    if steps < STEPS_MIN {
        return None;
    }
    let known = ["instruction", "steps"].iter().any(|word| view.profile.works_not.contains(word));
    let text = format!(
        "{} has {} written steps: which pupils lose the thread, and at which step?",
        section.titled(),
        spelled(steps)
    );
    let detail_text: Vec<&str> =
        section.entries.iter().filter(|entry| entry.numbered).map(|entry| entry.text.as_str()).collect();
    let points = 64 + 2 * u32::try_from(steps.min(8)).unwrap_or(0) + if known { 12 } else { 0 };
    Some(Candidate {
        id: "steps", area: section.kind, points, text, detail: detail(section, &detail_text.join(" · "))
    })
}

/// The starter: how long, how many questions, what goes when pupils come late.
pub(crate) fn starter(view: &View<'_>) -> Option<Candidate> {
    let section = view.of(Kind::Starter)?;
    let taken = section.minutes?;
    let questions = section.steps().iter().filter(|step| step.text.contains('?')).count();
    let period = view.profile.period_minutes.unwrap_or_else(|| view.lesson.minutes());
    if questions < 2 || period == 0 {
        return None;
    }
    // More than a sixth of the period, or less than a minute and a half for a question with its answer.
    let long = taken.saturating_mul(6) > period;
    let dense = u32::try_from(questions).is_ok_and(|questions| taken.saturating_mul(2) < questions.saturating_mul(3));
    let text = format!(
        "The starter takes {taken} of {period} minutes and asks {}: which one would you cut if {} comes in late?",
        things(questions, "question"),
        view.class()
    );
    let points = 60 + if long { 12 } else { 0 } + if dense { 12 } else { 0 };
    let first = section.steps().first().map(|step| step.text.clone()).unwrap_or_default();
    Some(Candidate { id: "starter", area: Kind::Starter, points, text, detail: detail(section, &first) })
}

/// A long explanation with hardly a check of the whole class.
pub(crate) fn long_explanation(view: &View<'_>) -> Option<Candidate> {
    const MINUTES_LONG: u32 = 8;
    const CHECKS_GOOD: usize = 2;
    const CHECKS: [&str; 7] = ["check", "whiteboard", "boards up", "show me", "ask all", "hands", "cards"];
    let section = view.of(Kind::Explanation)?;
    let taken = section.minutes.filter(|taken| *taken >= MINUTES_LONG)?;
    let checking = |line: &&str| {
        let lowered = line.to_lowercase();
        line.contains('?') || CHECKS.iter().any(|word| lowered.contains(word))
    };
    let checks = section.body.lines().filter(checking).count();
    if checks >= CHECKS_GOOD {
        return None;
    }
    let found = if checks == 0 {
        "no question to the whole class".into()
    } else {
        format!("{} of the whole class", things(checks, "check"))
    };
    let text = format!(
        "The explanation runs {} with {found}: after which step will you find out who is lost?",
        minutes(taken)
    );
    let points = if checks == 0 { 90 } else { 72 };
    let first = section.entries.first().map(|entry| entry.text.clone()).unwrap_or_default();
    Some(Candidate { id: "explanation-checks", area: Kind::Explanation, points, text, detail: detail(section, &first) })
}

/// An explanation of many short steps.
pub(crate) fn explanation_pace(view: &View<'_>) -> Option<Candidate> {
    const STEPS_MIN: usize = 5;
    let section = view.of(Kind::Explanation)?;
    let taken = section.minutes?;
    let steps: Vec<&str> =
        section.entries.iter().filter(|entry| entry.numbered).map(|entry| entry.text.as_str()).collect();
    let quick = u32::try_from(steps.len()).is_ok_and(|steps| taken < steps.saturating_mul(3));
    if steps.len() < STEPS_MIN || !quick {
        return None;
    }
    let middle = steps.get(steps.len() / 2).copied().unwrap_or_default();
    let text = format!(
        "The explanation goes through {} in {}: which step may you leave out when half of {} is lost by {}?",
        things(steps.len(), "step"),
        minutes(taken),
        view.class(),
        quote(middle)
    );
    let detail = detail(section, &steps.join(" · "));
    Some(Candidate { id: "explanation-pace", area: Kind::Explanation, points: 58, text, detail })
}

/// Exit questions that the plenary has no time for.
pub(crate) fn short_plenary(view: &View<'_>) -> Option<Candidate> {
    const MINUTES_A_QUESTION: u32 = 2;
    let (plenary, exit) = (view.of(Kind::Plenary)?, view.of(Kind::Exit)?);
    let taken = plenary.minutes?;
    let questions = exit.steps().len();
    let needed = u32::try_from(questions).unwrap_or(u32::MAX).saturating_mul(MINUTES_A_QUESTION);
    if questions < 2 {
        return None;
    }
    let tight = taken <= needed;
    let text = format!(
        "The plenary has {} for the summing up and {}: what goes first when practice runs over?",
        minutes(taken),
        things(questions, "exit question")
    );
    let points = if tight { 74 } else { 48 };
    Some(Candidate { id: "plenary", area: Kind::Plenary, points, text, detail: detail(plenary, "") })
}
