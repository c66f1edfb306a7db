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

use std::ops::Range;

use super::clause::{Clause, Word, is_class, is_one_of};
use super::vocabulary::GROUPS;

/// How many words `..` stands for at most.
const GAP_WORDS_MAX: usize = 5;

/// Capitalised words that are no people: subjects, days, months, places, tools.
const NOT_NAMES: &str = "i english french german spanish gaelic scots latin maths mathematics computing science biology \
    chemistry physics history geography modern studies art music drama pe pse re rmps ict higher national advanced monday \
    tuesday wednesday thursday friday saturday sunday january february march april may june july august september october \
    november december scotland scottish britain british uk england edinburgh glasgow aberdeen dundee python scratch excel \
    word java html css ucas sqa cfe aqa eal asn";

/// Finds a pattern in a clause and gives the words that it covers.
pub(super) fn find(pattern: &str, clause: &Clause) -> Option<Range<usize>> {
    let tokens: Vec<&str> = pattern.split_whitespace().collect();
    let starts = 0..clause.words.len();
    starts.into_iter().find_map(|start| ending(&tokens, clause, start).map(|end| start..end))
}

/// Whether a pattern begins at a word.
pub(super) fn begins_at(pattern: &str, clause: &Clause, at: usize) -> bool {
    let tokens: Vec<&str> = pattern.split_whitespace().collect();
    ending(&tokens, clause, at).is_some()
}

/// Where a pattern that begins at a word ends, if it does.
fn ending(tokens: &[&str], clause: &Clause, at: usize) -> Option<usize> {
    let Some((token, rest)) = tokens.split_first() else { return Some(at) };
    let word = clause.words.get(at);
    match *token {
        "^" if at == 0 || at == clause.opening => ending(rest, clause, at),
        "$" if word.is_none() => ending(rest, clause, at),
        "^" | "$" => None,
        ".." => (at..=clause.words.len().min(at + GAP_WORDS_MAX)).find_map(|next| ending(rest, clause, next)),
        token => {
            if let Some(none) = token.strip_prefix('!') {
                return if word.is_some_and(|word| matches(none, word)) { None } else { ending(rest, clause, at) };
            }
            if word.is_none() && token.split('|').any(|alternative| alternative == "$") {
                return ending(rest, clause, at);
            }
            let optional = token.strip_suffix('?');
            let taken = word.filter(|word| matches(optional.unwrap_or(token), word));
            let after = taken.and_then(|_| ending(rest, clause, at + 1));
            after.or_else(|| optional.and_then(|_| ending(rest, clause, at)))
        }
    }
}

fn matches(alternatives: &str, word: &Word) -> bool {
    alternatives.split('|').any(|alternative| {
        if let Some(name) = alternative.strip_prefix('<').and_then(|group| group.strip_suffix('>')) {
            let group = GROUPS.iter().find(|(group, _)| *group == name);
            return group.is_some_and(|(_, words)| matches(words, word));
        }
        match alternative {
            "_" => true,
            "@name" => is_name(word),
            "@class" => is_class(&word.text),
            alternative => match alternative.strip_suffix('*') {
                Some(stem) => word.text.starts_with(stem),
                None => word.text == alternative,
            },
        }
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
