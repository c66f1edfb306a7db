//! Replies judged by data: the words of the answers that a question accepts, looked for in what a learner wrote.

use crate::topic::{Asked, Topic};

/// What a reply is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Right.
    Right,
    /// Some of the ideas are there: so many of how many.
    Part(usize, usize),
    /// Wrong; what went wrong, where it is a known mistake.
    Wrong(Option<String>),
    /// It names several things to choose from, and none of them clearly.
    Unclear,
    /// The learner says that they are lost.
    Lost,
    /// It is about something else.
    OffTopic,
}

const NUMBERS: [&str; 21] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
];
const PARTS: [(&str, u32); 12] = [
    ("half", 2),
    ("halves", 2),
    ("third", 3),
    ("quarter", 4),
    ("fourth", 4),
    ("fifth", 5),
    ("sixth", 6),
    ("seventh", 7),
    ("eighth", 8),
    ("ninth", 9),
    ("tenth", 10),
    ("twelfth", 12),
];
const LEFT_OUT: [&str; 6] = ["a", "an", "the", "its", "it", "is"];
const NOT: [&str; 7] = ["not", "isnt", "arent", "doesnt", "dont", "never", "no"];
const LESS: [&str; 6] = ["smaller", "less", "smallest", "least", "fewer", "lower"];
const MORE: [&str; 9] = ["bigger", "larger", "greater", "more", "biggest", "largest", "greatest", "most", "higher"];
const LOST: [&str; 12] = [
    "confused",
    "dont understand",
    "dont get",
    "im lost",
    "no idea",
    "makes no sense",
    "too hard",
    "dont know",
    "cant do",
    "doesnt make sense",
    "not sure what",
    "stuck",
];
const ELSEWHERE: [&str; 16] = [
    "can we talk",
    "talk about",
    "do you like",
    "do you have",
    "do you play",
    "what did you",
    "how old are you",
    "who are you",
    "tell me a joke",
    "whats your",
    "what is your",
    "my favourite",
    "lets play",
    "can we play",
    "this is boring",
    "whats up",
];
const GREETINGS: [&str; 10] = ["hi", "hello", "hey", "lol", "ok", "okay", "thanks", "cool", "bye", "yo"];

/// A text as words in lower case: numbers as digits, parts as fractions, without articles and punctuation.
#[must_use]
pub fn words(text: &str) -> Vec<String> {
    let mut plain = String::with_capacity(text.len());
    for sign in text.to_lowercase().chars() {
        match sign {
            '½' => plain.push_str(" 1/2 "),
            '¼' => plain.push_str(" 1/4 "),
            '¾' => plain.push_str(" 3/4 "),
            '⅓' => plain.push_str(" 1/3 "),
            '⅔' => plain.push_str(" 2/3 "),
            '⅜' => plain.push_str(" 3/8 "),
            '⅝' => plain.push_str(" 5/8 "),
            '⅞' => plain.push_str(" 7/8 "),
            '\'' | '’' => {}
            '>' => plain.push_str(" bigger "),
            '<' => plain.push_str(" smaller "),
            '-' => plain.push(' '),
            '/' | '.' => plain.push(sign),
            _ if sign.is_alphanumeric() => plain.push(sign),
            _ => plain.push(' '),
        }
    }
    let mut words: Vec<String> = Vec::new();
    for word in plain.replace(" / ", "/").split_whitespace() {
        let word = word.trim_matches(|sign| sign == '.' || sign == '/');
        let number = NUMBERS.iter().position(|name| *name == word).map(|n| n.to_string());
        let part = PARTS.iter().find(|(name, _)| *name == word || word.strip_suffix('s') == Some(name));
        let before = words.last().filter(|it| it.parse::<u32>().is_ok()).cloned();
        match (number, part, before) {
            (Some(number), _, _) => words.push(number),
            (None, Some((_, of)), Some(count)) => {
                words.pop();
                words.push(format!("{count}/{of}"));
            }
            (None, Some((_, of)), None) => words.push(format!("1/{of}")),
            _ if word.is_empty() || LEFT_OUT.contains(&word) => {}
            _ => words.push(word.to_owned()),
        }
    }
    words
}

/// Where a phrase begins in a text, as words.
fn find(text: &[String], phrase: &[String]) -> Option<usize> {
    if phrase.is_empty() {
        return None;
    }
    text.windows(phrase.len()).position(|window| window.iter().zip(phrase).all(|(a, b)| same(a, b)))
}

/// Whether two words are the same, but for a plural.
fn same(one: &str, other: &str) -> bool {
    let stem = |word: &str| word.strip_suffix('s').filter(|it| it.len() > 2).unwrap_or(word).to_owned();
    one == other || (one.chars().all(char::is_alphabetic) && stem(one) == stem(other))
}

fn says(text: &[String], phrase: &str) -> bool {
    let phrase = words(phrase);
    let Some(at) = find(text, &phrase) else { return false };
    let before = text.get(at.saturating_sub(3)..at).unwrap_or_default();
    let own = phrase.iter().any(|word| NOT.contains(&word.as_str()));
    own || !before.iter().any(|word| NOT.contains(&word.as_str()))
}

