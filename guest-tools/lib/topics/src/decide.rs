//! Certain or not: the one rule, and the order of what is offered.

use ta_curriculum::level::Level;

use crate::index::{Document, Index, Outcome, weight};
use crate::request::Request;

/// So many outcomes are offered at most.
pub const CHOICES_MAX: usize = 4;
/// A word is covered by an outcome in whose own wording it stands: its topics, title, keywords or text.
const COVERED: f64 = weight::OUTCOME;
/// The least share of a topic, by how much its words tell apart, that the wording has to carry.
const CERTAIN: f64 = 0.85;
/// What it is where not every word stands there, and how far the next outcome has to be away then.
const CERTAIN_ALONE: f64 = 0.7;
const ALONE: f64 = 0.3;
/// More words than these that make a clause, to one that names something, are a sentence that may well be about something else.
const CLAUSE_TO_ONE_NAMED: usize = 2;
/// A word that stands everywhere still counts so much.
const RARITY_MIN: f64 = 0.05;
/// Below this an outcome has nothing to do with the topic.
const OFFERED: f64 = 0.15;
/// What a topic that is named whole adds, and what a level that is not the class's costs.
const WHOLE_TOPIC: f64 = 0.2;
const OTHER_LEVEL: f64 = 0.04;
const WORD_BESIDES: f64 = 0.1;

/// What was found for a request.
#[derive(Debug, Clone, PartialEq)]
pub enum Finding<'a> {
    /// This outcome is meant.
    Certain(&'a Outcome),
    /// One of these may be meant, the nearest first; empty where nothing is near.
    Unsure(Vec<&'a Outcome>),
}

/// An outcome, and how well it fits.
struct Fit<'a> {
    document: &'a Document,
    score: f64,
    /// The weight of the needed word that it says least of.
    covered: f64,
    rank: f64,
}

impl Index {
    /// Looks a request up among the outcomes of these subjects, those of this level first.
    #[must_use]
    pub fn look(&self, request: &Request, subjects: &[String], level: Option<Level>) -> Finding<'_> {
        if request.names_no_topic() {
            return Finding::Unsure(Vec::new());
        }
        let of_subjects = self.documents.iter().filter(|document| subjects.contains(&document.outcome.subject));
        let mut fits: Vec<Fit<'_>> = of_subjects.map(|document| self.fit(request, document, level)).collect();
        fits.sort_by(|a, b| b.rank.total_cmp(&a.rank));
        match certain(request, &fits) {
            Some(outcome) => Finding::Certain(outcome),
            None => {
                let near = fits.iter().filter(|fit| fit.score >= OFFERED).take(CHOICES_MAX);
                Finding::Unsure(near.map(|fit| &fit.document.outcome).collect())
            }
        }
    }

    fn fit<'a>(&self, request: &Request, document: &'a Document, level: Option<Level>) -> Fit<'a> {
        let (mut whole, mut carried, mut covered) = (0.0, 0.0, f64::INFINITY);
        for stem in &request.needed {
            let rarity = self.rarity(*stem).max(RARITY_MIN);
            let weight = document.weight(*stem);
            whole += rarity;
            carried += rarity * weight;
            covered = weight.min(covered);
        }
        let score = if whole > 0.0 { carried / whole } else { 0.0 };
        let besides: f64 = request.besides.iter().map(|stem| document.weight(*stem)).sum();
        let other_level = match (level, document.outcome.level) {
            (Some(wanted), Some(has)) => f64::from(wanted.number().abs_diff(has.number())),
            _ => 0.0,
        };
        let rank =
            score + WHOLE_TOPIC * likeness(request, document) + WORD_BESIDES * besides - OTHER_LEVEL * other_level;
        Fit { document, score, covered, rank }
    }
}

/// The outcome that is meant: its own wording covers every word of the topic; or it holds every word, most of them in its own
/// wording, and no other outcome comes near.
fn certain<'a>(request: &Request, fits: &[Fit<'a>]) -> Option<&'a Outcome> {
    if request.clause > CLAUSE_TO_ONE_NAMED * (request.needed.len() + request.besides.len()) {
        return None;
    }
    let own = fits.iter().find(|fit| fit.covered >= COVERED && fit.score >= CERTAIN);
    let alone = || {
        let (best, next) = (fits.first()?, fits.get(1).map_or(0.0, |next| next.score));
        (best.covered > 0.0 && best.score >= CERTAIN_ALONE && best.score - next >= ALONE).then_some(best)
    };
    own.or_else(alone).map(|fit| &fit.document.outcome)
}

/// How much the topic that is most like the request shares with it: 1 where they are the same words.
fn likeness(request: &Request, document: &Document) -> f64 {
    let shares = document.topics.iter().map(|topic| {
        let shared = request.needed.iter().filter(|stem| stem.is_some_and(|stem| topic.contains(&stem))).count();
        let all = topic.len() + request.needed.len() - shared;
        f64::from(u32::try_from(shared).unwrap_or(0)) / f64::from(u32::try_from(all.max(1)).unwrap_or(u32::MAX))
    });
    shares.fold(0.0, f64::max)
}
