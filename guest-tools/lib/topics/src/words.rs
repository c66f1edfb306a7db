//! Words as they are compared: folded to small letters, a word of Scots put into English, stemmed.

use std::collections::HashSet;
use std::sync::LazyLock;

use rust_stemmers::{Algorithm, Stemmer};
use rustc_hash::FxHashMap;

/// The number of a stem in a [`Lexicon`].
pub(crate) type Stem = u32;

/// A word of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Word {
    /// In small letters, without accents, in English.
    pub(crate) plain: String,
    /// Whether a comma, a dash or the like stands before it.
    pub(crate) after_break: bool,
}

/// A longer word is cut: no school word has more letters.
const LETTERS_MAX: usize = 40;

/// Beginnings that are written with a hyphen and without.
const PREFIXES: [&str; 5] = ["co", "e", "non", "pre", "re"];

/// A word that stands in the files.
#[derive(Debug)]
pub(crate) struct Known {
    pub(crate) plain: String,
    pub(crate) stem: Stem,
    /// Whether it only joins others.
    pub(crate) joins: bool,
}

/// The words of the files, each with its stem, worked out once.
pub(crate) struct Lexicon {
    stemmer: Stemmer,
    known: FxHashMap<String, usize>,
    pub(crate) words: Vec<Known>,
    stems: FxHashMap<String, Stem>,
}

impl Default for Lexicon {
    fn default() -> Self {
        let stemmer = Stemmer::create(Algorithm::English);
        Self { stemmer, known: FxHashMap::default(), words: Vec::new(), stems: FxHashMap::default() }
    }
}

impl Lexicon {
    /// Takes a word of the files.
    pub(crate) fn take(&mut self, plain: &str) -> (Stem, bool) {
        if let Some(known) = self.known.get(plain).and_then(|at| self.words.get(*at)) {
            return (known.stem, known.joins);
        }
        let next = Stem::try_from(self.stems.len()).unwrap_or(Stem::MAX);
        let stem = *self.stems.entry(self.stem(plain)).or_insert(next);
        let joins = joins(plain);
        self.known.insert(plain.to_owned(), self.words.len());
        self.words.push(Known { plain: plain.to_owned(), stem, joins });
        (stem, joins)
    }

    /// The number of a word's stem, where the files have one of its forms.
    pub(crate) fn stem_of(&self, plain: &str) -> Option<Stem> {
        self.stems.get(&self.stem(plain)).copied()
    }

    /// What stands for all forms of a word.
    pub(crate) fn stem(&self, plain: &str) -> String {
        let stays = plain.chars().count() <= 3 || !plain.is_ascii();
        if stays { plain.to_owned() } else { self.stemmer.stem(plain).into_owned() }
    }
}

/// The words of a text, in order.
pub(crate) fn words(text: &str) -> Vec<Word> {
    let mut found: Vec<Word> = Vec::new();
    let (mut current, mut broken) = (String::new(), false);
    for c in text.chars().map(folded).chain([' ']) {
        // "co-ordinates" and "coordinates" are one word.
        if c == '-' && PREFIXES.contains(&current.as_str()) {
            continue;
        }
        if c.is_alphanumeric() || c == '%' || c == '\'' && !current.is_empty() {
            if current.len() < LETTERS_MAX {
                current.push(c);
            }
            continue;
        }
        if !current.is_empty() {
            found.extend(word(&std::mem::take(&mut current), std::mem::take(&mut broken)));
        }
        broken |= matches!(c, ',' | ';' | ':' | '.' | '(' | ')' | '?' | '!' | '–' | '—' | '\n');
    }
    found
}

fn word(raw: &str, after_break: bool) -> Option<Word> {
    let trimmed = raw.trim_matches('\'');
    let possessive = trimmed.strip_suffix("'s").or_else(|| trimmed.strip_suffix("s'")).unwrap_or(trimmed);
    let plain = if possessive.contains('\'') { possessive.replace('\'', "") } else { possessive.to_owned() };
    let plain = english(&plain).map_or(plain, str::to_owned);
    (!plain.is_empty()).then_some(Word { plain, after_break })
}

/// Small letters; the letter below an accent; one form of apostrophe.
fn folded(c: char) -> char {
    match c {
        'à' | 'â' | 'ä' | 'á' | 'À' | 'Â' | 'Á' => 'a',
        'é' | 'è' | 'ê' | 'ë' | 'É' | 'È' | 'Ê' => 'e',
        'î' | 'ï' | 'í' => 'i',
        'ô' | 'ö' | 'ó' => 'o',
        'ù' | 'û' | 'ü' | 'ú' => 'u',
        'ç' | 'Ç' => 'c',
        'ñ' => 'n',
        '’' | '‘' => '\'',
        ascii if ascii.is_ascii() => ascii.to_ascii_lowercase(),
        other => other.to_lowercase().next().unwrap_or(other),
    }
}

