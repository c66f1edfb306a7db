//! Asking for an outcome by its code: "TCH 3-14a for 3B" is planned from that entry and from no other.

use std::ops::Range;

use ta_curriculum::code::{Code, ORGANISERS, find_codes};
use ta_curriculum::level::Level;

use super::matching::{Found, Match, find as find_topic};
use super::phrase::one_line;
use super::request::Ask;
use super::sources::{Place, Source, find};
use super::words::tokens;

/// As many outcomes as a lesson aims at.
const OUTCOMES_MAX: usize = 3;

/// The codes that a request names, and the request without them.
pub(crate) fn named(text: &str) -> (Vec<Code>, String) {
    let text = &spelt_out(text);
    let mut codes: Vec<Code> = Vec::new();
    let mut places: Vec<Range<usize>> = Vec::new();
    for found in find_codes(text) {
        places.push(found.start..found.end);
        codes.extend(found.codes);
    }
    let mut rest = text.to_owned();
    for place in places.into_iter().rev() {
        rest.replace_range(place, " ");
    }
    (codes, rest)
}

/// "tch314a" as "TCH 3-14a"; every other word as it is.
fn spelt_out(text: &str) -> String {
    let mut out = text.to_owned();
    for token in tokens(text).into_iter().rev() {
        if let Some(code) = glued(token.raw) {
            out.replace_range(token.start..token.end, &code);
        }
    }
    out
}

fn glued(word: &str) -> Option<String> {
    let organiser = ORGANISERS.iter().find(|name| {
        word.get(..name.len()).is_some_and(|head| head.eq_ignore_ascii_case(name)) && word.len() == name.len() + 4
    })?;
    let (level, rest) = word.get(organiser.len()..)?.split_at_checked(1)?;
    let (number, letter) = rest.split_at_checked(2)?;
    let digits = level.chars().chain(number.chars()).all(|c| c.is_ascii_digit());
    let written = digits && letter.chars().all(|c| c.is_ascii_alphabetic());
    written.then(|| format!("{organiser} {level}-{number}{}", letter.to_lowercase()))
}

/// The entries of the codes, with the topic in the words of the request or else the first one of the first entry.
pub(crate) fn found<'a>(
    sources: &'a [Source],
    codes: &[Code],
    own: &Ask,
    level: Option<Level>,
    subjects: &[String],
) -> Option<Found<'a>> {
    let mut places: Vec<(Code, Place<'a>)> = Vec::new();
    for code in codes {
        let Some(place) = find(sources, *code) else { continue };
        if places.len() < OUTCOMES_MAX && !places.iter().any(|(_, known)| known.entry == place.entry) {
            places.push((*code, place));
        }
    }
    let (code, first) = places.first().copied()?;
    let by_words = find_topic(sources, &own.phrases, Some(code.level()), subjects)
        .filter(|found| found.matches.iter().any(|one| one.place.entry == first.entry));
    let (topic, tail) = match (by_words, own.phrases.first()) {
        (Some(found), _) => (found.topic, found.tail),
        (None, Some(phrase)) => (phrase.clone(), String::new()),
        (None, None) => (topic(&first), String::new()),
    };
    Some(Found {
        matches: places.into_iter().map(|(_, place)| Match::certain(place)).collect(),
        topic,
        tail,
        level: code.level(),
        asked: level,
        unknown: Vec::new(),
        named_elsewhere: false,
    })
}

fn topic(place: &Place<'_>) -> String {
    let named = place.topics().first().map(|topic| (*topic).to_owned());
    let title = Some(one_line(&place.entry.title)).filter(|title| !title.is_empty());
    named.or(title).unwrap_or_else(|| "this outcome".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_however_they_are_written() {
        for text in ["TCH 3-14a for 3B", "tch314a for 3B"] {
            let (codes, rest) = named(text);
            assert_eq!((codes[0].to_string().as_str(), rest.trim()), ("TCH 3-14a", "for 3B"), "{text}");
        }
        assert!(named("loops for 3B").0.is_empty());
    }
}
