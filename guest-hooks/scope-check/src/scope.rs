//! Whether a request is one for this plugin: planning lessons, and what teachers make and do for them.
//!
//! What the plugin is for is a list of intents ([`INTENTS`]); whatever fits none is out, and one clause that is out makes the
//! request out, wherever it stands and whatever it is dressed as. What fits is not a list of rules but learned from examples: a linear
//! model over words, letters and groups of words ([`features`]) gives each stretch of the request a score, and the highest
//! decides. `cargo run --release -p scope-check --example train-scope-check` makes the weights from the text below `training` and
//! the working half of `evals/guards/requests`. Between two thresholds the answer is [`Scope::Unsure`].
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
const OUT_FROM: i64 = 3_000;
const UNSURE_FROM: i64 = 900;

/// The highest of many scores is high by chance, so a request of more words than these has to reach more for each doubling, up to a limit.
const LONG_WORDS: usize = 64;
const LONG_MORE: i64 = 2_000;
const LONG_MORE_MAX: i64 = 4_000;

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
    if is_bare(request.words()) {
        return Scope::Unsure { words: plain.trim().to_owned() };
    }
    let score = score - more(request.words().len());
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

/// Papers that pupils write in lessons as often as teachers do in earnest.
const EITHER: &[&str] = &[
    "report",
    "reports",
    "comment",
    "comments",
    "letter",
    "letters",
    "note",
    "notes",
    "email",
    "message",
    "statement",
    "reference",
    "references",
    "speech",
    "review",
    "writeup",
    "form",
];

/// Words that say nothing more about them.
const NOTHING_MORE: &[&str] = &["a", "an", "the", "wee", "some", "please", "pls", "short", "quick"];

/// Whether a request names such a paper and nothing else: a sensible colleague asks back.
fn is_bare(words: &[text::Word]) -> bool {
    let either = words.iter().filter(|word| EITHER.contains(&word.text.as_str())).count();
    either == 1
        && words.iter().all(|word| EITHER.contains(&word.text.as_str()) || NOTHING_MORE.contains(&word.text.as_str()))
}

/// What a request of so many words has to reach more.
fn more(words: usize) -> i64 {
    let doublings = (words / LONG_WORDS).checked_ilog2().unwrap_or(0);
    (LONG_MORE * i64::from(doublings)).min(LONG_MORE_MAX)
}

/// The score that decides on a request, for training; none without a word.
#[must_use]
pub fn score(request: &str, model: &Model<'_>) -> Option<i64> {
    let request = Reader::default().read(&text::plain(request));
    let scores = text::stretches(request.words()).iter().map(|stretch| model.score(&request.features(stretch))).max();
    scores.map(|score| score - more(request.words().len()))
}

/// The texts that the weights are learned from, below the crate's directory.
const LEARNED_FROM: &[&str] = &[
    "training/vocabulary.txt",
    "training/glue.txt",
    "training/in.txt",
    "training/out.txt",
    "src/scope/tests/in_scope.txt",
    "src/scope/tests/out_of_scope.txt",
    "../../evals/guards/requests/scope.work.jsonl",
];

/// A hash of all that the weights are learned from, which a test compares with what they were learned from. A file that is not there counts as
/// empty.
#[must_use]
pub fn learned_from(root: &std::path::Path) -> u32 {
    let text = |path: &&str| std::fs::read_to_string(root.join(path)).unwrap_or_default();
    LEARNED_FROM.iter().map(text).fold(ta_linear::Hash::of(b'l'), |hash, text| hash.text(&text)).end()
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
