//! What the curriculum files know: for each outcome, how much each word says of it.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use ta_curriculum::file::{CurriculumFile, Entry};
use ta_curriculum::level::Level;

use crate::words::{Lexicon, Stem, words};

/// A curriculum file and where it lies.
#[derive(Debug, Clone)]
pub struct Source {
    /// The path below the workspace, such as `curriculum/cfe-maths.md`.
    pub path: String,
    /// What stands in it.
    pub file: CurriculumFile,
}

/// An outcome of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Its code as it is written, such as `TCH 3-15a`; the first where its heading names several.
    pub code: String,
    /// What follows the codes in the heading.
    pub title: String,
    /// The file's subject, in small letters.
    pub subject: String,
    /// Its level; none in other curricula.
    pub level: Option<Level>,
    /// The path of the file.
    pub path: String,
    /// The line of its heading.
    pub line: u32,
}

/// How much a word says of an outcome, by where it stands: from 0 to 1.
pub(crate) mod weight {
    pub(crate) const TOPIC: f64 = 1.0;
    pub(crate) const TITLE: f64 = 0.9;
    pub(crate) const KEYWORD: f64 = 0.85;
    pub(crate) const OUTCOME: f64 = 0.8;
    pub(crate) const BODY: f64 = 0.45;
}

/// An outcome with its words.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) outcome: Outcome,
    /// Stems with the weight of the best place where they stand.
    pub(crate) weights: FxHashMap<Stem, f64>,
    /// The stems of each topic.
    pub(crate) topics: Vec<BTreeSet<Stem>>,
}

impl Document {
    /// How much a stem says of the outcome.
    pub(crate) fn weight(&self, stem: Option<Stem>) -> f64 {
        stem.and_then(|stem| self.weights.get(&stem)).copied().unwrap_or_default()
    }
}

/// What is known of a set of curriculum files.
#[derive(Default)]
pub struct Index {
    pub(crate) documents: Vec<Document>,
    /// In how many outcomes a stem stands.
    frequency: FxHashMap<Stem, usize>,
    /// Every word of the files.
    pub(crate) lexicon: Lexicon,
}

impl Index {
    /// Reads the outcomes of the files.
    #[must_use]
    pub fn new(sources: &[Source]) -> Self {
        let mut index = Self::default();
        for source in sources {
            let of_code = |entry: &Entry| entry.codes.first().map(ToString::to_string).unwrap_or_default();
            for entry in &source.file.entries {
                let level = entry.codes.first().map(|code| code.level());
                index.take(source, entry, of_code(entry), level);
            }
            for labelled in &source.file.labelled {
                index.take(source, &labelled.entry, labelled.label.clone(), None);
            }
        }
        index
    }

    /// The subjects of the files, in small letters, each once.
    #[must_use]
    pub fn subjects(&self) -> Vec<String> {
        let subjects: BTreeSet<&String> = self.documents.iter().map(|document| &document.outcome.subject).collect();
        subjects.into_iter().filter(|subject| !subject.is_empty()).cloned().collect()
    }

    fn take(&mut self, source: &Source, entry: &Entry, code: String, level: Option<Level>) {
        let mut reading = Reading { lexicon: &mut self.lexicon, weights: FxHashMap::default() };
        let mut topics = Vec::new();
        for topic in entry.field("Topics").unwrap_or_default().split([',', ';']) {
            topics.push(reading.take(topic, weight::TOPIC));
        }
        topics.retain(|topic| !topic.is_empty());
        reading.take(&entry.title, weight::TITLE);
        reading.take(entry.field("Outcome").unwrap_or_default(), weight::OUTCOME);
        for keyword in entry.field("Keywords").unwrap_or_default().split(';') {
            let (name, meaning) = keyword.split_once(':').unwrap_or((keyword, ""));
            reading.take(name, weight::KEYWORD);
            reading.take(meaning, weight::BODY);
        }
        let told = ["Level", "Status", "Before", "After", "Topics", "Outcome", "Keywords"];
        for field in entry.fields.iter().filter(|field| !told.iter().any(|name| field.name.eq_ignore_ascii_case(name)))
        {
            reading.take(&field.value, weight::BODY);
        }
        let weights = reading.weights;
        for stem in weights.keys() {
            *self.frequency.entry(*stem).or_default() += 1;
        }
        let outcome = Outcome {
            code,
            title: entry.title.clone(),
            subject: source.file.meta.subject.as_deref().unwrap_or_default().trim().to_lowercase(),
            level,
            path: source.path.clone(),
            line: entry.first_line,
        };
        self.documents.push(Document { outcome, weights, topics });
    }

    /// How much a stem tells apart: 1 where one outcome knows it or none does, less the more do.
    pub(crate) fn rarity(&self, stem: Option<Stem>) -> f64 {
        let count = |n: usize| f64::from(u32::try_from(n).unwrap_or(u32::MAX));
        let all = count(self.documents.len().max(1)) + 1.0;
        let with = stem.and_then(|stem| self.frequency.get(&stem)).copied().unwrap_or_default();
        (all / count(with.max(1))).ln() / all.ln()
    }
}

/// Takes the words of an outcome.
struct Reading<'a> {
    lexicon: &'a mut Lexicon,
    weights: FxHashMap<Stem, f64>,
}

impl Reading<'_> {
    /// Takes the words of a passage, and returns the stems of those that carry meaning.
    fn take(&mut self, text: &str, weight: f64) -> BTreeSet<Stem> {
        let mut stems = BTreeSet::new();
        for word in words(text) {
            let (stem, joins) = self.lexicon.take(&word.plain);
            let known = self.weights.entry(stem).or_default();
            *known = known.max(weight);
            if !joins {
                stems.insert(stem);
            }
        }
        stems
    }
}
