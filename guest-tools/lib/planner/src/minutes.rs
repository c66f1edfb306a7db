//! Moving minutes between the timed parts of a lesson, so that they still add up.

use super::sections::{Kind, Lesson, Section};
use super::timing::PART_MINUTES_MIN;
use super::wish::{Length, Wish};

/// What becomes of the minutes of one section that is revised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Verdict {
    Unchanged,
    Changed,
    /// They stay, for the reason given.
    Kept(String),
}

/// Gives each revised section the minutes that were asked for and lets others take up the difference: first another
/// revised one, then the practice, then any other that is not accepted. A wish that says nothing stands for alternatives:
/// these are made for the minutes there are.
pub(crate) fn settle(lesson: &mut Lesson, wishes: &[(usize, Wish)], accepted: &[usize]) -> Vec<Verdict> {
    wishes
        .iter()
        .enumerate()
        .map(|(number, (at, wish))| settle_one(lesson, number, *at, wish, wishes, accepted))
        .collect()
}

fn settle_one(
    lesson: &mut Lesson,
    number: usize,
    at: usize,
    wish: &Wish,
    wishes: &[(usize, Wish)],
    accepted: &[usize],
) -> Verdict {
    let Some(now) = lesson.sections.get(at).and_then(Section::minutes) else { return Verdict::Unchanged };
    let Some(wanted) = wanted(now, wish).filter(|wanted| *wanted != now) else { return Verdict::Unchanged };
    if wanted < PART_MINUTES_MIN {
        return Verdict::Kept(format!(
            "The time stays at {now} minutes: with {wanted} there would be no time to begin and end."
        ));
    }
    // A section that has been given its own minutes does not pay for another.
    let fixed: Vec<usize> = wishes
        .iter()
        .take(number + 1)
        .map(|(at, _)| *at)
        .chain(wishes.iter().filter(|(_, wish)| wish.minutes.is_some()).map(|(at, _)| *at))
        .collect();
    let Some(other) = payer(lesson, at, now, wanted, wishes, accepted, &fixed) else {
        let reason = format!(
            "The time stays at {now} minutes instead of {wanted}: no other part is free to give or take the difference within the period."
        );
        return Verdict::Kept(reason);
    };
    let minutes_of_other = lesson.sections.get(other).and_then(Section::minutes).unwrap_or(0);
    let settled = (minutes_of_other + now).saturating_sub(wanted);
    if let Some(section) = lesson.sections.get_mut(other) {
        section.set_minutes(settled);
    }
    if let Some(section) = lesson.sections.get_mut(at) {
        section.set_minutes(wanted);
    }
    Verdict::Changed
}

/// The minutes that a wish means: a number, or a third less or more.
fn wanted(now: u32, wish: &Wish) -> Option<u32> {
    if wish.keeps_time {
        return None;
    }
    let part = now.div_ceil(3).max(1);
    match (wish.minutes, wish.length) {
        (Some(minutes), _) => Some(minutes),
        (None, Some(Length::Shorter)) => Some(now.saturating_sub(part).max(PART_MINUTES_MIN)),
        (None, Some(Length::Longer)) => Some(now + part),
        (None, None) => None,
    }
}

fn payer(
    lesson: &Lesson,
    at: usize,
    now: u32,
    wanted: u32,
    wishes: &[(usize, Wish)],
    accepted: &[usize],
    fixed: &[usize],
) -> Option<usize> {
    let able = |other: &usize| {
        let minutes = lesson.sections.get(*other).and_then(Section::minutes);
        *other != at
            && !accepted.contains(other)
            && !fixed.contains(other)
            && minutes.is_some_and(|minutes| minutes + now >= wanted + PART_MINUTES_MIN)
    };
    let revised = wishes.iter().filter(|(_, wish)| *wish != Wish::default()).map(|(other, _)| *other).find(able);
    let practice = lesson.of_kind(Kind::Practice).filter(able);
    let rest = [Kind::Explanation, Kind::Plenary, Kind::Starter]
        .into_iter()
        .filter_map(|kind| lesson.of_kind(kind))
        .find(able);
    let any = (0..lesson.sections.len()).find(able);
    revised.or(practice).or(rest).or(any)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lesson() -> Lesson {
        Lesson::read(
            "# T\n\n## Starter (8 minutes)\n\na\n\n## Explanation (12 minutes)\n\nb\n\n## Practice (20 minutes)\n\nc\n\n## Plenary (10 minutes)\n\nd\n",
        )
    }

    fn times(lesson: &Lesson) -> Vec<u32> {
        lesson.sections.iter().filter_map(Section::minutes).collect()
    }

    #[test]
    fn the_practice_takes_up_what_is_saved() {
        let mut lesson = lesson();
        assert_eq!(settle(&mut lesson, &[(0, Wish::read("5 minutes"))], &[]), [Verdict::Changed]);
        assert_eq!(times(&lesson), [5, 12, 23, 10]);
        assert!(lesson.write().contains("## Practice (23 minutes)\n\nc\n"));
    }

    #[test]
    fn an_accepted_section_keeps_its_minutes() {
        let mut lesson = lesson();
        settle(&mut lesson, &[(0, Wish::read("shorter"))], &[2]);
        assert_eq!(times(&lesson), [5, 15, 20, 10]);
        let mut lesson = self::lesson();
        let verdicts = settle(&mut lesson, &[(0, Wish::read("shorter"))], &[1, 2, 3]);
        assert!(matches!(&verdicts[0], Verdict::Kept(why) if why.contains("no other part is free")));
        assert_eq!(times(&lesson), [8, 12, 20, 10]);
    }

    #[test]
    fn a_revised_section_pays_before_the_practice() {
        let mut alternatives = lesson();
        settle(&mut alternatives, &[(0, Wish::read("5 minutes")), (3, Wish::default())], &[]);
        assert_eq!(times(&alternatives), [5, 12, 23, 10]);
        let mut lesson = lesson();
        settle(&mut lesson, &[(0, Wish::read("5 minutes")), (3, Wish::read("as a game"))], &[]);
        assert_eq!(times(&lesson), [5, 12, 20, 13]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let mut lesson = lesson();
        assert!(matches!(settle(&mut lesson, &[(0, Wish::read("60 minutes"))], &[])[0], Verdict::Kept(_)));
        assert_eq!(times(&lesson), [8, 12, 20, 10]);
    }
}
