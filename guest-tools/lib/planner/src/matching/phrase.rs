//! The words of a request, and how well an entry fits them.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::super::sources::{Place, Source};
use super::super::words::{Token, is_asking_word, is_function_word, is_soft, key, keys, tokens};
use super::Match;

pub(super) const EXACT: u32 = 300;
/// Several topics of one entry that together are all that was asked for.
pub(super) const SEVERAL_TOPICS: u32 = 290;
pub(super) const TOPIC_WITHIN: u32 = 200;
const PART_OF_TOPIC: u32 = 150;
const KEYWORD: u32 = 140;
const HEAD_OF_TOPIC: u32 = 120;
const HEADING: u32 = 100;
const TEXT: u32 = 60;
/// A word that more entries than this share tells none of them apart.
const ENTRIES_WITH_RARE_WORD_MAX: usize = 4;

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
pub(super) struct Phrase {
    text: String,
    words: Vec<Word>,
    /// The little word before each run.
    leads: Vec<String>,
}

impl Phrase {
    pub(super) fn read(text: &str) -> Self {
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
        let own = &source.subject_keys;
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

    pub(super) fn fits<'a>(&self, place: Place<'a>, sources: &[Source], subjects: &[String]) -> Option<Match<'a>> {
        let core = self.core(place.source);
        let by_topic: Vec<(u32, Vec<String>)> =
            place.topics().into_iter().filter_map(|topic| self.fits_topic(topic, &core, place, subjects)).collect();
        let together = together(&by_topic, &core);
        let by_keyword = place
            .keywords()
            .into_iter()
            .filter_map(|word| self.fits_keyword(&keys(&word.term), &core, place, subjects));
        let by_heading = self.fits_heading(&core, place, sources, subjects);
        let by_text = self.fits_text(&core, place, sources);
        let all = by_topic.into_iter().chain(together).chain(by_keyword).chain(by_heading).chain(by_text);
        let best = all.max_by_key(|(weight, _)| *weight)?;
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
            let is_about = self.is_about(&wanted, place, subjects) && self.is_mostly_known(&wanted, place);
            return is_about.then_some((weight, wanted));
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

    /// A heading stands for a topic where the entry names none. One word is enough where it is the heading's main noun, or
    /// stands in heading and outcome; not where it only says what pupils do, or stands in many entries.
    fn fits_heading(
        &self,
        core: &[&str],
        place: Place<'_>,
        sources: &[Source],
        subjects: &[String],
    ) -> Option<(u32, Vec<String>)> {
        let title = keys(&place.entry.title);
        let is_whole = !core.is_empty() && title.len() == core.len() && core.iter().all(|word| has(&title, word));
        if is_whole || place.topics().is_empty() {
            let fits = self.fits_topic(&place.entry.title, core, place, subjects);
            let fits = fits.filter(|(_, words)| !words.iter().all(|word| is_doing(word)));
            if fits.is_some() {
                return fits;
            }
        }
        let [word] = core else { return None };
        let outcome = keys(place.outcome_text().unwrap_or_default());
        let stands_twice = has(&title, word) && has(&outcome, word);
        let found = heads(&place.entry.title).iter().any(|head| head == word) || stands_twice;
        let is_rare = in_entries(sources, word) <= ENTRIES_WITH_RARE_WORD_MAX;
        (found && is_rare && !is_doing(word)).then(|| (HEADING, vec![(*word).to_owned()]))
    }

    fn fits_keyword(
        &self,
        term: &[String],
        core: &[&str],
        place: Place<'_>,
        subjects: &[String],
    ) -> Option<(u32, Vec<String>)> {
        let same = term.len() == core.len() && core.iter().all(|word| term.iter().any(|key| key == word));
        let within = term.len() >= 2 && self.holds(term) && self.is_about(term, place, subjects);
        (same && !term.is_empty() || within).then(|| (KEYWORD, term.to_vec()))
    }

    /// All words of the request in heading, topics or outcome; several of them, and not only common ones.
    fn fits_text(&self, core: &[&str], place: Place<'_>, sources: &[Source]) -> Option<(u32, Vec<String>)> {
        let mut distinct = core.to_vec();
        distinct.sort_unstable();
        distinct.dedup();
        let heading = keys(&format!("{} {}", place.entry.title, place.topics().join(" ")));
        let in_heading = distinct.iter().all(|word| heading.iter().any(|key| key == word));
        let in_text = distinct
            .iter()
            .all(|word| place.source.words.of_entry(place.entry).is_some_and(|words| words.contains(*word)));
        let weight = if in_heading { HEADING } else { TEXT };
        let rare = |word: &&str| in_entries(sources, word) <= ENTRIES_WITH_RARE_WORD_MAX;
        if !in_heading && !in_text {
            return None;
        }
        (distinct.len() >= 2 && distinct.iter().any(rare))
            .then(|| (weight, distinct.iter().map(|word| (*word).to_owned()).collect()))
    }

