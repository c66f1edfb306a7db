//! Whether a request is one for this plugin: planning lessons, and what teachers make and do for them.
//!
//! What the plugin is for is a list of intents ([`INTENTS`]); whatever fits none is out, and one clause that is out makes the
//! request out, wherever it stands and whatever it is dressed as. What fits is not a list of rules but learned from examples: a linear
//! model over words, letters and groups of words ([`features`]) gives each stretch of the request a score, and the highest
//! decides. `cargo run --release --example train` makes the weights from the text below `training` and the working half of
//! `evals/guards/requests`. Between two thresholds the answer is [`Scope::Unsure`].
//!
//! Start with [`classify`].

pub mod features;
mod groups;
mod reasons;
pub mod text;

use features::Request;
use groups::Groups;
use ta_linear::Model;

pub use reasons::Kind;

/// What the plugin is for, each with an example; a person who is refused or asked reads them.
pub const INTENTS: &[(&str, &str)] = &[
    ("plan", "a lesson on iteration for 3B"),
    ("adapt", "make the starter shorter"),
    ("explain for a class", "osmosis at S2 level"),
    ("resource", "a worksheet on ratio"),
    ("assessment for learning", "three exit questions"),
    ("review", "look over my lesson plan"),
    ("unit", "six weeks on rivers"),
    ("update", "we have 45 minutes now"),
];

/// The weights; `examples/train.rs` writes them.
static WEIGHTS: &[u8] = include_bytes!("../weights.bin");

/// Scores at which a stretch asks for something else, in thousandths of a logit, and at which it is unclear.
const OUT_FROM: i64 = 150;
const UNSURE_FROM: i64 = -150;

/// What a request is to the plugin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    /// It asks for a lesson or something for one.
    InScope,
    /// It asks for something else, alone or beside a lesson.
    OutOfScope {
        /// What it asks for.
        kind: Kind,
        /// Why it is refused and what to do instead, for the teacher.
        reason: String,
    },
    /// It may be either: somebody has to say.
    Unsure {
        /// The words that are unclear.
        words: String,
    },
}

/// Says what a request is to the plugin.
#[must_use]
pub fn classify(request: &str) -> Scope {
    judge(request, &Model::new(WEIGHTS))
}

/// The same by other weights, for training.
#[must_use]
pub fn judge(request: &str, model: &Model<'_>) -> Scope {
    let reader = Reader::default();
    let plain = text::plain(request);
    let request = reader.read(&plain);
    let scored = text::stretches(request.words()).into_iter().map(|stretch| {
        let score = model.score(&request.features(&stretch));
        (score, stretch)
    });
    let Some((score, stretch)) = scored.max_by_key(|(score, _)| *score) else {
        return Scope::OutOfScope { kind: Kind::Empty, reason: Kind::Empty.reason().to_owned() };
    };
    if score >= OUT_FROM {
        let kind = Kind::of(request.groups(&stretch), &reader.groups);
        return Scope::OutOfScope { kind, reason: kind.reason().to_owned() };
    }
    if score < UNSURE_FROM {
        return Scope::InScope;
    }
    let words = request.words().get(stretch.words).unwrap_or_default();
    let range = words.first().map_or(0, |word| word.range.start)..words.last().map_or(0, |word| word.range.end);
    Scope::Unsure { words: plain.get(range).unwrap_or_default().to_owned() }
}

/// Reads requests; making it takes longer than reading a short one.
pub struct Reader {
    groups: Groups,
}

impl Default for Reader {
    fn default() -> Self {
        Self { groups: Groups::new() }
    }
}

impl Reader {
    /// The words of a request, as [`text::plain`] shows it, with their groups.
    #[must_use]
    pub fn read(&self, plain: &str) -> Request {
        Request::new(text::read(plain), &self.groups)
    }
}

#[cfg(test)]
mod tests;
