//! What a span may be read as: numbers, terms, values of a list; and the units that a problem speaks of.

use std::collections::BTreeSet;

use ta_maths::units;

/// Whether it is one numeral, with a sign or a unit or not, or one fraction.
pub(crate) fn single(candidate: &str) -> bool {
    let text = candidate.trim().trim_start_matches('-').trim_start();
    let digits = text.trim_start_matches(['£', '€', ' ']);
    let rest =
        digits.trim_start_matches(|sign: char| sign.is_ascii_digit() || matches!(sign, '.' | ' ' | '/' | '⟨' | '⟩'));
    digits.starts_with(|first: char| first.is_ascii_digit() || first == '⟨')
        && (rest.trim().is_empty()
            || matches!(rest.trim(), "%" | "°")
            || units::read(rest.trim()).is_some_and(|(_, after)| after.trim().is_empty()))
}

/// The numeral of a single candidate as the problem would write it.
pub(crate) fn bare(candidate: &str) -> String {
    let text: String =
        candidate.chars().filter(|sign| sign.is_ascii_digit() || matches!(sign, '.' | '/' | '-')).collect();
    text.trim_end_matches('.').to_owned()
}

/// Everything in a span that may be read alone: the whole, both sides of a relation, the values of a list, terms, numbers.
pub(crate) fn candidates(span: &str) -> Vec<String> {
    let mut found = vec![span.to_owned()];
    let sides = split(span, &['=', '<', '>', '~', '!']);
    for side in sides {
        found.push(side.to_owned());
        for part in split(side, &[',', ';']) {
            found.push(part.to_owned());
            found.extend(terms(part));
        }
    }
    found.extend(loose(span));
    let mut seen = BTreeSet::new();
    found.retain(|text| !text.trim().is_empty() && seen.insert(text.clone()));
    found
}

fn split<'t>(text: &'t str, at: &[char]) -> Vec<&'t str> {
    let mut depth = 0_i32;
    let (mut from, mut parts) = (0, Vec::new());
    for (index, sign) in text.char_indices() {
        match sign {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ if depth == 0 && at.contains(&sign) => {
                parts.extend(text.get(from..index));
                from = index + sign.len_utf8();
            }
            _ => {}
        }
    }
    parts.extend(text.get(from..));
    parts.into_iter().map(str::trim).collect()
}

/// The terms of a sum, each with its sign.
fn terms(text: &str) -> Vec<String> {
    let mut depth = 0_i32;
    let (mut found, mut open) = (Vec::new(), String::new());
    for sign in text.chars() {
        let operator = open.trim_end().ends_with(['*', '/', '^', '+', '-', '(']) || open.trim().is_empty();
        match sign {
            '(' => depth += 1,
            ')' => depth -= 1,
            '+' | '-' if depth == 0 && !operator => found.push(std::mem::take(&mut open)),
            _ => {}
        }
        if !(sign == '+' && open.trim().is_empty()) {
            open.push(sign);
        }
    }
    found.push(open);
    let many = found.len() > 1;
    found.into_iter().map(|term| term.trim().to_owned()).filter(|_| many).collect()
}

/// Numerals of a span that are no part of a fraction, a power or a product with a letter or a root.
fn loose(span: &str) -> Vec<String> {
    let tokens: Vec<&str> = span.split(' ').filter(|token| !token.is_empty()).collect();
    let at = |index: usize| tokens.get(index).copied().unwrap_or_default();
    let mut found = Vec::new();
    for (index, token) in tokens.iter().enumerate() {
        let number = token.starts_with(|first: char| first.is_ascii_digit());
        let (before, after) = (index.checked_sub(1).map(at).unwrap_or_default(), at(index + 1));
        let inside = matches!(before, "/" | "^" | "⟨" | "sqrt" | "cbrt")
            || matches!(after, "/" | "^" | "⟩" | "sqrt" | "(" | ":")
            || before == ":"
            || (after.starts_with(|first: char| first.is_ascii_alphabetic()) && units::read(after).is_none());
        if !number || inside {
            continue;
        }
        let negative = before == "-"
            && index.checked_sub(2).map(at).is_none_or(|token| matches!(token, "(" | "=" | "," | "<" | ">"));
        let unit = match after {
            "%" | "°" => after,
            _ if units::read(after).is_some_and(|(_, rest)| rest.is_empty()) => after,
            _ => "",
        };
        let sign = if negative { "-" } else { "" };
        found.push(if unit.is_empty() { format!("{sign}{token}") } else { format!("{sign}{token} {unit}") });
    }
    found
}

