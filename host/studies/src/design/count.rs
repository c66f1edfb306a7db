//! Counting what a design wants equal.

use super::Sequence;

/// Counts of cells that are to be equal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Table {
    width: usize,
    cells: Vec<u32>,
    /// Cells that cannot occur, such as a condition behind itself.
    outside: Vec<bool>,
}

impl Table {
    fn new(height: usize, width: usize) -> Self {
        Self { width, cells: vec![0; height * width], outside: vec![false; height * width] }
    }

    /// Without the cells on and below the diagonal, or on it alone.
    fn without(mut self, outside: impl Fn(usize, usize) -> bool) -> Self {
        let width = self.width.max(1);
        for (at, cell) in self.outside.iter_mut().enumerate() {
            *cell = outside(at / width, at % width);
        }
        self
    }

    /// How often a condition stands in a place.
    pub(super) fn places(conditions: usize, each: usize, sequences: &[Sequence]) -> Self {
        let mut table = Self::new(conditions, each);
        for (place, condition) in sequences.iter().flat_map(|it| it.iter().enumerate()) {
            table.add(*condition, place);
        }
        table
    }

    /// How often a condition comes right after another.
    pub(super) fn successions(conditions: usize, sequences: &[Sequence]) -> Self {
        let mut table = Self::new(conditions, conditions).without(|one, other| one == other);
        for pair in sequences.iter().flat_map(|it| it.windows(2)) {
            if let [before, after] = pair {
                table.add(*before, *after);
            }
        }
        table
    }

    /// How often a condition is met.
    pub(super) fn met(conditions: usize, sequences: &[Sequence]) -> Self {
        let mut table = Self::new(conditions, 1);
        sequences.iter().flatten().for_each(|condition| table.add(*condition, 0));
        table
    }

    /// How often two conditions are met by the same participant.
    pub(super) fn pairs(conditions: usize, sequences: &[Sequence]) -> Self {
        let mut table = Self::new(conditions, conditions).without(|one, other| one >= other);
        for sequence in sequences {
            for (at, one) in sequence.iter().enumerate() {
                for other in sequence.iter().skip(at + 1) {
                    table.add(*one.min(other), *one.max(other));
                }
            }
        }
        table
    }

    fn add(&mut self, row: usize, column: usize) {
        if let Some(cell) = self.cells.get_mut(row * self.width + column) {
            *cell += 1;
        }
    }

    /// A count.
    pub(super) fn of(&self, row: usize, column: usize) -> u32 {
        self.cells.get(row * self.width + column).copied().unwrap_or(0)
    }

    /// The largest count less the smallest.
    pub(super) fn range(&self) -> u32 {
        let counted = self.cells.iter().zip(&self.outside).filter(|(_, outside)| !**outside).map(|(count, _)| *count);
        let (least, most) = counted.fold((u32::MAX, 0), |(least, most), count| (least.min(count), most.max(count)));
        most.saturating_sub(least)
    }

    /// The sum of the squares: of two tables with the same sum, the evener one has the smaller.
    pub(super) fn squares(&self) -> u64 {
        self.cells.iter().map(|count| u64::from(*count) * u64::from(*count)).sum()
    }
}
