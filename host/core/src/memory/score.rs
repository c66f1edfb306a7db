//! How much a note counts: what is weighed when it is chosen for a prompt and when an entry point has to lose some.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::NoteRecord;

/// After this many days a note counts half as recent.
const HALF_LIFE_DAYS: f64 = 30.0;
const DAY_MS: f64 = 86_400_000.0;
/// Uses, and sessions that came to it, after which more make no difference.
const USES_ENOUGH: f64 = 10.0;
const TIMES_ENOUGH: f64 = 3.0;
/// Shorter words say little about what a text is about, unless they name a class.
const WORD_CHARS_MIN: usize = 4;

/// The scores of a note, each from 0 to 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Scores {
    /// How many of its words are about what is at hand.
    pub relevance: f64,
    /// How much it matters.
    pub importance: f64,
    /// How lately it was come to.
    pub recency: f64,
    /// How many sessions came to it.
    pub reinforcement: f64,
    /// How often it was shown.
    pub access: f64,
}

impl Scores {
    /// Scores a note against the words of what is at hand.
    #[must_use]
    pub fn of(text: &str, record: &NoteRecord, about: &Words, now_ms: u64) -> Self {
        #[allow(clippy::cast_precision_loss, reason = "days, not milliseconds, matter")]
        let days = now_ms.saturating_sub(record.last_ms) as f64 / DAY_MS;
        Self {
            relevance: rounded(about.share(text)),
            importance: f64::from(record.importance) / 100.0,
            recency: rounded(0.5_f64.powf(days / HALF_LIFE_DAYS)),
            reinforcement: rounded((f64::from(record.times.saturating_sub(1)) / (TIMES_ENOUGH - 1.0)).min(1.0)),
            access: rounded((f64::from(record.uses) / USES_ENOUGH).min(1.0)),
        }
    }

    /// The weight in a prompt: relevance before importance before recency before access.
    #[must_use]
    pub fn for_prompt(&self) -> f64 {
        rounded(0.4 * self.relevance + 0.3 * self.importance + 0.2 * self.recency + 0.1 * self.access)
    }

    /// The weight at the end of a run: what was come to again counts nearly as much as what matters.
    #[must_use]
    pub fn for_keeping(&self) -> f64 {
        rounded(0.3 * self.importance + 0.3 * self.relevance + 0.25 * self.reinforcement + 0.15 * self.recency)
    }
}

/// Three places: the same on every machine, and readable in a trace.
fn rounded(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// The words that a text is about.
#[derive(Debug, Clone, Default)]
pub struct Words(BTreeSet<String>);

impl Words {
    /// The words of several texts.
    #[must_use]
    pub fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        Self(texts.into_iter().flat_map(words).collect())
    }

    /// How many of the text's words are among these, 0 to 1.
    fn share(&self, text: &str) -> f64 {
        let words: BTreeSet<String> = words(text).collect();
        if words.is_empty() {
            return 0.0;
        }
        #[allow(clippy::cast_precision_loss, reason = "a note has at most a hundred words")]
        let share = words.intersection(&self.0).count() as f64 / words.len() as f64;
        share
    }
}

/// Words without their endings, as far as a plural and a gerund go: enough to find `loops` for `loop`.
fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    let telling = |word: &&str| word.chars().count() >= WORD_CHARS_MIN || word.chars().any(|c| c.is_ascii_digit());
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(telling);
    words.map(|word| {
        let word = word.to_lowercase();
        let stem = word.strip_suffix("ing").or_else(|| word.strip_suffix('s')).unwrap_or(&word);
        if stem.chars().count() >= WORD_CHARS_MIN { stem.to_owned() } else { word.clone() }
    })
}
