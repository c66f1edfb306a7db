//! What was found in a lesson, and what the host is to do about it.

use std::str::FromStr;

use ta_curriculum::outline::Outline;
use ta_guest::post_loop::{Event, Response};
use ta_guest::{Abort, Finding, setting};

use crate::content::content;
use crate::measure::measure;
use crate::text::{for_pupils, plain};
use crate::year::{Limits, Year};

/// Rounds in which the model may repair what is serious.
const ROUNDS_DEFAULT: u32 = 1;

/// So many findings about language together are serious: one long sentence is not.
const SERIOUS_DEFAULT: u32 = 6;

/// A longer output is no lesson, and checking it would take more than the time that a guard has.
const OUTPUT_BYTES_MAX: usize = 120_000;

/// How much of a sentence is quoted, in characters.
const QUOTED_CHARS_MAX: usize = 90;

/// The kind of a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    UnfamiliarWords,
    LongSentence,
    LongDefinition,
    ManyInstructions,
    Gambling,
    Alcohol,
    Drugs,
    Violence,
    Sexual,
    SelfHarm,
    Product,
}

impl Class {
    /// The name in traces and studies.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::UnfamiliarWords => "unfamiliar-words",
            Self::LongSentence => "long-sentence",
            Self::LongDefinition => "long-definition",
            Self::ManyInstructions => "many-instructions",
            Self::Gambling => "gambling",
            Self::Alcohol => "alcohol",
            Self::Drugs => "drugs",
            Self::Violence => "violence",
            Self::Sexual => "sexual-content",
            Self::SelfHarm => "self-harm",
            Self::Product => "product",
        }
    }

    /// As it is said to a person.
    pub(crate) const fn said(self) -> &'static str {
        match self {
            Self::UnfamiliarWords => "Unfamiliar words",
            Self::LongSentence => "A long sentence",
            Self::LongDefinition => "A long definition",
            Self::ManyInstructions => "Many instructions",
            Self::Gambling => "Gambling",
            Self::Alcohol => "Alcohol",
            Self::Drugs => "Drugs or smoking",
            Self::Violence => "Weapons or violence",
            Self::Sexual => "Sexual content",
            Self::SelfHarm => "Self-harm",
            Self::Product => "A brand, or something to buy",
        }
    }

    /// Whether one finding is enough for another round.
    const fn is_content(self) -> bool {
        matches!(self, Self::Gambling | Self::Alcohol | Self::Drugs | Self::Violence | Self::Sexual | Self::SelfHarm)
    }
}

/// One problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) class: Class,
    /// The heading of the section, as it stands.
    pub(crate) section: String,
    pub(crate) line: u32,
    pub(crate) message: String,
}

/// A sentence between quotation marks, cut.
pub(crate) fn quoted(text: &str) -> String {
    match text.char_indices().nth(QUOTED_CHARS_MAX) {
        Some((end, _)) => format!("“{}…”", text.get(..end).unwrap_or_default().trim_end()),
        None => format!("“{text}”"),
    }
}

/// What is done about serious findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnFailure {
    /// They are shown.
    Note,
    /// The model repairs them; then they are shown.
    Rework,
    /// The run ends.
    Abort,
}

impl FromStr for OnFailure {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "note" => Ok(Self::Note),
            "rework" => Ok(Self::Rework),
            "abort" => Ok(Self::Abort),
            _ => Err(()),
        }
    }
}

/// The configuration, read for a year.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Settings {
    pub(crate) on_failure: OnFailure,
    pub(crate) rounds: u32,
    /// Findings about language that are serious together.
    pub(crate) serious: u32,
    pub(crate) limits: Limits,
}

impl Settings {
    pub(crate) fn read(year: Year, get: impl Fn(&str) -> Option<String>) -> Result<Self, Abort> {
        let on_failure = setting("on-failure", get("on-failure"), OnFailure::Rework, "`note`, `rework` or `abort`")?;
        Ok(Self {
            on_failure,
            rounds: setting("rounds", get("rounds"), ROUNDS_DEFAULT, "a whole number")?,
            serious: setting("serious", get("serious"), SERIOUS_DEFAULT, "a whole number")?,
            limits: Limits::read(year, &get)?,
        })
    }
}

