//! Every design, 2 to 9 conditions, 0 to 60 participants: counted here anew, not by what made them.

use std::collections::BTreeMap;

use proptest::prelude::*;
use ta_studies::design::{Design, Kind, Sequence, There};

/// The largest count less the smallest, over these cells.
fn range<K: Ord>(cells: impl Iterator<Item = K>, found: impl Iterator<Item = K>) -> u32 {
    let mut counts: BTreeMap<K, u32> = cells.map(|cell| (cell, 0)).collect();
    found.for_each(|cell| *counts.get_mut(&cell).expect("no other cell") += 1);
    counts.values().max().unwrap_or(&0) - counts.values().min().unwrap_or(&0)
}

fn places(n: usize, each: usize, all: &[Sequence]) -> u32 {
    let cells = (0..n).flat_map(|one| (0..each).map(move |place| (one, place)));
    range(cells, all.iter().flat_map(|it| it.iter().enumerate().map(|(place, one)| (*one, place))))
}

fn successions(n: usize, all: &[Sequence]) -> u32 {
    let cells = (0..n).flat_map(|one| (0..n).filter(move |other| one != *other).map(move |other| (one, other)));
    range(cells, all.iter().flat_map(|it| it.windows(2).map(|two| (two[0], two[1]))))
}

fn pairs(n: usize, all: &[Sequence]) -> u32 {
    let cells = (0..n).flat_map(|one| (one + 1..n).map(move |other| (one, other)));
    let met = |it: &Sequence| {
        let mut it = it.clone();
        it.sort_unstable();
        (0..it.len())
            .flat_map(|at| it[at + 1..].iter().map(|other| (it[at], *other)).collect::<Vec<_>>())
            .collect::<Vec<_>>()
    };
    range(cells, all.iter().flat_map(met))
}

fn met(n: usize, all: &[Sequence]) -> u32 {
    range(0..n, all.iter().flatten().copied())
}

/// Every participant meets as many as the design says, none twice.
fn well_formed(design: &Design, all: &[Sequence]) {
    for sequence in all {
        let mut sorted = sequence.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!((sorted.len(), sequence.len()), (design.each, design.each), "{design:?} {sequence:?}");
        assert!(sorted.iter().all(|it| *it < design.conditions));
    }
}

#[test]
fn a_williams_design_is_exact_in_whole_rounds_and_nearly_so_between() {
    for n in 2..=9 {
        let design = Design::new(Kind::Williams, n, None, None).unwrap();
        assert_eq!(design.block, if n % 2 == 0 { n } else { 2 * n });
        for participants in 0..=60 {
            let all = design.sequences(participants, 41);
            assert_eq!(all.len(), participants);
            well_formed(&design, &all);
            let differs = places(n, n, &all).max(successions(n, &all));
            assert_eq!(design.imbalance(&all), differs, "{n} {participants}");
            if participants % design.block == 0 {
                assert_eq!(differs, 0, "{n} {participants}");
            } else {
                assert!((1..=2).contains(&differs), "{n} {participants}: {differs}");
                assert!(n % 2 == 1 || differs == 1, "{n} {participants}: {differs}");
            }
        }
    }
}

/// Of all choices of rows of the square of three and of five: none has a smaller difference.
#[test]
fn what_is_left_of_an_odd_round_has_the_least_imbalance_there_is() {
    for n in [3, 5] {
        let design = Design::new(Kind::Williams, n, None, None).unwrap();
        let rows = design.sequences(design.block, 5);
        for participants in 1..design.block {
            let least = (0_u32..1 << rows.len()).filter(|set| set.count_ones() as usize == participants).map(|set| {
                let chosen: Vec<Sequence> = rows
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| set & (1 << at) != 0)
                    .map(|(_, row)| row.clone())
                    .collect();
                places(n, n, &chosen).max(successions(n, &chosen))
            });
            let all = design.sequences(participants, 5);
            assert_eq!(design.imbalance(&all), least.min().unwrap(), "{n} {participants}");
        }
    }
}

/// How many blocks a design has: as published (Cochran and Cox 1957), all choices elsewhere.
const ROUNDS: [(usize, usize, usize); 28] = [
    (3, 2, 3),
    (4, 2, 6),
    (4, 3, 4),
    (5, 2, 10),
    (5, 3, 10),
    (5, 4, 5),
    (6, 2, 15),
    (6, 3, 10),
    (6, 4, 15),
    (6, 5, 6),
    (7, 2, 21),
    (7, 3, 7),
    (7, 4, 7),
    (7, 5, 21),
    (7, 6, 7),
    (8, 2, 28),
    (8, 3, 56),
    (8, 4, 14),
    (8, 5, 56),
    (8, 6, 28),
    (8, 7, 8),
    (9, 2, 36),
    (9, 3, 12),
    (9, 4, 18),
    (9, 5, 18),
    (9, 6, 12),
    (9, 7, 36),
    (9, 8, 9),
];

