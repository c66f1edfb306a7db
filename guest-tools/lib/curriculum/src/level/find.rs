//! Finding levels in what teachers write.

use super::{Level, Levels, is_one_of};
use crate::cursor::Cursor;
use crate::normalise::is_dash;

/// A place in a text that names levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LevelMention {
    /// The levels named.
    pub levels: Levels,
    /// Byte offset of the first character.
    pub start: usize,
    /// Byte offset after the last character.
    pub end: usize,
    /// True for "Level 3", which also numbers many other things; false for "third level".
    pub numbered: bool,
}

/// Scales and things that have numbered levels of their own: "SCQF level 4" is not fourth level.
const OTHER_SCALES: &str = "access bloom blooms bronze cefr challenge confidence depth difficulty energy eye game ground \
    heading high hint low mastery national noise nvq qualification reading rqf scaffold scaffolding scqf sea skill sound \
    spice support svq top water";

/// What follows "second level" when it is not a stage of the curriculum: "second level heading", "first level of the game".
const OTHER_THINGS: &str =
    "bullet bullets domain domains game header headers heading headings headline list menu question questions support";

/// Finds the levels that a text names, in order: "third level", "Level 3", "3rd level", "third and fourth levels".
pub fn find_levels(text: &str) -> Vec<LevelMention> {
    let words = words(text);
    let mut found: Vec<LevelMention> = Vec::new();
    for (index, word) in words.iter().enumerate() {
        if !is_one_of(word.text, "level levels") {
            continue;
        }
        let mention = before_level(text, &words, index).or_else(|| after_level(text, &words, index));
        // "Level 3, level 4" must not read the 3 a second time as an ordinal of the next word.
        if let Some(mention) = mention.filter(|m| found.last().is_none_or(|last| last.end <= m.start)) {
            found.push(mention);
        }
    }
    found
}

/// Reads levels at the start of a text that is known to be about them: `third/fourth (S1 to S3)`.
pub(super) fn levels_at_start(text: &str) -> Option<Levels> {
    let words = words(text);
    let first = words.first().and_then(|word| Level::from_word(word.text))?;
    Some(extend_right(text, &words, 0, first).0)
}

#[derive(Debug, Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    start: usize,
    end: usize,
}

fn words(text: &str) -> Vec<Word<'_>> {
    let mut cursor = Cursor::new(text, 0);
    let mut words = Vec::new();
    while let Some(start) = cursor.next_word() {
        let word = cursor.take_run(usize::MAX, char::is_alphanumeric);
        words.push(Word { text: word, start, end: cursor.at() });
    }
    words
}

/// "third level", "third/fourth level", "third and fourth levels": the ordinals that lead up to the word at `index`.
fn before_level(text: &str, words: &[Word<'_>], index: usize) -> Option<LevelMention> {
    let nearest = index.checked_sub(1).and_then(|i| words.get(i))?;
    let level = Level::from_ordinal(nearest.text)?;
    let word = words.get(index)?;
    if !is_space_or_hyphen(gap(text, nearest, word)) || names_other_thing(words, index) {
        return None;
    }
    let mut levels = Levels::from(level);
    let mut start = nearest.start;
    // One step further back, over "/", "&" or a linking word.
    let step = |back: usize| index.checked_sub(back).and_then(|i| words.get(i));
    let linked = step(2).filter(|w| is_linking(w.text));
    let other = if linked.is_some() { step(3) } else { step(2).filter(|w| is_joiner(gap(text, w, nearest))) };
    if let Some((other, from)) = other.and_then(|w| Level::from_ordinal(w.text).map(|level| (w, level))) {
        levels = Levels::between(from, level);
        start = other.start;
    }
    Some(LevelMention { levels, start, end: word.end, numbered: false })
}

/// "Level 3", "Level: third", "levels 3 and 4": what follows the word at `index`.
fn after_level(text: &str, words: &[Word<'_>], index: usize) -> Option<LevelMention> {
    let word = words.get(index)?;
    let next = words.get(index + 1)?;
    let level = Level::from_word(next.text)?;
    let spaced = gap(text, word, next).chars().all(|c| c.is_whitespace() || matches!(c, ':' | '*' | '_' | '|'));
    let other_scale = index
        .checked_sub(1)
        .and_then(|i| words.get(i))
        .is_some_and(|before| is_one_of(before.text, OTHER_SCALES) && gap(text, before, word).len() < 3);
    if !spaced || other_scale {
        return None;
    }
    let (levels, end) = extend_right(text, words, index + 1, level);
    let numbered = Level::from_ordinal(next.text).is_none();
    Some(LevelMention { levels, start: word.start, end, numbered })
}

/// Goes on from the level word at `index` over "/4", "and 4" or "to fourth".
fn extend_right(text: &str, words: &[Word<'_>], index: usize, level: Level) -> (Levels, usize) {
    let alone = (Levels::from(level), words.get(index).map_or(text.len(), |w| w.end));
    let (Some(word), Some(next)) = (words.get(index), words.get(index + 1)) else {
        return alone;
    };
    let other = if is_linking(next.text) {
        words.get(index + 2)
    } else {
        Some(next).filter(|next| is_joiner(gap(text, word, next)))
    };
    match other.and_then(|w| Level::from_word(w.text).map(|level| (w, level))) {
        Some((other, to)) => (Levels::between(level, to), other.end),
        None => alone,
    }
}

/// "second level of the game" and "second level heading" name no stage; "second level of Curriculum for Excellence" does.
fn names_other_thing(words: &[Word<'_>], index: usize) -> bool {
    let follows = |step: usize, list: &str| words.get(index + step).is_some_and(|word| is_one_of(word.text, list));
    let of_curriculum = follows(2, "cfe curriculum") || follows(3, "cfe curriculum");
    follows(1, OTHER_THINGS) || (follows(1, "of") && !of_curriculum)
}

fn gap<'a>(text: &'a str, left: &Word<'_>, right: &Word<'_>) -> &'a str {
    text.get(left.end..right.start).unwrap_or("")
}

fn is_space_or_hyphen(gap: &str) -> bool {
    !gap.is_empty() && gap.chars().all(|c| c.is_whitespace() || is_dash(c) || matches!(c, '*' | '_'))
}

fn is_linking(word: &str) -> bool {
    is_one_of(word, "and or to")
}

fn is_joiner(gap: &str) -> bool {
    matches!(gap.trim(), "/" | "&" | "-" | "\u{2013}" | "+")
}
