//! Proposals from decisions: what was sent back and with which words, what was changed before drafting.

use ta_guest::{Decision, journal};

use crate::changes::{View, measured};
use crate::lesson::key;
use crate::proposal::{Proposal, Scope};
use crate::sentences::wish;
use crate::words::{cut, one_line};

/// How much of what a teacher said is kept, in characters.
const SAID_CHARS_MAX: usize = 220;

/// Shortest wish that says anything for another lesson, in words.
const SAID_WORDS_MIN: usize = 2;

/// Decisions read of one run.
const DECISIONS_MAX: usize = 200;

/// A section that was sent back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Revision {
    pub(crate) section: String,
    /// What should change; empty where alternatives were asked for.
    pub(crate) text: String,
    pub(crate) alternatives: bool,
}

/// What adjudication sent back, oldest first. Known by its options, so that another adjudicator counts as well.
pub(crate) fn revisions(questions: &[journal::Asked]) -> Vec<Revision> {
    let asked = questions.iter().filter(|asked| matches!(asked.question.as_str(), "sections" | "bundle"));
    let decisions = asked.flat_map(|asked| &asked.decisions).take(DECISIONS_MAX);
    decisions.filter_map(revision).collect()
}

fn revision(decision: &Decision) -> Option<Revision> {
    let text = cut(&one_line(decision.text.as_deref().unwrap_or_default()), SAID_CHARS_MAX);
    match decision.choice.as_str() {
        "revise" => Some(Revision { section: decision.item.clone(), text, alternatives: false }),
        // Its text is a number of alternatives.
        "alternatives" => Some(Revision { section: decision.item.clone(), text: String::new(), alternatives: true }),
        _ => None,
    }
}

/// What the teacher said about a section, as a wish for the next lesson. The last thing said about it is what led to the text
/// that was accepted; what went before is evidence. A wish about minutes is left to what became of the minutes.
pub(crate) fn wishes(view: &View<'_>) -> Vec<Proposal> {
    let mut proposals: Vec<Proposal> = Vec::new();
    let mut seen: Vec<String> = Vec::new();
    for last in view.revisions.iter().rev().filter(|it| it.text.split_whitespace().count() >= SAID_WORDS_MIN) {
        let section = key(&last.section);
        if seen.contains(&section) || about_minutes(&last.text) {
            continue;
        }
        let evidence = view.revisions.iter().filter(|it| key(&it.section) == section && !it.text.is_empty());
        let evidence = evidence.map(|it| format!("you said: \"{}\"", it.text));
        let changed = view.first.section(&last.section).zip(view.last.section(&last.section));
        let measured = changed.map(|(first, last)| measured(first, last)).unwrap_or_default();
        // The bundle's one item is the lesson as a whole.
        let whole = section == "whole";
        let found = view.first.section(&section).or_else(|| view.last.section(&section));
        let name = found.map_or_else(|| spoken(&section), |found| found.name.clone());
        let reason = format!(
            "You sent {} back with these words.",
            if whole { "the lesson".into() } else { format!("\"{name}\"") }
        );
        let name = if whole { "lesson".to_owned() } else { name.to_lowercase() };
        let text = wish(&name, &last.text, view.class);
        let importance = if whole { 60 } else { 55 };
        proposals.push(
            Proposal::new(view.scope(), "preference", importance, &text, reason).evidence(evidence.chain(measured)),
        );
        seen.push(section);
    }
    proposals
}

/// What was changed before drafting, in the teacher's own words. The class's basics are facts of its profile, not memories.
pub(crate) fn changed_before(view: &View<'_>, questions: &[journal::Asked]) -> Vec<Proposal> {
    let asked = questions.iter().filter(|asked| asked.question == "context");
    let decisions = asked.flat_map(|asked| &asked.decisions).take(DECISIONS_MAX);
    let changed = decisions.filter(|decision| decision.choice == "modify" && decision.item != "class-basics");
    let proposals = changed.filter_map(|decision| {
        let said = cut(&one_line(decision.text.as_deref().unwrap_or_default()), SAID_CHARS_MAX);
        if said.split_whitespace().count() < SAID_WORDS_MIN {
            return None;
        }
        let of_teacher = decision.item.starts_with("teacher-") || decision.item.starts_with("pedagogy-");
        let scope = if of_teacher { Scope::Teacher } else { view.scope() };
        let need = decision.item.starts_with("need-");
        let (kind, importance) = if need { ("need", 75) } else { ("preference", 60) };
        let reason =
            format!("You put this in the place of \"{}\" before the lesson was drafted.", spoken(&decision.item));
        let mut proposal = Proposal::new(scope, kind, importance, &said, reason);
        proposal.own_words = true;
        Some(proposal.evidence([format!("{} changed to: \"{said}\"", spoken(&decision.item))]))
    });
    proposals.collect()
}

/// An item's id as words: `memory-short-starters` is `memory: short starters`.
pub(crate) fn spoken(item: &str) -> String {
    match item.split_once('-') {
        Some((source @ ("memory" | "teacher" | "pedagogy" | "class"), rest)) => {
            format!("{source}: {}", rest.replace('-', " "))
        }
        _ => item.replace('-', " "),
    }
}

/// Whether a wish says no more than that a part be shorter or longer.
fn about_minutes(text: &str) -> bool {
    const WORDS_MAX: usize = 6;
    let lowered = text.to_lowercase();
    let says = ["minute", "shorter", "longer", "shorten", " min"].iter().any(|word| lowered.contains(word));
    says && lowered.split_whitespace().count() <= WORDS_MAX
}
