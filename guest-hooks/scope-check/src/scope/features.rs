//! What is looked at in a stretch of a request: its words, their letters, the groups they belong to and how these stand
//! together, and what the rest of the request is about.

use ta_linear::Hash;

use super::groups::{Groups, Set};
use super::text::{Kind, Stretch, Word};

/// How far apart two groups may stand and still be read together, in words.
const REACH_WORDS: usize = 7;

/// Letters of a word beyond these are not looked at one by one.
const WORD_LETTERS_MAX: usize = 16;

/// Words that say how others belong together; the rest stand as their group.
const SMALL_WORDS: &[&str] = &[
    "a", "an", "the", "for", "to", "of", "on", "in", "at", "with", "from", "about", "by", "as", "and", "or", "but",
    "so", "that", "which", "who", "what", "how", "why", "when", "where", "is", "are", "was", "be", "do", "does", "can",
    "could", "should", "would", "will", "have", "has", "i", "im", "ive", "id", "my", "me", "mine", "you", "your", "he",
    "she", "his", "her", "him", "they", "their", "them", "it", "its", "this", "we", "our", "us", "not", "no", "dont",
    "ill", "hes", "shes", "if", "whether", "then", "also", "one", "real", "own", "tell", "write", "ma", "tae", "fur",
    "whit", "ah", "these", "each", "until", "tonight", "today", "tomorrow", "really", "actually",
];

/// A request that was read, with the groups of its words.
pub struct Request {
    words: Vec<Word>,
    sets: Vec<Set>,
    /// What each word shows by itself: a request is judged in several ways, and this is worked out once.
    own: Vec<Vec<u32>>,
    /// How often each group stands in the request.
    counts: [u32; 64],
    lesson: Set,
}

impl Request {
    pub(super) fn new(words: Vec<Word>, groups: &Groups) -> Self {
        let texts: Vec<String> = words.iter().map(|word| word.text.clone()).collect();
        let sets = groups.of_words(&texts);
        let counts = counted(&sets);
        let own = words.iter().enumerate().map(|(at, word)| of_word(word, words.get(at + 1))).collect();
        let lesson = ["stage", "product", "teachword", "subject", "topic", "learners"].map(|name| groups.named(name));
        Self { words, sets, own, counts, lesson: lesson.into_iter().fold(0, |all, bit| all | bit) }
    }

    /// The words.
    #[must_use]
    pub fn words(&self) -> &[Word] {
        &self.words
    }

    /// The groups that any word of a stretch has.
    pub(super) fn groups(&self, stretch: &Stretch) -> Set {
        self.sets.get(stretch.words.clone()).unwrap_or_default().iter().fold(0, |all, set| all | set)
    }

    /// The features of a stretch.
    #[must_use]
    pub fn features(&self, stretch: &Stretch) -> Vec<u32> {
        let words = self.words.get(stretch.words.clone()).unwrap_or_default();
        let sets = self.sets.get(stretch.words.clone()).unwrap_or_default();
        let own = self.own.get(stretch.words.clone()).unwrap_or_default();
        let mut features = Vec::with_capacity(words.len() * 40 + 64);
        own.iter().for_each(|own| features.extend_from_slice(own));
        of_groups(words, sets, &mut features);
        self.of_place(stretch, words, sets, &mut features);
        features
    }

    /// What stands before it in its own sentence: "teach S3 how to write" makes of a letter a topic.
    fn before(&self, stretch: &Stretch, features: &mut Vec<u32>) {
        let start = stretch.words.start;
        let Some(sentence) = self.words.get(start).map(|word| word.sentence) else { return };
        let from = start.saturating_sub(BEFORE_WORDS);
        let words = self.words.get(from..start).unwrap_or_default();
        let sets = self.sets.get(from..start).unwrap_or_default();
        let near = words.iter().zip(sets).rev().take_while(|(word, _)| word.sentence == sentence);
        let mut groups = 0;
        for (back, (word, set)) in near.enumerate() {
            groups |= set;
            if back < 3 {
                features.push(Hash::of(b'v').byte(u8::try_from(back).unwrap_or(3)).text(&word.text).end());
            }
        }
        features.extend(bits(groups).map(|group| Hash::of(b'y').byte(group).end()));
    }

