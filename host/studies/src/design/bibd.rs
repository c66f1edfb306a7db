//! Balanced incomplete blocks: everybody meets some of the conditions, and each two are met together equally often.
//!
//! The smallest design of each size is the cyclic development of a few blocks (difference sets; W. G. Cochran and G. M. Cox,
//! "Experimental Designs", 1957, plans 11.1 and following), its complement, or all choices of that size.

use super::Sequence;
use super::count::Table;
use crate::draws::Draws;

/// A design of which every choice of blocks is looked at for the part of a round.
const BLOCKS_TRIED_MAX: usize = 18;
/// Exchanges of blocks that are tried for a part of a larger one.
const EXCHANGES: usize = 4_000;

/// The blocks of the smallest design: each is a set of conditions. Empty where a participant would meet fewer than two, or all.
pub(super) fn blocks(conditions: usize, each: usize) -> Vec<Sequence> {
    match (conditions, each) {
        (6, 3) => listed("012 013 024 035 045 125 134 145 234 235"),
        (7, 3) => developed(7, &[&[0, 1, 3]]),
        (7, 4) => developed(7, &[&[0, 1, 2, 4]]),
        (8, 4) => listed("0123 0145 0167 0246 0257 0347 0356 1247 1256 1346 1357 2345 2367 4567"),
        (9, 3) => listed("012 345 678 036 147 258 048 156 237 057 138 246"),
        (9, 4) => developed(9, &[&[0, 1, 2, 4], &[0, 3, 4, 7]]),
        (9, 5) => complements(9, &blocks(9, 4)),
        (9, 6) => complements(9, &blocks(9, 3)),
        _ if (2..conditions).contains(&each) => all_choices(conditions, each),
        _ => Vec::new(),
    }
}

fn listed(words: &str) -> Vec<Sequence> {
    let block = |word: &str| word.bytes().map(|digit| usize::from(digit.wrapping_sub(b'0'))).collect();
    words.split(' ').map(block).collect()
}

/// Each block with every number added to it, modulo the number of conditions.
fn developed(conditions: usize, first: &[&[usize]]) -> Vec<Sequence> {
    let moved = |block: &[usize], by: usize| {
        let mut moved: Sequence = block.iter().map(|it| (it + by) % conditions).collect();
        moved.sort_unstable();
        moved
    };
    first.iter().flat_map(|block| (0..conditions).map(move |by| moved(block, by))).collect()
}

fn complements(conditions: usize, blocks: &[Sequence]) -> Vec<Sequence> {
    blocks.iter().map(|block| (0..conditions).filter(|it| !block.contains(it)).collect()).collect()
}

fn all_choices(conditions: usize, each: usize) -> Vec<Sequence> {
    let sets = (0_usize..1 << conditions).filter(|set| set.count_ones() as usize == each);
    sets.map(|set| (0..conditions).filter(|it| set & (1 << it) != 0).collect()).collect()
}

/// So many participants of one round: blocks that differ the least in what is to be equal, each in an order in which every
/// condition stands in every place about as often.
pub(super) fn sequences(conditions: usize, each: usize, count: usize, draws: &mut Draws) -> Vec<Sequence> {
    let all = blocks(conditions, each);
    let mut chosen = if count >= all.len() {
        all
    } else if all.len() <= BLOCKS_TRIED_MAX {
        tried(conditions, &all, count)
    } else {
        exchanged(conditions, &all, count, draws)
    };
    chosen.iter_mut().for_each(|block| draws.shuffle(block));
    in_places(conditions, each, &mut chosen);
    chosen
}

/// How unequal a choice of blocks is: first by the largest difference, then by all counts.
fn differs(conditions: usize, blocks: &[Sequence]) -> (u32, u64) {
    let (met, pairs) = (Table::met(conditions, blocks), Table::pairs(conditions, blocks));
    (met.range().max(pairs.range()), met.squares() + pairs.squares())
}

/// Of all choices of so many blocks the one that differs the least.
fn tried(conditions: usize, all: &[Sequence], count: usize) -> Vec<Sequence> {
    let chosen = |set: usize| -> Vec<Sequence> {
        all.iter().enumerate().filter(|(at, _)| set & (1 << at) != 0).map(|(_, block)| block.clone()).collect()
    };
    let mut best: Option<((u32, u64), Vec<Sequence>)> = None;
    for set in (0_usize..1 << all.len()).filter(|set| set.count_ones() as usize == count) {
        let blocks = chosen(set);
        let differs = differs(conditions, &blocks);
        if best.as_ref().is_none_or(|(least, _)| differs < *least) {
            best = Some((differs, blocks));
        }
        // Less than a whole round cannot differ by less than this.
        if differs.0 <= 1 {
            break;
        }
    }
    best.map(|(_, blocks)| blocks).unwrap_or_default()
}

