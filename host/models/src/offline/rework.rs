//! Going round again because a hook asks for it: the teacher's decisions on sections, or evidence to be repaired.

use ta_curriculum::code::find_codes;

use super::answers::nothing_to_rework;
use super::phrase::one_line;
use super::prompt::elements;
use super::repair;
use super::revise::{Change, apply};
use super::sections::{Kind, Lesson, bare, named_in};
use super::session::material_for;
use super::talk::Desk;
use super::weave::speaks_of_questions;

/// What a hook asks for, read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Rework {
    pub(crate) hook: String,
    /// Section and what is to become of it.
    pub(crate) changes: Vec<(String, Change)>,
    pub(crate) accepted: Vec<String>,
    /// Lines about outcome codes.
    pub(crate) findings: Vec<String>,
    /// Lines that no rule knows.
    pub(crate) others: Vec<String>,
}

impl Rework {
    pub(crate) fn read(text: &str) -> Self {
        let element = elements(text, "rework").into_iter().next();
        let inner = element.map_or(text, |element| element.inner);
        let hook = element.and_then(|element| element.attribute("hook")).unwrap_or_default();
        let mut rework = Self { hook, ..Self::default() };
        for item in items(inner) {
            rework.take(&item);
        }
        rework
    }

    fn take(&mut self, item: &str) {
        let (word, rest) = item.split_once(' ').unwrap_or((item, ""));
        let quoted = quoted(rest);
        match (word.trim_end_matches(':').to_lowercase().as_str(), quoted) {
            ("revise", Some((name, text))) => self.changes.push((name, Change::Revise(text))),
            ("alternatives", Some((name, text))) => {
                let number = text.split_whitespace().find_map(|word| word.parse().ok()).unwrap_or(2);
                self.changes.push((name, Change::Alternatives(number)));
            }
            ("accepted" | "accept" | "keep", Some((name, _))) => self.accepted.push(name),
            _ if !find_codes(item).is_empty() => self.findings.push(item.to_owned()),
            _ => self.others.push(item.to_owned()),
        }
    }
}

/// List items, each with the lines that continue it.
fn items(text: &str) -> Vec<String> {
    let mut items: Vec<String> = Vec::new();
    for line in text.lines() {
        if let Some(item) = line.strip_prefix("- ") {
            items.push(item.trim().to_owned());
        } else if let (Some(last), false) = (items.last_mut(), line.trim().is_empty()) {
            last.push(' ');
            last.push_str(line.trim());
        }
    }
    items
}

/// `"Starter (8 minutes)": shorter` as name and text. The name ends at the last quotation mark before the colon, so that
/// a heading may hold some of its own.
fn quoted(rest: &str) -> Option<(String, String)> {
    let inner = rest.trim().strip_prefix(['"', '“'])?;
    let (end, mark) = ["\":", "”:"]
        .iter()
        .find_map(|mark| Some((inner.find(mark)?, mark.len())))
        .or_else(|| Some((inner.rfind(['"', '”'])?, 1)))?;
    let text = inner.get(end + mark..).unwrap_or_default().trim_start_matches(['"', '”', ':']);
    Some((inner.get(..end)?.to_owned(), one_line(text)))
}

/// Does what a hook asks for.
pub(crate) fn rework(desk: &mut Desk<'_>) -> Option<String> {
    let Some(text) = desk.talk.last_lesson() else { return Some(nothing_to_rework()) };
    let rework = Rework::read(desk.talk.texts().next().unwrap_or_default());
    let mut lesson = Lesson::read(text);
    let accepted: Vec<usize> = rework.accepted.iter().filter_map(|name| lesson.find(name)).collect();
    if rework.hook == "curriculum-evidence" || !rework.findings.is_empty() {
        repair::outcomes(desk, &mut lesson, &rework.findings, &accepted)?;
    }
    let changes = changes(&lesson, &rework);
    if !changes.is_empty() {
        let material = material_for(desk, &lesson);
        apply(&mut lesson, &changes, &accepted, &material);
    }
    Some(lesson.write())
}