    /// What kind of stretch it is, and what the rest is about.
    fn of_place(&self, stretch: &Stretch, words: &[Word], sets: &[Set], features: &mut Vec<u32>) {
        let own = sets.iter().fold(0, |all, set| all | set);
        let inside = counted(sets);
        let mut rest: Set = 0;
        for (bit, (all, inside)) in self.counts.iter().zip(inside).enumerate() {
            rest |= Set::from(*all > inside) << bit;
        }
        for bit in bits(rest & !own) {
            features.push(Hash::of(b'x').byte(bit).end());
        }
        self.before(stretch, features);
        let taught = u8::from(rest & self.lesson != 0) + 2 * u8::from(own & self.lesson != 0);
        for bit in bits(own) {
            features.push(Hash::of(b'l').byte(bit).byte(taught).end());
        }
        let kind = match stretch.kind {
            Kind::Sentence => 0,
            Kind::Part => 1,
            Kind::Pair => 2,
            Kind::Whole => 3,
        };
        features.push(Hash::of(b'k').byte(kind).byte(taught).end());
        features.push(Hash::of(b'n').byte(size(self.words.len())).byte(taught).end());
        features.push(Hash::of(b'm').byte(size(words.len())).byte(kind).end());
        features.push(Hash::of(b'?').byte(u8::from(words.iter().any(|word| word.asks))).byte(taught).end());
    }
}

/// How far before a part of a sentence is looked at what it hangs on, in words.
const BEFORE_WORDS: usize = 12;

/// How many, roughly: one step for each doubling.
fn size(count: usize) -> u8 {
    u8::try_from(usize::BITS - count.leading_zeros()).unwrap_or(u8::MAX)
}

/// How often each group stands in some words.
fn counted(sets: &[Set]) -> [u32; 64] {
    let mut counts = [0_u32; 64];
    for bit in sets.iter().flat_map(|set| bits(*set)) {
        if let Some(count) = counts.get_mut(usize::from(bit)) {
            *count += 1;
        }
    }
    counts
}

/// The groups of a set.
fn bits(mut set: Set) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let bit = u8::try_from(set.trailing_zeros()).ok().filter(|_| set != 0)?;
        set &= set - 1;
        Some(bit)
    })
}

/// The word, the word and the next, its letters three to five at a time.
fn of_word(word: &Word, next: Option<&Word>) -> Vec<u32> {
    let mut features = Vec::with_capacity(24);
    features.push(Hash::of(b'w').text(&word.text).end());
    let next = next.map_or("", |next| next.text.as_str());
    features.push(Hash::of(b'b').text(&word.text).text(next).end());
    if SMALL_WORDS.contains(&word.text.as_str()) {
        return features;
    }
    let letters: Vec<char> =
        std::iter::once('_').chain(word.text.chars().take(WORD_LETTERS_MAX)).chain(std::iter::once('_')).collect();
    for length in 3..=5 {
        for some in letters.windows(length) {
            let hash = some
                .iter()
                .fold(Hash::of(b'c'), |hash, c| u32::from(*c).to_le_bytes().into_iter().take(2).fold(hash, Hash::byte));
            features.push(hash.end());
        }
    }
    features
}

/// A word as its first group, or itself where it is small, or anything.
fn sign(word: &Word, set: Set) -> u32 {
    if let Some(at) = SMALL_WORDS.iter().position(|small| *small == word.text) {
        return 100 + u32::try_from(at).unwrap_or(0);
    }
    if set == 0 { 99 } else { set.trailing_zeros() }
}

/// The groups, which stands before which, and how they stand among small words.
fn of_groups(words: &[Word], sets: &[Set], features: &mut Vec<u32>) {
    let signs: Vec<u32> = words.iter().zip(sets).map(|(word, set)| sign(word, *set)).collect();
    let feature = |kind: u8, signs: &[u32]| {
        signs.iter().fold(Hash::of(kind), |hash, sign| hash.byte(u8::try_from(*sign).unwrap_or(255))).end()
    };
    for length in 2..=4 {
        features.extend(signs.windows(length).map(|signs| feature(b's', signs)));
        features.push(feature(b'f', signs.get(..length.min(signs.len())).unwrap_or_default()));
    }
    for (at, set) in sets.iter().enumerate() {
        for group in bits(*set) {
            features.push(Hash::of(b'g').byte(group).end());
            let near = words.iter().zip(sets).skip(at + 1).take(REACH_WORDS);
            for (word, other) in near {
                features.extend(bits(*other & !set).map(|other| Hash::of(b'p').byte(group).byte(other).end()));
                if SMALL_WORDS.contains(&word.text.as_str()) {
                    features.push(Hash::of(b'q').byte(group).text(&word.text).end());
                }
            }
        }
        if let Some(word) = words.get(at).filter(|word| SMALL_WORDS.contains(&word.text.as_str())) {
            let near = sets.iter().skip(at + 1).take(4).fold(0, |all, set| all | set);
            features.extend(bits(near).map(|group| Hash::of(b'r').text(&word.text).byte(group).end()));
        }
    }
}
