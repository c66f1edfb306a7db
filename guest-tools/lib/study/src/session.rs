//! What comes next in a session: takes what has happened, decides, and says what is shown and what is waited for.
//!
//! Start reading at [`step`]; agents are asked and answer in `turn`, learners and teachers speak in `teach`.

use serde_json::Value as Json;

use crate::state::{Stage, State};

/// What has happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The session begins, with words or JSON.
    Begun(String),
    /// The person who is waited for said something.
    Said(String),
    /// An agent answered; or did not, for this reason.
    Answered(Result<String, String>),
    /// Nobody spoke for a while.
    Woken,
    /// A guard kept back what was said, for this reason; they were told.
    Withheld(String),
    /// A guard did not let pass what was to be shown.
    Returned(String),
}

/// What the flow is told by whoever runs it. All of it is the same when a call is made again.
pub trait World {
    /// Milliseconds since 1970-01-01 UTC.
    fn now(&self) -> u64;
    /// A new id for a step.
    fn id(&self) -> String;
    /// A file of the plugin's topics; the list of topics for an empty name.
    ///
    /// # Errors
    /// A sentence that says what there is.
    fn file(&self, name: &str) -> Result<String, String>;
    /// Whether there is no model.
    fn offline(&self) -> bool;
    /// After which silence the learner is spoken to, in milliseconds; none for never.
    fn silence_ms(&self) -> Option<u64>;
}

/// Who is waited for.
#[derive(Debug, Clone, PartialEq)]
pub enum Wait {
    /// An agent.
    Agent {
        /// Its name.
        name: &'static str,
        /// What it is asked.
        input: Json,
        /// What its answer has to fit.
        schema: Json,
    },
    /// The learner; spoken to at this time.
    Learner(Option<u64>),
    /// The teacher.
    Teacher,
    /// Nobody.
    End,
}

/// A step of the flow.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The new state.
    pub state: State,
    /// What is shown, in order.
    pub messages: Vec<String>,
    /// What a program that spoke for the person is answered; null while agents work.
    pub reply: Json,
    /// What guards are told: who speaks next, the open question, and the words of the topic, which say nothing about anybody.
    pub facts: Json,
    /// Sentences for the trace.
    pub notes: Vec<String>,
    /// Data for dashboards and studies, each under its name.
    pub observations: Vec<(&'static str, Json)>,
    /// Who is waited for.
    pub wait: Wait,
}

/// Why the flow cannot go on: a word, and a sentence.
pub type Failure = (&'static str, String);

/// A step under way.
pub(crate) struct Turn<'a> {
    pub(crate) world: &'a dyn World,
    pub(crate) state: State,
    pub(crate) notes: Vec<String>,
    pub(crate) observations: Vec<(&'static str, Json)>,
}

/// Takes what has happened.
///
/// # Errors
/// Where a session begins with what cannot be.
pub fn step(world: &dyn World, state: Option<State>, event: &Event) -> Result<Step, Failure> {
    let state = state.unwrap_or_default();
    let mut turn = Turn { world, state, notes: Vec::new(), observations: Vec::new() };
    turn.state.offline = world.offline();
    let stage = turn.state.stage.clone();
    match (stage, event) {
        (Stage::Over, _) => Ok(turn.done(Vec::new(), Wait::End)),
        (Stage::Choosing, Event::Begun(text) | Event::Said(text)) => turn.begins(text),
        (_, Event::Answered(answer)) => Ok(turn.answered(answer)),
        (_, Event::Returned(why)) => Ok(turn.returned(why)),
        (_, Event::Withheld(why)) => Ok(turn.withheld(why)),
        (_, Event::Woken) => Ok(turn.woken()),
        (Stage::Teacher, Event::Begun(text) | Event::Said(text)) => Ok(turn.teacher(text)),
        (_, Event::Begun(text) | Event::Said(text)) => Ok(turn.said(text)),
    }
}
