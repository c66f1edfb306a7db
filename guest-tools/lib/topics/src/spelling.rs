//! Mending a spelling: the word of the files that somebody most likely meant.

use strsim::osa_distance;

use crate::index::Index;

/// Shorter words are taken as they stand: nearly every three letters are one slip away from a word.
const LETTERS_MIN: usize = 5;

impl Index {
    /// The stem of a word as it is written here, or of the one word of the files that lies within a slip or two of it.
    pub(crate) fn mended(&self, plain: &str, stem: &str) -> Option<String> {
        if self.frequency.contains_key(stem) {
            return Some(stem.to_owned());
        }
        let letters = plain.chars().count();
        if letters < LETTERS_MIN || !plain.chars().all(char::is_alphabetic) {
            return None;
        }
        let slips = if letters >= 8 { 2 } else { 1 };
        let near = self.vocabulary.range(letters.saturating_sub(slips + 1)..=letters + slips + 1);
        let near = near.flat_map(|(_, words)| words).filter(|(word, _)| word.chars().next() == plain.chars().next());
        // An ending put on a word that is spelt wrongly is no further slip: so the stems are compared as well.
        let of = |(word, known): (&String, &String)| osa_distance(word, plain).min(osa_distance(known, stem) + 1);
        let best = near.map(|entry| (of(entry), entry)).filter(|(distance, _)| *distance <= slips).min()?;
        Some(best.1.1.clone())
    }
}
