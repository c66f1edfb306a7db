//! A workspace in memory with the tools as the host offers them, and the loop that carries calls out.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::provider::{Message, Part, Request, ToolCall, ToolResult};
use serde_json::Value;

/// No job of the planner takes more turns.
const TURNS_MAX: usize = 12;

pub(super) struct Room {
    pub(super) files: BTreeMap<String, String>,
    pub(super) skills: BTreeMap<String, String>,
    pub(super) parts: Vec<Part>,
    pub(super) tools: Vec<&'static str>,
    /// Calls that fail: tool, a text in the arguments, how often.
    pub(super) failures: RefCell<Vec<(&'static str, &'static str, usize)>>,
    pub(super) messages: RefCell<Vec<Message>>,
    /// What tools that belong to no file answer.
    pub(super) replies: BTreeMap<&'static str, String>,
}

pub(super) const ALL_TOOLS: [&str; 4] = ["list_directory", "read_file", "read_skill", "update_tasks"];

/// The framing of a command.
pub(super) fn command(name: &str, text: &str) -> Part {
    Part::new("command", &[("name", name)], text)
}

/// What a hook asks for when it sends the lesson back.
pub(super) fn rework_by(hook: &str, text: &str) -> Message {
    Message::user("").with(Part::new("rework", &[("hook", hook), ("round", "1")], text))
}

impl From<&str> for Message {
    fn from(said: &str) -> Self {
        Self::user(said)
    }
}

impl From<&String> for Message {
    fn from(said: &String) -> Self {
        Self::user(said)
    }
}

impl From<&Message> for Message {
    fn from(message: &Message) -> Self {
        message.clone()
    }
}

impl Room {
    pub(super) fn new(files: &[(&str, &str)]) -> Self {
        Self {
            files: files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect(),
            skills: BTreeMap::new(),
            parts: vec![command("create-lesson", "Plan.")],
            tools: ALL_TOOLS.to_vec(),
            failures: RefCell::default(),
            messages: RefCell::default(),
            replies: BTreeMap::new(),
        }
    }

    pub(super) fn with_parts(mut self, parts: Vec<Part>) -> Self {
        self.parts = parts;
        self
    }

    pub(super) fn with_command(self, command: &str) -> Self {
        self.with_parts(vec![self::command(command, "Do it.")])
    }

    pub(super) fn with_skill(mut self, name: &str, text: &str) -> Self {
        self.skills.insert(name.to_owned(), text.to_owned());
        let names: Vec<String> =
            self.skills.keys().filter(|name| !name.contains('/')).map(|name| format!("- {name}: x")).collect();
        self.with_parts(vec![Part::new("skills", &[], &names.join("\n")), command("create-lesson", "Plan.")])
    }

    /// Offers one more tool with its answer.
    pub(super) fn with_tool(mut self, name: &'static str, reply: &str) -> Self {
        self.tools.push(name);
        self.replies.insert(name, reply.to_owned());
        self
    }

    pub(super) fn without_tool(mut self, name: &str) -> Self {
        self.tools.retain(|tool| *tool != name);
        self
    }

    pub(super) fn failing(self, tool: &'static str, with: &'static str, times: usize) -> Self {
        self.failures.borrow_mut().push((tool, with, times));
        self
    }

    /// Says something and gives what the planner finally answers.
    pub(super) fn say(&self, message: impl Into<Message>) -> String {
        self.messages.borrow_mut().push(message.into());
        for _ in 0..TURNS_MAX {
            let answer = crate::answer(&self.request());
            assert_eq!(answer, crate::answer(&self.request()), "the same request gets the same answer");
            self.messages.borrow_mut().push(Message::assistant(answer.text.clone(), answer.calls.clone()));
            if answer.calls.is_empty() {
                self.check_calls();
                return answer.text;
            }
            for call in &answer.calls {
                let result = self.carried_out(call);
                self.messages.borrow_mut().push(Message::tool(result));
            }
        }
        panic!("still at work after {TURNS_MAX} turns");
    }

    pub(super) fn request(&self) -> Request {
        Request {
            parts: self.parts.clone(),
            messages: self.messages.borrow().clone(),
            tools: self.tools.iter().map(|name| (*name).to_owned()).collect(),
        }
    }

