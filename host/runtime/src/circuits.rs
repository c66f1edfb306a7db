//! Models that do not answer at present: where another can take over, the next call goes to it at once, instead of waiting
//! through all tries of one that is down. After a while one call tries it again.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use ta_core::model::ModelError;

/// How long a model that did not answer is left alone.
const LEFT_ALONE: Duration = Duration::from_secs(60);
/// Failures of a model that is down or overloaded, rather than of one request.
const OUTAGES: [&str; 7] = [
    "model.connect",
    "model.timeout.connect",
    "model.timeout.first_byte",
    "model.timeout.stalled",
    "model.rate_limited",
    "model.overloaded",
    "model.server",
];

/// What did not answer, for every run of a process.
#[derive(Debug, Clone, Default)]
pub struct Circuits(Arc<Mutex<BTreeMap<String, Open>>>);

#[derive(Debug)]
struct Open {
    error: ModelError,
    until: Instant,
}

impl Circuits {
    /// Notes that a model failed, after all its tries.
    pub(crate) fn failed(&self, model: &str, error: &ModelError) {
        self.failed_at(model, error, Instant::now());
    }

    fn failed_at(&self, model: &str, error: &ModelError, now: Instant) {
        if OUTAGES.contains(&error.code.as_str()) {
            let open = Open { error: error.clone(), until: now + LEFT_ALONE };
            self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(model.to_owned(), open);
        }
    }

    /// Notes that a model answered.
    pub(crate) fn answered(&self, model: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(model);
    }

    /// Why a model is not asked at present. Once the time is over one caller is let through, and the others wait as long again
    /// for what comes of it.
    pub(crate) fn down(&self, model: &str) -> Option<ModelError> {
        self.down_at(model, Instant::now())
    }

    fn down_at(&self, model: &str, now: Instant) -> Option<ModelError> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let open = all.get_mut(model)?;
        if now < open.until {
            return Some(open.error.clone());
        }
        open.until = now + LEFT_ALONE;
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(code: &str) -> ModelError {
        ModelError { code: code.to_owned(), message: "It did not answer.".to_owned(), hint: String::new() }
    }

    #[test]
    fn what_is_down_is_tried_again_by_one_after_a_while() {
        let (circuits, now) = (Circuits::default(), Instant::now());
        assert_eq!(circuits.down_at("a/b", now), None);
        circuits.failed_at("a/b", &error("model.connect"), now);
        assert_eq!(circuits.down_at("a/b", now + LEFT_ALONE / 2), Some(error("model.connect")));
        assert_eq!(circuits.down_at("a/c", now), None, "another model of the same provider");
        let later = now + LEFT_ALONE;
        assert_eq!(circuits.down_at("a/b", later), None, "one tries it again");
        assert!(circuits.down_at("a/b", later).is_some(), "and the others do not");
        circuits.answered("a/b");
        assert_eq!(circuits.down_at("a/b", later), None);
    }

    #[test]
    fn a_request_that_is_refused_says_nothing_of_the_next() {
        let circuits = Circuits::default();
        circuits.failed("a/b", &error("model.bad_request"));
        assert_eq!(circuits.down("a/b"), None);
    }
}
