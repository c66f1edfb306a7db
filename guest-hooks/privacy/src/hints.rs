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
    (Kind::Described, |_| true),
    (Kind::Initials, has_initials),
    (Kind::Handle, |text| text.contains(['@', '_', '.'])),
    (Kind::Plate, has_inward_letters),
];

/// Every run of letters: whatever could be a name stands among them, in capitals or not.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty())
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

/// `AJ`, `A.J.`, `EMcK`: two capitals near each other.
fn has_initials(text: &str) -> bool {
    let capital = |c: Option<&char>| c.is_some_and(|c| c.is_uppercase());
    let letters: Vec<char> = text.chars().collect();
    letters
        .windows(4)
        .any(|some| capital(some.first()) && (capital(some.get(1)) || capital(some.get(2)) || capital(some.get(3))))
        || letters.windows(2).any(|some| some.iter().all(|c| c.is_uppercase()))
}

/// `KLT`, as a number plate ends.
fn has_inward_letters(text: &str) -> bool {
    text.as_bytes().windows(3).any(|bytes| bytes.iter().all(u8::is_ascii_uppercase))
}
