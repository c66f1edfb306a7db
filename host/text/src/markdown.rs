//! Markdown as lines and blocks, with numbers and offsets.
//!
//! Only as much of the language as is needed to tell text from code and one block from the next. What a renderer shows
//! as code or not at all is marked as such, so that every reader in this crate leaves out the same things. Text that is
//! merely indented counts as text: in what people and models write it is nearly always the inside of a list.

use std::ops::Range;

/// A line with its number and place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// Number, from 1, counted as `read_file` counts.
    pub number: u32,
    /// Byte offset of the first character.
    pub start: usize,
    /// The line without its line break.
    pub text: &'a str,
    /// What it is.
    pub kind: Kind,
}

impl Line<'_> {
    /// Byte offset after the last character, before the line break.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// What a line is to a reader of the rendered page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Nothing but white space.
    Blank,
    /// A heading of level 1 to 6.
    Heading(u8),
    /// The first line of a list item.
    Item,
    /// A row of a table, or cells written side by side with `|`.
    Row,
    /// Any other text.
    Text,
    /// Inside a fenced block, or its fence.
    Code,
    /// A comment, which is not shown.
    Comment,
}

/// A stretch of text that is read as one: a paragraph, a list item, a heading, a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Byte range, without the last line break.
    pub range: Range<usize>,
    /// What its first line is: heading, item, row or text.
    pub kind: Kind,
    /// Spaces before the first line's marker or text.
    pub indent: usize,
    /// Number of the first line.
    pub line: u32,
}

/// The part of a text in a byte range; empty where the range does not lie on characters of the text.
pub fn part(text: &str, range: Range<usize>) -> &str {
    text.get(range).unwrap_or("")
}

/// Takes a markdown text apart into lines.
pub fn lines(markdown: &str) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let mut open = Open::Nothing;
    // A byte order mark is no part of the first line.
    let mut start = if markdown.starts_with('\u{FEFF}') { '\u{FEFF}'.len_utf8() } else { 0 };
    for (number, whole) in (1..).zip(part(markdown, start..markdown.len()).split_inclusive('\n')) {
        let text = whole.strip_suffix('\n').unwrap_or(whole);
        let text = text.strip_suffix('\r').unwrap_or(text);
        let kind = open.next(text);
        lines.push(Line { number, start, text, kind });
        start += whole.len();
    }
    lines
}

/// Joins lines into blocks; blank lines, code and comments belong to none.
pub fn blocks(lines: &[Line<'_>]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    for line in lines {
        match line.kind {
            Kind::Blank | Kind::Code | Kind::Comment => open = false,
            Kind::Text if open => {
                if let Some(block) = blocks.last_mut() {
                    block.range.end = line.end();
                }
            }
            kind => {
                let indent = line.text.len() - line.text.trim_start().len();
                blocks.push(Block { range: line.start..line.end(), kind, indent, line: line.number });
                open = !matches!(kind, Kind::Heading(_) | Kind::Row);
            }
        }
    }
    blocks
}

/// The level and text of a heading line: `## Starter ##` gives 2 and `Starter`.
pub fn heading(line: &str) -> Option<(u8, &str)> {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let rest = line.trim_start_matches(' ');
    let text = rest.trim_start_matches('#');
    let level = rest.len() - text.len();
    if indent > 3 || !(1..=6).contains(&level) || !(text.is_empty() || text.starts_with([' ', '\t'])) {
        return None;
    }
    let text = text.trim();
    let unclosed = text.trim_end_matches('#');
    let closed = unclosed.is_empty() || unclosed.ends_with([' ', '\t']);
    let text = if closed { unclosed.trim_end() } else { text };
    u8::try_from(level).ok().map(|level| (level, text))
}

/// What follows the marker of a list item: `- text`, `* text`, `1. text`.
pub fn item(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let after = match line.strip_prefix(['-', '*', '+']) {
        Some(after) => after,
        None => {
            let after = line.trim_start_matches(|c: char| c.is_ascii_digit());
            let digits = line.len() - after.len();
            after.strip_prefix(['.', ')']).filter(|_| (1..=9).contains(&digits))?
        }
    };
    (after.is_empty() || after.starts_with([' ', '\t'])).then(|| after.trim_start())
}

/// What is open at the end of a line.
#[derive(Debug, Clone, Copy)]
enum Open {
    Nothing,
    Fence { mark: char, length: usize, quoted: bool },
    Comment,
}

impl Open {
    /// Says what the next line is and takes note of what it opens or closes.
    fn next(&mut self, line: &str) -> Kind {
        if let Self::Fence { mark, length, quoted } = *self {
            let (inner, in_quote) = unquoted(line);
            // A fence inside a quotation ends with the quotation.
            if !quoted || in_quote {
                let inner = inner.trim();
                if inner.chars().count() >= length && inner.chars().all(|c| c == mark) {
                    *self = Self::Nothing;
                }
                return Kind::Code;
            }
            *self = Self::Nothing;
        }
        if matches!(self, Self::Comment) {
            if line.contains("-->") {
                *self = Self::Nothing;
            }
            return Kind::Comment;
        }
        let (inner, quoted) = unquoted(line);
        if let Some((mark, length)) = fence(inner) {
            *self = Self::Fence { mark, length, quoted };
            return Kind::Code;
        }
        if inner.trim_start().starts_with("<!--") {
            if !inner.contains("-->") {
                *self = Self::Comment;
                return Kind::Comment;
            }
            if inner.trim_end().ends_with("-->") {
                return Kind::Comment;
            }
        }
        kind_of(inner)
    }
}

fn kind_of(line: &str) -> Kind {
    if line.trim().is_empty() {
        Kind::Blank
    } else if let Some((level, _)) = heading(line) {
        Kind::Heading(level)
    } else if item(line).is_some() {
        Kind::Item
    } else if line.trim_start().starts_with('|') || (line.contains('|') && line.contains(" | ")) {
        Kind::Row
    } else {
        Kind::Text
    }
}

/// The line without the marks of a quotation, and whether it had any.
fn unquoted(line: &str) -> (&str, bool) {
    let mut inner = line;
    while let Some(rest) = inner.trim_start().strip_prefix('>') {
        inner = rest.strip_prefix(' ').unwrap_or(rest);
    }
    (inner, inner.len() != line.len())
}

/// The mark and length of an opening fence, also as the first thing in a list item.
fn fence(line: &str) -> Option<(char, usize)> {
    let line = item(line).unwrap_or(line).trim_start();
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let rest = line.trim_start_matches(mark);
    let length = line.len() - rest.len();
    // "```code```" on one line is inline code.
    (length >= 3 && !(mark == '`' && rest.contains('`'))).then_some((mark, length))
}

/// The number of lines of front matter, both fences included; 0 when the text begins otherwise or the second is missing.
pub fn front_matter_lines(lines: &[Line<'_>]) -> u32 {
    let fence = |line: &Line<'_>| line.text.trim_end() == "---";
    if !lines.first().is_some_and(fence) {
        return 0;
    }
    lines.iter().skip(1).find(|line| fence(line)).map_or(0, |line| line.number)
}

#[cfg(test)]
mod tests;
