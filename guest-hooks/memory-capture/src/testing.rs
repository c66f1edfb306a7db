//! A run with its past, its memory and a teacher who answers from a script, for tests.

use ta_guest::ask::{Answer, Kind, Outcome, Question};
use ta_guest::journal::{Asked, Draft};
use ta_guest::memory::{File, Note};
use ta_guest::memory_update::NewNote;
use ta_guest::post_loop::{Event, Response};
use ta_guest::sessions::PastRun;
use ta_guest::{Context, Decision};

use crate::flow::{Host, Settings, capture};

pub(crate) struct Table {
    pub(crate) remembers: bool,
    pub(crate) drafts: Vec<Draft>,
    pub(crate) questions: Vec<Asked>,
    pub(crate) past: Vec<PastRun>,
    pub(crate) files: Vec<File>,
    outcome: Outcome,
    pub(crate) asked: Vec<Question>,
    pub(crate) written: Vec<(String, NewNote)>,
    pub(crate) forgotten: Vec<(String, String)>,
}

impl Host for Table {
    fn remembers(&self) -> bool {
        self.remembers
    }

    fn drafts(&self) -> Vec<Draft> {
        self.drafts.clone()
    }

    fn questions(&self) -> Vec<Asked> {
        self.questions.clone()
    }

    fn past_runs(&self, class: Option<&str>, _: u32) -> Vec<PastRun> {
        class.map(|_| self.past.clone()).unwrap_or_default()
    }

    fn files(&self) -> Vec<String> {
        self.files.iter().map(|file| file.path.clone()).collect()
    }

    fn read(&self, path: &str) -> Option<File> {
        self.files.iter().find(|file| file.path == path).cloned()
    }

    fn put(&mut self, question: &Question) -> Outcome {
        self.asked.push(question.clone());
        self.outcome.clone()
    }

    fn remember(&mut self, path: &str, note: &NewNote) -> Result<String, String> {
        if note.text.contains("refuse") {
            return Err("the file is full".into());
        }
        self.written.push((path.into(), note.clone()));
        Ok("added".into())
    }

    fn forget(&mut self, path: &str, text: &str) -> Result<(), String> {
        self.forgotten.push((path.into(), text.into()));
        Ok(())
    }
}

impl Table {
    /// A run whose first draft was this one.
    pub(crate) fn drafted(first: &str) -> Self {
        Self {
            remembers: true,
            drafts: vec![Draft { rework_round: 0, text: first.into() }],
            questions: Vec::new(),
            past: Vec::new(),
            files: Vec::new(),
            outcome: Outcome::Dismissed,
            asked: Vec::new(),
            written: Vec::new(),
            forgotten: Vec::new(),
        }
    }

    /// Decisions that were taken on a question of an earlier hook or round.
    pub(crate) fn decided(mut self, question: &str, round: u32, decisions: &[(&str, &str, &str)]) -> Self {
        self.questions.push(asked(question, round, decisions));
        self
    }

    pub(crate) fn with_past(mut self, past: Vec<PastRun>) -> Self {
        self.past = past;
        self
    }

    /// A memory file whose first lines are notes and whose last is written by hand.
    pub(crate) fn file(mut self, path: &str, notes: &[&str], by_hand: &str) -> Self {
        let note = |text: &&str| Note {
            text: (*text).into(),
            kind: "other".into(),
            importance: 50,
            evidence: Vec::new(),
            times: 1,
            created: 0,
        };
        let text = notes.iter().chain([&by_hand]).map(|line| format!("- {line}\n")).collect();
        let notes = notes.iter().map(note).collect();
        self.files.push(File { path: path.into(), text, sha256: String::new(), notes });
        self
    }

    /// The working notes of 3B, each with the sessions that came to it, ranked as high as a note can be.
    pub(crate) fn noted(mut self, notes: &[(&str, u32)]) -> Self {
        let texts: Vec<&str> = notes.iter().map(|(text, _)| *text).collect();
        self = self.file("memory/classes/3B/working-notes.md", &texts, "");
        let written = self.files.last_mut().into_iter().flat_map(|file| &mut file.notes);
        for (note, (_, times)) in written.zip(notes) {
            (note.times, note.importance, note.kind) = (*times, 100, "safeguarding".into());
        }
        self
    }

    pub(crate) fn outcome(mut self, outcome: Outcome) -> Self {
        self.outcome = outcome;
        self
    }

    pub(crate) fn answer(self, decisions: &[(&str, &str, &str)]) -> Self {
        let decisions = decisions.iter().map(decision).collect();
        self.outcome(Outcome::Answered(Answer::Items(decisions)))
    }

    /// Ids, labels and details of what was proposed.
    pub(crate) fn items(&self) -> Vec<(String, String, String)> {
        let Some(question) = self.asked.first() else { return Vec::new() };
        match &question.kind {
            Kind::Items(items) => {
                items.items.iter().map(|it| (it.id.clone(), it.label.clone(), it.detail.clone())).collect()
            }
            _ => panic!("not a question about items"),
        }
    }

    pub(crate) fn labels(&self) -> Vec<String> {
        self.items().into_iter().map(|(_, label, _)| label).collect()
    }
}

fn decision((item, choice, text): &(&str, &str, &str)) -> Decision {
    let text = (!text.is_empty()).then(|| (*text).to_owned());
    Decision { item: (*item).into(), choice: (*choice).into(), text }
}

pub(crate) fn asked(question: &str, round: u32, decisions: &[(&str, &str, &str)]) -> Asked {
    Asked {
        hook: "some-hook".into(),
        question: question.into(),
        outcome: "answered".into(),
        decisions: decisions.iter().map(decision).collect(),
        answer: None,
        rework_round: round,
        elapsed_ms: 1_000,
    }
}

/// An earlier run for the class.
pub(crate) fn past(day: &str, first: &str, last: &str, questions: Vec<Asked>) -> PastRun {
    PastRun {
        session: "s".into(),
        run: "r".into(),
        command: "create-lesson".into(),
        day: day.into(),
        input: "3B".into(),
        first_output: first.into(),
        final_output: last.into(),
        questions,
    }
}

pub(crate) fn run(
    config: &[(&str, &str)],
    table: &mut Table,
    class: Option<&str>,
    output: &str,
    round: u32,
) -> Response {
    let get = |name: &str| config.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
    let about = class.map_or_else(Context::default, |class| Context::of("class", class));
    let context = Context { rework_round: round, ..about };
    let event = Event { output: output.into(), ..Event::default() };
    capture(&Settings::read(get).unwrap(), &context, &event, table)
}
