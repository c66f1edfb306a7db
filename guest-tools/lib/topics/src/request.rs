//! What of a request is its topic: which words an outcome has to cover, and which may be there besides.

use crate::index::Index;
use crate::words::{Stem, TAIL, Word, asks, joins, makes_a_clause, words};

/// More words that carry meaning are a text.
const WORDS_OF_A_TOPIC: usize = 15;

/// A request, read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Request {
    /// The stems that carry the topic, in order, each once; none for a word that no file knows.
    pub(crate) needed: Vec<Option<Stem>>,
    /// Stems of what it is taught with, or of words that only ask: they rank, and need not be covered.
    pub(crate) besides: Vec<Option<Stem>>,
    /// How many words make clauses.
    pub(crate) clause: usize,
}

impl Request {
    /// Reads a request. `class` is taken out of it, and `subjects` are the names that say where to look.
    #[must_use]
    pub fn read(index: &Index, text: &str, class: Option<&str>, subjects: &[String]) -> Self {
        let class = class.map(str::to_lowercase);
        let all: Vec<Word> = words(text).into_iter().filter(|word| Some(&word.plain) != class.as_ref()).collect();
        let mut request = Self::default();
        let (mut in_tail, mut after_content) = (false, false);
        for word in &all {
            if word.after_break {
                (in_tail, after_content) = (false, false);
            }
            if TAIL.contains(&word.plain.as_str()) && !request.needed.is_empty() {
                in_tail = true;
                continue;
            }
            // "learning" asks in "learning about loops" and is part of the topic in "machine learning".
            if joins(&word.plain) || subjects.contains(&word.plain) || asks(&word.plain) && !after_content {
                after_content &= !joins(&word.plain);
                request.clause += usize::from(makes_a_clause(&word.plain));
                continue;
            }
            request.take(index, word, in_tail);
            after_content = true;
        }
        request
    }

    fn take(&mut self, index: &Index, word: &Word, in_tail: bool) {
        let stem = index.lexicon.mended(&word.plain);
        let list = if in_tail { &mut self.besides } else { &mut self.needed };
        if stem.is_none() || !list.contains(&stem) {
            list.push(stem);
        }
    }

    /// Whether it says so much that it is no name of a topic: what it is about is for its reader to say.
    #[must_use]
    pub fn is_a_text(&self) -> bool {
        self.needed.len() > WORDS_OF_A_TOPIC
    }

    /// Whether nothing in it names a topic.
    #[must_use]
    pub fn names_no_topic(&self) -> bool {
        self.needed.is_empty()
    }
}
