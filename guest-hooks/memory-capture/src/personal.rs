//! Whether a text could point at a person. A memory lasts, so what is doubtful is not proposed.

use crate::words::words;

/// Words that follow a name at the beginning of a sentence: "… needs bigger print".
const AFTER_A_NAME: &str = "and cannot can't didn't doesn't finds gets had has is likes needs sits struggles was will";

/// Words that begin with a capital anywhere.
const CAPITALISED: &str = "i i'm i've i'll i'd english scots gaelic scottish python scratch html css monday tuesday wednesday thursday \
    friday saturday sunday january february march april may june july august september october november december";

/// Digits that follow one another in telephone and candidate numbers.
const DIGITS_RUN: usize = 6;

/// Whether the text seems to hold a name, an address of e-mail or a long number. A capitalised word counts as a name unless
/// it stands in `known` (the lesson): wrong on the careful side, for a proposal that is not made can be typed by hand.
pub(crate) fn personal(text: &str, known: &[String]) -> bool {
    contact(text) || names(text, known)
}

/// Whether there is an address of e-mail or a long number in the text.
pub(crate) fn contact(text: &str) -> bool {
    let mut run = 0_usize;
    let number = text.chars().any(|c| {
        match c {
            c if c.is_ascii_digit() => run += 1,
            ' ' => {}
            // A hyphen ends a run, or every date would be a number.
            _ => run = 0,
        }
        run >= DIGITS_RUN
    });
    number || text.contains('@')
}

fn names(text: &str, known: &[String]) -> bool {
    let mut starts = true;
    let tokens: Vec<&str> = text.split_whitespace().collect();
    for (at, token) in tokens.iter().enumerate() {
        let word = token.trim_matches(|c: char| !c.is_alphanumeric());
        let word = word.strip_suffix("'s").or_else(|| word.strip_suffix("’s")).unwrap_or(word);
        let capital = word.chars().next().is_some_and(char::is_uppercase)
            && word.chars().skip(1).all(|c| c.is_lowercase() || c == '\'');
        let listed = |list: &str, word: &str| list.split_whitespace().any(|other| other.eq_ignore_ascii_case(word));
        let common = listed(CAPITALISED, word) || words(word).iter().all(|word| known.contains(word));
        let next = tokens.get(at + 1).is_some_and(|next| listed(AFTER_A_NAME, next));
        if capital && !common && (!starts || next) {
            return true;
        }
        starts = token.ends_with(['.', '!', '?', ':']);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::personal;
    use crate::words::words;

    #[test]
    fn what_could_point_at_a_person_is_seen() {
        let known = words("Trace the Counter with Boards up");
        for text in [
            "give Aidan the lines",
            "Mirren needs bigger print",
            "print for Olena's pair",
            "call 0131 496 0000",
            "a.b@example.org",
        ] {
            assert!(personal(text, &known), "{text}");
        }
        for text in [
            "fewer questions, then Boards up",
            "Use pictures. Shorter sentences: Trace it first",
            "English words with pictures",
            "2026-11-12: 8 -> 5 minutes",
            "the EAL pair",
        ] {
            assert!(!personal(text, &known), "{text}");
        }
    }
}
