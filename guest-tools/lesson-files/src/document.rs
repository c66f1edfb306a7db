//! For whom the sections of a lesson are.

use serde::{Deserialize, Serialize};
use ta_curriculum::outline::Outline;
use ta_curriculum::pupils::Reading;

/// A lesson.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Lesson {
    markdown: String,
}

/// For whom a section is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Audience {
    /// For the teacher alone.
    Teacher,
    /// Pupils read it, or parts of it.
    Pupil,
}

/// A section of the lesson.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Section {
    id: String,
    title: String,
    audience: Audience,
}

pub(crate) fn sections(lesson: &Lesson) -> Vec<Section> {
    let sections = Outline::read(&lesson.markdown).sections;
    let audience =
        |title: &str| if Reading::of(title) == Reading::Nothing { Audience::Teacher } else { Audience::Pupil };
    sections.into_iter().map(|it| Section { audience: audience(&it.title), id: it.id, title: it.title }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_pupils_read_is_told_from_what_is_the_teachers() {
        let markdown =
            "# Loops\n\n## Outcomes\n\nx\n\n## Starter (5 minutes)\n\nx\n\n## Exit questions\n\nx\n".to_owned();
        let found: Vec<(String, Audience)> =
            sections(&Lesson { markdown }).into_iter().map(|it| (it.id, it.audience)).collect();
        assert_eq!(
            found,
            [
                ("outcomes".to_owned(), Audience::Teacher),
                ("starter".to_owned(), Audience::Pupil),
                ("exit-questions".to_owned(), Audience::Pupil)
            ]
        );
    }
}
