//! Whether the text around a code says the code's own level.
//!
//! A lesson names several levels for good reasons: it builds on second level, stretches to fourth, supports those who are
//! still below. So the words nearest to the code decide first ("third level outcome TCH 2-14a"), then its sentence, then
//! what it is listed under; and where a sentence speaks of moving between levels, only the nearest words count.

use std::collections::HashSet;

use ta_curriculum::level::{Level, Levels, find_levels};
use ta_curriculum::markdown::part;

use super::codes::{Standing, Standings, list};
use super::library::Library;
use super::page::{Mention, Page};
use super::{Class, Context, Finding, clipped};

mod said;

use said::{Above, Said, is_curricular, is_moving};

/// Reports codes whose surroundings say another level.
pub(super) fn check(
    page: &Page,
    library: &Library,
    context: &Context,
    standings: &Standings,
    findings: &mut Vec<Finding>,
) {
    let known = |mention: &&Mention| mention.codes.iter().any(|code| standings.get(code) == Some(&Standing::Known));
    let mut unsaid: Vec<&Mention> = Vec::new();
    let mut told = HashSet::new();
    let above = Above::new(page);
    // Mentions come in order, so those of one sentence follow one another.
    let mut sentence = Said::default();
    for mention in page.mentions.iter().filter(known) {
        if !sentence.range.contains(&mention.range.start) {
            sentence = Said::read(page, page.sentence(mention.range.start));
        }
        match verdict(page, mention, &own_levels(mention, library), &sentence, &above) {
            Verdict::Fits => {}
            Verdict::Unsaid => unsaid.push(mention),
            Verdict::Differs(said) => {
                if told.insert((&mention.codes, mention.line)) {
                    findings.push(finding(page, mention, message(mention, said, library)));
                }
            }
        }
    }
    findings.extend(off_class(page, library, context, &unsaid));
}

enum Verdict {
    /// The text names the code's own level.
    Fits,
    /// The text around the code names no level, or names one for another reason.
    Unsaid,
    /// The text says this level of the code, which is of another.
    Differs(Levels),
}

/// The levels of a mention: those of its codes and of whatever shares their entries.
fn own_levels(mention: &Mention, library: &Library) -> Vec<Level> {
    let entries = mention.codes.iter().flat_map(|code| library.entries(*code));
    let shared = entries.flat_map(|(_, entry)| &entry.codes);
    mention.codes.iter().chain(shared).map(|code| code.level()).collect()
}

fn verdict(page: &Page, mention: &Mention, own: &[Level], sentence: &Said, above: &Above<'_>) -> Verdict {
    let fits = |levels: &Levels| own.iter().any(|level| levels.contains(*level));
    let near = sentence.near(page, &mention.range);
    if let Some(first) = near.first() {
        return if near.iter().any(fits) { Verdict::Fits } else { Verdict::Differs(*first) };
    }
    if let Some(first) = sentence.levels.first() {
        let others = page.mentions_in(&sentence.range).iter().filter(|other| other.range != mention.range);
        let others: Vec<Level> = others.flat_map(|other| &other.codes).map(|code| code.level()).collect();
        let explained = |levels: &Levels| others.iter().any(|level| levels.contains(*level));
        return match sentence.levels.iter().any(fits) {
            true => Verdict::Fits,
            false if sentence.moving || sentence.levels.iter().all(explained) => Verdict::Unsaid,
            false => Verdict::Differs(*first),
        };
    }
    if sentence.moving {
        return Verdict::Unsaid;
    }
    let said = above.said(mention.block);
    match said.first() {
        Some(first) if !said.iter().any(fits) => Verdict::Differs(*first),
        Some(_) => Verdict::Fits,
        None => Verdict::Unsaid,
    }
}

/// A lesson all of whose codes are of another level than the class's, without a word about it anywhere, is one finding. A single
/// code of the class's level shows that the others are there for a reason.
fn off_class(page: &Page, library: &Library, context: &Context, unsaid: &[&Mention]) -> Option<Finding> {
    let first = unsaid.first()?;
    let preamble = part(&page.visible, page.preamble());
    let titled = || find_levels(preamble).into_iter().find(|level| is_curricular(preamble, level));
    let expected = context.class_level.or_else(|| titled().map(|level| level.levels))?;
    let on_level = |mention: &Mention| own_levels(mention, library).into_iter().any(|level| expected.contains(level));
    let own = own_levels(first, library);
    let named = find_levels(&page.visible);
    let mut named = named.iter().filter(|level| is_curricular(&page.visible, level));
    let said = named.any(|said| own.iter().any(|level| said.levels.contains(*level)));
    let sentence = part(&page.visible, page.sentence(first.range.start));
    if said || is_moving(sentence) || page.mentions.iter().any(on_level) {
        return None;
    }
    let message = format!(
        "{} is of {} level, the class works at {expected} level, and the text says nothing of it. {}Use the class's level, \
         or say which level the code is and why.",
        list(&first.codes),
        first.codes.first()?.level(),
        siblings(first, expected, library)
    );
    Some(finding(page, first, message))
}

fn finding(page: &Page, mention: &Mention, message: String) -> Finding {
    let code = mention.codes.first().map(ToString::to_string);
    Finding { class: Class::WrongLevel, code, section: page.section_at(mention.line), line: mention.line, message }
}

fn message(mention: &Mention, said: Levels, library: &Library) -> String {
    let own = mention.codes.first().map(|code| code.level().name()).unwrap_or_default();
    format!(
        "{} is of {own} level, but the text around it says {said} level. {}Correct the code or the level.",
        clipped(&list(&mention.codes), 60),
        siblings(mention, said, library)
    )
}

/// Most codes named as suggestions.
const SIBLINGS_MAX: usize = 3;

/// The codes of the same strand at the level said.
fn siblings(mention: &Mention, said: Levels, library: &Library) -> String {
    let Some(code) = mention.codes.first() else { return String::new() };
    let same_strand = library.codes().filter(|other| {
        other.organiser() == code.organiser() && other.number() == code.number() && said.contains(other.level())
    });
    let mut found: Vec<_> = same_strand.collect();
    found.sort_unstable();
    found.truncate(SIBLINGS_MAX);
    if found.is_empty() { String::new() } else { format!("The files have {} at {said} level. ", list(&found)) }
}
