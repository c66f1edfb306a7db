//! From a lesson to what is wrong with its form.

use crate::form::{
    ANSWER_WORDS_MAX, CHECKS_MIN, CRITERION_WORDS_MAX, DEFINITION_WORDS_MAX, HOMEWORK, LESSON_WORDS_MAX, PARTS, Part,
    Rule, TITLE_CHARS_MAX,
};
use crate::lesson::{Item, Lesson, Section, words};
use crate::needs;
use crate::spelling::american;

/// The sentence of a lesson that no outcome covers; it needs no pointer then.
const NO_OUTCOME: &str = "no outcome in this workspace";

/// The kind of a problem, in the order in which they are said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Class {
    /// A part is not there.
    MissingPart,
    /// A part is there twice.
    PartTwice,
    /// The parts stand in another order.
    Order,
    /// The title is missing, too long or a question.
    Title,
    /// Class, level or length is not said at the top.
    ClassLine,
    /// The minutes do not add up to the period.
    Timings,
    /// A part holds less than it has to, or more than anybody reads.
    Length,
    /// The items of a part are not of their kind.
    Items,
    /// A need of the class is not answered.
    NeedUnmet,
    /// A word is not British.
    Spelling,
}

impl Class {
    /// The name in traces and studies.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::MissingPart => "missing-part",
            Self::PartTwice => "part-twice",
            Self::Order => "order",
            Self::Title => "title",
            Self::ClassLine => "class-line",
            Self::Timings => "timings",
            Self::Length => "length",
            Self::Items => "items",
            Self::NeedUnmet => "need-unmet",
            Self::Spelling => "spelling",
        }
    }
}

/// One problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Its kind.
    pub class: Class,
    /// The heading of the section that it is about, as it stands or as it should.
    pub section: Option<String>,
    /// The line of the lesson.
    pub line: Option<u32>,
    /// What was expected, what was found, what to do.
    pub message: String,
}

/// What the lesson is held against besides the form.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Expected {
    /// The class that the request names.
    pub class: Option<String>,
    /// Groups of the class profile that need something.
    pub groups: Vec<String>,
    /// Minutes of a period of the class.
    pub period: Option<u32>,
    /// Whether the request speaks of its own length.
    pub other_length: bool,
    /// Whether homework was asked for.
    pub homework: bool,
}

impl Expected {
    /// Reads class profile and request.
    #[must_use]
    pub fn read(class: Option<&str>, profile: &str, request: &str) -> Self {
        let lower = request.to_lowercase();
        let period = profile.lines().find_map(|line| line.strip_prefix("period_minutes:"));
        let period = period.and_then(|value| value.split('#').next()?.trim().parse().ok());
        let length_words = ["minute", "min ", "mins", "hour", "double", "two periods"];
        let not_wanted = ["no homework", "without homework", "not homework"].iter().any(|words| lower.contains(words));
        Self {
            class: class.map(str::to_owned),
            groups: needs::groups(profile),
            period,
            other_length: length_words.iter().any(|word| lower.contains(word)),
            homework: lower.contains("homework") && !not_wanted,
        }
    }
}

/// Whether a text is an answer in words, such as a question back, rather than a lesson.
#[must_use]
pub fn is_answer_in_words(text: &str) -> bool {
    Lesson::read(text).sections.is_empty() && words(text) <= ANSWER_WORDS_MAX
}

/// Everything that is wrong with the form of a lesson.
#[must_use]
pub fn check(text: &str, expected: &Expected) -> Vec<Found> {
    let lesson = Lesson::read(text);
    let mut found = Vec::new();
    title(&lesson, &mut found);
    class_line(&lesson, expected, &mut found);
    for part in PARTS.iter().chain(expected.homework.then_some(&HOMEWORK)) {
        part_of(&lesson, part, expected, &mut found);
    }
    order(&lesson, &mut found);
    timings(&lesson, expected, &mut found);
    let count = words(text);
    if count > LESSON_WORDS_MAX {
        let message =
            format!("the lesson has {count} words, {LESSON_WORDS_MAX} are the most; cut what nobody will teach from");
        found.push(Found { class: Class::Length, section: None, line: None, message });
    }
    found.extend(spelling(text, &lesson));
    found.sort_by_key(|found| found.class);
    found
}

fn spelling(text: &str, lesson: &Lesson<'_>) -> Vec<Found> {
    let section = |line: u32| lesson.sections.iter().rev().find(|section| section.line <= line);
    let found = american(text).into_iter().map(|word| Found {
        class: Class::Spelling,
        section: section(word.line).map(|section| section.heading.clone()),
        line: Some(word.line),
        message: format!("“{}” is written “{}” here", word.found, word.british),
    });
    found.collect()
}

fn title(lesson: &Lesson<'_>, found: &mut Vec<Found>) {
    let message = match &lesson.title {
        None => "the first line is to be a title: `# ` and the topic".to_owned(),
        Some(title) if title.chars().count() > TITLE_CHARS_MAX => {
            format!(
                "the title has {} characters, {TITLE_CHARS_MAX} are the most; name the topic and no more",
                title.chars().count()
            )
        }
        Some(title) if title.ends_with('?') => "the title is a question; name the topic instead".to_owned(),
        Some(_) => return,
    };
    found.push(Found { class: Class::Title, section: None, line: Some(1), message });
}

