//! Whether the text around a code says the code's own level.
//!
//! A lesson names several levels for good reasons: it builds on second level, stretches to fourth, supports those who are
//! still below. So the words nearest to the code decide first ("third level outcome TCH 2-14a"), then its sentence, then
//! what it is listed under, then the lesson's head; and where a sentence speaks of moving between levels, only the nearest
//! words count. The class's level says nothing about a text that says nothing.

use std::collections::HashSet;

use ta_curriculum::level::{Level, Levels};
use ta_curriculum::markdown::part;

use super::codes::{Standing, Standings, list};
use super::library::Library;
use super::page::{Mention, Page};
use super::{Class, Context, Finding, clipped};

mod said;

use said::{Above, Head, Said};

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
        let own = own_levels(mention, library);
        let verdict = match verdict(page, mention, &own, &sentence, &above) {
            Verdict::Unsaid => off_class(page, &own, &sentence, context).map_or(Verdict::Unsaid, Verdict::Differs),
            verdict => verdict,
        };
        match verdict {
            Verdict::Fits | Verdict::Explained => {}
            Verdict::Unsaid => unsaid.push(mention),
            Verdict::Differs(said) => {
                if told.insert((&mention.codes, mention.line)) {
                    findings.push(finding(page, mention, message(mention, said, "the text around it", library)));
                }
            }
        }
    }
    findings.extend(off_head(page, library, context, &unsaid));
}

enum Verdict {
    /// The text names the code's own level.
    Fits,
    /// The text around the code speaks of going from level to level, or names one for another reason.
    Explained,
    /// The text around the code says nothing of levels.
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
            false if sentence.moving || sentence.levels.iter().all(explained) => Verdict::Explained,
            false => Verdict::Differs(*first),
        };
    }
    if sentence.moving {
        return Verdict::Explained;
    }
    // A sentence further on in the same item may say the level: it explains the code, and accuses none.
    let wider = page.blocks.get(mention.block).is_some_and(|block| block.range != sentence.range);
    if wider && above.within(mention.block).iter().any(fits) {
        return Verdict::Fits;
    }
    let Some(said) = above.said(mention.block) else { return Verdict::Explained };
    match said.first() {
        Some(first) if !said.iter().any(fits) => Verdict::Differs(*first),
        Some(_) => Verdict::Fits,
        None => Verdict::Unsaid,
    }
}

/// Codes that nothing near speaks of are of the level that the lesson's head says. A word anywhere about a code's own level
/// explains it. The class's level is no text: it only backs a code against a level that the head mentions in passing.
fn off_head(page: &Page, library: &Library, context: &Context, unsaid: &[&Mention]) -> Vec<Finding> {
    let Some(head) = Head::read(page) else { return Vec::new() };
    let of =
        |mention: &Mention, levels: Levels| own_levels(mention, library).iter().any(|level| levels.contains(*level));
    let named: Vec<Levels> = Said::read(page, 0..page.visible.len()).levels;
    let explained = |mention: &Mention| named.iter().any(|levels| of(mention, *levels));
    let backed = |mention: &Mention| context.class_level.is_some_and(|levels| of(mention, levels));
    let off = unsaid.iter().filter(|mention| !of(mention, head.levels) && !explained(mention));
    let mut told = HashSet::new();
    let off = off.filter(|mention| told.insert(&mention.codes));
    let off: Vec<&Mention> = if head.labelled {
        off.copied().collect()
    } else if page.mentions.iter().any(|mention| of(mention, head.levels)) {
        // A code of the level said shows that the others are there for a reason.
        Vec::new()
    } else {
        off.filter(|mention| !backed(mention)).copied().take(1).collect()
    };
    off.into_iter()
        .map(|mention| finding(page, mention, message(mention, head.levels, "the lesson's head", library)))
        .collect()
}

/// "At this class's level", the one way in which a text makes the class's level its own.
const CLASS_LEVEL: &[&str] = &["class's level", "class\u{2019}s level", "level of the class", "level of this class"];

/// The class's level, where a sentence claims it for a code of another.
fn off_class(page: &Page, own: &[Level], sentence: &Said, context: &Context) -> Option<Levels> {
    let said = || {
        let text = part(&page.visible, sentence.range.clone()).to_lowercase();
        !sentence.moving && CLASS_LEVEL.iter().any(|words| text.contains(words))
    };
    context.class_level.filter(|levels| !own.iter().any(|level| levels.contains(*level)) && said())
}

fn finding(page: &Page, mention: &Mention, message: String) -> Finding {
    let code = mention.codes.first().map(ToString::to_string);
    Finding { class: Class::WrongLevel, code, section: page.section_at(mention.line), line: mention.line, message }
}

fn message(mention: &Mention, said: Levels, place: &str, library: &Library) -> String {
    let own = mention.codes.first().map(|code| code.level().name()).unwrap_or_default();
    format!(
        "{} is of {own} level, but {place} says {said} level. {}Correct the code or the level.",
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
