//! What kind of lesson it is besides its topic: one that brings back what was taught, one that a colleague covers.

use super::timing::Timing;
use super::words::says;

/// The occasion of a lesson, read from the request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Occasion {
    /// It goes over what was taught already.
    pub(crate) revision: bool,
    /// Somebody else takes it.
    pub(crate) cover: bool,
}

impl Occasion {
    /// Reads a request or a part of it.
    pub(crate) fn of(text: &str) -> Self {
        Self {
            revision: says(text, "revision|revise|revising|recap|consolidation|consolidate|consolidating"),
            cover: says(text, "cover teacher|cover lesson|for cover|supply teacher|supply cover|supply lesson"),
        }
    }

    /// Minutes of a revision: half of the explanation goes to the practice.
    pub(crate) fn timing(self, timing: Timing) -> Timing {
        let moved = if self.revision { timing.explanation / 2 } else { 0 };
        Timing { explanation: timing.explanation - moved, practice: timing.practice + moved, ..timing }
    }

    /// What is said about it under "About this draft".
    pub(crate) fn remarks(self) -> Vec<String> {
        let revision = "You asked for revision: half of the explanation's minutes went to the practice. Let pupils say the steps of the worked example instead of showing them; whoever gets the starter right begins with the practice";
        let cover = "It is to be covered by a colleague: what they need to know stands under Resources";
        [(self.revision, revision), (self.cover, cover)]
            .into_iter()
            .filter(|(holds, _)| *holds)
            .map(|(_, text)| text.to_owned())
            .collect()
    }

    /// What a colleague has to know who takes the lesson, if one does.
    pub(crate) fn for_colleague(self, class: &str) -> Option<String> {
        self.cover.then(|| {
            format!(
                "**For the colleague who takes {class}.** Answers stand beside all questions. If time runs out, leave out the last part of the practice, not the exit questions. Collect the slips unmarked and write on one of them how far the class came and what was asked most. Read Differentiation before the bell; names are with the class teacher."
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_occasion_is_read_from_the_request() {
        assert_eq!(Occasion::of("revision of negative numbers"), Occasion { revision: true, cover: false });
        assert!(Occasion::of("angles for a cover teacher").cover);
        assert_eq!(Occasion::of("how clouds cover the sky"), Occasion::default());
    }

    #[test]
    fn a_revision_keeps_the_minutes_of_the_period() {
        let usual = Timing::of_period(50, None);
        let revision = Occasion { revision: true, cover: false }.timing(usual);
        assert_eq!((revision.total(), revision.explanation, revision.practice), (50, 6, 26));
    }
}
