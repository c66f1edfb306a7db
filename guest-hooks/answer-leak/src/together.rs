//! Answers that are given away in pieces: all numbers of one, two that add up to it, its digits one by one.

use std::collections::BTreeSet;

use crate::leak::{Known, Leak, parts};
use crate::read::bare;
use crate::spans::{Span, signs};

/// What gives the answer away in pieces; none where nothing does.
pub(crate) fn leak(known: &Known<'_>, text: &str, spans: &[Span]) -> Option<Leak> {
    let mentions: Vec<&Span> = spans.iter().filter(|span| !known.is_chance(&span.text, span)).collect();
    let numbers: Vec<String> = mentions.iter().flat_map(|span| numbers_in(&span.text)).collect();
    let told = |text: String| Some(Leak { text, step: false });
    for answer in &known.facts.answers {
        if lists(known, answer, &numbers) {
            return told(numbers.join(", "));
        }
        if pieces(known, answer, &numbers) {
            return told(numbers.join(", "));
        }
        if let Some(found) = time_of_day(answer, text) {
            return told(found);
        }
        if let Ok(value) = answer.trim().parse::<f64>() {
            if let Some(found) = below_nought(value, text, &numbers) {
                return told(found);
            }
            if let Some(found) = sum(known, value, text, &mentions) {
                return told(found);
            }
            if digits(answer, text, &numbers) {
                return told(numbers.join(", "));
            }
        }
    }
    None
}

fn numbers_in(text: &str) -> Vec<String> {
    let tokens: Vec<&str> = text.split(' ').collect();
    let mut found = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        if !token.starts_with(|first: char| first.is_ascii_digit()) {
            continue;
        }
        let at = |back: usize| index.checked_sub(back).and_then(|at| tokens.get(at)).copied();
        let negative = at(1) == Some("-") && at(2).is_none_or(|token| matches!(token, "(" | "=" | "," | "*" | "^"));
        found.push(if negative { format!("-{token}") } else { (*token).to_owned() });
    }
    found
}

/// Most values of a list of three and more are named, the problem's own left out.
fn lists(known: &Known<'_>, answer: &str, numbers: &[String]) -> bool {
    let parts = parts(answer);
    let new: BTreeSet<&String> = parts.iter().filter(|part| !known.given.contains(*part)).collect();
    let named = new.iter().filter(|part| numbers.contains(**part)).count();
    parts.len() > 2 && named >= 2 && named * 2 > new.len()
}

/// Every number of an answer that is made of several (`3.6*10^(-3)`, `15:45`) is named, one that the problem does not give among them.
fn pieces(known: &Known<'_>, answer: &str, numbers: &[String]) -> bool {
    let spaced: String = answer
        .chars()
        .flat_map(|sign| if sign.is_ascii_digit() || sign == '.' { vec![sign] } else { vec![' ', sign, ' '] })
        .collect();
    let tokens: Vec<&str> = spaced.split(' ').filter(|token| !token.is_empty()).collect();
    let joined = tokens.join(" ").replace("( -", "-");
    let mut own: BTreeSet<String> = BTreeSet::new();
    let power = joined.contains("10 ^");
    for (index, token) in tokens.iter().enumerate() {
        if !token.starts_with(|first: char| first.is_ascii_digit()) {
            continue;
        }
        let negative = index.checked_sub(1).and_then(|at| tokens.get(at)) == Some(&"-");
        let opened =
            index.checked_sub(2).and_then(|at| tokens.get(at)).is_none_or(|token| matches!(*token, "(" | "," | "^"));
        own.insert(if negative && opened { format!("-{token}") } else { (*token).to_owned() });
    }
    if power {
        own.remove("10");
    }
    own.len() > 1
        && !own.iter().all(|number| known.given.contains(number))
        && own.iter().all(|number| numbers.contains(number))
}

