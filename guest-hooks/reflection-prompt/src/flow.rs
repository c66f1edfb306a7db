//! The order of things: once in a run, how sure, the questions, how sure now.

use std::str::FromStr;

use ta_guest::ask::{Answer, Choice, Item, Items, Kind, OptionKind, Outcome, Question};
use ta_guest::granted::locate;
use ta_guest::post_loop::{Event, Response};
use ta_guest::{Abort, Context, Decision, journal, setting, workspace};

use crate::bank::{Candidate, questions};
use crate::lesson::Lesson;
use crate::profile::Profile;

/// Id of the question; an earlier round that asked it is found by it.
const REFLECTION: &str = "reflection";

/// Questions of one run: three are thought about, ten are clicked away.
const QUESTIONS_DEFAULT: usize = 3;
const QUESTIONS_MIN: usize = 2;
const QUESTIONS_MAX: usize = 4;

/// A longer output is no lesson for one period; it is not read.
const OUTPUT_BYTES_MAX: usize = 256 * 1024;

/// What the hook needs of the host: the imports in a component, tables in tests.
pub(crate) trait Host {
    fn granted(&self) -> Vec<workspace::Granted>;
    fn read(&self, directory: &str, path: &str) -> Option<String>;
    fn questions(&self) -> Vec<journal::Asked>;
    fn put(&mut self, question: &Question) -> Outcome;
}

/// Whether the teacher is asked how sure they are, before and after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Confidence {
    Off,
    On,
}

impl FromStr for Confidence {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "off" => Ok(Self::Off),
            "on" => Ok(Self::On),
            _ => Err(()),
        }
    }
}

/// The configuration, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Settings {
    confidence: Confidence,
    questions_max: usize,
}

impl Settings {
    pub(crate) fn read(get: impl Fn(&str) -> Option<String>) -> Result<Self, Abort> {
        let questions_max = setting("questions-max", get("questions-max"), QUESTIONS_DEFAULT, "2, 3 or 4")?;
        Ok(Self {
            confidence: setting("confidence", get("confidence"), Confidence::Off, "`off` or `on`")?,
            questions_max: questions_max.clamp(QUESTIONS_MIN, QUESTIONS_MAX),
        })
    }
}

/// Asks what there is to think about; whatever comes of it, the run goes on.
pub(crate) fn reflect(settings: &Settings, context: &Context, event: &Event, host: &mut impl Host) -> Response {
    // Questions of this very round are this call's own: run again after an answer, it has to come to them again.
    let earlier = |asked: &journal::Asked| asked.question == REFLECTION && asked.rework_round < context.rework_round;
    if event.output.len() > OUTPUT_BYTES_MAX || host.questions().iter().any(earlier) {
        return Response::pass();
    }
    let profile = profile(context, host);
    let lesson = Lesson::read(&event.output);
    let questions = questions(&lesson, &profile, context, settings.questions_max);
    if questions.is_empty() {
        return Response::pass();
    }
    let whom = profile.class.clone().unwrap_or_else(|| "this class".into());
    let before = match settings.confidence {
        Confidence::On => rating(host.put(&confidence("confidence-before", &whom, "Before you look closer: how sure"))),
        Confidence::Off => None,
    };
    let mut notes = vec![asked(&questions, host.put(&reflection(&questions)))];
    // Without a rating before there is nothing to compare with.
    if let Some(before) = before {
        let after = rating(host.put(&confidence("confidence-after", &whom, "Now: how sure")));
        notes.push(match after {
            Some(after) => format!("confidence {before} -> {after}"),
            None => format!("confidence {before} -> no answer"),
        });
    }
    Response::pass().notes(notes)
}

fn profile(context: &Context, host: &impl Host) -> Profile {
    // The name becomes part of a path, so it may not hold anything that leads elsewhere.
    let plain = |class: &&str| class.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | ' '));
    let Some(class) = context.about("class").filter(plain) else { return Profile::default() };
    let place = locate(&host.granted(), &format!("classes/{class}.md"));
    let text = place.and_then(|place| host.read(&place.directory, &place.path)).unwrap_or_default();
    Profile { class: Some(class.to_owned()), ..Profile::read(&text) }
}

fn reflection(questions: &[Candidate]) -> Question {
    let items = questions.iter().map(|question| Item {
        id: question.id.into(),
        label: question.text.clone(),
        detail: question.detail.clone(),
    });
    let options = vec![
        OptionKind {
            id: "answer".into(),
            label: "Answer".into(),
            text_prompt: Some("Your thought, in a sentence".into()),
        },
        OptionKind { id: "skip".into(), label: "Skip".into(), text_prompt: None },
    ];
    Question {
        id: REFLECTION.into(),
        title: "Before you decide on this lesson".into(),
        detail:
            "Think about what is asked here; you decide on the lesson next. Your answers are kept with the lesson and \
                 change nothing in it."
                .into(),
        kind: Kind::Items(Items { items: items.collect(), options }),
    }
}

fn confidence(id: &str, whom: &str, opening: &str) -> Question {
    let labels = ["not at all", "a little", "fairly", "quite", "very"];
    let choices = (1_u32..).zip(labels).map(|(number, label)| Choice {
        id: number.to_string(),
        label: format!("{number}: {label} sure"),
        detail: None,
    });
    Question {
        id: id.into(),
        title: format!("{opening} are you that this lesson will work with {whom}?"),
        detail: "From 1 to 5. Nobody is marked by it; it shows you how your judgement moves.".into(),
        kind: Kind::Choice(choices.collect()),
    }
}

fn rating(outcome: Outcome) -> Option<u8> {
    match outcome {
        Outcome::Answered(Answer::Choice(id)) => id.parse().ok().filter(|rating| (1..=5).contains(rating)),
        _ => None,
    }
}

/// What became of the questions, for the trace.
fn asked(questions: &[Candidate], outcome: Outcome) -> String {
    let ids = questions.iter().map(|question| question.id).collect::<Vec<_>>().join(", ");
    let answered =
        |decision: &&Decision| decision.choice == "answer" && questions.iter().any(|it| it.id == decision.item);
    let count = questions.len();
    let count = if count == 1 { "1 question".to_owned() } else { format!("{count} questions") };
    let came_of_it = match outcome {
        Outcome::Answered(Answer::Items(decisions)) => {
            let answered = decisions.iter().filter(answered).count();
            format!("{answered} answered, {} skipped", questions.len().saturating_sub(answered))
        }
        Outcome::Answered(_) => "answered in another kind".into(),
        Outcome::Declined => "declined".into(),
        Outcome::Dismissed => "dismissed".into(),
        Outcome::TimedOut => "nobody answered in time".into(),
    };
    format!("{count} to think about ({ids}): {came_of_it}")
}

#[cfg(test)]
#[path = "flow_tests.rs"]
mod tests;