/// Scots words and spellings that teachers type, with the English word that the curriculum files use. Sorted.
const SCOTS: &[(&str, &str)] = &[
    ("aboot", "about"),
    ("aff", "off"),
    ("aw", "all"),
    ("bairn", "child"),
    ("bairns", "children"),
    ("blether", "conversation"),
    ("cannae", "cannot"),
    ("dae", "do"),
    ("efter", "after"),
    ("fae", "from"),
    ("frae", "from"),
    ("fur", "for"),
    ("guid", "good"),
    ("hale", "whole"),
    ("hauf", "half"),
    ("hoo", "how"),
    ("hoose", "house"),
    ("hunner", "hundred"),
    ("ither", "other"),
    ("ken", "know"),
    ("mair", "more"),
    ("messages", "shopping"),
    ("noo", "now"),
    ("oot", "out"),
    ("scrieve", "write"),
    ("scrievin", "writing"),
    ("siller", "money"),
    ("tae", "to"),
    ("tattie", "potato"),
    ("wark", "work"),
    ("weans", "children"),
    ("wee", "small"),
    ("whit", "what"),
    ("wi", "with"),
    ("yer", "your"),
    ("youse", "you"),
];

fn english(word: &str) -> Option<&'static str> {
    let at = SCOTS.binary_search_by_key(&word, |(scots, _)| scots).ok()?;
    SCOTS.get(at).map(|(_, english)| *english)
}

type Set = LazyLock<HashSet<&'static str>>;

static JOINS: Set = LazyLock::new(|| JOINING.split_ascii_whitespace().collect());
static ASKS: Set = LazyLock::new(|| ASKING.split_ascii_whitespace().collect());

/// Words that join others and carry no topic.
const JOINING: &str = "a an and are as at be been but by did do does for from get gets go had has have he her his how i if in into \
    is it its me my no not of off on one or our out own she should so some than that the their them then there these they \
    this those to too two up us was we were what whats when where which while who why will with would you your can could \
    about all any each every here just more most other over same such very between because let lets am im youre ye \
    isnt dont doesnt back another someone everybody whose";

/// Words of asking for a lesson, which name no topic either.
const ASKING: &str = "plan planning lesson lessons make create write prepare design draft give need want like please help teach \
    teaching class set group pupil pupils kids period periods minute minutes hour double single today tomorrow monday tuesday \
    wednesday thursday friday morning afternoon last next week first second third thing something anything introduction introduce \
    introducing intro topic session unit new good nice quick fun simple easy hard short now again also start starting begin \
    cover doing year level hello hi thanks thank ok okay time before after learning learn about understanding understand \
    explaining looking look finding find talking talk using use know knowing meet go s1 s2 s3 s4 s5 s6 project really real bit";

/// Joining words that make a clause: many of them around few other words are a sentence, and no name of a topic.
const CLAUSE: &str =
    "be did do does else everybody he how i if she someone they we what when where which while who why you your";

/// Words behind which stands with what a topic is taught, or not to be, and not what it is.
pub(crate) const TAIL: [&str; 5] = ["with", "without", "using", "through", "via"];

/// Whether a word only joins others.
pub(crate) fn joins(plain: &str) -> bool {
    JOINS.contains(plain)
}

/// Whether a word makes a clause.
pub(crate) fn makes_a_clause(plain: &str) -> bool {
    CLAUSE.split_ascii_whitespace().any(|word| word == plain)
}

/// Whether a word belongs to the asking.
pub(crate) fn asks(plain: &str) -> bool {
    ASKS.contains(plain)
}

#[cfg(test)]
mod tests {
    use super::{Lexicon, SCOTS, words};

    fn stems(text: &str) -> Vec<String> {
        words(text).into_iter().map(|word| Lexicon::default().stem(&word.plain)).collect()
    }

    #[test]
    fn forms_of_a_word_are_one_and_scots_is_read() {
        assert_eq!(stems("Factorising"), stems("factorise"));
        assert_eq!(stems("scrievin a story"), stems("writing a story"));
        assert_eq!(stems("children’s rights"), stems("children's right"));
    }

    #[test]
    fn the_list_that_is_searched_is_sorted() {
        assert!(SCOTS.is_sorted_by_key(|(scots, _)| scots));
    }

    #[test]
    fn a_break_is_noticed() {
        let breaks: Vec<bool> = words("ne … pas, negatives: 2A").into_iter().map(|word| word.after_break).collect();
        assert_eq!(breaks, [false, false, true, true]);
    }
}
