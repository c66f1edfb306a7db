//! What a message of a learner is about, where it is not about the work. Start reading at [`concern`].
//!
//! Few rules and a small classifier, whose weights are learned from `training` and the set to work with. The cost of a miss
//! decides the thresholds: to offer help where none was needed costs a learner one line to read, so what is unsure is
//! answered as distress.

use ta_linear::Model;
use ta_wishes::{Intent, intent};

use crate::contact::holds_contact;
use crate::features::{WINDOW_WORDS, WORDS_MAX, features, words};

/// What a message is about. Where several hold the first of these counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Concern {
    /// Risk to oneself or others, or by others.
    Harm,
    /// Contact data, or a meeting.
    Contact,
    /// Sadness, fear, loneliness, trouble.
    Distress,
}

impl Concern {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Harm => "harm",
            Self::Contact => "contact",
            Self::Distress => "distress",
        }
    }
}

/// Bits of each model's table.
pub const BITS: u32 = 14;

/// The models of the weights, in this order: any concern, harm, contact, distress.
pub const MODELS: usize = 4;

/// Scores, in thousandths of a logit, from which a message is of concern at all, and from which one is of this kind.
const ANY_MIN: i64 = -200;
const HARM_MIN: i64 = -300;
const CONTACT_MIN: i64 = 0;
const DISTRESS_MIN: i64 = 0;

static WEIGHTS: &[u8] = include_bytes!("../weights.bin");

/// The scores of a message: any concern, harm, contact, distress.
#[must_use]
pub fn scores(text: &str, weights: &[u8]) -> [i64; MODELS] {
    let words = words(text);
    let length = 4 + (1_usize << BITS);
    let mut most = [i64::MIN; MODELS];
    let windows: Vec<&[String]> = if words.len() <= WORDS_MAX {
        vec![&words]
    } else {
        // Windows overlap by half, so that a sentence lies whole in one; they are short, so that it is not lost in what stands around it.
        (0..words.len())
            .step_by(WINDOW_WORDS / 2)
            .filter_map(|from| words.get(from..words.len().min(from + WINDOW_WORDS)))
            .collect()
    };
    for window in windows {
        let features = features(window);
        for (index, best) in most.iter_mut().enumerate() {
            let bytes = weights.get(index * length..(index + 1) * length).unwrap_or_default();
            *best = (*best).max(Model::new(bytes).score(&features));
        }
    }
    most
}

/// What a message is about; none where it is about the work.
#[must_use]
pub fn concern(text: &str) -> Option<Concern> {
    // These are so short that nearly any sentence begins or ends with one. A section's name is free text, and is read.
    if !matches!(intent(text), Intent::Answer | Intent::Section(_)) {
        return None;
    }
    // Mathematics alone says nothing about anybody: a word has three letters.
    if !holds_contact(text)
        && !words(text).iter().any(|word| word.chars().filter(|sign| sign.is_alphabetic()).count() > 2)
    {
        return None;
    }
    of(scores(text, WEIGHTS), holds_contact(text))
}

/// The concern that scores stand for.
#[must_use]
pub fn of(scores: [i64; MODELS], contact: bool) -> Option<Concern> {
    let [any, harm, in_contact, distress] = scores;
    let concerned = any >= ANY_MIN || harm >= HARM_MIN || in_contact >= CONTACT_MIN || distress >= DISTRESS_MIN;
    if harm >= HARM_MIN && harm >= in_contact && !(contact && harm < 0) {
        return Some(Concern::Harm);
    }
    if contact || (concerned && in_contact > harm && in_contact > distress) {
        return Some(Concern::Contact);
    }
    concerned.then_some(Concern::Distress)
}
