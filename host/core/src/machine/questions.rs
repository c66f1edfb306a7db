//! Questions to the person: of a hook, of a tool, of the host itself. One is open at a time, and an answer counts only for the
//! very question that waits.

use sha2::{Digest, Sha256};

use super::action::{Action, Ask};
use super::hooks::HookRound;
use super::tools::ToolRound;
use super::{Machine, Step};
use crate::event::{CallReport, ItemDecided, QuestionAnswered, QuestionAsked};
use crate::hook::FileChange;
use crate::question::{Answer, Choice, Decision, Outcome, Question, QuestionKind};

/// Who asks where no component does, in `QuestionAsked::by`.
pub const HOST: &str = "host";
const YES: &str = "yes";
const NO: &str = "no";

/// A question that waits for the person.
#[derive(Debug, Clone)]
pub(super) struct Waiting {
    by: String,
    /// The tool call within which it was asked.
    call: Option<String>,
    question: Question,
    hash: String,
    decided: Vec<Decision>,
}

impl Machine {
    fn waiting(&mut self) -> Option<&mut Waiting> {
        match &mut self.step {
            Step::Hooks(hooks) => hooks.asked.as_mut(),
            Step::Tools(round) => round.asked.as_mut(),
            _ => None,
        }
    }

    pub(super) fn question_asked(&mut self, asked: &QuestionAsked) -> bool {
        let waiting = Waiting {
            by: asked.by.clone(),
            call: asked.call.clone(),
            question: asked.question.clone(),
            hash: asked.hash.clone(),
            decided: Vec::new(),
        };
        let belongs = match &mut self.step {
            Step::Hooks(hooks) => hooks.now_asks(asked, waiting),
            Step::Tools(round) => round.now_asks(asked, waiting),
            _ => false,
        };
        if belongs {
            *self.ledger.asked.entry((asked.by.clone(), asked.question.id.clone())).or_default() += 1;
            self.put_question();
        }
        belongs
    }

    pub(super) fn item_decided(&mut self, decided: &ItemDecided) -> bool {
        let Some(waiting) = self.waiting().filter(|waiting| waiting.hash == decided.hash) else { return false };
        waiting.decided.retain(|earlier| earlier.item != decided.decision.item);
        waiting.decided.push(decided.decision.clone());
        self.put_question();
        true
    }

    fn put_question(&mut self) {
        let Some(waiting) = self.waiting() else { return };
        let (by, question, hash, decided) =
            (waiting.by.clone(), waiting.question.clone(), waiting.hash.clone(), waiting.decided.clone());
        let time = self.ledger.asked.get(&(by.clone(), question.id.clone())).copied().unwrap_or(1);
        self.pending = Action::Ask(Box::new(Ask { by, question, hash, decided, time }));
    }

    pub(super) fn question_answered(&mut self, answered: &QuestionAnswered) -> bool {
        if self.waiting().is_none_or(|waiting| waiting.hash != answered.hash) {
            return false;
        }
        match std::mem::replace(&mut self.step, Step::Done) {
            Step::Hooks(mut hooks) => {
                let Some(waiting) = hooks.asked.take() else { return false };
                self.keep_answer(&waiting, answered);
                if waiting.by == HOST {
                    self.unchecked(*hooks, &answered.outcome)
                } else {
                    self.hook_answered(*hooks, answered)
                }
            }
            Step::Tools(mut round) => {
                let Some(waiting) = round.asked.take() else { return false };
                self.keep_answer(&waiting, answered);
                match waiting.call {
                    Some(call) => self.tool_answered(round, &call, answered),
                    None => self.change_decided(round, &answered.outcome),
                }
            }
            other => self.step = other,
        }
        true
    }

    fn keep_answer(&mut self, waiting: &Waiting, answered: &QuestionAnswered) {
        if let Outcome::Answered(Answer::Items(decisions)) = &answered.outcome {
            self.ledger.decisions.extend(decisions.iter().cloned());
        }
        self.ledger.questions.push(super::Asked {
            by: waiting.by.clone(),
            question: waiting.question.clone(),
            outcome: answered.outcome.clone(),
            rework_round: self.ledger.rework_rounds,
            elapsed_ms: answered.elapsed_ms,
        });
    }
}

impl HookRound {
    fn now_asks(&mut self, asked: &QuestionAsked, waiting: Waiting) -> bool {
        let own = self.binding().is_some_and(|binding| binding.hook == asked.by);
        if own {
            self.earlier = Some(asked.report.clone());
        } else if asked.by != HOST {
            return false;
        }
        self.asked = Some(waiting);
        true
    }
}

impl ToolRound {
    fn now_asks(&mut self, asked: &QuestionAsked, waiting: Waiting) -> bool {
        if let Some(call) = &asked.call {
            let Some(planned) = self.planned.iter_mut().find(|planned| planned.call.id == *call) else { return false };
            planned.earlier = Some(asked.report.clone());
        } else if asked.by != HOST {
            return false;
        }
        self.asked = Some(waiting);
        true
    }
}

/// Whether a change may be made. The answer is bound to the file as it is and as it will be, not only to what is shown.
pub(super) fn of_change(change: &FileChange) -> QuestionAsked {
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
    QuestionAsked { by: HOST.to_owned(), point: None, call: None, question, hash, report: CallReport::default() }
}

/// Whether to go on although a check could not be made.
pub(super) fn of_failed_check(hook: &str, why: &str) -> QuestionAsked {
    let question = yes_or_no(
        format!("unchecked:{hook}"),
        format!("The check {hook} could not be made. Go on without it?"),
        format!("What it looks for may be there. The reason:\n\n{}", fenced("", why)),
        ("Go on without it", "Stop here"),
    );
    let hash = question.hash();
    QuestionAsked { by: HOST.to_owned(), point: None, call: None, question, hash, report: CallReport::default() }
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
