//! The order of questions, and what follows from the answers.

use ta_guest::ask::{Answer, Outcome, Question};
use ta_guest::journal::Asked;
use ta_guest::post_loop::{Event, Response, Verdict};
use ta_guest::{Abort, Decision};

use crate::alternatives::{alternatives, alternatives_of_whole, chosen};
use crate::decisions::{self, Wanted};
use crate::lesson::{Lesson, Part, State};
use crate::questions::{Again, decide_on, which_alternative};
use crate::settings::{Mode, Settings};

const INSTRUCTION: &str =
    "Revise these sections and leave every other section exactly as it is. Answer with the whole lesson.";

/// The person, and what the journal holds of the questions so far: the host in a component, a script in tests.
pub(crate) trait Ask {
    fn put(&mut self, question: &Question) -> Outcome;

    /// The questions that have their outcome, of every hook, oldest first.
    fn asked(&self) -> Vec<Asked>;
}

/// Asks what there is to ask about the event's output and says what the host is to do. `rework_round` is the run's.
pub(crate) fn adjudicate(settings: &Settings, rework_round: u32, event: &Event, ask: &mut impl Ask) -> Response {
    let mut notes = Vec::new();
    let mut ids = Vec::new();
    let whole = match choose_whole(event, ask, &mut notes, &mut ids) {
        Ok(whole) => whole,
        Err(abort) => return Response::from(Verdict::Abort(abort)).notes(notes),
    };
    let shown = whole.as_ref().unwrap_or(event);
    let lesson = Lesson::read(shown, &settings.skip);
    let mut round = Round { settings, lesson, earlier: &event.decisions, whole: None, notes, ids };
    let response = match round.ask_all(ask).and_then(|()| round.end(&event.output)) {
        Ok(response) => response,
        Err(abort) => Verdict::Abort(abort).into(),
    };
    let times = decisions::times(&ask.asked(), &round.ids, rework_round);
    response.notes(round.notes).notes(times)
}

/// The event with the lesson that the teacher chose, where whole lessons were offered side by side.
fn choose_whole(
    event: &Event,
    ask: &mut impl Ask,
    notes: &mut Vec<String>,
    ids: &mut Vec<String>,
) -> Result<Option<Event>, Abort> {
    let alternatives = alternatives_of_whole(&event.output);
    if alternatives.is_empty() {
        return Ok(None);
    }
    let question = which_alternative("whole", "the whole lesson", &alternatives, None);
    ids.push(question.id.clone());
    let outcome = ask.put(&question);
    let Some(answer) = answered(outcome)? else {
        notes.push("no alternative chosen for \"the whole lesson\"".into());
        return Ok(None);
    };
    Ok(decisions::picked(&answer, &alternatives, "the whole lesson", notes).map(|(_, alternative)| {
        let output = format!("{}\n", alternative.body);
        Event { output, ..event.clone() }
    }))
}

struct Round<'a> {
    settings: &'a Settings,
    lesson: Lesson<'a>,
    /// Decisions of earlier rounds.
    earlier: &'a [Decision],
    /// The lesson as a whole, where that is what is decided on.
    whole: Option<Part>,
    notes: Vec<String>,
    /// Ids of the questions that were put.
    ids: Vec<String>,
}

