//! A world for tests: the topics that ship, a clock that goes on, ids that are counted, and agents that answer from data.

#![allow(
    dead_code,
    missing_docs,
    unreachable_pub,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "shared by several tests"
)]

use std::cell::Cell;
use std::path::PathBuf;

use ta_study::offline;
use ta_study::session::{Event, Step, Wait, World, step};
use ta_study::state::State;

/// The directory of the topics that ship.
pub fn topics() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../plugins/tutor/skills/topics")
}

pub fn file(name: &str) -> Result<String, String> {
    let name = if name.is_empty() { "SKILL.md" } else { name };
    std::fs::read_to_string(topics().join(name)).map_err(|error| error.to_string())
}

pub struct Told {
    pub now: Cell<u64>,
    pub ids: Cell<u32>,
    /// Whether there are files of topics.
    pub data: bool,
}

impl Told {
    pub fn new() -> Self {
        Self { now: Cell::new(1_763_000_000_000), ids: Cell::new(0), data: true }
    }
}

impl World for Told {
    fn now(&self) -> u64 {
        self.now.set(self.now.get() + 250);
        self.now.get()
    }

    fn id(&self) -> String {
        self.ids.set(self.ids.get() + 1);
        format!("id-{}", self.ids.get())
    }

    fn file(&self, name: &str) -> Result<String, String> {
        if self.data { file(name) } else { Err("there are no files".to_owned()) }
    }

    fn offline(&self) -> bool {
        self.data
    }

    fn silence_ms(&self) -> Option<u64> {
        Some(600_000)
    }
}

/// A session whose agents answer as the provider without a model does.
pub struct Talk {
    pub world: Told,
    pub last: Step,
    /// Agents that were asked, with their input, since the person last spoke.
    pub asked: Vec<(&'static str, serde_json::Value)>,
}

impl Talk {
    pub fn begin(words: &str) -> Self {
        let world = Told::new();
        let last = step(&world, None, &Event::Begun(words.to_owned())).unwrap();
        let mut talk = Self { world, last, asked: Vec::new() };
        talk.agents();
        talk
    }

    fn agents(&mut self) {
        while let Wait::Agent { name, input, .. } = self.last.wait.clone() {
            let answer = offline::answer(&file, &input.to_string());
            self.asked.push((name, input));
            self.event(&Event::Answered(answer));
        }
    }

    pub fn event(&mut self, event: &Event) {
        // The state goes through its text, as it does in the host.
        let state: State = serde_json::from_str(&serde_json::to_string(&self.last.state).unwrap()).unwrap();
        assert_eq!(state, self.last.state, "a state is what its text says");
        self.last = step(&self.world, Some(state), event).unwrap();
    }

    pub fn says(&mut self, words: &str) -> String {
        self.asked.clear();
        self.event(&Event::Said(words.to_owned()));
        self.agents();
        self.last.messages.join("\n\n")
    }

    pub fn state(&self) -> &State {
        &self.last.state
    }

    /// An answer that is right, to the question that is open.
    pub fn right(&self) -> String {
        let open = self.state().open.as_ref().expect("a question is open");
        answer_of(&open.text)
    }
}

/// All topics that ship.
pub fn all_topics() -> Vec<(String, ta_study::topic::Topic)> {
    let read = |name: String| {
        let yaml = file(&format!("{name}.yaml")).unwrap();
        let topic = ta_study::topic::Topic::read(&yaml).unwrap_or_else(|why| panic!("{name}.yaml: {why}"));
        (name, topic)
    };
    ta_tutor::places::files(&file("").unwrap()).into_iter().map(read).collect()
}

/// An answer to a question of the topics that ship.
pub fn answer_of(question: &str) -> String {
    let all = all_topics();
    let asked = all.iter().find_map(|(_, topic)| topic.question(question)).expect("the question stands in a topic").1;
    right(asked)
}

/// An answer that a question accepts.
pub fn right(asked: &ta_study::topic::Asked) -> String {
    asked
        .accept
        .first()
        .cloned()
        .unwrap_or_else(|| asked.ideas.iter().map(|it| it[0].clone()).collect::<Vec<_>>().join(" "))
}