/// Two numbers with a word between them that joins them to the answer.
fn sum(known: &Known<'_>, value: f64, text: &str, mentions: &[&Span]) -> Option<String> {
    let lower = signs(text).to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| lower.contains(word));
    let number = |span: &Span| bare(&span.text).parse::<f64>().ok().filter(|_| numbers_in(&span.text).len() == 1);
    let equal = |found: f64| (found - value).abs() < 1e-9;
    for span in mentions {
        let Some(one) = number(span) else { continue };
        if known.given.contains(&bare(&span.text)) {
            continue;
        }
        // `half of 90`, where 90 is not given.
        let part = |words: &[&str]| words.iter().any(|word| lower.contains(&format!("{word} {}", span.text)));
        if part(&["half of", "half", "halve", "1/2 of"]) && equal(one / 2.0)
            || part(&["1/3 of"]) && equal(one / 3.0)
            || part(&["1/4 of", "quarter of"]) && equal(one / 4.0)
            || part(&["double", "twice"]) && equal(one * 2.0)
        {
            return Some(span.text.clone());
        }
        if has(&["half of that", "half of it", "halve that", "halve it"]) && equal(one / 2.0)
            || has(&["double that", "double it", "twice that", "twice as"]) && equal(one * 2.0)
        {
            return Some(span.text.clone());
        }
    }
    for (index, first) in mentions.iter().enumerate() {
        for second in mentions.iter().skip(index + 1).take(2) {
            let (Some(one), Some(two)) = (number(first), number(second)) else { continue };
            if [first, second].iter().all(|span| known.given.contains(&bare(&span.text))) {
                continue;
            }
            let adds = has(&["+", "plus", "add ", "more", "on top", "another", "and then"]);
            let takes = has(&["less", "minus", "take away", "fewer", "short of", "below", "before"]);
            if adds && equal(one + two) || takes && (equal(one - two) || equal(two - one)) {
                return Some(format!("{}, {}", first.text, second.text));
            }
        }
    }
    None
}

/// Its digits one by one, where the text speaks of digits or of what stands behind what.
fn digits(answer: &str, text: &str, numbers: &[String]) -> bool {
    let lower = text.to_lowercase();
    let spelled = ["digit", "followed by", "behind it", "after it", "on the end", "in front of", "in that order"];
    let own: String = answer.chars().filter(char::is_ascii_digit).collect();
    own.len() > 1 && spelled.iter().any(|word| lower.contains(word)) && numbers.concat() == own
}

/// A number below nought said as its distance: `thirteen below zero`.
fn below_nought(value: f64, text: &str, numbers: &[String]) -> Option<String> {
    let lower = text.to_lowercase();
    let below = [
        "below zero",
        "below nought",
        "under zero",
        "under nought",
        "less than nothing",
        "less than zero",
        "on the negative side",
    ];
    let said = value < 0.0 && below.iter().any(|words| lower.contains(words));
    numbers
        .iter()
        .find(|number| said && number.parse::<f64>().is_ok_and(|number| (number + value).abs() < 1e-9))
        .cloned()
}

/// A time of day in another form: `3.45 in the afternoon`, `quarter to four`.
fn time_of_day(answer: &str, text: &str) -> Option<String> {
    const HALF_A_DAY: u32 = 12 * 60;
    let (hours, minutes) = answer.trim().split_once(':')?;
    let number = |text: &str| text.parse::<u32>().ok().filter(|number| *number < 60);
    let expected = number(hours)
        .zip(number(minutes))
        .filter(|(hours, minutes)| *hours < 24 && *minutes < 60 && answer.len() > 3)?;
    let expected = (expected.0 * 60 + expected.1) % HALF_A_DAY;
    let lower = signs(text)
        .to_lowercase()
        .replace("1/4 to", "quarter to")
        .replace("1/4 past", "quarter past")
        .replace("1/2 past", "half past");
    let words: Vec<&str> = lower.split([' ', ',', ';', '?', '!']).filter(|word| !word.is_empty()).collect();
    for (index, word) in words.iter().enumerate() {
        let behind = words.get(index + 1).and_then(|word| number(word.trim_end_matches('.')));
        let before = index.checked_sub(1).and_then(|at| words.get(at)).copied().unwrap_or_default();
        let found = match (*word, before) {
            ("to", "quarter") => behind.map(|hour| hour * 60 + HALF_A_DAY - 15),
            ("past", "quarter") => behind.map(|hour| hour * 60 + 15),
            ("past", "half") => behind.map(|hour| hour * 60 + 30),
            ("to", before) => {
                behind.zip(number(before)).map(|(hour, minutes)| hour * 60 + HALF_A_DAY - minutes.min(59))
            }
            ("past", before) => behind.zip(number(before)).map(|(hour, minutes)| hour * 60 + minutes),
            (word, _) => word.trim_end_matches(['.', ':']).split_once([':', '.']).and_then(|(hours, minutes)| {
                number(hours)
                    .zip(number(minutes))
                    .filter(|_| minutes.len() == 2)
                    .map(|(hours, minutes)| hours * 60 + minutes)
            }),
        };
        if found.is_some_and(|found| found % HALF_A_DAY == expected) {
            return Some((*word).to_owned());
        }
    }
    None
}
