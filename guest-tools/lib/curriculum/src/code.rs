//! Outcome codes: `TCH 3-14a` is organiser, level, number and letter.
//!
//! [`Code`] holds one and writes it the one right way. [`find_codes`] finds them the many ways people write them. The
//! scanner errs on the side of the reader: what a teacher would take for an outcome code is found, also when no such
//! code can exist ([`Fault`]), and ordinary text such as "AES 256" is not.

use std::fmt;
use std::str::FromStr;

use crate::level::Level;

mod scan;

pub use scan::{Fault, Found, code_at_start, find_codes, find_codes_with};

/// Organisers of Curriculum for Excellence, Gaelic and classical languages included. In one of these a sloppily written
/// code is still a code; any other organiser must be written in the exact form.
pub const ORGANISERS: &[&str] =
    &["ENG", "EXA", "GAI", "HWB", "LCL", "LGL", "LIT", "MLAN", "MNU", "MTH", "RERC", "RME", "SCN", "SOC", "TCH"];

/// One outcome code, such as `TCH 3-14a`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code {
    organiser: Organiser,
    level: Level,
    number: u8,
    letter: u8,
}

/// Three or four capital letters, padded with zero bytes so that codes can be copied and compared cheaply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Organiser([u8; 4]);

impl Organiser {
    fn new(name: &str) -> Option<Self> {
        let letters = name.bytes().all(|b| b.is_ascii_alphabetic()) && (3..=4).contains(&name.len());
        let mut bytes = [0; 4];
        for (to, from) in bytes.iter_mut().zip(name.bytes()) {
            *to = from.to_ascii_uppercase();
        }
        letters.then_some(Self(bytes))
    }

    fn as_str(&self) -> &str {
        let used = self.0.split(|&b| b == 0).next().unwrap_or_default();
        std::str::from_utf8(used).unwrap_or_default()
    }
}

impl Code {
    /// Makes a code; `None` when the organiser is not 3 or 4 letters, the number exceeds 99 or the letter is none.
    pub fn new(organiser: &str, level: Level, number: u8, letter: char) -> Option<Self> {
        let organiser = Organiser::new(organiser)?;
        let letter = letter.is_ascii_alphabetic().then(|| letter.to_ascii_lowercase() as u8)?;
        (number <= 99).then_some(Self { organiser, level, number, letter })
    }

    /// The subject part, in capitals: `TCH`.
    pub fn organiser(&self) -> &str {
        self.organiser.as_str()
    }

    /// The level, which is the digit before the hyphen.
    pub fn level(&self) -> Level {
        self.level
    }

    /// The two digits after the hyphen.
    pub fn number(&self) -> u8 {
        self.number
    }

    /// The last, lower-case letter.
    pub fn letter(&self) -> char {
        char::from(self.letter)
    }

    fn with_letter(self, letter: char) -> Option<Self> {
        Self::new(self.organiser(), self.level, self.number, letter)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}-{:02}{}", self.organiser(), self.level.number(), self.number, self.letter())
    }
}

/// Why a text is not a code in the one right form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotACode;

impl fmt::Display for NotACode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected an outcome code such as \"TCH 3-14a\"")
    }
}

impl std::error::Error for NotACode {}

impl FromStr for Code {
    type Err = NotACode;

    /// Reads the exact form only; use [`find_codes`] for what people write.
    fn from_str(text: &str) -> Result<Self, NotACode> {
        match code_at_start(text) {
            Some(found) => match found.codes.as_slice() {
                [code] if code.to_string() == text => Ok(*code),
                _ => Err(NotACode),
            },
            None => Err(NotACode),
        }
    }
}

#[cfg(test)]
mod tests;
