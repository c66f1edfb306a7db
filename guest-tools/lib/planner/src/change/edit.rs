//! What is wanted, and the passage of the file that changes.

use super::super::phrase::{number_word, without_stop};
use super::super::words::{says, tokens};

/// A change that a sentence asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wanted {
    Need {
        group: String,
        need: String,
        support: String,
        known: bool,
    },
    /// A field of the front matter with its number.
    Number(&'static str, u32),
    /// A line under a heading of the class profile, or of the file that is named.
    Line {
        file: Option<&'static str>,
        heading: &'static str,
        text: String,
    },
    Remember(String),
}

/// What becomes of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Edit {
    Exchange {
        old: String,
        new: String,
    },
    /// The line says it already.
    There(String),
    NoPlace,
}

/// Words of a need, what is usually hard, and what usually helps first. Only a start: the teacher knows better.
const USUAL: &[(&str, &str, &str)] = &[
    (
        "enlarged|large print|larger print|visual impairment|low vision",
        "reading print of the usual size",
        "everything on paper in 18-point sans serif with strong contrast; the same slides on a screen of their own",
    ),
    (
        "hearing|deaf|hearing aid",
        "following talk in group work and anything said with the back to the class",
        "seat with a view of most faces; captions on; pupils' answers repeated by the teacher",
    ),
    (
        "dyslexic|dyslexia",
        "reading dense text at speed, and copying from the board",
        "notes handed out in 14-point sans serif; lines numbered; answers aloud",
    ),
    (
        "additional language|new to english|learning english",
        "long instructions and academic words",
        "keywords with pictures; sentence starters; paired talk first",
    ),
    (
        "autistic|autism",
        "open instructions and sudden changes of plan",
        "the shape of the lesson on the board; the steps of a task in writing, with what finished looks like",
    ),
    ("wheelchair", "reaching places and equipment", "a table of the right height by the door; equipment within reach"),
    (
        "attention|adhd|sit still|concentrate",
        "long stretches of listening",
        "the task cut into steps with a tick box each; a reason to stand up halfway",
    ),
    (
        "anxious|anxiety|worry|worries|worried",
        "answering unasked and presenting",
        "a quiet word beforehand with the question that will come; no cold calling",
    ),
    (
        "challenge|finish early|early finishers",
        "work that goes deeper instead of more of the same",
        "start at the last part of the task; a why question to answer in writing",
    ),
];

const LINES: &[(&str, Option<&str>, &str)] = &[
    ("does not work|doesn't work|do not work|don't work", None, "What does not"),
    ("what works|works with|works for|works well|works", None, "What works"),
    ("know already|already know|they know", None, "What they know already"),
    ("room", None, "The room"),
    ("i avoid|i do not like|i don't like|avoid", Some("teacher.md"), "What I avoid"),
    ("i like|i prefer", Some("teacher.md"), "What I like in a lesson"),
    ("pedagogy", Some("pedagogy.md"), ""),
];

impl Wanted {
    pub(crate) fn read(request: &str, class: Option<&str>) -> Option<Self> {
        let after_colon = request.split_once(": ").map(|(_, text)| one_line(text)).filter(|text| !text.is_empty());
        if says(request, "remember|note that") {
            let text = after_colon.or_else(|| after(request, &["remember that ", "note that "]))?;
            return Some(Self::Remember(text));
        }
        if let (Some((_, file, heading)), Some(text)) =
            (LINES.iter().find(|(words, _, _)| says(request, words)), after_colon)
        {
            return Some(Self::Line { file: *file, heading, text });
        }
        number(request).or_else(|| need(request, class))
    }

