//! A file's passages: bullets with their continuation lines, and paragraphs, under the heading that they stand below.

use std::ops::Range;

use ta_curriculum::markdown::{Block, Kind, blocks, heading, item, lines, part};

use crate::shown::one_line;

/// Passages read of one file: more than anybody writes, few enough for one call.
const PASSAGES_MAX: usize = 400;

/// A bullet or a paragraph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Passage {
    /// The heading that it stands below; empty before the first.
    pub(crate) heading: String,
    /// Its lines, byte for byte.
    pub(crate) raw: String,
    /// Its text on one line, without its mark.
    pub(crate) text: String,
    /// Whether it is a bullet.
    pub(crate) bullet: bool,
}

impl Passage {
    /// Another text in the same structure.
    pub(crate) fn with(&self, text: &str) -> String {
        if !self.bullet {
            return text.to_owned();
        }
        let indent = self.raw.len() - self.raw.trim_start().len();
        format!("{}- {text}", self.raw.get(..indent).unwrap_or_default())
    }
}

/// The passages below line `skipped` (front matter) of a markdown text, in order.
pub(crate) fn passages(text: &str, skipped: u32, lines_max: usize) -> Vec<Passage> {
    let mut lines = lines(text);
    lines.truncate(lines_max);
    let mut under = String::new();
    let mut passages: Vec<(Passage, Range<usize>)> = Vec::new();
    for block in blocks(&lines).into_iter().filter(|block| block.line > skipped) {
        let raw = raw(text, &block);
        match block.kind {
            Kind::Heading(_) => under = heading(raw).map(|(_, title)| one_line(title)).unwrap_or_default(),
            // A bullet inside a bullet belongs to it.
            Kind::Item if block.indent > 1 => {
                if let Some((last, range)) = passages.last_mut().filter(|(last, _)| last.bullet) {
                    range.end = block.range.end;
                    last.raw = part(text, range.clone()).to_owned();
                    last.text = format!("{}; {}", last.text, one_line(item(raw).unwrap_or(raw)));
                }
            }
            Kind::Item | Kind::Text if passages.len() < PASSAGES_MAX => {
                let bullet = block.kind == Kind::Item;
                let words = if bullet { item(raw).unwrap_or(raw) } else { raw };
                let passage = Passage { heading: under.clone(), raw: raw.to_owned(), text: one_line(words), bullet };
                passages.push((passage, block.range));
            }
            _ => {}
        }
    }
    passages.into_iter().map(|(passage, _)| passage).collect()
}

/// The block's lines; a line end that belongs to Windows stays outside.
fn raw<'a>(text: &'a str, block: &Block) -> &'a str {
    part(text, block.range.clone())
}

#[cfg(test)]
mod tests {
    use super::passages;

    #[test]
    fn bullets_keep_their_lines() {
        let text = "# 3B\n\nA friendly\nclass.\n\n## What works\n\n- A flowchart\n  before code.\n- Pairs\n  - with roles\n\n\
                    ```\n- code\n```\n";
        let found = passages(text, 0, 200);
        let shown: Vec<_> = found.iter().map(|it| (it.heading.as_str(), it.raw.as_str(), it.text.as_str())).collect();
        assert_eq!(
            shown,
            [
                ("3B", "A friendly\nclass.", "A friendly class."),
                ("What works", "- A flowchart\n  before code.", "A flowchart before code."),
                ("What works", "- Pairs\n  - with roles", "Pairs; with roles"),
            ]
        );
        assert_eq!(found[1].with("Drawings."), "- Drawings.");
        assert_eq!(found[0].with("Quiet."), "Quiet.");
        assert!(passages(text, 0, 2).is_empty());
    }
}
