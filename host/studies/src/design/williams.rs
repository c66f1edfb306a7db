//! Williams designs: everybody meets every condition, and each follows each other one equally often.
//!
//! E. J. Williams, "Experimental designs balanced for the estimation of residual effects of treatments", Australian Journal of
//! Scientific Research A 2 (1949): the first row goes to and fro, 0, 1, n-1, 2, n-2, …; the others add 1 to it, modulo n. For an
//! even number that is all; for an odd number the same rows read backwards belong to it.

use super::Sequence;
use super::count::Table;

/// So many rows of the design, chosen so that what is to be equal differs the least.
pub(super) fn rows(conditions: usize, count: usize) -> Vec<Sequence> {
    let all = square(conditions);
    // Of an even square any rows will do: in each place and after each other one every condition stands once or not at all.
    if conditions.is_multiple_of(2) || count == 0 || count >= all.len() {
        return all.into_iter().take(count).collect();
    }
    let mut best: Option<((u32, u32), Vec<Sequence>)> = None;
    let mut chosen = Vec::with_capacity(count);
    choose(&all, count, &mut chosen, &mut |rows| {
        let (places, after) = (Table::places(conditions, conditions, rows), Table::successions(conditions, rows));
        let differs = (places.range().max(after.range()), places.range());
        if best.as_ref().is_none_or(|(least, _)| differs < *least) {
            best = Some((differs, rows.to_vec()));
        }
        // Less than a whole round cannot differ by less than this.
        differs.0 <= 1
    });
    best.map(|(_, rows)| rows).unwrap_or_default()
}

/// All rows of a design.
pub(super) fn square(conditions: usize) -> Vec<Sequence> {
    let to_and_fro = |place: usize| if place.is_multiple_of(2) { conditions - place / 2 } else { place.div_ceil(2) };
    let row = |first: usize| (0..conditions).map(|place| (to_and_fro(place) + first) % conditions).collect();
    let mut rows: Vec<Sequence> = (0..conditions).map(row).collect();
    if !conditions.is_multiple_of(2) {
        let backwards: Vec<Sequence> = rows.iter().map(|row| row.iter().rev().copied().collect()).collect();
        rows.extend(backwards);
    }
    rows
}

/// Shows every choice of so many rows, until one is said to be good enough. Gives whether one was.
fn choose(
    rows: &[Sequence],
    count: usize,
    chosen: &mut Vec<Sequence>,
    enough: &mut impl FnMut(&[Sequence]) -> bool,
) -> bool {
    if chosen.len() == count {
        return enough(chosen);
    }
    for (at, row) in rows.iter().enumerate() {
        if rows.len() - at < count - chosen.len() {
            break;
        }
        chosen.push(row.clone());
        if choose(rows.get(at + 1..).unwrap_or_default(), count, chosen, enough) {
            return true;
        }
        chosen.pop();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The square of four that textbooks print (Cochran and Cox), up to the names of the rows.
    #[test]
    fn the_square_of_four_is_the_published_one() {
        let mut rows = square(4);
        rows.sort();
        assert_eq!(rows, [[0, 1, 3, 2], [1, 2, 0, 3], [2, 3, 1, 0], [3, 0, 2, 1]]);
    }

    /// First rows of the squares that the package crossdes for R gives for five and six treatments, and one row further down.
    #[test]
    fn larger_squares_are_the_published_ones() {
        let (five, six) = (square(5), square(6));
        assert_eq!((five[0].as_slice(), five[1].as_slice()), ([0, 1, 4, 2, 3].as_slice(), [1, 2, 0, 3, 4].as_slice()));
        assert_eq!(five[5], [3, 2, 4, 1, 0]);
        assert_eq!(
            (six[0].as_slice(), six[5].as_slice()),
            ([0, 1, 5, 2, 4, 3].as_slice(), [5, 0, 4, 1, 3, 2].as_slice())
        );
    }

    #[test]
    fn three_conditions_have_all_six_orders() {
        let mut rows = square(3);
        rows.sort();
        assert_eq!(rows, [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]);
    }
}
