//! What is offered where nothing fits: topics that come near, or some of those there are.

use ta_curriculum::level::Level;

use super::super::phrase::listed;
use super::super::sources::{Place, Source, places};
use super::super::words::{Token, is_asking_word, is_function_word, is_soft, key, keys, likeness, tokens};

/// Topics to offer, by name, with their subject.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Offered {
    pub(crate) topics: Vec<String>,
    /// Whether they resemble what was asked for.
    pub(crate) are_near: bool,
}

/// Topics that come near the words of a request; else a choice of what there is.
pub(crate) fn nearest(sources: &[Source], phrases: &[String], level: Option<Level>, subjects: &[String]) -> Offered {
    const OFFERED_MAX: usize = 5;
    /// Below this, two words look alike by accident.
    const LIKENESS_MIN: usize = 60;
    let asked: Vec<String> = phrases
        .iter()
        .flat_map(|phrase| {
            tokens(phrase)
                .into_iter()
                .filter(|t| !is_function_word(t.raw) && !is_asking_word(t.raw))
                .map(|t| t.key)
                .collect::<Vec<_>>()
        })
        .collect();
    let mut ranked: Vec<(usize, String)> = Vec::new();
    for place in places(sources) {
        let here =
            usize::from(level.is_none_or(|level| place.is_at(level))) + usize::from(place.source.is_of(subjects));
        for topic in place.topics() {
            // Slips of the pen seldom hit the first letter.
            let alike = |word: &String| {
                keys(topic)
                    .iter()
                    .filter(|known| known.chars().next() == word.chars().next())
                    .map(|known| likeness(word, known))
                    .max()
                    .filter(|value| *value >= LIKENESS_MIN)
            };
            let score: usize = asked.iter().filter_map(alike).sum();
            let name = format!("{topic} ({})", place.source.title());
            if score > 0 && !ranked.iter().any(|(_, known)| *known == name) {
                ranked.push((score * 3 + here, name));
            }
        }
    }
    ranked.sort_by_key(|(score, _)| std::cmp::Reverse(*score));
    if ranked.is_empty() {
        return Offered {
            topics: samples(sources, level.unwrap_or(Level::Third), subjects, OFFERED_MAX),
            are_near: false,
        };
    }
    Offered { topics: ranked.into_iter().take(OFFERED_MAX).map(|(_, name)| name).collect(), are_near: true }
}

/// The first topics of entries at a level, by turns from the files of these subjects, or of all.
fn samples(sources: &[Source], level: Level, subjects: &[String], most: usize) -> Vec<String> {
    let own: Vec<&Source> = sources.iter().filter(|source| subjects.is_empty() || source.is_of(subjects)).collect();
    let chosen = if own.is_empty() { sources.iter().collect() } else { own };
    let mut topics: Vec<(usize, String)> = Vec::new();
    for source in chosen {
        let here = source.file.entries.iter().map(|entry| Place { source, entry }).filter(|place| place.is_at(level));
        let named = here.filter_map(|place| Some(format!("{} ({})", place.topics().first()?, source.title())));
        topics.extend(named.enumerate());
    }
    topics.sort_by_key(|(at, _)| *at);
    topics.into_iter().map(|(_, topic)| topic).take(most).collect()
}

/// Whether a request names no topic: a subject at the most.
pub(crate) fn names_no_topic(sources: &[Source], phrases: &[String]) -> bool {
    let named: Vec<String> = sources.iter().flat_map(|source| source.subject_keys.iter().cloned()).collect();
    let is_topic = |token: &Token<'_>| {
        let says_nothing = is_function_word(token.raw) || is_asking_word(token.raw) || is_soft(&token.key);
        !says_nothing && !named.contains(&token.key) && token.key != key("science")
    };
    !phrases.iter().any(|phrase| tokens(phrase).iter().any(is_topic))
}

/// The subjects that a request names.
pub(crate) fn subjects_named(sources: &[Source], phrases: &[String]) -> Vec<String> {
    let words: Vec<String> = phrases.iter().flat_map(|phrase| keys(phrase)).collect();
    let named = sources.iter().filter(|source| source.subject_keys.iter().any(|word| words.contains(word)));
    named.map(Source::subject).collect()
}

/// The subjects of the files that were read, as they read in a sentence.
pub(crate) fn subjects_read(sources: &[Source]) -> String {
    let mut titles: Vec<String> = sources.iter().map(Source::title).collect();
    titles.dedup();
    listed(&titles)
}
