//! A host for a guest's own tests, which run natively: no component is built, and what the imports answer is a [`World`] of
//! a few lines.
//!
//! ```
//! use ta_guest::testing::World;
//!
//! let mut world = World::default();
//! world.config.insert("rounds".into(), "3".into());
//! let rounds = world.within(|| ta_guest::config_or("rounds", 1));
//! assert_eq!(rounds, 3);
//! ```
//!
//! Limits, rights and what becomes of a call that asks are the sandbox's: `teacher-assist guest test` tries the component there.

pub(crate) mod imports;

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};

use crate::bindings::imports::teacher_assist::plugin as contract;
use contract::ask::{Outcome, Question};
use contract::journal::{Asked, Draft};
use contract::memory::Note;
use contract::memory_update::NewNote;
use contract::prompt::Correction;
use contract::sessions::{Found, PastRun};
use contract::skills::SkillText;
use contract::tasks::Task;

/// What the imports answer, and what the guest left behind.
#[derive(Debug, Clone, Default)]
pub struct World {
    /// Files of the workspace, by their paths.
    pub files: BTreeMap<String, String>,
    /// Directories that are granted, each with whether it may be written; without any it is the whole workspace, to read.
    pub granted: BTreeMap<String, bool>,
    /// The configuration.
    pub config: BTreeMap<String, String>,
    /// What the person answers, by the question's id, each in this order. A question without an answer fails the test.
    pub answers: BTreeMap<String, VecDeque<Outcome>>,
    /// What a model answers, in this order; after the last there is none to be asked.
    pub model: VecDeque<String>,
    /// What other tools answer, by name, each in this order; a call without an answer is `tools.unavailable`.
    pub tools: BTreeMap<String, VecDeque<String>>,
    /// The time, in milliseconds since 1970-01-01 UTC.
    pub now: u64,
    /// What random bytes begin with; they count on from there.
    pub seed: u8,
    /// Memory files, by their paths.
    pub memory: BTreeMap<String, Vec<Note>>,
    /// Skills, by their names.
    pub skills: BTreeMap<String, SkillText>,
    /// The task list, as the guest finds it and as it leaves it.
    pub tasks: Vec<Task>,
    /// Sessions that every search finds.
    pub found: Vec<Found>,
    /// Texts of sessions, by their ids.
    pub sessions: BTreeMap<String, String>,
    /// Earlier runs.
    pub past_runs: Vec<PastRun>,
    /// Outputs of this run so far.
    pub drafts: Vec<Draft>,
    /// Questions of this run so far.
    pub questions: Vec<Asked>,
    /// What the guest logged.
    pub logs: Vec<String>,
    /// What it asked the person.
    pub asked: Vec<Question>,
    /// What it asked a model: what the model was to be, and the question.
    pub prompts: Vec<(String, String)>,
    /// Tools that it called, with their arguments.
    pub calls: Vec<(String, String)>,
    /// Notes that it wrote down, with their files.
    pub remembered: Vec<(String, NewNote)>,
    /// Corrections of what the prompt shows.
    pub corrections: Vec<Correction>,
}

thread_local! {
    static PRESENT: RefCell<World> = RefCell::default();
}

impl World {
    /// Runs a part of a test in this world, and keeps what it left behind.
    pub fn within<T>(&mut self, part: impl FnOnce() -> T) -> T {
        let outer = PRESENT.with(|present| present.replace(std::mem::take(self)));
        let done = part();
        *self = PRESENT.with(|present| present.replace(outer));
        done
    }
}

fn here<T>(look: impl FnOnce(&mut World) -> T) -> T {
    PRESENT.with(|present| look(&mut present.borrow_mut()))
}

#[cfg(test)]
mod tests {
    use super::World;
    use crate::granted::{Files, Host};
    use crate::{clock, config, log, workspace};

    #[test]
    fn a_world_answers_within_itself_and_keeps_what_was_left() {
        let mut world = World { now: 7, ..World::default() };
        world.config.insert("mark".into(), "TODO".into());
        world.files.insert("notes/a.md".into(), "one".into());
        world.granted.insert("notes".into(), true);
        world.within(|| {
            assert_eq!((clock::now(), config::get("mark").as_deref()), (7, Some("TODO")));
            log::write(log::Level::Info, "seen");
            let read = Files::new(&Host).read("notes/a.md").unwrap();
            let notes = workspace::open("notes").unwrap();
            assert!(notes.write("a.md", "two", Some(&read.sha256)).is_ok());
            assert_eq!(notes.entries(".").unwrap()[0].name, "a.md");
            assert!(workspace::open(".").is_err() && notes.read("../x").is_err());
        });
        assert_eq!(
            (world.logs.as_slice(), world.files["notes/a.md"].as_str()),
            (["info: seen".into()].as_slice(), "two")
        );
        assert_eq!(clock::now(), 0, "no other part of the test sees it");
    }

    #[test]
    #[should_panic(expected = "no answer to the question `which`")]
    fn a_question_without_an_answer_fails_the_test() {
        let kind = crate::ask::Kind::Text(None);
        let question = crate::ask::Question { id: "which".into(), title: "Which?".into(), detail: String::new(), kind };
        World::default().within(|| crate::ask::put(&question));
    }
}
