//! Which passages become items, in which order, and how they read.

use std::collections::BTreeSet;

use ta_guest::memory::{File, Note};

use crate::bullets::{Passage, passages};
use crate::day::day;
use crate::need::Need;
use crate::profile::{Field, Profile};
use crate::relevance::Request;
use crate::shown::{cut, label, passage, slug};
use crate::sources::{Source, Sources};

/// What stands behind an item, as it can be written back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Form {
    /// Plain fields of the class profile.
    Basics(Vec<Field>),
    Need(Need),
    /// Bullets and paragraphs that are decided on together.
    Passages(Vec<Passage>),
}

/// One thing the lesson is about to rely on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Item {
    pub(crate) id: String,
    pub(crate) label: String,
    /// What it says and where that stands, as markdown.
    pub(crate) detail: String,
    /// The path that corrections are addressed to.
    pub(crate) source: String,
    pub(crate) form: Form,
    /// Whether it is about this class or this request, rather than about every lesson.
    pub(crate) telling: bool,
    /// What comes first when there is too much: see the constants below.
    weight: u32,
}

/// The items of the question, and how many were left out of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Composed {
    pub(crate) items: Vec<Item>,
    pub(crate) left: usize,
}

// Weights: what a lesson would be wrong without comes before what makes it better. To a memory is added how much it
// matters, so that what keeps pupils safe stands right after the basics.
const BASICS: u32 = 1_000;
const NEED: u32 = 900;
const CLASS_MEMORY: u32 = 760;
const WORKS: u32 = 750;
const WORKS_NOT: u32 = 740;
const PREFERENCE_ASKED_FOR: u32 = 700;
const KNOWN: u32 = 690;
const TEACHER_MEMORY: u32 = 580;
const PREFERENCE: u32 = 500;
const PEDAGOGY: u32 = 400;
const OTHER: u32 = 300;

/// Memories of one scope that are shown: the most important ones.
const MEMORIES_MAX: usize = 4;

/// Preferences that share words with the request and get an item of their own.
const PREFERENCES_MAX: usize = 2;

/// Lines that one item stands for: with ten items fewer corrections than the host takes.
const LINES_MAX: usize = 9;

/// Lines of an entry point that the prompt shows.
const ENTRY_LINES_MAX: usize = 200;

const LINES_UNBOUNDED: usize = usize::MAX;

/// Makes the items, the most decision-relevant first.
pub(crate) fn compose(sources: &Sources, items_max: usize) -> Composed {
    let request = Request::read(&sources.input);
    let mut items = class_items(sources);
    let of_class = memory_items(sources.class_memory.as_ref(), CLASS_MEMORY, &request);
    let of_teacher = memory_items(sources.teacher_memory.as_ref(), TEACHER_MEMORY, &request);
    items.extend(of_class.0.into_iter().chain(of_teacher.0));
    items.extend(teacher_items(&sources.teacher, &request));
    items.extend(asked_for(passages(&sources.pedagogy.text, 0, LINES_UNBOUNDED), &request).into_iter().map(
        |passage| {
            let id = format!("pedagogy-{}", slug(&passage.text));
            let heading = format!("How you teach: {}", passage.text);
            passage_item(id, &heading, &sources.pedagogy.path, vec![passage], PEDAGOGY)
        },
    ));
    // Stable: items of one weight stay in the order of their files.
    items.sort_by_key(|item| std::cmp::Reverse(item.weight));
    let left = items.len().saturating_sub(items_max) + of_class.1 + of_teacher.1;
    items.truncate(items_max);
    number(&mut items);
    Composed { items, left }
}

fn class_items(sources: &Sources) -> Vec<Item> {
    let source = &sources.profile;
    let profile = Profile::read(&source.text);
    let mut items: Vec<Item> = basics(&profile, sources).into_iter().collect();
    items.extend((1..).zip(&profile.needs).map(|(number, need): (u32, _)| need_item(number, need, source)));
    let mut found = passages(&source.text, profile.lines, LINES_UNBOUNDED).into_iter().peekable();
    while let Some(first) = found.next() {
        let mut section = vec![first];
        while let Some(next) = found.next_if(|next| section.first().is_some_and(|it| it.heading == next.heading)) {
            section.push(next);
        }
        items.extend(section_items(sources.class.as_deref().unwrap_or_default(), section, source));
    }
    items
}

