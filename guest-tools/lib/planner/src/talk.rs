//! What the conversation says so far: which job is at hand, and which calls of it are answered.
//!
//! Nothing is remembered between two calls of the model. Each time the planner walks through its work from the start,
//! and what was asked before finds its answer here.

use crate::provider::{Message, Role, ToolCall};
use serde_json::Value;

use super::prompt::words;

/// The conversation, divided at the message that opened the job at hand.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Talk<'a> {
    messages: &'a [Message],
    anchor: usize,
}

impl<'a> Talk<'a> {
    pub(crate) fn read(messages: &'a [Message], tools_offered: bool) -> Self {
        Self { messages, anchor: anchor(messages, tools_offered) }
    }

    /// The message that opened the job, without what hooks added.
    pub(crate) fn request(&self) -> String {
        self.messages.get(self.anchor).map(|message| words(message, &[])).unwrap_or_default()
    }

    /// What is to be done now: the request, or, where a message only carries what a handoff said, the request before it.
    pub(crate) fn task(&self) -> String {
        let message = self.messages.get(self.anchor);
        let request = message.map(|message| words(message, &["handoff"])).unwrap_or_default();
        if request.is_empty() { self.earlier_requests().next().unwrap_or_default() } else { request }
    }

    /// Whether a hook asks to go round again.
    pub(crate) fn is_rework(&self) -> bool {
        self.messages.get(self.anchor).is_some_and(is_rework)
    }

    /// Every message of the person's side in this job.
    pub(crate) fn asked(&self) -> impl Iterator<Item = &'a Message> {
        self.job().iter().filter(|message| message.role == Role::User)
    }

    /// Every text of those messages: what the host put there, then what the person said.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &'a str> {
        self.asked()
            .flat_map(|message| message.parts.iter().map(|part| part.text.as_str()).chain([message.said.as_str()]))
    }

    /// The newest lesson in the conversation.
    pub(crate) fn last_lesson(&self) -> Option<&'a str> {
        self.messages
            .iter()
            .rev()
            .filter(|message| message.role == Role::Assistant)
            .map(lesson_of)
            .find_map(|text| text)
    }

    /// The newest answer in words.
    pub(crate) fn last_answer(&self) -> Option<&'a str> {
        let answers = self.messages.iter().rev().filter(|message| message.role == Role::Assistant);
        answers
            .filter(|message| message.calls.is_empty())
            .map(|message| message.said.as_str())
            .find(|text| !text.is_empty())
    }

    /// The last lesson that stood before this job was opened.
    pub(crate) fn earlier_lesson(&self) -> Option<&'a str> {
        self.before()
            .iter()
            .rev()
            .filter(|message| message.role == Role::Assistant)
            .map(lesson_of)
            .find_map(|text| text)
    }

    /// The requests of the person before this job, newest first.
    pub(crate) fn earlier_requests(&self) -> impl Iterator<Item = String> {
        let users = self.before().iter().rev().filter(|message| message.role == Role::User && !is_rework(message));
        users.map(|message| words(message, &[])).filter(|text| !text.is_empty())
    }

    /// Files that were read anywhere in the conversation: path and the numbered lines, in the order of reading.
    pub(crate) fn files_read(&self) -> Vec<(String, &'a str)> {
        self.answered("read_file", "path")
    }

    /// Skills and their files that were read anywhere in the conversation: name and text.
    pub(crate) fn skills_read(&self) -> Vec<(String, &'a str)> {
        self.answered("read_skill", "name")
    }

    /// What a tool answered anywhere in the conversation, by one of its arguments.
    fn answered(&self, tool: &str, argument: &str) -> Vec<(String, &'a str)> {
        let numbered = self.messages.iter().enumerate();
        let calls = numbered.flat_map(|(at, message)| message.calls.iter().map(move |call| (at, call)));
        calls
            .filter(|(_, call)| call.name == tool)
            .filter_map(|(at, call)| {
                let arguments: Value = serde_json::from_str(&call.arguments).ok()?;
                Some((arguments.get(argument)?.as_str()?.to_owned(), outcome(self.messages, at, call).text()?))
            })
            .collect()
    }

    /// Number of the turn about to be taken, counted from 1 over the whole conversation: ids never repeat.
    pub(crate) fn turn(&self) -> usize {
        self.messages.iter().filter(|message| message.role == Role::Assistant).count() + 1
    }

    fn before(&self) -> &'a [Message] {
        self.messages.get(..self.anchor).unwrap_or_default()
    }

    fn job(&self) -> &'a [Message] {
        self.messages.get(self.anchor..).unwrap_or_default()
    }
}

