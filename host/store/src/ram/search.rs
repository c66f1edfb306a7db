//! Searching without an index: every text is read. Enough for what a throw-away journal holds.

use std::cmp::{Ordering, Reverse};

use super::Journal;
use crate::error::StoreError;
use crate::limits::SNIPPET_WORDS;
use crate::project::Views;
use crate::rows::SessionRow;
use crate::search::{Hit, SearchQuery, Word, one_line, words};

pub(super) fn search(journal: &Journal, query: &SearchQuery) -> Result<Vec<Hit>, StoreError> {
    let words = words(&query.words)?;
    let phrases: Vec<Phrase> = words.iter().map(Phrase::of).collect();
    let mut hits: Vec<Hit> = journal.views.values().filter_map(|views| hit(views, &phrases, query)).collect();
    hits.sort_by(|one, other| {
        let rank = one.rank.partial_cmp(&other.rank).unwrap_or(Ordering::Equal);
        rank.then_with(|| Reverse(one.session.cursor()).cmp(&Reverse(other.session.cursor())))
    });
    hits.truncate(query.limit);
    Ok(hits)
}

fn hit(views: &Views, phrases: &[Phrase], query: &SearchQuery) -> Option<Hit> {
    let session = views.session.as_ref().filter(|row| fits(row, query))?;
    if phrases.is_empty() {
        return Some(Hit { session: session.clone(), snippet: one_line(&session.title), rank: 0.0 });
    }
    let found = views.texts.iter().filter_map(|(_, text)| Found::of(text, phrases));
    let best = found.min_by(|one, other| one.rank.partial_cmp(&other.rank).unwrap_or(Ordering::Equal))?;
    Some(Hit { session: session.clone(), snippet: best.snippet, rank: best.rank })
}

fn fits(row: &SessionRow, query: &SearchQuery) -> bool {
    row.owner == query.owner
        && query.plugin.as_ref().is_none_or(|plugin| *plugin == row.plugin)
        && query.subject.as_ref().is_none_or(|subject| subject.is(row.subject.as_ref()))
        && query.since_ms.is_none_or(|since_ms| row.created_ms >= since_ms)
        && query.until_ms.is_none_or(|until_ms| row.created_ms <= until_ms)
        && row.deleted_ms.is_none()
}

/// What a word of the query looks for: words side by side.
struct Phrase {
    words: Vec<String>,
    prefix: bool,
}

impl Phrase {
    fn of(word: &Word) -> Self {
        Self { words: tokens(&word.text).map(|(_, word)| word.to_lowercase()).collect(), prefix: word.prefix }
    }

    fn begins(&self, text: &[String]) -> bool {
        let last = self.words.len().saturating_sub(1);
        let fits = |(at, word): (usize, &String)| {
            text.get(at).is_some_and(|found| found == word || (self.prefix && at == last && found.starts_with(word)))
        };
        self.words.iter().enumerate().all(fits)
    }
}

/// Words of a text, each with the byte where it begins.
fn tokens(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let start = text.as_ptr() as usize;
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(move |word| (word.as_ptr() as usize - start, word))
}

struct Found {
    rank: f64,
    snippet: String,
}

impl Found {
    /// How well a text fits, if it does: the larger the share of its words that were looked for, the better.
    fn of(text: &str, phrases: &[Phrase]) -> Option<Self> {
        let places: Vec<(usize, &str)> = tokens(text).collect();
        let lower: Vec<String> = places.iter().map(|(_, word)| word.to_lowercase()).collect();
        let mut marked = vec![0_usize; lower.len()];
        let mut count = 0_u32;
        for phrase in phrases {
            let before = count;
            for at in 0..lower.len() {
                if lower.get(at..).is_some_and(|rest| phrase.begins(rest)) {
                    count += 1;
                    marked.iter_mut().skip(at).take(1).for_each(|length| *length = phrase.words.len().max(*length));
                }
            }
            if count == before {
                return None;
            }
        }
        let words = u32::try_from(lower.len()).unwrap_or(u32::MAX);
        Some(Self { rank: -f64::from(count) / f64::from(words), snippet: snippet(text, &places, &marked) })
    }
}

/// The text around the first match, with a mark around each.
fn snippet(text: &str, places: &[(usize, &str)], marked: &[usize]) -> String {
    let first = marked.iter().position(|length| *length > 0).unwrap_or(0).saturating_sub(SNIPPET_WORDS / 4);
    let end = (first + SNIPPET_WORDS).min(places.len());
    let mut out = String::from(if first > 0 { "…" } else { "" });
    let mut open = 0;
    let from = if first == 0 { 0 } else { places.get(first).map_or(0, |(at, _)| *at) };
    let mut written = from;
    for ((at, word), length) in places.iter().zip(marked).take(end).skip(first) {
        out.push_str(text.get(written..*at).unwrap_or_default());
        if open == 0 && *length > 0 {
            out.push('[');
        }
        open = open.max(*length);
        out.push_str(word);
        written = at + word.len();
        if open == 1 {
            out.push(']');
        }
        open = open.saturating_sub(1);
    }
    if open > 0 {
        out.push(']');
    }
    out.push_str(if end < places.len() { "…" } else { text.get(written..).unwrap_or_default() });
    one_line(&out)
}
