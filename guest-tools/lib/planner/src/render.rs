//! Filling a pattern of the bank from a lesson's material.
//!
//! Lists that a line can be repeated for, with the gaps of each item: `@past` and `@exit` (`{q}`, `{a}`, and `{answer}` if there is one), `@claim`
//! (`{claim}`, `{fix}`), `@misconception` (`{idea}`, `{fix}`), `@task` (`{task}`, `{Task}`), `@prior` (`{prior}`,
//! `{Prior}`), `@word` (`{term}`, `{meaning}`), `@criterion` (`{criterion}`), `@outcome` (`{pointer}`, `{says}`,
//! `{mark}`), `@resource` (`{item}`), `@need` (see [`needs::gaps`]). In each, `{n}` is the item's number and `{letter}` its
//! letter.

use super::bank::Pattern;
use super::examples::{Example, board, dealt, sheet, stopped};
use super::material::{Material, Misconception, Question};
use super::needs;
use super::phrase::{capitalised, listed, sentence, uncapitalised, without_stop};
use super::sections::Kind;
use super::wish::{Length, Wish};
use super::words::{keys, overlap};

/// What a pattern is filled from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub(crate) material: &'a Material,
    pub(crate) wish: &'a Wish,
    pub(crate) kind: Kind,
}

impl Scene<'_> {
    /// The claim at a place. Each part of the lesson begins with another one, so that the same sentence does not come
    /// back from the explanation to the exit.
    fn claim(&self, place: usize) -> Option<&Misconception> {
        let number = self.material.claims().count();
        let first = match self.kind {
            Kind::Practice | Kind::Differentiation => 1,
            Kind::Plenary | Kind::Exit => 2,
            _ => 0,
        };
        // The second of one claim would be the first again.
        if place >= number { None } else { self.material.claims().nth((first + place) % number) }
    }
}

