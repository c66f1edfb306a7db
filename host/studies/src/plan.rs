//! What a design would give: the assignment of so many participants from a seed of its own, to look at before anything starts.

use serde::Serialize;
use ta_runtime::RuntimeError;

use crate::definition::{Study, participant};
use crate::design::{Kind, PARTICIPANTS_MAX};
use crate::draws::fresh_seed;

/// An assignment that nobody is held to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Assignments {
    /// The design.
    pub design: Described,
    /// What it was drawn from, as a decimal number; never a study's own.
    pub seed: String,
    /// Who meets what.
    pub assignments: Vec<Assignment>,
}

/// A design with the balance that it comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Described {
    /// How participants are assigned.
    pub kind: Kind,
    /// How many conditions there are.
    pub conditions: usize,
    /// Participants of a whole round.
    pub block: usize,
    /// The largest difference between two counts that the design wants equal; 0 where it is exact.
    pub imbalance: u32,
}

/// What one participant meets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Assignment {
    /// The public id.
    pub participant: String,
    /// The conditions in order.
    pub sequence: Vec<String>,
}

/// The assignment of that many participants, from this seed or a fresh one.
///
/// # Errors
/// `study.participants` for too many; where the system gives no randomness.
pub fn dry_run(study: &Study, participants: usize, seed: Option<u64>) -> Result<Assignments, RuntimeError> {
    if participants > PARTICIPANTS_MAX {
        let message = format!("a study has at most {PARTICIPANTS_MAX} participants, and {participants} were asked for");
        return Err(RuntimeError::usage("study.participants", message, "give a smaller number with --participants"));
    }
    let seed = seed.map_or_else(fresh_seed, Ok)?;
    let sequences = study.design.sequences(participants, seed);
    let assignment = |(at, sequence): (usize, &Vec<usize>)| Assignment {
        participant: participant(at + 1),
        sequence: study.named(sequence),
    };
    Ok(Assignments {
        design: describe(study, participants, seed),
        seed: seed.to_string(),
        assignments: sequences.iter().enumerate().map(assignment).collect(),
    })
}

/// A study's design with the balance that so many participants come to.
#[must_use]
pub fn describe(study: &Study, participants: usize, seed: u64) -> Described {
    let design = study.design;
    let imbalance = design.imbalance(&design.sequences(participants, seed));
    Described { kind: design.kind, conditions: design.conditions, block: design.block, imbalance }
}
