//! Mending a spelling: the word of the files that somebody most likely meant.

use strsim::osa_distance;

use crate::words::{Lexicon, Stem};

/// Shorter words are taken as they stand: nearly every three letters are one slip away from a word.
const LETTERS_MIN: usize = 5;
/// From so many letters on two slips may have been made.
const LETTERS_OF_TWO_SLIPS: usize = 8;

impl Lexicon {
    /// The stem of a word as it is written here, or of the word of the files that lies within a slip or two of it.
    pub(crate) fn mended(&self, plain: &str) -> Option<Stem> {
        if let Some(stem) = self.stem_of(plain) {
            return Some(stem);
        }
        let letters = plain.chars().count();
        if letters < LETTERS_MIN || !plain.chars().all(char::is_alphabetic) {
            return None;
        }
        let slips = if letters >= LETTERS_OF_TWO_SLIPS { 2 } else { 1 };
        let first = plain.chars().next();
        let alike = |word: &str| word.len().abs_diff(plain.len()) <= slips + 1 && word.chars().next() == first;
        let stem = self.stem(plain);
        // An ending put on a word that is spelt wrongly is no further slip: so the stems are compared as well.
        let distance = |word: &str| osa_distance(word, plain).min(osa_distance(&self.stem(word), &stem) + 1);
        let near = self.words.iter().filter(|known| alike(&known.plain));
        let near = near.map(|known| (distance(&known.plain), known)).filter(|(distance, _)| *distance <= slips);
        // Of equals the first in the alphabet, so that the order of the files decides nothing.
        near.min_by(|(a, one), (b, other)| (a, &one.plain).cmp(&(b, &other.plain))).map(|(_, known)| known.stem)
    }
}
