//! A lesson with line numbers: which line stands where, and how it is quoted.

use ta_curriculum::outline::Outline;

use super::super::sections::{Kind, bare, minutes};

/// A line of a lesson.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) number: usize,
    pub(crate) text: String,
    pub(crate) kind: Kind,
    /// The heading of its section without minutes.
    pub(crate) section: String,
}

/// A lesson, line by line.
pub(crate) struct Page {
    title: String,
    pub(crate) lines: Vec<Line>,
    pub(crate) minutes: Vec<(Kind, u32)>,
}

impl Page {
    pub(crate) fn read(text: &str) -> Self {
        let outline = Outline::read(text);
        let title = text.lines().find_map(|line| line.strip_prefix("# ")).unwrap_or("a lesson without a title");
        let mut lines = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let section = u32::try_from(number).ok().and_then(|number| outline.section_at(number));
            let section = section.map(|section| section.title.as_str()).unwrap_or_default();
            let (kind, section) = (Kind::of(section), bare(section));
            if !line.trim().is_empty() {
                lines.push(Line { number, text: line.trim().to_owned(), kind, section });
            }
        }
        let minutes =
            outline.sections.iter().filter_map(|one| Some((Kind::of(&one.title), minutes(&one.title)?))).collect();
        Self { title: title.trim().to_owned(), lines, minutes }
    }

    pub(crate) fn title(&self) -> &str {
        &self.title
    }

    /// The lines of a section, its heading left out.
    pub(crate) fn of(&self, kind: Kind) -> impl Iterator<Item = &Line> {
        self.lines.iter().filter(move |line| line.kind == kind && !line.text.starts_with("## "))
    }

    /// The heading of a section; where there is none, the title.
    pub(crate) fn head(&self, kind: Kind) -> Option<&Line> {
        self.lines.iter().find(|line| line.kind == kind && line.text.starts_with("## ")).or_else(|| self.lines.first())
    }

    pub(crate) fn minutes_of(&self, kind: Kind) -> Option<u32> {
        self.minutes.iter().find(|(one, _)| *one == kind).map(|(_, minutes)| *minutes)
    }

    /// The text of a section in one line.
    pub(crate) fn text_of(&self, kind: Kind) -> String {
        self.of(kind).map(|line| line.text.as_str()).collect::<Vec<_>>().join(" ")
    }
}

impl Line {
    /// As it is quoted: without marks, and cut.
    pub(crate) fn quote(&self) -> String {
        const SHOWN_CHARS: usize = 90;
        let text = self
            .text
            .trim_start_matches(['#', '-', ' '])
            .replace(['*', '`', '|'], "")
            .replace('“', "‘")
            .replace('”', "’");
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match text.char_indices().nth(SHOWN_CHARS) {
            Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default().trim_end()),
            None => text,
        }
    }
}
