//! What a text says in numbers and signs: spans of mathematics between its words, each with the words round it.

use std::collections::BTreeSet;

use ta_maths::text::plain;
use ta_maths::units;

use crate::words::in_digits;

/// Most spans that are looked at; a hint has few.
const SPANS_MAX: usize = 200;

/// A span of mathematics.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Span {
    /// What stands there, spelled as [`plain`] spells it.
    pub(crate) text: String,
    /// The words before it, nearest last, in lower case.
    pub(crate) before: Vec<String>,
    /// The words behind it, in lower case.
    pub(crate) after: Vec<String>,
}

/// Marks of layout go, and numbers before the points of a list.
fn without_layout(text: &str) -> String {
    let lines = text.lines().map(|line| {
        let line = line.trim_start_matches([' ', '#', '>', '-', '*', '•']);
        let digits = line.bytes().take_while(u8::is_ascii_digit).count();
        let numbered =
            line.get(digits..).and_then(|rest| rest.strip_prefix(['.', ')'])).filter(|rest| rest.starts_with(' '));
        match numbered {
            Some(rest) if (1..=2).contains(&digits) => rest.to_owned(),
            // A minus sign at the start of a line is no point of a list.
            _ if text.trim_start().starts_with('-') && line.starts_with(|first: char| first.is_ascii_digit()) => {
                format!("-{line}")
            }
            _ => line.to_owned(),
        }
    });
    lines.collect::<Vec<_>>().join(" ; ").replace("**", "").replace(['`', '"', '“', '”'], " ")
}

/// The text with words for numbers and operations as signs.
pub(crate) fn signs(text: &str) -> String {
    let spoken = in_digits(&without_layout(text));
    let spoken =
        spoken.replace(", bracket,", " (").replace(", close the bracket", ")").replace("close the bracket", ")");
    plain(&in_so_many(&spoken.replace("lots of", "times").replace(" o'clock", "")))
}

/// `one in four` and `1 chance in 4` are fractions.
fn in_so_many(text: &str) -> String {
    let mut out = text.to_owned();
    for words in ["one chance in ", "1 chance in ", "one in ", "1 in "] {
        for start in [words.to_owned(), words.replacen('o', "O", 1)] {
            if let Some((before, after)) = out.split_once(&start)
                && after.starts_with(|next: char| next.is_ascii_digit())
            {
                out = format!("{before}1/{after}");
            }
        }
    }
    out
}

