//! Keywords, found as whole words.

use std::collections::HashMap;

/// Keywords by their first word, so that a text is walked through once.
#[derive(Debug, Default)]
pub(crate) struct Words {
    by_first: HashMap<String, Vec<(Vec<String>, usize)>>,
}

impl Words {
    /// Adds a keyword of a signal: one word, or several in a row.
    pub(crate) fn add(&mut self, keyword: &str, signal: usize) {
        let keyword = keyword.to_lowercase();
        let mut words = split(&keyword).map(str::to_owned);
        let Some(first) = words.next() else { return };
        self.by_first.entry(first).or_default().push((words.collect(), signal));
    }

    /// The signals with a keyword in this text, which is in small letters.
    pub(crate) fn found(&self, text: &str) -> Vec<usize> {
        let words: Vec<&str> = split(text).collect();
        let mut found = Vec::new();
        for (at, word) in words.iter().enumerate() {
            for (rest, signal) in self.by_first.get(*word).map(Vec::as_slice).unwrap_or_default() {
                let here = words.get(at + 1..at + 1 + rest.len());
                if here.is_some_and(|here| here.iter().zip(rest).all(|(one, other)| one == other)) {
                    found.push(*signal);
                }
            }
        }
        found
    }
}

/// The words of a text: letters, digits and what joins them within a word. `end-to-end` is three words, in a keyword as in a text.
pub(crate) fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}
