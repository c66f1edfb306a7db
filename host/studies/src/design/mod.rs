//! Which conditions each participant meets, and in which order. Pure: the same design, number and seed give the same sequences.
//!
//! A design counts in rounds: a whole round of it is balanced exactly. What is left of a round is chosen so that the imbalance
//! is the least that the design allows, and the number says how large it is.

mod bibd;
mod count;
mod filled;
mod minimise;
mod williams;

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};

use crate::draws::Draws;
use count::Table;

pub use minimise::{Levels, Placed};

/// Conditions of a study at the most.
pub const CONDITIONS_MAX: usize = 9;
/// Participants of a study at the most.
pub const PARTICIPANTS_MAX: usize = 10_000;

/// The conditions that one participant meets, by their number in the study, in order.
pub type Sequence = Vec<usize>;

/// How participants are assigned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Everybody meets every condition; each stands in each place, and follows each other one, equally often.
    Williams,
    /// Everybody meets some of the conditions; each is met, and each two are met together, equally often.
    Bibd,
    /// Everybody meets one condition; within each block of participants all are met equally often.
    PermutedBlocks,
    /// Everybody meets one condition: that which leaves the groups most alike.
    Minimisation,
    /// The cells (a condition in a place) that fewest participants have filled come next.
    LeastFilled,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Williams, Self::Bibd, Self::PermutedBlocks, Self::Minimisation, Self::LeastFilled];

    /// The word in files and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Williams => "williams",
            Self::Bibd => "bibd",
            Self::PermutedBlocks => "permuted-blocks",
            Self::Minimisation => "minimisation",
            Self::LeastFilled => "least-filled",
        }
    }

    /// Whether everybody meets a single condition.
    #[must_use]
    pub const fn between(self) -> bool {
        matches!(self, Self::PermutedBlocks | Self::Minimisation)
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Kind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let names = Self::ALL.map(Self::name).join(", ");
        let found = Self::ALL.into_iter().find(|kind| kind.name() == text);
        found.ok_or_else(|| format!("there is no design `{text}`; the designs are: {names}"))
    }
}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

/// Who is in a study when somebody else comes.
#[derive(Debug, Clone, Copy, Default)]
pub struct There<'a> {
    /// Their sequences.
    pub taken: &'a [Sequence],
    /// The places in the list that they fill.
    pub slots: &'a [usize],
    /// For minimisation: their conditions and levels, and at the end the newcomer's.
    pub levels: &'a [Placed],
}

/// A design.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Design {
    /// How participants are assigned.
    pub kind: Kind,
    /// How many conditions there are.
    pub conditions: usize,
    /// How many of them each participant meets.
    pub each: usize,
    /// Participants of a whole round, after which everything is balanced exactly.
    pub block: usize,
}

impl Design {
    /// A design of that many conditions. `each` says how many a participant meets, where the kind leaves it open (`bibd` and
    /// `least-filled`); `block` the participants of a block, for `permuted-blocks`.
    ///
    /// # Errors
    /// A sentence that says what does not go together.
    pub fn new(kind: Kind, conditions: usize, each: Option<usize>, block: Option<usize>) -> Result<Self, String> {
        if !(2..=CONDITIONS_MAX).contains(&conditions) {
            return Err(format!("a study has 2 to {CONDITIONS_MAX} conditions, and here are {conditions}"));
        }
        let wanted = match kind {
            Kind::Williams => conditions,
            Kind::PermutedBlocks | Kind::Minimisation => 1,
            Kind::Bibd => {
                each.ok_or("a design of incomplete blocks says how many conditions each participant meets")?
            }
            Kind::LeastFilled => each.unwrap_or(conditions),
        };
        if each.is_some_and(|each| each != wanted) {
            return Err(format!("in the design `{kind}` each participant meets {wanted}"));
        }
        let within = if kind == Kind::Bibd { 2..conditions } else { 1..conditions + 1 };
        if !within.contains(&wanted) {
            return Err(format!(
                "each participant cannot meet {wanted} of {conditions} conditions in the design `{kind}`"
            ));
        }
        let round = match kind {
            Kind::Williams if conditions.is_multiple_of(2) => conditions,
            Kind::Williams => 2 * conditions,
            Kind::Bibd => bibd::blocks(conditions, wanted).len(),
            Kind::PermutedBlocks => block.unwrap_or(conditions),
            Kind::Minimisation | Kind::LeastFilled => conditions,
        };
        if kind == Kind::PermutedBlocks && (round == 0 || !round.is_multiple_of(conditions) || round > PARTICIPANTS_MAX)
        {
            return Err(format!("a block of {round} cannot hold {conditions} conditions equally often"));
        }
        if kind != Kind::PermutedBlocks && block.is_some_and(|block| block != round) {
            return Err(format!("the block of this design is {round}; only `permuted-blocks` leaves it open"));
        }
        Ok(Self { kind, conditions, each: wanted, block: round })
    }

