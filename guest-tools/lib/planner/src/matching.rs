//! Which outcomes a topic belongs to. Strict on purpose: the failure to fear is a real code for the wrong topic.
//!
//! A topic of an entry named in full beats its keywords, these beat its heading, and that beats its text. One common word
//! is no match; neither is a topic whose main word the file does not know ("the French Revolution" in a file of French).

use ta_curriculum::level::Level;

use super::sources::{Place, Source, places};

mod offers;
mod phrase;

pub(crate) use offers::{Offered, names_no_topic, nearest, subjects_named, subjects_read};
use phrase::{EXACT, Phrase, SEVERAL_TOPICS, TOPIC_WITHIN};

/// An entry that fits, and how well.
#[derive(Debug, Clone)]
pub(crate) struct Match<'a> {
    pub(crate) place: Place<'a>,
    pub(crate) weight: u32,
    /// The words of the request that it covers.
    pub(crate) covered: Vec<String>,
}

impl<'a> Match<'a> {
    /// An entry that a lesson names already.
    pub(crate) fn certain(place: Place<'a>) -> Self {
        Self { place, weight: EXACT, covered: Vec::new() }
    }
}

/// What was found for a request.
#[derive(Debug, Clone)]
pub(crate) struct Found<'a> {
    /// One to three outcomes, best first.
    pub(crate) matches: Vec<Match<'a>>,
    /// The topic as it reads in a sentence.
    pub(crate) topic: String,
    /// What followed the topic, such as "with football scores".
    pub(crate) tail: String,
    pub(crate) level: Level,
    /// The level that it was looked for at: that of the class, where one is known.
    pub(crate) asked: Option<Level>,
    /// Words beside the topic that no curriculum file of the subject knows.
    pub(crate) unknown: Vec<String>,
    /// Whether an entry of another level names just this topic, while that of the class's level only holds part of it.
    pub(crate) named_elsewhere: bool,
}

/// A lesson aims at few outcomes.
const OUTCOMES_MAX: usize = 3;
/// Finds the outcomes for several phrases that are one topic as they stand side by side, and only then.
pub(crate) fn find_whole<'a>(
    sources: &'a [Source],
    phrase: &str,
    level: Option<Level>,
    subjects: &[String],
) -> Option<Found<'a>> {
    let is_whole = |found: &Found<'_>| found.matches.first().is_some_and(|best| best.weight >= SEVERAL_TOPICS);
    let mut found = find_phrase(sources, phrase, level, subjects).filter(is_whole)?;
    found.topic = phrase.to_owned();
    found.tail.clear();
    Some(found)
}

/// Finds the outcomes for the first phrase that fits any, at the level if there, else at a level beside it.
pub(crate) fn find<'a>(
    sources: &'a [Source],
    phrases: &[String],
    level: Option<Level>,
    subjects: &[String],
) -> Option<Found<'a>> {
    phrases.iter().find_map(|phrase| find_phrase(sources, phrase, level, subjects))
}

fn find_phrase<'a>(
    sources: &'a [Source],
    phrase: &str,
    level: Option<Level>,
    subjects: &[String],
) -> Option<Found<'a>> {
    let phrase = Phrase::read(phrase);
    let mut matches: Vec<Match<'a>> =
        places(sources).filter_map(|place| phrase.fits(place, sources, subjects)).collect();
    // Stable: of equals the class's own subject comes first, then the order of the files.
    matches.sort_by_cached_key(|one| (std::cmp::Reverse(one.weight), !one.place.source.is_of(subjects)));
    let asked = level;
    let level = match level {
        Some(level) => nearest_level(&matches, level)?,
        None => likely_level(&matches)?,
    };
    let whole = |one: &Match<'_>| one.weight >= SEVERAL_TOPICS;
    let named_elsewhere = matches.iter().any(whole) && !matches.iter().any(|one| whole(one) && one.place.is_at(level));
    let mut here = matches.into_iter().filter(|one| one.place.is_at(level));
    let best = here.next()?;
    let mut covered = best.covered.clone();
    let mut chosen = vec![best];
    for one in here {
        let Some(best) = chosen.first() else { break };
        let same_file = one.place.source.path == best.place.source.path;
        let same_topic = best.weight >= EXACT && one.weight >= EXACT;
        let adds = one.weight >= TOPIC_WITHIN
            && best.weight < SEVERAL_TOPICS
            && one.covered.iter().any(|word| !covered.contains(word));
        if same_file && (same_topic || adds) && chosen.len() < OUTCOMES_MAX {
            covered.extend(one.covered.iter().cloned());
            chosen.push(one);
        }
    }
    let (topic, tail) = phrase.wording(&covered, &chosen);
    let unknown = phrase.unknown(&topic, &chosen);
    Some(Found { matches: chosen, topic, tail, level, asked, unknown, named_elsewhere })
}

/// The level itself, or the one beside it where something fits; the higher one last, since it was not reached yet.
fn nearest_level(matches: &[Match<'_>], level: Level) -> Option<Level> {
    let number = level.number();
    let beside = [Some(number), number.checked_sub(1), number.checked_add(1)];
    let levels = beside.into_iter().flatten().filter_map(Level::from_number);
    levels.into_iter().find(|level| matches.iter().any(|one| one.place.is_at(*level)))
}

/// Without a class: the level of the best match, and of equals the one most secondary lessons are at.
fn likely_level(matches: &[Match<'_>]) -> Option<Level> {
    let best = matches.first()?.weight;
    let order = [Level::Third, Level::Fourth, Level::Second, Level::First, Level::Early];
    order.into_iter().find(|level| matches.iter().any(|one| one.weight == best && one.place.is_at(*level)))
}

#[cfg(test)]
mod tests;