/// Everything that was found in a lesson, in the order of its lines.
pub(crate) fn check(output: &str, year: Year, limits: &Limits) -> Vec<Found> {
    let pupils = for_pupils(output);
    let mut found = Vec::new();
    measure(&pupils, year, limits, &mut found);
    content(&pupils, &frame(output), year, &mut found);
    found.sort_by(|a, b| (a.line, a.class, &a.message).cmp(&(b.line, b.class, &b.message)));
    found
}

/// What the lesson says it is about: everything before the first section, and its outcomes.
fn frame(output: &str) -> String {
    let outline = Outline::read(output);
    let outcomes = outline.sections.iter().filter(|section| section.title.to_lowercase().starts_with("outcome"));
    let parts = outline.preamble.iter().chain(outcomes);
    parts.map(|section| plain(output.get(section.range.clone()).unwrap_or_default())).collect::<Vec<_>>().join(" ")
}

/// The response to an output. Findings are in it whatever the verdict. What the teacher has accepted is the teacher's: it is
/// shown again and never sent back.
pub(crate) fn respond(settings: &Settings, year: Year, rework_round: u32, event: &Event) -> Response {
    if event.output.len() > OUTPUT_BYTES_MAX {
        let reason = format!(
            "The lesson is too long to be checked: {} bytes, and at most {OUTPUT_BYTES_MAX} are read. Ask for a shorter one, or for \
             one section at a time.",
            event.output.len()
        );
        return Response::abort("too-long", reason);
    }
    let found = check(&event.output, year, &settings.limits);
    if found.is_empty() {
        return Response::pass().note(format!("nothing in the text for pupils is beyond {year}"));
    }
    let outline = Outline::read(&event.output);
    let part = |found: &Found| outline.section_at(found.line).map(|section| section.id.clone());
    let accepted = |found: &Found| part(found).is_some_and(|id| event.accepted.iter().any(|it| it.id == id));
    let open: Vec<&Found> = found.iter().filter(|found| !accepted(found)).collect();
    let content = open.iter().filter(|found| found.class.is_content()).count();
    let language = open.iter().filter(|found| !found.class.is_content() && found.class != Class::Product).count();
    let serious = content > 0 || language >= settings.serious.max(1) as usize;
    let note = format!("{} for {year}: {}", counted(found.len(), "finding"), by_class(&found));
    let response = match settings.on_failure {
        OnFailure::Abort if serious => Response::abort("age-appropriate", reason(year, &open)),
        // Counted over all hooks: whoever asks once more than it may ends the run, and these findings are not worth that.
        OnFailure::Rework if serious && rework_round < settings.rounds => {
            Response::rework(instruction(year, &open), settings.rounds).accepted(event.accepted.clone())
        }
        _ => Response::pass(),
    };
    let finding =
        |found: &Found| Finding::new(found.class.name(), found.message.as_str()).at(part(found), Some(found.line));
    response.note(note).findings(found.iter().map(finding).collect())
}

fn reason(year: Year, found: &[&Found]) -> String {
    let shown = found.iter().take(3).map(|found| format!("\nLine {}: {}", found.line, found.message));
    let more = found.len().saturating_sub(3);
    let more = if more > 0 { format!("\nAnd {more} more.") } else { String::new() };
    format!("The lesson has text for pupils that does not suit {year}.{}{more}", shown.collect::<String>())
}

fn instruction(year: Year, found: &[&Found]) -> String {
    let lines = found.iter().map(|found| format!("\n- Line {} (\"{}\"): {}", found.line, found.section, found.message));
    format!(
        "Some text that pupils of {year} read does not suit them. Change only these places, keep what they ask of pupils, leave every \
         other section exactly as it is, and answer with the whole lesson.{}",
        lines.collect::<String>()
    )
}

fn by_class(found: &[Found]) -> String {
    let mut classes: Vec<Class> = found.iter().map(|found| found.class).collect();
    classes.sort_unstable();
    let mut counts: Vec<(Class, usize)> = Vec::new();
    for class in classes {
        match counts.last_mut() {
            Some((last, count)) if *last == class => *count += 1,
            _ => counts.push((class, 1)),
        }
    }
    counts.iter().map(|(class, count)| format!("{count} × {}", class.name())).collect::<Vec<_>>().join(", ")
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