impl Round<'_> {
    /// Asks everything; where everything has to be decided on, what was left open is asked about once more.
    fn ask_all(&mut self, ask: &mut impl Ask) -> Result<(), Abort> {
        self.choose(ask)?;
        self.decide(ask, Again::First)?;
        if self.settings.require_decisions && !self.reworked() && self.undecided().next().is_some() {
            self.notes
                .push("asked once more about what was left open, since every section has to be decided on".into());
            for part in self.lesson.parts.iter_mut().chain(&mut self.whole) {
                if part.state == State::Undecided {
                    part.state = State::Open;
                }
            }
            self.choose(ask)?;
            self.decide(ask, Again::Required)?;
        }
        for part in &mut self.lesson.parts {
            // A choice is a decision: what is said of the section afterwards may change it, silence does not. Where the
            // lesson as a whole is revised, the chosen text is where that begins, and may change.
            let revised = self.whole.as_ref().is_some_and(Part::is_reworked);
            if matches!(part.state, State::Chosen(_)) && !revised {
                part.state = State::Accepted;
            }
        }
        Ok(())
    }

    /// Has the teacher choose among the alternatives that an earlier round asked for.
    fn choose(&mut self, ask: &mut impl Ask) -> Result<(), Abort> {
        for part in self.lesson.parts.iter_mut().filter(|part| part.state == State::Open) {
            let alternatives = alternatives(&part.text);
            let wanted = Wanted::of(self.earlier, &part.id);
            let missing = wanted.and_then(|wanted| wanted.missing(alternatives.len()));
            self.notes.extend(missing.as_ref().map(|missing| format!("\"{}\": {missing}", part.name)));
            if alternatives.is_empty() {
                part.missing = missing;
                continue;
            }
            let question = which_alternative(&part.id, &part.name, &alternatives, missing.as_deref());
            self.ids.push(question.id.clone());
            let Some(answer) = answered(ask.put(&question))? else {
                self.notes.push(format!("no alternative chosen for \"{}\"", part.name));
                part.state = State::Undecided;
                continue;
            };
            match decisions::picked(&answer, &alternatives, &part.name, &mut self.notes) {
                Some((number, alternative)) => {
                    part.text = chosen(&part.text, &alternative.body);
                    part.state = State::Chosen(number);
                }
                None => part.state = State::Undecided,
            }
        }
        Ok(())
    }

    /// Has the teacher decide on the sections that are still open, or on the lesson as a whole.
    fn decide(&mut self, ask: &mut impl Ask, again: Again) -> Result<(), Abort> {
        if self.settings.mode == Mode::Bundle || self.lesson.parts.is_empty() {
            let state = self.whole.take().map_or(State::Open, |whole| whole.state);
            let mut part = self.lesson.whole();
            part.state = state;
            self.whole = Some(part);
        }
        let whole = self.whole.is_some();
        let is_open = |part: &&mut Part| match part.state {
            State::Open => true,
            // What was chosen and has been asked about is not asked about again.
            State::Chosen(_) => !part.asked,
            _ => false,
        };
        let mut open: Vec<&mut Part> = match &mut self.whole {
            Some(whole) => vec![whole],
            None => self.lesson.parts.iter_mut().collect(),
        };
        open.retain(|part| is_open(part));
        if open.is_empty() {
            return Ok(());
        }
        let question = decide_on(open.iter().map(|part| &**part), whole, again);
        self.ids.push(question.id.clone());
        let decisions = match answered(ask.put(&question))? {
            Some(Answer::Items(decisions)) => decisions,
            _ => Vec::new(),
        };
        for part in &mut open {
            part.asked = true;
            let decision = decisions.iter().find(|decision| decision.item == part.id);
            decisions::take(part, decision, &mut self.notes);
        }
        let stray = decisions.iter().filter(|decision| open.iter().all(|part| part.id != decision.item));
        self.notes.extend(
            stray.map(|decision| format!("ignored a decision on \"{}\", which was not asked about", decision.item)),
        );
        Ok(())
    }

    fn end(&mut self, output: &str) -> Result<Response, Abort> {
        let lines: Vec<String> = self.lesson.parts.iter().chain(&self.whole).filter_map(decisions::line).collect();
        let undecided: Vec<String> = self.undecided().map(|part| format!("\"{}\"", part.name)).collect();
        if self.reworked() {
            // Nothing is finalised in this round: what is undecided is asked again in the next.
            if !undecided.is_empty() {
                self.notes.push(format!("no decision yet on {}", undecided.join(", ")));
            }
            let instruction = [INSTRUCTION.to_owned()].into_iter().chain(lines).collect::<Vec<_>>().join("\n");
            return Ok(Response::rework(instruction, self.settings.rounds).accepted(self.lesson.accepted()));
        }
        if !undecided.is_empty() {
            self.finalise_undecided(&undecided)?;
        }
        let text = self.lesson.text();
        Ok(if text == output { Response::pass() } else { Verdict::Modify(text.into()).into() })
    }

    fn finalise_undecided(&mut self, undecided: &[String]) -> Result<(), Abort> {
        if self.settings.require_decisions {
            let reason = format!(
                "Every section has to be decided on before a lesson is finalised. Without a decision: {}. \
                 The draft and what you decided so far stay in the session. Run the command again to decide on the rest.",
                undecided.join(", ")
            );
            return Err(Abort::fault("undecided", reason));
        }
        self.notes.push(match (&self.whole, undecided.len()) {
            (Some(whole), 1) if whole.state == State::Undecided => {
                "finalised without a decision on the whole lesson".into()
            }
            (_, 1) => format!("finalised without a decision on 1 section: {}", undecided.concat()),
            (_, count) => format!("finalised without a decision on {count} sections: {}", undecided.join(", ")),
        });
        Ok(())
    }

    fn undecided(&self) -> impl Iterator<Item = &Part> {
        self.lesson.parts.iter().chain(&self.whole).filter(|part| part.state == State::Undecided)
    }

    fn reworked(&self) -> bool {
        self.lesson.parts.iter().chain(&self.whole).any(Part::is_reworked)
    }
}

/// The answer; none where the question was waved away. The other two outcomes end the run.
fn answered(outcome: Outcome) -> Result<Option<Answer>, Abort> {
    let abort = |code: &str, reason: &str| Err(Abort::fault(code, reason));
    match outcome {
        Outcome::Answered(answer) => Ok(Some(answer)),
        Outcome::Dismissed => Ok(None),
        Outcome::Declined => {
            abort("declined", "The teacher declined to decide on this draft, so it was not finalised.")
        }
        Outcome::TimedOut => abort(
            "timed-out",
            "Nobody decided on this draft in time, so it was not finalised. Run the command again to decide.",
        ),
    }
}

#[cfg(test)]
#[path = "adjudicate_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "rounds_tests.rs"]
mod rounds_tests;
