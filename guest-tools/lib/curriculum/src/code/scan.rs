//! Finding codes in what people write.

use super::{Code, ORGANISERS};
use crate::cursor::{Cursor, is_blank};
use crate::level::Level;
use crate::normalise::is_dash;

/// A place in a text where codes stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// One code, or several where they are joined by a slash and so claim one shared outcome. Empty when there is a fault.
    pub codes: Vec<Code>,
    /// Byte offset of the first character.
    pub start: usize,
    /// Byte offset after the last character.
    pub end: usize,
    /// The text as it was written.
    pub as_written: String,
    /// Set when this reads as a code and cannot be one.
    pub fault: Option<Fault>,
}

/// Why something that reads as a code cannot be one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The level is above fourth: `TCH 7-14a`.
    NoSuchLevel,
    /// The letter is missing: `TCH 3-14`.
    NoLetter,
}

/// How freely a code may be written, given its organiser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A known organiser in capitals: spaces, hyphens and padding may be missing.
    Free,
    /// A known organiser in other case: hyphen, two digits and letter must be there.
    Complete,
    /// Any other capitals: character for character as it should be.
    Exact,
}

/// What was read of one code, without its organiser.
#[derive(Debug, Clone, Copy)]
enum Numbers {
    Whole { level: Level, number: u8, letter: char },
    Faulty(Fault),
}

/// The most characters between organiser and digits: a space, and marks of emphasis around it.
const GAP_CHARS_MAX: usize = 6;

/// Finds the codes of the known [`ORGANISERS`] however they are written, and of any other in the exact form.
pub fn find_codes(text: &str) -> Vec<Found> {
    find_codes_with(text, &[])
}

/// As [`find_codes`], with more organisers, in capitals, to treat as known: those of the workspace's curriculum files.
pub fn find_codes_with(text: &str, more: &[String]) -> Vec<Found> {
    let mut found = Vec::new();
    let mut cursor = Cursor::new(text, 0);
    while cursor.next_word().is_some() {
        let at = cursor;
        match read_group(&mut cursor, |organiser| form_of(organiser, more)) {
            Some((group, organiser)) => {
                found.push(group);
                while let Some(next) = read_continuation(&mut cursor, organiser) {
                    found.push(next);
                }
            }
            None => {
                cursor = at;
                cursor.take_run(usize::MAX, char::is_alphanumeric);
            }
        }
    }
    found
}

/// Reads a code that stands at the very start of a text, where the place already says that it is one (a heading, a
/// field): any organiser in capitals may be written freely there.
pub fn code_at_start(text: &str) -> Option<Found> {
    let capitals = |organiser: &str| organiser.bytes().all(|b| b.is_ascii_uppercase());
    let form = |organiser: &str| Some(if capitals(organiser) { Form::Free } else { Form::Complete });
    read_group(&mut Cursor::new(text, 0), form).map(|(found, _)| found)
}

fn form_of(organiser: &str, more: &[String]) -> Option<Form> {
    let known = ORGANISERS.iter().copied().chain(more.iter().map(String::as_str));
    let known = known.into_iter().any(|name| name.eq_ignore_ascii_case(organiser));
    let capitals = organiser.bytes().all(|b| b.is_ascii_uppercase());
    match (known, capitals) {
        (true, true) => Some(Form::Free),
        (true, false) => Some(Form::Complete),
        (false, true) => Some(Form::Exact),
        (false, false) => None,
    }
}

/// Reads a code and those joined to it by slashes, and gives the last organiser as well.
fn read_group<'a>(cursor: &mut Cursor<'a>, form_of: impl Fn(&str) -> Option<Form>) -> Option<(Found, &'a str)> {
    let start = cursor.at();
    let mut organiser = read_organiser(cursor)?;
    let form = form_of(organiser)?;
    let first = read_numbers(cursor, form)?;
    let mut codes = Vec::new();
    let mut fault = None;
    match first {
        Numbers::Faulty(found) => fault = Some(found),
        Numbers::Whole { level, number, letter } => codes.push(Code::new(organiser, level, number, letter)?),
    }
    while let Some(last) = codes.last().copied() {
        let mut ahead = *cursor;
        let Some((next, named)) = read_shared(&mut ahead, organiser, last, &form_of) else {
            break;
        };
        (*cursor, organiser) = (ahead, named);
        codes.push(next);
    }
    let found = Found { codes, start, end: cursor.at(), as_written: cursor.since(start).to_owned(), fault };
    Some((found, organiser))
}

/// Reads "/ LIT 4-26a", "/ 4-26a" or "/b" after a code.
fn read_shared<'a>(
    cursor: &mut Cursor<'a>,
    organiser: &'a str,
    last: Code,
    form_of: impl Fn(&str) -> Option<Form>,
) -> Option<(Code, &'a str)> {
    let tight = cursor.take_run(GAP_CHARS_MAX, is_blank).is_empty();
    cursor.take(|c| c == '/')?;
    let tight = cursor.take_run(GAP_CHARS_MAX, is_blank).is_empty() && tight;
    if cursor.peek().is_some_and(|c| c.is_ascii_digit()) {
        return read_bare(cursor, organiser).map(|code| (code, organiser));
    }
    let mut ahead = *cursor;
    if let Some(named) = read_organiser(&mut ahead)
        && let Some(Numbers::Whole { level, number, letter }) =
            form_of(named).and_then(|form| read_numbers(&mut ahead, form))
    {
        *cursor = ahead;
        return Code::new(named, level, number, letter).map(|code| (code, named));
    }
    // "TCH 3-13a/b": a lone letter, and only without spaces, or "TCH 3-13a / a starter" would be two codes.
    let letter = cursor.take(|c| c.is_ascii_lowercase()).filter(|_| tight && cursor.at_word_end())?;
    last.with_letter(letter).map(|code| (code, organiser))
}

