//! Fixed words: what is said about the session itself, and what stands in where neither agents nor data have any.

use crate::agents::{Kind, Meta, Written};
use crate::plan::{Plan, Status, Step};
use crate::state::{Stage, State, Wanted};

pub(crate) const ENDED: &str = "That is the end of this session. What you have done is kept.";
pub(crate) const ENDED_BY_TEACHER: &str = "Your teacher has ended this session. What you have done is kept.";
pub(crate) const EMPTY: &str = "There is nothing there yet. Write what you think, or `hint`.";
pub(crate) const SILENCE: &str = "Take your time. Your question is still here; write `hint` if one would help.";
pub(crate) const NOT_JUDGED: &str = "I could not look at that properly just now, so it does not count. Write it once more, perhaps in \
    other words.";
pub(crate) const OFFLINE: &str = "There is no language model behind this session: plan, questions and judgements come from files that a \
    person wrote. I know the answers that stand in them and look for their words in yours.";
pub(crate) const HELP: &str =
    "Write your answer in your own words. You can also write `hint`, `repeat`, `progress` or `end`.";
pub(crate) const TEACHER_IS_ASKED: &str = "We have tried this in several ways, so I have asked your teacher to look at it with you. \
    That is no mark against you. Your place is kept.";
pub(crate) const TEACHER_HAS_LOOKED: &str = "Your teacher has had a look. Let us go on.";
pub(crate) const FOR_TEACHER: &str =
    "Write a note for the tutor to go on with it, `skip: REASON` to leave the step out, or `end`.";

/// What an agent was asked, in a line for the log.
pub(crate) fn asked(state: &State) -> String {
    let step = state.plan.current().map_or("no step", |step| step.title.as_str());
    match &state.stage {
        Stage::Planning { reason: None, .. } => format!("A plan for {}", state.begin.topic),
        Stage::Planning { reason: Some(reason), .. } => format!("The plan anew: {reason}"),
        Stage::Writing { wanted: Wanted::Next, .. } => format!("The next message in {step}"),
        Stage::Writing { wanted: Wanted::Hint, .. } => format!("A hint in {step}"),
        Stage::Judging { .. } => format!("A reply in {step}"),
        Stage::Summarising => format!("{} messages", state.conversation.between()),
        Stage::Choosing | Stage::Listening | Stage::Teacher | Stage::Over => String::new(),
    }
}

pub(crate) fn progress(plan: &Plan) -> String {
    let line = |step: &Step| {
        let stands = match (step.status, step.status_info.skipped.is_some()) {
            (Status::Completed, true) => "left out",
            (Status::Completed, false) => "done",
            (Status::InProgress, _) => "you are here",
            (Status::Pending | Status::Blocked, _) => "to come",
        };
        format!("- {}: {stands}", step.title)
    };
    let lines: Vec<String> = plan.todo_list.iter().map(line).collect();
    format!("{} of {} steps are done.\n\n{}", plan.steps_completed(), plan.todo_list.len(), lines.join("\n"))
}

pub(crate) fn completed(state: &State) -> String {
    let done: Vec<&Step> = state.plan.todo_list.iter().filter(|step| step.status_info.skipped.is_none()).collect();
    let lines: Vec<String> = done.iter().map(|step| format!("- {}", step.title)).collect();
    let topic = &state.begin.topic;
    format!("That was the last step: you have worked through all of \u{201c}{topic}\u{201d}.\n\n{}", lines.join("\n"))
}

/// A question that any step can be asked.
pub(crate) fn plain_question(step: Option<&Step>) -> Written {
    let title = step.map_or("this", |step| step.title.as_str());
    Written {
        message: format!(
            "Let us look at \u{201c}{title}\u{201d} from your side: write in a sentence or two what you know about it so far."
        ),
        reasoning: "Fixed words: neither the executor nor the topic's data had a message that could be used."
            .to_owned(),
        meta: Meta { message_type: Kind::Question, difficulty: "easy".to_owned() },
    }
}
