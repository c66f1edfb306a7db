//! Patterns of words.
//!
//! A pattern is a line of words with spaces between: `write|draft ..  reference|references !list|sheet`.
//!
//! | written | stands for |
//! |---|---|
//! | `a\|b` | one of these words; `stem*` is any word that begins so |
//! | `<group>` | one of a group's words; groups may stand beside words: `<home>\|head` |
//! | `@name`, `@class` | a word that may be a person's name; a class or stage |
//! | `a\|b?` | one of these words, or nothing |
//! | `_` | any word |
//! | `..` | up to five words |
//! | `^` | the start of the clause, or of what is asked after "please" |
//! | `$` | the end of the clause, also as one of several: `for\|$` |
//! | `!a\|b` | here comes none of these words |
//!
//! Patterns are read once and words are looked up once: what is compared afterwards are numbers. A request of two thousand
//! words is held against some hundred patterns, which is a million comparisons.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;

use super::clause::{Clause, Word, is_class, is_one_of};
use super::rules::{BESIDE_LESSON, RULES};
use super::vocabulary::{GROUPS, LESSON, LESSON_AFTER, NOT_PRACTICE, SKILLS};

/// How many words `..` stands for at most.
const GAP_WORDS_MAX: usize = 5;

/// Capitalised words that are no people: subjects, days, months, places, tools.
const NOT_NAMES: &str = "i english french german spanish gaelic scots latin maths mathematics computing science biology \
    chemistry physics history geography modern studies art music drama pe pse re rmps ict higher national advanced monday \
    tuesday wednesday thursday friday saturday sunday january february march april may june july august september october \
    november december scotland scottish britain british uk england edinburgh glasgow aberdeen dundee python scratch excel \
    word java html css ucas sqa cfe aqa eal asn";

/// A pattern, read.
#[derive(Debug)]
pub(super) struct Pattern(Vec<Token>);

#[derive(Debug)]
enum Token {
    /// `^`
    Start,
    /// `$`
    End,
    /// `..`
    Gap,
    /// `!a|b`
    No(Listed),
    /// `a|b`, `a|b?`; `end` where `$` is one of them.
    One { listed: Listed, optional: bool, end: bool },
}

/// Words of which one is meant.
#[derive(Debug, Default)]
struct Listed {
    any: bool,
    name: bool,
    class: bool,
    /// Numbers of whole words, ascending.
    words: Vec<u16>,
    stems: Vec<&'static str>,
}

/// All patterns, and the number of each word in them.
pub(super) struct Patterns {
    numbers: BTreeMap<&'static str, u16>,
    /// Those of each rule, in the order of the rules.
    pub(super) rules: Vec<Vec<Pattern>>,
    pub(super) beside_lesson: Vec<Pattern>,
    pub(super) lesson: Vec<Pattern>,
    pub(super) lesson_after: Vec<Pattern>,
    pub(super) skills: Vec<Pattern>,
    pub(super) not_practice: Vec<Pattern>,
}

/// The patterns of this guard.
pub(super) static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| {
    let mut numbers = BTreeMap::new();
    let mut all = |lines: &[&'static str]| -> Vec<Pattern> {
        lines.iter().map(|line| Pattern::read(line, &mut numbers)).collect()
    };
    let rules = RULES.iter().map(|rule| all(rule.patterns)).collect();
    let (beside_lesson, lesson, lesson_after) = (all(BESIDE_LESSON), all(LESSON), all(LESSON_AFTER));
    let (skills, not_practice) = (all(SKILLS), all(NOT_PRACTICE));
    Patterns { numbers, rules, beside_lesson, lesson, lesson_after, skills, not_practice }
});

/// The number of a word that some pattern names.
pub(super) fn number(word: &str) -> Option<u16> {
    PATTERNS.numbers.get(word).copied()
}

impl Pattern {
    fn read(line: &'static str, numbers: &mut BTreeMap<&'static str, u16>) -> Self {
        let token = |token: &'static str| match token {
            "^" => Token::Start,
            "$" => Token::End,
            ".." => Token::Gap,
            token => match (token.strip_prefix('!'), token.strip_suffix('?')) {
                (Some(none), _) => Token::No(Listed::read(none, numbers)),
                (None, Some(listed)) => {
                    Token::One { listed: Listed::read(listed, numbers), optional: true, end: false }
                }
                (None, None) => {
                    let end = token.split('|').any(|alternative| alternative == "$");
                    Token::One { listed: Listed::read(token, numbers), optional: false, end }
                }
            },
        };
        Self(line.split_whitespace().map(token).collect())
    }

    /// The words of a clause that it covers, where it is in it.
    pub(super) fn find(&self, clause: &Clause) -> Option<Range<usize>> {
        let mut starts = 0..clause.words.len();
        starts.find_map(|start| ending(&self.0, clause, start).map(|end| start..end))
    }

    /// Whether it begins at a word.
    pub(super) fn begins_at(&self, clause: &Clause, at: usize) -> bool {
        ending(&self.0, clause, at).is_some()
    }
}

