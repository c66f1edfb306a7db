//! The hook on a small workspace, with a person who answers as they are told.

use std::cell::RefCell;

use ta_guest::ask::{Answer, Kind, Outcome as Said, Question};
use ta_guest::granted::{Files, Workspace};
use ta_guest::pre_loop::{Event, Response, Verdict};
use ta_guest::workspace::{EntryKind, Error, ErrorCode, Granted, Listed, Text};
use ta_guest::{Context, Subject};

use crate::flow::{Outside, Settings, outcome};

const CLASS: &str = "---\nclass: 3B\nlevel: third\nsubjects: [computing, drama]\n---\n";
const FILE: &str = "---\nsubject: computing\n---\n
## TCH 3-14a: predicts what a program does
- **Topics:** loops, trace tables, sorting a list
## TCH 3-04b: makes an article with a machine
- **Topics:** sewing machine, seams
## TCH 4-13a: explains how machines are made to learn
- **Topics:** artificial intelligence, training data
- **Keywords:** model: what a machine has learned from examples
";

struct Table {
    class: &'static str,
    says: Said,
    asked: RefCell<Vec<Question>>,
}

impl Table {
    fn new(says: Said) -> Self {
        Self { class: CLASS, says, asked: RefCell::default() }
    }

    fn answer(&self, input: &str) -> Response {
        let subject = Subject { kind: "class".into(), id: "3B".into() };
        let context = Context { command: "create-lesson".into(), subject: Some(subject), ..Context::default() };
        let event = Event { input: input.into(), ..Event::default() };
        let settings = Settings::read(|name| (name == "commands").then(|| "create-lesson".to_owned()));
        outcome(&settings, &context, &event, &Files::new(self), self)
    }
}

impl Outside for Table {
    fn put(&self, question: &Question) -> Said {
        self.asked.borrow_mut().push(question.clone());
        self.says.clone()
    }
}

impl Workspace for Table {
    fn granted(&self) -> Vec<Granted> {
        vec![Granted { name: ".".into(), writable: false }]
    }

    fn read(&self, _: &str, path: &str) -> Result<Text, Error> {
        let text = match path {
            "classes/3B.md" => self.class,
            "curriculum/cfe.md" => FILE,
            _ => return Err(Error { code: ErrorCode::NotFound, message: String::new() }),
        };
        Ok(Text { text: text.into(), sha256: String::new() })
    }

    fn entries(&self, _: &str, _: &str) -> Result<Vec<Listed>, Error> {
        Ok(vec![Listed { name: "cfe.md".into(), kind: EntryKind::File, size: 1 }])
    }
}

fn reason(response: &Response) -> &str {
    match &response.verdict {
        Verdict::Abort(abort) if abort.declined => &abort.reason,
        other => panic!("{other:?}"),
    }
}

/// The code in the one addition; the request stays as it is.
fn passed_on(response: &Response) -> String {
    let Verdict::Modify(change) = &response.verdict else { panic!("{response:?}") };
    assert_eq!((change.input.as_deref(), change.additions.len()), (None, 1));
    assert_eq!(change.additions[0].title, "Outcome");
    ta_curriculum::code::find_codes(&change.additions[0].text)[0].codes[0].to_string()
}

#[test]
fn a_topic_that_is_certain_is_passed_on_without_a_question() {
    let table = Table::new(Said::Declined);
    for (input, code) in [
        ("a lesson on loops for 3B", "TCH 3-14a"),
        ("machine learning for 3B", "TCH 4-13a"),
        ("trace tables, 3B", "TCH 3-14a"),
    ] {
        let response = table.answer(input);
        assert_eq!(passed_on(&response), code, "{input}");
    }
    assert_eq!(table.answer("Outcome TCH 4-13a please").verdict, Verdict::Pass);
    assert!(table.asked.borrow().is_empty());
}

#[test]
fn a_word_that_says_something_else_elsewhere_is_asked_about_and_the_choice_is_passed_on() {
    let table = Table::new(Said::Answered(Answer::Choice("TCH 4-13a".into())));
    let response = table.answer("machine parts for 3B");
    assert_eq!(passed_on(&response), "TCH 4-13a");
    let asked = table.asked.borrow();
    let Kind::Choice(choices) = &asked[0].kind else { panic!("a choice") };
    let ids: Vec<&str> = choices.iter().map(|choice| choice.id.as_str()).collect();
    assert_eq!((asked[0].id.as_str(), ids.last(), asked.len()), ("outcome", Some(&"none"), 1));
    assert!(ids.contains(&"TCH 3-04b") && ids.contains(&"TCH 4-13a"), "{ids:?}");
}

#[test]
fn whoever_chooses_none_is_told_that_nothing_was_planned() {
    let none = Said::Answered(Answer::Choice("none".into()));
    for says in [none, Said::Declined, Said::Dismissed, Said::TimedOut, Said::Answered(Answer::Text("x".into()))] {
        let response = Table::new(says).answer("machine parts for 3B");
        assert!(reason(&response).contains("Nothing was planned"), "{response:?}");
    }
}

#[test]
fn what_no_file_knows_is_declined_without_a_question() {
    let table = Table::new(Said::Declined);
    let response = table.answer("volcanoes for 3B");
    assert!(reason(&response).contains("curriculum files of 3B (computing)"), "{response:?}");
    assert!(reason(&table.answer("a lesson for 3B")).contains("names no topic"));
    assert!(table.asked.borrow().is_empty());
}

#[test]
fn a_class_without_a_file_of_its_subjects_passes() {
    let table = Table { class: "---\nclass: 3B\nsubjects: [drama]\n---\n", ..Table::new(Said::Declined) };
    assert_eq!(table.answer("masks for 3B").verdict, Verdict::Pass);
}