    /// Whether a topic found among the words is what the phrase is about, and not a word beside its real topic.
    fn is_about(&self, topic: &[String], place: Place<'_>, subjects: &[String]) -> bool {
        let source = place.source;
        let words = &source.words;
        let own = words.of_entry(place.entry);
        let in_entry = |word: &Word| word.neutral || own.is_some_and(|own| own.contains(&word.key));
        let known = |word: &Word| word.neutral || words.all.contains(&word.key) || topic.contains(&word.key);
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
        let heads_known = chunk(*last).rfind(|word| !word.neutral).is_none_or(known);
        // "storage of grain", "volume of sound"
        let of_something_known =
            self.leads.get(last + 1).is_none_or(|lead| lead != "of" || chunk(last + 1).any(in_entry));
        // "photosynthesis with graphs"; "the story of the internet" is fine.
        let lead = self.leads.get(*first).map_or("", String::as_str);
        let before_known = ["of", "on", "about"].contains(&lead) || (0..*first).flat_map(chunk).all(known);
        // "Minecraft loops" for a computing class, but not "animal testing" for a biologist.
        let modifiers_known = topic.len() >= 2
            || source.is_of(subjects)
            || (*first..=*last)
                .flat_map(chunk)
                .all(|word| word.neutral || topic.contains(&word.key) || words.names.contains(&word.key));
        heads_known && of_something_known && before_known && modifiers_known
    }

    /// Whether a topic of one word is not lost among words that its entry does not know: "chance and fate in Romeo and
    /// Juliet" is no lesson on probability. What follows "with" or "using" is a context and may be about anything.
    fn is_mostly_known(&self, topic: &[String], place: Place<'_>) -> bool {
        const CONTEXT_LEADS: &[&str] =
            &["with", "using", "through", "about", "for", "that", "who", "where", "by", "so", "because", "when"];
        if topic.len() > 1 {
            return true;
        }
        let last = self.words.iter().filter(|word| topic.contains(&word.key)).map(|word| word.chunk).max().unwrap_or(0);
        let after = self.leads.iter().enumerate().skip(last + 1);
        let end = after.into_iter().find(|(_, lead)| CONTEXT_LEADS.contains(&lead.as_str())).map(|(chunk, _)| chunk);
        let own = place.source.words.of_entry(place.entry);
        let mut counted: Vec<&str> = self
            .words
            .iter()
            .filter(|word| !word.neutral && end.is_none_or(|end| word.chunk < end))
            .map(|word| word.key.as_str())
            .collect();
        counted.sort_unstable();
        counted.dedup();
        let known = counted.iter().filter(|word| own.is_some_and(|own| own.contains(**word))).count();
        known * 2 >= counted.len()
    }

    /// Words of the topic's wording that the files of its subject do not know.
    pub(super) fn unknown(&self, topic: &str, chosen: &[Match<'_>]) -> Vec<String> {
        let known = |word: &String| chosen.iter().any(|one| one.place.source.words.all.contains(word));
        let is_unknown = |token: &Token<'_>| {
            !is_function_word(token.raw) && !is_asking_word(token.raw) && !is_soft(&token.key) && !known(&token.key)
        };
        tokens(topic).into_iter().filter(is_unknown).map(|token| token.raw.to_owned()).collect()
    }

    /// The topic in the teacher's words, and what followed it.
    pub(super) fn wording(&self, covered: &[String], chosen: &[Match<'_>]) -> (String, String) {
        let named = |word: &Word| covered.contains(&word.key);
        let Some(last_chunk) = self.words.iter().filter(|word| named(word)).map(|word| word.chunk).max() else {
            return (self.text.clone(), String::new());
        };
        let mut end_chunk = last_chunk;
        // "equations with brackets" is one topic, "loops with dinosaurs" is loops in a context.
        let known = |word: &String| chosen.iter().any(|one| one.place.source.words.all.contains(word));
        while let Some(lead) = self.leads.get(end_chunk + 1) {
            let next: Vec<&Word> = self.words.iter().filter(|word| word.chunk == end_chunk + 1).collect();
            if next.is_empty() || !(lead == "of" || next.iter().all(|word| known(&word.key))) {
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
        let wording = as_in_file(wording, chosen);
        // "the French Revolution" keeps its article, "the loops" does not.
        let has_article = self.text.get(..first.start).is_some_and(|before| before.to_lowercase().ends_with("the "));
        let is_name = wording.chars().next().is_some_and(char::is_uppercase);
        (if has_article && is_name { format!("the {wording}") } else { wording }, tail)
    }
}

fn has(words: &[String], word: &str) -> bool {
    words.iter().any(|known| known == word)
}

/// How many entries of all files hold a word.
fn in_entries(sources: &[Source], word: &str) -> usize {
    sources.iter().map(|source| source.words.entries_with(word)).sum()
}

/// Words that say what pupils do with a topic and not what it is.
fn is_doing(word: &str) -> bool {
    const DOING: &str = "pupil explain describe know use understand read write say tell show compare discuss give make         recognise identify name present create find choose investigate change develop demonstrate apply consider work         list talk listen look take see answer ask";
    static KEYS: LazyLock<HashSet<String>> = LazyLock::new(|| DOING.split_whitespace().map(key).collect());
    KEYS.contains(word)
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
