//! The title of a lesson: the topic as a noun phrase.

use super::phrase::{capitalised, one_line, uncapitalised};
use super::words::{says, tokens};

/// Titles of trusted lessons keep to this length.
const TITLE_CHARS_MAX: usize = 80;

/// Doing words and the nouns that say the same.
const NOUNS: &[(&str, &str)] = &[
    ("adding", "Addition of"),
    ("analysing", "Analysis of"),
    ("choosing", "Choice of"),
    ("collecting", "Collection of"),
    ("comparing", "Comparison of"),
    ("constructing", "Construction of"),
    ("converting", "Conversion of"),
    ("describing", "Description of"),
    ("displaying", "Display of"),
    ("dividing", "Division of"),
    ("enlarging", "Enlargement of"),
    ("entering", "Entry of"),
    ("estimating", "Estimation of"),
    ("evaluating", "Evaluation of"),
    ("expanding", "Expansion of"),
    ("explaining", "Explanation of"),
    ("factorising", "Factorisation of"),
    ("interpreting", "Interpretation of"),
    ("measuring", "Measurement of"),
    ("multiplying", "Multiplication of"),
    ("ordering", "Order of"),
    ("persuading", "Persuasion of"),
    ("predicting", "Prediction of"),
    ("presenting", "Presentation of"),
    ("simplifying", "Simplification of"),
    ("solving", "Solution of"),
    ("subtracting", "Subtraction of"),
    ("transferring", "Transfer of"),
];

/// Words that end like a doing word and are none.
const PLAIN_NOUNS: &[&str] = &["string", "king", "spring", "ring", "thing", "things", "bring", "sing"];

/// Makes a title of a topic: "comparing algorithms" becomes "Comparison of algorithms".
pub(crate) fn title(topic: &str) -> String {
    let topic = one_line(topic);
    let topic = topic.trim_end_matches(['?', '.', '!', ':', ',']).trim_start_matches('#').trim();
    // "The Clearances" is a name and keeps its article.
    let is_no_name = |rest: &&str| !rest.starts_with(char::is_uppercase);
    let topic = topic.strip_prefix("the ").filter(is_no_name).unwrap_or(topic);
    shortened(&match doing_word(topic) {
        None => capitalised(topic),
        Some(word) => nominal(topic, &word),
    })
}

fn doing_word(topic: &str) -> Option<String> {
    let first = tokens(topic).first()?.raw.to_lowercase();
    let is_doing = first.ends_with("ing") && first.len() > 4 && !PLAIN_NOUNS.contains(&first.as_str());
    is_doing.then_some(first)
}

fn nominal(topic: &str, word: &str) -> String {
    let rest = topic.get(word.len()..).unwrap_or_default().trim();
    if let Some(both) = joined(word, rest) {
        return both;
    }
    // "phishing and online safety" begins with the noun that is none by its ending.
    if let Some(other) = rest.strip_prefix("and ").filter(|other| doing_word(other).is_none()) {
        return format!("{} and {word}", capitalised(other));
    }
    match noun(word).filter(|_| takes_object(rest) && has_an_order(word, rest)) {
        Some(noun) => format!("{noun} {rest}"),
        // "sorting algorithms" are algorithms.
        None if ["algorithms", "methods", "strategies", "techniques", "tools"].contains(&rest) => {
            format!("{} for {word}", capitalised(rest))
        }
        None => format!("Skills in {}", uncapitalised(topic)),
    }
}

fn noun(word: &str) -> Option<&'static str> {
    NOUNS.iter().find(|(doing, _)| *doing == word).map(|(_, noun)| *noun)
}

/// "adding and subtracting fractions" as "Addition and subtraction of fractions".
fn joined(word: &str, rest: &str) -> Option<String> {
    let (second, object) = rest.strip_prefix("and ")?.split_once(' ')?;
    let (first, second) = (noun(word)?, noun(second)?);
    Some(format!("{} and {} {object}", first.trim_end_matches(" of"), second.to_lowercase()))
}

/// "ordering decimals" is about their order, "ordering food" is not.
fn has_an_order(word: &str, rest: &str) -> bool {
    const ORDERED: &str = "fraction|fractions|decimal|decimals|number|numbers|integers|events|percentages|steps|words";
    word != "ordering" || says(rest, ORDERED)
}

/// "multiplying out brackets" and "converting between units" do not become "Multiplication of out brackets".
fn takes_object(rest: &str) -> bool {
    const PARTICLES: &[&str] = &["and", "or", "out", "on", "up", "between", "in", "with", "from", "to", "for", "about"];
    rest.split_whitespace().next().is_some_and(|first| !PARTICLES.contains(&first.to_lowercase().as_str()))
}

fn shortened(title: &str) -> String {
    if title.chars().count() <= TITLE_CHARS_MAX {
        return title.to_owned();
    }
    let mut short = String::new();
    for word in title.split_whitespace() {
        if short.chars().count() + word.chars().count() >= TITLE_CHARS_MAX {
            break;
        }
        if !short.is_empty() {
            short.push(' ');
        }
        short.push_str(word);
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_a_noun_phrase() {
        for (topic, expected) in [
            ("iteration", "Iteration"),
            ("while loops", "While loops"),
            ("comparing algorithms", "Comparison of algorithms"),
            ("multiplying out brackets", "Skills in multiplying out brackets"),
            ("adding and subtracting fractions", "Addition and subtraction of fractions"),
            ("sorting algorithms", "Algorithms for sorting"),
            ("rounding", "Skills in rounding"),
            ("string handling", "String handling"),
            ("micro:bit", "Micro:bit"),
            ("the French Revolution", "The French Revolution"),
            ("the water wheel", "Water wheel"),
            ("ordering decimals", "Order of decimals"),
            ("ordering food", "Skills in ordering food"),
            ("what is a loop?", "What is a loop"),
        ] {
            assert_eq!(title(topic), expected);
        }
    }

    #[test]
    fn a_title_is_never_too_long() {
        assert!(title(&"very long topic ".repeat(20)).chars().count() <= TITLE_CHARS_MAX);
    }
}
