//! Comparing a quote with the words it was taken from.
//!
//! A quote is honest when its words stand there in that order. How a line was broken, which quotation marks a word
//! processor put in, whether a list was a list: none of that is the quote's doing, so both sides lose it before they are
//! compared. Words are never changed.

use std::iter::Peekable;
use std::str::Chars;

use crate::markdown::{heading, item};

/// Whether capitals count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Case {
    /// They do.
    Keep,
    /// They do not: a sentence may begin in the middle of another.
    Ignore,
}

/// The text with one space between words, plain quotation marks and hyphens, and without markdown's marks.
pub fn normalise(text: &str, case: Case) -> String {
    Passage::new(text, 1, case).text
}

/// A normalised text that remembers which line each word came from.
#[derive(Debug, Clone)]
pub struct Passage {
    text: String,
    /// Where in the text a line begins, with its number, in order.
    lines: Vec<(usize, u32)>,
    case: Case,
}

/// Shorter pieces of an elided quote would be found in most texts.
const PIECE_CHARS_MIN: usize = 8;

impl Passage {
    /// Normalises a text whose first line has the number given.
    pub fn new(text: &str, first_line: u32, case: Case) -> Self {
        let mut folder = Folder { out: String::with_capacity(text.len()), case, space: false };
        let mut lines = Vec::new();
        for (number, line) in (first_line..).zip(text.lines()) {
            folder.space = true;
            lines.push((folder.out.len(), number));
            folder.line(line);
        }
        Self { text: folder.out, lines, case }
    }

    /// The normalised text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Finds a quote and gives the numbers of the first and last line that it stands on. Punctuation around the quote does
    /// not count, and `…` inside it stands for words left out.
    pub fn find(&self, quote: &str) -> Option<(u32, u32)> {
        let quote = normalise(quote, self.case);
        let bare = quote
            .trim_matches(|c: char| c.is_ascii_punctuation() && !matches!(c, '(' | ')' | '[' | ']' | '<' | '>' | '='));
        let bare = bare.trim();
        if bare.is_empty() {
            return None;
        }
        let (start, end) = match self.text.find(bare) {
            Some(start) => (start, start + bare.len()),
            None => self.find_pieces(bare)?,
        };
        Some((self.line_at(start), self.line_at(end.saturating_sub(1))))
    }

    /// Finds the pieces of an elided quote one after another.
    fn find_pieces(&self, quote: &str) -> Option<(usize, usize)> {
        let mut pieces = quote.split("...").map(|piece| piece.trim_matches(['[', ']', ' ', ',', ';']));
        let mut place: Option<(usize, usize)> = None;
        if !quote.contains("...") || pieces.clone().any(|piece| piece.len() < PIECE_CHARS_MIN) {
            return None;
        }
        pieces.try_for_each(|piece| {
            let from = place.map_or(0, |(_, end)| end);
            let at = from + self.text.get(from..)?.find(piece)?;
            place = Some((place.map_or(at, |(start, _)| start), at + piece.len()));
            Some(())
        })?;
        place
    }

    fn line_at(&self, offset: usize) -> u32 {
        let after = self.lines.partition_point(|&(start, _)| start <= offset);
        after.checked_sub(1).and_then(|index| self.lines.get(index)).map_or(1, |&(_, number)| number)
    }
}

/// Writes normalised text, one line after another.
struct Folder {
    out: String,
    case: Case,
    /// A space is due before the next character.
    space: bool,
}

impl Folder {
    fn line(&mut self, line: &str) {
        let mut chars = without_markers(line).chars().peekable();
        while let Some(c) = chars.next() {
            // Most characters are plain letters, and whole files are read this way.
            if c.is_ascii_alphanumeric() {
                self.push(c);
            } else {
                self.character(c, &mut chars);
            }
        }
    }

    fn character(&mut self, c: char, rest: &mut Peekable<Chars<'_>>) {
        let next = rest.peek().copied();
        match c {
            '*' | '`' | '\u{200B}'..='\u{200D}' | '\u{FEFF}' | '\u{AD}' => {}
            '\\' if next.is_some_and(|next| next.is_ascii_punctuation()) => {}
            '_' if !(self.after_word() && next.is_some_and(char::is_alphanumeric)) => {}
            '|' => self.space = true,
            c if c.is_whitespace() => self.space = true,
            '\u{201C}'..='\u{201F}' | '\u{AB}' | '\u{BB}' => self.push('"'),
            '\u{2018}'..='\u{201B}' | '\u{B4}' | '\u{2032}' => self.push('\''),
            '\u{2026}' => "...".chars().for_each(|dot| self.push(dot)),
            '\u{FB01}' => "fi".chars().for_each(|letter| self.push(letter)),
            '\u{FB02}' => "fl".chars().for_each(|letter| self.push(letter)),
            c if is_dash(c) => self.dash(c, next),
            c => self.push(c),
        }
    }

