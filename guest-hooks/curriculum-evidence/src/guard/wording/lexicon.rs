//! Which words of the descriptions stand in which entry.
//!
//! The entries are read once, and only for the words that some description uses, so the cost is that of splitting the
//! files into words, whatever the number of descriptions.

use ta_curriculum::code::Code;
use ta_curriculum::file::Entry;

use super::beside::Beside;
use crate::guard::library::{Library, Source};
use crate::guard::words::{Stem, Wanted, words};

/// An entry with fewer words than this is thin.
const THIN_ENTRY_WORDS: usize = 30;

/// Beginnings of the names of fields that speak of other outcomes than the entry's own.
const RELATED_FIELDS: &[&str] = &[
    "progress",
    "before",
    "after",
    "cross",
    "prior",
    "typical prior",
    "next",
    "previous",
    "related",
    "leads",
    "see",
    "links",
    "builds",
];

/// The entries of the curriculum, and which of the described words each of them holds.
pub(super) struct Lexicon<'a> {
    pub(super) shelves: Vec<Shelf<'a>>,
    /// The stems in the descriptions. A word's place among them stands for it everywhere below.
    wanted: Wanted,
    /// How telling each wanted word is: words of many entries say little.
    telling: Vec<f64>,
    /// Whether any entry holds it.
    known: Vec<bool>,
}

/// One entry.
pub(super) struct Shelf<'a> {
    pub(super) source: &'a Source,
    pub(super) entry: &'a Entry,
    /// True where there are too few words to miss any.
    pub(super) thin: bool,
    /// Wanted words in the heading and in what describes the outcome itself.
    core: Vec<bool>,
    /// Wanted words anywhere in the entry, fields about other outcomes included.
    whole: Vec<bool>,
}

/// How much of a description an entry shares.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Score {
    /// Words shared.
    pub(super) words: usize,
    /// How telling they are together.
    pub(super) weight: f64,
}

/// Whether a description has no word that its own entry lacks, so that no other entry can fit it better. Most have none,
/// and then the other entries need not be read.
pub(super) fn is_all_own(beside: &Beside, library: &Library) -> bool {
    let wanted = Wanted::new(beside.words.clone());
    let mut own = beside.codes.iter().flat_map(|code| library.entries(*code));
    own.any(|(source, entry)| Shelf::of(source, entry, &wanted).core.iter().all(|&held| held))
}

impl<'a> Lexicon<'a> {
    pub(super) fn of(described: &[Beside], library: &'a Library) -> Self {
        let stems = described.iter().flat_map(|beside| beside.words.iter().chain(&beside.teaching));
        let wanted = Wanted::new(stems.copied().collect());
        let sources = library.curriculum();
        let entries = sources.flat_map(|source| source.file.entries.iter().map(move |entry| (source, entry)));
        let shelves: Vec<Shelf<'a>> = entries.map(|(source, entry)| Shelf::of(source, entry, &wanted)).collect();
        let holders = |word| shelves.iter().filter(|shelf| is_set(&shelf.core, word)).count();
        let holders: Vec<usize> = (0..wanted.count()).map(holders).collect();
        Self {
            telling: holders.iter().map(|&holders| telling(shelves.len(), holders)).collect(),
            known: holders.iter().map(|&holders| holders > 0).collect(),
            wanted,
            shelves,
        }
    }

    /// The places of some words.
    pub(super) fn places_of(&self, words: &[Stem]) -> Vec<usize> {
        words.iter().filter_map(|&word| self.wanted.place_of(word)).collect()
    }

    /// How much of some words an entry's core shares.
    pub(super) fn score(&self, shelf: &Shelf<'_>, words: &[usize]) -> Score {
        let shared = words.iter().filter(|&&word| is_set(&shelf.core, word));
        shared.fold(Score::default(), |score, &word| Score {
            words: score.words + 1,
            weight: score.weight + self.telling.get(word).copied().unwrap_or(0.0),
        })
    }

    /// How telling some words are together: all of them, or those that the files know.
    pub(super) fn weight(&self, words: &[usize], all: bool) -> f64 {
        let counted = words.iter().filter(|&&word| all || is_set(&self.known, word));
        counted.filter_map(|&word| self.telling.get(word)).sum()
    }
}

impl<'a> Shelf<'a> {
    fn of(source: &'a Source, entry: &'a Entry, wanted: &Wanted) -> Self {
        let none = vec![false; wanted.count()];
        let mut shelf = Self { source, entry, thin: false, core: none.clone(), whole: none };
        let mut count = 0;
        let mut fields = entry.fields.iter().peekable();
        let mut related = false;
        for (number, line) in (entry.first_line..).zip(entry.text.lines()) {
            if let Some(field) = fields.next_if(|field| field.line == number) {
                let name = field.name.to_lowercase();
                related = RELATED_FIELDS.iter().any(|other| name.starts_with(other));
            }
            for word in words(line) {
                count += 1;
                if let Some(place) = wanted.place(word) {
                    set(&mut shelf.whole, place);
                    if !related {
                        set(&mut shelf.core, place);
                    }
                }
            }
        }
        shelf.thin = count < THIN_ENTRY_WORDS;
        shelf
    }

    /// Whether the entry is that of one of some codes.
    pub(super) fn is_of(&self, codes: &[Code]) -> bool {
        self.entry.codes.iter().any(|code| codes.contains(code))
    }

    /// How many of some words stand anywhere in the entry.
    pub(super) fn shared(&self, words: &[usize]) -> usize {
        words.iter().filter(|&&word| is_set(&self.whole, word)).count()
    }
}

/// The logarithm of how rare a word is among the entries, and never nothing: a file may have one entry.
fn telling(entries: usize, holders: usize) -> f64 {
    let count = |n: usize| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
    ((count(entries) + 1.0) / (count(holders) + 0.5)).ln().max(0.1)
}

fn is_set(words: &[bool], word: usize) -> bool {
    words.get(word).copied().unwrap_or(false)
}

fn set(words: &mut [bool], word: usize) {
    if let Some(mark) = words.get_mut(word) {
        *mark = true;
    }
}
