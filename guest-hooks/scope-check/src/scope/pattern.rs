//! Patterns of words.
//!
//! A pattern is a line of words with spaces between: `write|draft ..  reference|references !list|sheet`.
//!
//! | written | stands for |
//! |---|---|
//! | `a\|b` | one of these words; `stem*` is any word that begins so |
//! | `a\|b?` | one of these words, or nothing |
//! | `..` | up to four words |
//! | `@name` | a word that may be a person's name |
//! | `^` | the start of what is asked |
//! | `$` | the end of the clause |
//! | `!a\|b` | here comes none of these words |

use std::ops::Range;

use super::clause::{Clause, Word, is_class, is_one_of};

/// How many words `..` stands for at most.
const GAP_WORDS_MAX: usize = 4;

/// Capitalised words that are no people: subjects, days, months, places, tools.
const NOT_NAMES: &str = "i english french german spanish gaelic scots latin maths mathematics computing science biology \
    chemistry physics history geography modern studies art music drama pe pse re rmps ict higher national advanced monday \
    tuesday wednesday thursday friday saturday sunday january february march april may june july august september october \
    november december scotland scottish britain british uk england edinburgh glasgow aberdeen dundee python scratch excel \
    word java html css ucas sqa cfe aqa eal asn";

/// Finds a pattern in a clause and gives the words that it covers.
pub(super) fn find(pattern: &str, clause: &Clause) -> Option<Range<usize>> {
    find_within(pattern, clause, 0, clause.words.len())
}

/// Finds a pattern that begins and ends within some words of a clause.
pub(super) fn find_within(pattern: &str, clause: &Clause, from: usize, to: usize) -> Option<Range<usize>> {
    let tokens: Vec<&str> = pattern.split_whitespace().collect();
    let to = to.min(clause.words.len());
    (from..to).find_map(|start| ending(&tokens, clause, start, to).map(|end| start..end))
}

/// Where a pattern that begins at a word ends, if it does.
fn ending(tokens: &[&str], clause: &Clause, at: usize, to: usize) -> Option<usize> {
    let Some((token, rest)) = tokens.split_first() else { return Some(at) };
    let word = clause.words.get(at).filter(|_| at < to);
    match *token {
        "^" => (at == clause.opening).then(|| ending(rest, clause, at, to))?,
        "$" => (at == clause.words.len()).then(|| ending(rest, clause, at, to))?,
        ".." => (at..=to.min(at + GAP_WORDS_MAX)).find_map(|next| ending(rest, clause, next, to)),
        "@name" => word.filter(|word| is_name(word)).and_then(|_| ending(rest, clause, at + 1, to)),
        token => {
            if let Some(none) = token.strip_prefix('!') {
                let next = clause.words.get(at);
                return if next.is_some_and(|word| matches(none, word)) { None } else { ending(rest, clause, at, to) };
            }
            let optional = token.strip_suffix('?');
            let taken = word.filter(|word| matches(optional.unwrap_or(token), word));
            let after = taken.and_then(|_| ending(rest, clause, at + 1, to));
            after.or_else(|| optional.and_then(|_| ending(rest, clause, at, to)))
        }
    }
}

fn matches(alternatives: &str, word: &Word) -> bool {
    alternatives.split('|').any(|alternative| match alternative.strip_suffix('*') {
        Some(stem) => word.text.starts_with(stem),
        None => word.text == alternative,
    })
}

fn is_name(word: &Word) -> bool {
    word.capital && word.text.len() > 1 && !is_class(&word.text) && !is_one_of(&word.text, NOT_NAMES)
}

#[cfg(test)]
mod tests {
    use super::super::clause::clauses;
    use super::*;

    fn at(pattern: &str, request: &str) -> Option<Range<usize>> {
        find(pattern, &clauses(request).remove(0))
    }

    #[test]
    fn patterns_match_words() {
        assert_eq!(at("report|reports comment*", "my report comments"), Some(1..3));
        assert_eq!(at("write a|the? reference", "write reference"), Some(0..2));
        assert_eq!(at("write a|the? reference", "write a good reference"), None);
        assert_eq!(at("write .. reference", "write a very good reference"), Some(0..5));
        assert_eq!(at("write .. reference", "write one two three four five reference"), None);
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