type Gaps = Vec<(&'static str, String)>;

/// A pattern of which less than this share is left says too little.
const LINES_LEFT_PERCENT_MIN: usize = 60;

/// Fills a pattern; none where the material leaves too little of it.
pub(crate) fn render(pattern: &Pattern, scene: Scene<'_>) -> Option<String> {
    let mut written: Vec<String> = Vec::new();
    let mut wanted = 0;
    let mut kept = 0;
    let (mut lists, mut filled_lists) = (0, 0);
    for line in &pattern.lines {
        let (optional, line) = match (line.strip_prefix("? "), line.strip_prefix("+ ")) {
            (Some(_), _) if scene.wish.length == Some(Length::Shorter) => continue,
            (_, Some(_)) if scene.wish.length != Some(Length::Longer) => continue,
            (Some(rest), _) | (_, Some(rest)) => (true, rest),
            (None, None) => (false, *line),
        };
        let filled = filled(line, scene);
        wanted += usize::from(!optional);
        kept += usize::from(!optional && !filled.is_empty());
        lists += usize::from(line.starts_with('@'));
        filled_lists += usize::from(line.starts_with('@') && !filled.is_empty());
        written.extend(filled);
    }
    // A pattern around a list is nothing without one.
    let has_list = lists == 0 || filled_lists > 0;
    let enough = has_list && wanted > 0 && kept * 100 >= wanted * LINES_LEFT_PERCENT_MIN;
    let text = enough.then(|| laid_out(pattern.name, &written)).filter(|text| !text.is_empty())?;
    let below = match scene.kind {
        Kind::Explanation => board(scene.material),
        Kind::Practice => sheet(scene.material),
        _ => None,
    };
    Some(below.map_or_else(|| text.clone(), |below| format!("{text}\n\n{below}")))
}

/// The lines that one line of a pattern becomes.
fn filled(line: &str, scene: Scene<'_>) -> Vec<String> {
    let Some((list, text)) = line.strip_prefix('@').and_then(|rest| rest.split_once(' ')) else {
        return fill(line, &Vec::new(), scene).into_iter().collect();
    };
    let name = list.trim_end_matches(|c: char| c.is_ascii_digit());
    let limit = list.get(name.len()..).and_then(|digits| digits.parse().ok()).unwrap_or(usize::MAX);
    let mut items = items(name, scene);
    put_focus_first(&mut items, scene.wish);
    let limit = match scene.wish.length {
        // Needs are never shortened away.
        Some(Length::Shorter) if name != "need" && name != "outcome" => limit.min(items.len()).saturating_sub(2).max(2),
        Some(Length::Longer) => limit.saturating_add(1),
        _ => limit,
    };
    let numbered = items.iter().take(limit).enumerate();
    numbered
        .filter_map(|(at, gaps)| {
            let mut gaps = gaps.clone();
            gaps.push(("n", (at + 1).to_string()));
            gaps.push(("letter", char::from(b'A'.saturating_add(u8::try_from(at).unwrap_or(25).min(25))).to_string()));
            fill(text, &gaps, scene)
        })
        .collect()
}

fn put_focus_first(items: &mut [Gaps], wish: &Wish) {
    let Some(focus) = &wish.focus else { return };
    let wanted = keys(focus);
    items.sort_by_key(|gaps| gaps.iter().map(|(_, text)| overlap(text, &wanted)).max().unwrap_or(0) == 0);
}

fn items(name: &str, scene: Scene<'_>) -> Vec<Gaps> {
    let material = scene.material;
    match name {
        "past" => material.past.iter().map(question).collect(),
        "exit" => material.exit.iter().map(question).collect(),
        "claim" => {
            material.claims().map(|one| vec![("claim", quotable(&one.idea)), ("fix", sentence(&one.answer))]).collect()
        }
        "misconception" => material
            .misconceptions
            .iter()
            .map(|one| vec![("idea", idea(&one.idea, one.is_claim)), ("fix", shown(one))])
            .collect(),
        "task" => material.tasks.iter().map(|task| vec![("task", task.clone()), ("Task", sentence(task))]).collect(),
        "prior" => material
            .prior
            .iter()
            .map(|item| vec![("prior", without_stop(item).to_owned()), ("Prior", sentence(item))])
            .collect(),
        "word" => material
            .keywords
            .iter()
            .filter(|word| !word.meaning.is_empty())
            .map(|word| vec![("term", word.term.clone()), ("meaning", without_stop(&word.meaning).to_owned())])
            .collect(),
        "criterion" => material.criteria.iter().map(|one| vec![("criterion", one.clone())]).collect(),
        "outcome" => material
            .outcomes
            .iter()
            .map(|one| vec![("pointer", one.claim()), ("says", one.says.clone()), ("mark", one.mark())])
            .collect(),
        "resource" => resources(material).into_iter().map(|item| vec![("item", item)]).collect(),
        "need" => material.needs.iter().enumerate().map(|(at, need)| needs::gaps(need, at, material)).collect(),
        _ => Vec::new(),
    }
}

fn question(question: &Question) -> Gaps {
    let answer = question.answer.as_ref().map(|answer| format!(" **Answer:** {answer}")).unwrap_or_default();
    let mut gaps = vec![("q", question.ask.clone()), ("a", answer)];
    gaps.extend(question.answer.clone().map(|answer| ("answer", answer)));
    gaps
}

/// A claim as it stands between quotation marks.
fn quotable(idea: &str) -> String {
    capitalised(without_stop(idea))
}

/// What to do about a wrong idea: first the question that shows who has it, where there is one.
fn shown(one: &Misconception) -> String {
    let asked = one.shown_by.as_ref().map(|question| {
        format!(
            "Ask: “{}” Right: {} ",
            inner_quotes(&question.ask),
            stopped(question.answer.as_deref().unwrap_or_default())
        )
    });
    format!("{}{}", asked.unwrap_or_default(), sentence(&one.answer))
}

/// The question that shows who has a wrong idea; without one the idea itself is put to the class.
fn asked(one: &Misconception) -> String {
    let stated = || format!("True or false: {}.", capitalised(without_stop(&one.idea)));
    inner_quotes(&one.shown_by.as_ref().map_or_else(stated, |question| question.ask.clone()))
}

/// A text as it stands within quotation marks: its own become single ones.
fn inner_quotes(text: &str) -> String {
    text.replace('“', "‘").replace('”', "’")
}

/// The titles of what is read, heard or counted.
fn passages(material: &Material) -> Option<String> {
    let titles: Vec<String> = material.passages.iter().map(|one| format!("“{}”", without_stop(&one.title))).collect();
    (!titles.is_empty()).then(|| listed(&titles))
}

fn idea(idea: &str, is_claim: bool) -> String {
    if is_claim { format!("“{}.”", quotable(idea)) } else { sentence(idea) }
}

/// Fills the gaps of a line; none where one of them has nothing to hold.
fn fill(line: &str, item: &Gaps, scene: Scene<'_>) -> Option<String> {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, after) = after.split_once('}')?;
        let value = item
            .iter()
            .find(|(gap, _)| *gap == name)
            .map(|(_, value)| value.clone())
            .or_else(|| scalar(name, scene))?;
        out.push_str(before);
        out.push_str(&if line.starts_with('|') { in_cell(&value) } else { value });
        rest = after;
    }
    out.push_str(rest);
    Some(out)
}

