//! The lesson as the questions see it: sections of known kinds, their minutes, their lines.

use ta_curriculum::markdown::{Kind as LineKind, Line, item, lines};
use ta_curriculum::outline::Outline;

use crate::words::one_line;

/// What a section is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Criteria,
    Misconceptions,
    Keywords,
    Starter,
    Explanation,
    Practice,
    Differentiation,
    Plenary,
    Exit,
    Other,
}

/// Words by which headings name a section.
const NAMES: &[(Kind, &[&str])] = &[
    (Kind::Exit, &["exit"]),
    (Kind::Criteria, &["success criteri", "criteria"]),
    (Kind::Misconceptions, &["misconception", "common mistake"]),
    (Kind::Keywords, &["keyword", "key word", "vocabulary"]),
    (Kind::Starter, &["starter", "warm-up", "warm up"]),
    (Kind::Explanation, &["explanation", "teaching input"]),
    (Kind::Practice, &["practice", "main activit", "main task", "activity"]),
    (Kind::Differentiation, &["differentiation", "support needs"]),
    (Kind::Plenary, &["plenary", "wrap-up", "wrap up"]),
];

/// An item of a list at the left margin, with everything that belongs to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) text: String,
    /// Whether its mark is a number.
    pub(crate) numbered: bool,
    /// Items and lines inside it.
    pub(crate) inner: Vec<String>,
}

/// One section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Section {
    pub(crate) kind: Kind,
    /// The heading without its minutes.
    pub(crate) name: String,
    pub(crate) minutes: Option<u32>,
    /// Its text without the heading.
    pub(crate) body: String,
    pub(crate) entries: Vec<Entry>,
}

/// A lesson taken apart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Lesson {
    pub(crate) title: String,
    pub(crate) sections: Vec<Section>,
}

impl Lesson {
    pub(crate) fn read(output: &str) -> Self {
        let outline = Outline::read(output);
        let preamble = outline.preamble.and_then(|preamble| output.get(preamble.range)).unwrap_or_default();
        let title = preamble.lines().find_map(|line| line.strip_prefix("# ")).map(one_line).unwrap_or_default();
        let sections = outline.sections.into_iter().map(|section| {
            let whole = output.get(section.range).unwrap_or_default();
            let body = whole.split_once('\n').map_or("", |(_, body)| body).trim();
            let (name, minutes) = minutes(&section.title);
            Section { kind: kind(&name), name, minutes, body: body.to_owned(), entries: entries(body) }
        });
        Self { title, sections: sections.collect() }
    }

    /// The first section of a kind.
    pub(crate) fn of(&self, kind: Kind) -> Option<&Section> {
        self.sections.iter().find(|section| section.kind == kind)
    }

    /// The minutes of all timed sections together.
    pub(crate) fn minutes(&self) -> u32 {
        self.sections.iter().filter_map(|section| section.minutes).fold(0, u32::saturating_add)
    }
}

impl Section {
    /// The heading with its minutes, as the lesson has it.
    pub(crate) fn titled(&self) -> String {
        match self.minutes {
            Some(minutes) => format!("{} ({})", self.name, crate::words::minutes(minutes)),
            None => self.name.clone(),
        }
    }

    /// The words of a section of keywords: before the colon of each item, or in the first column of a table.
    pub(crate) fn terms(&self) -> Vec<&str> {
        let rows = self.body.lines().map(str::trim).filter_map(|line| line.strip_prefix('|'));
        // The first row names the columns, the second rules them off.
        let cells = rows.skip(1).filter_map(|row| row.split('|').next()).map(bare);
        let cells = cells.filter(|cell| cell.contains(char::is_alphanumeric));
        let items =
            self.entries.iter().map(|entry| bare(entry.text.split([':', '–', '—', '↔']).next().unwrap_or_default()));
        items.filter(|term| !term.is_empty()).chain(cells).collect()
    }

