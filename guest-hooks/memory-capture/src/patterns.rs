//! Proposals from what keeps happening: over earlier sessions of the same class, this one included.

use ta_guest::sessions::PastRun;

use crate::changes::View;
use crate::lesson::{Lesson, key};
use crate::proposal::{Proposal, Scope};
use crate::said::{Revision, revisions, spoken};
use crate::sentences::{capitalised, several, timing};

/// Sections of one run that are followed through the others.
const SECTIONS_MAX: usize = 12;

/// Earlier sessions that make a pattern together with this one.
const EARLIER_MIN: usize = 2;

/// An earlier run, read.
struct Earlier {
    day: String,
    first: Lesson,
    last: Lesson,
    revisions: Vec<Revision>,
}

/// What keeps happening.
pub(crate) fn patterns(view: &View<'_>, past: &[PastRun]) -> Vec<Proposal> {
    let Some(class) = view.class else { return Vec::new() };
    let earlier: Vec<Earlier> = past.iter().map(read).collect();
    let names = view.last.sections.iter().take(SECTIONS_MAX).map(|section| section.name.as_str());
    let mut proposals = Vec::new();
    for name in names {
        let found = always_timed(view, class, name, &earlier).or_else(|| always_revised(view, class, name, &earlier));
        proposals.extend(found);
        proposals.extend(always_alternatives(view, class, name, &earlier));
    }
    proposals.extend(always_left_out(class, past));
    proposals
}

fn read(run: &PastRun) -> Earlier {
    Earlier {
        day: run.day.clone(),
        first: Lesson::headings(&run.first_output),
        last: Lesson::headings(&run.final_output),
        revisions: revisions(&run.questions),
    }
}

/// A section that is shortened, or lengthened, again and again.
fn always_timed(view: &View<'_>, class: &str, name: &str, earlier: &[Earlier]) -> Option<Proposal> {
    let here = minutes(name, view.first, view.last);
    // The newest session says how long it came to be.
    let (before, after) = here.or_else(|| earlier.iter().find_map(|it| minutes(name, &it.first, &it.last)))?;
    let same = |it: &&Earlier| minutes(name, &it.first, &it.last).is_some_and(|(b, a)| (a < b) == (after < before));
    let times: Vec<&Earlier> = earlier.iter().filter(same).collect();
    if times.len() < EARLIER_MIN {
        return None;
    }
    let done = if after < before { "shortened" } else { "lengthened" };
    let reason =
        format!("You have {done} the {} of {class} in {}.", name.to_lowercase(), sessions(times.len(), here.is_some()));
    let evidence = times.iter().filter_map(|it| {
        let (before, after) = minutes(name, &it.first, &it.last)?;
        Some(format!("{}: {before} -> {after} minutes", it.day))
    });
    let here = here.map(|(before, after)| format!("this lesson: {before} -> {after} minutes"));
    let text = timing(name, before, after, Some(class));
    let scope = Scope::Class(class.to_owned());
    Some(Proposal::new(scope, "timing", 85, &text, reason).evidence(here.into_iter().chain(evidence)))
}

/// A section that is sent back again and again.
fn always_revised(view: &View<'_>, class: &str, name: &str, earlier: &[Earlier]) -> Option<Proposal> {
    let sent_back =
        |revisions: &[Revision]| revisions.iter().any(|it| !it.alternatives && key(&it.section) == key(name));
    let times: Vec<&Earlier> = earlier.iter().filter(|it| sent_back(&it.revisions)).collect();
    let here = sent_back(view.revisions);
    if times.len() < EARLIER_MIN {
        return None;
    }
    let reason =
        format!("You have sent the {} of {class} back in {}.", name.to_lowercase(), sessions(times.len(), here));
    let evidence = times.iter().flat_map(|it| {
        let own =
            it.revisions.iter().filter(|revision| key(&revision.section) == key(name) && !revision.text.is_empty());
        own.map(|revision| format!("{}: \"{}\"", it.day, revision.text)).collect::<Vec<_>>()
    });
    let text = format!("{} for {class} need particular care: they keep being revised", capitalised(&several(name)));
    Some(Proposal::new(Scope::Class(class.to_owned()), "preference", 70, &text, reason).evidence(evidence))
}

/// A section that the teacher keeps wanting a choice for.
fn always_alternatives(view: &View<'_>, class: &str, name: &str, earlier: &[Earlier]) -> Option<Proposal> {
    let wanted = |revisions: &[Revision]| revisions.iter().any(|it| it.alternatives && key(&it.section) == key(name));
    let times: Vec<&Earlier> = earlier.iter().filter(|it| wanted(&it.revisions)).collect();
    if !wanted(view.revisions) || times.is_empty() {
        return None;
    }
    let reason = format!("You have asked for alternatives of it in {}.", sessions(times.len(), true));
    let evidence = times.iter().map(|it| format!("{}: alternatives asked for", it.day));
    let text = format!("For {class}, the {} is worth a choice of two ideas", name.to_lowercase());
    Some(Proposal::new(Scope::Class(class.to_owned()), "preference", 45, &text, reason).evidence(evidence))
}

/// Items that stand for a part of the class's profile: their ids say nothing of what stood there.
const PARTS: [&str; 4] = ["class-basics", "works", "works-not", "known-already"];

/// What is left out before drafting again and again, by earlier sessions alone: this run's own says nothing of the next.
fn always_left_out(class: &str, past: &[PastRun]) -> Vec<Proposal> {
    let dismissed = |run: &PastRun| -> Vec<String> {
        let asked = run.questions.iter().filter(|asked| asked.question == "context");
        let decisions = asked.flat_map(|asked| &asked.decisions);
        // A number does not say which need it is when the profile changes; the other ids hold words.
        let named = decisions
            .filter(|it| it.choice == "dismiss" && !it.item.starts_with("need-") && !PARTS.contains(&it.item.as_str()));
        named.map(|decision| decision.item.clone()).collect()
    };
    let all: Vec<(String, Vec<String>)> = past.iter().map(|run| (run.day.clone(), dismissed(run))).collect();
    let mut seen: Vec<&String> = Vec::new();
    let mut proposals = Vec::new();
    for item in all.iter().flat_map(|(_, items)| items) {
        let days: Vec<&String> = all.iter().filter(|(_, items)| items.contains(item)).map(|(day, _)| day).collect();
        if days.len() < EARLIER_MIN || seen.contains(&item) {
            continue;
        }
        seen.push(item);
        let what = spoken(item);
        let text = format!("No longer rely on \"{what}\" for {class}");
        let reason = format!("You have left it out before drafting in {}.", sessions(days.len(), false));
        let evidence = days.iter().map(|day| format!("{day}: left out"));
        let scope = Scope::Class(class.to_owned());
        proposals.push(Proposal::new(scope, "preference", 60, &text, reason).evidence(evidence));
    }
    proposals
}

/// Minutes of a section before and after, where they changed.
fn minutes(name: &str, first: &Lesson, last: &Lesson) -> Option<(u32, u32)> {
    let before = first.section(name)?.minutes?;
    let after = last.section(name)?.minutes?;
    (before != after).then_some((before, after))
}

fn sessions(earlier: usize, here: bool) -> String {
    let count = earlier + usize::from(here);
    if here { format!("{count} sessions, this one included") } else { format!("{count} earlier sessions") }
}
