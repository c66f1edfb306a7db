//! The five levels of Curriculum for Excellence, and the ways teachers write them.

use std::fmt;
use std::str::FromStr;

/// A level of Curriculum for Excellence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Pre-school years and P1; written 0 in codes.
    Early,
    /// To the end of P4.
    First,
    /// To the end of P7.
    Second,
    /// S1 to S3.
    Third,
    /// S1 to S3, the further step; fourth level broadly equates to SCQF level 4.
    Fourth,
}

impl Level {
    /// All levels, lowest first.
    pub const ALL: [Self; 5] = [Self::Early, Self::First, Self::Second, Self::Third, Self::Fourth];

    /// The digit that stands for this level in a code.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// The level that a code's digit stands for.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// The level's name as it is used in "third level".
    pub fn name(self) -> &'static str {
        match self {
            Self::Early => "early",
            Self::First => "first",
            Self::Second => "second",
            Self::Third => "third",
            Self::Fourth => "fourth",
        }
    }

    /// Reads one word: `third`, `3rd`, `three` or `3`.
    fn from_word(word: &str) -> Option<Self> {
        const WORDS: [(&str, Level); 19] = [
            ("early", Level::Early),
            ("first", Level::First),
            ("second", Level::Second),
            ("third", Level::Third),
            ("fourth", Level::Fourth),
            ("1st", Level::First),
            ("2nd", Level::Second),
            ("3rd", Level::Third),
            ("4th", Level::Fourth),
            ("one", Level::First),
            ("two", Level::Second),
            ("three", Level::Third),
            ("four", Level::Fourth),
            ("zero", Level::Early),
            ("0", Level::Early),
            ("1", Level::First),
            ("2", Level::Second),
            ("3", Level::Third),
            ("4", Level::Fourth),
        ];
        WORDS
            .iter()
            .find(|(name, _)| name.eq_ignore_ascii_case(word))
            .map(|&(_, level)| level)
    }

    /// Reads the words that may stand before "level": ordinals only, since "two levels" counts levels.
    fn from_ordinal(word: &str) -> Option<Self> {
        let ordinal = word.len() > 2
            && !["one", "two", "three", "four", "zero"]
                .iter()
                .any(|n| n.eq_ignore_ascii_case(word));
        if ordinal { Self::from_word(word) } else { None }
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A level, or several in a row such as "third/fourth level".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Levels {
    low: Level,
    high: Level,
}

impl Levels {
    /// The levels from one to another, in whichever order they are given.
    pub fn between(a: Level, b: Level) -> Self {
        Self {
            low: a.min(b),
            high: a.max(b),
        }
    }

    /// The lowest level.
    pub fn low(self) -> Level {
        self.low
    }

    /// The highest level; the same as the lowest for a single level.
    pub fn high(self) -> Level {
        self.high
    }

    /// Whether a level is one of these.
    pub fn contains(self, level: Level) -> bool {
        self.low <= level && level <= self.high
    }
}

impl From<Level> for Levels {
    fn from(level: Level) -> Self {
        Self {
            low: level,
            high: level,
        }
    }
}

impl fmt::Display for Levels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.low == self.high {
            write!(f, "{}", self.low)
        } else {
            write!(f, "{}/{}", self.low, self.high)
        }
    }
}

/// Why a text could not be read as levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoLevel;

impl fmt::Display for NoLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected a level such as \"third\", \"third level\", \"Level 3\" or \"third/fourth\"")
    }
}

impl std::error::Error for NoLevel {}

impl FromStr for Levels {
    type Err = NoLevel;

    /// Reads the value of a field or of front matter: `third`, `3`, `CfE Third Level`, `third/fourth (S1 to S3)`.
    fn from_str(text: &str) -> Result<Self, NoLevel> {
        if let Some(mention) = find_levels(text).first() {
            return Ok(mention.levels);
        }
        let words = words(text);
        let Some(first) = words.first().and_then(|word| Level::from_word(word.text)) else {
            return Err(NoLevel);
        };
        let (levels, _) = extend_right(text, &words, 0, first);
        Ok(levels)
    }
}

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
const OTHER_SCALES: &[&str] = &[
    "access",
    "bloom",
    "blooms",
    "bronze",
    "cefr",
    "challenge",
    "confidence",
    "depth",
    "difficulty",
    "energy",
    "eye",
    "game",
    "ground",
    "heading",
    "high",
    "hint",
    "low",
    "mastery",
    "national",
    "noise",
    "nvq",
    "qualification",
    "reading",
    "rqf",
    "scaffold",
    "scaffolding",
    "scqf",
    "sea",
    "skill",
    "sound",
    "spice",
    "support",
    "svq",
    "top",
    "water",
];

