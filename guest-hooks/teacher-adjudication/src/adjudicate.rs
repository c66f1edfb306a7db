//! The order of questions, and what follows from the answers.

use ta_guest::ask::{Answer, Outcome, Question};
use ta_guest::post_loop::{Event, Response, Verdict};
use ta_guest::{Abort, Decision};

use crate::alternatives::{alternatives, chosen};
use crate::lesson::{Lesson, Part, State};
use crate::questions::{decide_on, which_alternative};
use crate::settings::{Mode, Settings};

/// What is asked for when a teacher wants a section revised without saying how.
const REVISE_DEFAULT: &str = "Draft this section again, differently.";

/// Alternatives: more than five cannot be compared, fewer than two are no choice.
const ALTERNATIVES_MIN: u32 = 2;
const ALTERNATIVES_MAX: u32 = 5;

const INSTRUCTION: &str =
    "Revise these sections and leave every other section exactly as it is. Answer with the whole lesson.";

/// Asks the teacher: the host in a component, a script in tests.
pub(crate) trait Ask {
    fn put(&mut self, question: &Question) -> Outcome;
}

/// Asks what there is to ask about the event's output and says what the host is to do.
pub(crate) fn adjudicate(settings: &Settings, event: &Event, ask: &mut impl Ask) -> Response {
    let lesson = Lesson::read(event, &settings.skip);
    let mut round = Round { settings, lesson, whole: None, notes: Vec::new() };
    let asked = round.choose(ask).and_then(|()| round.decide(ask));
    let response = match asked.and_then(|()| round.end(&event.output)) {
        Ok(response) => response,
        Err(abort) => Verdict::Abort(abort).into(),
    };
    response.notes(round.notes)
}

struct Round<'a> {
    settings: &'a Settings,
    lesson: Lesson<'a>,
    /// The lesson as a whole, where that is what is decided on.
    whole: Option<Part>,
    notes: Vec<String>,
}

impl Round<'_> {
    /// Has the teacher choose among the alternatives that an earlier round asked for.
    fn choose(&mut self, ask: &mut impl Ask) -> Result<(), Abort> {
        for part in self.lesson.parts.iter_mut().filter(|part| part.state == State::Open) {
            let alternatives = alternatives(&part.text);
            if alternatives.is_empty() {
                continue;
            }
            let answer = answered(ask.put(&which_alternative(part, &alternatives)))?;
            let picked = match &answer {
                Some(Answer::Choice(id)) => {
                    (1..).zip(&alternatives).find(|(number, _): &(u32, _)| number.to_string() == *id)
                }
                _ => None,
            };
            let Some((number, alternative)) = picked else {
                self.notes.push(format!("no alternative chosen for \"{}\"", part.name));
                part.state = State::Undecided;
                continue;
            };
            self.notes.push(format!("chose alternative {number} for \"{}\": {}", part.name, alternative.label));
            part.text = chosen(&part.text, &alternative.body);
            part.state = State::Accepted;
        }
        Ok(())
    }

    /// Has the teacher decide on the sections that are still open, or on the lesson as a whole.
    fn decide(&mut self, ask: &mut impl Ask) -> Result<(), Abort> {
        if self.settings.mode == Mode::Bundle || self.lesson.parts.is_empty() {
            self.whole = Some(self.lesson.whole());
        }
        let whole = self.whole.is_some();
        let mut open: Vec<&mut Part> = match &mut self.whole {
            Some(whole) => vec![whole],
            None => self.lesson.parts.iter_mut().filter(|part| part.state == State::Open).collect(),
        };
        if open.is_empty() {
            return Ok(());
        }
        let question = decide_on(open.iter().map(|part| &**part), whole);
        let decisions = match answered(ask.put(&question))? {
            Some(Answer::Items(decisions)) => decisions,
            _ => Vec::new(),
        };
        for part in &mut open {
            part.state = decisions.iter().find(|decision| decision.item == part.id).map_or(State::Undecided, state);
            self.notes.extend(note(part));
        }
        let stray = decisions.iter().filter(|decision| open.iter().all(|part| part.id != decision.item));
        self.notes.extend(
            stray.map(|decision| format!("ignored a decision on \"{}\", which was not asked about", decision.item)),
        );
        Ok(())
    }

    fn end(&mut self, output: &str) -> Result<Response, Abort> {
        let lines: Vec<String> = self.lesson.parts.iter().chain(&self.whole).filter_map(line).collect();
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
        Ok(if text == output { Response::pass() } else { Verdict::Modify(text).into() })
    }

    fn finalise_undecided(&mut self, undecided: &[String]) -> Result<(), Abort> {
        if self.settings.require_decisions {
            let reason = format!(
                "Every section has to be decided on before a lesson is finalised. Without a decision: {}. \
                 Run the command again to decide on them.",
                undecided.join(", ")
            );
            return Err(Abort { code: "undecided".into(), reason });
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
        let reworked = |part: &Part| matches!(part.state, State::Revise(_) | State::Alternatives(_));
        self.lesson.parts.iter().chain(&self.whole).any(reworked)
    }
}

/// The answer; none where the question was waved away. The other two outcomes end the run.
fn answered(outcome: Outcome) -> Result<Option<Answer>, Abort> {
    let abort = |code: &str, reason: &str| Err(Abort { code: code.into(), reason: reason.into() });
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

fn state(decision: &Decision) -> State {
    let text = decision.text.as_deref().unwrap_or_default();
    match decision.choice.as_str() {
        "accept" => State::Accepted,
        "revise" => {
            // The instruction has one line for each section.
            let folded = text.split_whitespace().collect::<Vec<_>>().join(" ");
            State::Revise(if folded.is_empty() { REVISE_DEFAULT.into() } else { folded })
        }
        "alternatives" => State::Alternatives(count(text)),
        _ => State::Undecided,
    }
}

/// The first number in the text, kept between the least and the most.
fn count(text: &str) -> u32 {
    let digits: String =
        text.chars().skip_while(|c| !c.is_ascii_digit()).take_while(char::is_ascii_digit).take(4).collect();
    digits.parse().map_or(ALTERNATIVES_MIN, |count: u32| count.clamp(ALTERNATIVES_MIN, ALTERNATIVES_MAX))
}

fn note(part: &Part) -> Option<String> {
    let name = &part.name;
    match &part.state {
        State::Accepted => Some(format!("accepted \"{name}\"")),
        State::Revise(text) => Some(format!("to revise \"{name}\": {text}")),
        State::Alternatives(count) => Some(format!("{count} alternatives for \"{name}\"")),
        State::Open | State::Skipped | State::Undecided => None,
    }
}

/// The part's line in the instruction.
fn line(part: &Part) -> Option<String> {
    let name = &part.name;
    match &part.state {
        State::Accepted => Some(format!("- Accepted \"{name}\"")),
        State::Revise(text) => Some(format!("- Revise \"{name}\": {text}")),
        State::Alternatives(count) => Some(format!("- Alternatives \"{name}\": {count}")),
        State::Open | State::Skipped | State::Undecided => None,
    }
}

#[cfg(test)]
#[path = "adjudicate_tests.rs"]
mod tests;