    /// Its items that are numbered or, where none is, all of them.
    pub(crate) fn steps(&self) -> Vec<&Entry> {
        let numbered: Vec<&Entry> = self.entries.iter().filter(|entry| entry.numbered).collect();
        if numbered.is_empty() { self.entries.iter().collect() } else { numbered }
    }
}

fn kind(name: &str) -> Kind {
    let name = name.to_lowercase();
    let named = NAMES.iter().find(|(_, words)| words.iter().any(|word| name.contains(word)));
    named.map_or(Kind::Other, |(kind, _)| *kind)
}

/// A heading without its minutes, and the minutes: `Starter (8 minutes)`.
fn minutes(title: &str) -> (String, Option<u32>) {
    let timed = title.trim().strip_suffix(')').and_then(|open| open.rsplit_once('('));
    let timed = timed.and_then(|(name, inner)| {
        let digits: String = inner.trim().chars().take_while(char::is_ascii_digit).take(3).collect();
        let minutes = digits.parse().ok().filter(|_| inner.to_lowercase().contains("min"))?;
        Some((one_line(name), minutes))
    });
    timed.map_or_else(|| (one_line(title), None), |(name, minutes)| (name, Some(minutes)))
}

/// The items at the left margin, in order. What is indented below one belongs to it.
fn entries(body: &str) -> Vec<Entry> {
    const LINES_MAX: usize = 1_000;
    let mut entries: Vec<Entry> = Vec::new();
    let mut open = false;
    for line in lines(body).iter().take(LINES_MAX) {
        let text = match line.kind {
            LineKind::Item => item(line.text).unwrap_or_default(),
            // What stands below an item without a gap, or indented, belongs to it: answers to choose from, a table's row.
            LineKind::Text | LineKind::Row if open || indented(line) => {
                if let Some(last) = entries.last_mut() {
                    last.inner.push(one_line(line.text));
                }
                continue;
            }
            _ => {
                open = false;
                continue;
            }
        };
        open = true;
        if let Some(last) = entries.last_mut().filter(|_| indented(line)) {
            last.inner.push(one_line(text));
            continue;
        }
        let numbered = line.text.trim_start().starts_with(|c: char| c.is_ascii_digit());
        entries.push(Entry { text: one_line(text), numbered, inner: Vec::new() });
    }
    entries
}

fn bare(text: &str) -> &str {
    text.trim().trim_matches(['*', '_', '`', ' '])
}

fn indented(line: &Line<'_>) -> bool {
    line.text.len() - line.text.trim_start().len() > 1
}

#[cfg(test)]
mod tests {
    use super::{Kind, Lesson};

    #[test]
    fn keywords_are_found_in_lists_and_tables() {
        for body in [
            "- **loop**: again\n- *index* – where\n",
            "| Word | Meaning |\n|---|---|\n| **loop** | again |\n| index | where |\n",
        ] {
            let lesson = Lesson::read(&format!("## Keywords\n\n{body}"));
            assert_eq!(lesson.of(Kind::Keywords).unwrap().terms(), ["loop", "index"]);
        }
    }

    #[test]
    fn sections_have_kinds_minutes_and_entries() {
        let lesson = Lesson::read(
            "# Loops\n\n## Starter (8 minutes)\n\n1. One?\n   - A: yes\n   - B: no\n2. Two?\n\n## Practice (about)\n\n- a\n",
        );
        let starter = lesson.of(Kind::Starter).unwrap();
        assert_eq!((starter.titled().as_str(), starter.minutes), ("Starter (8 minutes)", Some(8)));
        assert_eq!((starter.steps().len(), starter.entries[0].inner.len()), (2, 2));
        assert_eq!(lesson.of(Kind::Practice).unwrap().name, "Practice (about)");
        assert_eq!(lesson.minutes(), 8);
        assert!(Lesson::read("Nothing here.").sections.is_empty());
    }
}