fn changes(lesson: &Lesson, rework: &Rework) -> Vec<(usize, Change)> {
    let mut changes: Vec<(usize, Change)> = Vec::new();
    let mut lost: Vec<String> = Vec::new();
    for (name, change) in &rework.changes {
        let places = places(lesson, name);
        changes.extend(places.iter().map(|at| (*at, change.clone())));
        if let (true, Change::Revise(text)) = (places.is_empty(), change) {
            lost.push(format!("“{name}” (there is no such section): {text}"));
        }
    }
    for line in rework.others.iter().filter(|line| is_request(line)) {
        let named: Vec<usize> = lesson
            .sections
            .iter()
            .enumerate()
            .filter(|(_, section)| line.contains(&bare(&section.title)))
            .map(|(at, _)| at)
            .collect();
        let by_word = named_in(line).into_iter().filter_map(|kind| lesson.of_kind(kind));
        let places: Vec<usize> = if named.is_empty() { by_word.take(1).collect() } else { named };
        changes.extend(places.iter().map(|at| (*at, Change::Revise(line.clone()))));
        if places.is_empty() {
            lost.push(line.clone());
        }
    }
    // Nothing that was asked is dropped: what has no place of its own stands where the teacher reads about the draft.
    let about = lesson.of_kind(Kind::About).or_else(|| lesson.sections.len().checked_sub(1));
    changes.extend(about.into_iter().flat_map(|at| {
        lost.iter().map(move |text| (at, Change::Revise(format!("note {}", text.replace([',', ';'], " ")))))
    }));
    merged(changes)
}

/// Sentences around the list ("Answer with the whole lesson") are no requests.
fn is_request(line: &str) -> bool {
    line.split_whitespace().count() >= 2
}

/// The sections that a name means; the whole lesson is its activities.
fn places(lesson: &Lesson, name: &str) -> Vec<usize> {
    const WHOLE: &[&str] =
        &["whole lesson", "whole artefact", "lesson", "everything", "all sections", "all", "the lesson", "artefact"];
    if let Some(at) = lesson.find(name) {
        return vec![at];
    }
    let is_title = name.trim_start_matches('#').trim().eq_ignore_ascii_case(lesson.title());
    if is_title || WHOLE.contains(&name.trim().to_lowercase().as_str()) {
        return activities(lesson);
    }
    Vec::new()
}

/// The timed parts and the exit questions.
pub(crate) fn activities(lesson: &Lesson) -> Vec<usize> {
    [Kind::Starter, Kind::Explanation, Kind::Practice, Kind::Plenary]
        .into_iter()
        .filter_map(|kind| lesson.of_kind(kind))
        .collect()
}

/// Several requests for one section become one, so that none of them is overwritten by the next.
fn merged(changes: Vec<(usize, Change)>) -> Vec<(usize, Change)> {
    let mut merged: Vec<(usize, Change)> = Vec::new();
    for (at, change) in changes {
        match (merged.iter_mut().find(|(other, _)| *other == at), change) {
            (Some((_, Change::Revise(text))), Change::Revise(more)) => {
                text.push_str("; ");
                text.push_str(&more);
            }
            (Some(_), Change::Revise(_)) => {}
            (Some(other), alternatives @ Change::Alternatives(_)) => other.1 = alternatives,
            (None, change) => merged.push((at, change)),
        }
    }
    merged
}

/// The sections that a request in plain words is about: those it names; the whole lesson if it says how but not where.
pub(crate) fn meant(lesson: &Lesson, text: &str) -> Vec<usize> {
    let by_heading = lesson.sections.iter().enumerate().filter(|(_, section)| {
        section.kind == Kind::Other && text.to_lowercase().contains(&bare(&section.title).to_lowercase())
    });
    let mut places: Vec<usize> = by_heading.map(|(at, _)| at).collect();
    places.extend(named_in(text).into_iter().filter_map(|kind| lesson.of_kind(kind)));
    // "exit questions" also says "questions", and "two more questions" says nothing but that.
    if places.is_empty() && speaks_of_questions(text) {
        places.extend(lesson.of_kind(Kind::Starter));
    }
    places.sort_unstable();
    places.dedup();
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    const REWORK: &str = "<rework hook=\"teacher-adjudication\" round=\"1\">\nRevise these sections and leave every other section exactly as it is. Answer with the whole lesson.\n\
        - Revise \"Starter (8 minutes)\": make it shorter, use\n  mini-whiteboards\n- Alternatives \"Plenary (10 minutes)\": 3\n- Accepted \"Practice (20 minutes)\"\n\
        - TCH 3-14a (no-pointer, line 12): no pointer\n</rework>";

    #[test]
    fn what_a_hook_asks_is_read_line_by_line() {
        let rework = Rework::read(REWORK);
        assert_eq!(rework.hook, "teacher-adjudication");
        assert_eq!(
            rework.changes,
            [
                ("Starter (8 minutes)".to_owned(), Change::Revise("make it shorter, use mini-whiteboards".to_owned())),
                ("Plenary (10 minutes)".to_owned(), Change::Alternatives(3)),
            ]
        );
        assert_eq!(rework.accepted, ["Practice (20 minutes)"]);
        assert_eq!(rework.findings.len(), 1);
        assert!(rework.others.is_empty());
    }

    #[test]
    fn several_wishes_for_a_section_are_one() {
        let change = |text: &str| Change::Revise(text.to_owned());
        assert_eq!(merged(vec![(1, change("a")), (1, change("b"))]), [(1, change("a; b"))]);
    }
}
