//! A request as words, and the stretches of it that are judged: sentences, parts of sentences, neighbouring sentences.
//!
//! Whatever asks for something else decides, wherever it stands, so each stretch is judged apart, with a look at
//! what the rest is about.

use std::ops::Range;

/// Words of a stretch; a longer sentence is judged in pieces.
const STRETCH_WORDS_MAX: usize = 40;

/// A request of so few words is also judged as a whole.
const WHOLE_WORDS_MAX: usize = 70;

/// Neighbouring sentences are judged together up to so many words.
const PAIR_WORDS_MAX: usize = 60;

/// In a longer request neighbouring sentences are not judged together: it would cost more than the rest.
const PAIRS_WORDS_MAX: usize = 3_000;

/// Words that begin another thing that is asked.
const JOINS: &[&str] = &["and", "then", "also", "plus", "but", "so", "syne", "&", "+", "separately"];

/// What kind of stretch it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A sentence, or as much of one as is judged at once.
    Sentence,
    /// A part of one.
    Part,
    /// Two sentences that stand together.
    Pair,
    /// A short request as a whole.
    Whole,
}

/// A word and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// In small letters, without apostrophes.
    pub text: String,
    /// Its bytes in the request, as [`plain`] shows it.
    pub range: Range<usize>,
    /// Whether a comma, colon or dash stands before it.
    pub after_mark: bool,
    /// Whether its sentence ends with a question mark.
    pub asks: bool,
    /// The number of its sentence.
    pub sentence: usize,
}

/// A stretch of words that is judged at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stretch {
    /// What it is.
    pub kind: Kind,
    /// Its words.
    pub words: Range<usize>,
}

/// The words of a text, as they are compared.
pub(super) fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !is_inside(c)).filter_map(|word| {
        let word: String = word.chars().filter(|c| !is_mark_inside(*c)).flat_map(char::to_lowercase).collect();
        (!word.is_empty()).then_some(word)
    })
}

/// Whether a character belongs to a word.
fn is_inside(c: char) -> bool {
    c.is_alphanumeric() || is_mark_inside(c) || matches!(c, '&' | '+')
}

/// Left out of a word: "can't" and "cant" are one.
const fn is_mark_inside(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}' | '\u{2018}')
}

/// The words of a request with what stands around them.
#[must_use]
pub fn read(request: &str) -> Vec<Word> {
    let request = request.replace("e-mail", "email").replace("E-mail", "email");
    let mut all: Vec<Word> = Vec::new();
    let (mut sentence, mut after_mark, mut first) = (0, false, 0);
    let mut characters = request.char_indices().peekable();
    while let Some((start, c)) = characters.next() {
        if !is_inside(c) {
            let next = characters.peek().map(|(_, next)| *next);
            let inside_number = c == '.' && next.is_some_and(|next| next.is_alphanumeric());
            if matches!(c, '!' | '?' | ';' | '\n' | '…') || (c == '.' && !inside_number) {
                let asks = c == '?';
                all.iter_mut().skip(first).for_each(|word| word.asks = asks);
                sentence += usize::from(all.len() > first);
                first = all.len();
            }
            after_mark |= matches!(c, ',' | ':' | '(' | ')' | '–' | '—' | '"' | '“' | '”' | '/')
                || (c == '-' && next == Some(' '));
            continue;
        }
        let mut end = start + c.len_utf8();
        while let Some((at, next)) = characters.next_if(|(_, next)| is_inside(*next)) {
            end = at + next.len_utf8();
        }
        let text: String = words(request.get(start..end).unwrap_or_default()).collect();
        if !text.is_empty() {
            all.push(Word { text, range: start..end, after_mark, asks: false, sentence });
            after_mark = false;
        }
    }
    all
}

