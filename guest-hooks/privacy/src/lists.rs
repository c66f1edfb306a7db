//! Given names, family names and plain words, looked up in sorted lists as they are written in their files.
//!
//! Names are those of `@faker-js/faker` 10.6.0 (MIT), its locales in Latin letters, without accents, with given names that are common in Scottish
//! schools; `data/README.md` has the digest. Words are those that the project's own texts write in small letters.

const GIVEN: &str = include_str!("../data/given.txt");
const FAMILY: &str = include_str!("../data/family.txt");
const WORDS: &str = include_str!("../data/words.txt");

/// The three lists.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Lists;

impl Lists {
    /// Whether a folded word is a given name.
    pub(crate) fn is_given(self, word: &str) -> bool {
        has(GIVEN, word)
    }

    /// Whether a folded word is a family name.
    pub(crate) fn is_family(self, word: &str) -> bool {
        has(FAMILY, word)
    }

    /// Whether a folded word is one of plain English, or its plural.
    pub(crate) fn is_word(self, word: &str) -> bool {
        has(WORDS, word) || word.strip_suffix('s').is_some_and(|word| has(WORDS, word))
    }
}

/// Whether a sorted list, its words between white space, has a word: the list is halved until one word is left.
fn has(list: &str, word: &str) -> bool {
    let bytes = list.as_bytes();
    let (mut low, mut high) = (0, bytes.len());
    while low < high {
        let middle = usize::midpoint(low, high);
        let start = bytes.get(low..middle).unwrap_or_default().iter().rposition(u8::is_ascii_whitespace).map_or(low, |at| low + at + 1);
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
    use super::{FAMILY, GIVEN, WORDS, has};

    #[test]
    fn every_word_of_a_list_is_found_and_no_other() {
        for list in [GIVEN, FAMILY, WORDS] {
            let words: Vec<&str> = list.split_ascii_whitespace().collect();
            assert!(words.len() > 5_000 && words.is_sorted(), "{}", words.len());
            for word in &words {
                assert!(has(list, word), "{word}");
                assert!(!has(list, &format!("{word}qz")), "{word}qz");
            }
            assert!(!has(list, "") && !has(list, "zzzzzz") && !has(list, "aaaaaa"));
        }
    }
}
