//! Questions to the person: of a hook, of a tool, of the host itself. One is open at a time, and an answer counts only for the
//! very question that waits.

use sha2::{Digest, Sha256};

use super::action::{Action, Ask, Stamp};
use super::requests::Waiting;
use super::{Machine, Step};
use crate::event::{CallReport, ItemDecided, RequestMade};
use crate::hook::FileChange;
use crate::question::{Answer, Choice, Outcome, Question, QuestionKind};
use crate::request::Request;

/// Who asks where no component does, in `RequestMade::by`.
pub const HOST: &str = "host";
const YES: &str = "yes";
const NO: &str = "no";

impl Machine {
    pub(super) fn ask_person(&mut self, waiting: Box<Waiting>, question: &Question) {
        *self.ledger.asked.entry((waiting.by.clone(), question.id.clone())).or_default() += 1;
        self.put_question(waiting);
    }

    pub(super) fn item_decided(&mut self, decided: &ItemDecided) -> bool {
        match std::mem::replace(&mut self.step, Step::Done) {
            Step::Requested(mut waiting) if waiting.hash == decided.hash => {
                waiting.decided.retain(|earlier| earlier.item != decided.decision.item);
                waiting.decided.push(decided.decision.clone());
                self.put_question(waiting);
                true
            }
            other => {
                self.step = other;
                false
            }
        }
    }

    fn put_question(&mut self, waiting: Box<Waiting>) {
        if let Request::Ask { question } = &waiting.request {
            let by = waiting.by.clone();
            let time = self.ledger.asked.get(&(by.clone(), question.id.clone())).copied().unwrap_or(1);
            let (request, hash, decided) = (waiting.id.clone(), waiting.hash.clone(), waiting.decided.clone());
            self.pending = Action::Ask(Box::new(Ask { request, by, question: question.clone(), hash, decided, time }));
        }
        self.step = Step::Requested(waiting);
    }

    pub(super) fn keep_answer(&mut self, by: &str, question: &Question, outcome: &Outcome, elapsed_ms: u64) {
        if let Outcome::Answered(Answer::Items(decisions)) = outcome {
            self.ledger.decisions.extend(decisions.iter().cloned());
        }
        self.ledger.questions.push(super::Asked {
            by: by.to_owned(),
            question: question.clone(),
            outcome: outcome.clone(),
            rework_round: self.ledger.rework_rounds,
            elapsed_ms,
        });
    }

    /// The person has answered what the host asked.
    pub(super) fn host_answered(&mut self, step: Step, outcome: &Outcome) {
        match step {
            Step::Hooks(hooks) => self.unchecked(*hooks, outcome),
            Step::Tools(round) => self.change_decided(round, outcome),
            other => self.step = other,
        }
    }
}

/// Whether a change may be made. The answer is bound to the file as it is and as it will be, not only to what is shown.
pub(super) fn of_change(stamp: Stamp, change: &FileChange) -> RequestMade {
    let FileChange { path, before, after, difference } = change;
    let verb = if before.is_some() { "Change" } else { "Write" };
    let question = yes_or_no(
        format!("change:{path}"),
        format!("{verb} {path}?"),
        fenced("diff", difference),
        ("Write it", "Leave it as it is"),
    );
    let bound = (question.hash(), before, after);
    let hash = hex::encode(Sha256::digest(serde_json::to_vec(&bound).unwrap_or_default()));
    of_host(stamp, question, hash)
}

/// Whether to go on although a check could not be made.
pub(super) fn of_failed_check(stamp: Stamp, hook: &str, why: &str) -> RequestMade {
    let question = yes_or_no(
        format!("unchecked:{hook}"),
        format!("The check {hook} could not be made. Go on without it?"),
        format!("What it looks for may be there. The reason:\n\n{}", fenced("", why)),
        ("Go on without it", "Stop here"),
    );
    let hash = question.hash();
    of_host(stamp, question, hash)
}

/// A request of the host, after the record of this stamp.
fn of_host(stamp: Stamp, question: Question, hash: String) -> RequestMade {
    RequestMade {
        id: format!("{HOST}@{}/1", stamp.seq),
        by: HOST.to_owned(),
        point: None,
        call: None,
        number: 1,
        hash,
        request: Request::Ask { question },
        report: CallReport::default(),
    }
}

/// Whether the person said yes to a question of the host; anything else is a no, and how it came about is said.
pub(super) fn said_yes(outcome: &Outcome) -> Result<(), &'static str> {
    match outcome {
        Outcome::Answered(Answer::Choice(choice)) if choice == YES => Ok(()),
        Outcome::Answered(_) => Err("said no to"),
        Outcome::Declined => Err("declined to decide on"),
        Outcome::Dismissed => Err("waved away"),
        Outcome::TimedOut => Err("did not answer in time about"),
    }
}

fn yes_or_no(id: String, title: String, detail: String, (yes, no): (&str, &str)) -> Question {
    let choice = |id: &str, label: &str| Choice { id: id.to_owned(), label: label.to_owned(), detail: None };
    let choices = vec![choice(YES, yes), choice(NO, no)];
    Question { id, title, detail, kind: QuestionKind::Choice { choices } }
}

/// A block of code that no line of the text ends.
fn fenced(language: &str, text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest.max(2).saturating_add(1));
    let end = if text.ends_with('\n') { "" } else { "\n" };
    format!("{fence}{language}\n{text}{end}{fence}")
}
