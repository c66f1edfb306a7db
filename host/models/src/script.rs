//! A provider that answers from a file, for tests and evals.
//!
//! The file is JSON. The n-th call of a run gets the n-th answer:
//!
//! ```json
//! {
//!   "answers": [
//!     { "calls": [ { "name": "read_file", "arguments": { "path": "notes/1.4.0.md" } } ] },
//!     { "error": { "code": "model.overloaded", "message": "Too busy.", "hint": "Try again." } },
//!     { "text": "# The notes", "when": "release: 1.4.0", "usage": { "input_tokens": 900, "output_tokens": 12 },
//!       "cost_usd": 0.01, "stop": "end-turn" }
//!   ],
//!   "repeat_last": false
//! }
//! ```
//!
//! | field of an answer | meaning | default |
//! |---|---|---|
//! | `text` | the text | empty |
//! | `calls` | tool calls; `arguments` is an object, or a string that is passed on as it is, however broken | none |
//! | `usage` | tokens | estimated from the bytes |
//! | `cost_usd` | what the call cost | 0 |
//! | `stop` | `end-turn`, `tool-use`, `length`, `refusal` or `other` | by whether there are calls |
//! | `when` | a text that must occur in the last message, else the call fails with `model.script_mismatch` | anything |
//! | `delay_ms` | how long the answer takes, in milliseconds | 0 |
//! | `error` | instead of an answer, the call fails with this `code`, `message` and `hint` | |
//!
//! Which answer is next is counted in the conversation: the assistant's messages since the run began, those included
//! that a summary stands for. So a run that is
//! resumed in another process goes on where it was. An error leaves no message behind; errors in front of an answer are
//! therefore counted by the instance, given once each and in order, and a fresh process gives them again.
//! A subagent has a conversation of its own: its answers stand under its name in `"agents": { "reviewer": [ … ] }`, and
//! each of its conversations begins with the first of them. After a handoff the conversation goes on, and so do `answers`.
//!
//! After the last answer a call fails with `model.script_exhausted`, unless `repeat_last` is true.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ta_core::marked::Marked;
use ta_core::message::{Message, StopReason, ToolCall};
use ta_core::model::{BoxFuture, Model, ModelAnswer, ModelError, ModelRequest};
use ta_core::summary::answers;

use crate::estimate;

mod file;

pub use file::ScriptError;
use file::{Answer, Entry};

/// Answers from a script.
#[derive(Debug)]
pub struct Script {
    entries: Entries,
    agents: BTreeMap<String, Entries>,
    repeat_last: bool,
    history_start: usize,
    /// How many of the errors in front of each answer this instance has given.
    errors_given: Mutex<BTreeMap<(String, usize), usize>>,
}

/// The entries of one list: a call finds its own by its number, however long the list is.
#[derive(Debug, Default)]
struct Entries {
    answers: Vec<Answer>,
    /// The errors in front of each answer, by its number.
    errors: BTreeMap<usize, Vec<ModelError>>,
}

impl From<Vec<Entry>> for Entries {
    fn from(entries: Vec<Entry>) -> Self {
        let mut all = Self::default();
        for entry in entries {
            match entry {
                Entry::Answer(answer) => all.answers.push(answer),
                Entry::Error(error) => all.errors.entry(all.answers.len()).or_default().push(error),
            }
        }
        all
    }
}

impl Script {
    /// Reads a script from the text of its file.
    ///
    /// # Errors
    /// Where the text is not a script; the error names the line and says what was expected.
    pub fn parse(text: &str) -> Result<Self, ScriptError> {
        let script = file::read(text)?;
        Ok(Self {
            entries: script.answers.into(),
            agents: script.agents.into_iter().map(|(agent, entries)| (agent, entries.into())).collect(),
            repeat_last: script.repeat_last,
            history_start: 0,
            errors_given: Mutex::default(),
        })
    }

    /// Counts from here: how many assistant's messages the conversation held before this run began.
    #[must_use]
    pub fn with_history_start(mut self, assistant_messages: usize) -> Self {
        self.history_start = assistant_messages;
        self
    }

