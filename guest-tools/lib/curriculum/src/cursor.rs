//! A place in a text that moves forward only. Copies are cheap, so a reader tries a form and goes back by forgetting.

#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor at a byte offset; an offset inside a character counts as the end of the text.
    pub(crate) fn new(text: &'a str, at: usize) -> Self {
        let at = if text.is_char_boundary(at) { at } else { text.len() };
        Self { text, at }
    }

    pub(crate) fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or("")
    }

    pub(crate) fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or("")
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(crate) fn before(&self) -> Option<char> {
        self.text.get(..self.at).and_then(|before| before.chars().next_back())
    }

    /// Moves past the next character when it is one of those wanted.
    pub(crate) fn take(&mut self, wanted: impl Fn(char) -> bool) -> Option<char> {
        self.peek().filter(|&c| wanted(c)).inspect(|c| self.at += c.len_utf8())
    }

    /// Moves past at most `most` characters of those wanted and gives what was passed.
    pub(crate) fn take_run(&mut self, most: usize, wanted: impl Fn(char) -> bool) -> &'a str {
        let start = self.at;
        for _ in 0..most {
            if self.take(&wanted).is_none() {
                break;
            }
        }
        self.since(start)
    }

    /// Moves past a word given in lower case, whatever its case in the text.
    pub(crate) fn take_word(&mut self, word: &str) -> bool {
        let matches = self.rest().get(..word.len()).is_some_and(|head| head.eq_ignore_ascii_case(word));
        if matches {
            self.at += word.len();
        }
        matches
    }

    /// True where a word may end: the next character is neither a letter nor a digit.
    pub(crate) fn at_word_end(&self) -> bool {
        !self.peek().is_some_and(char::is_alphanumeric)
    }

    /// Moves to the next place where a word begins and gives its offset.
    pub(crate) fn next_word(&mut self) -> Option<usize> {
        let mut inside = self.before().is_some_and(char::is_alphanumeric);
        while let Some(c) = self.peek() {
            let alphanumeric = c.is_alphanumeric();
            if alphanumeric && !inside {
                return Some(self.at);
            }
            inside = alphanumeric;
            self.at += c.len_utf8();
        }
        None
    }
}

/// A space of any width on the same line.
pub(crate) fn is_blank(c: char) -> bool {
    c != '\n' && c != '\r' && c.is_whitespace()
}
