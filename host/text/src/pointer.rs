//! Evidence pointers: `[what is claimed](notes/1.4.0.md#L12-L14 "words that stand there")`.
//!
//! A pointer is an ordinary markdown link, so that it can be clicked wherever the text is shown: the text is the claim,
//! the target a file of the workspace and lines in it, the title a quote from those lines. A link without lines is not a
//! pointer. Whether the quote stands there is for the guard to say.

use std::fmt;
use std::ops::RangeInclusive;

use crate::inline::{Link, Markup, scan, unescape};
use crate::markdown::part;
use crate::normalise::{is_dash, without_markers};

/// A pointer found in a text, or one to be written into it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pointer {
    /// The link's text, with escapes resolved.
    pub text: String,
    /// The file, with percent signs resolved, as it was written otherwise.
    pub path: String,
    /// First line as written, from 1.
    pub from: u32,
    /// Last line as written; the same as `from` for a single line.
    pub to: u32,
    /// The link's title: words that stand on those lines.
    pub quote: Option<String>,
    /// Number of the line in the output on which the pointer begins, from 1.
    pub line: u32,
    /// Byte offset of the opening bracket in the output.
    pub start: usize,
    /// Byte offset after the closing parenthesis in the output.
    pub end: usize,
}

/// Why lines are no range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RangeFault {
    /// Lines are counted from 1.
    Zero,
    /// The last line comes before the first.
    Backwards,
}

impl fmt::Display for RangeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Zero => "lines are counted from 1",
            Self::Backwards => "the last line comes before the first",
        })
    }
}

impl std::error::Error for RangeFault {}

impl Pointer {
    /// The lines pointed to.
    ///
    /// # Errors
    /// When the lines as written are no range.
    pub fn range(&self) -> Result<RangeInclusive<u32>, RangeFault> {
        if self.from == 0 {
            Err(RangeFault::Zero)
        } else if self.to < self.from {
            Err(RangeFault::Backwards)
        } else {
            Ok(self.from..=self.to)
        }
    }

    /// File and lines as they are written in a target: `notes/1.4.0.md#L12-L14`.
    pub fn place(&self) -> String {
        format!("{}#{}", self.path, fragment(self.from, self.to))
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&format_pointer(&self.text, &self.path, self.from, self.to, self.quote.as_deref()))
    }
}

/// Finds the pointers of a text, in order; those in code or comments are none.
pub fn find_pointers(markdown: &str) -> Vec<Pointer> {
    pointers_in(markdown, &scan(markdown))
}

/// As [`find_pointers`], for a text that has been scanned already.
pub fn pointers_in(markdown: &str, markup: &Markup) -> Vec<Pointer> {
    let mut pointers = Vec::new();
    let (mut line, mut counted) = (1, 0);
    for link in markup.links.iter().filter(|link| !link.image) {
        let breaks = part(markdown, counted..link.start).bytes().filter(|&b| b == b'\n').count();
        line += u32::try_from(breaks).unwrap_or(u32::MAX);
        counted = counted.max(link.start);
        pointers.extend(pointer(markdown, link, line));
    }
    pointers
}

fn pointer(markdown: &str, link: &Link, line: u32) -> Option<Pointer> {
    let (path, fragment) = link.target.rsplit_once('#')?;
    let (from, to) = lines_of(fragment)?;
    Some(Pointer {
        text: unescape(part(markdown, link.text.clone())),
        path: percent_decoded(path),
        from,
        to,
        quote: link.title.clone(),
        line,
        start: link.start,
        end: link.end,
    })
}

/// Reads `L12-L14`, `L12-14` or `L12`.
fn lines_of(fragment: &str) -> Option<(u32, u32)> {
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        // A number too large for any file still names lines, and the guard says that the file has no such line.
        digits.then(|| text.parse().unwrap_or(u32::MAX))
    };
    let rest = fragment.strip_prefix(['L', 'l'])?;
    match rest.split_once(is_dash) {
        Some((from, to)) => Some((number(from)?, number(to.strip_prefix(['L', 'l']).unwrap_or(to))?)),
        None => number(rest).map(|line| (line, line)),
    }
}

fn fragment(from: u32, to: u32) -> String {
    if from == to { format!("L{from}") } else { format!("L{from}-L{to}") }
}

/// Writes a pointer that [`find_pointers`] reads back. Line breaks in text and quote become spaces, and the markers of
/// lists and quotations after them go, since a pointer stands on one line; nothing else changes.
pub fn format_pointer(text: &str, path: &str, from: u32, to: u32, quote: Option<&str>) -> String {
    let text = escaped(&on_one_line(text), &['\\', '[', ']', '`', '&', '<', '|']);
    let target = format!("{}#{}", percent_encoded(path), fragment(from, to));
    match quote {
        Some(quote) => format!("[{text}]({target} \"{}\")", escaped(&on_one_line(quote), &['\\', '"', '&', '|'])),
        None => format!("[{text}]({target})"),
    }
}

fn on_one_line(text: &str) -> String {
    if !text.contains(['\n', '\r']) {
        return text.to_owned();
    }
    let lines = text.split(['\n', '\r']).map(without_markers).filter(|line| !line.is_empty());
    lines.collect::<Vec<_>>().join(" ")
}

/// Puts a backslash before the characters named.
fn escaped(text: &str, special: &[char]) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if special.contains(&c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Encodes what would end or alter a target; letters of any language stay readable.
fn percent_encoded(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for c in path.chars() {
        if c.is_whitespace() || c.is_control() || "%<>()#\\\"?&[]*|`".contains(c) {
            let mut bytes = [0; 4];
            c.encode_utf8(&mut bytes).bytes().for_each(|byte| out.push_str(&format!("%{byte:02X}")));
        } else {
            out.push(c);
        }
    }
    out
}

/// Decodes percent signs; what is not an encoding of text stays as it is.
fn percent_decoded(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let decoded = after.first_chunk::<2>().filter(|_| first == b'%').and_then(hex);
        bytes.push(decoded.unwrap_or(first));
        rest = decoded.and_then(|_| after.get(2..)).unwrap_or(after);
    }
    String::from_utf8(bytes).unwrap_or_else(|_| path.to_owned())
}

fn hex(digits: &[u8; 2]) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|value| u8::try_from(value).ok());
    let [high, low] = *digits;
    Some(digit(high)? * 16 + digit(low)?)
}

#[cfg(test)]
mod tests;
