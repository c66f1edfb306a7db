//! Shows every change to the workspace or to memory as a difference, and lets it through only when the person says yes.
//!
//! It writes nothing itself: it works out what the tool is about to write, from the file as it stands and the arguments of
//! the call, and asks. A no is told to the model as the call's result. An answer holds for exactly the difference that was
//! shown: where the file has changed meanwhile, the run ends with a named divergence instead of a change that nobody saw.
//! Start reading at [`change`]; [`diff`] makes the difference.

mod change;
mod diff;

use ta_guest::granted::locate;
use ta_guest::pre_tool::{Event, Response, Verdict};
use ta_guest::{Context, ask, config, workspace};

use crate::change::{Change, Files, Read, change};

ta_guest::pre_tool!(run);

/// Where changes may be made, unless the configuration says otherwise.
const PATHS_DEFAULT: &str = "classes/, teacher.md, pedagogy.md";

struct Host;

impl Files for Host {
    fn read(&self, path: &str) -> Read {
        let Some(place) = locate(&workspace::granted_directories(), path) else { return Read::Failed };
        let read = workspace::open(&place.directory).and_then(|directory| directory.read(&place.path));
        match read {
            Ok(read) => Read::Text(read.text),
            Err(error) if error.code == workspace::ErrorCode::NotFound => Read::Missing,
            Err(_) => Read::Failed,
        }
    }
}

fn run(_: &Context, event: &Event) -> Response {
    let paths = config::get("paths").unwrap_or_else(|| PATHS_DEFAULT.into());
    respond(&event.call.name, &event.call.arguments, &paths, &Host, ask::put)
}

fn respond(
    tool: &str,
    arguments: &str,
    paths: &str,
    files: &impl Files,
    put: impl FnOnce(&ask::Question) -> ask::Outcome,
) -> Response {
    let (path, shown) = match change(tool, arguments, paths, files) {
        Change::None => return Response::pass(),
        Change::Refused(why) => return Response::from(Verdict::Refuse(why.clone())).note(why),
        Change::To { path, shown } => (path, shown),
    };
    let choice = |id: &str, label: &str| ask::Choice { id: id.into(), label: label.into(), detail: None };
    let question = ask::Question {
        id: format!("change:{path}"),
        title: format!("Change {path}?"),
        detail: format!("```diff\n{shown}```"),
        kind: ask::Kind::Choice(vec![choice("yes", "Write it"), choice("no", "Leave it as it is")]),
    };
    match put(&question) {
        ask::Outcome::Answered(ask::Answer::Choice(choice)) if choice == "yes" => {
            Response::pass().note(format!("confirmed: {path}"))
        }
        outcome => {
            let how = match outcome {
                ask::Outcome::Answered(_) => "said no to",
                ask::Outcome::Declined => "declined to decide on",
                ask::Outcome::Dismissed => "waved away",
                ask::Outcome::TimedOut => "did not answer in time about",
            };
            let why = format!(
                "The teacher {how} this change of {path}. Nothing was written. Do not try it again in other words; say that it was not made."
            );
            Response::from(Verdict::Refuse(why)).note(format!("not confirmed: {path}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use ta_guest::ask::{Answer, Outcome};

    use super::*;

    struct One(&'static str);

    impl Files for One {
        fn read(&self, path: &str) -> Read {
            if path == "classes/3B.md" { Read::Text(self.0.into()) } else { Read::Missing }
        }
    }

    const CLASS: &str = "---\nclass: 3B\nperiod_minutes: 50\n---\n\n# 3B\n";

    fn answered(tool: &str, arguments: &str, outcome: Outcome) -> (Response, Option<String>) {
        let asked = RefCell::new(None);
        let response = respond(tool, arguments, PATHS_DEFAULT, &One(CLASS), |question| {
            *asked.borrow_mut() = Some(format!("{}\n{}", question.id, question.detail));
            outcome
        });
        (response, asked.into_inner())
    }

    fn yes() -> Outcome {
        Outcome::Answered(Answer::Choice("yes".into()))
    }

    #[test]
    fn a_change_is_shown_and_let_through_on_yes() {
        let arguments = r#"{"path":"classes/3B.md","old":"period_minutes: 50","new":"period_minutes: 45"}"#;
        let (response, asked) = answered("str_replace", arguments, yes());
        assert_eq!(response.verdict, Verdict::Pass);
        let asked = asked.unwrap();
        assert!(
            asked.starts_with("change:classes/3B.md\n```diff\n--- classes/3B.md\n+++ classes/3B.md\n@@"),
            "{asked}"
        );
        assert!(asked.contains("\n-period_minutes: 50\n+period_minutes: 45\n"), "{asked}");
    }

    #[test]
    fn anything_but_yes_is_refused_and_says_so() {
        let arguments = r##"{"path":"teacher.md","content":"# Me\n"}"##;
        for outcome in
            [Outcome::Answered(Answer::Choice("no".into())), Outcome::Dismissed, Outcome::Declined, Outcome::TimedOut]
        {
            let (response, asked) = answered("write_file", arguments, outcome);
            assert!(asked.unwrap().contains("+# Me"));
            assert!(matches!(response.verdict, Verdict::Refuse(why) if why.contains("Nothing was written")));
        }
    }

    #[test]
    fn other_places_are_refused_without_a_question() {
        for path in [
            "soul.md",
            "curriculum/cfe-maths.md",
            "classes/../soul.md",
            "/etc/passwd",
            "classes",
            "./x.md",
            "teacher.md.bak",
        ] {
            let arguments = format!(r#"{{"path":"{path}","content":"x"}}"#);
            let (response, asked) = answered("write_file", &arguments, yes());
            assert!(asked.is_none() && matches!(response.verdict, Verdict::Refuse(_)), "{path}");
        }
    }

    #[test]
    fn reading_and_calls_that_must_fail_anyway_are_not_asked_about() {
        for (tool, arguments) in [
            ("read_file", r#"{"path":"classes/3B.md"}"#),
            ("str_replace", r#"{"path":"classes/3B.md","old":"nowhere","new":"x"}"#),
            ("write_file", r#"{"path":"classes/3B.md","content":"---\nclass: 3B\nperiod_minutes: 50\n---\n\n# 3B\n"}"#),
        ] {
            let (response, asked) = answered(tool, arguments, Outcome::Dismissed);
            assert_eq!((response.verdict, asked), (Verdict::Pass, None), "{tool} {arguments}");
        }
    }

    #[test]
    fn a_note_is_shown_as_a_line_that_is_added() {
        let (response, asked) = answered("update_memory", r#"{"note":"Pairs work better","scope":"3B"}"#, yes());
        assert_eq!(response.verdict, Verdict::Pass);
        assert_eq!(asked.unwrap(), "change:memory of 3B\n```diff\n+- Pairs work better\n```");
        let (_, asked) = answered("update_memory", r#"{"forget":"Pairs work better","scope":"teacher"}"#, yes());
        assert_eq!(asked.unwrap(), "change:memory of teacher\n```diff\n-- Pairs work better\n```");
    }
}
