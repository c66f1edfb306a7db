//! Which names are likely to be a pupil's.
//!
//! A given name alone is nobody's: lessons are full of Sams who buy apples and of people whom history remembers. What
//! makes it a pupil's is a cue beside it (whose parents, who sits where, who struggles), the initial of a surname, a list
//! of the class, or a request that is made *for* somebody.

use crate::scan::{Found, Kind, Sentence, Source};
use crate::tokens::{Kind as TokenKind, Token};
use crate::words::{
    ASKS, BEGINNINGS, FAMOUS, KIN, NEED_NOUNS, NEEDS, NEEDS_PHRASES, NOT_NAMES, OFTEN_THINGS, PHRASE_WORDS, PUPIL,
    SCHOOL_THINGS, SEATS, Set, TITLES, folded, holds,
};

const NAMES: &str = include_str!("../data/names.txt");

/// Given names and famous surnames.
pub(crate) struct Lists {
    names: Set,
    /// Names that are also words.
    ambiguous: Set,
    famous: Set,
    not_names: Set,
}

impl Lists {
    pub(crate) fn new() -> Self {
        let lines = || NAMES.lines().filter(|line| !line.starts_with('#'));
        let plain = lines().filter(|line| !line.starts_with('~')).flat_map(str::split_ascii_whitespace);
        let words = lines().filter_map(|line| line.strip_prefix('~')).flat_map(str::split_ascii_whitespace);
        Self {
            names: Set::new(plain),
            ambiguous: Set::new(words),
            famous: Set::of(FAMOUS),
            not_names: Set::of(NOT_NAMES),
        }
    }

    /// Whether a folded word is a given name.
    pub(crate) fn is_name(&self, word: &str) -> bool {
        self.names.has(word) || self.ambiguous.has(word)
    }

    /// Whether the name at a place is followed, or is itself, a surname that everybody knows.
    pub(crate) fn is_famous(&self, tokens: &[Token<'_>], at: usize) -> bool {
        let word =
            |ahead: usize| tokens.get(at + ahead).filter(|token| token.is_title()).map(|token| folded(token.base().0));
        let particle = tokens.get(at + 1).is_some_and(|token| holds("von van de da der le", token.text));
        // `George R. R. Martin`, `John F. Kennedy`
        let initials = tokens.get(at + 1..).unwrap_or_default().iter().take(6);
        let initials: Vec<&Token<'_>> = initials.take_while(|token| token.is_initial() || token.text == ".").collect();
        let several = initials.iter().filter(|token| token.is_initial()).count() > 1;
        let surname = word(1 + initials.len());
        surname.as_ref().is_some_and(|word| self.famous.has(word))
            || ((particle || several) && (surname.is_some() || word(2).is_some()))
    }
}

/// What a token may be as a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Name {
    /// A given name and nothing else.
    Plain,
    /// A given name that is also a word.
    Ambiguous,
    /// A word with a capital that no list has.
    Unlisted,
}

/// Adds the names of a sentence that are likely to be a pupil's.
pub(crate) fn names_in(
    sentence: &Sentence<'_, '_>,
    lists: &Lists,
    decided: &dyn Fn(&str) -> bool,
    found: &mut Vec<Found>,
) {
    // The name before, where it was a pupil's: "Liam and Aisha struggle".
    let mut joined = false;
    // Whether a pupil has been named in this sentence.
    let mut others = false;
    for (at, token) in sentence.tokens.iter().enumerate() {
        if !token.is_title() || token.code {
            joined = joined && holds("and or & , with", &token.text.to_lowercase());
            continue;
        }
        let key = folded(token.base().0);
        let name = match key.as_str() {
            key if lists.names.has(key) => Name::Plain,
            key if lists.ambiguous.has(key) => Name::Ambiguous,
            _ => Name::Unlisted,
        };
        let place = Place { sentence, lists, at, name, key: &key };
        if name == Name::Unlisted && place.is_just_a_word() {
            joined = false;
            continue;
        }
        let known = name == Name::Plain && !sentence.is_problem && decided(&key);
        let joins = joined && name != Name::Unlisted && !place.has_surname();
        let beside = others && name == Name::Ambiguous && place.is_seated();
        let is_pupil =
            !place.is_somebody_else() && (place.is_pupil() || known || joins || beside || place.joins_next());
        joined = is_pupil;
        others |= is_pupil;
        if is_pupil {
            found.push(Found { kind: Kind::Pupil, range: place.range(), key });
        }
    }
}

/// A capitalised word in its sentence.
struct Place<'s, 't, 'a> {
    sentence: &'s Sentence<'t, 'a>,
    lists: &'s Lists,
    at: usize,
    name: Name,
    key: &'s str,
}

