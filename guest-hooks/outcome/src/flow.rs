//! The order of things: read the class, look the topic up, ask once, pass on what was chosen.

use ta_curriculum::code::find_codes;
use ta_guest::ask::{Answer, Choice, Kind, Outcome as Said, Question};
use ta_guest::granted::{Files, Workspace};
use ta_guest::pre_loop::{Addition, Change, Event, Response, Verdict};
use ta_guest::{Abort, Context};
use ta_topics::{Finding, Index, Outcome, Request};

use crate::class::Class;

/// The id of the question, and of the answer that takes none of what is offered.
const QUESTION: &str = "outcome";
const NONE: &str = "none";
/// The title of what it adds to the prompt; the planner by rules knows it by that.
const ADDITION: &str = "Outcome";
/// The word for a run that ends since no outcome is meant.
const NO_OUTCOME: &str = "no-outcome";

/// What the hook asks, apart from files: the person in a component, a table in tests.
pub(crate) trait Outside {
    fn put(&self, question: &Question) -> Said;
}

/// The configuration, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Settings {
    /// Where the curriculum files lie.
    curriculum: String,
    /// Commands that it looks at; empty means all.
    commands: Vec<String>,
}

impl Settings {
    pub(crate) fn read(get: impl Fn(&str) -> Option<String>) -> Self {
        let commands = get("commands").unwrap_or_default();
        let commands = commands.split(',').map(str::trim).filter(|command| !command.is_empty());
        Self {
            curriculum: get("curriculum").unwrap_or_else(|| "curriculum".to_owned()),
            commands: commands.map(str::to_owned).collect(),
        }
    }
}

/// Makes sure that the outcome is known, or that nothing is planned.
pub(crate) fn outcome<W: Workspace>(
    settings: &Settings,
    context: &Context,
    event: &Event,
    files: &Files<'_, W>,
    outside: &impl Outside,
) -> Response {
    if !settings.commands.is_empty() && !settings.commands.contains(&context.command) {
        return Response::pass();
    }
    if context.extra.iter().any(|entry| entry.name == "follows") {
        return Response::pass().note("the request goes on with what the session is about");
    }
    if !find_codes(&event.input).is_empty() {
        return Response::pass().note("the request names its outcome");
    }
    let class = Class::read(context.about("class"), files);
    let index = Index::new(&class.curriculum(&settings.curriculum, files));
    let subjects = index.subjects();
    // Without curriculum files there is nothing to look in: whoever plans says so.
    if subjects.is_empty() {
        return Response::pass().note("no curriculum file of a subject of the class: nothing to look the topic up in");
    }
    let request = Request::read(&index, &event.input, class.name.as_deref(), &subjects);
    if request.is_a_text() {
        return Response::pass().note("the request is a text, and no name of a topic");
    }
    match index.look(&request, &subjects, class.level) {
        Finding::Certain(outcome) => with(outcome).note(format!("the topic is that of {}", named(outcome))),
        Finding::Unsure(near) if near.is_empty() => nothing_near(&class, &subjects, &request),
        Finding::Unsure(near) => asked(&near, outside.put(&question(&class, &near))),
    }
}

fn question(class: &Class, near: &[&Outcome]) -> Question {
    let title = match &class.name {
        Some(class) => format!("Which outcome is this lesson for {class} about?"),
        None => "Which outcome is this lesson about?".to_owned(),
    };
    let mut choices: Vec<Choice> = near
        .iter()
        .map(|outcome| Choice {
            id: outcome.code.clone(),
            label: format!("{}: {}", outcome.code, outcome.title),
            detail: Some(format!("{}, line {}", outcome.path, outcome.line)),
        })
        .collect();
    choices.push(Choice { id: NONE.to_owned(), label: "None of these".to_owned(), detail: None });
    let detail = "The topic could belong to more than one outcome of the curriculum, or to none. These are the nearest. \
                  Nothing is planned until you choose; with \"None of these\" nothing is planned at all.";
    Question { id: QUESTION.to_owned(), title, detail: detail.to_owned(), kind: Kind::Choice(choices) }
}

/// What follows from the answer. Going on without an outcome would be a lesson about something else, so only a choice goes on.
fn asked(near: &[&Outcome], said: Said) -> Response {
    let why = match said {
        Said::Answered(Answer::Choice(id)) => match near.iter().find(|outcome| outcome.code == id) {
            Some(outcome) => return with(outcome).note(format!("the person chose {}", named(outcome))),
            None => "the person says that none of the outcomes is meant",
        },
        Said::Answered(_) => "the answer was of another kind",
        Said::Declined => "the person declined to say which outcome is meant",
        Said::Dismissed => "the question which outcome is meant was dismissed",
        Said::TimedOut => "nobody said in time which outcome is meant",
    };
    let reason = "Nothing was planned, since it is not known which outcome the lesson is about. Name the topic in the words of the \
                  curriculum file, or write the outcome's code into the request.";
    declined(reason.to_owned()).note(why)
}

/// Goes on with the outcome named: whoever plans would otherwise look for one again, and could find another or none.
fn with(outcome: &Outcome) -> Response {
    let text = format!("This lesson is for the outcome {} (`{}`, line {}).", outcome.code, outcome.path, outcome.line);
    let addition = Addition { title: ADDITION.into(), text, source: outcome.path.clone() };
    Response::from(Verdict::Modify(Change { input: None, additions: vec![addition] }))
}

fn nothing_near(class: &Class, subjects: &[String], request: &Request) -> Response {
    if request.names_no_topic() {
        let reason =
            "The request names no topic, so nothing was planned. Say what the lesson is about, such as \"fractions\".";
        return declined(reason.to_owned());
    }
    let whose = class.name.as_ref().map(|class| format!(" of {class}")).unwrap_or_default();
    declined(format!(
        "Nothing in the curriculum files{whose} ({}) is about this, so nothing was planned. Name the topic in the words of the \
         curriculum, write an outcome's code into the request, or add the outcome to a file below curriculum/.",
        subjects.join(", ")
    ))
}

fn declined(reason: String) -> Response {
    Response::from(Verdict::Abort(Abort::no(NO_OUTCOME, reason)))
}

fn named(outcome: &Outcome) -> String {
    format!("{} ({}, line {})", outcome.code, outcome.path, outcome.line)
}
