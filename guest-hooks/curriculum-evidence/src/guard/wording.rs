//! Whether what a lesson says an outcome is, is what the file says it is.
//!
//! Only a description that stands beside a code is judged: "TCH 3-14a: explains …", "explains … (TCH 3-14a)". It is held
//! against the code's own entry and against all others. Words of teaching do not count, so a sentence that merely mentions
//! the code ("TCH 3-14a: starter, then pairs") says nothing that could be wrong. In doubt there is no finding: a teacher
//! who is told that an honest paraphrase is false stops reading findings.

use std::collections::HashSet;

use ta_curriculum::code::Code;
use ta_curriculum::normalise::{Case, Passage};

use super::codes::{Standing, Standings, list};
use super::library::Library;
use super::page::Page;
use super::{Class, Finding, clipped};

mod beside;
mod lexicon;

use beside::{Beside, descriptions};
use lexicon::{Lexicon, Score, Shelf};

/// As much of a description as a message shows.
const SHOWN_CHARS: usize = 60;

/// Another entry must be this many times as good a fit as the code's own.
const BETTER_TIMES: f64 = 2.0;
/// And share this many more words.
const BETTER_WORDS: usize = 2;
/// And explain this part of what the description says in words that the files know.
const BETTER_SHARE: f64 = 0.5;
/// Where a sentence is merely followed by the code, the other entry must share this many, and the code's own none.
const BETTER_WORDS_FOLLOWED: usize = 3;
/// An entry of another subject's file must share this many more words, since lessons borrow from other subjects.
const BETTER_WORDS_ABROAD: usize = 3;
/// And explain this part of all that the description says.
const BETTER_SHARE_ABROAD: f64 = 0.75;

/// This many words in a row are a copy, however common each of them is.
const COPIED_WORDS: usize = 5;

/// A description must have this many content words for sharing none of them to mean anything.
const UNSHARED_WORDS: usize = 6;
/// And this many where the entry is so short that an honest paraphrase may miss it.
const UNSHARED_WORDS_THIN: usize = 8;
/// Fewer will do where the description speaks as an outcome: it cannot be an activity then.
const UNSHARED_WORDS_VOICED: usize = 4;
/// A single word of teaching in common with the entry ("reads", "explains") is an accident.
const SHARED_TEACHING_MAX: usize = 1;

/// Reports descriptions that do not belong to their codes.
pub(super) fn check(page: &Page, library: &Library, standings: &Standings, findings: &mut Vec<Finding>) {
    let known = |code: &Code| standings.get(code) == Some(&Standing::Known);
    let mut described = descriptions(page);
    described.retain(|beside| beside.codes.iter().all(known) && !lexicon::is_all_own(beside, library));
    if described.is_empty() {
        return;
    }
    let lexicon = Lexicon::of(&described, library);
    // The pointer of the same code may have told of the same wrong text already.
    let texts = findings.iter().filter(|finding| finding.class == Class::WrongText);
    let mut told: HashSet<(Option<String>, u32)> = texts.map(|finding| (finding.code.clone(), finding.line)).collect();
    for beside in &described {
        let Some(message) = judge(beside, &lexicon) else { continue };
        let code = beside.codes.first().map(Code::to_string);
        if told.insert((code.clone(), beside.line)) {
            let section = page.section_at(beside.line);
            findings.push(Finding { class: Class::WrongText, code, section, line: beside.line, message });
        }
    }
}

/// Says what is wrong with a description, if anything is.
fn judge(beside: &Beside, lexicon: &Lexicon<'_>) -> Option<String> {
    let (own, others): (Vec<_>, Vec<_>) = lexicon.shelves.iter().partition(|shelf| shelf.is_of(&beside.codes));
    let words = lexicon.places_of(&beside.words);
    let scores = own.iter().map(|shelf| lexicon.score(shelf, &words));
    let own_score = scores.fold(Score::default(), |best, score| if score.weight > best.weight { score } else { best });
    let others = others.into_iter().rev().filter(|shelf| !shelf.is_of(&beside.named));
    let better = others.filter_map(|shelf| {
        let score = lexicon.score(shelf, &words);
        if score.words <= own_score.words {
            return None;
        }
        let copied = || score.words == words.len() && is_copied(beside, shelf, &own);
        let kinship = Kinship::of(shelf, &own);
        // A sentence that the code merely follows may be an activity that spans outcomes: it must be wholly another's.
        let wholly = beside.states || (own_score.words == 0 && score.words >= BETTER_WORDS_FOLLOWED);
        let fits = (wholly && is_better(score, own_score, &words, kinship, lexicon)) || copied();
        fits.then_some((score.weight, kinship != Kinship::Abroad, shelf))
    });
    // Of equally good fits the first in the code's own file is the likeliest mistake.
    match better.max_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1))) {
        Some((_, _, other)) => Some(fits_other(beside, other)),
        None => is_unshared(beside, &own, &words, lexicon).then(|| fits_nothing(beside, &own)),
    }
}

