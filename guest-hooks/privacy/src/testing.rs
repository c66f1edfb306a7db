//! A teacher who answers from a script, with a workspace and a memory, for tests.

use std::collections::{BTreeMap, VecDeque};

use ta_guest::Decision;
use ta_guest::ask::{Answer, Item, Kind, Outcome, Question};
use ta_guest::journal::Asked;
use ta_guest::prompt::Correction;
use ta_guest::workspace::Granted;

use crate::decide::Ask;
use crate::files::{Files, Unread};

/// The decision on an item.
pub(crate) type Says = fn(&Item) -> &'static str;

/// What the teacher says to each item, for question after question; the journal keeps what was answered.
#[derive(Default)]
pub(crate) struct Teacher {
    pub(crate) says: VecDeque<Result<Says, Outcome>>,
    pub(crate) questions: Vec<Question>,
    pub(crate) journal: Vec<Asked>,
    pub(crate) files: BTreeMap<String, String>,
    /// Whether the host refuses corrections.
    pub(crate) refuses: bool,
    pub(crate) corrections: Vec<Correction>,
}

impl Ask for Teacher {
    fn put(&mut self, question: &Question) -> Outcome {
        self.questions.push(question.clone());
        let Kind::Items(items) = &question.kind else { panic!("not items") };
        let (outcome, word, decisions) = match self.says.pop_front().unwrap_or(Err(Outcome::Dismissed)) {
            Err(outcome) => (outcome, "dismissed", Vec::new()),
            Ok(says) => {
                let decide = |item: &Item| Decision { item: item.id.clone(), choice: says(item).into(), text: None };
                let decisions: Vec<Decision> = items.items.iter().map(decide).collect();
                (Outcome::Answered(Answer::Items(decisions.clone())), "answered", decisions)
            }
        };
        self.journal.push(Asked {
            hook: "privacy".into(),
            question: question.id.clone(),
            outcome: word.into(),
            decisions,
            answer: None,
            rework_round: 0,
            elapsed_ms: 1,
        });
        outcome
    }

    fn asked(&self) -> Vec<Asked> {
        self.journal.clone()
    }
}

impl Files for Teacher {
    fn granted(&self) -> Vec<Granted> {
        vec![Granted { name: ".".into(), writable: false }]
    }

    fn read(&self, _: &str, path: &str) -> Result<String, Unread> {
        match self.files.get(path).filter(|_| !path.starts_with("memory/")) {
            Some(text) if text == UNREADABLE => Err(Unread::Failed),
            Some(text) => Ok(text.clone()),
            None => Err(Unread::Missing),
        }
    }

    fn remembered(&self, path: &str) -> Option<String> {
        self.files.get(path).filter(|_| path.starts_with("memory/")).cloned()
    }

    fn correct(&mut self, corrections: &[Correction]) -> Result<(), String> {
        if self.refuses {
            return Err("no".into());
        }
        self.corrections.extend(corrections.iter().cloned());
        Ok(())
    }
}

/// The text of a file that cannot be read.
pub(crate) const UNREADABLE: &str = "\0";

impl Teacher {
    pub(crate) fn file(mut self, path: &str, text: &str) -> Self {
        self.files.insert(path.into(), text.into());
        self
    }

    /// A file as the host shows it with the corrections.
    pub(crate) fn shown(&self, path: &str) -> String {
        let own = self.corrections.iter().filter(|it| it.source == path);
        own.fold(self.files[path].clone(), |text, it| text.replacen(&it.old, it.new.as_deref().unwrap(), 1))
    }

    pub(crate) fn says(mut self, says: fn(&Item) -> &'static str) -> Self {
        self.says.push_back(Ok(says));
        self
    }

    pub(crate) fn items(&self, question: usize) -> &[Item] {
        let Kind::Items(items) = &self.questions[question].kind else { panic!("not items") };
        &items.items
    }
}
