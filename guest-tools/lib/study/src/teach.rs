//! What people say: the learner's wishes and replies, a teacher who was asked for, silence, and what guards keep back.

use ta_wishes::{Intent, intent};

use crate::begin::Begin;
use crate::conversation::Role;
use crate::plan::Cause;
use crate::session::{Failure, Step, Turn, Wait};
use crate::state::{Exchange, SAID_CHARS_MAX, Stage, Standing, Wanted, clipped};
use crate::words;

/// Hints on one question; then what is said is judged, whatever it is.
const HINTS_MAX: u32 = 3;
/// Characters of a teacher's note.
const NOTE_CHARS_MAX: usize = 400;

impl Turn<'_> {
    pub(crate) fn begins(mut self, text: &str) -> Result<Step, Failure> {
        let mut begin = Begin::read(text)?;
        let before = &self.state.begin;
        if !before.level.is_empty() && begin.level.is_empty() {
            // Another topic is chosen by somebody who said before who they are.
            begin = Begin { topic: begin.topic, subtopic: begin.subtopic, ..before.clone() };
        }
        self.state.begin = begin;
        self.state.began_ms = self.world.now();
        if self.state.begin.topic.trim().is_empty() {
            let list = self.world.file("").unwrap_or_default();
            let ask = ta_tutor::places::which(&list, "");
            return Ok(self.done(vec![ask], Wait::Learner(None)));
        }
        Ok(self.plans(None))
    }

    pub(crate) fn said(mut self, text: &str) -> Step {
        let reply = clipped(text.trim(), SAID_CHARS_MAX);
        self.speaks(Role::Student, &reply);
        self.state.exchange = Exchange { reply: reply.clone(), ..Exchange::default() };
        self.state.nudged = false;
        let hints = self.state.open.as_ref().map(|open| open.hints);
        match (intent(text), hints) {
            (Intent::End, _) => self.ends(words::ENDED),
            (Intent::Progress, _) => {
                let told = words::progress(&self.state.plan);
                self.stays(told)
            }
            (Intent::Help, _) => self.stays(words::HELP.to_owned()),
            (Intent::Repeat, Some(_)) => {
                let again = self.state.open.as_ref().map(|open| open.text.clone());
                self.state.exchange.next_message.clone_from(&again);
                self.listens(again.into_iter().collect())
            }
            (Intent::Hint | Intent::Solution, Some(hints)) if hints < HINTS_MAX => self.writes(Wanted::Hint),
            (_, _) if reply.is_empty() => self.stays(words::EMPTY.to_owned()),
            (
                Intent::Answer | Intent::Hint | Intent::Solution | Intent::Repeat | Intent::Section(_) | Intent::Next,
                _,
            ) => self.judges(),
        }
    }

    fn ends(mut self, told: &str) -> Step {
        (self.state.standing, self.state.stage, self.state.open) = (Standing::Ended, Stage::Over, None);
        self.speaks(Role::Tutor, told);
        self.state.exchange.next_message = Some(told.to_owned());
        self.done(vec![told.to_owned()], Wait::End)
    }

    /// A teacher goes on with a note, skips the step with a reason, or ends the session.
    pub(crate) fn teacher(mut self, text: &str) -> Step {
        let text = text.trim();
        if text.is_empty() {
            return self.done(vec![words::FOR_TEACHER.to_owned()], Wait::Teacher);
        }
        let (at, said) = (self.at(), clipped(text, NOTE_CHARS_MAX));
        self.state.exchange = Exchange::default();
        if text.eq_ignore_ascii_case("end") {
            return self.ends(words::ENDED_BY_TEACHER);
        }
        let blocked = self.state.plan.blocked().map(|step| step.step_id.clone());
        let skip = said.strip_prefix("skip:").or_else(|| said.strip_prefix("Skip:")).map(str::trim);
        if skip == Some("") {
            return self.done(vec![words::FOR_TEACHER.to_owned()], Wait::Teacher);
        }
        let (cause, why) = match skip {
            Some(reason) => (Cause::Skipped, format!("A teacher skipped it: {reason}")),
            None => (Cause::Retried, said.clone()),
        };
        if let Some(id) = blocked {
            self.changes(&id, cause, &why, &at);
        }
        self.state.note(&at, &format!("The teacher: {said}"));
        self.state.standing = Standing::Active;
        self.state.exchange.plan_updated = true;
        if self.state.plan.completed() {
            return self.completes();
        }
        self.state.exchange.feedback = Some(words::TEACHER_HAS_LOOKED.to_owned());
        self.speaks(Role::Tutor, words::TEACHER_HAS_LOOKED);
        self.writes(Wanted::Next)
    }

    pub(crate) fn woken(mut self) -> Step {
        if self.state.stage != Stage::Listening {
            let wait = if self.state.stage == Stage::Teacher { Wait::Teacher } else { Wait::Learner(None) };
            return self.done(Vec::new(), wait);
        }
        self.alerts("stuck", "Nothing was said for a while.");
        self.state.nudged = true;
        self.state.exchange = Exchange::default();
        self.stays(words::SILENCE.to_owned())
    }

    pub(crate) fn withheld(mut self, why: &str) -> Step {
        self.alerts("safeguarding", "A message was kept back; whoever wrote it was told where help is.");
        self.notes.push(why.to_owned());
        self.state.exchange = Exchange::default();
        match self.state.stage {
            Stage::Teacher => self.done(Vec::new(), Wait::Teacher),
            Stage::Choosing => self.done(Vec::new(), Wait::Learner(None)),
            // They have just read something that matters more than a question: nobody speaks first.
            _ => {
                self.state.stage = Stage::Listening;
                self.done(Vec::new(), Wait::Learner(None))
            }
        }
    }

    /// A guard did not let the messages pass: fixed words take their place, and the question is another.
    pub(crate) fn returned(mut self, why: &str) -> Step {
        self.notes.push(format!("fixed words are shown: {why}"));
        self.state.exchange.feedback = None;
        match self.state.stage {
            Stage::Listening => {
                let plain = words::plain_question(self.state.plan.current());
                if let Some(open) = &mut self.state.open {
                    open.text.clone_from(&plain.message);
                }
                self.state.exchange.next_message = Some(plain.message.clone());
                self.listens(vec![plain.message])
            }
            Stage::Teacher => self.done(vec![words::TEACHER_IS_ASKED.to_owned()], Wait::Teacher),
            Stage::Choosing => self.done(vec!["Which topic?".to_owned()], Wait::Learner(None)),
            Stage::Over
            | Stage::Planning { .. }
            | Stage::Writing { .. }
            | Stage::Judging { .. }
            | Stage::Summarising => self.done(vec![words::ENDED.to_owned()], Wait::End),
        }
    }
}
