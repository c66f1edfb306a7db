//! Takes out of a text what no document should carry, and shortens what would make reading slow.

use crate::limits;

/// The text without signs that control a terminal, turn the direction of reading or are not shown.
///
/// A turned direction makes a page say something else than it seems to; signs without a shape break searching.
pub(crate) fn characters(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut signs = text.chars().peekable();
    while let Some(c) = signs.next() {
        match c {
            '\r' => {
                if signs.peek() != Some(&'\n') {
                    out.push('\n');
                }
            }
            '\n' | '\t' => out.push(c),
            '\u{2028}' | '\u{2029}' | '\u{85}' => out.push('\n'),
            c if is_hidden(c) => {}
            c => out.push(c),
        }
    }
    out
}

fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(u32::from(c),
            0xAD | 0x61C | 0x180E | 0x200B..=0x200F | 0x202A..=0x202E | 0x2060..=0x206F | 0xFEFF | 0xFFF9..=0xFFFB
            | 0xFE00..=0xFE0F | 0xE000..=0xF8FF | 0xE0000..=0xE0FFF | 0xF0000..=0x10_FFFF | 0xFDD0..=0xFDEF)
        || u32::from(c) & 0xFFFE == 0xFFFE
}

/// Takes surplus marks of quotations and lists from the beginning of a line.
///
/// A reader of markdown looks at every open container for every line, so ten thousand of them are a way to keep it busy.
pub(crate) fn nesting(text: &str) -> String {
    let marks_max = limits::DEPTH * 4;
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let mut rest = line;
        let mut kept = 0;
        let mut marks = 0;
        while let Some((mark, after)) = marker(rest) {
            marks += 1;
            if marks <= marks_max {
                kept += mark;
            }
            rest = after;
        }
        if marks > marks_max {
            out.push_str(line.get(..kept).unwrap_or_default());
            out.push_str(rest);
        } else {
            let spaces = line.len() - line.trim_start_matches([' ', '\t']).len();
            let surplus = spaces.saturating_sub(limits::DEPTH * 16);
            out.push_str(line.get(surplus..).unwrap_or(line));
        }
    }
    out
}

/// The length of the mark that a line begins with, spaces included, and what follows it.
fn marker(line: &str) -> Option<(usize, &str)> {
    let trimmed = line.trim_start_matches([' ', '\t']);
    let after = match trimmed.strip_prefix('>') {
        Some(after) => after,
        None => {
            let item = ta_curriculum::markdown::item(trimmed)?;
            let used = trimmed.len() - item.len();
            trimmed.get(used..)?
        }
    };
    let used = line.len() - after.len();
    (used > 0).then_some((used, after))
}

/// Writes `\( … \)` and `\[ … \]` with dollar signs, outside code: both are ways to mark a formula.
pub(crate) fn formulas(text: &str) -> String {
    if !text.contains("\\(") && !text.contains("\\[") {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for line in ta_curriculum::markdown::lines(text) {
        if line.kind == ta_curriculum::markdown::Kind::Code {
            out.push_str(line.text);
        } else {
            // Odd parts stand between marks of code.
            for (index, part) in line.text.split('`').enumerate() {
                if index > 0 {
                    out.push('`');
                }
                if index % 2 == 1 {
                    out.push_str(part);
                } else {
                    let part = part.replace("\\( ", "$").replace("\\(", "$").replace(" \\)", "$").replace("\\)", "$");
                    out.push_str(&part.replace("\\[", "$$").replace("\\]", "$$"));
                }
            }
        }
        out.push('\n');
    }
    out
}
