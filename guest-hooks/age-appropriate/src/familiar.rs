//! Which words pupils of a year mostly know.

use std::cell::RefCell;
use std::collections::BTreeMap;

const WORDS: &str = include_str!("../data/words.txt");

/// Forms longer than this are cut no further: no English word of school is.
const WORD_BYTES_MAX: usize = 40;

/// Keywords that are taken note of: no lesson defines so many.
const TERMS_MAX: usize = 100;

/// The familiar words of a year, with the lesson's own keywords.
pub(crate) struct Familiar {
    words: Vec<&'static str>,
    /// Words of the terms that the lesson defines.
    own: Vec<String>,
    /// Words that were looked up before: texts repeat themselves.
    seen: RefCell<BTreeMap<String, bool>>,
}

impl Familiar {
    /// The words of the first bands (1 to 3), and those of `terms`.
    pub(crate) fn new(bands: usize, terms: &[String]) -> Self {
        let mut words = Vec::with_capacity(3500);
        let mut band = 0;
        for line in WORDS.lines().filter(|line| !line.starts_with('#')) {
            if line.starts_with('=') {
                band += 1;
            } else if band <= bands {
                words.extend(line.split_ascii_whitespace());
            }
        }
        words.sort_unstable();
        let own = terms.iter().take(TERMS_MAX).flat_map(|term| term.split(|c: char| !c.is_alphanumeric()));
        let mut own: Vec<String> = own.filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
        own.sort_unstable();
        Self { words, own, seen: RefCell::default() }
    }

    /// Whether a word is familiar, in any of its forms.
    pub(crate) fn knows(&self, word: &str) -> bool {
        let word = word.trim_matches('\'').to_lowercase().replace('’', "'");
        if word.len() > WORD_BYTES_MAX {
            return false;
        }
        let word = word.strip_suffix("'s").or_else(|| word.strip_suffix('\'')).unwrap_or(&word);
        // `don't`, `you'll`, `it's`
        let word = word.split_once('\'').map_or(word, |(before, _)| before.strip_suffix('n').unwrap_or(before));
        if let Some(known) = self.seen.borrow().get(word) {
            return *known;
        }
        let known = word.len() <= 2 || self.has_form(word, 0);
        self.seen.borrow_mut().insert(word.to_owned(), known);
        known
    }

    fn has(&self, word: &str) -> bool {
        self.words.binary_search(&word).is_ok() || self.own.binary_search_by(|own| own.as_str().cmp(word)).is_ok()
    }

    /// Takes endings and beginnings off, at most two, until a word remains that is known.
    fn has_form(&self, word: &str, depth: u8) -> bool {
        if self.has(word) {
            return true;
        }
        if depth == 2 || word.len() < 4 {
            return false;
        }
        let deeper = |stem: &str| self.has_form(stem, depth + 1);
        for (ending, instead) in ENDINGS {
            let Some(stem) = word.strip_suffix(ending).filter(|stem| stem.len() >= 2) else { continue };
            if deeper(stem) || instead.iter().any(|instead| deeper(&format!("{stem}{instead}"))) {
                return true;
            }
            // `stopped`, `running`, `bigger`
            let mut letters = stem.chars().rev();
            let doubled = letters.next().filter(|last| letters.next() == Some(*last) && !"aeiou".contains(*last));
            let vowel = ending.starts_with(['e', 'i']);
            if vowel && doubled.is_some_and(|last| stem.strip_suffix(last).is_some_and(deeper)) {
                return true;
            }
        }
        BEGINNINGS
            .iter()
            .any(|beginning| word.strip_prefix(beginning).is_some_and(|rest| rest.len() >= 3 && deeper(rest)))
    }
}

/// Endings, and what a word may have had in their place besides nothing.
const ENDINGS: [(&str, &[&str]); 24] = [
    ("ies", &["y"]),
    ("ied", &["y"]),
    ("ier", &["y"]),
    ("iest", &["y"]),
    ("ily", &["y"]),
    ("iness", &["y"]),
    ("ves", &["f", "fe"]),
    ("es", &["e"]),
    ("s", &[]),
    ("ed", &["e"]),
    ("ing", &["e"]),
    ("er", &["e"]),
    ("or", &["e"]),
    ("est", &["e"]),
    ("ally", &["", "al"]),
    ("ly", &["le"]),
    ("ness", &[]),
    ("ment", &[]),
    ("ful", &[]),
    ("less", &[]),
    ("able", &["e"]),
    ("ation", &["e", "ate"]),
    ("ion", &["e"]),
    ("y", &["e"]),
];

const BEGINNINGS: [&str; 8] = ["un", "re", "non", "sub", "over", "under", "mis", "pre"];

#[cfg(test)]
mod tests {
    use super::Familiar;

    #[test]
    fn words_are_known_in_all_their_forms() {
        let familiar = Familiar::new(3, &["Conditional loop".into(), "iteration".into()]);
        for word in [
            "stopped",
            "tries",
            "happily",
            "Running",
            "children",
            "don't",
            "it’s",
            "pupil's",
            "unhappy",
            "leaves",
            "iterations",
            "looping",
            "largest",
            "rewrite",
            "boxes",
        ] {
            assert!(familiar.knows(word), "{word}");
        }
        for word in
            ["epistemological", "hermeneutics", "paradigmatic", "ontology", "heuristic", "ubiquitous", "juxtaposition"]
        {
            assert!(!familiar.knows(word), "{word}");
        }
        // What is familiar in S1 need not be in P3.
        assert!(!Familiar::new(1, &[]).knows("algorithm"));
        assert!(familiar.knows("algorithm"));
    }

    #[test]
    fn the_list_is_sorted_and_every_word_stands_in_one_band() {
        let mut all = Vec::new();
        for band in super::WORDS.split("\n= ") {
            let words: Vec<&str> = band
                .lines()
                .skip(1)
                .filter(|line| !line.starts_with(['#', '=']))
                .flat_map(str::split_whitespace)
                .collect();
            assert!(words.is_sorted());
            all.extend(words);
        }
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
        assert!(count > 2_500, "{count}");
    }
}
