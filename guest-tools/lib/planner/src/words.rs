//! Words as the planner compares them: lower case, without plural and -ing, a small list of those that say nothing.

mod lists;

/// A word of a text, as it was written and as it is compared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) raw: &'a str,
    pub(crate) key: String,
    /// Byte offset of the first character.
    pub(crate) start: usize,
    /// Byte offset after the last character.
    pub(crate) end: usize,
}

/// The words of a text with their places.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    spans(text).into_iter().map(|(raw, start, end)| Token { raw, key: key(raw), start, end }).collect()
}

/// The words of a text as they were written, each with its first byte and the one after its last.
fn spans(text: &str) -> Vec<(&str, usize, usize)> {
    let mut spans = Vec::new();
    let mut start = None;
    for (at, c) in text.char_indices().chain([(text.len(), ' ')]) {
        match (c.is_alphanumeric() || c == '%', start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                start = None;
                let raw = text.get(from..at).unwrap_or_default();
                // What stands after an apostrophe ("don't", "pupils'") is no word of its own.
                if raw.chars().nth(1).is_some() || !text.get(..from).is_some_and(|before| before.ends_with(['\'', '’']))
                {
                    spans.push((raw, from, at));
                }
            }
            _ => {}
        }
    }
    spans
}

/// The words of a text that can carry a topic, as they are compared.
pub(crate) fn keys(text: &str) -> Vec<String> {
    spans(text).into_iter().map(|(raw, ..)| raw).filter(|raw| !is_function_word(raw)).map(key).collect()
}

/// Whether a word only joins others.
pub(crate) fn is_function_word(word: &str) -> bool {
    lists::FUNCTION.contains(&word.to_lowercase())
}

/// Whether a word belongs to the asking and not to the topic.
pub(crate) fn is_asking_word(word: &str) -> bool {
    lists::ASKING.contains(&word.to_lowercase())
}

/// Whether a word goes with every topic.
pub(crate) fn is_soft(key_of_word: &str) -> bool {
    lists::SOFT.contains(key_of_word)
}

/// The form in which two words are compared: "Loops", "loop" and "looping" are one.
pub(crate) fn key(word: &str) -> String {
    let mut word = word.to_lowercase();
    if word.chars().nth(3).is_none() || !word.is_ascii() {
        return word;
    }
    cut_plural(&mut word);
    cut_ing(&mut word);
    if word.len() >= 5 && word.ends_with('e') {
        word.pop();
    }
    cut_doubled_end(&mut word);
    word
}

fn cut_plural(word: &mut String) {
    if word.len() > 5 && word.ends_with("ies") {
        word.truncate(word.len() - 3);
        word.push('y');
        return;
    }
    if ["ches", "shes", "sses", "xes"].iter().any(|ending| word.ends_with(ending)) {
        word.truncate(word.len() - 2);
        return;
    }
    // "index" and "formula" keep their learned plurals in schools.
    match word.as_str() {
        "indices" => "index".clone_into(word),
        "formulae" => "formula".clone_into(word),
        _ => {
            let keeps_s = ["ss", "us", "is"].iter().any(|ending| word.ends_with(ending));
            if !keeps_s && word.ends_with('s') {
                word.pop();
            }
        }
    }
}

fn cut_ing(word: &mut String) {
    let has_vowel = |stem: &str| stem.contains(['a', 'e', 'i', 'o', 'u', 'y']);
    let stem = word.strip_suffix("ing").filter(|stem| stem.len() >= 3 && has_vowel(stem)).map(str::len);
    if let Some(len) = stem {
        word.truncate(len);
    }
}

/// "programm" of "programming" becomes "program"; "add" loses its second d as well, which harms nobody: both sides do.
fn cut_doubled_end(word: &mut String) {
    let mut ends = word.chars().rev();
    let doubled = ends.next().filter(|last| ends.next() == Some(*last) && last.is_ascii_alphabetic());
    if doubled.is_some() && word.len() > 3 {
        word.pop();
    }
}

/// Adds to the words of a topic those that mean the same in class.
pub(crate) fn with_relatives(keys: &[String]) -> Vec<String> {
    let mut all = keys.to_vec();
    for ring in lists::RELATIVES.iter().filter(|ring| ring.iter().any(|word| keys.contains(word))) {
        all.extend(ring.iter().cloned());
    }
    all.sort();
    all.dedup();
    all
}

/// The words of a text in lower case, read once where several phrases are looked for in it.
#[derive(Debug, Clone)]
pub(crate) struct Said(Vec<String>);

impl Said {
    pub(crate) fn read(text: &str) -> Self {
        Self(spans(text).into_iter().map(|(raw, ..)| raw.to_lowercase()).collect())
    }

    /// Whether it holds one of several phrases, parted by bars, as whole words.
    pub(crate) fn has(&self, phrases: &str) -> bool {
        fn same((word, (wanted, ..)): (&String, &(&str, usize, usize))) -> bool {
            word == wanted || (wanted.contains(char::is_uppercase) && *word == wanted.to_lowercase())
        }
        !self.0.is_empty()
            && phrases.split('|').any(|phrase| {
                let wanted = spans(phrase);
                !wanted.is_empty() && self.0.windows(wanted.len()).any(|window| window.iter().zip(&wanted).all(same))
            })
    }
}

/// Whether a text holds one of several phrases, parted by bars, as whole words.
pub(crate) fn says(clause: &str, phrases: &str) -> bool {
    Said::read(clause).has(phrases)
}

/// How many of the given words occur in a text.
pub(crate) fn overlap(text: &str, wanted: &[String]) -> usize {
    let mut found: Vec<String> = keys(text).into_iter().filter(|key| wanted.contains(key)).collect();
    found.sort();
    found.dedup();
    found.len()
}

/// How alike two words are, from 0 to 100, by the pairs of letters they share: for slips of the pen.
pub(crate) fn likeness(a: &str, b: &str) -> usize {
    let pairs = |word: &str| {
        let letters: Vec<char> = word.to_lowercase().chars().collect();
        letters.windows(2).map(<[char]>::to_vec).collect::<Vec<_>>()
    };
    let (left, mut right) = (pairs(a), pairs(b));
    let total = left.len() + right.len();
    let mut shared = 0_usize;
    for pair in left {
        if let Some(at) = right.iter().position(|other| *other == pair) {
            right.swap_remove(at);
            shared += 1;
        }
    }
    (200 * shared).checked_div(total).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plural_and_ing_make_no_difference() {
        let same = |a: &str, b: &str| assert_eq!(key(a), key(b), "{a} and {b}");
        same("Loops", "loop");
        same("programming", "program");
        same("adding", "add");
        same("fractions", "fraction");
        same("sharing", "share");
        same("images", "image");
        same("searches", "search");
        same("indices", "index");
        same("stories", "story");
        assert_ne!(key("sequence"), key("sequel"));
    }

    #[test]
    fn words_that_join_carry_no_topic() {
        assert_eq!(keys("area of a circle"), [key("area"), key("circle")]);
        assert_eq!(keys("don't repeat"), ["don", "repeat"]);
    }

    #[test]
    fn a_topic_brings_its_relatives() {
        let words = with_relatives(&keys("iteration"));
        assert!(overlap("complete a trace table for a loop", &words) > 0);
        assert_eq!(overlap("point out the array", &words), 0);
    }

    #[test]
    fn slips_of_the_pen_are_near() {
        assert!(likeness("iterration", "iteration") > 80);
        assert!(likeness("lunch", "iteration") < 20);
    }
}