#[test]
fn incomplete_blocks_are_exact_in_whole_rounds_and_nearly_so_between() {
    for (n, each, round) in ROUNDS {
        let design = Design::new(Kind::Bibd, n, Some(each), None).unwrap();
        assert_eq!(design.block, round, "{n} {each}");
        for participants in 0..=60 {
            let all = design.sequences(participants, 7);
            assert_eq!(all.len(), participants);
            well_formed(&design, &all);
            let differs = met(n, &all).max(pairs(n, &all));
            assert_eq!(design.imbalance(&all), differs, "{n} {each} {participants}");
            assert_eq!(differs == 0, participants % round == 0, "{n} {each} {participants}: {differs}");
            assert!(differs <= 3, "{n} {each} {participants}: {differs}");
        }
    }
}

/// Five conditions, three each, ten participants: every two conditions are met together three times, and each stands twice in
/// each place.
#[test]
fn ten_who_meet_three_of_five_meet_every_two_three_times() {
    let design = Design::new(Kind::Bibd, 5, Some(3), None).unwrap();
    let all = design.sequences(10, 99);
    let together = |one: usize, other: usize| all.iter().filter(|it| it.contains(&one) && it.contains(&other)).count();
    for one in 0..5 {
        assert!((one + 1..5).all(|other| together(one, other) == 3));
        assert!((0..3).all(|place| all.iter().filter(|it| it[place] == one).count() == 2));
    }
    assert!(design.imbalance(&design.sequences(6, 99)) > 0, "six cannot be exact");
}

#[test]
fn groups_of_one_condition_each_differ_by_one_at_most() {
    for kind in [Kind::PermutedBlocks, Kind::Minimisation] {
        for n in 2..=9 {
            let design = Design::new(kind, n, None, None).unwrap();
            for participants in 0..=60 {
                let all = design.sequences(participants, 11);
                well_formed(&design, &all);
                let differs = met(n, &all);
                assert_eq!(differs, u32::from(participants % n != 0), "{kind} {n} {participants}");
                assert_eq!(design.imbalance(&all), differs);
                // And so it is after each of them: nobody knows how many will come.
                assert!((0..=participants).all(|so_far| kind == Kind::PermutedBlocks || met(n, &all[..so_far]) <= 1));
            }
        }
    }
}

#[test]
fn the_least_filled_cells_fill_evenly() {
    for n in 2..=9 {
        for each in 1..=n {
            let design = Design::new(Kind::LeastFilled, n, Some(each), None).unwrap();
            let all = design.sequences(60, 13);
            well_formed(&design, &all);
            for participants in 0..=60 {
                let differs = places(n, each, &all[..participants]);
                assert_eq!(design.imbalance(&all[..participants]), differs);
                let least = u32::from(participants % n != 0);
                assert!(differs >= least, "{n} {each} {participants}");
                assert!(
                    differs <= if each == n || each == 1 { least } else { 2 },
                    "{n} {each} {participants}: {differs}"
                );
            }
        }
    }
}

#[test]
fn what_does_not_go_together_is_said() {
    let said = |kind, n, each, block| Design::new(kind, n, each, block).unwrap_err();
    assert!(said(Kind::Williams, 1, None, None).contains("2 to 9"));
    assert!(said(Kind::Williams, 10, None, None).contains("2 to 9"));
    assert!(said(Kind::Williams, 4, Some(3), None).contains("each participant meets 4"));
    assert!(said(Kind::Bibd, 5, None, None).contains("how many conditions"));
    assert!(said(Kind::Bibd, 5, Some(5), None).contains("cannot meet 5 of 5"));
    assert!(said(Kind::PermutedBlocks, 3, None, Some(4)).contains("block of 4"));
    assert!(said(Kind::Williams, 4, None, Some(8)).contains("is 4"));
    assert!("latin".parse::<Kind>().unwrap_err().contains("williams, bibd"));
}

proptest! {
    /// The same seed, the same sequences; and who comes one after the other gets those of the list, whatever is freed between.
    #[test]
    fn one_after_the_other_is_the_list(kind in 0_usize..5, n in 2_usize..=6, planned in 1_usize..30, seed: u64, gone: prop::sample::Index) {
        let kind = Kind::ALL[kind];
        let design = Design::new(kind, n, (kind == Kind::Bibd).then_some(2).filter(|_| n > 2), None);
        prop_assume!(design.is_ok());
        let design = design.unwrap();
        let list = design.sequences(planned, seed);
        prop_assert_eq!(&list, &design.sequences(planned, seed));
        let (mut taken, mut slots) = (Vec::new(), Vec::new());
        for (at, expected) in list.iter().enumerate() {
            let (slot, sequence) = design.assign(planned, There { taken: &taken, slots: &slots, levels: &[] }, seed);
            prop_assert_eq!((slot, &sequence), (at, expected));
            taken.push(sequence);
            slots.push(slot);
        }
        // Somebody drops out: whoever comes next takes that place.
        let gone = gone.index(planned);
        let freed = taken.remove(gone);
        slots.remove(gone);
        let (slot, sequence) = design.assign(planned, There { taken: &taken, slots: &slots, levels: &[] }, seed);
        prop_assert_eq!(slot, gone);
        if matches!(kind, Kind::Williams | Kind::Bibd | Kind::PermutedBlocks) {
            prop_assert_eq!(sequence, freed);
        }
        // Beyond what was planned there is always another.
        let (slot, more) = design.assign(planned, There { taken: &list, slots: &(0..planned).collect::<Vec<_>>(), levels: &[] }, seed);
        prop_assert_eq!((slot, more.len()), (planned, design.each));
    }
}