impl<'a> Place<'_, '_, 'a> {
    fn token(&self, ahead: usize) -> Option<&Token<'a>> {
        self.sentence.tokens.get(self.at + ahead)
    }

    fn before(&self, back: usize) -> Option<&Token<'a>> {
        self.at.checked_sub(back).and_then(|at| self.sentence.tokens.get(at))
    }

    fn before_word(&self, back: usize) -> String {
        self.before(back).map(|token| token.text.to_lowercase()).unwrap_or_default()
    }

    fn after_word(&self, ahead: usize) -> String {
        self.token(ahead).map(|token| folded(token.text)).unwrap_or_default()
    }

    /// A word with a capital and nothing beside it that could make it a name.
    fn is_just_a_word(&self) -> bool {
        let initial = self.token(1).is_some_and(Token::is_initial);
        let called = self.before(1).is_some_and(|before| matches!(before.text, "called" | "named" | "of"));
        !initial && !called && !self.is_owner()
    }

    fn is_owner(&self) -> bool {
        self.token(0).is_some_and(|token| token.base().1)
    }

    /// `Liam M.`, `Liam M` at the end of a phrase; not `Samuel L. Jackson`, `Mary I`, `Theorem A`.
    fn has_initial(&self) -> bool {
        let Some(initial) = self.token(1).filter(|token| token.is_initial()) else { return false };
        let dot = self.token(2).is_some_and(|token| token.text == "." && token.start == initial.end());
        let next = self.token(if dot { 3 } else { 2 });
        // A new sentence begins with a capital too, but then with a word that is no surname.
        let begins = |word: &str| self.lists.not_names.has(word) || holds(BEGINNINGS, word);
        let surname =
            next.is_some_and(|next| next.is_title() && next.text.len() > 2 && !begins(&folded(next.base().0)));
        let surname = surname && !initial.last;
        let initial = initial.base().0;
        let numeral = matches!(initial, "I" | "V" | "X") && !dot;
        let number = next.is_some_and(|next| next.kind == TokenKind::Number);
        !surname && !numeral && !number
    }

    fn has_surname(&self) -> bool {
        !self.is_owner()
            && self.token(1).is_some_and(|token| {
                let is_word = |word: &str| self.lists.not_names.has(word) || holds("has is was needs sits", word);
                token.is_title() && !is_word(&folded(token.base().0))
            })
            && !self.token(0).is_some_and(|token| token.last)
    }

    /// A colleague, a character, a famous person, a month.
    fn is_somebody_else(&self) -> bool {
        let title = self.before_word(1);
        let title = if title == "." { self.before_word(2) } else { title };
        // Only what is certain for a language, a month or a thing: the word before or after says so.
        let thing = self.name == Name::Ambiguous
            && (holds("in with using learn early late of last next this since until on", &self.before_word(1))
                || holds("code program script syntax programming language bay street road", &self.after_word(1))
                || self.token(1).is_some_and(|token| token.kind == TokenKind::Number));
        holds(TITLES, &title)
            || (self.before(1).is_some_and(|before| self.is_given(before)) && self.lists.famous.has(self.key))
            || self.lists.is_famous(self.sentence.tokens, self.at)
            || (thing && !self.names_pupil())
            || (self.name == Name::Unlisted
                && (self.lists.not_names.has(self.key) || holds(PUPIL, self.key) || self.key.len() < 3))
    }

    /// Whether the word before is part of a name: any with a capital, but for one that only begins the sentence.
    fn is_given(&self, before: &Token<'a>) -> bool {
        before.is_title() && (self.at > 1 || self.lists.is_name(&folded(before.base().0)))
    }

    fn is_pupil(&self) -> bool {
        let made_up = self.sentence.is_literature || self.sentence.is_problem;
        if self.names_pupil() || (self.owns(SCHOOL_THINGS) && self.name != Name::Ambiguous) {
            return !made_up || self.sentence.has_pupil;
        }
        if self.name == Name::Unlisted {
            // With an initial, a word that no list has is a name, if something is told of it.
            return self.has_initial() && self.told_of(3 - usize::from(!self.dotted())) && !made_up;
        }
        if self.owns(SCHOOL_THINGS) || (self.name == Name::Plain && self.has_initial()) {
            return !made_up || self.sentence.in_list;
        }
        if made_up {
            return false;
        }
        let surname = usize::from(self.has_surname());
        let initial = if self.has_initial() { 1 + usize::from(self.dotted()) } else { 0 };
        self.told_of(1 + surname.max(initial))
            || self.owns(KIN)
            || self.has_kin_before()
            || (self.name == Name::Plain
                && (self.is_seated() || self.is_asked_for() || self.heads_line() || self.is_spoken_of()))
    }

    fn dotted(&self) -> bool {
        self.token(2).is_some_and(|token| token.text == ".")
    }

    /// `pupil called Zbigniew`, `pupil Liam`
    fn names_pupil(&self) -> bool {
        let called = |word: &str| matches!(word, "called" | "named");
        if called(&self.before_word(1)) {
            return (2..=4).any(|back| holds(PUPIL, &self.before_word(back)));
        }
        self.name != Name::Unlisted && holds("pupil student learner", &self.before_word(1))
    }

    /// `Liam's IEP`
    fn owns(&self, things: &str) -> bool {
        self.is_owner() && holds(things, &self.after_word(1))
    }

    /// `the parents of Liam`
    fn has_kin_before(&self) -> bool {
        self.before_word(1) == "of" && holds(KIN, &self.before_word(2))
    }

    /// What is told of a pupil, from so many tokens on.
    fn told_of(&self, from: usize) -> bool {
        let from = if holds(", | : – -", &self.after_word(from)) { from + 1 } else { from };
        // Who it is may stand in between: "Liam, who struggles"; so may a word: "Liam often struggles".
        let skips = [
            "who",
            "often",
            "also",
            "still",
            "always",
            "really",
            "sometimes",
            "usually",
            "just",
            "both",
            "currently",
            "now",
        ];
        let from = if skips.contains(&self.after_word(from).as_str()) { from + 1 } else { from };
        // What is told begins with a verb, and that with a small letter.
        if self.token(from).is_none_or(|token| token.kind != TokenKind::Word || token.is_title()) {
            return false;
        }
        let (verb, next) = (self.after_word(from), self.after_word(from + 1));
        let told = |(verbs, objects): &(&str, &str)| {
            let weak = self.name == Name::Ambiguous && holds(OFTEN_THINGS, &next);
            holds(verbs, &verb) && (objects.is_empty() || (holds(objects, &next) && !weak))
        };
        if NEEDS.iter().any(told) {
            return true;
        }
        if !holds(PHRASE_WORDS, &verb) {
            return false;
        }
        let words: Vec<String> = (from..from + 5).map(|ahead| self.after_word(ahead)).collect();
        let phrase = words.join(" ");
        NEEDS_PHRASES.iter().any(|told| phrase.starts_with(told))
    }

    /// `Liam keeps shouting out`, as a sentence of a request; `- Liam: dyslexia`, anywhere.
    fn is_spoken_of(&self) -> bool {
        let need = holds(", : – - (", &self.after_word(1)) && holds(NEED_NOUNS, &self.after_word(2));
        let first = self.before(1).is_none()
            || holds(", but because since so as while when if that though", &self.before_word(1));
        let verb = self.token(1).is_some_and(|token| token.text.starts_with(|c: char| c.is_ascii_lowercase()));
        let speaks = verb && !holds("and or in on with as the of", &self.after_word(1));
        need || (self.sentence.source == Source::Request && first && speaks)
    }

    /// `beside Liam`, `next to Liam`, `keep Liam away`
    fn is_seated(&self) -> bool {
        let (one, two) = (self.before_word(1), self.before_word(2));
        let asked = one == "ask" && self.after_word(1) == "to";
        let near = asked || holds("beside", &one) || (two == "next" && one == "to") || (two == "away" && one == "from");
        let moved =
            holds(SEATS, &one) && holds("and apart away at by next beside near in with to from", &self.after_word(1));
        (near || moved) && !self.has_surname()
    }

    /// `an easier version for Liam`, in what a teacher asks for.
    fn is_asked_for(&self) -> bool {
        let asked = holds(ASKS, &self.before_word(1)) || self.before_word(1) == "with" && self.before_word(2) == "help";
        let colon = self.before_word(1) == ":" && holds("pupils group support challenge eal asn", &self.before_word(2));
        (self.sentence.source == Source::Request && asked) || colon
    }

    /// An entry of a list of pupils.
    fn heads_line(&self) -> bool {
        let first = (1..=3).map_while(|back| self.before(back)).all(|token| token.kind != TokenKind::Word);
        self.sentence.in_list && (first || self.before_word(1) == ",")
    }

    /// `Liam and Aisha struggle`: the cue stands behind the second name.
    fn joins_next(&self) -> bool {
        let made_up = self.sentence.is_literature || self.sentence.is_problem;
        let next = self.token(2).filter(|token| token.is_title()).map(|token| folded(token.base().0));
        let listed = next.is_some_and(|next| self.lists.is_name(&next));
        if self.name != Name::Plain || made_up || !holds("and or , &", &self.after_word(1)) || !listed {
            return false;
        }
        let several = holds("struggle need sit find cannot can't are have get refuse", &self.after_word(3));
        let singular = Place { at: self.at + 2, ..*self };
        several && (self.sentence.source == Source::Request || self.told_by_several())
            || singular.told_of(1)
            || singular.owns(SCHOOL_THINGS)
    }

    /// `struggle`, `need extra help`, `are dyslexic`: what is told of several.
    fn told_by_several(&self) -> bool {
        let (verb, next) = (self.after_word(3), self.after_word(4));
        matches!(verb.as_str(), "struggle" | "refuse")
            || NEEDS.iter().any(|(_, objects)| !objects.is_empty() && holds(objects, &next))
    }

    /// The name with its surname or initial.
    fn range(&self) -> std::ops::Range<usize> {
        let Some(token) = self.token(0) else { return 0..0 };
        let end = if self.has_initial() {
            let dot = self.token(2).filter(|dot| dot.text == "." && Some(dot.start) == self.token(1).map(Token::end));
            dot.or_else(|| self.token(1)).map_or(token.end(), |token| token.start + token.base().0.len())
        } else if self.has_surname() && !self.lists.is_name(&self.after_word(1)) {
            self.token(1).map_or(token.end(), |token| token.start + token.base().0.len())
        } else {
            token.start + token.base().0.len()
        };
        token.start..end
    }
}
