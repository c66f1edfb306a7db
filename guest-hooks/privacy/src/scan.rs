//! What in a text is likely to be about a person: one pass over its sentences.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::ops::Range;

use ta_linear::Model;

use crate::lists;
use crate::names::{Lists, names_in};
use crate::people::{self, FILE_FROM, REQUEST_FROM, Row};
use crate::tokens::{Kind as TokenKind, Token, sentences, tokens};
use crate::words::{LISTS, Sign, Signs, folded};
use crate::{cues, numbers};

/// A longer sentence is read in pieces, so that hostile text costs no more than any other.
const SENTENCE_TOKENS_MAX: usize = 200;

/// Sentences under a heading such as "Class list" that are read as entries of the list.
const LIST_SENTENCES_MAX: u32 = 80;

/// What looking through texts may cost in one call, in instructions, as estimated below: less than the fuel that the manifest asks for.
const EFFORT_MAX: u64 = 1_900_000_000;

/// What a token costs at most, measured with texts that hold nothing else.
const TOKEN_EFFORT: u64 = 14_000;
const CAPITAL_EFFORT: u64 = 30_000;
const AT_EFFORT: u64 = 12_000;
const NUMBER_EFFORT: u64 = 14_000;
/// A number before a capital may be that of a house.
const HOUSE_EFFORT: u64 = 36_000;
/// A word that has to be looked at as a name.
const NAME_EFFORT: u64 = 70_000;

/// What was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    Pupil,
    Email,
    Phone,
    Postcode,
    Address,
    Candidate,
    Health,
    Birth,
    /// Somebody who is told by an illness, a family matter or a place.
    Described,
    Initials,
    Handle,
    Plate,
}

impl Kind {
    /// The first part of an item's id, and the word in findings.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Pupil => "pupil-name",
            Self::Email => "email",
            Self::Phone => "phone",
            Self::Postcode => "postcode",
            Self::Address => "address",
            Self::Candidate => "candidate-number",
            Self::Health => "health-number",
            Self::Birth => "date-of-birth",
            Self::Described => "described-pupil",
            Self::Initials => "initials",
            Self::Handle => "handle",
            Self::Plate => "number-plate",
        }
    }

    /// What the person reads.
    pub(crate) const fn label(self) -> &'static str {
        match self {
            Self::Pupil => "A pupil's name",
            Self::Email => "An e-mail address",
            Self::Phone => "A telephone number",
            Self::Postcode => "A postcode",
            Self::Address => "A street address",
            Self::Candidate => "A candidate number",
            Self::Health => "A health number",
            Self::Birth => "A date of birth",
            Self::Described => "Somebody who can be recognised",
            Self::Initials => "A pupil's initials",
            Self::Handle => "A name on the internet",
            Self::Plate => "A number plate",
        }
    }

    /// What stands there instead.
    pub(crate) const fn stand_in(self) -> &'static str {
        match self {
            Self::Pupil => "[a pupil]",
            Self::Email => "[e-mail address]",
            Self::Phone => "[phone number]",
            Self::Postcode => "[postcode]",
            Self::Address => "[address]",
            Self::Candidate => "[candidate number]",
            Self::Health => "[health number]",
            Self::Birth => "[date of birth]",
            Self::Described | Self::Initials => "[a pupil]",
            Self::Handle => "[handle]",
            Self::Plate => "[number plate]",
        }
    }
}

/// A place in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) kind: Kind,
    /// Byte range in the text.
    pub(crate) range: Range<usize>,
    /// What it is recognised by: the given name, the digits, folded.
    pub(crate) key: String,
}

/// Where a text comes from: a name alone says more in what a teacher asks for than in a file full of examples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// What the teacher typed.
    Request,
    /// Anything else.
    File,
}

/// A sentence with what is known of it as a whole.
pub(crate) struct Sentence<'t, 'a> {
    pub(crate) text: &'a str,
    pub(crate) tokens: &'t [Token<'a>],
    /// The sentence in small letters without accents.
    lower: String,
    pub(crate) source: Source,
    /// A given name stands in it.
    pub(crate) has_name: bool,
    /// The word pupil, or one like it.
    pub(crate) has_pupil: bool,
    /// A story, a book, an author: whoever is named is a character.
    pub(crate) is_literature: bool,
    /// A sum or a word problem: whoever is named is made up.
    pub(crate) is_problem: bool,
    /// A word that says that somebody lives somewhere.
    pub(crate) has_lives: bool,
    /// A word that headings of lists have.
    may_list: bool,
    /// It is an entry of a list of pupils.
    pub(crate) in_list: bool,
}

