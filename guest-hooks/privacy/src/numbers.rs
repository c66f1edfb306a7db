//! Numbers and addresses that lead to a person: e-mail, telephone, postcode, street, candidate and health numbers, birthdays.
//!
//! A number is personal by its form together with the words around it. The numbers of mathematics, code, curriculum
//! codes and line numbers have neither.

use std::ops::Range;

use crate::scan::{Found, Kind, Sentence};
use crate::tokens::{Kind as TokenKind, Token};
use crate::words::{folded, holds};

/// How far from a number the word that says what it is may stand, in tokens.
const CUE_TOKENS_MAX: usize = 9;

/// An e-mail address is at most so long on either side of its `@`, in bytes.
const EMAIL_SIDE_BYTES_MAX: usize = 100;

/// The years in which somebody at school now may have been born.
const BIRTH_YEARS: Range<u32> = 1998..2027;

/// Addresses that belong to nobody in particular.
const NOBODY: &str = "name yourname firstname user username someone you info office admin enquiries contact support noreply help example";

/// Streets' last words that hardly mean anything else.
const STREETS: &str = "street st road rd avenue ave drive lane crescent terrace gardens grove wynd brae loan quay mews";

/// Those that mean much else, so that the sentence has to say that somebody lives there.
const OTHER_STREETS: &str = "place way court park view gate row square close green hill walk";

/// Addresses of stories and sights.
const KNOWN_STREETS: &str = "downing baker privet sesame coronation quality albert penny wall fleet acacia royal";

/// Letters that begin a postcode in the United Kingdom.
const POST_AREAS: &str = "ab al b ba bb bd bh bl bn br bs bt ca cb cf ch cm co cr ct cv cw da dd de dg dh dl dn dt dy e ec eh en ex fk fy g gl gu \
    gy ha hd hg hp hr hs hu hx ig im ip iv je ka kt kw ky l la ld le ll ln ls lu m me mk ml n ne ng nn np nr nw ol ox pa pe ph pl po pr rg rh rm s sa \
    se sg sk sl sm sn so sp sr ss st sw sy ta td tf tn tq tr ts tw ub w wa wc wd wf wn wr ws wv yo ze";

/// E-mail addresses of a whole text.
pub(crate) fn emails(text: &str, found: &mut Vec<Found>) {
    let local = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '%' | '+' | '-');
    for (at, _) in text.match_indices('@') {
        let floor = (at.saturating_sub(EMAIL_SIDE_BYTES_MAX)..=at).find(|at| text.is_char_boundary(*at)).unwrap_or(at);
        let before = text.get(floor..at).unwrap_or_default();
        let name = before.rfind(|c: char| !local(c)).map_or(before, |end| {
            let width = before.get(end..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8);
            before.get(end + width..).unwrap_or_default()
        });
        let after = text.get(at + 1..).unwrap_or_default();
        let domain_end =
            after.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '-'))).unwrap_or(after.len());
        let domain = after.get(..domain_end.min(EMAIL_SIDE_BYTES_MAX)).unwrap_or_default().trim_end_matches(['.', '-']);
        let Some((host, last)) = domain.rsplit_once('.') else { continue };
        let plain = last.len() >= 2 && last.chars().all(|c| c.is_ascii_alphabetic()) && !host.is_empty();
        if name.is_empty() || !plain || holds(NOBODY, &name.to_lowercase()) {
            continue;
        }
        let range = at - name.len()..at + 1 + domain.len();
        let key = text.get(range.clone()).unwrap_or_default().to_lowercase();
        found.push(Found { kind: Kind::Email, range, key });
    }
}

/// Everything else, in one sentence.
pub(crate) fn in_sentence(sentence: &Sentence<'_, '_>, found: &mut Vec<Found>) {
    for (at, token) in sentence.tokens.iter().enumerate() {
        if token.code {
            continue;
        }
        match token.kind {
            TokenKind::Number => {
                let number = Digits::read(sentence.tokens, at);
                let joined = at.checked_sub(1).and_then(|before| sentence.tokens.get(before));
                // `0.07700…` and `3-0131…` are parts of something else.
                let part = joined.is_some_and(|before| {
                    before.end() == token.start
                        && matches!(before.kind, TokenKind::Mark('.' | ',' | '-' | '/' | '=') | TokenKind::Number)
                });
                if !part {
                    found.extend(numbered(sentence, at, &number).or_else(|| phone(sentence, at, &number)));
                    found.extend(birthday(sentence, at));
                    found.extend(street(sentence, at));
                }
            }
            // An outward code has two to four characters, the last but none a digit or a letter after one.
            TokenKind::Word
                if (2..=4).contains(&token.text.len()) && token.text.as_bytes().iter().any(u8::is_ascii_digit) =>
            {
                found.extend(postcode(sentence, at));
            }
            TokenKind::Word => {}
            TokenKind::Mark(_) => {}
        }
    }
}