    /// The sequences of that many participants, in the order in which they come.
    #[must_use]
    pub fn sequences(&self, participants: usize, seed: u64) -> Vec<Sequence> {
        let participants = participants.min(PARTICIPANTS_MAX);
        match self.kind {
            Kind::Minimisation | Kind::LeastFilled => {
                let mut taken: Vec<Sequence> = Vec::with_capacity(participants);
                for place in 0..participants {
                    let next = self.next(&taken, &[], place, seed);
                    taken.push(next);
                }
                taken
            }
            Kind::Williams | Kind::Bibd | Kind::PermutedBlocks => self.list(participants, seed),
        }
    }

    /// The sequence of whoever comes next, for a study of `planned` participants. Gives the place in the list with the sequence.
    /// Who dropped out is not there any more, so that a freed place is filled again first.
    #[must_use]
    pub fn assign(&self, planned: usize, there: There<'_>, seed: u64) -> (usize, Sequence) {
        let There { taken, slots, levels } = there;
        let slot = (0..).find(|slot| !slots.contains(slot)).unwrap_or(slots.len());
        let sequence = match self.kind {
            Kind::Minimisation | Kind::LeastFilled => self.next(taken, levels, slot, seed),
            Kind::Williams | Kind::Bibd | Kind::PermutedBlocks => self.of_slot(planned, slot, seed),
        };
        (slot, sequence)
    }

    /// How far the sequences are from exact balance: 0 where they are balanced, else the largest difference between two counts
    /// that the design wants equal. For all designs that is how often a condition stands in a place; for `williams` also how
    /// often one follows another; for `bibd` also how often one is met, and how often two are met by the same participant.
    #[must_use]
    pub fn imbalance(&self, sequences: &[Sequence]) -> u32 {
        let places = Table::places(self.conditions, self.each, sequences).range();
        match self.kind {
            Kind::Williams => places.max(Table::successions(self.conditions, sequences).range()),
            Kind::Bibd => {
                let met = Table::met(self.conditions, sequences).range();
                met.max(Table::pairs(self.conditions, sequences).range())
            }
            Kind::PermutedBlocks | Kind::Minimisation | Kind::LeastFilled => places,
        }
    }

    /// The sequence of a place in the list; beyond what was planned another list begins.
    fn of_slot(&self, planned: usize, slot: usize, seed: u64) -> Sequence {
        let planned = planned.clamp(1, PARTICIPANTS_MAX);
        let seed = if slot < planned { seed } else { Draws::new(seed, &format!("list {}", slot / planned)).number() };
        self.list(planned, seed).into_iter().nth(slot % planned).unwrap_or_default()
    }

    /// The list of a design that is laid out beforehand: whole rounds, then what is left of one.
    fn list(&self, participants: usize, seed: u64) -> Vec<Sequence> {
        let mut labels: Vec<usize> = (0..self.conditions).collect();
        Draws::new(seed, "labels").shuffle(&mut labels);
        let (rounds, left) = (participants / self.block, participants % self.block);
        let mut all = Vec::with_capacity(participants);
        for round in 0..rounds {
            let mut draws = Draws::new(seed, &format!("round {round}"));
            all.extend(self.round(self.block, &mut draws));
        }
        all.extend(self.round(left, &mut Draws::new(seed, "rest")));
        let named = |sequence: Sequence| sequence.iter().filter_map(|it| labels.get(*it).copied()).collect();
        all.into_iter().map(named).collect()
    }

    /// So many sequences of one round, in random order.
    fn round(&self, count: usize, draws: &mut Draws) -> Vec<Sequence> {
        let mut sequences = match self.kind {
            Kind::Williams => williams::rows(self.conditions, count),
            Kind::Bibd => bibd::sequences(self.conditions, self.each, count, draws),
            Kind::PermutedBlocks => (0..count).map(|it| vec![it % self.conditions]).collect(),
            Kind::Minimisation | Kind::LeastFilled => Vec::new(),
        };
        draws.shuffle(&mut sequences);
        sequences
    }

    /// The sequence that comes next in a design that looks at who is there.
    fn next(&self, taken: &[Sequence], levels: &[Placed], number: usize, seed: u64) -> Sequence {
        let mut draws = Draws::new(seed, &format!("participant {number}"));
        match self.kind {
            Kind::Minimisation => vec![minimise::next(self.conditions, taken, levels, &mut draws)],
            _ => filled::next(self.conditions, self.each, taken, &mut draws),
        }
    }
}
