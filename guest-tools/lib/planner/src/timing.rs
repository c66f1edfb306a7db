//! Dividing a period into the four timed parts of a lesson.

/// Lengths of a period that can be planned for, in minutes.
pub(crate) const PERIOD_MINUTES: std::ops::RangeInclusive<u32> = 10..=240;
/// Where neither request nor profile says how long a period is.
pub(crate) const PERIOD_MINUTES_DEFAULT: u32 = 50;
/// Practice this long becomes two rounds with a pause: attention does not last that long in one task. Reached by
/// periods of more than 80 minutes.
pub(crate) const PRACTICE_IN_ONE_MINUTES_MAX: u32 = 34;
/// Practice beyond this needs pauses within its rounds too.
pub(crate) const PRACTICE_IN_TWO_MINUTES_MAX: u32 = 90;
const SHORT_MINUTES: u32 = 20;
/// No part gets shorter than this: handing out takes that long.
pub(crate) const PART_MINUTES_MIN: u32 = 2;

/// Minutes of each timed part. They add up to the period.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Timing {
    pub(crate) starter: u32,
    pub(crate) explanation: u32,
    pub(crate) practice: u32,
    pub(crate) plenary: u32,
}

impl Timing {
    /// The usual division: for 50 minutes 8, 12, 20 and 10. Long periods lengthen the practice, not the talk.
    pub(crate) fn of_period(minutes: u32, starter_max: Option<u32>) -> Self {
        // Below twenty minutes every part gives way, so that something is left for the practice.
        let is_short = minutes < SHORT_MINUTES;
        let (starter_min, explanation_min, plenary_min) =
            if is_short { (PART_MINUTES_MIN, PART_MINUTES_MIN, PART_MINUTES_MIN) } else { (3, 5, 4) };
        let starter = (minutes * 16 / 100).clamp(starter_min, 12);
        let starter = starter.min(starter_max.unwrap_or(u32::MAX).max(PART_MINUTES_MIN));
        let explanation = (minutes * 24 / 100).clamp(explanation_min, 20);
        let plenary = (minutes / 5).clamp(plenary_min, 15);
        Self { starter, explanation, practice: minutes.saturating_sub(starter + explanation + plenary), plenary }
    }

    #[cfg(test)]
    pub(crate) fn total(self) -> u32 {
        self.starter + self.explanation + self.practice + self.plenary
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fifty_minutes_are_divided_as_teachers_here_do() {
        let timing = Timing::of_period(50, None);
        assert_eq!((timing.starter, timing.explanation, timing.practice, timing.plenary), (8, 12, 20, 10));
    }

    #[test]
    fn every_period_adds_up_and_every_part_has_time() {
        for minutes in PERIOD_MINUTES {
            for starter_max in [None, Some(1), Some(5), Some(8)] {
                let timing = Timing::of_period(minutes, starter_max);
                assert_eq!(timing.total(), minutes);
                let practice_min = if minutes < SHORT_MINUTES { 4 } else { 6 };
                assert!(timing.practice >= practice_min && timing.starter >= 2, "{minutes}: {timing:?}");
                assert!(timing.explanation >= 2 && timing.plenary >= 2, "{minutes}: {timing:?}");
                assert!(starter_max != Some(5) || timing.starter <= 5);
            }
        }
    }

    #[test]
    fn practice_is_divided_beyond_eighty_minutes() {
        assert!(Timing::of_period(80, None).practice <= PRACTICE_IN_ONE_MINUTES_MAX);
        assert!(Timing::of_period(81, None).practice > PRACTICE_IN_ONE_MINUTES_MAX);
    }
}
