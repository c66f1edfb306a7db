//! The sections of a text: what stands under each heading of level 2.
//!
//! Sections are what a person accepts or sends back, so their ranges together are the whole text, byte for byte: a
//! caller can put a new section in the place of an old one and be sure that nothing else has moved.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::markdown::{Kind, front_matter_lines, heading, lines};

/// One section, or the preamble before the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Unique within the text, and the same in another text while its title is; empty for the preamble.
    pub id: String,
    /// The heading's text; empty for the preamble.
    pub title: String,
    /// Number of its first line, from 1: that of the heading.
    pub first_line: u32,
    /// Number of its last line, blank lines before the next heading included.
    pub last_line: u32,
    /// Its bytes, line breaks included.
    pub range: Range<usize>,
}

/// A text taken apart into sections.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// What comes before the first section; absent when nothing does.
    pub preamble: Option<Section>,
    /// The sections in order.
    pub sections: Vec<Section>,
}

impl Outline {
    /// Reads the sections of a markdown text.
    pub fn read(markdown: &str) -> Self {
        let lines = lines(markdown);
        let metadata = front_matter_lines(&lines);
        let heads = lines.iter().filter(|line| line.kind == Kind::Heading(2) && line.number > metadata);
        // Where each part begins: byte offset, line number, title.
        let mut begins = vec![(0, 1, String::new())];
        begins.extend(heads.map(|line| {
            let title = heading(line.text).map(|(_, title)| title.to_owned()).unwrap_or_default();
            (line.start, line.number, title)
        }));
        let ends = begins.iter().skip(1).map(|&(start, line, _)| (start, line - 1));
        let last = lines.last().map_or(0, |line| line.number);
        let ends: Vec<(usize, u32)> = ends.chain([(markdown.len(), last)]).collect();
        let mut parts = begins.into_iter().zip(ends).map(|((start, first_line, title), (end, last_line))| Section {
            id: String::new(),
            title,
            first_line,
            last_line,
            range: start..end,
        });
        let preamble = parts.next().filter(|preamble| !preamble.range.is_empty());
        let mut taken = BTreeSet::new();
        let mut tried = BTreeMap::new();
        let named = parts.map(|part| Section { id: unique(&slug(&part.title), &mut taken, &mut tried), ..part });
        Self { preamble, sections: named.collect() }
    }

    /// All parts in order, the preamble first: their ranges together are the whole text.
    pub fn parts(&self) -> impl Iterator<Item = &Section> {
        self.preamble.iter().chain(&self.sections)
    }

    /// The section that a line of the text belongs to; none for the preamble and beyond the end.
    pub fn section_at(&self, line: u32) -> Option<&Section> {
        let after = self.sections.partition_point(|section| section.first_line <= line);
        let section = after.checked_sub(1).and_then(|index| self.sections.get(index))?;
        (line <= section.last_line).then_some(section)
    }
}

/// The id of a section whose heading has no word in it.
const UNTITLED: &str = "part";

/// A title as an id: its words in lower case, joined by `-`, without what stands in brackets at its end.
pub fn slug(title: &str) -> String {
    let title = title.trim();
    let open = title.rfind('(').filter(|_| title.ends_with(')'));
    let named = open.and_then(|open| title.get(..open)).filter(|named| !named.trim().is_empty()).unwrap_or(title);
    let words = named.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let slug = words.map(str::to_lowercase).collect::<Vec<_>>().join("-");
    if slug.is_empty() { UNTITLED.to_owned() } else { slug }
}

/// The slug, numbered from 2 on where it is taken. What was tried for a slug is not tried again: a text of many equal
/// headings is read in linear time.
fn unique(slug: &str, taken: &mut BTreeSet<String>, tried: &mut BTreeMap<String, u32>) -> String {
    if taken.insert(slug.to_owned()) {
        return slug.to_owned();
    }
    let number = tried.entry(slug.to_owned()).or_insert(1);
    loop {
        *number += 1;
        let id = format!("{slug}-{number}");
        if taken.insert(id.clone()) {
            return id;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LESSON: &str =
        "# Iteration\r\n\nFor 3B.\n## Starter ##\nquiz\n```\n## not this\n```\n\n### Inner\n##Neither\n## Main\nloops";

    #[test]
    fn sections_are_the_headings_of_level_two() {
        let outline = Outline::read(LESSON);
        let shown: Vec<_> = outline.sections.iter().map(|s| (s.title.as_str(), s.first_line, s.last_line)).collect();
        assert_eq!(shown, [("Starter", 4, 11), ("Main", 12, 13)]);
        let preamble = outline.preamble.expect("a title before the first section");
        assert_eq!((preamble.title.as_str(), preamble.first_line, preamble.last_line), ("", 1, 3));
    }

    #[test]
    fn ids_are_words_of_the_title_and_unique() {
        let text = "## Direct instruction (12 minutes)\n## Task (9 minutes)\n## Task 2\n## TASK\n## Task\n## (a)\n##\n## Été\n";
        let ids: Vec<String> = Outline::read(text).sections.into_iter().map(|section| section.id).collect();
        assert_eq!(ids, ["direct-instruction", "task", "task-2", "task-3", "task-4", "a", "part", "été"]);
    }

    #[test]
    fn a_section_can_be_replaced_byte_for_byte() {
        let outline = Outline::read(LESSON);
        let parts: Vec<&str> = outline.parts().map(|part| &LESSON[part.range.clone()]).collect();
        assert_eq!(parts.concat(), LESSON);
        assert_eq!(parts[2], "## Main\nloops");
    }

    #[test]
    fn lines_know_their_section() {
        let outline = Outline::read(LESSON);
        let title = |line| outline.section_at(line).map(|section| section.title.as_str());
        assert_eq!(
            [title(1), title(4), title(11), title(13), title(14)],
            [None, Some("Starter"), Some("Starter"), Some("Main"), None]
        );
    }

    #[test]
    fn texts_without_sections_and_front_matter_are_preamble() {
        assert_eq!(Outline::read(""), Outline::default());
        let outline = Outline::read("---\nclass: 3B\n## a comment\n---\ntext\n");
        assert!(outline.sections.is_empty());
        assert_eq!(outline.preamble.map(|preamble| preamble.range), Some(0..36));
        assert!(Outline::read("## Only\n").preamble.is_none());
    }
}
