//! Links and code inside a markdown text.
//!
//! Read left to right within each block, as renderers do: a backtick in one paragraph never pairs with one in the next,
//! and inside the parentheses of a link nothing but the link counts.

use std::ops::Range;

use crate::markdown::{Kind, blocks, lines, part};

/// An inline link or image.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Byte offset of the opening bracket.
    pub start: usize,
    /// Byte range between the brackets.
    pub text: Range<usize>,
    /// Where it leads, with escapes resolved but percent signs left as they are.
    pub target: String,
    /// The title, with escapes resolved.
    pub title: Option<String>,
    /// Byte offset after the closing parenthesis.
    pub end: usize,
    /// True for `![…](…)`.
    pub image: bool,
}

/// What a markdown text holds besides words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Markup {
    /// Links and images, in order.
    pub links: Vec<Link>,
    /// Code between backticks, in order.
    pub code: Vec<Range<usize>>,
    /// What is not part of the page's text: fenced blocks and comments.
    pub hidden: Vec<Range<usize>>,
}

/// Reads the links and code of a markdown text.
pub fn scan(markdown: &str) -> Markup {
    let lines = lines(markdown);
    let hidden = lines.iter().filter(|line| matches!(line.kind, Kind::Code | Kind::Comment));
    let mut markup = Markup { hidden: hidden.map(|line| line.start..line.end()).collect(), ..Markup::default() };
    for block in blocks(&lines) {
        scan_block(markdown, block.range, &mut markup);
    }
    markup
}

