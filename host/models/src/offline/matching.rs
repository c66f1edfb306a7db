//! Which outcomes a topic belongs to. Strict on purpose: the failure to fear is a real code for the wrong topic.
//!
//! A topic of an entry named in full beats its keywords, these beat its heading, and that beats its text. One common word
//! is no match; neither is a topic whose main word the file does not know ("the French Revolution" in a file of French).

use ta_curriculum::level::Level;

use super::phrase::listed;
use super::sources::{Place, Source, places};
use super::words::{is_asking_word, is_function_word, is_soft, key, keys, likeness, tokens};

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
    /// Words beside the topic that no curriculum file of the subject knows.
    pub(crate) unknown: Vec<String>,
    /// Whether an entry of another level names just this topic, while that of the class's level only holds part of it.
    pub(crate) named_elsewhere: bool,
}

/// A lesson aims at few outcomes.
const OUTCOMES_MAX: usize = 3;
const EXACT: u32 = 300;
/// Several topics of one entry that together are all that was asked for.
const SEVERAL_TOPICS: u32 = 290;
const TOPIC_WITHIN: u32 = 200;
const PART_OF_TOPIC: u32 = 150;
const KEYWORD: u32 = 140;
const HEAD_OF_TOPIC: u32 = 120;
const HEADING: u32 = 100;
const TEXT: u32 = 60;
/// A word that more entries than this share tells none of them apart.
const ENTRIES_WITH_RARE_WORD_MAX: usize = 4;

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
    matches.sort_by_key(|one| (std::cmp::Reverse(one.weight), !one.place.source.is_of(subjects)));
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
    Some(Found { matches: chosen, topic, tail, level, unknown, named_elsewhere })
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

/// A word of the request in its place.
#[derive(Debug, Clone)]
struct Word {
    key: String,
    /// Number of the run of words it stands in; little words part the runs.
    chunk: usize,
    /// Says nothing about the topic by itself.
    neutral: bool,
    start: usize,
    end: usize,
}

/// A phrase that may be a topic.
#[derive(Debug, Clone)]
struct Phrase {
    text: String,
    words: Vec<Word>,
    /// The little word before each run.
    leads: Vec<String>,
}

impl Phrase {
    fn read(text: &str) -> Self {
        let mut leads = vec![String::new()];
        let mut words: Vec<Word> = Vec::new();
        for token in tokens(text) {
            if is_function_word(token.raw) || ["using", "through", "about"].contains(&token.raw.to_lowercase().as_str())
            {
                let opens = words.last().is_some_and(|word| word.chunk + 1 == leads.len());
                let article =
                    ["a", "an", "the", "their", "our", "my", "some"].contains(&token.raw.to_lowercase().as_str());
                if opens {
                    leads.push(token.raw.to_lowercase());
                } else if let (false, Some(lead)) = (article, leads.last_mut()) {
                    *lead = token.raw.to_lowercase();
                }
                continue;
            }
            let neutral = is_asking_word(token.raw) || is_soft(&token.key);
            words.push(Word { key: token.key, chunk: leads.len() - 1, neutral, start: token.start, end: token.end });
        }
        Self { text: text.to_owned(), words, leads }
    }

    /// The words that carry the topic, for a file.
    fn core(&self, source: &Source) -> Vec<&str> {
        let own = source.subject_keys();
        self.words
            .iter()
            .filter(|word| !word.neutral && !own.contains(&word.key))
            .map(|word| word.key.as_str())
            .collect()
    }

    fn holds(&self, wanted: &[String]) -> bool {
        let all_there = wanted.iter().all(|key| self.words.iter().any(|word| word.key == *key));
        let neutral = wanted.iter().all(|key| self.words.iter().any(|word| word.key == *key && word.neutral));
        // A topic made of asking words only ("planning time") has to stand there as it is.
        let in_row =
            self.words.windows(wanted.len().max(1)).any(|row| row.iter().map(|word| &word.key).eq(wanted.iter()));
        all_there && !wanted.is_empty() && (!neutral || in_row)
    }

