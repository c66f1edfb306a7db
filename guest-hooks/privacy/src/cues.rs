//! People who are told by something else than a name: "the boy with the pacemaker", initials in a row, handles, number plates, numbers of
//! candidates.

use std::ops::Range;

use crate::scan::{Found, Kind};
use crate::tokens::{Kind as TokenKind, Token};
use crate::words::{folded, holds};

/// Words for one person, and for what may stand before them.
const PERSON: &str = "boy girl lad lass lassie laddie pupil student child fella wean kid youngster one wan yin her him";
const BEFORE: &str = "the a that thon yon one my wee her him this";

/// The longest of them.
const BEFORE_BYTES_MAX: usize = 4;

/// What follows when it is told which.
const WHICH: &str = "with wi who whos whose that in at beside on near from lost is has";

/// Illness, and trouble at home: with one person they tell who it is.
const MATTERS: &str = "adhd adoption allergic allergy amputation anaphylaxis anorexia anxiety arthritis asd asthma asylum autism autistic bereaved bereavement blind \
    brother bulimia cancer carer cerebral chemotherapy coeliac colitis concussion crohns deaf depressed depression diabetes diabetic died disability \
    disabled divorce dyslexia dyslexic dyspraxia eating eczema epilepsy epileptic fasd foster fostered grieving haemophilia hearing heart homeless hospital \
    implant inhaler injection insulin kidney kidneys leg leukaemia medication migraines mute operation pacemaker palsy panic parents passed pregnant prison \
    prosthetic ptsd refuge refugee rehab ritalin scan scoliosis seizures selfharm separating sick sickle social stammer stoma stutter suicide surgery \
    therapy tics tourette tourettes tumour visual wheelchair widowed";

/// How far a description reaches, in tokens.
const REACH_TOKENS: usize = 14;

/// Adjectives and the like that may stand between "the" and the person.
const BETWEEN_TOKENS: usize = 4;

/// Short words in capitals that are no initials.
const NOT_INITIALS: &str = "ok ex pe it pc tv uk us usa eu un nhs bbc sqa eal asn adhd asd led dna rna ict cpd rme pse ww us ii iii iv vi vii viii ix xi am \
    css sql ram rom cpu gpu lan wan api gps xml led lcd vat apr gdp gnp un wto imf fm pm ad bc ph ac dc cv qr ai hw re rs rm gcf hcf lcm lhs rhs sas asa sss aas tv cd dvd pdf url cat eg ie vs no qs ks ta la na nab nb sc \
    li wilf walt tib dirt agree sub hq mp msp md pt ht dht ft pa cl fr";

/// Signs in a sentence that letters stand for pupils.
const OF_PUPILS: &str = "missed ok lost got absent reader scribe both needs need support marks ages age seat sits late left finished stuck notes reading \
    group team knows struggled nearly fine pupils initials";

