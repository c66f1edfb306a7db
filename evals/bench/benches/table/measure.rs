//! Times, taken in turns: every participant has its share of every moment, so that a busy machine slows all of them.

use std::time::{Duration, Instant};

use ta_bench::Outcome;

/// Somebody who is measured.
pub(crate) struct Participant<'a> {
    repeats: usize,
    work: Box<dyn FnMut() -> Outcome<()> + 'a>,
    samples: Vec<Duration>,
}

impl<'a> Participant<'a> {
    /// One whose work is done so often in each round, each time measured for itself.
    pub(crate) fn new(repeats: usize, work: impl FnMut() -> Outcome<()> + 'a) -> Self {
        Self { repeats, work: Box::new(work), samples: Vec::new() }
    }

    fn round(&mut self) -> Outcome<()> {
        for _ in 0..self.repeats {
            let started = Instant::now();
            (self.work)()?;
            self.samples.push(started.elapsed());
        }
        Ok(())
    }

    /// The median so far.
    pub(crate) fn median(&self) -> Duration {
        median(&self.samples)
    }
}

/// Rounds in which each has its turn.
///
/// # Errors
/// Where one fails.
pub(crate) fn rounds<'a>(count: usize, participants: &mut [Participant<'a>]) -> Outcome<()> {
    for _ in 0..count {
        for participant in participants.iter_mut() {
            participant.round()?;
        }
    }
    Ok(())
}

/// The middle one; zero of none.
pub(crate) fn median(samples: &[Duration]) -> Duration {
    let mut sorted = samples.to_vec();
    sorted.sort();
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

/// One number from another, as a ratio.
pub(crate) fn ratio(of: Duration, to: Duration) -> f64 {
    of.as_secs_f64() / to.as_secs_f64().max(f64::MIN_POSITIVE)
}