impl<'a> Sentence<'_, 'a> {
    /// Whether the words stand in it.
    pub(crate) fn says(&self, words: &str) -> bool {
        self.lower.contains(words)
    }

    /// The tokens around a place that is `length` tokens long.
    pub(crate) fn near(&self, at: usize, length: usize, distance: usize) -> impl Iterator<Item = &Token<'a>> {
        let end = at.saturating_add(length).saturating_add(distance).min(self.tokens.len());
        self.tokens.get(at.saturating_sub(distance)..end).unwrap_or_default().iter()
    }
}

/// Whether a token belongs to "(8 minutes)", as a lesson's headings have it: that makes no word problem of a sentence.
fn in_minutes_of_a_heading(tokens: &[Token<'_>], at: usize) -> bool {
    let is = |at: Option<usize>, kind: fn(&Token<'_>) -> bool| at.and_then(|at| tokens.get(at)).is_some_and(kind);
    let opens = |token: &Token<'_>| token.text == "(";
    let counts = |token: &Token<'_>| matches!(token.kind, TokenKind::Number);
    let minutes = |token: &Token<'_>| matches!(token.text, "minutes" | "minute" | "min");
    let number = is(at.checked_sub(1), opens) && is(Some(at), counts) && is(at.checked_add(1), minutes);
    let word = is(at.checked_sub(2), opens) && is(at.checked_sub(1), counts) && is(Some(at), minutes);
    number || word
}

/// The word lists, parsed once for all texts of a call.
pub(crate) struct Scanner<'m> {
    model: Model<'m>,
    people: lists::Lists,
    pub(crate) lists: Lists,
    signs: Signs,
    /// What is left of the effort.
    left: Cell<u64>,
}

impl Scanner<'static> {
    pub(crate) fn new() -> Self {
        Self::with(people::model())
    }
}

impl<'m> Scanner<'m> {
    /// With other weights, for training.
    pub(crate) fn with(model: Model<'m>) -> Self {
        Self {
            model,
            people: lists::Lists::new(),
            lists: Lists::new(),
            signs: Signs::new(),
            left: Cell::new(EFFORT_MAX),
        }
    }

