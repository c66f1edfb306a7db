//! Whole sessions of some size, to measure with: the same for a number, and as different from each other as lessons are.

use ta_core::Event;
use ta_core::event::Status;

use super::{called, finished_with, started_for};

/// Words of a lesson's text.
const WORDS: u64 = 600;
/// Rarer words that lessons have among them; each lesson has a few.
const RARE_WORDS: u64 = 5_000;
/// Words that most lessons have.
const COMMON: [&str; 24] = [
    "pupils",
    "lesson",
    "minutes",
    "starter",
    "plenary",
    "evidence",
    "outcome",
    "success",
    "criteria",
    "pairs",
    "worksheet",
    "question",
    "teacher",
    "support",
    "challenge",
    "explain",
    "compare",
    "example",
    "task",
    "discuss",
    "and",
    "then",
    "the",
    "with",
];
/// Words that one lesson in each so many is about.
const TOPICS: [&str; 12] = [
    "loops",
    "variables",
    "recursion",
    "sorting",
    "searching",
    "arrays",
    "networks",
    "encryption",
    "databases",
    "binary",
    "selection",
    "functions",
];

/// The events of a lesson's session that has ended: three, with a request and an output of about four kilobytes.
#[must_use]
pub fn lesson(owner: &str, number: u64) -> Vec<Event> {
    let mut dice = Dice(number);
    let topic = dice.one_of(&TOPICS);
    let class = format!("{}{}", 1 + dice.roll(6), dice.one_of(&["A", "B", "C"]));
    let mut output = format!("# A lesson on {topic} for {class}\n");
    for place in 0..WORDS {
        output.push(if place % 12 == 0 { '\n' } else { ' ' });
        match dice.roll(10) {
            0 => output.push_str(topic),
            1 | 2 => output.push_str(&rare(dice.roll(RARE_WORDS))),
            _ => output.push_str(dice.one_of(&COMMON)),
        }
    }
    let request = format!("Plan a lesson on {topic} for {class}, number {number}");
    vec![started_for(owner, &class, &request), called(1), finished_with(Status::Success, &output)]
}

/// One of the rarer words: it stands in one lesson of forty.
#[must_use]
pub fn rare(number: u64) -> String {
    format!("word{number}ing")
}

/// The same numbers for the same seed, on every machine: SplitMix64, as in Steele, Lea and Flood,
/// "Fast splittable pseudorandom number generators" (2014).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % sides
    }

    fn one_of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        let place = usize::try_from(self.roll(words.len() as u64)).unwrap_or_default();
        words.get(place).copied().unwrap_or_default()
    }
}