/// Adds what is found in a sentence.
pub(crate) fn in_sentence(text: &str, tokens: &[Token<'_>], found: &mut Vec<Found>) {
    described(text, tokens, found);
    initials(tokens, found);
    handles(text, tokens, found);
    for at in 0..tokens.len() {
        plate(text, tokens, at, found);
    }
    candidates(tokens, found);
}

fn word(tokens: &[Token<'_>], at: usize) -> String {
    tokens
        .get(at)
        .filter(|token| token.kind == TokenKind::Word)
        .map(|token| folded(token.base().0).replace(['\'', '’'], ""))
        .unwrap_or_default()
}

fn push(text: &str, kind: Kind, range: Range<usize>, found: &mut Vec<Found>) {
    let key = text.get(range.clone()).unwrap_or_default().to_lowercase();
    found.push(Found { kind, range, key });
}

/// `the boy with type 1 diabetes in 1B`; "one pupil with a hearing aid" is how class profiles and
/// advice speak of needs.
fn described(text: &str, tokens: &[Token<'_>], found: &mut Vec<Found>) {
    for (start, token) in tokens.iter().enumerate() {
        // Most words are longer than any of these, and are looked at no further.
        if token.text.len() > BEFORE_BYTES_MAX || !holds(BEFORE, &word(tokens, start)) {
            continue;
        }
        let object = holds("her him", &word(tokens, start));
        let ahead = if object { 0 } else { 1 };
        let person = (start + ahead..start + ahead + BETWEEN_TOKENS + 1)
            .take_while(|at| {
                tokens
                    .get(*at)
                    .is_some_and(|token| token.kind != TokenKind::Mark('.') && token.kind != TokenKind::Mark(','))
            })
            .find(|at| holds(PERSON, &word(tokens, *at)) && (object || !holds("her him", &word(tokens, *at))));
        let Some(person) = person else { continue };
        if holds("a one", &word(tokens, start)) && holds("pupil student child", &word(tokens, person)) {
            continue;
        }
        let which = word(tokens, person + 1);
        let matter = |at: usize| holds(MATTERS, &word(tokens, at));
        let before = !holds("a one", &word(tokens, start)) && (start..person).any(matter);
        let owner = tokens.get(person).is_some_and(|token| token.base().1);
        if !before && !owner && !holds(WHICH, &which) {
            continue;
        }
        let stop = |at: &usize| {
            tokens.get(*at).is_none_or(|token| matches!(token.kind, TokenKind::Mark('.' | ',' | ';' | ':' | '?' | '!')))
        };
        let end =
            (person + 1..person + 1 + REACH_TOKENS).find(stop).unwrap_or(person + 1 + REACH_TOKENS).min(tokens.len());
        if !before && !(person + 1..end).any(matter) {
            continue;
        }
        let (Some(first), Some(last)) = (tokens.get(start), tokens.get(end.saturating_sub(1))) else { continue };
        push(text, Kind::Described, first.start..last.end(), found);
        return;
    }
}

/// Two or more of `AJ`, `EMcK`, `H.A.` in a sentence that speaks of pupils or gives marks.
fn initials(tokens: &[Token<'_>], found: &mut Vec<Found>) {
    let dotted = |at: usize| {
        let letter = |at: usize| tokens.get(at).is_some_and(Token::is_initial);
        let dot = |at: usize| tokens.get(at).is_some_and(|token| token.text == ".");
        letter(at) && dot(at + 1) && letter(at + 2) && dot(at + 3)
    };
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let capitals = token.text.chars().filter(|c| c.is_uppercase()).count();
        let short = token.kind == TokenKind::Word
            && !token.code
            && (2..=if capitals == token.text.len() { 3 } else { 4 }).contains(&token.text.chars().count())
            && capitals >= 2
            && token.text.starts_with(char::is_uppercase)
            && token.text.ends_with(char::is_uppercase)
            && token.text.chars().all(char::is_alphabetic);
        if dotted(at) {
            let end = tokens.get(at + 3).map_or(token.end(), Token::end);
            ranges.push(token.start..end);
        } else if short && !holds(NOT_INITIALS, &token.text.to_lowercase()) {
            ranges.push(token.start..token.end());
        }
    }
    if ranges.len() < 2 {
        return;
    }
    let lower = tokens.iter().any(|token| {
        token.kind == TokenKind::Word && token.text.len() > 2 && token.text.chars().skip(1).all(char::is_lowercase)
    });
    let pupils = tokens
        .iter()
        .filter(|token| token.kind == TokenKind::Word)
        .any(|token| holds(OF_PUPILS, &token.text.to_lowercase()));
    if lower && pupils {
        let text = tokens.iter().filter(|token| ranges.iter().any(|range| range.start == token.start));
        let keys: Vec<String> = text.map(|token| token.text.to_lowercase()).collect();
        found.extend(ranges.into_iter().zip(keys).map(|(range, key)| Found { kind: Kind::Initials, range, key }));
    }
}

/// `@kaya.draws.stuff`, `Bazza_2011`, `lenny.boi.dundee` after a word of social media; not what a task has pupils invent.
fn handles(text: &str, tokens: &[Token<'_>], found: &mut Vec<Found>) {
    // Without one of these marks inside there is no handle.
    let range = tokens.first().map_or(0, |token| token.start)..tokens.last().map_or(0, Token::end);
    let bytes = text.as_bytes().get(range).unwrap_or_default();
    let dotted = || {
        bytes.windows(2).any(|pair| matches!(pair, [b'.', next] if next.is_ascii_alphanumeric() || !next.is_ascii()))
    };
    if !bytes.contains(&b'@') && !bytes.contains(&b'_') && !dotted() {
        return;
    }

    let says = |words: &str| {
        tokens.iter().any(|token| token.kind == TokenKind::Word && holds(words, &token.text.to_lowercase()))
    };
    let social = says(
        "snap snapchat insta instagram tiktok discord chat handle username user channel profile gamertag roblox minecraft xbox signed account",
    );
    if says("invented fictional imaginary java override decorator annotation sample") {
        return;
    }
    for (at, token) in tokens.iter().enumerate().filter(|(_, token)| !token.code) {
        let is_at = token.text == "@";
        let glued = |at: usize| {
            at.checked_sub(1).and_then(|before| tokens.get(before)).is_some_and(|before| {
                tokens
                    .get(at)
                    .is_some_and(|token| before.end() == token.start && !before.text.starts_with(['(', '"', '“', '\'']))
            })
        };
        if glued(at) || !(is_at || (token.kind == TokenKind::Word && social)) {
            continue;
        }
        let start = token.start;
        let rest = text.get(start + usize::from(is_at)..).unwrap_or_default();
        let length = rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '-'))).unwrap_or(rest.len());
        let name = rest.get(..length).unwrap_or_default().trim_end_matches(['.', '-', '_']);
        let marked =
            name.contains('_') || name.matches('.').count() >= 2 || (name.contains('.') && !is_at && name.len() > 8);
        let is = if is_at {
            name.len() >= 3
                && name.starts_with(char::is_alphabetic)
                && rest.get(length..).is_none_or(|after| !after.starts_with('@'))
        } else {
            marked
        };
        if is && !holds("override media import property", &name.to_lowercase()) {
            push(text, Kind::Handle, start..start + usize::from(is_at) + name.len(), found);
        }
    }
}

/// `SF94 KLT`
fn plate(text: &str, tokens: &[Token<'_>], at: usize, found: &mut Vec<Found>) {
    let Some(first) = tokens.get(at).filter(|token| token.kind == TokenKind::Word && !token.code) else { return };
    let bytes = first.text.as_bytes();
    let age = |bytes: &[u8]| matches!(bytes, [a, b, c, d] if a.is_ascii_uppercase() && b.is_ascii_uppercase() && c.is_ascii_digit() && d.is_ascii_digit());
    let last = |bytes: &[u8]| bytes.len() == 3 && bytes.iter().all(u8::is_ascii_uppercase);
    if let Some((head, tail)) = bytes.split_at_checked(4).filter(|(_, tail)| !tail.is_empty()) {
        if age(head) && last(tail) {
            push(text, Kind::Plate, first.start..first.end(), found);
        }
        return;
    }
    if let Some(next) =
        tokens.get(at + 1).filter(|next| age(bytes) && last(next.text.as_bytes()) && next.start - first.end() <= 1)
    {
        push(text, Kind::Plate, first.start..next.end(), found);
    }
}

/// `Cand. no. 5520`, `candidates 3107, 3112, 3119`
fn candidates(tokens: &[Token<'_>], found: &mut Vec<Found>) {
    let mut left = 0_u32;
    for token in tokens {
        match token.kind {
            TokenKind::Word
                if matches!(token.text.len(), 4 | 9 | 10)
                    && holds("cand candidate candidates", &token.text.to_lowercase()) =>
            {
                left = 4
            }
            TokenKind::Word if left > 0 && holds("no nos number numbers and num", &token.text.to_lowercase()) => {}
            TokenKind::Mark('.' | ',' | ':' | '&' | '#') if left > 0 => {}
            TokenKind::Number | TokenKind::Word
                if left > 0
                    && (3..=8).contains(&token.text.len())
                    && token.text.chars().skip(1).all(|c| c.is_ascii_digit()) =>
            {
                found.push(Found {
                    kind: Kind::Candidate,
                    range: token.start..token.end(),
                    key: token.text.to_lowercase(),
                });
                left = 4;
            }
            _ => left = 0,
        }
    }
}