fn basics(profile: &Profile, sources: &Sources) -> Option<Item> {
    let fields: Vec<Field> =
        ["year", "level", "period_minutes"].iter().filter_map(|it| profile.field(it)).cloned().collect();
    let class = sources.class.as_ref().filter(|_| !fields.is_empty())?;
    let words = fields.iter().map(|field| match field.name.as_str() {
        "level" => format!("{} level", field.value),
        "period_minutes" => format!("{} minutes", field.value),
        _ => field.value.clone(),
    });
    let words = words.collect::<Vec<_>>().join(", ");
    Some(Item {
        id: "class-basics".into(),
        label: label(&format!("Class {class}: {words}")),
        detail: detail(&[words.as_str()], &sources.profile.path),
        source: sources.profile.path.clone(),
        form: Form::Basics(fields),
        telling: true,
        weight: BASICS,
    })
}

fn need_item(number: u32, need: &Need, source: &Source) -> Item {
    let lines = [("Need", &need.need), ("Support", &need.support)];
    let lines: Vec<String> =
        lines.iter().filter(|(_, text)| !text.is_empty()).map(|(name, text)| format!("{name}: {text}")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    Item {
        id: format!("need-{number}"),
        label: label(&format!("Need: {}", need.group)),
        detail: detail(&lines, &source.path),
        source: source.path.clone(),
        form: Form::Need(need.clone()),
        telling: true,
        weight: NEED,
    }
}

/// The items of one section of the class profile: one for all of it, or one a line where there are few.
fn section_items(class: &str, section: Vec<Passage>, source: &Source) -> Vec<Item> {
    const FEW: usize = 2;
    let heading = section.first().map(|passage| passage.heading.clone()).unwrap_or_default();
    let folded = heading.to_lowercase();
    let (id, weight) = if folded.contains("not work") || folded.contains("does not") || folded.contains("avoid") {
        ("works-not".to_owned(), WORKS_NOT)
    } else if folded.contains("work") {
        ("works".to_owned(), WORKS)
    } else if folded.contains("know") || folded.contains("prior") {
        ("known-already".to_owned(), KNOWN)
    } else {
        (format!("class-{}", slug(&heading)), OTHER)
    };
    if section.len() <= FEW && weight > KNOWN {
        let single = |passage: Passage| {
            let shown = format!("{class}: {heading}: {}", passage.text);
            passage_item(id.clone(), &shown, &source.path, vec![passage], weight)
        };
        return section.into_iter().map(single).collect();
    }
    vec![passage_item(id, &format!("{class}: {heading}"), &source.path, section, weight)]
}

/// Preferences that bear on the request, one by one; the others section by section.
fn teacher_items(source: &Source, request: &Request) -> Vec<Item> {
    let all = passages(&source.text, 0, LINES_UNBOUNDED);
    let single = asked_for(all.clone(), request);
    let mut items: Vec<Item> = Vec::new();
    let mut sections: Vec<(String, Vec<Passage>)> = Vec::new();
    for passage in all.into_iter().filter(|passage| passage.bullet && !single.contains(passage)) {
        match sections.last_mut().filter(|(heading, _)| *heading == passage.heading) {
            Some((_, section)) => section.push(passage),
            None => sections.push((passage.heading.clone(), vec![passage])),
        }
    }
    for passage in single {
        let (id, shown) = (format!("teacher-{}", slug(&passage.text)), format!("You: {}", passage.text));
        let mut item = passage_item(id, &shown, &source.path, vec![passage], PREFERENCE_ASKED_FOR);
        item.telling = true;
        items.push(item);
    }
    items.extend(sections.into_iter().map(|(heading, section)| {
        let shown = format!("You: {heading}");
        // What a teacher will not have is sooner broken than what they like.
        let avoided = ["avoid", "not", "never"].iter().any(|word| heading.to_lowercase().contains(word));
        let liked = heading.to_lowercase().contains("like");
        let weight = PREFERENCE + if avoided { 2 } else { u32::from(liked) };
        let mut item = passage_item(format!("teacher-{}", slug(&heading)), &shown, &source.path, section, weight);
        item.telling = false;
        item
    }));
    items
}

/// The bullets that share most with the request.
fn asked_for(mut passages: Vec<Passage>, request: &Request) -> Vec<Passage> {
    passages.retain(|passage| passage.bullet && request.shared(&passage.text) > 0);
    passages.sort_by_key(|passage| std::cmp::Reverse(request.shared(&passage.text)));
    passages.truncate(PREFERENCES_MAX);
    passages
}

/// One item a note, those that matter most first; gives the number of those left out as well.
fn memory_items(file: Option<&File>, base: u32, request: &Request) -> (Vec<Item>, usize) {
    let Some(file) = file else { return (Vec::new(), 0) };
    let found = passages(&file.text, 0, ENTRY_LINES_MAX).into_iter().filter(|passage| passage.bullet);
    let mut weighed: Vec<(u32, Passage, Option<&Note>)> = found
        .map(|passage| {
            let note = file.notes.iter().find(|note| note.text.trim() == passage.text);
            (base + weight(note, request.shared(&passage.text)), passage, note)
        })
        .collect();
    weighed.sort_by_key(|(weight, _, _)| std::cmp::Reverse(*weight));
    let left = weighed.len().saturating_sub(MEMORIES_MAX);
    let items = weighed.into_iter().take(MEMORIES_MAX).map(|(weight, passage, note)| {
        let (id, shown) = (format!("memory-{}", slug(&passage.text)), format!("Memory: {}", passage.text));
        let mut item = passage_item(id, &shown, &file.path, vec![passage], weight);
        item.detail.push_str(&note.map_or_else(|| ", written by hand".into(), origin));
        item.telling = true;
        item
    });
    (items.collect(), left)
}

/// How much a note matters: what keeps pupils safe, then needs, then what bears on the request, then importance. A line
/// written by hand is of middling importance.
fn weight(note: Option<&Note>, shared: u32) -> u32 {
    const IMPORTANCE_BY_HAND: u8 = 50;
    let kind = match note.map_or("", |note| note.kind.as_str()) {
        "safeguarding" => 200,
        "need" => 100,
        _ => 0,
    };
    let importance = note.map_or(IMPORTANCE_BY_HAND, |note| note.importance.min(100));
    kind + 15 * shared.min(3) + u32::from(importance) / 4
}

/// Where a note comes from: `, noted 12 November 2026, 2 sessions`.
fn origin(note: &Note) -> String {
    let sessions = if note.times == 1 { "1 session".to_owned() } else { format!("{} sessions", note.times) };
    format!(", noted {}, {sessions}", day(note.created))
}

fn passage_item(id: String, shown: &str, source: &str, mut passages: Vec<Passage>, weight: u32) -> Item {
    passages.truncate(LINES_MAX);
    let lines: Vec<&str> = passages.iter().map(|passage| passage.text.as_str()).collect();
    let detail = detail(&lines, source);
    Item {
        id,
        label: label(shown),
        detail,
        source: source.into(),
        form: Form::Passages(passages),
        telling: weight > PREFERENCE,
        weight,
    }
}

/// The lines as markdown that is only text, with the source at the end.
fn detail(lines: &[&str], source: &str) -> String {
    let mut detail: String = match lines {
        [line] => format!("{}\n", passage(line)),
        lines => lines.iter().map(|line| format!("- {}\n", passage(line))).collect(),
    };
    detail.push_str(&format!("\nFrom {}", cut(source, 120)));
    detail
}

/// Ids that occur again get a number.
fn number(items: &mut [Item]) {
    let mut taken = BTreeSet::new();
    for item in items {
        let base = item.id.trim_end_matches('-').to_owned();
        let numbered = (2..).map(|number: u32| format!("{base}-{number}"));
        let mut ids = std::iter::once(base.clone()).chain(numbered);
        if let Some(id) = ids.find(|id| !taken.contains(id)) {
            taken.insert(id.clone());
            item.id = id;
        }
    }
}