/// A copy of the text in which every character of some ranges is a space, byte for byte, line breaks kept. What is found
/// in the copy stands at the same place in the original.
pub fn blank(text: &str, ranges: impl IntoIterator<Item = Range<usize>>) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for range in ranges {
        for byte in bytes.get_mut(range).into_iter().flatten() {
            if !matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
    }
    // Ranges that cut a character in two leave bytes that are no text; nothing here makes such ranges.
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

fn scan_block(text: &str, block: Range<usize>, markup: &mut Markup) {
    let bytes = text.as_bytes();
    let mut openers: Vec<(usize, bool)> = Vec::new();
    // Where a bracket would open an image; an escaped "!" comes past no arm that sets it.
    let mut bang = None;
    let mut at = block.start;
    while at < block.end {
        let rest = part(text, at..block.end);
        match bytes.get(at) {
            Some(b'\\') => at += 1 + rest.chars().nth(1).map_or(0, char::len_utf8),
            Some(b'`') => at += pass_code(rest, at, markup),
            Some(b'<') if rest.starts_with("<!--") => at += pass_comment(rest, at, markup),
            Some(b'[') => {
                openers.push((at, bang == Some(at)));
                at += 1;
            }
            Some(b']') => at = close_bracket(text, at..block.end, &mut openers, markup),
            Some(b'!') => {
                at += 1;
                bang = Some(at);
            }
            _ => at += 1,
        }
    }
}

/// Handles a closing bracket at the start of the range and gives the offset to go on from.
fn close_bracket(text: &str, rest: Range<usize>, openers: &mut Vec<(usize, bool)>, markup: &mut Markup) -> usize {
    let after = rest.start + 1;
    let Some((start, image)) = openers.pop() else {
        return after;
    };
    let Some(tail) = tail(part(text, after..rest.end)) else {
        return after;
    };
    let end = after + tail.length;
    markup.links.push(Link { start, text: start + 1..rest.start, target: tail.target, title: tail.title, end, image });
    // Links do not nest: a bracket that is still open is just a bracket. Images may stand inside links.
    if !image {
        openers.clear();
    }
    end
}

/// Gives the number of bytes to move past a run of backticks, and past the code that it opens if it is closed.
fn pass_code(rest: &str, at: usize, markup: &mut Markup) -> usize {
    let run = rest.len() - rest.trim_start_matches('`').len();
    let mut from = run;
    while let Some(offset) = part(rest, from..rest.len()).find('`') {
        let open = from + offset;
        let ticks = part(rest, open..rest.len());
        let length = ticks.len() - ticks.trim_start_matches('`').len();
        from = open + length;
        if length == run {
            markup.code.push(at..at + from);
            return from;
        }
    }
    run
}

fn pass_comment(rest: &str, at: usize, markup: &mut Markup) -> usize {
    match rest.find("-->") {
        Some(end) => {
            markup.hidden.push(at..at + end + 3);
            end + 3
        }
        None => 1,
    }
}

struct Tail {
    target: String,
    title: Option<String>,
    length: usize,
}

/// Reads `(target "title")`.
fn tail(text: &str) -> Option<Tail> {
    let inner = text.strip_prefix('(')?.trim_start();
    let (target, rest) = target(inner)?;
    let spaced = rest.trim_start();
    let (title, rest) = match title(spaced).filter(|_| spaced.len() < rest.len()) {
        Some((title, rest)) => (Some(title), rest.trim_start()),
        None => (None, spaced),
    };
    let rest = rest.strip_prefix(')')?;
    Some(Tail { target, title, length: text.len() - rest.len() })
}

/// Deepest nesting of parentheses in a bare target, as renderers have it, so that reading one stays cheap.
const PARENTHESES_MAX: usize = 32;

fn target(text: &str) -> Option<(String, &str)> {
    if let Some(inner) = text.strip_prefix('<') {
        let end = unescaped(inner, |c| matches!(c, '>' | '<' | '\n'))?;
        let rest = part(inner, end..inner.len()).strip_prefix('>')?;
        return Some((unescape(part(inner, 0..end)), rest));
    }
    let mut depth = 0_usize;
    let mut escaped = false;
    for (offset, c) in text.char_indices() {
        match c {
            _ if escaped => {}
            '(' => depth += 1,
            ')' if depth == 0 => return Some((unescape(part(text, 0..offset)), part(text, offset..text.len()))),
            ')' => depth -= 1,
            c if (c.is_whitespace() || c.is_control()) && depth == 0 => {
                return Some((unescape(part(text, 0..offset)), part(text, offset..text.len())));
            }
            c if c.is_whitespace() || c.is_control() => return None,
            _ => {}
        }
        if depth > PARENTHESES_MAX {
            return None;
        }
        escaped = c == '\\' && !escaped;
    }
    None
}

fn title(text: &str) -> Option<(String, &str)> {
    let close = match text.chars().next()? {
        '"' => '"',
        '\'' => '\'',
        '(' => ')',
        _ => return None,
    };
    let inner = part(text, 1..text.len());
    let end = unescaped(inner, |c| c == close)?;
    Some((unescape(part(inner, 0..end)), part(inner, end + 1..inner.len())))
}

/// Offset of the first character wanted that has no backslash before it.
fn unescaped(text: &str, wanted: impl Fn(char) -> bool) -> Option<usize> {
    let mut escaped = false;
    for (offset, c) in text.char_indices() {
        if !escaped && wanted(c) {
            return Some(offset);
        }
        escaped = c == '\\' && !escaped;
    }
    None
}

/// The entities that models write; others are left as they stand.
const ENTITIES: &[(&str, char)] = &[
    ("&quot;", '"'),
    ("&amp;", '&'),
    ("&lt;", '<'),
    ("&gt;", '>'),
    ("&#39;", '\''),
    ("&apos;", '\''),
    ("&nbsp;", '\u{a0}'),
    ("&ndash;", '\u{2013}'),
    ("&mdash;", '\u{2014}'),
    ("&hellip;", '\u{2026}'),
];

/// Resolves backslash escapes and the commonest entities.
pub fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let mut length = c.len_utf8();
        let mut shown = c;
        if let Some(escaped) =
            rest.strip_prefix('\\').and_then(|after| after.chars().next()).filter(char::is_ascii_punctuation)
        {
            (shown, length) = (escaped, 2);
        } else if let Some((entity, stands_for)) =
            ENTITIES.iter().find(|(entity, _)| c == '&' && rest.starts_with(entity))
        {
            (shown, length) = (*stands_for, entity.len());
        }
        plain.push(shown);
        rest = part(rest, length..rest.len());
    }
    plain
}

#[cfg(test)]
mod tests;