/// What stands in a gap outside the lists.
fn scalar(name: &str, scene: Scene<'_>) -> Option<String> {
    let material = scene.material;
    let (base, place) = match name.char_indices().next_back() {
        Some((at, digit)) if digit.is_ascii_digit() => {
            (name.get(..at)?, usize::try_from(digit.to_digit(10)?).ok()?.checked_sub(1)?)
        }
        _ => (name, 0),
    };
    let claim = || scene.claim(place);
    match base {
        "asked" => claim().map(asked),
        "right" => claim().map(|one| {
            one.shown_by.as_ref().and_then(|it| it.answer.as_deref()).map_or_else(|| "False.".to_owned(), stopped)
        }),
        "from" => numbers(material, place).map(|(first, _)| first.to_string()),
        "span" => numbers(material, place).map(|(first, last)| span(first, last)),
        "second" => dealt(&material.examples).second.map(|_| "the second example below".to_owned()),
        "passages" => passages(material),
        "topic" => Some(material.topic.clone()),
        "Topic" => Some(capitalised(&material.topic)),
        "class" => Some(material.class.clone()),
        "Class" => Some(capitalised(&material.class)),
        "example" => Some(example(scene)),
        "examples" => Some(material.examples()),
        "third" => Some(third(scene)),
        "words" => material.words(),
        "claim" => claim().map(|one| quotable(&one.idea)),
        "fix" => claim().map(|one| one.answer.as_str()).filter(|answer| !answer.is_empty()).map(sentence),
        "fix_here" => claim()
            .map(|one| one.answer.as_str())
            .filter(|answer| !answer.is_empty())
            .map(|a| uncapitalised(without_stop(a))),
        "task" => task(material, place),
        "Task" => task(material, place).map(|task| sentence(&task)),
        "core" => core(material),
        "prior" => material.prior.get(place).map(|item| without_stop(item).to_owned()),
        "term" => material.keywords.get(place).map(|word| word.term.clone()),
        "meaning" => material
            .keywords
            .get(place)
            .map(|word| without_stop(&word.meaning).to_owned())
            .filter(|text| !text.is_empty()),
        "criterion" => material.criteria.get(place).map(|text| without_stop(text).to_owned()),
        "ahead" => material.ahead.clone(),
        "knows" => material.knows.get(place).map(|text| without_stop(text).to_owned()),
        "works" => material.works.get(place).map(|text| without_stop(text).to_owned()),
        "for_support" => Some(needs::starting_point(material, needs::Entrance::Support)),
        "for_challenge" => Some(needs::starting_point(material, needs::Entrance::Challenge)),
        _ => None,
    }
}

/// What pupils try alone before the practice.
fn third(scene: Scene<'_>) -> String {
    if dealt(&scene.material.examples).sheet.is_empty() {
        "A third, shorter example".to_owned()
    } else {
        "Question 1 of the practice sheet".to_owned()
    }
}

/// A task of the lesson; where the files name none, working through an example is the first.
fn task(material: &Material, place: usize) -> Option<String> {
    let stand_in = || (place == 0).then(|| format!("work through {} step by step", material.example()));
    material.tasks.get(place).cloned().or_else(stand_in)
}

/// What everybody practises: the tasks of all criteria.
fn core(material: &Material) -> Option<String> {
    let first = task(material, 0)?;
    Some(match material.tasks.get(1) {
        Some(second) => {
            let third = material.tasks.get(2).map(|third| format!("; as the last part, {third}")).unwrap_or_default();
            format!("{first}; then {second}{third}")
        }
        None => format!("{first}; then once more with another example, without notes"),
    })
}

