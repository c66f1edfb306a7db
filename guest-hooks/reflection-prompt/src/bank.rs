//! The bank of questions: each maker looks for one feature of the lesson, and the most pointed few are asked.

use ta_guest::Context;

use crate::lesson::{Entry, Kind, Lesson, Section};
use crate::profile::Profile;
use crate::words::{cut, escaped, one_line, quote, shared, spelled, words};
use crate::{pupils, timing};

/// How much of a passage stands below its question, in characters.
const DETAIL_CHARS_MAX: usize = 400;

/// Below these points a question is asked only where there is hardly anything else.
const POINTS_ENOUGH: u32 = 50;

/// From these points on a question comes first whatever else there is.
const POINTS_CERTAIN: u32 = 84;

/// Where fewer are pointed enough, the next best are asked as well.
const QUESTIONS_MIN: usize = 2;

/// A question that could be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// Its kind: no two questions of a run have the same.
    pub(crate) id: &'static str,
    /// The section that it is about; questions about different ones are preferred.
    pub(crate) area: Kind,
    /// How pointed it is: 90 and more names something that is missing or cannot be right, 70 a likely snag in the lesson,
    /// 50 a decision that the teacher will have to take, less what is worth a thought.
    pub(crate) points: u32,
    pub(crate) text: String,
    /// The passage that it is about, as markdown.
    pub(crate) detail: String,
}

/// What the makers look at.
pub(crate) struct View<'a> {
    pub(crate) lesson: &'a Lesson,
    pub(crate) profile: &'a Profile,
    pub(crate) context: &'a Context,
}

impl View<'_> {
    pub(crate) fn of(&self, kind: Kind) -> Option<&Section> {
        self.lesson.of(kind)
    }

    /// The class, as a sentence has it.
    pub(crate) fn class(&self) -> &str {
        self.profile.class.as_deref().unwrap_or("your class")
    }
}