    /// The file, where it is no class profile.
    pub(crate) fn file(&self) -> Option<&'static str> {
        match self {
            Self::Line { file, .. } => *file,
            _ => None,
        }
    }

    /// What is changed, in a sentence.
    pub(crate) fn told(&self) -> String {
        match self {
            Self::Need { group, support, .. } => format!("{group}; support: {support}"),
            Self::Number(field, value) => format!("`{field}` is {value} now"),
            Self::Line { heading: "", text, .. } | Self::Remember(text) => text.clone(),
            Self::Line { heading, text, .. } => format!("under “{heading}”: {text}"),
        }
    }

    /// What is left to the teacher.
    pub(crate) fn open(&self) -> &'static str {
        match self {
            Self::Need { known: true, .. } => {
                " You did not say what helps: the support above is a usual first step. Tell me what helps this pupil, or change the file."
            }
            Self::Need { known: false, .. } => {
                " You did not say what helps: ask, and tell me, so that lessons can be planned for it."
            }
            _ => "",
        }
    }

    pub(crate) fn edit(&self, text: &str) -> Edit {
        match self {
            Self::Need { group, need, support, .. } => add_need(text, group, need, support),
            Self::Number(field, value) => set_number(text, field, *value),
            Self::Line { heading, text: line, .. } => add_line(text, heading, line),
            Self::Remember(_) => Edit::NoPlace,
        }
    }
}

/// What follows one of these, in one line.
fn after(text: &str, leads: &[&str]) -> Option<String> {
    let lower = text.to_lowercase();
    let at = leads.iter().find_map(|lead| Some(lower.find(lead)? + lead.len()))?;
    text.get(at..).map(one_line).filter(|rest| !rest.is_empty())
}

/// Text that stays one line, and a plain value in front matter.
fn one_line(text: &str) -> String {
    without_stop(&text.split_whitespace().collect::<Vec<_>>().join(" "))
        .trim_start_matches(['-', '#', '>', ' '])
        .to_owned()
}

/// "periods are 45 minutes", "1B has 26 pupils".
fn number(request: &str) -> Option<Wanted> {
    let tokens = tokens(request);
    tokens.windows(2).find_map(|pair| {
        let [number, unit] = pair else { return None };
        let value = number_word(&number.raw.to_lowercase())?;
        match unit.raw.to_lowercase().as_str() {
            "minutes" | "minute" if says(request, "period|periods|lesson|lessons") => {
                crate::timing::PERIOD_MINUTES.contains(&value).then_some(Wanted::Number("period_minutes", value))
            }
            // "two pupils who …" is a need; "26 pupils" is how many there are.
            "pupils" if !says(request, "who|with|needs|need") => Some(Wanted::Number("pupils", value)),
            _ => None,
        }
    })
}

/// "a pupil who needs enlarged print", "two pupils with English as an additional language".
fn need(request: &str, class: Option<&str>) -> Option<Wanted> {
    class?;
    let lower = request.to_lowercase();
    let place = lower.find(" pupil")?;
    let lead = request.get(..place)?.rsplit(' ').next().unwrap_or_default();
    let count = match lead.to_lowercase().as_str() {
        "a" | "another" | "new" | "one" => "one".to_owned(),
        word => number_word(word).map(|_| word.to_owned())?,
    };
    let rest = nameless(&request.get(place + 1..)?.replace([':', '#', '"', '\''], " "));
    let what = rest.split_once(' ').map(|(_, what)| what.to_owned()).filter(|what| !what.is_empty())?;
    let usual = USUAL.iter().find(|(words, _, _)| says(&what, words));
    let (need, support) = usual.map_or_else(
        || {
            (
                what.trim_start_matches("who ").trim_start_matches("with ").to_owned(),
                "to be agreed with the pupil and the support team".to_owned(),
            )
        },
        |(_, need, support)| ((*need).to_owned(), (*support).to_owned()),
    );
    Some(Wanted::Need { group: format!("{count} {rest}"), need, support, known: usual.is_some() })
}

/// The text without the mark that stands where a name was, and without the word that led to it.
fn nameless(text: &str) -> String {
    let text = one_line(&text.replace("[a pupil]", " "));
    ["called", "named"].iter().fold(text, |text, word| {
        ["who", "with", "has", "needs"]
            .iter()
            .fold(text, |text, next| text.replace(&format!(" {word} {next} "), &format!(" {next} ")))
    })
}

fn add_need(text: &str, group: &str, need: &str, support: &str) -> Edit {
    if let Some(line) =
        text.lines().find(|line| line.trim().trim_start_matches("- ").strip_prefix("group: ") == Some(group))
    {
        return Edit::There(line.to_owned());
    }
    let mut lines = text.lines();
    if lines.next().map(str::trim_end) != Some("---") {
        return Edit::NoPlace;
    }
    let front: Vec<&str> = lines.take_while(|line| line.trim_end() != "---").collect();
    let Some(last) = front.last() else { return Edit::NoPlace };
    let head = if front.iter().any(|line| line.starts_with("needs:")) { "" } else { "\nneeds:" };
    let old = format!("{last}\n---");
    unique(text, &old, format!("{last}{head}\n  - group: {group}\n    need: {need}\n    support: {support}\n---"))
}

