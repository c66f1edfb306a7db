//! A lesson taken apart: title, class line, sections with minutes and items.

use ta_curriculum::markdown::{self, Kind};
use ta_curriculum::outline::Outline;

use crate::form::Part;

/// A section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section<'a> {
    /// The heading as it stands.
    pub heading: String,
    /// The heading without minutes, in lower case.
    pub name: String,
    /// The minutes in the heading.
    pub minutes: Option<u32>,
    /// Number of the heading's line.
    pub line: u32,
    /// What stands below the heading.
    pub body: &'a str,
}

/// A list item or table row, with everything that belongs to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Its text, without its marker.
    pub text: String,
    /// Number of its first line in the lesson.
    pub line: u32,
}

/// A lesson.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lesson<'a> {
    /// The text of the first heading of level 1.
    pub title: Option<String>,
    /// Everything before the first section.
    pub preamble: &'a str,
    /// The sections in order.
    pub sections: Vec<Section<'a>>,
}

impl<'a> Lesson<'a> {
    /// Takes a text apart.
    #[must_use]
    pub fn read(text: &'a str) -> Self {
        let outline = Outline::read(text);
        let preamble = outline.preamble.map_or("", |preamble| markdown::part(text, preamble.range));
        let sections = outline.sections.into_iter().map(|section| {
            let whole = markdown::part(text, section.range);
            let (name, minutes) = without_minutes(&section.title);
            let body = whole.split_once('\n').map_or("", |(_, body)| body);
            Section { name: name.to_lowercase(), minutes, heading: section.title, line: section.first_line, body }
        });
        let title = preamble.lines().find_map(|line| line.strip_prefix("# ")).map(|title| title.trim().to_owned());
        Self { title, preamble, sections: sections.collect() }
    }

    /// The sections that are a part.
    pub fn of<'b>(&'b self, part: &Part) -> impl Iterator<Item = &'b Section<'a>> {
        let name = part.heading.to_lowercase();
        let also = part.also;
        self.sections.iter().filter(move |section| section.name == name || also.contains(&section.name.as_str()))
    }
}

impl Section<'_> {
    /// Items of its lists, those within items not counted, and rows of its tables, heads not counted.
    #[must_use]
    pub fn items(&self) -> Vec<Item> {
        let lines = markdown::lines(self.body);
        let mut items: Vec<(usize, Item)> = Vec::new();
        let mut rows: Vec<Item> = Vec::new();
        for block in markdown::blocks(&lines) {
            let text = markdown::part(self.body, block.range.clone());
            let line = self.line + block.line;
            match block.kind {
                Kind::Item => {
                    let text = markdown::item(text).unwrap_or(text).to_owned();
                    items.push((block.indent, Item { text, line }));
                }
                Kind::Row => rows.push(Item { text: text.to_owned(), line }),
                // Text that is indented below an item is the item's.
                Kind::Text if block.indent > 0 => append(&mut items, text),
                _ => {}
            }
        }
        let least = items.iter().map(|(indent, _)| *indent).min().unwrap_or(0);
        let mut all: Vec<Item> = Vec::new();
        for (indent, item) in items {
            match all.last_mut().filter(|_| indent > least) {
                Some(last) => last.text = format!("{}\n{}", last.text, item.text),
                None => all.push(item),
            }
        }
        let is_rule = |row: &Item| row.text.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '));
        if let Some(rule) = rows.iter().position(is_rule) {
            all.extend(rows.into_iter().skip(rule + 1));
        }
        all
    }

    /// Whether it stands there for several versions to choose from, or as a part that the teacher had taken out.
    #[must_use]
    pub fn is_open_to_choice(&self) -> bool {
        self.body.contains("### Alternative") || self.body.trim() == "Left out at the teacher's request."
    }
}

fn append(items: &mut [(usize, Item)], text: &str) {
    if let Some((_, last)) = items.last_mut() {
        last.text = format!("{}\n{}", last.text, text.trim());
    }
}

/// A heading without "(8 minutes)", and those minutes.
fn without_minutes(heading: &str) -> (&str, Option<u32>) {
    let found = heading.rsplit_once('(').and_then(|(name, inner)| {
        let inner = inner.split(')').next()?.trim();
        let digits = inner.split(|c: char| !c.is_ascii_digit()).next()?;
        let unit = inner.strip_prefix(digits)?.trim_start().to_lowercase();
        unit.starts_with("min").then_some((name.trim(), digits.parse().ok()))
    });
    found.unwrap_or((heading.trim(), None))
}

/// The words of a text, marks of markdown not counted.
#[must_use]
pub fn words(text: &str) -> usize {
    text.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).count()
}
