//! The five levels of Curriculum for Excellence, and the ways teachers write them.

use std::fmt;
use std::str::FromStr;

mod find;

pub use find::{LevelMention, find_levels};

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
        const WORDS: [&str; 5] =
            ["early zero 0", "first 1st one 1", "second 2nd two 2", "third 3rd three 3", "fourth 4th four 4"];
        Self::ALL.into_iter().zip(WORDS).find(|(_, words)| is_one_of(word, words)).map(|(level, _)| level)
    }

    /// Reads the words that may stand before "level": ordinals only, since "two levels" counts levels.
    fn from_ordinal(word: &str) -> Option<Self> {
        let counts = is_one_of(word, "zero one two three four 0 1 2 3 4");
        if counts { None } else { Self::from_word(word) }
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
        Self { low: a.min(b), high: a.max(b) }
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
        Self { low: level, high: level }
    }
}

impl fmt::Display for Levels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.low == self.high { write!(f, "{}", self.low) } else { write!(f, "{}/{}", self.low, self.high) }
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
        find::levels_at_start(text).ok_or(NoLevel)
    }
}

/// Whether a word, whatever its case, is in a list of words with spaces between.
fn is_one_of(word: &str, list: &str) -> bool {
    list.split(' ').any(|listed| listed.eq_ignore_ascii_case(word))
}

#[cfg(test)]
mod tests;
