//! A world for tests: the topics that ship, a clock that goes on, draws from a seed, and the checker of the plugin.

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

use ta_maths::expr::Angle;
use ta_maths::form::Form;
use ta_maths::judge;
use ta_maths::same::Place;
use ta_tutor::draw::Lot;
use ta_tutor::state::State;
use ta_tutor::topic::{Options, Round};
use ta_tutor::tutor::{Event, Step, Verdict, Wait, World, step};

/// The directory of the topics that ship.
pub fn topics() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../plugins/tutor-maths/skills/topics")
}

pub struct Told {
    pub agents: bool,
    pub now: Cell<u64>,
    pub lot: Cell<u64>,
}

impl Told {
    pub fn new(seed: u64) -> Self {
        Self { agents: false, now: Cell::new(1_000), lot: Cell::new(seed) }
    }
}

impl World for Told {
    fn now(&self) -> u64 {
        self.now.get()
    }

    fn seed(&self) -> u64 {
        let mut lot = Lot::new(self.lot.get());
        self.lot.set(lot.next());
        self.lot.get()
    }

    fn file(&self, name: &str) -> Result<String, String> {
        let name = if name.is_empty() { "SKILL.md" } else { name };
        std::fs::read_to_string(topics().join(name)).map_err(|error| error.to_string())
    }

    fn check(&self, question: &str, given: &str, expected: &str, of: &Options) -> Verdict {
        check(question, given, expected, of)
    }

    fn agents(&self) -> bool {
        self.agents
    }

    fn silence_ms(&self) -> Option<u64> {
        Some(600_000)
    }
}

/// What the plugin's checker says.
pub fn check(question: &str, given: &str, expected: &str, of: &Options) -> Verdict {
    let judgement = judge::judge(question, expected, given, &options(of));
    let right = match judgement.verdict {
        judge::Verdict::Right => Some(true),
        judge::Verdict::Wrong => Some(false),
        judge::Verdict::Undecided => None,
    };
    Verdict { right, why: judgement.why }
}

/// What the checker is asked, in its own words.
fn options(of: &Options) -> judge::Options {
    judge::Options {
        angle: of.angle.as_ref().map(|_| Angle::Degrees),
        round: of.round.map(|round| match round {
            Round::Dp(places) => Place::Decimals(places),
            Round::Sf(figures) => Place::Figures(figures),
        }),
        form: of.form.as_deref().and_then(Form::named),
        units: of.units.clone(),
    }
}

/// A session that goes on from step to step.
pub struct Session {
    pub world: Told,
    pub last: Step,
}

impl Session {
    pub fn begin(topic: &str, world: Told) -> Self {
        let last = step(&world, None, &Event::Begun(topic.to_owned())).unwrap();
        Self { world, last }
    }

    /// What the host does with a state: it is kept as JSON.
    pub fn state(&self) -> State {
        let kept = serde_json::to_string(&self.last.state).unwrap();
        assert!(kept.len() <= 200 * 1024, "a state of {} bytes", kept.len());
        serde_json::from_str(&kept).unwrap()
    }

    pub fn takes(&mut self, event: &Event) -> &Step {
        self.world.now.set(self.world.now.get() + 20_000);
        self.last = step(&self.world, Some(self.state()), event).unwrap();
        &self.last
    }

    pub fn says(&mut self, text: &str) -> &Step {
        self.takes(&Event::Said(text.to_owned()))
    }

    pub fn answer(&self) -> String {
        self.last.state.open.as_ref().map(|open| open.problem.answer.clone()).unwrap_or_default()
    }

    pub fn over(&self) -> bool {
        self.last.wait == Wait::End
    }

    /// What was shown in the last step.
    pub fn shown(&self) -> String {
        self.last.messages.iter().map(|it| it.display.as_str()).collect::<Vec<_>>().join("\n\n")
    }
}