    /// Whether there was too much to look at, so that what was found is not all.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.left.get() == 0
    }

    /// Pays for a piece before it is read; nothing more can be read once it was too much.
    fn affords(&self, piece: &[Token<'_>]) -> bool {
        let capital = |token: &Token<'_>| token.text.starts_with(char::is_uppercase);
        let mut before = "";
        let effort = piece.iter().enumerate().map(|(at, token)| {
            let of = std::mem::replace(&mut before, token.text);
            match token.kind {
                TokenKind::Number if piece.get(at + 1).is_some_and(capital) => HOUSE_EFFORT,
                TokenKind::Number => NUMBER_EFFORT,
                TokenKind::Mark('@') => AT_EFFORT,
                TokenKind::Mark(_) => TOKEN_EFFORT,
                TokenKind::Word if !capital(token) => TOKEN_EFFORT,
                TokenKind::Word if token.base().1 || matches!(of, "of" | "called" | "named") => NAME_EFFORT,
                TokenKind::Word if piece.get(at + 1).is_some_and(Token::is_initial) => NAME_EFFORT,
                TokenKind::Word if self.lists.is_name(&folded(token.text)) => NAME_EFFORT,
                TokenKind::Word => CAPITAL_EFFORT,
            }
        });
        self.left.set(self.left.get().saturating_sub(effort.sum()));
        !self.is_exhausted()
    }

    /// Everything found in a text, in order, without overlaps, unless it was too much. `decided` says of a given name whether the person has
    /// decided on it before: then it needs no cue.
    pub(crate) fn scan(&self, text: &str, source: Source, decided: &dyn Fn(&str) -> bool) -> Vec<Found> {
        let mut found = Vec::new();
        if self.is_exhausted() {
            return found;
        }
        numbers::emails(text, &mut found);
        let tokens = tokens(text);
        let invented = people::speaks_of_invented(&tokens);
        let mut list_left = 0;
        let mut keys = BTreeSet::new();
        let pieces = || sentences(&tokens).flat_map(|sentence| sentence.chunks(SENTENCE_TOKENS_MAX));
        for piece in pieces() {
            if !self.affords(piece) {
                return found;
            }
            let mut sentence = self.sentence(text, piece, source);
            if sentence.may_list && LISTS.iter().any(|heading| sentence.says(heading)) {
                list_left = LIST_SENTENCES_MAX;
            } else if piece.first().is_some_and(|token| token.text == "#") {
                list_left = 0;
            }
            sentence.in_list = list_left > 0;
            list_left = list_left.saturating_sub(1);
            numbers::in_sentence(&sentence, &mut found);
            let before = found.len();
            names_in(&sentence, &self.lists, decided, &mut found);
            cues::in_sentence(text, piece, &mut found);
            let from = if source == Source::Request { REQUEST_FROM } else { FILE_FROM };
            let names = Row::new(piece, &self.people, invented).names(&self.model, from, decided);
            found.extend(names.into_iter().map(|(range, key)| Found { kind: Kind::Pupil, range, key }));
            let of_pupils = found.iter().skip(before).filter(|found| found.kind == Kind::Pupil);
            keys.extend(of_pupils.filter(|found| self.lists.is_name(&found.key)).map(|found| found.key.clone()));
        }
        // A name that is a pupil's in one sentence is so in all of them.
        if !keys.is_empty() {
            for piece in pieces() {
                for (at, token) in piece.iter().enumerate().filter(|(_, token)| token.is_title() && !token.code) {
                    let key = folded(token.base().0);
                    if keys.contains(&key) && !self.lists.is_famous(piece, at) {
                        let range = token.start..token.start + token.base().0.len();
                        found.push(Found { kind: Kind::Pupil, range, key });
                    }
                }
            }
        }
        found.sort_by(|a, b| (a.range.start, b.range.end).cmp(&(b.range.start, a.range.end)));
        let mut end = 0;
        found.retain(|found| {
            let free = found.range.start >= end;
            end = if free { found.range.end } else { end };
            free
        });
        found
    }

    fn sentence<'t, 'a>(&self, text: &'a str, tokens: &'t [Token<'a>], source: Source) -> Sentence<'t, 'a> {
        let start = tokens.first().map_or(0, |token| token.start);
        let end = tokens.last().map_or(start, Token::end);
        let whole = text.get(start..end).unwrap_or_default();
        let lower = folded(whole);
        let mut sentence = Sentence {
            text,
            tokens,
            source,
            has_name: false,
            has_pupil: false,
            is_literature: false,
            is_problem: false,
            may_list: false,
            has_lives: false,
            in_list: false,
            lower: String::new(),
        };
        let (mut number, mut sum, mut how) = (false, false, false);
        for (at, token) in tokens.iter().enumerate() {
            if in_minutes_of_a_heading(tokens, at) {
                continue;
            }
            match token.kind {
                TokenKind::Word => {}
                TokenKind::Number | TokenKind::Mark('£' | '%') => {
                    number = true;
                    continue;
                }
                TokenKind::Mark(_) => continue,
            }
            // In plain English the word stands at the same place in small letters.
            let base = token.base().0;
            let word = if whole.len() == lower.len() {
                lower.get(token.start - start..token.start - start + base.len())
            } else {
                None
            };
            let word = word.map_or_else(|| Cow::Owned(folded(base)), Cow::Borrowed);
            for sign in self.signs.of(&word) {
                match sign {
                    Sign::Pupil => sentence.has_pupil = true,
                    Sign::Literature => sentence.is_literature = true,
                    Sign::Problem => sum = true,
                    Sign::Number => number = true,
                    Sign::List => sentence.may_list = true,
                    Sign::How => how = true,
                    Sign::Lives => sentence.has_lives = true,
                }
            }
            sentence.has_name |= token.is_title() && self.lists.is_name(&word);
        }
        let asks = how && ["how many", "how much", "how far"].iter().any(|words| lower.contains(words));
        sentence.is_problem = (number && sum) || asks;
        sentence.lower = lower;
        sentence
    }
}
