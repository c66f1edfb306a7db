//! Going round again because a hook asks for it: the teacher's decisions on sections, or evidence to be repaired.

use ta_curriculum::code::find_codes;

use super::answers::nothing_to_rework;
use super::demands::speaks_of_questions;
use super::phrase::one_line;
use super::plan::create;
use super::prompt::Prompt;
use super::provider::Message;
use super::refine::{for_section, retimed};
use super::repair;
use super::request::Ask;
use super::revise::{Change, apply};
use super::sections::{Kind, Lesson, Section, bare, named_in};
use super::session::material_for;
use super::talk::Desk;

/// The guard whose findings are about outcomes and nothing else.
const EVIDENCE: &str = "curriculum-evidence";

/// The hook that hands on what the teacher decided.
const TEACHER: &str = "teacher-adjudication";

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
    pub(crate) fn read(message: &Message) -> Self {
        let part = message.parts_of("rework").next();
        let hook = part.map(|part| part.about("hook").to_owned()).unwrap_or_default();
        let mut rework = Self { hook, ..Self::default() };
        for item in items(part.map_or(&message.said, |part| &part.text)) {
            rework.take(&item);
        }
        rework
    }

    /// Whether a person asks. What a guard writes is for the planner and never for the lesson.
    fn is_of_teacher(&self) -> bool {
        self.hook.is_empty() || self.hook == TEACHER
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
pub(crate) fn rework(desk: &mut Desk<'_>, prompt: &Prompt) -> Option<String> {
    let mut rework = desk.talk.asked().next().map(Rework::read).unwrap_or_default();
    let Some(text) = desk.talk.last_lesson() else {
        // A refusal that a guard found fault with stays one, without the code that it named.
        let refusal = desk.talk.last_answer().filter(|_| !rework.is_of_teacher());
        return Some(refusal.map_or_else(nothing_to_rework, without_codes));
    };
    let mut lesson = Lesson::read(text);
    if let Some(request) = rework.changes.iter().find_map(|(name, change)| other_lesson(&lesson, name, change)) {
        return create(desk, prompt, &request);
    }
    let accepted: Vec<usize> = rework.accepted.iter().filter_map(|name| lesson.find(name)).collect();
    if rework.hook == EVIDENCE || !rework.findings.is_empty() {
        repair::outcomes(desk, &mut lesson, &rework.findings, &accepted)?;
        // What the guard says around its findings is addressed to the outcomes as well.
        rework.others.clear();
    }
    if let Some(minutes) = rework.changes.iter().find_map(|(name, change)| other_length(&lesson, name, change)) {
        lesson = retimed(lesson, minutes);
        rework.changes.retain(|(name, change)| other_length(&lesson, name, change).is_none());
    }
    let changes = changes(&lesson, &rework);
    if !changes.is_empty() {
        let material = material_for(desk, &lesson);
        apply(&mut lesson, &changes, &accepted, &material);
    }
    Some(lesson.write())
}

/// "The whole lesson: for 2A" asks for a lesson of its own.
fn other_lesson(lesson: &Lesson, name: &str, change: &Change) -> Option<String> {
    let Change::Revise(text) = change else { return None };
    let ask = Ask::read(text, &[]);
    let is_for_class = ask.class.is_some() || ask.unknown_class.is_some();
    (is_for_class && is_whole(lesson, name)).then(|| text.clone())
}

/// "The whole lesson: 40 minutes"
fn other_length(lesson: &Lesson, name: &str, change: &Change) -> Option<u32> {
    let Change::Revise(text) = change else { return None };
    Ask::read(text, &[]).minutes.filter(|_| is_whole(lesson, name))
}

fn without_codes(text: &str) -> String {
    let mut text = text.to_owned();
    for found in find_codes(&text).into_iter().rev() {
        text.replace_range(found.start..found.end, "that outcome");
    }
    text
}

fn changes(lesson: &Lesson, rework: &Rework) -> Vec<(usize, Change)> {
    let mut changes: Vec<(usize, Change)> = Vec::new();
    let mut lost: Vec<String> = Vec::new();
    for (name, change) in rework.changes.iter().filter(|_| rework.is_of_teacher()) {
        let places = places(lesson, name);
        let several = places.len() > 1;
        changes.extend(places.iter().map(|at| match change {
            Change::Revise(text) => (*at, Change::Revise(for_section(text, several))),
            other => (*at, other.clone()),
        }));
        if let (true, Change::Revise(text)) = (places.is_empty(), change) {
            lost.push(format!("“{name}” (there is no such section): {text}"));
        }
    }
    for line in rework.others.iter().filter(|line| rework.is_of_teacher() && line.split_whitespace().count() > 1) {
        let holds = |section: &Section| line.contains(&bare(&section.title));
        let by_heading = lesson.sections.iter().enumerate().filter(|(_, section)| holds(section)).map(|(at, _)| at);
        let by_word = named_in(line).into_iter().filter_map(|kind| lesson.of_kind(kind));
        match by_heading.chain(by_word).next() {
            Some(at) => changes.push((at, Change::Revise(line.clone()))),
            None => lost.push(line.clone()),
        }
    }
    // Nothing that was asked is dropped: what has no place of its own stands where the teacher reads about the draft.
    let about = lesson.of_kind(Kind::About).or_else(|| lesson.sections.len().checked_sub(1));
    changes.extend(about.into_iter().flat_map(|at| lost.iter().map(move |text| (at, Change::Note(text.clone())))));
    merged(changes)
}

/// The sections that a name means; the whole lesson is its activities.
fn places(lesson: &Lesson, name: &str) -> Vec<usize> {
    match lesson.find(name) {
        Some(at) => vec![at],
        None if is_whole(lesson, name) => activities(lesson),
        None => Vec::new(),
    }
}

/// Whether a name means the lesson as a whole.
fn is_whole(lesson: &Lesson, name: &str) -> bool {
    const WHOLE: &str =
        "the whole lesson|whole lesson|whole artefact|lesson|everything|all sections|all|the lesson|artefact";
    let name = name.trim_start_matches('#').trim();
    name.eq_ignore_ascii_case(lesson.title()) || WHOLE.split('|').any(|whole| whole.eq_ignore_ascii_case(name))
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
            (Some((_, Change::Revise(text) | Change::Note(text))), Change::Revise(more) | Change::Note(more)) => {
                text.push_str("; ");
                text.push_str(&more);
            }
            (Some(_), Change::Revise(_) | Change::Note(_)) => {}
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
    use crate::provider::Part;

    const REWORK: &str = "Revise these sections and leave every other section exactly as it is. Answer with the whole lesson.\n\
        - Revise \"Starter (8 minutes)\": make it shorter, use\n  mini-whiteboards\n- Alternatives \"Plenary (10 minutes)\": 3\n- Accepted \"Practice (20 minutes)\"\n\
        - TCH 3-14a (no-pointer, line 12): no pointer";

    #[test]
    fn what_a_hook_asks_is_read_line_by_line() {
        let part = Part::new("rework", &[("hook", TEACHER)], REWORK);
        let rework = Rework::read(&Message::user("").with(part));
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