/// Judges a reply to a question of a topic.
#[must_use]
pub fn judge(topic: &Topic, asked: &Asked, reply: &str) -> Verdict {
    let given = words(reply);
    let verdict = answer(asked, &given);
    if let Some(verdict) = verdict {
        return verdict;
    }
    let joined = format!(" {} ", given.join(" "));
    let has = |all: &[&str]| all.iter().any(|it| joined.contains(&format!(" {} ", words(it).join(" "))));
    if has(&LOST) {
        return Verdict::Lost;
    }
    let about = topic.words.iter().any(|word| find(&given, &words(word)).is_some());
    let greeting = !given.is_empty() && given.iter().all(|word| GREETINGS.contains(&word.as_str()));
    if greeting || (!about && has(&ELSEWHERE)) || !reply.chars().any(char::is_alphanumeric) {
        return Verdict::OffTopic;
    }
    let mistake = asked.mistakes.iter().find(|(wrong, _)| says(&given, wrong));
    Verdict::Wrong(mistake.map(|(_, told)| told.clone()))
}

/// What a reply is as an answer; none where it is none that the question knows.
fn answer(asked: &Asked, given: &[String]) -> Option<Verdict> {
    if !asked.options.is_empty() {
        return choice(asked, given);
    }
    let numbers = |phrase: &[String]| phrase.iter().any(|word| word.starts_with(|sign: char| sign.is_ascii_digit()));
    let question = words(&asked.ask);
    for accepted in &asked.accept {
        let phrase = words(accepted);
        // Of several numbers nobody can say which one was meant.
        let others = numbers(&phrase)
            && given
                .iter()
                .any(|word| numbers(std::slice::from_ref(word)) && !phrase.contains(word) && !question.contains(word));
        if says(given, accepted) {
            return Some(if others { Verdict::Unclear } else { Verdict::Right });
        }
    }
    if asked.ideas.is_empty() {
        return None;
    }
    let there = asked.ideas.iter().filter(|idea| idea.iter().any(|phrase| says(given, phrase))).count();
    match there {
        0 => None,
        _ if there == asked.ideas.len() => Some(Verdict::Right),
        _ => Some(Verdict::Part(there, asked.ideas.len())),
    }
}

/// Which option a reply names: the only one, or the one that is said to be more where the question asks for that.
fn choice(asked: &Asked, given: &[String]) -> Option<Verdict> {
    let places = asked.options.iter().map(|option| (find(given, &words(option)), option));
    let mut named: Vec<(usize, &String)> = places.filter_map(|(at, option)| Some((at?, option))).collect();
    named.sort_by_key(|(at, _)| *at);
    // Other words for the right option.
    let other_words = asked.accept.iter().filter(|accepted| !asked.options.contains(accepted));
    if other_words.into_iter().any(|accepted| says(given, accepted)) && named.len() < 2 {
        return Some(Verdict::Right);
    }
    let question = words(&asked.ask);
    let (less, more) = (position(given, &LESS), position(given, &MORE));
    let asks_less = position(&question, &LESS).is_some();
    let compares = (asks_less || position(&question, &MORE).is_some()) && !asked.options.iter().any(|it| it == "yes");
    let chosen = match named.as_slice() {
        [] => return None,
        [(at, only)] => {
            let not = given.get(at.saturating_sub(3)..*at).unwrap_or_default();
            if not.iter().any(|word| NOT.contains(&word.as_str())) {
                return Some(Verdict::Unclear);
            }
            // The other one is meant where the only one is said to be the contrary of what was asked for.
            let behind = given.get(at + words(only).len());
            let is = |of: &[&str]| behind.is_some_and(|word| of.contains(&word.as_str()));
            let contrary = compares && if asks_less { is(&MORE) } else { is(&LESS) };
            match (contrary, asked.options.as_slice()) {
                (true, [one, other]) => {
                    if *only == one {
                        other
                    } else {
                        one
                    }
                }
                (true, _) => return Some(Verdict::Unclear),
                (false, _) => *only,
            }
        }
        [(first, one), (second, other), ..] => {
            let between = |at: &Option<usize>| at.is_some_and(|at| at > *first && at < *second);
            let not = given.get(*first..*second).unwrap_or_default().iter().any(|word| NOT.contains(&word.as_str()));
            match (between(&less), between(&more), asks_less) {
                _ if not || named.len() > 2 => return Some(Verdict::Unclear),
                (true, false, true) | (false, true, false) => *one,
                (true, false, false) | (false, true, true) => *other,
                _ => return Some(Verdict::Unclear),
            }
        }
    };
    let right = asked.accept.iter().any(|accepted| words(accepted) == words(chosen));
    let told = asked.mistakes.get(chosen.as_str()).cloned();
    Some(if right { Verdict::Right } else { Verdict::Wrong(told) })
}

fn position(text: &[String], of: &[&str]) -> Option<usize> {
    text.iter().position(|word| of.contains(&word.as_str()))
}
