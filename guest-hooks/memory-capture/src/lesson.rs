//! A lesson as proposals see it: sections by what they are called, with their minutes and their lines.

use ta_curriculum::markdown::{Kind, item, lines};
use ta_curriculum::outline::{Outline, slug};

use crate::words::one_line;

/// A longer text is no lesson for one period; it is not read.
const TEXT_BYTES_MAX: usize = 128 * 1024;

/// Sections of one lesson that are read.
const SECTIONS_MAX: usize = 40;

/// A section of level 2.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Section {
    /// The heading without its minutes.
    pub(crate) name: String,
    /// How decisions name it.
    pub(crate) key: String,
    pub(crate) minutes: Option<u32>,
    /// Its text without the heading.
    pub(crate) body: String,
    /// Numbered items at the left margin.
    pub(crate) steps: usize,
    /// Items of any kind that end in a question.
    pub(crate) questions: usize,
}

/// A lesson taken apart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Lesson {
    pub(crate) title: String,
    pub(crate) sections: Vec<Section>,
}

impl Lesson {
    pub(crate) fn read(text: &str) -> Self {
        Self::with(text, read_section)
    }

    /// The headings alone, for lessons of which there are many.
    pub(crate) fn headings(text: &str) -> Self {
        Self::with(text, |title, _| read_section(title, ""))
    }

    fn with(text: &str, read: impl Fn(&str, &str) -> Section) -> Self {
        if text.len() > TEXT_BYTES_MAX {
            return Self::default();
        }
        let outline = Outline::read(text);
        let preamble =
            outline.preamble.map(|preamble| text.get(preamble.range).unwrap_or_default()).unwrap_or_default();
        let title = preamble.lines().find_map(|line| line.strip_prefix("# ")).map(one_line).unwrap_or_default();
        let sections = outline.sections.into_iter().take(SECTIONS_MAX).map(|section| {
            let whole = text.get(section.range).unwrap_or_default();
            let read = read(&section.title, whole.split_once('\n').map_or("", |(_, body)| body).trim());
            Section { key: section.id, ..read }
        });
        Self { title, sections: sections.collect() }
    }

    /// The section that a decision or a heading names, whatever its minutes and case.
    pub(crate) fn section(&self, name: &str) -> Option<&Section> {
        let wanted = key(name);
        self.sections.iter().find(|section| section.key == wanted)
    }
}

/// How decisions name the section of a heading; what names it so already stays.
pub(crate) fn key(name: &str) -> String {
    slug(name)
}

fn read_section(title: &str, body: &str) -> Section {
    let (name, minutes) = timed(title);
    let mut section = Section { key: String::new(), name, minutes, body: body.to_owned(), steps: 0, questions: 0 };
    for line in lines(body).iter().filter(|line| line.kind == Kind::Item) {
        let margin = line.text.len() - line.text.trim_start().len() < 2;
        let numbered = line.text.trim_start().starts_with(|c: char| c.is_ascii_digit());
        section.steps += usize::from(margin && numbered);
        section.questions += usize::from(margin && item(line.text).is_some_and(|text| text.contains('?')));
    }
    section
}

/// A heading without its minutes, and the minutes: `Starter (8 minutes)`.
fn timed(title: &str) -> (String, Option<u32>) {
    let parts = title.trim().strip_suffix(')').and_then(|open| open.rsplit_once('('));
    let parts = parts.and_then(|(name, inner)| {
        let digits: String = inner.trim().chars().take_while(char::is_ascii_digit).take(3).collect();
        let minutes = digits.parse().ok().filter(|_| inner.to_lowercase().contains("min"))?;
        Some((one_line(name), minutes))
    });
    parts.map_or_else(|| (one_line(title), None), |(name, minutes)| (name, Some(minutes)))
}

#[cfg(test)]
mod tests {
    use super::Lesson;

    #[test]
    fn a_lesson_is_taken_apart() {
        let lesson =
            Lesson::read("# Loops\n\n## Starter (8 minutes)\n\n1. One?\n   1. inner?\n2. Two\n- Three?\n\n## Exit\n");
        assert_eq!((lesson.title.as_str(), lesson.sections.len()), ("Loops", 2));
        let starter = lesson.section("starter (5 minutes)").unwrap();
        assert_eq!((starter.minutes, starter.steps, starter.questions), (Some(8), 2, 2));
        let headings = Lesson::headings("# Loops\n\n## Starter (8 minutes)\n\n1. One?\n");
        assert_eq!((headings.sections[0].minutes, headings.sections[0].steps), (Some(8), 0));
        assert_eq!(Lesson::read(&"x".repeat(200_000)), Lesson::default());
    }
}