/// Reads ", 3-15a" or "and 3-15a" after a code: the organiser was said already.
fn read_continuation(cursor: &mut Cursor<'_>, organiser: &str) -> Option<Found> {
    // Between two linked codes stand the end of one link and the start of the next.
    let filler = |c: char| is_blank(c) || matches!(c, '[' | ']' | '(' | ')' | '*' | '_' | '`');
    let mut ahead = *cursor;
    ahead.take_run(usize::MAX, filler);
    let joined = ahead.take(|c| matches!(c, ',' | ';' | '&' | '+')).is_some() | {
        ahead.take_run(usize::MAX, filler);
        ahead.take_word("and ") || ahead.take_word("or ")
    };
    ahead.take_run(usize::MAX, filler);
    let start = ahead.at();
    let code = read_bare(&mut ahead, organiser).filter(|_| joined)?;
    *cursor = ahead;
    Some(Found { codes: vec![code], start, end: ahead.at(), as_written: ahead.since(start).to_owned(), fault: None })
}

/// Reads `3-15a`, complete, after an organiser that was said before.
fn read_bare(cursor: &mut Cursor<'_>, organiser: &str) -> Option<Code> {
    match read_digits(cursor, Form::Complete)? {
        Numbers::Whole { level, number, letter } => Code::new(organiser, level, number, letter),
        Numbers::Faulty(_) => None,
    }
}

fn read_organiser<'a>(cursor: &mut Cursor<'a>) -> Option<&'a str> {
    let organiser = cursor.take_run(5, |c| c.is_ascii_alphabetic());
    (3..=4).contains(&organiser.len()).then_some(organiser)
}

fn read_numbers(cursor: &mut Cursor<'_>, form: Form) -> Option<Numbers> {
    if form == Form::Exact {
        cursor.take(|c| c == ' ')?;
    } else {
        let dotted = form == Form::Free && cursor.rest().strip_prefix('.').is_some_and(starts_with_digit);
        let gap = |c: char| c.is_whitespace() || is_dash(c) || matches!(c, '*' | '_' | ':') || (dotted && c == '.');
        cursor.take_run(GAP_CHARS_MAX, gap);
    }
    read_digits(cursor, form)
}

fn starts_with_digit(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

fn read_digits(cursor: &mut Cursor<'_>, form: Form) -> Option<Numbers> {
    let level = cursor.take(|c| c.is_ascii_digit())?;
    let spaced = cursor.peek().is_some_and(is_blank);
    let hyphen = read_hyphen(cursor, form)?;
    let digits = cursor.take_run(2, |c| c.is_ascii_digit());
    let enough = digits.len() == 2 || (digits.len() == 1 && hyphen && form == Form::Free);
    let number = digits.parse::<u8>().ok().filter(|_| enough)?;
    let letter = cursor.take(|c| if form == Form::Exact { c.is_ascii_lowercase() } else { c.is_ascii_alphabetic() });
    if !cursor.at_word_end() {
        return None;
    }
    let letter = letter.or_else(|| if spaced && hyphen && form == Form::Free { read_apart(cursor) } else { None });
    let Some(letter) = letter else {
        let date_or_decimal = cursor.peek().is_some_and(|c| is_dash(c) || matches!(c, '.' | '/' | ','))
            && cursor.rest().chars().nth(1).is_some_and(char::is_alphanumeric);
        let faulty = form == Form::Free && hyphen && digits.len() == 2 && !date_or_decimal;
        return faulty.then_some(Numbers::Faulty(Fault::NoLetter));
    };
    match level.to_digit(10).and_then(|n| u8::try_from(n).ok()).and_then(Level::from_number) {
        Some(level) => Some(Numbers::Whole { level, number, letter }),
        None => hyphen.then_some(Numbers::Faulty(Fault::NoSuchLevel)),
    }
}

/// Reads the letter of a code whose parts are all written apart: "TCH 3 - 14 a".
fn read_apart(cursor: &mut Cursor<'_>) -> Option<char> {
    let mut ahead = *cursor;
    ahead.take(is_blank)?;
    let letter = ahead.take(|c| c.is_ascii_lowercase()).filter(|_| ahead.at_word_end())?;
    *cursor = ahead;
    Some(letter)
}

/// Moves past the hyphen and says whether there was one; `None` where the form demands one and there is none.
fn read_hyphen(cursor: &mut Cursor<'_>, form: Form) -> Option<bool> {
    if form == Form::Exact {
        return cursor.take(|c| c == '-').map(|_| true);
    }
    let mut ahead = *cursor;
    ahead.take_run(1, is_blank);
    if ahead.take(is_dash).is_some() {
        ahead.take_run(1, is_blank);
        *cursor = ahead;
        return Some(true);
    }
    if form == Form::Complete {
        return None;
    }
    // "TCH.3.99z": a dot parts, but does not make a code of "MTH 3.14".
    if cursor.rest().strip_prefix(['.', '_']).is_some_and(starts_with_digit) {
        cursor.take(|c| matches!(c, '.' | '_'));
        return Some(false);
    }
    cursor.take_run(1, is_blank);
    Some(false)
}
