//! A workspace, a memory and a teacher who answers from a script, for tests.

use std::collections::BTreeMap;

use ta_guest::ask::{Answer, Kind, Outcome, Question};
use ta_guest::memory::{File, Note};
use ta_guest::pre_loop::{Event, Response};
use ta_guest::prompt::Correction;
use ta_guest::workspace::Granted;
use ta_guest::{Context, Decision};

use crate::flow::{Host, Settings, feedforward};

#[derive(Default)]
pub(crate) struct Table {
    files: BTreeMap<String, String>,
    memory: BTreeMap<String, File>,
    outcome: Option<Outcome>,
    pub(crate) refuses: bool,
    pub(crate) asked: Vec<Question>,
    pub(crate) corrections: Vec<Correction>,
}

impl Host for Table {
    fn granted(&self) -> Vec<Granted> {
        vec![Granted { name: ".".into(), writable: false }]
    }

    fn read(&self, _: &str, path: &str) -> Option<String> {
        self.files.get(path).cloned()
    }

    fn remembered(&self, path: &str) -> Option<File> {
        self.memory.get(path).cloned()
    }

    fn put(&mut self, question: &Question) -> Outcome {
        self.asked.push(question.clone());
        self.outcome.clone().unwrap_or(Outcome::Dismissed)
    }

    fn correct(&mut self, corrections: &[Correction]) -> Result<(), String> {
        if self.refuses {
            return Err("too many".into());
        }
        self.corrections.extend(corrections.iter().cloned());
        Ok(())
    }
}

impl Table {
    pub(crate) fn file(mut self, path: &str, text: &str) -> Self {
        self.files.insert(path.into(), text.into());
        self
    }

    /// A memory file whose bullets are notes with an importance, noted in two sessions.
    pub(crate) fn memory(mut self, path: &str, notes: &[(&str, u8)]) -> Self {
        let text = notes.iter().map(|(text, _)| format!("- {text}\n")).collect();
        let note = |(text, importance): &(&str, u8)| Note {
            text: (*text).into(),
            kind: "other".into(),
            importance: *importance,
            evidence: Vec::new(),
            times: 2,
            created: 1_763_000_000_000,
        };
        let notes = notes.iter().map(note).collect();
        self.memory.insert(path.into(), File { path: path.into(), text, sha256: String::new(), notes });
        self
    }

    /// Makes a note one of a kind.
    pub(crate) fn kind(mut self, text: &str, kind: &str) -> Self {
        let notes = self.memory.values_mut().flat_map(|file| &mut file.notes);
        notes.filter(|note| note.text == text).for_each(|note| note.kind = kind.into());
        self
    }

    pub(crate) fn outcome(mut self, outcome: Outcome) -> Self {
        self.outcome = Some(outcome);
        self
    }

    pub(crate) fn decide(self, decisions: &[(&str, &str, Option<&str>)]) -> Self {
        let decision = |(item, choice, text): &(&str, &str, Option<&str>)| Decision {
            item: (*item).into(),
            choice: (*choice).into(),
            text: text.map(Into::into),
        };
        self.outcome(Outcome::Answered(Answer::Items(decisions.iter().map(decision).collect())))
    }

    pub(crate) fn items(&self) -> Vec<(String, String, String)> {
        match &self.asked[0].kind {
            Kind::Items(items) => {
                items.items.iter().map(|it| (it.id.clone(), it.label.clone(), it.detail.clone())).collect()
            }
            _ => panic!("not a question about items"),
        }
    }

    pub(crate) fn ids(&self) -> Vec<String> {
        self.items().into_iter().map(|(id, _, _)| id).collect()
    }
}

/// The sample workspace with two notes about 3B and one about the teacher.
pub(crate) fn sample() -> Table {
    Table::default()
        .file("classes/3B.md", include_str!("../../../workspace/classes/3B.md"))
        .file("classes/1B.md", include_str!("../../../workspace/classes/1B.md"))
        .file("teacher.md", include_str!("../../../workspace/teacher.md"))
        .file("pedagogy.md", include_str!("../../../workspace/pedagogy.md"))
}

pub(crate) fn run(table: &mut Table, class: Option<&str>, input: &str) -> Response {
    run_with(&[], table, class, input)
}

pub(crate) fn run_with(config: &[(&str, &str)], table: &mut Table, class: Option<&str>, input: &str) -> Response {
    let get = |name: &str| config.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
    let about = class.map_or_else(Context::default, |class| Context::of("class", class));
    let context = Context { input: input.into(), command: "create-lesson".into(), ..about };
    let event = Event { input: input.into(), ..Event::default() };
    feedforward(&Settings::read(get).unwrap(), &context, &event, table)
}