fn set_number(text: &str, field: &str, value: u32) -> Edit {
    let Some(line) = text.lines().find(|line| line.starts_with(&format!("{field}:"))) else { return Edit::NoPlace };
    let said = line.split_once(':').and_then(|(_, rest)| rest.split('#').next()).unwrap_or_default().trim().to_owned();
    if said == value.to_string() {
        return Edit::There(line.to_owned());
    }
    unique(text, line, line.replacen(&said, &value.to_string(), 1))
}

/// Adds an item to the list under a heading; without one, to the last list of the file.
fn add_line(text: &str, heading: &str, item: &str) -> Edit {
    if let Some(line) = text.lines().find(|line| line.contains(item)) {
        return Edit::There(line.to_owned());
    }
    let inside = |line: &&str| heading.is_empty() || *line != format!("## {heading}");
    let lines: Vec<&str> = text.lines().collect();
    let start = if heading.is_empty() { 0 } else { lines.iter().take_while(|line| inside(line)).count() };
    let section: Vec<&str> = match lines.get(start + 1..) {
        Some(rest) if !heading.is_empty() => rest.iter().take_while(|line| !line.starts_with("## ")).copied().collect(),
        _ => lines.get(start..).unwrap_or_default().to_vec(),
    };
    let Some(last) = section.iter().rposition(|line| line.starts_with("- ")) else { return Edit::NoPlace };
    let more =
        section.iter().skip(last + 1).take_while(|line| line.starts_with(' ') && !line.trim().is_empty()).count();
    let old = section.get(last..=last + more).unwrap_or_default().join("\n");
    unique(text, &old, format!("{old}\n- {item}"))
}

/// The exchange, where the passage stands there once.
fn unique(text: &str, old: &str, new: String) -> Edit {
    if text.matches(old).count() == 1 { Edit::Exchange { old: old.to_owned(), new } } else { Edit::NoPlace }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLASS: &str = "---\nclass: 3B\npupils: 24\nperiod_minutes: 50        # of the timetable\nneeds:\n  - group: one dyslexic pupil\n    need: reading\n    support: paper\n---\n\n# 3B\n\n## What works\n\n- Pairs at one laptop\n  that change.\n\n## What does not\n\n- Copying\n";

    fn edited(request: &str) -> String {
        let wanted = Wanted::read(request, Some("3B")).unwrap_or_else(|| panic!("{request}"));
        match wanted.edit(CLASS) {
            Edit::Exchange { old, new } => CLASS.replacen(&old, &new, 1),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn a_sentence_changes_one_place() {
        let with = edited("3B now has a pupil who needs enlarged print");
        assert!(with.contains("    support: paper\n  - group: one pupil who needs enlarged print\n    need: reading print of the usual size\n    support: everything on paper in 18-point"), "{with}");
        assert!(edited("in 3B there are two pupils who collect insects").contains(
            "  - group: two pupils who collect insects\n    need: collect insects\n    support: to be agreed"
        ));
        assert!(
            edited("3B has a pupil called [a pupil] [a pupil] who uses a wheelchair")
                .contains("group: one pupil who uses a wheelchair\n")
        );
        assert!(edited("periods of 3B are 45 minutes").contains("period_minutes: 45        # of the timetable\n"));
        assert!(edited("3B has 26 pupils").contains("\npupils: 26\n"));
        assert!(
            edited("works with 3B: drawing first").contains("- Pairs at one laptop\n  that change.\n- drawing first\n")
        );
        assert!(edited("does not work with 3B: long starters").ends_with("- Copying\n- long starters\n"));
        assert!(edited("3B has 24 pupils").starts_with("There"));
        assert_eq!(
            Wanted::read("remember for 3B: book the trolley", Some("3B")),
            Some(Wanted::Remember("book the trolley".into()))
        );
        assert_eq!(Wanted::read("make it nicer", Some("3B")), None);
    }
}