/// The stretches of a request.
#[must_use]
pub fn stretches(words: &[Word]) -> Vec<Stretch> {
    let mut stretches = Vec::new();
    let mut before: Option<Range<usize>> = None;
    for sentence in sentences(words) {
        stretches.push(Stretch { kind: Kind::Sentence, words: sentence.clone() });
        parts(words, &sentence, &mut stretches);
        if let Some(before) =
            before.filter(|before| words.len() <= PAIRS_WORDS_MAX && sentence.end - before.start <= PAIR_WORDS_MAX)
        {
            stretches.push(Stretch { kind: Kind::Pair, words: before.start..sentence.end });
        }
        before = Some(sentence);
    }
    if words.len() <= WHOLE_WORDS_MAX && stretches.len() > 1 {
        stretches.push(Stretch { kind: Kind::Whole, words: 0..words.len() });
    }
    stretches
}

/// The sentences, each in pieces of at most [`STRETCH_WORDS_MAX`].
fn sentences(words: &[Word]) -> Vec<Range<usize>> {
    let mut sentences: Vec<Range<usize>> = Vec::new();
    let mut last = None;
    for (at, word) in words.iter().enumerate() {
        match sentences.last_mut() {
            Some(range) if last == Some(word.sentence) && range.len() < STRETCH_WORDS_MAX => range.end = at + 1,
            _ => sentences.push(at..at + 1),
        }
        last = Some(word.sentence);
    }
    sentences
}

/// The parts of a sentence between marks and joining words; and from each joining word to the end.
fn parts(words: &[Word], sentence: &Range<usize>, stretches: &mut Vec<Stretch>) {
    let cut = |at: &usize| words.get(*at).is_some_and(|word| word.after_mark || JOINS.contains(&word.text.as_str()));
    let cuts: Vec<usize> = sentence.clone().skip(1).filter(cut).collect();
    let mut start = sentence.start;
    for end in cuts.iter().copied().chain([sentence.end]) {
        if !cuts.is_empty() && end > start {
            stretches.push(Stretch { kind: Kind::Part, words: start..end });
        }
        if start > sentence.start && end < sentence.end {
            stretches.push(Stretch { kind: Kind::Part, words: start..sentence.end });
        }
        start = end;
    }
}

/// Letters written apart are a word from this many on: "R E F E R E N C E", but not "part A B".
const SPACED_LETTERS_MIN: usize = 4;

/// The request as it is read aloud: without characters that are not shown, and with letters that stand apart joined.
#[must_use]
pub fn plain(request: &str) -> String {
    let shown: String = request.chars().filter(|c| !is_ignorable(*c)).collect();
    let mut pieces: Vec<String> = Vec::new();
    let mut spaced = 0;
    for piece in shown.split(' ') {
        let mut chars = piece.chars();
        let letter = chars.next().filter(|c| c.is_alphabetic() && chars.next().is_none());
        match (letter, pieces.last_mut()) {
            (Some(letter), Some(word)) if spaced > 0 => {
                word.push(letter);
                spaced += 1;
                continue;
            }
            _ => part_again(&mut pieces, spaced),
        }
        spaced = usize::from(letter.is_some());
        pieces.push(piece.to_owned());
    }
    part_again(&mut pieces, spaced);
    pieces.join(" ")
}

/// Takes the last piece apart again when it was joined from too few letters to be a word.
fn part_again(pieces: &mut [String], spaced: usize) {
    if let Some(last) = pieces.last_mut().filter(|_| (2..SPACED_LETTERS_MIN).contains(&spaced)) {
        *last = last.chars().map(String::from).collect::<Vec<_>>().join(" ");
    }
}

/// Characters that change how others are shown and show nothing themselves.
fn is_ignorable(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{115F}' | '\u{1160}' | '\u{17B4}' | '\u{17B5}' | '\u{180B}'..='\u{180F}'
        | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{3164}' | '\u{FE00}'..='\u{FE0F}'
        | '\u{FEFF}' | '\u{FFA0}' | '\u{E0000}'..='\u{E0FFF}')
}