    fn fits<'a>(&self, place: Place<'a>, sources: &[Source], subjects: &[String]) -> Option<Match<'a>> {
        let core = self.core(place.source);
        let by_topic: Vec<(u32, Vec<String>)> =
            place.topics().into_iter().filter_map(|topic| self.fits_topic(topic, &core, place, subjects)).collect();
        let together = together(&by_topic, &core);
        let by_keyword = place
            .keywords()
            .into_iter()
            .filter_map(|word| self.fits_keyword(&keys(&word.term), &core, place, subjects));
        let by_text = self.fits_text(&core, place, sources);
        let best =
            by_topic.into_iter().chain(together).chain(by_keyword).chain(by_text).max_by_key(|(weight, _)| *weight)?;
        Some(Match { place, weight: best.0, covered: best.1 })
    }

    fn fits_topic(
        &self,
        topic: &str,
        core: &[&str],
        place: Place<'_>,
        subjects: &[String],
    ) -> Option<(u32, Vec<String>)> {
        let wanted = keys(topic);
        if self.holds(&wanted) {
            let rest = core.iter().filter(|word| !wanted.iter().any(|key| key == *word)).count();
            if rest == 0 {
                return Some((EXACT + u32::try_from(wanted.len()).unwrap_or(0), wanted));
            }
            let weight = TOPIC_WITHIN + 20 * u32::try_from(wanted.len()).unwrap_or(1).min(4);
            return self.is_about(&wanted, place.source, subjects).then_some((weight, wanted));
        }
        let covered: Vec<String> =
            core.iter().filter(|word| wanted.iter().any(|key| key == *word)).map(|word| (*word).to_owned()).collect();
        if covered.is_empty() || covered.len() < core.len() {
            return None;
        }
        if covered.len() >= 2 {
            return Some((PART_OF_TOPIC, covered));
        }
        let is_head = covered.iter().all(|word| heads(topic).contains(word));
        is_head.then_some((HEAD_OF_TOPIC, covered))
    }

    fn fits_keyword(
        &self,
        term: &[String],
        core: &[&str],
        place: Place<'_>,
        subjects: &[String],
    ) -> Option<(u32, Vec<String>)> {
        let same = term.len() == core.len() && core.iter().all(|word| term.iter().any(|key| key == word));
        let within = term.len() >= 2 && self.holds(term) && self.is_about(term, place.source, subjects);
        (same && !term.is_empty() || within).then(|| (KEYWORD, term.to_vec()))
    }

    /// All words of the request in heading, topics or outcome; several of them, and not only common ones.
    fn fits_text(&self, core: &[&str], place: Place<'_>, sources: &[Source]) -> Option<(u32, Vec<String>)> {
        let mut distinct = core.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let all_in = |text: &str| {
            let known = keys(text);
            distinct.iter().all(|word| known.iter().any(|key| key == word))
        };
        let heading = format!("{} {}", place.entry.title, place.topics().join(" "));
        let weight = if all_in(&heading) {
            HEADING
        } else if all_in(&vocabulary(place)) {
            TEXT
        } else {
            return None;
        };
        let rare = |word: &&str| {
            let holds = |place: &Place<'_>| keys(&vocabulary(*place)).iter().any(|key| key == *word);
            places(sources).filter(holds).count() <= ENTRIES_WITH_RARE_WORD_MAX
        };
        (distinct.len() >= 2 && distinct.iter().any(rare))
            .then(|| (weight, distinct.iter().map(|word| (*word).to_owned()).collect()))
    }

    /// Whether a topic found among the words is what the phrase is about, and not a word beside its real topic.
    fn is_about(&self, topic: &[String], source: &Source, subjects: &[String]) -> bool {
        let vocabulary = source_vocabulary(source);
        let names = names(source);
        let known = |word: &Word| word.neutral || vocabulary.contains(&word.key) || topic.contains(&word.key);
        let chunks_of_topic: Vec<usize> = self
            .words
            .iter()
            .filter(|word| topic.contains(&word.key) && !word.neutral)
            .map(|word| word.chunk)
            .collect();
        let (Some(first), Some(last)) = (chunks_of_topic.iter().min(), chunks_of_topic.iter().max()) else {
            return true;
        };
        let chunk = |number: usize| self.words.iter().filter(move |word| word.chunk == number);
        // "binary stars": in English the last word of a run says what it is.
        let heads_known = chunk(*last).filter(|word| !word.neutral).next_back().is_none_or(known);
        // "storage of grain"
        let of_something_known = self.leads.get(last + 1).is_none_or(|lead| lead != "of" || chunk(last + 1).any(known));
        // "photosynthesis with graphs"; "the story of the internet" is fine.
        let lead = self.leads.get(*first).map_or("", String::as_str);
        let before_known = ["of", "on", "about"].contains(&lead) || (0..*first).flat_map(chunk).all(known);
        // "Minecraft loops" for a computing class, but not "animal testing" for a biologist.
        let modifiers_known = topic.len() >= 2
            || source.is_of(subjects)
            || (*first..=*last)
                .flat_map(chunk)
                .all(|word| word.neutral || topic.contains(&word.key) || names.contains(&word.key));
        heads_known && of_something_known && before_known && modifiers_known
    }

    /// Words of the topic's wording that the files of its subject do not know.
    fn unknown(&self, topic: &str, chosen: &[Match<'_>]) -> Vec<String> {
        let known: Vec<String> = chosen.iter().flat_map(|one| source_vocabulary(one.place.source)).collect();
        let is_unknown = |token: &super::words::Token<'_>| {
            !is_function_word(token.raw)
                && !is_asking_word(token.raw)
                && !is_soft(&token.key)
                && !known.contains(&token.key)
        };
        tokens(topic).into_iter().filter(is_unknown).map(|token| token.raw.to_owned()).collect()
    }

    /// The topic in the teacher's words, and what followed it.
    fn wording(&self, covered: &[String], chosen: &[Match<'_>]) -> (String, String) {
        let named = |word: &Word| covered.contains(&word.key);
        let Some(last_chunk) = self.words.iter().filter(|word| named(word)).map(|word| word.chunk).max() else {
            return (self.text.clone(), String::new());
        };
        let mut end_chunk = last_chunk;
        // "equations with brackets" is one topic, "loops with dinosaurs" is loops in a context.
        let known: Vec<String> = chosen.iter().flat_map(|one| source_vocabulary(one.place.source)).collect();
        while let Some(lead) = self.leads.get(end_chunk + 1) {
            let next: Vec<&Word> = self.words.iter().filter(|word| word.chunk == end_chunk + 1).collect();
            if next.is_empty() || !(lead == "of" || next.iter().all(|word| known.contains(&word.key))) {
                break;
            }
            end_chunk += 1;
        }
        let inside: Vec<&Word> = self.words.iter().filter(|word| word.chunk <= end_chunk).collect();
        let speaks = |word: &&&Word| !word.neutral || named(word);
        let (Some(first), Some(last)) = (inside.iter().find(speaks), inside.iter().rfind(speaks)) else {
            return (self.text.clone(), String::new());
        };
        let tail = self.text.get(last.end..).unwrap_or_default().trim().to_owned();
        let wording = self.text.get(first.start..last.end).unwrap_or(&self.text);
        (as_in_file(wording, chosen), tail)
    }
}