impl Listed {
    fn read(alternatives: &'static str, numbers: &mut BTreeMap<&'static str, u16>) -> Self {
        let mut listed = Self::default();
        listed.add(alternatives, numbers);
        listed.words.sort_unstable();
        listed
    }

    fn add(&mut self, alternatives: &'static str, numbers: &mut BTreeMap<&'static str, u16>) {
        for alternative in alternatives.split('|') {
            let group = alternative.strip_prefix('<').and_then(|group| group.strip_suffix('>'));
            if let Some((_, words)) = group.and_then(|name| GROUPS.iter().find(|(group, _)| *group == name)) {
                self.add(words, numbers);
                continue;
            }
            match alternative {
                "_" => self.any = true,
                "@name" => self.name = true,
                "@class" => self.class = true,
                alternative => match alternative.strip_suffix('*') {
                    Some(stem) => self.stems.push(stem),
                    None => {
                        let next = u16::try_from(numbers.len()).unwrap_or(u16::MAX);
                        self.words.push(*numbers.entry(alternative).or_insert(next));
                    }
                },
            }
        }
    }

    fn has(&self, word: &Word) -> bool {
        self.any
            || word.number.is_some_and(|number| self.words.binary_search(&number).is_ok())
            || self.stems.iter().any(|stem| word.text.starts_with(stem))
            || (self.name && is_name(word))
            || (self.class && is_class(&word.text))
    }
}

/// Where a pattern that begins at a word ends, if it does.
fn ending(tokens: &[Token], clause: &Clause, at: usize) -> Option<usize> {
    let Some((token, rest)) = tokens.split_first() else { return Some(at) };
    let word = clause.words.get(at);
    match token {
        Token::Start if at == 0 || at == clause.opening => ending(rest, clause, at),
        Token::End if word.is_none() => ending(rest, clause, at),
        Token::Start | Token::End => None,
        Token::Gap => (at..=clause.words.len().min(at + GAP_WORDS_MAX)).find_map(|next| ending(rest, clause, next)),
        Token::No(none) if word.is_some_and(|word| none.has(word)) => None,
        Token::No(_) => ending(rest, clause, at),
        Token::One { end: true, .. } if word.is_none() => ending(rest, clause, at),
        Token::One { listed, optional, .. } => {
            let taken = word.filter(|word| listed.has(word));
            let after = taken.and_then(|_| ending(rest, clause, at + 1));
            after.or_else(|| optional.then(|| ending(rest, clause, at)).flatten())
        }
    }
}

fn is_name(word: &Word) -> bool {
    word.capital && word.text.len() > 1 && !is_class(&word.text) && !is_one_of(&word.text, NOT_NAMES)
}

#[cfg(test)]
mod tests {
    use super::super::clause::clauses;
    use super::*;

    fn at(pattern: &'static str, request: &str) -> Option<Range<usize>> {
        // Words get the numbers of the real patterns; those that only these tests use have none.
        let mut numbers = PATTERNS.numbers.clone();
        let pattern = Pattern::read(pattern, &mut numbers);
        let mut clause = clauses(request).remove(0);
        for word in &mut clause.words {
            word.number = numbers.get(word.text.as_str()).copied();
        }
        pattern.find(&clause)
    }

    #[test]
    fn patterns_match_words() {
        assert_eq!(at("report|reports comment*", "my report comments"), Some(1..3));
        assert_eq!(at("write a|the? reference", "write reference"), Some(0..2));
        assert_eq!(at("write a|the? reference", "write a good reference"), None);
        assert_eq!(at("write .. reference", "write a very good reference"), Some(0..5));
        assert_eq!(at("write .. reference", "write one two three four five six reference"), None);
        assert_eq!(at("reference !list|sheet", "a reference sheet"), None);
        assert_eq!(at("reference !list|sheet", "a reference"), Some(1..2));
        assert_eq!(at("^ ignore", "please ignore it"), Some(1..2));
        assert_eq!(at("^ ignore", "they ignore it"), None);
        assert_eq!(at("reports $", "write reports"), Some(1..2));
        assert_eq!(at("reports $", "reports on volcanoes"), None);
    }

    #[test]
    fn a_name_is_a_capitalised_word_that_is_nothing_else() {
        assert_eq!(at("for @name", "a report for Callum"), Some(2..4));
        for request in ["a report for 3B", "a report for French", "a report for callum", "a report for Monday"] {
            assert_eq!(at("for @name", request), None, "{request}");
        }
    }
}