/// The first and the last number of the questions of a step, as they are numbered on the sheet.
fn numbers(material: &Material, step: usize) -> Option<(usize, usize)> {
    let sheet = dealt(&material.examples).sheet;
    let of = |one: &&Example| one.step.map(usize::from) == Some(step + 1);
    let first = sheet.iter().position(of)? + 1;
    Some((first, sheet.iter().rposition(of)? + 1))
}

fn span(first: usize, last: usize) -> String {
    if first == last { format!("question {first}") } else { format!("questions {first} to {last}") }
}

/// What has to be ready, drawn from what the other sections use.
fn resources(material: &Material) -> Vec<String> {
    let mut items =
        vec!["starter questions on the board before pupils come in; mini-whiteboards or jotters".to_owned()];
    let dealt = dealt(&material.examples);
    items.push(if dealt.worked.is_none() {
        format!("{}, chosen by you: two for the explanation, one for the practice", material.examples())
    } else if dealt.sheet.is_empty() {
        format!("the examples of the explanation on the board; {} for the practice, chosen by you", material.examples())
    } else {
        "the examples of the explanation on the board or a slide, the second one without its answer".to_owned()
    });
    if let Some(words) = material.words() {
        items.push(format!("{words} with their meanings on the wall or on a strip"));
    }
    if material.is_given() {
        let with = passages(material).map(|titles| format!(" with {titles}")).unwrap_or_default();
        items.push(format!(
            "a practice sheet{with} and the {} questions for each pupil; slips for the exit questions",
            dealt.sheet.len()
        ));
    } else {
        items.push("one practice sheet with the three entrances; slips for the exit questions".to_owned());
    }
    items.extend(material.needs.iter().filter_map(|need| {
        let things = needs::things(need, material.family);
        (!things.is_empty()).then(|| format!("for {}: {}", uncapitalised(need.short_group()), things.join("; ")))
    }));
    items
}

/// An example, in the context that the teacher named.
fn example(scene: Scene<'_>) -> String {
    let dealt = dealt(&scene.material.examples);
    let example = match scene.kind {
        Kind::Explanation if dealt.worked.is_some() => "the worked example below".to_owned(),
        Kind::Practice if !dealt.sheet.is_empty() => "question 1 of the sheet below".to_owned(),
        _ => scene.material.example(),
    };
    match &scene.wish.context {
        Some(context) => format!("{example} with {context}"),
        None => example,
    }
}

/// Wording as it may stand in a table: no bars, no line breaks.
fn in_cell(text: &str) -> String {
    text.replace('|', "/").replace('\n', " ")
}

/// What a line is to the lines around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    Text,
    Heading,
    Bullet,
    Number,
    /// A point below a numbered one.
    Nested,
    Row,
}

impl Shape {
    fn of(line: &str) -> Self {
        if line.starts_with("1. ") {
            Self::Number
        } else if line.starts_with("   - ") {
            Self::Nested
        } else if line.starts_with("- ") {
            Self::Bullet
        } else if line.starts_with('|') {
            Self::Row
        } else if line.starts_with('#') {
            Self::Heading
        } else {
            Self::Text
        }
    }
}

/// Joins lines to paragraphs, lists and tables, and counts the numbered ones.
fn laid_out(name: &str, lines: &[String]) -> String {
    let mut out = String::new();
    let mut last: Option<Shape> = None;
    let mut number = 0;
    for (at, line) in lines.iter().enumerate() {
        let shape = Shape::of(line);
        if let Some(last) = last {
            let is_numbered = |shape: Shape| matches!(shape, Shape::Number | Shape::Nested);
            let same_list = is_numbered(last) && is_numbered(shape);
            let same_block = same_list || (last == shape && !matches!(shape, Shape::Text | Shape::Heading));
            out.push_str(if same_block { "\n" } else { "\n\n" });
            number = if same_block { number } else { 0 };
        }
        // Names in parentheses are for this file only: a plain list needs none.
        if at == 0 && !name.starts_with('(') {
            out.push_str(&format!("**{name}.**{}", if shape == Shape::Text { " " } else { "\n\n" }));
        }
        match line.strip_prefix("1. ").filter(|_| shape == Shape::Number) {
            Some(text) => {
                number += 1;
                out.push_str(&format!("{number}. {text}"));
            }
            None => out.push_str(line),
        }
        last = Some(shape);
    }
    out
}
