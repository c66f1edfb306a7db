//! What is done about an answer or a request: hints, solutions, problems, sections, the end.

use serde_json::json;

use crate::agents::{self, Evaluation};
use crate::draw::{Lot, draw};
use crate::mastery::{Level, Record, level, understanding};
use crate::matrix::{Action, Happened, Situation, Understanding};
use crate::message::{Emotion, Kind, Narration, Shown};
use crate::state::{CONTEXTS_MAX, Judged, Open, RECORDS_MAX, Status};
use crate::topic::{Section, Shape, Topic};
use crate::tutor::{Failure, Step, Turn};
use crate::words;

/// How often a problem is drawn until it is another one.
const DRAWS_MAX: u32 = 30;
/// The level of help of a worked solution: behind the last hint.
const SHOWN: u32 = 4;

impl Turn<'_> {
    fn action(&self, happened: Happened, understanding: Understanding) -> Result<Action, Failure> {
        let (attempts, hints) = self.state.open.as_ref().map_or((0, 0), |it| (it.attempts, it.hints));
        Ok(self.matrix()?.action(&Situation { happened, understanding, attempts, hints }))
    }

    fn understands(&mut self, evaluation: Option<&Evaluation>) -> Understanding {
        let (attempts, hints) = self.state.open.as_ref().map_or((0, 0), |it| (it.attempts, it.hints));
        let counted = understanding(attempts, hints);
        self.state.understanding = evaluation.map_or(counted, |it| it.understanding);
        if let (Some(evaluation), Some(section)) = (evaluation, self.state.sections.get_mut(self.state.current)) {
            section.signs.get_or_insert_default().extend(evaluation.met.iter().cloned());
        }
        self.state.understanding
    }

    pub(crate) fn was_wrong(mut self, judged: &Judged, evaluation: Option<&Evaluation>) -> Result<Step, Failure> {
        let understands = self.understands(evaluation);
        let action = self.action(Happened::Wrong, understands)?;
        let open = self.state.open.clone().unwrap_or_default();
        let again = open.given.contains(&judged.given);
        let lead = words::wrong(&open, again, judged);
        if let Some(open) = &mut self.state.open
            && !again
        {
            open.given.push(judged.given.clone());
        }
        let level = self.state.section().map(|it| it.level).unwrap_or_default();
        let differs = evaluation.and_then(|it| agents::differs(it, false, action, level));
        let reasoning = evaluation.map_or_else(|| judged.why.clone(), |it| it.reasoning.clone());
        let hint = (action == Action::GiveHint).then_some(open.hints + 1);
        self.logs(&judged.given, "wrong", name(action), hint, &reasoning, differs);
        self.helps(action, &lead, &judged.given, reasoning)
    }

    /// The learner asks for help, or does not know: no attempt.
    pub(crate) fn asked(mut self, given: &str, happened: Happened) -> Result<Step, Failure> {
        self.state.unread = 0;
        let understands = self.understands(None);
        let action = self.action(happened, understands)?;
        let hint = self.state.open.as_ref().map(|it| it.hints + 1).filter(|_| action == Action::GiveHint);
        let (taken, lead) = match (happened, action) {
            (Happened::Solution, Action::GiveHint) => ("solution", words::HINT_FIRST),
            (Happened::Solution, _) => ("solution", ""),
            _ => ("hint", ""),
        };
        self.logs(given, taken, name(action), hint, "the learner asked", None);
        self.helps(action, lead, given, "The learner asks for help.".to_owned())
    }

    fn helps(mut self, action: Action, lead: &str, given: &str, reasoning: String) -> Result<Step, Failure> {
        if action != Action::GiveHint {
            return self.shows_solution(lead, given, reasoning);
        }
        let Some(open) = &mut self.state.open else { return Ok(self.waits(Vec::new())) };
        open.hints += 1;
        let number = open.hints;
        let text = open.problem.hints.get(number as usize - 1).cloned().unwrap_or_default();
        let visual = open.problem.visual.clone();
        if let Some(section) = self.state.sections.get_mut(self.state.current) {
            section.hints += 1;
        }
        let joined = |hint: String| if lead.is_empty() { hint } else { format!("{lead}\n\n{hint}") };
        let shown = Shown::of(Kind::Hint, Emotion::Encouraging, joined(words::hint(number, &text))).with(visual);
        self.narrates(Narration {
            agent: "tutor".to_owned(),
            reasoning,
            given: given.to_owned(),
            level: number,
            messages: vec![shown],
            plain: words::plain_hint(number),
            ..Narration::default()
        })
    }

    fn shows_solution(mut self, lead: &str, given: &str, reasoning: String) -> Result<Step, Failure> {
        let topic = self.topic()?;
        let Some(open) = self.state.open.clone() else { return Ok(self.waits(Vec::new())) };
        let worked = words::solution(&open);
        let worked = if lead.is_empty() { worked } else { format!("{lead} {worked}") };
        let visual = open.problem.visual.clone();
        let solution = Shown::of(Kind::Solution, Emotion::Supportive, &worked).with(visual);
        self.ends_problem(&topic, &open, false)?;
        let shape = topic.shape(&open.problem.shape);
        let sister = self.poses(&topic, shape, Some(&open))?;
        let mut before = words::SISTER.to_owned();
        if self.state.section().is_some_and(|it| it.level == Level::Struggling) && self.state.status == Status::Active {
            self.state.status = Status::Intervention;
            self.alerts("intervention", "Worked solutions one after the other: a person should look.");
            before = format!("{}\n\n{before}", words::hard(&self.state));
        }
        let sister = Shown::of(Kind::Question, Emotion::Encouraging, format!("{before}\n\n{}", sister.display))
            .with(sister.visual);
        self.narrates(Narration {
            agent: "solution".to_owned(),
            reasoning,
            given: given.to_owned(),
            level: SHOWN,
            plain: worked,
            messages: vec![solution, sister],
            ..Narration::default()
        })
    }

    pub(crate) fn was_right(mut self, judged: &Judged, evaluation: Option<&Evaluation>) -> Result<Step, Failure> {
        let topic = self.topic()?;
        let understands = self.understands(evaluation);
        self.action(Happened::Right, understands)?;
        let Some(open) = self.state.open.clone() else { return Ok(self.waits(Vec::new())) };
        let mut lead = words::right(&open).to_owned();
        let was_done = self.state.section().is_some_and(|it| it.mastered_at.is_some());
        let level = self.ends_problem(&topic, &open, true)?;
        self.state.status = Status::Active;
        let masters = level == Level::Mastered && !was_done;
        let action = if masters && self.state.next_open().is_none() { Action::Celebrate } else { Action::NewProblem };
        let differs = evaluation.and_then(|it| agents::differs(it, true, action, level));
        let reasoning = evaluation.map_or_else(|| judged.why.clone(), |it| it.reasoning.clone());
        self.logs(&judged.given, "right", name(action), None, &reasoning, differs);
        if action == Action::Celebrate {
            return self.celebrates(&lead, reasoning);
        }
        let emotion = if masters { Emotion::Celebratory } else { Emotion::Encouraging };
        if masters {
            if let Some(section) = self.state.section() {
                lead = format!("{lead}\n\n{}", words::mastered(section, &self.state));
            }
            let next = self.state.next_open().unwrap_or(self.state.current);
            lead = format!("{lead}\n\n{}", self.enter(&topic, next)?);
        } else if was_done && self.state.next_open().is_some() {
            lead = format!("{lead} This section is done already; write `next` to go on with a new one.");
        }
        self.next_problem(&topic, lead, emotion, &reasoning)
    }

    fn celebrates(mut self, lead: &str, reasoning: String) -> Result<Step, Failure> {
        self.state.status = Status::Completed;
        self.state.open = None;
        let text = format!("{lead}\n\n{}", words::celebration(&self.state));
        self.narrates(Narration {
            agent: "tutor".to_owned(),
            reasoning,
            level: 0,
            plain: text.clone(),
            messages: vec![Shown::of(Kind::Celebration, Emotion::Celebratory, text)],
            ends: true,
            ..Narration::default()
        })
    }

    /// Goes to another section, and leaves the problem of this one where it is.
    pub(crate) fn jumps(mut self, at: usize) -> Result<Step, Failure> {
        let topic = self.topic()?;
        if at == self.state.current {
            let open = self.state.open.clone().unwrap_or_default();
            return Ok(self.tells(format!("You are there already.\n\n{}", words::question(&open)), Kind::Question));
        }
        if let (Some(open), Some(section)) = (self.state.open.take(), self.state.sections.get_mut(self.state.current)) {
            section.left = Some(Box::new(open));
        }
        let lead = self.enter(&topic, at)?;
        self.logs("", "jump", "none", None, "the learner went to another section", None);
        let left = self.state.sections.get_mut(at).and_then(|section| section.left.take());
        let Some(left) = left else {
            return self.next_problem(&topic, lead, Emotion::Neutral, "the learner came here");
        };
        let question =
            Shown::of(Kind::Question, Emotion::Neutral, words::question(&left)).with(left.problem.visual.clone());
        let level = left.hints;
        self.state.open = Some(*left);
        self.narrates(Narration {
            agent: "question".to_owned(),
            reasoning: "The learner came back to this section.".to_owned(),
            level,
            plain: "Here is where you were.".to_owned(),
            messages: vec![Shown::of(Kind::Feedback, Emotion::Neutral, lead), question],
            ..Narration::default()
        })
    }

    /// Comes to a section; the answer is what the learner is told about it.
    pub(crate) fn enter(&mut self, topic: &Topic, at: usize) -> Result<String, Failure> {
        let now = self.world.now();
        self.state.current = at;
        self.state.history.clear();
        let data = self.section(topic)?;
        let Some(section) = self.state.sections.get_mut(at) else { return Ok(String::new()) };
        let first = section.entered_at.is_none();
        section.entered_at.get_or_insert(now);
        let text = match first {
            true => words::enters(at, section, &data.intro),
            false => words::comes_back(at, section, &data.resume),
        };
        let id = section.id.clone();
        self.observations
            .push(("section", json!({ "section": id, "event": if first { "entered" } else { "resumed" } })));
        Ok(text)
    }

    /// A problem is over: its record, and the section's level after it.
    fn ends_problem(&mut self, topic: &Topic, open: &Open, right: bool) -> Result<Level, Failure> {
        let now = self.world.now();
        let rubric = &self.section(topic)?.rubric;
        self.state.open = None;
        let Some(section) = self.state.sections.get_mut(self.state.current) else { return Ok(Level::New) };
        section.attempted += 1;
        section.correct += u32::from(right);
        section.solutions += u32::from(!right);
        section.records.push(Record {
            shape: open.problem.shape.clone(),
            context: open.problem.context.clone(),
            right,
            hints: open.hints,
            attempts: open.attempts,
        });
        let over = section.records.len().saturating_sub(RECORDS_MAX);
        section.records.drain(..over);
        section.level = level(rubric, &section.records, section.signs.as_ref());
        if section.level == Level::Mastered && section.mastered_at.is_none() {
            section.mastered_at = Some(now);
            let (id, attempted) = (section.id.clone(), section.attempted);
            let data = json!({ "section": id, "event": "mastered", "attempted": attempted });
            self.observations.push(("section", data));
        }
        Ok(self.state.section().map(|it| it.level).unwrap_or_default())
    }

    /// The next problem of the section, with what is said before it.
    pub(crate) fn next_problem(
        mut self,
        topic: &Topic,
        lead: String,
        emotion: Emotion,
        reasoning: &str,
    ) -> Result<Step, Failure> {
        let question = self.poses(topic, None, None)?;
        let given = self.state.history.iter().rev().find(|it| it.learner).map(|it| it.text.clone()).unwrap_or_default();
        let plain = "Here is your next problem.".to_owned();
        let first = Shown::of(Kind::Feedback, emotion, if lead.is_empty() { plain.clone() } else { lead });
        self.narrates(Narration {
            agent: "question".to_owned(),
            reasoning: reasoning.to_owned(),
            given,
            level: 0,
            plain,
            messages: vec![first, question],
            ..Narration::default()
        })
    }

    /// Draws a problem: of this shape, and not the same as the one before, or of the shape that was longest not seen.
    fn poses(&mut self, topic: &Topic, shape: Option<&Shape>, before: Option<&Open>) -> Result<Shown, Failure> {
        let mut lot = Lot::new(self.world.seed());
        let section = self.section(topic)?;
        let shape = shape.filter(|shape| section.shapes.iter().any(|it| it.id == shape.id));
        let shape = shape.or_else(|| choose(section, &self.state.contexts, &mut lot));
        let shape =
            shape.ok_or_else(|| ("topic.shapes", format!("the section `{}` has no problems", section.id.text)))?;
        let mut drawn = Err(("topic.shape", String::new()));
        for _ in 0..DRAWS_MAX {
            drawn = draw(shape, lot.next())
                .map_err(|fault| ("topic.shape", format!("line {}: {}", fault.line, fault.message)));
            let same = |it: &&Open| {
                drawn.as_ref().is_ok_and(|new| new.question == it.problem.question || new.answer == it.problem.answer)
            };
            if before.filter(same).is_none() {
                break;
            }
        }
        let problem = drawn?;
        self.state.contexts.insert(0, problem.context.clone());
        self.state.contexts.truncate(CONTEXTS_MAX);
        self.state.number += 1;
        (self.state.unread, self.state.nudged) = (0, false);
        let open = Open { problem, number: self.state.number, ..Open::default() };
        let shown =
            Shown::of(Kind::Question, Emotion::Neutral, words::question(&open)).with(open.problem.visual.clone());
        self.state.open = Some(open);
        Ok(shown)
    }
}

/// A shape whose context was not met lately: the one that was longest not seen, by lot among equals.
fn choose<'t>(section: &'t Section, contexts: &[String], lot: &mut Lot) -> Option<&'t Shape> {
    let age = |shape: &Shape| contexts.iter().position(|it| *it == shape.context).unwrap_or(usize::MAX);
    let oldest = section.shapes.iter().map(age).max()?;
    let equals: Vec<&Shape> = section.shapes.iter().filter(|shape| age(shape) == oldest).collect();
    let at = usize::try_from(lot.below(equals.len() as u64)).ok()?;
    equals.get(at).copied()
}

const fn name(action: Action) -> &'static str {
    match action {
        Action::GiveHint => "GIVE_HINT",
        Action::GiveSolution => "GIVE_SOLUTION",
        Action::NewProblem => "NEW_PROBLEM",
        Action::Celebrate => "CELEBRATE",
    }
}
