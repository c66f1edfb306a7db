//! What comes next: takes what has happened, decides, and says what is shown and what is waited for.
//!
//! Everything is decided here, from the checker's verdict, the matrix and the rubric. Agents put what is said into words;
//! where they do not answer, or not as asked, the topic's own words are shown. Start reading at [`step`].

use serde_json::{Value as Json, json};
use ta_wishes::{Intent, intent};

use crate::agents::{self, Evaluation};
use crate::answer;
use crate::matrix::Matrix;
use crate::message::{By, Emotion, Kind, Narration, Shown};
use crate::places;
use crate::state::{Alert, Exchange, Judged, Stage, State, Status, clipped};
use crate::topic::{Options, Section, Topic};
use crate::words;

/// How often an agent is asked for one thing.
const TRIES_MAX: u32 = 2;
/// A silence after which a learner is welcomed back, in milliseconds.
const AWAY_MS: u64 = 30 * 60 * 1_000;

/// What has happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The session begins, with what the learner asked for.
    Begun(String),
    /// The learner said something.
    Said(String),
    /// An agent answered; none where it did not.
    Answered(Option<String>),
    /// Nobody spoke for a while.
    Woken,
    /// A guard kept back what the learner said, for this reason; they were told.
    Withheld(String),
    /// A guard did not let what was to be shown pass, and says what is wrong with it.
    Returned(String),
}

/// What the checker says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Whether the answer is right; none where there is nothing to judge.
    pub right: Option<bool>,
    /// Why.
    pub why: String,
}

/// What the flow is told by whoever runs it. All of it is the same when a call is made again.
pub trait World {
    /// Milliseconds since 1970-01-01 UTC.
    fn now(&self) -> u64;
    /// A number by lot.
    fn seed(&self) -> u64;
    /// A file of the plugin's topics; the list of topics for an empty name.
    ///
    /// # Errors
    /// A sentence that says what there is.
    fn file(&self, name: &str) -> Result<String, String>;
    /// Compares an answer with the expected one.
    fn check(&self, question: &str, given: &str, expected: &str, options: &Options) -> Verdict;
    /// Whether there are agents that can answer.
    fn agents(&self) -> bool;
    /// After which silence the learner is spoken to, in milliseconds; none for never.
    fn silence_ms(&self) -> Option<u64>;
}

/// What is waited for.
#[derive(Debug, Clone, PartialEq)]
pub enum Wait {
    /// An agent.
    Agent {
        /// Its name.
        name: String,
        /// What it is asked.
        input: String,
        /// What its answer has to fit.
        schema: Json,
    },
    /// The learner; spoken to at this time.
    Learner(Option<u64>),
    /// Nothing.
    End,
}

