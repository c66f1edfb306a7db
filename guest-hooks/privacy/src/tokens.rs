//! A text as words, numbers and marks, in sentences.

/// Tokens after which a sentence may be cut at a comma or a small letter.
const LONG_SENTENCE_TOKENS: usize = 150;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Letters, with digits and apostrophes inside: `3B` is a number and a word, `S3` a word.
    Word,
    /// Digits alone.
    Number,
    /// Any other character.
    Mark(char),
}

/// A word, number or mark with its place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token<'a> {
    pub(crate) text: &'a str,
    /// Byte offset of the first character.
    pub(crate) start: usize,
    pub(crate) kind: Kind,
    /// Whether it stands in a code span or block.
    pub(crate) code: bool,
    /// Whether it is the last of its sentence.
    pub(crate) last: bool,
}

impl<'a> Token<'a> {
    /// Byte offset after the last character.
    pub(crate) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// The word without `'s`, and whether it had one.
    pub(crate) fn base(&self) -> (&'a str, bool) {
        if !self.text.ends_with(['s', 'S', '\'', '’']) {
            return (self.text, false);
        }
        for mark in ["'s", "’s", "'S", "’S"] {
            if let Some(base) = self.text.strip_suffix(mark) {
                return (base, true);
            }
        }
        match self.text.strip_suffix(['\'', '’']) {
            Some(base) => (base, true),
            None => (self.text, false),
        }
    }

    /// Whether it is written like a name: a capital, then at least one small letter.
    pub(crate) fn is_title(&self) -> bool {
        // Most words begin with a small letter and are looked at no further.
        if self.kind != Kind::Word || self.text.as_bytes().first().is_some_and(u8::is_ascii_lowercase) {
            return false;
        }
        let mut characters = self.base().0.chars();
        characters.next().is_some_and(char::is_uppercase)
            && characters.clone().any(char::is_lowercase)
            && characters.all(char::is_alphabetic)
    }

    /// Whether it is one capital letter.
    pub(crate) fn is_initial(&self) -> bool {
        let mut characters = self.base().0.chars();
        self.kind == Kind::Word && characters.next().is_some_and(char::is_uppercase) && characters.next().is_none()
    }
}

/// Takes a text apart.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens: Vec<Token<'_>> = Vec::with_capacity(text.len() / 4);
    let mut code = Code::default();
    let mut characters = text.char_indices().peekable();
    let mut length = 0;
    while let Some((start, c)) = characters.next() {
        if c == '\n' {
            let after = text.get(start + 1..).unwrap_or_default();
            code.line_break();
            // A line that goes on with a small letter goes on with the sentence.
            let next = after.trim_start_matches([' ', '\t', '\r']).chars().next();
            if !next.is_some_and(char::is_lowercase) {
                close(&mut tokens);
                length = 0;
            }
            continue;
        }
        if c.is_whitespace() {
            continue;
        }
        if c == '`' {
            code.tick();
            continue;
        }
        let mut end = start + c.len_utf8();
        let kind = if c.is_ascii_digit() {
            Kind::Number
        } else if c.is_alphabetic() {
            Kind::Word
        } else {
            Kind::Mark(c)
        };
        while let Some(&(at, next)) = characters.peek() {
            let inside = match kind {
                Kind::Number => next.is_ascii_digit(),
                Kind::Word => {
                    let apostrophe = matches!(next, '\'' | '’');
                    let letter_after = || text.get(at + next.len_utf8()..).and_then(|rest| rest.chars().next());
                    next.is_alphanumeric() || (apostrophe && letter_after().is_some_and(char::is_alphabetic))
                }
                Kind::Mark(_) => false,
            };
            if !inside {
                break;
            }
            end = at + next.len_utf8();
            characters.next();
        }
        let token =
            Token { text: text.get(start..end).unwrap_or_default(), start, kind, code: code.is_open(), last: false };
        let after_initial =
            tokens.last().is_some_and(|last| (last.is_initial() || is_shortened(last, text)) && last.end() == start);
        tokens.push(token);
        let at_end = text.get(end..).and_then(|rest| rest.chars().next()).is_none_or(char::is_whitespace);
        let ends = at_end && (matches!(c, '!' | '?' | ';') || (c == '.' && !after_initial));
        // What goes on for ever is cut where no name and no number is.
        let cut = length > LONG_SENTENCE_TOKENS && (c.is_lowercase() || matches!(c, ',' | ':' | '|'));
        length += 1;
        if ends || cut {
            close(&mut tokens);
            length = 0;
        }
    }
    close(&mut tokens);
    tokens
}

/// Whether a full stop after a word belongs to it: `d.o.b.`, `cand. no. 5520`, `Mrs.`
fn is_shortened(token: &Token<'_>, text: &str) -> bool {
    let word = token.text.to_lowercase();
    let number_follows = || {
        let rest = text.get(token.end()..).unwrap_or_default().trim_start_matches(['.', ' ']);
        rest.starts_with(|c: char| c.is_ascii_digit())
    };
    token.kind == Kind::Word
        && (word.len() == 1
            || crate::words::holds("cand nos mr mrs ms dr tel", &word)
            || (word == "no" && number_follows()))
}

fn close(tokens: &mut [Token<'_>]) {
    if let Some(last) = tokens.last_mut() {
        last.last = true;
    }
}

/// Whether code is open.
#[derive(Debug, Default)]
struct Code {
    span: bool,
    fence: bool,
    ticks: u32,
}

impl Code {
    fn tick(&mut self) {
        self.ticks += 1;
        match self.ticks {
            3 => {
                // The first two opened and closed a span.
                self.fence = !self.fence;
                self.span = false;
            }
            _ => self.span = !self.span,
        }
    }

    const fn line_break(&mut self) {
        // A span that is not closed on its line is no span.
        self.span = false;
        self.ticks = 0;
    }

    const fn is_open(&mut self) -> bool {
        self.ticks = if self.fence { self.ticks } else { 0 };
        self.span || self.fence
    }
}

/// The sentences of a text, each as its tokens.
pub(crate) fn sentences<'t, 'a>(tokens: &'t [Token<'a>]) -> impl Iterator<Item = &'t [Token<'a>]> {
    tokens.split_inclusive(|token| token.last)
}
