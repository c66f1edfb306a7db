//! The least filled cells first: a cell is a condition in a place.

use super::Sequence;
use super::count::Table;
use crate::draws::Draws;

/// What a count of a cell weighs against how often the condition was met at all.
const CELL_WEIGHT: u64 = 1 << 20;
/// What that weighs against the draw that decides between equals.
const MET_WEIGHT: u64 = 1 << 8;

/// The sequence of whoever comes next: the conditions for which the cells together were filled the least often, equals by draw.
///
/// Found over all sets of conditions, one place after the other: with the fewest counts in each place, whole rows of a Latin
/// rectangle come about, which can always be completed (Hall).
pub(super) fn next(conditions: usize, each: usize, taken: &[Sequence], draws: &mut Draws) -> Sequence {
    let (places, met) = (Table::places(conditions, each, taken), Table::met(conditions, taken));
    let sets = 1_usize << conditions;
    // The least weight with which the places so far can be filled by a set of conditions, and the last of them.
    let mut best: Vec<Vec<Option<(u64, usize)>>> = vec![vec![None; sets]; each + 1];
    if let Some(none) = best.first_mut().and_then(|row| row.first_mut()) {
        *none = Some((0, 0));
    }
    for place in 0..each {
        let weights: Vec<u64> = (0..conditions).map(|it| weight(&places, &met, it, place, draws)).collect();
        let before = best.get(place).cloned().unwrap_or_default();
        let Some(row) = best.get_mut(place + 1) else { break };
        for (set, found) in before.iter().enumerate() {
            let Some((so_far, _)) = found else { continue };
            for (condition, weight) in weights.iter().enumerate().filter(|(it, _)| set & (1 << it) == 0) {
                let Some(cell) = row.get_mut(set | 1 << condition) else { continue };
                let sum = so_far.saturating_add(*weight);
                if cell.is_none_or(|(least, _)| sum < least) {
                    *cell = Some((sum, condition));
                }
            }
        }
    }
    back(&best, each)
}

/// How much it weighs to put a condition into a place. Squared, so that a cell that stands out is filled last.
fn weight(places: &Table, met: &Table, condition: usize, place: usize, draws: &mut Draws) -> u64 {
    let cell = u64::from(places.of(condition, place));
    let noise = draws.below(usize::try_from(MET_WEIGHT / 16).unwrap_or(1)) as u64;
    cell * cell * CELL_WEIGHT + u64::from(met.of(condition, 0)) * MET_WEIGHT + noise
}

/// The sequence that the weights led to, read from its end.
fn back(best: &[Vec<Option<(u64, usize)>>], each: usize) -> Sequence {
    let last = best.get(each).map(Vec::as_slice).unwrap_or_default();
    let least = last.iter().enumerate().filter_map(|(set, found)| found.map(|(sum, _)| (sum, set))).min();
    let mut set = least.map_or(0, |(_, set)| set);
    let mut sequence = Vec::with_capacity(each);
    for place in (1..=each).rev() {
        let Some((_, condition)) = best.get(place).and_then(|row| row.get(set)).copied().flatten() else { break };
        sequence.push(condition);
        set &= !(1 << condition);
    }
    sequence.reverse();
    sequence
}
