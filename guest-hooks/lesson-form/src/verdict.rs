//! What follows from the findings: nothing, another round, or the end of the run.

use std::str::FromStr;

use ta_curriculum::outline::{Outline, slug};
use ta_guest::post_loop::{Event, Response};
use ta_guest::{Abort, Context, Finding, setting};

use crate::check::{Class, Expected, Found, check, is_answer_in_words};

/// Rounds in which a model may mend the form.
const ROUNDS_DEFAULT: u32 = 1;

/// A longer output is no lesson, and checking it would take more than the time that a guard has.
const OUTPUT_BYTES_MAX: usize = 120_000;

/// Findings that a model is sent back with: beyond these it had better begin again.
const SENT_BACK_MAX: usize = 25;

/// What is done about findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OnFailure {
    /// They are shown.
    Note,
    /// The model mends them.
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

/// The configuration, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Settings {
    on_failure: OnFailure,
    rounds: u32,
    /// What follows when the rounds are used up: only `note` and `abort`.
    then: OnFailure,
    /// Commands whose output is a lesson; none is all.
    commands: Vec<String>,
    /// What a word that is not British comes to by itself.
    spelling: OnFailure,
}

impl Settings {
    pub(crate) fn read(get: impl Fn(&str) -> Option<String>) -> Result<Self, Abort> {
        let one_of_three = "`note`, `rework` or `abort`";
        let commands = get("commands").unwrap_or_default();
        let commands = commands.split(',').map(str::trim).filter(|command| !command.is_empty());
        let settings = Self {
            on_failure: setting("on-failure", get("on-failure"), OnFailure::Rework, one_of_three)?,
            rounds: setting("rounds", get("rounds"), ROUNDS_DEFAULT, "a whole number")?,
            then: setting("then", get("then"), OnFailure::Note, "`note` or `abort`")?,
            commands: commands.map(str::to_owned).collect(),
            spelling: setting("spelling", get("spelling"), OnFailure::Rework, "`note` or `rework`")?,
        };
        let wrong = |name: &str, value: OnFailure, refused: OnFailure, expected: &str| {
            let reason =
                format!("The configuration has another value under {name} than {expected}. Mend it in the manifest.");
            if value == refused { Err(Abort::fault("configuration", reason)) } else { Ok(()) }
        };
        wrong("then", settings.then, OnFailure::Rework, "`note` or `abort`")?;
        wrong("spelling", settings.spelling, OnFailure::Abort, "`note` or `rework`")?;
        Ok(settings)
    }
}

/// The response to an output. Findings are in it whatever the verdict. What the teacher has accepted is the teacher's: it
/// is shown again and never sent back.
pub(crate) fn respond(settings: &Settings, context: &Context, event: &Event, expected: &Expected) -> Response {
    if !settings.commands.is_empty() && !settings.commands.contains(&context.command) {
        return Response::pass();
    }
    if event.output.len() > OUTPUT_BYTES_MAX {
        let reason = format!(
            "The lesson is too long to be checked: {} bytes, and at most {OUTPUT_BYTES_MAX} are read. Ask for a shorter one.",
            event.output.len()
        );
        return Response::abort("too-long", reason);
    }
    if is_answer_in_words(&event.output) {
        return Response::pass().note("an answer in words, no lesson");
    }
    let found = check(&event.output, expected);
    if found.is_empty() {
        return Response::pass().note("the form of the lesson holds");
    }
    let outline = Outline::read(&event.output);
    let part = |found: &Found| part_of(&outline, found);
    let is_accepted = |found: &Found| part(found).is_some_and(|id| event.accepted.iter().any(|it| it.id == id));
    let open: Vec<&Found> = found.iter().filter(|found| !is_accepted(found)).collect();
    let serious = open.iter().any(|found| found.class != Class::Spelling || settings.spelling == OnFailure::Rework);
    let note = match found.len() {
        1 => "1 finding about the form".to_owned(),
        count => format!("{count} findings about the form"),
    };
    verdict(settings, context, event, if serious { &open } else { &[] })
        .note(note)
        .findings(found.iter().map(|found| finding(found, part(found))).collect())
}

fn verdict(settings: &Settings, context: &Context, event: &Event, open: &[&Found]) -> Response {
    if open.is_empty() {
        return Response::pass();
    }
    let rework = || Response::rework(instruction(open), settings.rounds).accepted(event.accepted.clone());
    match (settings.on_failure, settings.then) {
        (OnFailure::Note, _) => Response::pass(),
        (OnFailure::Abort, _) => Response::abort("lesson-form", reason(open)),
        // The host counts this hook's rounds and ends the run after the last.
        (OnFailure::Rework, OnFailure::Abort) => rework(),
        // Counted over all hooks: whoever asks once more than it may ends the run, and these findings are not worth that.
        (OnFailure::Rework, _) if context.rework_round < settings.rounds => rework(),
        (OnFailure::Rework, _) => Response::pass(),
    }
}

/// The part that a finding is about: that of its line, else the one of its section's name, where it is there.
fn part_of(outline: &Outline, found: &Found) -> Option<String> {
    let name = found.section.as_ref()?;
    let at_line = found.line.and_then(|line| outline.section_at(line));
    let named = || outline.sections.iter().find(|section| slug(&section.title) == slug(name));
    at_line.or_else(named).map(|section| section.id.clone())
}

fn reason(open: &[&Found]) -> String {
    const SHOWN_MAX: usize = 3;
    let shown = open.iter().take(SHOWN_MAX).map(|found| line(found)).collect::<String>();
    let more = open.len().saturating_sub(SHOWN_MAX);
    let more = if more > 0 { format!("\nAnd {more} more.") } else { String::new() };
    format!("The lesson does not have its form.{shown}{more}")
}

fn instruction(open: &[&Found]) -> String {
    let lines = open.iter().take(SENT_BACK_MAX).map(|found| line(found)).collect::<String>();
    format!(
        "The lesson does not have its form. Mend these places, leave everything else exactly as it is, and answer with the whole \
         lesson.{lines}"
    )
}

fn line(found: &Found) -> String {
    let section = found.section.as_ref().map(|section| format!("\"{section}\"")).unwrap_or_default();
    let place = match (found.line, section.is_empty()) {
        (Some(line), true) => format!("line {line}: "),
        (Some(line), false) => format!("{section}, line {line}: "),
        (None, true) => String::new(),
        (None, false) => format!("{section}: "),
    };
    format!("\n- {place}{} ({})", found.message, found.class.name())
}

fn finding(found: &Found, part: Option<String>) -> Finding {
    Finding::new(found.class.name(), found.message.as_str()).at(part, found.line)
}