/// Where the job at hand begins: at the first message of the person after the last finished answer. A rework opens a
/// job of its own once there is a lesson; any other message from the host while tools are at work only nudges.
fn anchor(messages: &[Message], tools_offered: bool) -> usize {
    let mut anchor = 0;
    let mut open = false;
    let mut lesson_seen = false;
    for (at, message) in messages.iter().enumerate() {
        match message.role {
            Role::User if is_rework(message) && lesson_seen => (anchor, open) = (at, true),
            // A hook that withdrew tool calls asks for other ones: the job goes on.
            Role::User if is_rework(message) => open = true,
            Role::User if !open || !is_nudge(message, tools_offered) => (anchor, open) = (at, true),
            Role::Assistant if message.calls.is_empty() && !message.said.is_empty() => {
                open = false;
                lesson_seen |= lesson_of(message).is_some();
            }
            _ => {}
        }
    }
    anchor
}

fn is_rework(message: &Message) -> bool {
    message.role == Role::User && message.parts.first().is_some_and(|part| part.name == "rework")
}

/// A message that asks for an end or only carries what a hook adds is no request of its own.
fn is_nudge(message: &Message, tools_offered: bool) -> bool {
    let text = message.said.to_lowercase();
    let asks_for_end = ["final answer", "last answer", "finish now", "without tools", "no more tools", "no progress"];
    !tools_offered || text.is_empty() || text.starts_with('<') || asks_for_end.iter().any(|words| text.contains(words))
}

fn lesson_of(message: &Message) -> Option<&str> {
    let text = message.said.trim_start();
    (text.starts_with("# ") && text.contains("\n## ")).then_some(message.said.as_str())
}

/// One call with what came of it.
#[derive(Debug, Clone, Copy)]
enum Attempt<'a> {
    Answered(&'a str),
    Failed(&'a str),
    /// The call was made and no result is in the conversation: it was refused or lost.
    Unanswered,
}

impl<'a> Attempt<'a> {
    fn text(self) -> Option<&'a str> {
        match self {
            Self::Answered(text) => Some(text),
            Self::Failed(_) | Self::Unanswered => None,
        }
    }
}

fn attempts<'a, 'b>(
    messages: &'a [Message],
    name: &'b str,
    arguments: &'b Value,
) -> impl Iterator<Item = Attempt<'a>> + use<'a, 'b> {
    messages.iter().enumerate().flat_map(move |(at, message)| {
        let calls = message.calls.iter().filter(move |call| {
            call.name == name && serde_json::from_str::<Value>(&call.arguments).is_ok_and(|made| made == *arguments)
        });
        calls.map(move |call| outcome(messages, at, call))
    })
}

fn outcome<'a>(messages: &'a [Message], at: usize, call: &ToolCall) -> Attempt<'a> {
    let later = messages.iter().skip(at + 1).take_while(|message| message.role != Role::Assistant);
    match later.filter_map(|message| message.result.as_ref()).find(|result| result.id == call.id) {
        Some(result) if result.failed => Attempt::Failed(&result.text),
        Some(result) => Attempt::Answered(&result.text),
        None => Attempt::Unanswered,
    }
}

/// What came of asking a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reply<T> {
    /// The tool answered.
    Here(T),
    /// It failed, twice, with this reason.
    Failed(String),
    /// No such tool is offered.
    NotOffered,
    /// It is asked now; the answer comes with the next turn.
    Asked,
}

impl<T> Reply<T> {
    pub(crate) fn here(self) -> Option<T> {
        match self {
            Self::Here(value) => Some(value),
            _ => None,
        }
    }

