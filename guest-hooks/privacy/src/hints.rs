//! Signs that a text may hold something: cheap enough for a whole conversation in every call, and never saying no
//! where [`crate::scan`] would say yes.

use crate::scan::Kind;

/// Candidate numbers have nine digits, telephone and health numbers more.
const DIGITS_MIN: usize = 9;

/// Whether a text may hold something of a kind.
pub(crate) type Hint = fn(&str) -> bool;

/// The kinds that are not recognised by a single word.
pub(crate) const KINDS: &[(Kind, Hint)] = &[
    (Kind::Email, |text| text.contains('@')),
    (Kind::Phone, has_long_number),
    (Kind::Candidate, has_long_number),
    (Kind::Health, has_long_number),
    (Kind::Postcode, has_inward_code),
    (Kind::Address, has_house_number),
    (Kind::Birth, has_digit),
];

/// Every run of letters that begins with a capital: whatever could be a name stands among them.
pub(crate) fn capitalised(text: &str) -> impl Iterator<Item = &str> {
    let bytes = text.as_bytes();
    let mut at = 0;
    // Whether the letters before belong to the same run.
    let mut inside = false;
    std::iter::from_fn(move || {
        while let Some(byte) = bytes.get(at) {
            if byte.is_ascii() && !byte.is_ascii_uppercase() {
                inside = byte.is_ascii_lowercase();
                at += 1;
                continue;
            }
            let rest = text.get(at..)?;
            let c = rest.chars().next()?;
            if inside || !c.is_uppercase() {
                inside = c.is_alphabetic();
                at += c.len_utf8();
                continue;
            }
            let word = rest.get(..rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len()))?;
            at += word.len();
            return Some(word);
        }
        None
    })
}

/// Nine digits with nothing between them that would end a number.
fn has_long_number(text: &str) -> bool {
    let mut digits = 0;
    text.bytes().any(|byte| {
        match byte {
            b'0'..=b'9' => digits += 1,
            b'-' | b'(' | b')' | b'+' | b'`' => {}
            _ if byte.is_ascii_whitespace() || byte == 0x0b || !byte.is_ascii() => {}
            _ => digits = 0,
        }
        digits >= DIGITS_MIN
    })
}

/// `2AB`
fn has_inward_code(text: &str) -> bool {
    text.as_bytes().windows(3).any(|bytes| match bytes {
        [digit, one, two] => digit.is_ascii_digit() && one.is_ascii_uppercase() && two.is_ascii_uppercase(),
        _ => false,
    })
}

/// `14 S`, `14a S`: a number, perhaps a letter, and a capital.
fn has_house_number(text: &str) -> bool {
    let bytes = text.as_bytes();
    let ends = |at: &usize| {
        let next = bytes.get(at + 1);
        bytes.get(*at).is_some_and(u8::is_ascii_digit) && next.is_some_and(|next| !next.is_ascii_digit())
    };
    (0..bytes.len()).filter(ends).any(|at| {
        let rest = bytes.get(at + 1..).unwrap_or_default();
        let gap = |byte: &&u8| byte.is_ascii_whitespace() || **byte == 0x0b || **byte == b'`';
        let capital = |rest: &[u8]| {
            rest.iter().find(|byte| !gap(byte)).is_some_and(|byte| byte.is_ascii_uppercase() || !byte.is_ascii())
        };
        let letter = rest.first().is_some_and(u8::is_ascii_alphabetic);
        capital(rest) || (letter && capital(rest.get(1..).unwrap_or_default()))
    })
}

fn has_digit(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
}