/// The numerals of a text, as written, without those that are exponents.
pub(crate) fn numerals(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut open = String::new();
    let mut before = ' ';
    let spaced: Vec<char> = text.chars().chain([' ']).collect();
    for (index, sign) in spaced.iter().enumerate() {
        let next = spaced.get(index + 1).copied().unwrap_or(' ');
        let point = *sign == '.' && !open.is_empty() && next.is_ascii_digit();
        let group = matches!(sign, ' ' | ',')
            && !open.is_empty()
            && open.len() <= 3
            && spaced.iter().skip(index + 1).take_while(|sign| sign.is_ascii_digit()).count() == 3;
        if sign.is_ascii_digit() || point {
            open.push(*sign);
            continue;
        }
        if group {
            continue;
        }
        if !open.is_empty() {
            let numeral = std::mem::take(&mut open);
            if !matches!(before, '^') {
                found.push(numeral);
            }
        }
        if *sign != ' ' && !(*sign == '(' && before == '^') {
            before = *sign;
        }
    }
    let fractions: Vec<String> = text
        .replace([' ', '⟨', '⟩'], " ")
        .split(' ')
        .filter(|word| word.split_once('/').is_some_and(|(top, bottom)| digits(top) && digits(bottom)))
        .map(str::to_owned)
        .collect();
    found.extend(fractions);
    found.extend(negatives(text));
    found
}

/// The numerals that a minus sign stands before which subtracts nothing.
fn negatives(text: &str) -> Vec<String> {
    let numeral = |at: usize| {
        let before = text.get(..at).and_then(|before| before.chars().next_back()).unwrap_or(' ');
        let rest = text.get(at + 1..)?;
        let end = rest.find(|sign: char| !sign.is_ascii_digit() && sign != '.').unwrap_or(rest.len());
        let digits = rest.get(..end).filter(|digits| !digits.is_empty())?;
        (!before.is_ascii_alphanumeric() && before != ')').then(|| format!("-{digits}"))
    };
    text.match_indices('-').filter_map(|(at, _)| numeral(at)).collect()
}

fn digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The units that stand in the problem, such as `cm` and `£`.
pub(crate) fn units_of(problem: &str, question: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let words: Vec<&str> = problem.split([' ', '.', ',', '?', ';', '(', ')']).filter(|word| !word.is_empty()).collect();
    for (index, word) in words.iter().enumerate() {
        let name = word.trim_start_matches(|sign: char| sign.is_ascii_digit());
        let whole = units::read(name).is_some_and(|(_, rest)| rest.is_empty());
        let rate =
            name.split_once('/').is_some_and(|(top, below)| units::read(top).is_some() && units::read(below).is_some());
        let behind = name.len() < word.len()
            || index.checked_sub(1).and_then(|before| words.get(before)).is_some_and(|before| {
                before.ends_with(|last: char| last.is_ascii_digit())
                    || matches!(*before, "in" | "many" | "square" | "cubic")
            });
        if (whole && (behind || name.len() > 2)) || rate {
            found.push(name.to_owned());
        }
    }
    if question.contains('£') || question.contains("pound") {
        found.push("£".into());
    }
    if question.contains('°') || question.contains("degrees") || question.contains("angle") {
        found.push("°".into());
    }
    if question.contains("percent") || question.contains("per cent") {
        found.push("%".into());
    }
    found.retain(|unit| !matches!(unit.as_str(), "in" | "a" | "second" | "seconds") || question.contains("time"));
    found.sort_unstable();
    found.dedup();
    found
}
