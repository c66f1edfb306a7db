//! The bank of activities: how a section can be run, as patterns that are filled from a lesson's material.
//!
//! The patterns are texts beside this file, one file a section, so that a teacher can read and better them. Each begins
//! with its name as a heading; `for:` names the subject families it suits, `use: later` keeps it for revisions, `use: given` for lessons
//! whose questions stand in a material file. Then come
//! its lines, which also say which ways of working it is made of: no second list can disagree with them. A line may begin
//! with
//! - `@past5 `: it is repeated for each of at most five questions that look back; see [`render`](super::render) for the
//!   lists there are;
//! - `? `: it is left out when the section is to be short; `+ `: it stands only when it is to be long.
//!
//! A line with a gap that the material cannot fill is left out. So a pattern degrades with the files instead of
//! breaking, and a pattern of which too little is left does not take part.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use super::material::Family;
use super::means::{Means, Preference};
use super::sections::Kind;

/// One way to run a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pattern {
    /// Its name, which stands in bold at the beginning of the section.
    pub(crate) name: &'static str,
    /// The families it suits; none means all.
    pub(crate) families: Vec<Family>,
    /// The ways of working that its lines speak of.
    pub(crate) means: BTreeSet<Means>,
    /// Whether it is kept for revisions and alternatives.
    pub(crate) later: bool,
    /// Whether it is for lessons whose questions stand in a material file, and only for these.
    pub(crate) given: bool,
    pub(crate) lines: Vec<&'static str>,
}

const FILES: &[(Kind, &str)] = &[
    (Kind::Outcomes, include_str!("bank/outcomes.md")),
    (Kind::Criteria, include_str!("bank/criteria.md")),
    (Kind::Prior, include_str!("bank/prior.md")),
    (Kind::Misconceptions, include_str!("bank/misconceptions.md")),
    (Kind::Keywords, include_str!("bank/keywords.md")),
    (Kind::Starter, include_str!("bank/starter.md")),
    (Kind::Explanation, include_str!("bank/explanation.md")),
    (Kind::Practice, include_str!("bank/practice.md")),
    (Kind::Differentiation, include_str!("bank/differentiation.md")),
    (Kind::Plenary, include_str!("bank/plenary.md")),
    (Kind::Exit, include_str!("bank/exit.md")),
    (Kind::Resources, include_str!("bank/resources.md")),
];

/// The bank, read once: it is part of the program and never changes.
static BANK: LazyLock<Vec<(Kind, Vec<Pattern>)>> =
    LazyLock::new(|| FILES.iter().map(|(kind, text)| (*kind, read(text))).collect());

/// The patterns of a kind of section that suit a family, those made for it first.
pub(crate) fn patterns(kind: Kind, family: Family) -> Vec<Pattern> {
    let of_kind = BANK.iter().filter(|(of, _)| *of == kind).flat_map(|(_, patterns)| patterns);
    let (mut own, general): (Vec<Pattern>, Vec<Pattern>) = of_kind
        .filter(|pattern| pattern.families.is_empty() || pattern.families.contains(&family))
        .cloned()
        .partition(|pattern| !pattern.families.is_empty());
    own.extend(general);
    own
}

fn read(text: &'static str) -> Vec<Pattern> {
    let mut patterns: Vec<Pattern> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        if let Some(name) = line.strip_prefix("## ") {
            patterns.push(Pattern {
                name,
                families: Vec::new(),
                means: BTreeSet::new(),
                later: false,
                given: false,
                lines: Vec::new(),
            });
            continue;
        }
        // What stands before the first pattern explains the file.
        let Some(pattern) = patterns.last_mut() else { continue };
        if let Some(families) = line.strip_prefix("for: ") {
            pattern.families = families.split(' ').filter_map(family).collect();
        } else if line == "use: later" {
            pattern.later = true;
        } else if line == "use: given" {
            pattern.given = true;
        } else {
            pattern.lines.push(line);
        }
    }
    for pattern in &mut patterns {
        pattern.means = made_of(pattern);
        // Any pattern can do without computers and be helped with English; what has to be done for it is woven in.
        pattern.means.retain(|means| !matches!(means, Means::NoComputers | Means::Eal));
    }
    patterns
}

/// A way of working makes a pattern when its beginning speaks of it, or more than one of its lines.
fn made_of(pattern: &Pattern) -> BTreeSet<Means> {
    let beginning = format!("{}\n{}", pattern.name, pattern.lines.first().copied().unwrap_or_default());
    let mut means = Preference::of_prose(&beginning).wants;
    let mut once = BTreeSet::new();
    for line in pattern.lines.iter().skip(1) {
        for one in Preference::of_prose(line).wants {
            if !once.insert(one) {
                means.insert(one);
            }
        }
    }
    means
}

fn family(word: &str) -> Option<Family> {
    Family::ALL.into_iter().find(|family| family.word() == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_well_formed() {
        for (kind, text) in FILES {
            for line in text.lines() {
                let words = |lead| {
                    line.strip_prefix(lead).map(|words: &str| words.split(' ').collect::<Vec<_>>()).unwrap_or_default()
                };
                words("for: ").iter().for_each(|word| assert!(family(word).is_some(), "{kind:?}: family {word}"));
            }
            let mut names: Vec<_> = read(text).iter().map(|pattern| pattern.name).collect();
            names.sort_unstable();
            let all = names.len();
            names.dedup();
            assert_eq!(all, names.len(), "{kind:?} uses a name twice");
        }
    }

    #[test]
    fn patterns_are_made_of_what_they_speak_of() {
        let made_of = |kind, name: &str, means| {
            let all = patterns(kind, Family::Maths);
            let pattern = all.iter().find(|pattern| pattern.name == name).unwrap();
            assert!(pattern.means.contains(&means), "{name} has {:?}", pattern.means);
        };
        made_of(Kind::Starter, "Boards up", Means::Whiteboards);
        made_of(Kind::Starter, "Team relay", Means::Game);
        made_of(Kind::Starter, "Stand by your answer", Means::Movement);
        made_of(Kind::Explanation, "Mistake first", Means::Whiteboards);
        made_of(Kind::Practice, "Trail", Means::Outdoors);
        made_of(Kind::Practice, "Stations", Means::Groups);
        made_of(Kind::Plenary, "Teach it back", Means::Pairs);
        made_of(Kind::Plenary, "Chain of words", Means::Game);
    }

    #[test]
    fn five_alternatives_and_the_present_one_can_always_be_offered() {
        for (kind, _) in FILES {
            for family in Family::ALL {
                assert!(patterns(*kind, family).len() >= 6, "{kind:?} for {family:?}");
            }
        }
    }
}
