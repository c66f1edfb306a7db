//! The words of a curriculum file, looked up often: what it knows, and which entry knows it.

use std::collections::{HashMap, HashSet};

use ta_curriculum::file::Entry;

use super::Place;
use crate::words::keys;

/// The words of a file as they are compared.
#[derive(Debug, Clone, Default)]
pub(crate) struct Vocabulary {
    /// Every word of heading, topics, outcome and terms, and those that name the subject.
    pub(crate) all: HashSet<String>,
    /// Topics and terms that are one word: they stand for themselves beside another topic ("Python loops").
    pub(crate) names: HashSet<String>,
    /// The words of each entry, by its first line.
    entries: HashMap<u32, HashSet<String>>,
}

impl Vocabulary {
    pub(super) fn of(places: &[Place<'_>], subject: Vec<String>) -> Self {
        let mut words = Self { names: subject.iter().cloned().collect(), ..Self::default() };
        words.all.extend(subject);
        for place in places {
            let own: HashSet<String> = keys(&text(*place)).into_iter().collect();
            let terms = place.keywords().into_iter().map(|word| keys(&word.term));
            let single = place.topics().into_iter().map(keys).chain(terms).filter(|words| words.len() == 1);
            words.names.extend(single.flatten());
            words.all.extend(own.iter().cloned());
            words.entries.insert(place.entry.first_line, own);
        }
        words
    }

    /// The words of one entry.
    pub(crate) fn of_entry(&self, entry: &Entry) -> Option<&HashSet<String>> {
        self.entries.get(&entry.first_line)
    }

    /// How many entries hold a word.
    pub(crate) fn entries_with(&self, word: &str) -> usize {
        self.entries.values().filter(|words| words.contains(word)).count()
    }
}

fn text(place: Place<'_>) -> String {
    let terms: Vec<String> = place.keywords().into_iter().map(|word| word.term).collect();
    let outcome = place.outcome_text().unwrap_or_default();
    format!("{} {} {outcome} {}", place.entry.title, place.topics().join(" "), terms.join(" "))
}
