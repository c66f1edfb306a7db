//! How far a learner is with a section: counted by code from what happened, by the rubric of the section.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::matrix::Understanding;
use crate::topic::Rubric;

/// A problem that is over.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// Its shape.
    pub shape: String,
    /// What it was about.
    pub context: String,
    /// Whether the learner came to the right answer.
    pub right: bool,
    /// Hints that it took.
    pub hints: u32,
    /// Wrong answers on the way.
    pub attempts: u32,
}

/// How far a learner is with a section.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Nothing is over yet.
    #[default]
    New,
    /// It is shown again and again.
    Struggling,
    /// On the way.
    Developing,
    /// Done.
    Mastered,
}

/// The level, from the problems that are over, oldest first, and the signs that an agent reported as met. With no agent there is
/// nobody to judge signs, and the counts decide alone.
#[must_use]
pub fn level(rubric: &Rubric, records: &[Record], signs: Option<&BTreeSet<String>>) -> Level {
    let last_n = rubric.mastery.last_n as usize;
    let last = records.get(records.len().saturating_sub(last_n)..).unwrap_or_default();
    let alone: Vec<&Record> = last.iter().filter(|it| it.right && it.hints == 0).collect();
    let contexts: BTreeSet<&str> = alone.iter().map(|it| it.context.as_str()).collect();
    let hints: u32 = last.iter().map(|it| it.hints).sum();
    let counted = alone.len() >= rubric.mastery.correct_without_hints as usize
        && contexts.len() >= rubric.mastery.contexts as usize
        && hints <= rubric.mastery.max_hints;
    let judged = signs.is_none_or(|met| {
        let known = rubric.mastery.signs.keys().filter(|id| met.contains(*id)).count();
        known * 2 >= rubric.mastery.signs.len()
    });
    if records.is_empty() {
        return Level::New;
    }
    // What was just shown is not mastered, whatever went before.
    if counted && judged && records.last().is_some_and(|it| it.right) {
        return Level::Mastered;
    }
    let shown = rubric.struggling.solutions_in_a_row as usize;
    let in_a_row = records.iter().rev().take_while(|it| !it.right).count();
    if shown > 0 && in_a_row >= shown { Level::Struggling } else { Level::Developing }
}

/// How well a learner understands a problem, from what it took: what is said where no agent reports it.
#[must_use]
pub const fn understanding(attempts: u32, hints: u32) -> Understanding {
    match (attempts, hints) {
        (0, 0) => Understanding::Strong,
        (0..=2, 0..=2) => Understanding::Developing,
        _ => Understanding::Struggling,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::topic::{Mastery, Struggling};

    fn rubric() -> Rubric {
        let signs = [("terms".to_owned(), "uses the terms".to_owned()), ("why".to_owned(), "says why".to_owned())];
        Rubric {
            mastery: Mastery { correct_without_hints: 2, contexts: 2, last_n: 3, max_hints: 1, signs: signs.into() },
            struggling: Struggling { solutions_in_a_row: 2, ..Struggling::default() },
        }
    }

    /// `r` right, `h` right with a hint, `s` shown; the context is the letter's place.
    fn records(letters: &str, one_context: bool) -> Vec<Record> {
        let of = |(place, letter): (usize, char)| Record {
            shape: "shape".into(),
            context: if one_context { "ladder".into() } else { place.to_string() },
            right: letter != 's',
            hints: u32::from(letter == 'h') + 3 * u32::from(letter == 's'),
            attempts: 0,
        };
        letters.chars().enumerate().map(of).collect()
    }

    #[test]
    fn the_counts_decide() {
        for (letters, level_is) in [
            ("", Level::New),
            ("r", Level::Developing),
            ("rr", Level::Mastered),
            ("hrr", Level::Mastered),
            ("hhrr", Level::Mastered),
            ("hrhr", Level::Mastered),
            ("rhhr", Level::Developing),
            ("ss", Level::Struggling),
            ("sr", Level::Developing),
            ("rrs", Level::Developing),
            ("ssr", Level::Developing),
        ] {
            assert_eq!(level(&rubric(), &records(letters, false), None), level_is, "{letters}");
        }
        assert_eq!(level(&rubric(), &records("rr", true), None), Level::Developing, "one context is not enough");
    }

    #[test]
    fn half_of_the_signs_where_somebody_judges_them() {
        let met = |ids: &[&str]| ids.iter().map(|id| (*id).to_owned()).collect::<BTreeSet<_>>();
        let records = records("rr", false);
        assert_eq!(level(&rubric(), &records, Some(&met(&[]))), Level::Developing);
        assert_eq!(level(&rubric(), &records, Some(&met(&["why"]))), Level::Mastered);
        assert_eq!(level(&rubric(), &records, Some(&met(&["made-up"]))), Level::Developing);
    }
}