/// Whether a description stands word for word in another entry and not in the code's own.
fn is_copied(beside: &Beside, other: &Shelf<'_>, own: &[&Shelf<'_>]) -> bool {
    let holds = |shelf: &Shelf<'_>| Passage::new(&shelf.entry.text, 1, Case::Ignore).find(&beside.text).is_some();
    beside.text.split(' ').count() >= COPIED_WORDS && holds(other) && !own.iter().any(|own| holds(own))
}

/// How another entry stands to the code's own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kinship {
    /// The same strand at another level: most of its words are the code's own words too.
    Strand,
    /// In the same file.
    Home,
    /// In another subject's file.
    Abroad,
}

impl Kinship {
    fn of(shelf: &Shelf<'_>, own: &[&Shelf<'_>]) -> Self {
        let same_strand = |a: &Code, b: &Code| a.organiser() == b.organiser() && a.number() == b.number();
        let codes = &shelf.entry.codes;
        let own_codes = || own.iter().flat_map(|own| &own.entry.codes);
        if codes.iter().any(|code| own_codes().any(|own| same_strand(code, own))) {
            Self::Strand
        } else if own.iter().any(|own| own.source.path == shelf.source.path) {
            Self::Home
        } else {
            Self::Abroad
        }
    }
}

fn is_better(score: Score, own: Score, words: &[usize], kinship: Kinship, lexicon: &Lexicon<'_>) -> bool {
    // Abroad, words that no file knows count as well: they are what the borrowing lesson is really about.
    let (more, share, all) = match kinship {
        Kinship::Strand if own.words > 0 => return false,
        Kinship::Strand | Kinship::Home => (BETTER_WORDS, BETTER_SHARE, false),
        Kinship::Abroad => (BETTER_WORDS_ABROAD, BETTER_SHARE_ABROAD, true),
    };
    let enough = score.words >= own.words + more && score.weight >= own.weight * BETTER_TIMES;
    enough && score.weight >= lexicon.weight(words, all) * share
}

/// Whether a description that ought to be the outcome's has no word of its entry.
fn is_unshared(beside: &Beside, own: &[&Shelf<'_>], words: &[usize], lexicon: &Lexicon<'_>) -> bool {
    let teaching = lexicon.places_of(&beside.teaching);
    let shared = |words: &[usize]| own.iter().map(|shelf| shelf.shared(words)).max().unwrap_or(0);
    if !beside.states || shared(words) > 0 || shared(&teaching) > SHARED_TEACHING_MAX {
        return false;
    }
    let thin = own.iter().all(|shelf| shelf.thin);
    let enough = if thin { UNSHARED_WORDS_THIN } else { UNSHARED_WORDS };
    let voiced = beside.voiced && !thin && beside.words.len() >= UNSHARED_WORDS_VOICED;
    voiced || (beside.plain >= enough && beside.plain >= beside.teaching.len())
}

fn fits_nothing(beside: &Beside, own: &[&Shelf<'_>]) -> String {
    let place = own.first().map(|shelf| shelf.source.place_of(shelf.entry));
    format!(
        "\"{}\" shares nothing with the entry of {} ({}). Describe the outcome as its entry does, or claim another.",
        clipped(&beside.text, SHOWN_CHARS),
        list(&beside.codes),
        place.unwrap_or_default()
    )
}

fn fits_other(beside: &Beside, other: &Shelf<'_>) -> String {
    format!(
        "\"{}\" describes {} ({}), not {}. Correct the code or the description.",
        clipped(&beside.text, SHOWN_CHARS),
        list(&other.entry.codes),
        other.source.place_of(other.entry),
        list(&beside.codes)
    )
}
