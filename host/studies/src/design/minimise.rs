//! Minimisation: whoever comes next joins the condition that leaves the groups most alike.
//!
//! S. J. Pocock and R. Simon, "Sequential treatment assignment with balancing for prognostic factors", Biometrics 31 (1975): for
//! each condition it is reckoned how far apart the groups would be at the newcomer's level of each factor, and in their sizes;
//! the condition with the smallest sum is taken, equals by draw.

use std::collections::BTreeMap;

use super::Sequence;
use crate::draws::Draws;

/// What is known of a participant beforehand: the level of each factor, by name.
pub type Levels = BTreeMap<String, String>;

/// Somebody who is in the study, with the condition and the levels.
pub type Placed = (usize, Levels);

/// The condition of whoever comes next. The last entry of `levels` is the newcomer's, those before are of who is there; without
/// any only the sizes of the groups count.
pub(super) fn next(conditions: usize, taken: &[Sequence], levels: &[Placed], draws: &mut Draws) -> usize {
    let newcomer = levels.last().map(|(_, levels)| levels);
    let there = levels.len().checked_sub(1).and_then(|before| levels.get(..before)).unwrap_or_default();
    let mut sums = Vec::with_capacity(conditions);
    for candidate in 0..conditions {
        let sizes = spread(conditions, candidate, taken.iter().filter_map(|it| it.first().copied()));
        let at_level = |(factor, level): (&String, &String)| {
            let alike = there.iter().filter(|(_, levels)| levels.get(factor) == Some(level));
            spread(conditions, candidate, alike.map(|(condition, _)| *condition))
        };
        sums.push(sizes + newcomer.into_iter().flatten().map(at_level).sum::<u32>());
    }
    let least = sums.iter().min().copied().unwrap_or(0);
    let equal: Vec<usize> = sums.iter().enumerate().filter(|(_, sum)| **sum == least).map(|(it, _)| it).collect();
    equal.get(draws.below(equal.len())).copied().unwrap_or(0)
}

/// The largest group less the smallest, with one more in the candidate's.
fn spread(conditions: usize, candidate: usize, there: impl Iterator<Item = usize>) -> u32 {
    let mut counts = vec![0_u32; conditions];
    for condition in there.chain([candidate]) {
        if let Some(count) = counts.get_mut(condition) {
            *count += 1;
        }
    }
    counts.iter().max().unwrap_or(&0) - counts.iter().min().unwrap_or(&0)
}