/// Digits in groups, as telephone numbers and long ids are written.
#[derive(Debug, Default)]
struct Digits {
    digits: String,
    groups: Vec<usize>,
    end: usize,
    /// Where the first group that belongs to another number would begin, in tokens.
    tokens: usize,
}

impl Digits {
    fn read(tokens: &[Token<'_>], at: usize) -> Self {
        let mut read = Self::default();
        let mut end: Option<usize> = None;
        for token in tokens.get(at..).unwrap_or_default().iter().take(12) {
            let near = end.is_none_or(|end| token.start - end <= 2);
            match token.kind {
                TokenKind::Number if near && read.digits.len() + token.text.len() <= 15 => {
                    read.digits.push_str(token.text);
                    read.groups.push(token.text.len());
                    read.end = token.end();
                    end = Some(token.end());
                }
                TokenKind::Mark('-' | '(' | ')') if near => end = Some(token.end()),
                _ => break,
            }
            read.tokens += 1;
        }
        read
    }
}

fn phone(sentence: &Sentence<'_, '_>, at: usize, number: &Digits) -> Option<Found> {
    let before = |back: usize| at.checked_sub(back).and_then(|at| sentence.tokens.get(at));
    let token = sentence.tokens.get(at)?;
    let plus = before(1).filter(|before| before.kind == TokenKind::Mark('+') && before.end() == token.start);
    let digits = number.digits.as_str();
    let national = match (plus, digits.strip_prefix("44")) {
        (Some(_), Some(rest)) => rest.strip_prefix('0').unwrap_or(rest).to_owned(),
        _ => digits.strip_prefix("0044").or_else(|| digits.strip_prefix('0'))?.to_owned(),
    };
    let groups = number.groups.len() <= 4 + usize::from(plus.is_some())
        && number.groups.iter().skip(1).all(|group| *group >= 3 || (plus.is_some() && *group == 1));
    let form = match national.as_bytes().first()? {
        b'7' => national.len() == 10,
        b'1' | b'2' => (9..=10).contains(&national.len()),
        _ => false,
    };
    // Binary numbers and digits that only count up are no telephone number.
    let sum = national.chars().all(|c| matches!(c, '0' | '1')) || digits.starts_with("012345678");
    let first = number.groups.first().copied().unwrap_or_default();
    if !form || !groups || sum || (first < 3 && plus.is_none()) {
        return None;
    }
    let start = plus.map_or(token.start, |plus| plus.start);
    // `(0131) 496 0000` with both brackets.
    let open = before(1).filter(|before| before.kind == TokenKind::Mark('('));
    let start = open.map_or(start, |open| open.start);
    Some(Found { kind: Kind::Phone, range: start..number.end, key: national })
}

/// Candidate numbers and health numbers: their length, and a word that says what they are.
fn numbered(sentence: &Sentence<'_, '_>, at: usize, number: &Digits) -> Option<Found> {
    let start = sentence.tokens.get(at)?.start;
    let cue = |words: &str| {
        sentence.near(at, number.tokens, CUE_TOKENS_MAX).any(|token| holds(words, &folded(token.base().0)))
    };
    // A name with nine digits in brackets behind it: `Mateusz Lis (121907455)`.
    let before = |back: usize| at.checked_sub(back).and_then(|at| sentence.tokens.get(at));
    let named = before(1).is_some_and(|token| token.text == "(") && before(2).is_some_and(Token::is_title);
    let kind = match number.digits.len() {
        9 if named || cue("candidate candidates cand scn sqa") => Kind::Candidate,
        10 if cue("chi nhs health") => Kind::Health,
        _ => return None,
    };
    Some(Found { kind, range: start..number.end, key: number.digits.clone() })
}

/// A date with a word of birth and a person beside it.
fn birthday(sentence: &Sentence<'_, '_>, at: usize) -> Option<Found> {
    const MONTHS: &str = "january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec";
    let token = |ahead: usize| sentence.tokens.get(at + ahead);
    let first = token(0)?;
    let number = |ahead: usize| token(ahead).filter(|token| token.kind == TokenKind::Number);
    let separated =
        |ahead: usize| token(ahead).is_some_and(|token| matches!(token.kind, TokenKind::Mark('/' | '-' | '.')));
    let (year, end, count) = if separated(1) && separated(3) && number(2).is_some() {
        let last = number(4)?;
        let year = if first.text.len() == 4 { first.text } else { last.text };
        (year, last.end(), 5)
    } else {
        // `3rd May 2010`: the ending of the day is a word of its own.
        let skip = usize::from(token(1).is_some_and(|token| holds("st nd rd th", token.text)));
        let skip = skip + usize::from(token(1 + skip).is_some_and(|token| token.text == "of"));
        let month =
            token(1 + skip).filter(|token| token.kind == TokenKind::Word && holds(MONTHS, &folded(token.text)))?;
        let year = number(2 + skip).filter(|_| !month.text.is_empty())?;
        (year.text, year.end(), 3 + skip)
    };
    let year: u32 = year.parse().ok()?;
    let year = if year < 100 { year + 2000 } else { year };
    let near =
        |words: &str| sentence.near(at, count, CUE_TOKENS_MAX).any(|token| holds(words, &folded(token.base().0)));
    let stated = near("dob") || sentence.says("d.o.b");
    let born = stated || near("born birth birthday");
    let person = stated || sentence.has_name || sentence.has_pupil || near("he she his her");
    let key = sentence.text.get(first.start..end).unwrap_or_default().to_owned();
    (BIRTH_YEARS.contains(&year) && born && person).then_some(Found { kind: Kind::Birth, range: first.start..end, key })
}

/// `14 Station Road`, with the flat before it.
fn street(sentence: &Sentence<'_, '_>, at: usize) -> Option<Found> {
    let first = sentence.tokens.get(at).filter(|token| token.text.len() <= 4)?;
    let mut words = 0;
    for token in sentence.tokens.get(at + 1..)?.iter().take(4) {
        if token.kind != TokenKind::Word {
            return None;
        }
        let word = folded(token.text);
        let street = holds(STREETS, &word) || (sentence.has_lives && holds(OTHER_STREETS, &word));
        if street && words >= 1 && token.is_title() {
            let range = first.start..token.end();
            let key = folded(sentence.text.get(range.clone()).unwrap_or_default());
            return Some(Found { kind: Kind::Address, range, key });
        }
        // `14a Station Road`
        let letter = words == 0 && token.text.len() == 1 && token.start == first.end();
        if letter {
            continue;
        }
        if !token.is_title() || holds(KNOWN_STREETS, &word) {
            return None;
        }
        words += 1;
    }
    None
}

/// `EH1 2AB`.
fn postcode(sentence: &Sentence<'_, '_>, at: usize) -> Option<Found> {
    let token = |ahead: usize| sentence.tokens.get(at + ahead);
    let outward = token(0)?;
    let (digit, letters) = (token(1)?, token(2)?);
    let area = outward.text.trim_end_matches(|c: char| c.is_ascii_digit() || c.is_ascii_uppercase());
    let letters_of = outward.text.chars().take_while(char::is_ascii_uppercase).count();
    let district = outward.text.get(letters_of..)?;
    let known = area.is_empty() && holds(POST_AREAS, &outward.text.get(..letters_of)?.to_lowercase());
    let numbered = district.starts_with(|c: char| c.is_ascii_digit()) && district.len() <= 2;
    let inward = digit.kind == TokenKind::Number
        && digit.text.len() == 1
        && digit.end() == letters.start
        && letters.text.len() == 2
        && letters.text.chars().all(|c| c.is_ascii_uppercase() && !"CIKMOV".contains(c));
    let space = digit.start - outward.end() == 1;
    let range = outward.start..letters.end();
    let key = sentence.text.get(range.clone()).unwrap_or_default().to_lowercase();
    (known && numbered && inward && space).then_some(Found { kind: Kind::Postcode, range, key })
}