    /// The calls of the conversation in order, as "tool argument".
    pub(super) fn calls(&self) -> Vec<String> {
        let shown = |call: &ToolCall| {
            let arguments: Value = serde_json::from_str(&call.arguments).unwrap();
            let first = arguments.get("path").or_else(|| arguments.get("name")).and_then(Value::as_str).unwrap_or("");
            format!("{} {first}", call.name).trim().to_owned()
        };
        self.messages.borrow().iter().flat_map(|message| message.calls.iter().map(shown).collect::<Vec<_>>()).collect()
    }

    /// Ids never repeat, and no call is made a third time within a job.
    fn check_calls(&self) {
        let messages = self.messages.borrow();
        let calls: Vec<&ToolCall> = messages.iter().flat_map(|message| &message.calls).collect();
        let ids: std::collections::BTreeSet<&str> = calls.iter().map(|call| call.id.as_str()).collect();
        assert_eq!(ids.len(), calls.len(), "ids repeat");
        let job = messages.iter().rposition(|message| message.role == crate::provider::Role::User).unwrap_or(0);
        let calls: Vec<&ToolCall> = messages[job..].iter().flat_map(|message| &message.calls).collect();
        for call in &calls {
            let times =
                calls.iter().filter(|other| other.name == call.name && other.arguments == call.arguments).count();
            assert!(times <= 2, "{} {} was called {times} times", call.name, call.arguments);
        }
    }

    fn carried_out(&self, call: &ToolCall) -> ToolResult {
        let arguments: Value = serde_json::from_str(&call.arguments).unwrap();
        let result = if self.fails(call) {
            Err("the disk is on fire\nmore".to_owned())
        } else {
            self.result(&call.name, &arguments)
        };
        let failed = result.is_err();
        ToolResult { id: call.id.clone(), name: call.name.clone(), failed, text: result.unwrap_or_else(|why| why) }
    }

    fn fails(&self, call: &ToolCall) -> bool {
        let mut failures = self.failures.borrow_mut();
        let due = failures
            .iter_mut()
            .find(|(tool, with, times)| *tool == call.name && call.arguments.contains(with) && *times > 0);
        due.map(|(_, _, times)| *times -= 1).is_some()
    }

    fn result(&self, tool: &str, arguments: &Value) -> Result<String, String> {
        let text = |name: &str| arguments.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        match tool {
            "list_directory" => self.listing(&text("path")),
            "read_file" => self.file(&text("path"), arguments),
            "read_skill" => self.skills.get(&text("name")).cloned().ok_or_else(|| "no such skill".to_owned()),
            "update_tasks" => {
                let tasks = arguments["tasks"].as_array().unwrap();
                tasks.iter().for_each(|task| assert!(task["title"].is_string() && task["id"].is_string()));
                Ok("noted".to_owned())
            }
            other => self.replies.get(other).cloned().ok_or_else(|| format!("no tool {other}")),
        }
    }

    /// What stands directly in a directory, those within it with a slash.
    fn listing(&self, path: &str) -> Result<String, String> {
        let lead = if path == "." { String::new() } else { format!("{path}/") };
        let names = self.files.iter().filter_map(|(name, text)| Some((name.strip_prefix(&lead)?, text.len())));
        let mut lines: Vec<String> = names
            .map(|(name, bytes)| match name.split_once('/') {
                Some((directory, _)) => format!("{directory}/"),
                None => format!("{name} ({bytes} bytes)"),
            })
            .collect();
        lines.dedup();
        if lines.is_empty() { Err(format!("there is no directory {path}")) } else { Ok(lines.join("\n")) }
    }

    fn file(&self, path: &str, arguments: &Value) -> Result<String, String> {
        let text = self.files.get(path).ok_or_else(|| format!("there is no file {path}"))?;
        let number = |name: &str| usize::try_from(arguments[name].as_u64().unwrap()).unwrap();
        let (offset, limit) = (number("offset"), number("limit"));
        let total = text.lines().count();
        let mut out = String::new();
        for (at, line) in text.lines().enumerate().skip(offset - 1).take(limit) {
            writeln!(out, "{:>6}\t{line}", at + 1).unwrap();
        }
        let last = (offset + limit - 1).min(total);
        if last < total {
            writeln!(out, "[lines {offset}-{last} of {total}]").unwrap();
        }
        Ok(out)
    }
}
