//! Telling a class from what only looks like one.

use super::super::words::{Token, is_asking_word, is_function_word};

/// "S1" to "S6", "P1" to "P7".
pub(super) fn is_year(word: &str) -> bool {
    let mut letters = word.chars();
    matches!(
        (letters.next(), letters.next(), letters.next()),
        (Some('S' | 's'), Some('1'..='6'), None) | (Some('P' | 'p'), Some('1'..='7'), None)
    )
}

/// "3B", "4c" after "for", "S3 set 2"; not "3D shapes" and not "2x".
pub(super) fn looks_like_class(text: &str, words: &[Token<'_>], at: usize) -> bool {
    let Some(word) = words.get(at) else { return false };
    let next = words.get(at + 1).map(|token| token.raw.to_lowercase()).unwrap_or_default();
    if is_year(word.raw) {
        return ["set", "section", "group"].contains(&next.as_str());
    }
    let mut letters = word.raw.chars();
    let (Some('1'..='6'), Some(letter)) = (letters.next(), letters.next()) else { return false };
    let plain = letter.is_ascii_alphabetic()
        && letters.next().is_none_or(|digit| digit.is_ascii_digit())
        && letters.next().is_none();
    let before = at
        .checked_sub(1)
        .and_then(|before| words.get(before))
        .map(|token| token.raw.to_lowercase())
        .unwrap_or_default();
    let led = ["for", "with", "class", "my", "to", "group"].contains(&before.as_str());
    let is_dimension =
        letter.eq_ignore_ascii_case(&'d') && !next.is_empty() && !is_function_word(&next) && !is_asking_word(&next);
    let in_formula =
        text.get(word.end..).is_some_and(|rest| rest.trim_start().starts_with(['+', '−', '=', '×', '²', '^']));
    plain && (letter.is_uppercase() || led) && !is_dimension && !in_formula
}