    fn answer(&self, request: &ModelRequest) -> Result<(ModelAnswer, Duration), ModelError> {
        let answered = answers(&request.messages);
        let agent = if self.agents.is_empty() { "" } else { agent_of(&request.system) };
        let (entries, place) = match self.agents.get(agent) {
            Some(entries) => (entries, answered),
            None => (&self.entries, answered.saturating_sub(self.history_start)),
        };
        if let Some(error) = self.next_error(entries, (agent.to_owned(), place)) {
            return Err(error);
        }
        let last = entries.answers.last().filter(|_| self.repeat_last);
        let Some(answer) = entries.answers.get(place).or(last) else {
            return Err(exhausted(place, entries.answers.len()));
        };
        check_condition(answer, place, request.messages.last())?;
        Ok((spoken(answer, answered, request), answer.delay))
    }

    /// The next error that stands in front of the answer at a place and was not given yet.
    fn next_error(&self, entries: &Entries, at: (String, usize)) -> Option<ModelError> {
        let errors = entries.errors.get(&at.1)?;
        let mut given = self.errors_given.lock().unwrap_or_else(PoisonError::into_inner);
        let given = given.entry(at).or_default();
        let error = errors.get(*given)?;
        *given += 1;
        Some(error.clone())
    }
}

/// The agent whose prompt it is: prompts say so in a tag.
fn agent_of(system: &str) -> &str {
    let agents = Marked::read(system).map(|marked| marked.elements("agent")).unwrap_or_default();
    agents.first().and_then(|agent| agent.attribute("name")).unwrap_or_default()
}

fn check_condition(answer: &Answer, place: usize, last: Option<&Message>) -> Result<(), ModelError> {
    let Some(wanted) = &answer.when else { return Ok(()) };
    let found = last.map_or("", |message| message.result.as_ref().map_or(message.text.as_str(), |r| r.text.as_str()));
    if found.contains(wanted.as_str()) {
        return Ok(());
    }
    Err(ModelError {
        code: "model.script_mismatch".to_owned(),
        message: format!(
            "Answer {} of the script is for a last message with \"{wanted}\", but the last message reads \"{}\".",
            place + 1,
            shortened(found)
        ),
        hint: "Change `when` in the script, or find out why the run went another way.".to_owned(),
    })
}

fn exhausted(place: usize, answers: usize) -> ModelError {
    ModelError {
        code: "model.script_exhausted".to_owned(),
        message: format!("The script holds {answers} answers, and the run asks for number {}.", place + 1),
        hint: "Add an answer to the script, or set \"repeat_last\": true.".to_owned(),
    }
}

fn spoken(answer: &Answer, turn: usize, request: &ModelRequest) -> ModelAnswer {
    let calls: Vec<ToolCall> = answer
        .calls
        .iter()
        .enumerate()
        .map(|(number, call)| ToolCall {
            id: format!("call-{}-{}", turn + 1, number + 1),
            name: call.name.clone(),
            arguments: call.arguments.clone(),
        })
        .collect();
    let stop = answer.stop.unwrap_or(if calls.is_empty() { StopReason::EndTurn } else { StopReason::ToolUse });
    let usage = answer.usage.unwrap_or_else(|| estimate::usage(request, &answer.text, &calls));
    ModelAnswer { text: answer.text.clone(), calls, stop, usage, cost_usd: answer.cost_usd, ..ModelAnswer::default() }
}

/// The beginning of a text, for an error message.
fn shortened(text: &str) -> String {
    const CHARS_MAX: usize = 120;
    let mut short: String = text.chars().take(CHARS_MAX).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

impl Model for Script {
    fn provider(&self) -> &'static str {
        "script"
    }

    fn complete<'a>(&'a self, request: &'a ModelRequest) -> BoxFuture<'a, Result<ModelAnswer, ModelError>> {
        Box::pin(async move {
            let (answer, delay) = self.answer(request)?;
            if !delay.is_zero() {
                tokio::time::sleep(delay).await;
            }
            Ok(answer)
        })
    }
}

#[cfg(test)]
mod tests;