/// A step.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// The new state.
    pub state: State,
    /// What is shown.
    pub messages: Vec<Shown>,
    /// What guards are told: the problem, its answers, values on the way, and the level of help.
    pub facts: Json,
    /// Sentences for the trace.
    pub notes: Vec<String>,
    /// Data for dashboards and studies, each under its name.
    pub observations: Vec<(&'static str, Json)>,
    /// What is waited for.
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
/// Where a file of the plugin is missing or makes no sense.
pub fn step(world: &dyn World, state: Option<State>, event: &Event) -> Result<Step, Failure> {
    let turn = Turn { world, state: state.unwrap_or_default(), notes: Vec::new(), observations: Vec::new() };
    match (turn.state.stage.clone(), event) {
        (Stage::Over, _) => Ok(turn.done(Vec::new(), Wait::End)),
        (Stage::Choosing, Event::Begun(text) | Event::Said(text)) => turn.chosen(text),
        (Stage::Choosing, _) => turn.chosen(""),
        (Stage::Judging(judged), Event::Answered(output)) => turn.judged(judged, output.as_deref()),
        (_, Event::Answered(output)) => turn.wrote(output.as_deref()),
        (_, Event::Returned(instruction)) => turn.returned(instruction),
        (_, Event::Withheld(reason)) => Ok(turn.withheld(reason)),
        (_, Event::Woken) => Ok(turn.woken()),
        (_, Event::Begun(text) | Event::Said(text)) => turn.said(text),
    }
}

impl Turn<'_> {
    /// The topic of the session.
    pub(crate) fn topic(&self) -> Result<Topic, Failure> {
        let name = format!("{}.yaml", self.state.file);
        let text = self.world.file(&name).map_err(|error| ("topic.missing", error))?;
        Topic::read(&text).map_err(|error| ("topic.unreadable", format!("{name}: {error}")))
    }

    pub(crate) fn matrix(&self) -> Result<Matrix, Failure> {
        let text = self.world.file("matrix.yaml").map_err(|error| ("matrix.missing", error))?;
        Matrix::read(&text).map_err(|error| ("matrix.unreadable", format!("matrix.yaml: {error}")))
    }

    /// The section that the learner is in.
    pub(crate) fn section<'t>(&self, topic: &'t Topic) -> Result<&'t Section, Failure> {
        let id = self.state.section().map(|it| it.id.as_str()).unwrap_or_default();
        topic.section(id).ok_or_else(|| ("topic.section", format!("the topic has no section `{id}`")))
    }

    fn chosen(mut self, text: &str) -> Result<Step, Failure> {
        let list = self.world.file("").map_err(|error| ("topic.missing", error))?;
        let Some(file) = places::topic(&list, text) else {
            let shown = Shown::of(Kind::Feedback, Emotion::Neutral, places::which(&list, text));
            return Ok(self.done(vec![shown], Wait::Learner(None)));
        };
        self.state.file = file;
        let topic = self.topic()?;
        self.state.title.clone_from(&topic.title);
        self.state.sections = places::sections(&topic);
        let who = words::who(self.world.agents());
        let welcome = format!("{} {who} Write `help` to see what you can write.", topic.welcome.trim());
        let section = self.enter(&topic, 0)?;
        let lead = format!("{welcome}\n\n{section}");
        self.next_problem(&topic, lead, Emotion::Encouraging, "the session begins")
    }

    fn said(mut self, text: &str) -> Result<Step, Failure> {
        let given = clipped(text.trim());
        self.state.remember(true, &given);
        let meant = intent(text);
        let Some(open) = self.state.open.clone() else {
            let topic = self.topic()?;
            return self.next_problem(&topic, String::new(), Emotion::Neutral, "there was no problem");
        };
        match meant {
            Intent::Answer => self.answered(&given, text.chars().count()),
            Intent::Hint => self.asked(&given, crate::matrix::Happened::Hint),
            Intent::Solution => self.asked(&given, crate::matrix::Happened::Solution),
            Intent::Section(name) => match places::section(&self.state, &name) {
                Some(at) => self.jumps(at),
                None => {
                    let list = words::progress(&self.state);
                    Ok(self.tells(format!("There is no section `{name}`. {list}"), Kind::Feedback))
                }
            },
            Intent::Next => match self.state.next_open() {
                Some(at) if at != self.state.current => self.jumps(at),
                _ => Ok(self.tells(words::question(&open), Kind::Question)),
            },
            Intent::Progress => {
                let list = words::progress(&self.state);
                Ok(self.tells(list, Kind::Feedback))
            }
            Intent::Repeat => Ok(self.tells(words::question(&open), Kind::Question)),
            Intent::Help => Ok(self.tells(words::help(&open), Kind::Feedback)),
            Intent::End => Ok(self.ends()),
        }
    }

    fn answered(mut self, given: &str, characters: usize) -> Result<Step, Failure> {
        let Some(open) = self.state.open.clone() else { return Ok(self.waits(Vec::new())) };
        let verdict = answer::verdict(self.world, &open, given, characters);
        let Some(right) = verdict.right else { return Ok(self.unread(given, &verdict.why)) };
        self.state.unread = 0;
        let mistake = if right { None } else { answer::mistake(self.world, &open, given) };
        let judged = Judged { given: given.to_owned(), right, why: verdict.why, mistake, tries: 0 };
        if let Some(open) = &mut self.state.open
            && !right
        {
            open.attempts += 1;
        }
        if self.world.agents() { self.asks_evaluator(judged) } else { self.decides(&judged, None) }
    }

    fn asks_evaluator(mut self, judged: Judged) -> Result<Step, Failure> {
        let topic = self.topic()?;
        let open = self.state.open.clone().unwrap_or_default();
        let input = agents::for_evaluator(&self.state, self.section(&topic)?, &open, &judged);
        let judged = Judged { tries: judged.tries + 1, ..judged };
        self.state.stage = Stage::Judging(judged);
        let wait = Wait::Agent { name: "evaluator".to_owned(), input, schema: agents::evaluation_schema() };
        Ok(self.done(Vec::new(), wait))
    }

    fn judged(mut self, judged: Judged, output: Option<&str>) -> Result<Step, Failure> {
        match output.map(agents::evaluation) {
            Some(Ok(evaluation)) => self.decides(&judged, Some(&evaluation)),
            Some(Err(why)) if judged.tries < TRIES_MAX => {
                self.notes.push(format!("the evaluator is asked once more: {why}"));
                self.asks_evaluator(judged)
            }
            Some(Err(why)) => {
                self.notes.push(format!("decided without the evaluator: {why}"));
                self.decides(&judged, None)
            }
            None => {
                self.notes.push("decided without the evaluator, which did not answer".to_owned());
                self.decides(&judged, None)
            }
        }
    }

    fn decides(self, judged: &Judged, evaluation: Option<&Evaluation>) -> Result<Step, Failure> {
        if judged.right { self.was_right(judged, evaluation) } else { self.was_wrong(judged, evaluation) }
    }

    /// Has an agent write what is to be told, where there is one; else tells it.
    pub(crate) fn narrates(mut self, narration: Narration) -> Result<Step, Failure> {
        self.state.narration = Some(narration);
        if self.world.agents() { self.asks_writer("") } else { Ok(self.shows()) }
    }

    fn asks_writer(mut self, wish: &str) -> Result<Step, Failure> {
        let topic = self.topic()?;
        let Some(narration) = &mut self.state.narration else { return Ok(self.waits(Vec::new())) };
        narration.tries += 1;
        let name = narration.agent.clone();
        let mut input = agents::for_writer(&self.state, &topic);
        if !wish.is_empty() {
            input.push_str(&format!("\nYour last one may not be shown: {wish}"));
        }
        self.state.stage = Stage::Writing;
        Ok(self.done(Vec::new(), Wait::Agent { name, input, schema: agents::written_schema() }))
    }

    fn wrote(mut self, output: Option<&str>) -> Result<Step, Failure> {
        let Some(narration) = &mut self.state.narration else { return Ok(self.waits(Vec::new())) };
        let (tries, own) = (narration.tries, narration.messages.first().cloned().unwrap_or_default());
        match output.map(|output| agents::written(output, &own)) {
            Some(Ok(mut shown)) => {
                // The answer of a solution is never left to an agent.
                if narration.agent == "solution"
                    && let Some((_, end)) = own.display.rsplit_once("\n\n**Answer:**")
                {
                    shown.display = format!("{}\n\n**Answer:**{end}", shown.display.trim_end());
                }
                narration.by = By::Agent;
                let rest = narration.messages.get(1..).unwrap_or_default();
                let messages = std::iter::once(shown).chain(rest.iter().cloned()).collect();
                Ok(self.told(messages))
            }
            Some(Err(why)) if tries < TRIES_MAX => {
                self.notes.push(format!("an agent is asked once more: {why}"));
                self.asks_writer(&why)
            }
            failed => {
                let why = failed.and_then(Result::err).unwrap_or_else(|| "it did not answer".to_owned());
                self.notes.push(format!("shown in the topic's own words: {why}"));
                Ok(self.shows())
            }
        }
    }

    /// A guard sent a message back: an agent writes it once more, then the topic's words take its place, then words that hold
    /// nothing of the problem.
    fn returned(mut self, instruction: &str) -> Result<Step, Failure> {
        let Some(narration) = &mut self.state.narration else { return Ok(self.waits(Vec::new())) };
        match narration.by {
            By::Agent if narration.tries < TRIES_MAX => self.asks_writer(instruction),
            By::Agent => {
                self.notes.push("shown in the topic's own words, since a guard sent the agent's back".to_owned());
                Ok(self.shows())
            }
            By::Data | By::Plain => {
                narration.by = By::Plain;
                let kind = narration.messages.first().map_or(Kind::Feedback, |it| it.kind);
                let plain = Shown::of(kind, Emotion::Supportive, narration.plain.clone());
                let rest = narration.messages.get(1..).unwrap_or_default();
                let messages = std::iter::once(plain).chain(rest.iter().cloned()).collect();
                self.notes.push("shown in plain words, since a guard sent the topic's back".to_owned());
                Ok(self.told(messages))
            }
        }
    }

    fn withheld(mut self, reason: &str) -> Step {
        self.alerts("safeguarding", "A message was kept back; the learner was told where help is.");
        self.logs("", "withheld", "none", None, reason, None);
        // The learner has just read something that matters more than a problem.
        self.state.stage = Stage::Answering;
        let wait = Wait::Learner(None);
        self.done(Vec::new(), wait)
    }

    fn woken(mut self) -> Step {
        let Some(open) = self.state.open.clone() else { return self.waits(Vec::new()) };
        let last = self.state.log.last().map_or(0, |it| it.at);
        let away = last > 0 && self.world.now().saturating_sub(last) >= AWAY_MS;
        let text = if away { words::welcome_back(&self.state, &open) } else { words::silence(&open) };
        if !away {
            self.alerts("stuck", "Nothing was said for a while.");
        }
        self.logs("", "silent", "none", None, "", None);
        self.state.nudged = true;
        self.tells(text, Kind::Feedback)
    }

    fn unread(mut self, given: &str, why: &str) -> Step {
        self.state.unread += 1;
        if self.state.unread == 4 {
            self.alerts("off-topic", "Four messages in a row could not be read as answers.");
        }
        self.logs(given, "undecided", "none", None, why, None);
        let open = self.state.open.clone().unwrap_or_default();
        let text = words::unread(&open, self.state.unread, why);
        self.tells(text, Kind::Feedback)
    }

    fn ends(mut self) -> Step {
        (self.state.status, self.state.stage) = (Status::Ended, Stage::Over);
        let shown = Shown::of(Kind::Feedback, Emotion::Neutral, words::ended(&self.state));
        self.done(vec![shown], Wait::End)
    }

    /// Says something that no agent puts into other words, and goes on waiting.
    pub(crate) fn tells(mut self, text: String, kind: Kind) -> Step {
        let visual =
            self.state.open.as_ref().filter(|_| kind == Kind::Question).and_then(|it| it.problem.visual.clone());
        let level = self.state.open.as_ref().map_or(0, |it| it.hints);
        let shown = Shown::of(kind, Emotion::Neutral, text).with(visual);
        let plain = "The problem is still here: write `repeat` to see it.".to_owned();
        self.state.narration = Some(Narration { level, plain, messages: vec![shown], ..Narration::default() });
        self.shows()
    }

    /// Shows a narration in the topic's words.
    fn shows(mut self) -> Step {
        let messages = match &mut self.state.narration {
            Some(narration) => {
                narration.by = By::Data;
                narration.messages.clone()
            }
            None => Vec::new(),
        };
        self.told(messages)
    }

    fn told(mut self, messages: Vec<Shown>) -> Step {
        if self.state.narration.as_ref().is_some_and(|it| it.ends) {
            self.state.stage = Stage::Over;
            return self.done(messages, Wait::End);
        }
        self.waits(messages)
    }

    pub(crate) fn waits(mut self, messages: Vec<Shown>) -> Step {
        self.state.stage = Stage::Answering;
        let silence = self.world.silence_ms().filter(|_| !self.state.nudged);
        let until = silence.map(|silence| self.world.now().saturating_add(silence));
        self.done(messages, Wait::Learner(until))
    }

    pub(crate) fn done(mut self, messages: Vec<Shown>, wait: Wait) -> Step {
        for shown in &messages {
            self.state.remember(false, &shown.display);
        }
        if !messages.is_empty() {
            self.state.shown.clone_from(&messages);
        }
        let facts = match &self.state.open {
            Some(open) => json!({
                "problem": open.problem.question, "answers": [open.problem.answer, open.problem.shown],
                "steps": open.problem.steps, "level": self.state.narration.as_ref().map_or(0, |it| it.level),
            }),
            None => json!({ "problem": "", "answers": [], "steps": [], "level": 0 }),
        };
        let Self { state, notes, observations, .. } = self;
        Step { state, messages, facts, notes, observations, wait }
    }

    pub(crate) fn alerts(&mut self, kind: &str, says: &str) {
        let section = self.state.section().map(|it| it.id.clone()).unwrap_or_default();
        self.observations.push(("alert", json!({ "kind": kind, "section": section })));
        self.state.alerts.push(Alert { at: self.world.now(), kind: kind.to_owned(), section, says: says.to_owned() });
    }

    /// Keeps what happened and what was done for the teacher, and observes it.
    pub(crate) fn logs(
        &mut self,
        given: &str,
        taken: &str,
        action: &str,
        hint: Option<u32>,
        reasoning: &str,
        differs: Option<String>,
    ) {
        let (section, problem) = (
            self.state.section().map(|it| it.id.clone()).unwrap_or_default(),
            self.state.open.as_ref().map_or(0, |it| it.number),
        );
        if let Some(differs) = &differs {
            self.notes.push(differs.clone());
        }
        self.observations.push((
            "exchange",
            json!({ "section": section, "problem": problem, "taken": taken, "action": action, "hint": hint, "differs": differs }),
        ));
        self.state.note(Exchange {
            at: self.world.now(),
            section,
            problem,
            given: given.to_owned(),
            taken: taken.to_owned(),
            action: action.to_owned(),
            hint,
            reasoning: reasoning.to_owned(),
            differs,
        });
    }
}