    pub(crate) fn map<U>(self, change: impl FnOnce(T) -> U) -> Reply<U> {
        match self {
            Self::Here(value) => Reply::Here(change(value)),
            Self::Failed(why) => Reply::Failed(why),
            Self::NotOffered => Reply::NotOffered,
            Self::Asked => Reply::Asked,
        }
    }
}

/// One repetition of a failed call; more would be a loop.
const ATTEMPTS_MAX: usize = 2;

/// The tools of this turn: answers what was asked before, collects what is to be asked now.
#[derive(Debug)]
pub(crate) struct Desk<'a> {
    pub(crate) talk: Talk<'a>,
    tools: &'a [String],
    calls: Vec<ToolCall>,
    declined: bool,
}

impl<'a> Desk<'a> {
    pub(crate) fn new(talk: Talk<'a>, tools: &'a [String]) -> Self {
        Self { talk, tools, calls: Vec::new(), declined: false }
    }

    /// Says no, with what the person reads: nothing is written or changed, and the run is no success.
    pub(crate) fn decline(&mut self, why: String) -> Option<String> {
        self.declined = true;
        Some(why)
    }

    /// Whether what was said is a no.
    pub(crate) fn declined(&self) -> bool {
        self.declined
    }

    pub(crate) fn offers(&self, name: &str) -> bool {
        self.tools.iter().any(|tool| tool == name)
    }

    /// The name of a tool on offer that begins and goes on like this.
    pub(crate) fn tool_like(&self, lead: &str, part: &str) -> Option<String> {
        let fits = |name: &str| name.strip_prefix(lead).is_some_and(|rest| rest.contains(part));
        self.tools.iter().map(String::as_str).find(|name| fits(name)).map(str::to_owned)
    }

    /// Asks a tool, or gives what it answered earlier in this job.
    pub(crate) fn ask(&mut self, name: &str, arguments: &Value) -> Reply<&'a str> {
        let attempts: Vec<Attempt<'a>> = attempts(self.talk.job(), name, arguments).collect();
        if let Some(text) = attempts.iter().rev().find_map(|attempt| attempt.text()) {
            return Reply::Here(text);
        }
        if attempts.len() >= ATTEMPTS_MAX || (!attempts.is_empty() && !self.offers(name)) {
            let reason = attempts.iter().rev().find_map(|attempt| match attempt {
                Attempt::Failed(text) => Some(first_line(text)),
                _ => None,
            });
            return Reply::Failed(reason.unwrap_or_else(|| "no answer came".to_owned()));
        }
        if !self.offers(name) {
            return Reply::NotOffered;
        }
        self.make(name, arguments);
        Reply::Asked
    }

    /// Asks a tool once: what was refused is not asked for again.
    pub(crate) fn try_once(&mut self, name: &str, arguments: &Value) -> Reply<&'a str> {
        let attempts: Vec<Attempt<'a>> = attempts(self.talk.job(), name, arguments).collect();
        match attempts.last() {
            Some(Attempt::Answered(text)) => Reply::Here(text),
            Some(Attempt::Failed(why)) => Reply::Failed(first_line(why)),
            Some(Attempt::Unanswered) => Reply::Failed("no answer came".to_owned()),
            None if !self.offers(name) => Reply::NotOffered,
            None => {
                self.make(name, arguments);
                Reply::Asked
            }
        }
    }

    /// Makes a call whose answer changes nothing: once, and not at all where the tool is not offered.
    pub(crate) fn tell(&mut self, name: &str, arguments: &Value) {
        if self.offers(name) && attempts(self.talk.job(), name, arguments).next().is_none() {
            self.make(name, arguments);
        }
    }

    fn make(&mut self, name: &str, arguments: &Value) {
        let id = format!("call-{}-{}", self.talk.turn(), self.calls.len() + 1);
        self.calls.push(ToolCall { id, name: name.to_owned(), arguments: arguments.to_string() });
    }

    /// Whether something has to be asked before the work can go on.
    pub(crate) fn waits(&self) -> bool {
        !self.calls.is_empty()
    }

    /// The calls to make now.
    pub(crate) fn take_calls(&mut self) -> Vec<ToolCall> {
        std::mem::take(&mut self.calls)
    }
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().trim().to_owned()
}

#[cfg(test)]
mod tests;