/// What follows "second level" when it is not a stage of the curriculum: "second level heading", "first level of the game".
const OTHER_THINGS: &[&str] = &[
    "bullet",
    "bullets",
    "domain",
    "domains",
    "game",
    "header",
    "headers",
    "heading",
    "headings",
    "headline",
    "list",
    "menu",
    "question",
    "questions",
    "support",
];

/// Finds the levels that a text names, in order: "third level", "Level 3", "3rd level", "third and fourth levels".
pub fn find_levels(text: &str) -> Vec<LevelMention> {
    let words = words(text);
    let mut found: Vec<LevelMention> = Vec::new();
    for (index, word) in words.iter().enumerate() {
        if !(word.text.eq_ignore_ascii_case("level") || word.text.eq_ignore_ascii_case("levels")) {
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

#[derive(Debug, Clone, Copy)]
struct Word<'a> {
    text: &'a str,
    start: usize,
    end: usize,
}

fn words(text: &str) -> Vec<Word<'_>> {
    let mut cursor = crate::cursor::Cursor::new(text, 0);
    let mut words = Vec::new();
    while let Some(start) = cursor.next_word() {
        let word = cursor.take_run(usize::MAX, char::is_alphanumeric);
        words.push(Word {
            text: word,
            start,
            end: cursor.at(),
        });
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
    let other = if linked.is_some() {
        step(3)
    } else {
        step(2).filter(|w| is_joiner(gap(text, w, nearest)))
    };
    if let Some((other, from)) = other.and_then(|w| Level::from_ordinal(w.text).map(|level| (w, level))) {
        levels = Levels::between(from, level);
        start = other.start;
    }
    Some(LevelMention {
        levels,
        start,
        end: word.end,
        numbered: false,
    })
}

/// "Level 3", "Level: third", "levels 3 and 4": what follows the word at `index`.
fn after_level(text: &str, words: &[Word<'_>], index: usize) -> Option<LevelMention> {
    let word = words.get(index)?;
    let next = words.get(index + 1)?;
    let level = Level::from_word(next.text)?;
    let spaced = gap(text, word, next)
        .chars()
        .all(|c| c.is_whitespace() || matches!(c, ':' | '*' | '_' | '|'));
    let other_scale = index.checked_sub(1).and_then(|i| words.get(i)).is_some_and(|before| {
        OTHER_SCALES.iter().any(|scale| scale.eq_ignore_ascii_case(before.text)) && gap(text, before, word).len() < 3
    });
    if !spaced || other_scale {
        return None;
    }
    let (levels, end) = extend_right(text, words, index + 1, level);
    let numbered = Level::from_ordinal(next.text).is_none();
    Some(LevelMention {
        levels,
        start: word.start,
        end,
        numbered,
    })
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
    let follows = |step: usize, list: &[&str]| {
        words
            .get(index + step)
            .is_some_and(|word| list.iter().any(|listed| listed.eq_ignore_ascii_case(word.text)))
    };
    let of_curriculum = follows(2, &["cfe", "curriculum"]) || follows(3, &["cfe", "curriculum"]);
    follows(1, OTHER_THINGS) || (follows(1, &["of"]) && !of_curriculum)
}

fn gap<'a>(text: &'a str, left: &Word<'_>, right: &Word<'_>) -> &'a str {
    text.get(left.end..right.start).unwrap_or("")
}

fn is_space_or_hyphen(gap: &str) -> bool {
    !gap.is_empty()
        && gap
            .chars()
            .all(|c| c.is_whitespace() || crate::cursor::is_dash(c) || matches!(c, '*' | '_'))
}

fn is_linking(word: &str) -> bool {
    ["and", "or", "to"].iter().any(|link| link.eq_ignore_ascii_case(word))
}

fn is_joiner(gap: &str) -> bool {
    matches!(gap.trim(), "/" | "&" | "-" | "\u{2013}" | "+")
}

#[cfg(test)]
mod tests;