    /// A dash between words parts them, however it was typed; a hyphen within a word stays.
    fn dash(&mut self, dash: char, next: Option<char>) {
        let wide = matches!(dash, '\u{2014}' | '\u{2015}') || next.is_some_and(is_dash);
        let spaced = self.space && next.is_none_or(char::is_whitespace);
        if wide || spaced {
            self.space = true;
        } else {
            self.push('-');
        }
    }

    fn after_word(&self) -> bool {
        !self.space && self.out.chars().next_back().is_some_and(char::is_alphanumeric)
    }

    fn push(&mut self, c: char) {
        if self.space && !self.out.is_empty() {
            self.out.push(' ');
        }
        self.space = false;
        match self.case {
            Case::Keep => self.out.push(c),
            Case::Ignore if c.is_ascii() => self.out.push(c.to_ascii_lowercase()),
            Case::Ignore => self.out.extend(c.to_lowercase()),
        }
    }
}

/// The ways a hyphen is typed, pasted or typeset.
pub fn is_dash(c: char) -> bool {
    matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{FE63}' | '\u{FF0D}')
}

/// The line without the marks of quotations, headings and list items before it; empty for a rule and for the line under
/// a table's head.
pub(crate) fn without_markers(line: &str) -> &str {
    let mut line = line.trim();
    loop {
        let quoted = line.strip_prefix('>').map(str::trim_start);
        match quoted.or_else(|| heading(line).map(|(_, text)| text)).or_else(|| item(line)) {
            Some(inner) => line = inner,
            None if line.chars().all(|c| matches!(c, '-' | '|' | ':' | ' ' | '=')) => return "",
            None => return line,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_word_processor_changes_does_not_count() {
        for (written, expected) in [
            ("two  words\n\tand more", "two words and more"),
            ("\u{201C}loops\u{201D} \u{2018}n\u{2019} \u{AB}ifs\u{BB}", "\"loops\" 'n' \"ifs\""),
            ("well\u{2011}known", "well-known"),
            ("one \u{2013} two \u{2014} three\u{2014}four -- five - six", "one two three four five six"),
            ("3\u{2013}14", "3-14"),
            ("a\u{a0}b\u{200B}c", "a bc"),
            ("de\u{FB01}ne and so on\u{2026}", "define and so on..."),
        ] {
            assert_eq!(normalise(written, Case::Keep), expected, "{written}");
        }
    }

    #[test]
    fn marks_of_markdown_do_not_count() {
        for (written, expected) in [
            ("- **Level:** third\n- *Topic*: `if`", "Level: third Topic: if"),
            ("> quoted\n> text", "quoted text"),
            ("## TCH 3-14a: loops ##", "TCH 3-14a: loops"),
            ("1. first\n2) second", "first second"),
            ("| a | b |\n|---|:-:|\n| c | d |", "a b c d"),
            ("snake_case and _emphasis_", "snake_case and emphasis"),
            ("not \\*bold\\*", "not bold"),
            ("text\n\n---\n\nmore", "text more"),
            ("-5 degrees", "-5 degrees"),
        ] {
            assert_eq!(normalise(written, Case::Keep), expected, "{written}");
        }
        assert_eq!(normalise("Explains LOOPS", Case::Ignore), "explains loops");
    }

    const ENTRY: &str = "## TCH 3-14a: constructs\n\n- **Level:** third\n- **Outcome:** explains constructs that\n  represent structured information";

    #[test]
    fn a_quote_is_found_with_its_lines() {
        let passage = Passage::new(ENTRY, 10, Case::Ignore);
        for (quote, lines) in [
            ("Explains constructs", (13, 13)),
            ("constructs that represent structured information", (13, 14)),
            ("Level: third - Outcome: explains", (12, 13)),
            ("\u{201C}explains constructs that\u{2026}\u{201D}", (13, 13)),
            ("explains constructs \u{2026} structured information.", (13, 14)),
            ("explains constructs [...] structured information", (13, 14)),
            ("constructs level", (10, 12)),
        ] {
            assert_eq!(passage.find(quote), Some(lines), "{quote}");
        }
        for quote in [
            "explains loops",
            "",
            "\u{2026}",
            "structured information \u{2026} explains constructs",
            "that \u{2026} third",
        ] {
            assert_eq!(passage.find(quote), None, "{quote}");
        }
    }
}