/// Topics of one entry that only together make up the request: "packets and networks".
fn together(by_topic: &[(u32, Vec<String>)], core: &[&str]) -> Option<(u32, Vec<String>)> {
    let mut covered: Vec<String> =
        by_topic.iter().filter(|(weight, _)| *weight >= TOPIC_WITHIN).flat_map(|(_, words)| words.clone()).collect();
    covered.sort();
    covered.dedup();
    let all = core.iter().all(|word| covered.iter().any(|known| known == word));
    (all && !covered.is_empty()).then_some((SEVERAL_TOPICS, covered))
}

/// Topics and terms of a file that are one word: they stand for themselves beside another topic ("Python loops").
fn names(source: &Source) -> Vec<String> {
    let mut names = source.subject_keys();
    for entry in &source.file.entries {
        let place = Place { source, entry };
        let terms = place.keywords().into_iter().map(|word| keys(&word.term));
        names.extend(place.topics().into_iter().map(keys).chain(terms).filter(|words| words.len() == 1).flatten());
    }
    names
}

/// The wording with the capitals that the file uses: "python" becomes "Python", "Fractions" becomes "fractions".
fn as_in_file(wording: &str, chosen: &[Match<'_>]) -> String {
    let known: Vec<&str> = chosen
        .iter()
        .flat_map(|one| one.place.topics())
        .flat_map(|topic| tokens(topic).into_iter().map(|t| t.raw).collect::<Vec<_>>())
        .collect();
    let mut out = String::new();
    let mut at = 0;
    for token in tokens(wording) {
        out.push_str(wording.get(at..token.start).unwrap_or_default());
        let same = known.iter().find(|word| word.eq_ignore_ascii_case(token.raw));
        out.push_str(same.copied().unwrap_or(token.raw));
        at = token.end;
    }
    out.push_str(wording.get(at..).unwrap_or_default());
    out
}

/// The words that say what a topic is: the last of it, of each part joined by "and", and before "of" or "in".
fn heads(topic: &str) -> Vec<String> {
    let mut heads = Vec::new();
    let mut last: Option<String> = None;
    let joins = topic.contains(" and ");
    for token in tokens(topic) {
        if is_function_word(token.raw) || joins {
            heads.extend(last.take());
        }
        if !is_function_word(token.raw) {
            last = Some(token.key);
        }
        // What follows "of" describes; "area of a triangle" is about area.
        if ["of", "in", "for", "from"].contains(&token.raw.to_lowercase().as_str()) {
            return heads;
        }
    }
    heads.extend(last);
    heads
}

fn vocabulary(place: Place<'_>) -> String {
    let terms: Vec<String> = place.keywords().into_iter().map(|word| word.term).collect();
    format!(
        "{} {} {} {}",
        place.entry.title,
        place.topics().join(" "),
        place.outcome_text().unwrap_or_default(),
        terms.join(" ")
    )
}

fn source_vocabulary(source: &Source) -> Vec<String> {
    let mut words = source.subject_keys();
    for entry in &source.file.entries {
        words.extend(keys(&vocabulary(Place { source, entry })));
    }
    words
}

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
    let named: Vec<String> = sources.iter().flat_map(Source::subject_keys).collect();
    let is_topic = |token: &super::words::Token<'_>| {
        let says_nothing = is_function_word(token.raw) || is_asking_word(token.raw) || is_soft(&token.key);
        !says_nothing && !named.contains(&token.key) && token.key != key("science")
    };
    !phrases.iter().any(|phrase| tokens(phrase).iter().any(is_topic))
}

/// The subjects that a request names.
pub(crate) fn subjects_named(sources: &[Source], phrases: &[String]) -> Vec<String> {
    let words: Vec<String> = phrases.iter().flat_map(|phrase| keys(phrase)).collect();
    let named = sources.iter().filter(|source| source.subject_keys().iter().any(|word| words.contains(word)));
    named.map(Source::subject).collect()
}

/// The subjects of the files that were read, as they read in a sentence.
pub(crate) fn subjects_read(sources: &[Source]) -> String {
    let mut titles: Vec<String> = sources.iter().map(Source::title).collect();
    titles.dedup();
    listed(&titles)
}

#[cfg(test)]
mod tests;