fn class_line(lesson: &Lesson<'_>, expected: &Expected, found: &mut Vec<Found>) {
    let top = lesson.preamble.to_lowercase();
    let named = expected.class.as_ref().is_none_or(|class| top.contains(&class.to_lowercase()));
    let mut missing = Vec::new();
    if !top.contains("class:") || !named {
        missing.push("the class");
    }
    if !top.contains("level:") {
        missing.push("its level");
    }
    if length(lesson).is_none() {
        missing.push("the length in minutes");
    }
    if !missing.is_empty() {
        let message = format!(
            "the line below the title does not say {}; write `**Class:** … · **Level:** … · **Length:** … minutes`",
            missing.join(" and ")
        );
        found.push(Found { class: Class::ClassLine, section: None, line: Some(1), message });
    }
}

/// The minutes of the class line.
fn length(lesson: &Lesson<'_>) -> Option<u32> {
    let top = lesson.preamble.to_lowercase();
    let rest = top.split("length:").nth(1)?;
    let digits: String =
        rest.chars().skip_while(|c| !c.is_ascii_digit() && *c != '\n').take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

fn part_of(lesson: &Lesson<'_>, part: &Part, expected: &Expected, found: &mut Vec<Found>) {
    let sections: Vec<&Section<'_>> = lesson.of(part).collect();
    let Some(section) = sections.first() else {
        let message = format!("there is no section \"{}\"; it holds {}", part.heading, part.holds);
        found.push(Found { class: Class::MissingPart, section: Some(part.heading.to_owned()), line: None, message });
        return;
    };
    let mut say = |class: Class, line: Option<u32>, message: String| {
        found.push(Found { class, section: Some(section.heading.clone()), line: line.or(Some(section.line)), message });
    };
    if let Some(second) = sections.get(1) {
        say(
            Class::PartTwice,
            Some(second.line),
            format!("\"{}\" stands there twice; make one of the two", part.heading),
        );
    }
    if part.timed && section.minutes.is_none_or(|minutes| minutes == 0) {
        say(Class::Timings, None, format!("the heading says no minutes; write `## {} (8 minutes)`", part.heading));
    }
    if section.is_open_to_choice() {
        return;
    }
    counts(section, part, &mut say);
    let items = section.items();
    for (line, message) in rule(section, &items, part, expected) {
        let class = if part.rule == Rule::ByNeed { Class::NeedUnmet } else { Class::Items };
        say(class, line, message);
    }
}

fn counts(section: &Section<'_>, part: &Part, say: &mut impl FnMut(Class, Option<u32>, String)) {
    let (least, most) = part.items;
    let no_outcome = part.rule == Rule::Evidenced && section.body.to_lowercase().contains(NO_OUTCOME);
    let items = section.items().len();
    if items < least && !no_outcome {
        say(Class::Items, None, format!("{items} of at least {least} items; it holds {}", part.holds));
    } else if items > most {
        say(Class::Items, None, format!("{items} items, {most} are the most; keep those that matter in this lesson"));
    }
    let (least, most) = part.words;
    let count = words(section.body);
    if count < least {
        say(Class::Length, None, format!("{count} words, at least {least} are needed; it holds {}", part.holds));
    } else if count > most {
        say(Class::Length, None, format!("{count} words, {most} are the most; shorten it"));
    }
}

/// What a part's rule finds: a line, where it is about one, and what to do.
fn rule(section: &Section<'_>, items: &[Item], part: &Part, expected: &Expected) -> Vec<(Option<u32>, String)> {
    let each = |wrong: &dyn Fn(&Item) -> Option<String>| -> Vec<(Option<u32>, String)> {
        items.iter().filter_map(|item| Some((Some(item.line), wrong(item)?))).collect()
    };
    match part.rule {
        Rule::Plain => Vec::new(),
        Rule::Evidenced => each(&|item| {
            let pointed = item.text.contains("](") && item.text.contains("#L");
            (!pointed).then(|| "this outcome has no evidence pointer".to_owned())
        }),
        Rule::ICan => each(&|item| {
            let text = plain(&item.text);
            if !text.to_lowercase().starts_with("i can ") {
                return Some(format!("“{}” does not begin with “I can”", cut(&text)));
            }
            let count = words(&text);
            (count > CRITERION_WORDS_MAX).then(|| {
                format!(
                    "the criterion “{}” has {count} words; pupils read {CRITERION_WORDS_MAX} at the most",
                    cut(&text)
                )
            })
        }),
        Rule::Answered => each(&|item| {
            (!is_answered(&item.text))
                .then(|| format!("“{}” does not say what to do about the wrong idea", cut(&item.text)))
        }),
        Rule::Defined => each(&|item| definition(&item.text)),
        Rule::Retrieval => retrieval(section),
        Rule::Checked => {
            let checks = section.body.lines().filter(|line| is_check(line)).count();
            let message =
                format!("{checks} of at least {CHECKS_MIN} checks of the whole class; say what is asked and expected");
            (checks < CHECKS_MIN).then_some((None, message)).into_iter().collect()
        }
        Rule::ByNeed => expected
            .groups
            .iter()
            .filter(|group| !needs::answered(section.body, group))
            .map(|group| (None, format!("nothing is planned for {group}")))
            .collect(),
        Rule::Exit => each(&|item| {
            let asks = item.text.contains('?');
            (asks && !has_answer(&item.text)).then(|| format!("“{}” has no answer", cut(&item.text)))
        }),
    }
}

/// The starter asks about earlier lessons, and says what a right answer is.
fn retrieval(section: &Section<'_>) -> Vec<(Option<u32>, String)> {
    const QUESTIONS_MIN: usize = 2;
    let answered = section.body.lines().filter(|line| has_answer(line)).count();
    let message = format!(
        "{answered} of at least {QUESTIONS_MIN} questions have an answer beside them; write each as `… ? **Answer:** …`"
    );
    (answered < QUESTIONS_MIN).then_some((None, message)).into_iter().collect()
}

/// Whether a question stands there with its answer: after the word, an arrow, in brackets, or in the next cell.
fn has_answer(text: &str) -> bool {
    let lower = text.to_lowercase();
    let after = text.rsplit_once('?').map_or("", |(_, after)| after);
    lower.contains("answer") || text.contains('→') || after.chars().any(char::is_alphanumeric)
}

fn is_check(line: &str) -> bool {
    let lower = line.to_lowercase();
    line.contains('?') || lower.contains("check") || lower.contains("true or false") || lower.contains("show me")
}

/// A wrong idea and, after an arrow or a full stop, what is done about it.
fn is_answered(text: &str) -> bool {
    let parts = text.split(['→', '|', '\n']).chain(text.split("->")).filter(|part| words(part) >= 2).count();
    let sentences = text.split(['.', '”', '!', '?', ':', '"']).filter(|sentence| words(sentence) >= 2).count();
    // The text itself counts once for each way of dividing it.
    parts > 2 || sentences >= 2
}

/// What is wrong with a term and its definition.
fn definition(item: &str) -> Option<String> {
    let text = plain(item);
    let marks = [": ", " – ", " — ", " - ", "|", " = ", "\n"];
    let defined = marks.iter().find_map(|mark| text.trim_matches('|').split_once(*mark));
    match defined.map(|(_, definition)| words(definition)) {
        None | Some(0) => Some(format!("“{}” has no definition; write `term: definition`", cut(&text))),
        Some(count) if count > DEFINITION_WORDS_MAX => {
            Some(format!("the definition of “{}” has {count} words, {DEFINITION_WORDS_MAX} are the most", cut(&text)))
        }
        Some(_) => None,
    }
}

fn order(lesson: &Lesson<'_>, found: &mut Vec<Found>) {
    let places = PARTS.iter().filter_map(|part| Some((part, lesson.of(part).next()?)));
    let places: Vec<(&Part, u32)> = places.map(|(part, section)| (part, section.line)).collect();
    for pair in places.windows(2) {
        if let [(first, line), (second, next)] = pair
            && line > next
        {
            let message = format!("\"{}\" stands before \"{}\"; change the order", second.heading, first.heading);
            found.push(Found {
                class: Class::Order,
                section: Some(second.heading.to_owned()),
                line: Some(*next),
                message,
            });
        }
    }
}

fn timings(lesson: &Lesson<'_>, expected: &Expected, found: &mut Vec<Found>) {
    let timed = PARTS.iter().filter(|part| part.timed);
    let parts: Vec<(&str, u32)> =
        timed.filter_map(|part| Some((part.heading, lesson.of(part).next()?.minutes?))).collect();
    let sum: u32 = parts.iter().map(|(_, minutes)| *minutes).fold(0, u32::saturating_add);
    let shown: Vec<String> = parts.iter().map(|(heading, minutes)| format!("{heading} {minutes}")).collect();
    let said = length(lesson);
    let mut say = |message: String| found.push(Found { class: Class::Timings, section: None, line: Some(1), message });
    if let Some(said) = said.filter(|said| *said != sum && !parts.is_empty()) {
        say(format!("the minutes come to {sum} ({}), the lesson has {said}", shown.join(", ")));
    }
    if let (Some(said), Some(period), false) = (said, expected.period, expected.other_length)
        && said != period
    {
        say(format!("the lesson is {said} minutes long, a period of this class {period}"));
    }
}

/// A text without marks of emphasis and code.
fn plain(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, '*' | '`')).collect::<String>().trim().to_owned()
}

/// The beginning of a text, to recognise it by.
fn cut(text: &str) -> String {
    const SHOWN_CHARS: usize = 60;
    let line = text.lines().next().unwrap_or_default();
    match line.char_indices().nth(SHOWN_CHARS) {
        Some((end, _)) => format!("{}…", line.get(..end).unwrap_or_default().trim_end()),
        None => line.to_owned(),
    }
}