#[derive(Debug, PartialEq)]
enum Piece<'a> {
    Word(&'a str),
    Sign(&'a str),
    Stop,
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (length, kind) = if first.is_ascii_digit() {
            (numeral(rest), 1)
        } else if first.is_alphabetic() {
            (rest.find(|sign: char| !sign.is_alphabetic()).unwrap_or(rest.len()), 0)
        } else {
            let kind = match first {
                '+' | '-' | '*' | '/' | '^' | '(' | ')' | '=' | '<' | '>' | '%' | '°' | '£' | '€' | ':' | '~' | '!'
                | '⟨' | '⟩' | '{' | '}' | '[' | ']' => 1,
                ',' if rest.get(1..).is_some_and(|next| {
                    next.starts_with(|next: char| next.is_ascii_digit() || next == ' ' || next == '-')
                }) =>
                {
                    1
                }
                ' ' => 3,
                _ => 2,
            };
            (first.len_utf8(), kind)
        };
        let (piece, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        match kind {
            0 => found.push(Piece::Word(piece)),
            1 => found.push(Piece::Sign(piece)),
            2 => found.push(Piece::Stop),
            _ => {}
        }
        rest = after;
    }
    found
}

/// How long the numeral at the start is; a full stop behind it ends a sentence.
fn numeral(text: &str) -> usize {
    let digits = |from: usize| text.bytes().skip(from).take_while(u8::is_ascii_digit).count();
    let mut end = digits(0);
    loop {
        let mark = text.as_bytes().get(end);
        let behind = digits(end + 1);
        let goes_on = match mark {
            Some(b'.') => behind > 0,
            Some(b',' | b' ') => behind == 3 && end <= 12,
            _ => false,
        };
        if !goes_on {
            return end;
        }
        end += 1 + behind;
    }
}

/// The spans of a text; `letters` are the ones that stand for numbers in the problem.
pub(crate) fn spans(text: &str, letters: &BTreeSet<char>) -> Vec<Span> {
    let text = signs(text);
    let pieces = pieces(&text);
    let mut found: Vec<Span> = Vec::new();
    let mut open = String::new();
    let mut words: Vec<String> = Vec::new();
    let mut waiting: Vec<usize> = Vec::new();
    let mut previous_is_value = false;
    for piece in &pieces {
        let sign = match piece {
            Piece::Sign(sign) => Some(*sign),
            Piece::Word(word) if is_mathematics(word, letters, previous_is_value, &open) => Some(*word),
            Piece::Word(_) | Piece::Stop => None,
        };
        if let Some(sign) = sign {
            if !open.is_empty() {
                open.push(' ');
            }
            open.push_str(sign);
            previous_is_value =
                sign.ends_with(|last: char| last.is_ascii_alphanumeric() || matches!(last, ')' | '°' | '⟩'));
            continue;
        }
        if close(&mut open, &words, &mut found) {
            waiting.push(found.len() - 1);
        }
        previous_is_value = false;
        if let Piece::Word(word) = piece {
            let word = word.to_lowercase();
            for index in &waiting {
                if let Some(span) = found.get_mut(*index) {
                    span.after.push(word.clone());
                }
            }
            waiting.retain(|index| found.get(*index).is_some_and(|span| span.after.len() < 3));
            words.push(word);
        } else {
            waiting.clear();
            words.push(".".into());
        }
        if found.len() >= SPANS_MAX {
            break;
        }
    }
    close(&mut open, &words, &mut found);
    found
}

fn close(open: &mut String, words: &[String], found: &mut Vec<Span>) -> bool {
    let text = std::mem::take(open);
    let text = text.trim_matches([' ', ',', ':', '=', '*', '/', '+', '!', '~']).trim_end_matches('-').trim();
    if text.is_empty() {
        return false;
    }
    let before = words.iter().rev().take(4).rev().cloned().collect();
    found.push(Span { text: text.to_owned(), before, after: Vec::new() });
    true
}

/// Whether a word belongs to mathematics here: a letter of the problem, a function, a unit behind a number.
fn is_mathematics(word: &str, letters: &BTreeSet<char>, behind_value: bool, open: &str) -> bool {
    let lower = word.to_lowercase();
    if matches!(lower.as_str(), "sqrt" | "cbrt" | "pi" | "sin" | "cos" | "tan") {
        return true;
    }
    let mut signs = word.chars();
    if let (Some(letter), None) = (signs.next(), signs.next()) {
        // The article `a` is a letter only where mathematics stands before it.
        let article = matches!(letter, 'a' | 'A' | 'I') && open.is_empty();
        if !article && letter.is_ascii_alphabetic() && (letters.contains(&letter) || letter == 'x') {
            return true;
        }
    }
    if word.chars().all(|letter| letters.contains(&letter)) && word.len() <= 3 && !open.is_empty() && lower != "a" {
        return true;
    }
    let unit = units::read(word).is_some_and(|(_, rest)| rest.is_empty());
    behind_value && !matches!(lower.as_str(), "in" | "t" | "s") && (unit || matches!(lower.as_str(), "am" | "pm"))
        || (lower == "per" && behind_value)
}

#[cfg(test)]
mod tests {
    use super::spans;

    #[test]
    fn mathematics_stands_between_words() {
        let texts =
            |text: &str| -> Vec<String> { spans(text, &['x'].into()).into_iter().map(|span| span.text).collect() };
        assert_eq!(texts("1. Add 7.\n2. So $x = 5\\sqrt{3}$ cm, is it?"), ["7", "x = 5 sqrt ( 3 ) cm"]);
        assert_eq!(texts("It is a hundred and ten km, or 3:45 pm."), ["110 km", "3 : 45 pm"]);
        assert_eq!(texts("three, bracket, two x plus three, close the bracket"), ["3 ( 2 x + 3 )"]);
    }
}
