//! Groups of words that mean alike for what is asked: stages, products, messages, illnesses, cues that something is meant in
//! earnest. A request that names a new illness is then judged as those before.

/// The groups with their words, which the training text is made of as well.
const VOCABULARY: &str = include_str!("../../training/vocabulary.txt");

/// Words of the longest entry that is looked for.
pub(super) const ENTRY_WORDS_MAX: usize = 5;

/// Groups that a request has, one bit each, in the order of the vocabulary.
pub(super) type Set = u64;

/// The entries by a hash of their words, sorted.
pub(super) struct Groups {
    entries: Vec<(u64, Set)>,
    names: Vec<&'static str>,
}

impl Groups {
    pub(super) fn new() -> Self {
        let mut entries: Vec<(u64, Set)> = Vec::with_capacity(2_500);
        let mut names = Vec::new();
        for line in VOCABULARY.lines() {
            let Some((name, words)) = line.strip_prefix('[').and_then(|line| line.split_once("] ")) else { continue };
            let bit = 1 << names.len();
            names.push(name);
            for entry in words.split('|') {
                let key = super::text::words(entry).fold(0, |key, word| joined(key, &word));
                entries.push((key, bit));
            }
        }
        entries.sort_unstable();
        entries.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 |= next.1;
            }
            same
        });
        Self { entries, names }
    }

    /// The groups that have an entry of these words.
    fn of(&self, key: u64) -> Set {
        let at = self.entries.binary_search_by_key(&key, |entry| entry.0);
        at.ok().and_then(|at| self.entries.get(at)).map_or(0, |entry| entry.1)
    }

    /// For each word the groups of all entries that it is part of.
    pub(super) fn of_words(&self, words: &[String]) -> Vec<Set> {
        let mut sets = vec![0; words.len()];
        for start in 0..words.len() {
            let mut key = 0;
            for (end, word) in words.iter().enumerate().skip(start).take(ENTRY_WORDS_MAX) {
                key = joined(key, word);
                let mut groups = self.of(key);
                if groups == 0 && start == end {
                    groups = self.of_one(word);
                }
                if groups != 0 {
                    sets.iter_mut().take(end + 1).skip(start).for_each(|set| *set |= groups);
                }
            }
        }
        sets
    }

    /// The groups of a word, or of its singular; a class such as `3b2` is a stage.
    fn of_one(&self, word: &str) -> Set {
        let singular = word.strip_suffix("es").map_or(0, |word| self.of(joined(0, word)));
        let singular = singular | word.strip_suffix('s').map_or(0, |word| self.of(joined(0, word)));
        singular | if is_class(word) { self.named("stage") } else { 0 }
    }

    /// The bit of a group.
    pub(super) fn named(&self, name: &str) -> Set {
        self.names.iter().position(|known| *known == name).map_or(0, |at| 1 << at)
    }
}

fn joined(key: u64, word: &str) -> u64 {
    let hash = key.wrapping_mul(31) ^ 0xCBF2_9CE4_8422_2325;
    word.bytes().fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3))
}

/// Whether a word is a class or a stage: `3b`, `3b1`, `s2`, `p7`, `n5`, also with the `s` of an owner.
fn is_class(word: &str) -> bool {
    let word = if word.len() > 2 { word.strip_suffix('s').unwrap_or(word) } else { word };
    let mut letters = word.chars();
    let (first, second, third) = (letters.next(), letters.next(), letters.next());
    match (first, second) {
        (Some('1'..='6'), Some('a'..='z')) => third.is_none_or(|c| c.is_ascii_digit()) && letters.next().is_none(),
        (Some('s' | 'p' | 'n'), Some('1'..='7')) => third.is_none(),
        _ => false,
    }
}