type Maker = fn(&View<'_>) -> Option<Candidate>;

const MAKERS: &[Maker] = &[
    timing::total,
    timing::many_steps,
    timing::starter,
    timing::long_explanation,
    timing::explanation_pace,
    timing::short_plenary,
    pupils::need_unmet,
    pupils::keyword_met,
    pupils::early_finishers,
    unasked_criterion,
    wrong_answers,
    misconception,
    many_keywords,
    homework,
    asked_change,
];

/// The questions to ask: the most pointed first, of different kinds, about different sections where there are enough.
pub(crate) fn questions(lesson: &Lesson, profile: &Profile, context: &Context, questions_max: usize) -> Vec<Candidate> {
    let view = View { lesson, profile, context };
    let mut candidates: Vec<Candidate> = MAKERS.iter().filter_map(|make| make(&view)).collect();
    let title = lesson.title.as_str();
    // Stable: of two that are as pointed, the one that stands first in the bank.
    candidates.sort_by_key(|candidate| match candidate.points {
        // What is missing or cannot be right comes first in every lesson.
        points @ POINTS_CERTAIN.. => std::cmp::Reverse(points),
        points => std::cmp::Reverse(points + turn(title, candidate.id)),
    });
    let mut chosen: Vec<Candidate> = Vec::new();
    let mut kept: Vec<Candidate> = Vec::new();
    for candidate in candidates {
        let new = candidate.area == Kind::Other || chosen.iter().all(|other| other.area != candidate.area);
        if new && candidate.points >= POINTS_ENOUGH { chosen.push(candidate) } else { kept.push(candidate) }
    }
    let missing = QUESTIONS_MIN.saturating_sub(chosen.len());
    chosen.extend(kept.into_iter().take(missing));
    chosen.truncate(questions_max);
    chosen
}

/// A few points that differ from lesson to lesson, so that a teacher does not meet the same questions every time; the same
/// for the same lesson.
fn turn(title: &str, id: &str) -> u32 {
    const POINTS: u32 = 20;
    // FNV-1a.
    let hash = title
        .bytes()
        .chain(id.bytes())
        .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    (hash >> 7) % POINTS
}

/// A passage as a detail.
pub(crate) fn detail(section: &Section, passage: &str) -> String {
    let passage = escaped(&cut(&one_line(passage), DETAIL_CHARS_MAX));
    let from = format!("From {}", escaped(&section.titled()));
    if passage.is_empty() { from } else { format!("{passage}\n\n{from}") }
}

/// A success criterion that no exit question shares a telling word with.
fn unasked_criterion(view: &View<'_>) -> Option<Candidate> {
    let (criteria, exit) = (view.of(Kind::Criteria)?, view.of(Kind::Exit)?);
    let asked = words(&exit.body);
    let unasked = criteria.entries.iter().find(|criterion| {
        let telling = words(&criterion.text);
        !telling.is_empty() && shared(&telling, &asked) == 0
    })?;
    let text = format!(
        "No exit question seems to ask for {}: by what will you know who can, and who cannot yet?",
        quote(&unasked.text)
    );
    Some(Candidate { id: "criterion-unasked", area: Kind::Exit, points: 92, text, detail: detail(exit, "") })
}

/// The exit question with the most wrong answers to choose from, else the last one.
fn wrong_answers(view: &View<'_>) -> Option<Candidate> {
    const CHOICES_MIN: usize = 3;
    let exit = view.of(Kind::Exit)?;
    let steps = exit.steps();
    let counted: Vec<_> = (1_usize..).zip(&steps).map(|(number, entry)| (number, *entry, choices(entry))).collect();
    let most = counted.iter().filter(|(_, _, choices)| *choices >= CHOICES_MIN).max_by_key(|(_, _, choices)| *choices);
    if let Some((number, entry, choices)) = most {
        let wrong = spelled(choices.saturating_sub(1));
        let asked = entry.text.split_once('?').map_or(entry.text.as_str(), |(asked, _)| asked);
        let text = format!(
            "Exit question {number}, {}, has {wrong} wrong answers: what will you do about each of them in the next lesson?",
            quote(asked)
        );
        return Some(Candidate {
            id: "exit-answers",
            area: Kind::Exit,
            points: 68,
            text,
            detail: detail(exit, &entry.text),
        });
    }
    let (number, entry, _) = counted.last()?;
    let question = entry.text.split_once("Answer").map_or(entry.text.as_str(), |(question, _)| question).trim();
    let text = format!(
        "Exit question {number} asks {}: what would a half-right answer from {} look like, and which pile does it go on?",
        quote(question.trim_end_matches([':', '*', '('])),
        view.class()
    );
    Some(Candidate { id: "exit-answers", area: Kind::Exit, points: 56, text, detail: detail(exit, &entry.text) })
}

/// How many answers there are to choose from: `A: …`, `B) …`, `(c) …`, on lines of their own or in one.
fn choices(entry: &Entry) -> usize {
    let lines = std::iter::once(&entry.text).chain(&entry.inner);
    let tokens: Vec<&str> = lines.flat_map(|line| line.split_whitespace()).collect();
    let marks = |letter: char, token: &str| {
        let mut chars = token.trim_start_matches('(').chars();
        let same = chars.next().is_some_and(|c| c.eq_ignore_ascii_case(&letter));
        same && chars.next().is_some_and(|c| matches!(c, ':' | ')' | '.')) && chars.next().is_none()
    };
    ('a'..='f').take_while(|letter| tokens.iter().any(|token| marks(*letter, token))).count()
}

/// A wrong idea that the lesson expects.
fn misconception(view: &View<'_>) -> Option<Candidate> {
    let section = view.of(Kind::Misconceptions)?;
    let first = section.entries.first()?;
    let idea = ["→", "->", "⇒"]
        .iter()
        .find_map(|arrow| first.text.split_once(arrow))
        .map_or(first.text.as_str(), |(idea, _)| idea);
    // Where the idea stands in quotation marks, what follows them is what to do about it.
    let quoted = idea.trim().strip_prefix(['"', '“']).and_then(|rest| rest.split_once(['"', '”']));
    let idea = quoted.map_or(idea, |(inside, _)| inside);
    let idea = idea.trim().trim_matches(['"', '“', '”', '\'', '.', ':']);
    if idea.is_empty() {
        return None;
    }
    let text = format!(
        "Who in {} is likely to think {}, and what will you hear or see during practice that tells you?",
        view.class(),
        quote(idea)
    );
    Some(Candidate {
        id: "misconception",
        area: Kind::Misconceptions,
        points: 60,
        text,
        detail: detail(section, &first.text),
    })
}

fn many_keywords(view: &View<'_>) -> Option<Candidate> {
    const KEYWORDS_GOOD: usize = 4;
    let section = view.of(Kind::Keywords)?;
    let terms = section.terms();
    let count = terms.len();
    let over = count.checked_sub(KEYWORDS_GOOD).filter(|over| *over > 0)?;
    let text = format!(
        "There are {} new words for one period: which two must everyone in {} have before practice begins, and which could wait?",
        spelled(count),
        view.class()
    );

    let points = 50 + 8 * u32::try_from(over.min(4)).unwrap_or(0);
    Some(Candidate { id: "keywords", area: Kind::Keywords, points, text, detail: detail(section, &terms.join(", ")) })
}

/// Homework that somebody may not be able to do.
fn homework(view: &View<'_>) -> Option<Candidate> {
    let says = |text: &str| text.to_lowercase().contains("homework");
    let section = view.lesson.sections.iter().find(|section| says(&section.name) || says(&section.body))?;
    let line = section.body.lines().find(|line| says(line)).unwrap_or(section.name.as_str());
    // A line that says there is none asks for nothing.
    if ["no homework", "without homework"].iter().any(|none| line.to_lowercase().contains(none)) {
        return None;
    }
    let text =
        format!("The homework: who in {} cannot do it at home, and what do they come back with instead?", view.class());
    Some(Candidate { id: "homework", area: Kind::Other, points: 66, text, detail: detail(section, line) })
}

/// Where an existing lesson was changed: what the change costs elsewhere.
fn asked_change(view: &View<'_>) -> Option<Candidate> {
    let refined = view.context.command.contains("refine") || view.context.command.contains("revise");
    let asked = view.context.input.rsplit_once(": ").map_or(view.context.input.as_str(), |(_, asked)| asked);
    let section = view.lesson.sections.first().filter(|_| refined && !asked.trim().is_empty())?;
    let text =
        format!("You asked for {}: what did that cost somewhere else in the lesson, and is it worth it?", quote(asked));
    let whole = Section { name: "your request".into(), minutes: None, ..section.clone() };
    Some(Candidate { id: "change", area: Kind::Other, points: 88, text, detail: detail(&whole, "") })
}

#[cfg(test)]
#[path = "bank_tests.rs"]
mod tests;