/// A choice of so many blocks, made evener by exchanging one at a time.
fn exchanged(conditions: usize, all: &[Sequence], count: usize, draws: &mut Draws) -> Vec<Sequence> {
    let mut order = all.to_vec();
    draws.shuffle(&mut order);
    let mut least = differs(conditions, order.get(..count).unwrap_or_default());
    for _ in 0..EXCHANGES {
        if count == 0 || least.0 <= 1 {
            break;
        }
        let (one, other) = (draws.below(count), count + draws.below(order.len() - count));
        order.swap(one, other);
        let now = differs(conditions, order.get(..count).unwrap_or_default());
        if now <= least {
            least = now;
        } else {
            order.swap(one, other);
        }
    }
    order.truncate(count);
    order
}

/// Reorders blocks until each condition stands in each two places about equally often: no two counts of a condition differ by
/// more than 1 (D. de Werra, balanced colourings of a bipartite graph).
fn in_places(conditions: usize, each: usize, blocks: &mut [Sequence]) {
    while let Some((condition, often, seldom)) = uneven(conditions, each, blocks) {
        exchange_along(condition, often, seldom, blocks);
    }
}

/// A condition that stands in one place at least twice more often than in another.
fn uneven(conditions: usize, each: usize, blocks: &[Sequence]) -> Option<(usize, usize, usize)> {
    let table = Table::places(conditions, each, blocks);
    (0..conditions).find_map(|condition| {
        let by_count = |place: &usize| table.of(condition, *place);
        let (often, seldom) = ((0..each).max_by_key(by_count)?, (0..each).min_by_key(by_count)?);
        (table.of(condition, often) >= table.of(condition, seldom) + 2).then_some((condition, often, seldom))
    })
}

/// Exchanges two places in one block after the other: in each the condition that has just come into the place where it is
/// needed less goes on to another block, until one is reached that gains by it.
fn exchange_along(condition: usize, often: usize, seldom: usize, blocks: &mut [Sequence]) {
    let mut condition = condition;
    let mut done = vec![false; blocks.len()];
    loop {
        let next =
            blocks.iter_mut().zip(&mut done).find(|(block, done)| !**done && block.get(often) == Some(&condition));
        let Some((block, done)) = next else { return };
        *done = true;
        let Some(other) = block.get(seldom).copied() else { return };
        block.swap(often, seldom);
        condition = other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks, how often each is met and each two together, as tables of such designs print them.
    #[test]
    fn the_designs_have_the_published_parameters() {
        let published = [
            (4, 2, 6, 3, 1),
            (4, 3, 4, 3, 2),
            (5, 2, 10, 4, 1),
            (5, 3, 10, 6, 3),
            (5, 4, 5, 4, 3),
            (6, 2, 15, 5, 1),
            (6, 3, 10, 5, 2),
            (6, 4, 15, 10, 6),
            (6, 5, 6, 5, 4),
            (7, 2, 21, 6, 1),
            (7, 3, 7, 3, 1),
            (7, 4, 7, 4, 2),
            (7, 5, 21, 15, 10),
            (7, 6, 7, 6, 5),
            (8, 2, 28, 7, 1),
            (8, 3, 56, 21, 6),
            (8, 4, 14, 7, 3),
            (8, 7, 8, 7, 6),
            (9, 2, 36, 8, 1),
            (9, 3, 12, 4, 1),
            (9, 4, 18, 8, 3),
            (9, 5, 18, 10, 5),
            (9, 6, 12, 8, 5),
            (9, 8, 9, 8, 7),
        ];
        for (conditions, each, count, met, together) in published {
            let blocks = blocks(conditions, each);
            assert_eq!(blocks.len(), count, "{conditions} {each}");
            let (all, pairs) = (Table::met(conditions, &blocks), Table::pairs(conditions, &blocks));
            assert_eq!((all.range(), all.of(0, 0)), (0, met), "{conditions} {each}");
            assert_eq!((pairs.range(), pairs.of(0, 1)), (0, together), "{conditions} {each}");
        }
    }
}
