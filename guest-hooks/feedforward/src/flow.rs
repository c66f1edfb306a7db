//! The order of things: read, compose, ask once, stage what was changed.

use ta_guest::ask::{Answer, Item as AskItem, Items, Kind, OptionKind, Outcome, Question};
use ta_guest::pre_loop::{Addition, Change, Event, Response, Verdict};
use ta_guest::prompt::Correction;
use ta_guest::{Abort, Context, memory, setting, workspace};

use crate::compose::{Composed, Item, compose};
use crate::decide::{Decided, decide};
use crate::sources::Sources;

/// Items of one question: more than ten are waved through unread.
const ITEMS_MAX_DEFAULT: usize = 10;

/// What the hook needs of the host: the imports in a component, tables in tests.
pub(crate) trait Host {
    fn granted(&self) -> Vec<workspace::Granted>;
    fn read(&self, directory: &str, path: &str) -> Option<String>;
    fn remembered(&self, path: &str) -> Option<memory::File>;
    fn put(&mut self, question: &Question) -> Outcome;
    fn correct(&mut self, corrections: &[Correction]) -> Result<(), String>;
}

/// The configuration, read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Settings {
    /// At most this many items are shown.
    items_max: usize,
    /// Commands that it is asked for; empty means all.
    commands: Vec<String>,
}

impl Settings {
    pub(crate) fn read(get: impl Fn(&str) -> Option<String>) -> Result<Self, Abort> {
        let commands = get("commands").unwrap_or_default();
        let commands = commands.split(',').map(str::trim).filter(|command| !command.is_empty());
        Ok(Self {
            items_max: setting("items-max", get("items-max"), ITEMS_MAX_DEFAULT, "a whole number")?,
            commands: commands.map(str::to_owned).collect(),
        })
    }
}

/// Shows what the run is about to rely on, and stages what the teacher decided.
pub(crate) fn feedforward(settings: &Settings, context: &Context, event: &Event, host: &mut impl Host) -> Response {
    if !settings.commands.is_empty() && !settings.commands.contains(&context.command) {
        return Response::pass();
    }
    let sources = Sources::read(context, event, host);
    let composed = compose(&sources, settings.items_max);
    // Preferences that hold for every lesson are no reason to ask: something must be about this class or this request.
    if !composed.items.iter().any(|item| item.telling) {
        return Response::pass();
    }
    let question = question(sources.class.as_deref(), &composed);
    let going_on = |why: &str| Response::pass().note(format!("{why}: everything known is used as it stands"));
    match host.put(&question) {
        Outcome::Answered(Answer::Items(decisions)) => staged(decide(&composed.items, &decisions), host),
        Outcome::Answered(_) => going_on("the answer was of another kind"),
        Outcome::Declined => going_on("the teacher declined to look at it"),
        Outcome::Dismissed => going_on("the teacher dismissed the question"),
        Outcome::TimedOut => going_on("nobody answered in time"),
    }
}

fn staged(decided: Decided, host: &mut impl Host) -> Response {
    let verdict = match decided.corrections.as_slice() {
        [] => Verdict::Pass,
        corrections => match host.correct(corrections) {
            Ok(()) => Verdict::Pass,
            // What the teacher said must reach the model even where the passages cannot be replaced.
            Err(message) => {
                let response = Response::from(Verdict::Modify(said(corrections)));
                return response.notes(decided.notes).note(format!("the passages stay as they are: {message}"));
            }
        },
    };
    Response::from(verdict).notes(decided.notes)
}

/// The decisions as a text of the prompt.
fn said(corrections: &[Correction]) -> Change {
    let mut lines: Vec<String> = corrections.iter().map(|correction| format!("- {}", correction.why)).collect();
    lines.dedup();
    let addition =
        Addition { title: "What the teacher decided".into(), text: lines.join("\n"), source: "teacher".into() };
    Change { input: None, additions: vec![addition] }
}

fn question(class: Option<&str>, composed: &Composed) -> Question {
    let title = match class {
        Some(class) => format!("What this lesson for {class} will rely on"),
        None => "What this lesson will rely on".into(),
    };
    let mut detail = String::from(
        "This is what is known, with where it comes from. Change what no longer holds and leave out what should not count \
         this time. Your files stay as they are; what you do not decide on is used as it stands.",
    );
    if composed.left > 0 {
        let lines = if composed.left == 1 {
            "One more passage is".into()
        } else {
            format!("{} more passages are", composed.left)
        };
        detail.push_str(&format!(" {lines} used as well."));
    }
    let option = |id: &str, label: &str, text_prompt: Option<&str>| OptionKind {
        id: id.into(),
        label: label.into(),
        text_prompt: text_prompt.map(Into::into),
    };
    let options = vec![
        option("confirm", "Use it", None),
        option("modify", "Change it", Some("What should it say instead?")),
        option("dismiss", "Leave it out", None),
    ];
    let items = composed.items.iter().map(ask_item).collect();
    Question { id: "context".into(), title, detail, kind: Kind::Items(Items { items, options }) }
}

fn ask_item(item: &Item) -> AskItem {
    AskItem { id: item.id.clone(), label: item.label.clone(), detail: item.detail.clone() }
}

#[cfg(test)]
#[path = "flow_tests.rs"]
mod tests;
