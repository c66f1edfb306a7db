//! What a program that spoke for the person is answered at the end of an exchange, and the state that it is answered from.

use serde_json::Value;

use super::Machine;
use crate::flow::{ShownMessage, Wait};

/// A step whose messages are shown to the hooks, and what comes after that.
#[derive(Debug, Clone)]
pub(super) struct Showing {
    pub(super) wait: Wait,
    pub(super) reply: Option<Value>,
    /// The messages as the flow wrote them.
    pub(super) written: Vec<ShownMessage>,
}

impl Machine {
    /// What the flow answers a program that spoke for the person: of the exchange that ended last, every hook having let it
    /// pass. None while an exchange is under way.
    #[must_use]
    pub fn reply(&self) -> Option<&Value> {
        self.exchanges.reply.as_ref()
    }

    /// SHA-256 of the flow's state at the end of the last exchange: what a surface may show of it. None before the first.
    #[must_use]
    pub fn settled_state(&self) -> Option<&str> {
        self.exchanges.settled.as_deref()
    }

    /// Number of the record with which the last exchange ended, 0 before the first: whoever speaks has seen all up to there.
    #[must_use]
    pub const fn settled_seq(&self) -> u64 {
        self.exchanges.settled_seq
    }

    /// An exchange has ended: the flow waits for the person, or for nothing more.
    pub(super) fn settle_exchange(&mut self, reply: Option<Value>) {
        self.exchanges.reply = reply;
        self.exchanges.settled_seq = self.ledger.stamp.seq;
        self.exchanges.settled = self.flow().and_then(|flow| flow.state.clone());
    }
}

/// The texts of a reply that no message repeats: hooks read them behind the messages.
pub(super) fn texts(reply: &Value, messages: &[ShownMessage]) -> Vec<String> {
    let mut found = Vec::new();
    collect(reply, &mut found);
    let said = |text: &str| messages.iter().any(|it| it.display.contains(text) || it.speech.contains(text));
    found.retain(|text| !text.trim().is_empty() && !said(text));
    found
}

fn collect(value: &Value, into: &mut Vec<String>) {
    match value {
        Value::String(text) => into.push(text.clone()),
        Value::Array(values) => values.iter().for_each(|value| collect(value, into)),
        Value::Object(values) => values.values().for_each(|value| collect(value, into)),
        // Scores and counts are no words: a guard would take a count of steps for an answer given away.
        Value::Number(_) | Value::Null | Value::Bool(_) => {}
    }
}

/// The reply with each text of a message that a hook changed as it was changed, wherever the reply repeats it. A message that
/// a hook took out is empty there.
pub(super) fn as_passed(mut reply: Value, written: &[ShownMessage], passed: &[ShownMessage]) -> Value {
    let empty = ShownMessage::plain("");
    for (index, before) in written.iter().enumerate() {
        let after = passed.get(index).unwrap_or(&empty);
        for (from, to) in [(&before.display, &after.display), (&before.speech, &after.speech)] {
            if from != to && !from.is_empty() {
                replace(&mut reply, from, to);
            }
        }
    }
    reply
}

fn replace(value: &mut Value, from: &str, to: &str) {
    match value {
        Value::String(text) => *text = text.replace(from, to),
        Value::Array(values) => values.iter_mut().for_each(|value| replace(value, from, to)),
        Value::Object(values) => values.values_mut().for_each(|value| replace(value, from, to)),
        Value::Number(_) | Value::Null | Value::Bool(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn hooks_read_what_no_message_says_already_and_no_numbers() {
        let messages = [ShownMessage::plain("Well done. What is 3 + 3?")];
        let reply =
            json!({ "feedback": "Well done.", "score": 1.0, "plan": ["halves", { "title": "thirds" }], "none": "" });
        assert_eq!(texts(&reply, &messages), ["halves", "thirds"]);
    }

    #[test]
    fn what_a_hook_changed_is_changed_in_the_reply() {
        let written = [ShownMessage::plain("It is 6."), ShownMessage::plain("Next one.")];
        let passed = [ShownMessage::plain("Try again.")];
        let reply = as_passed(json!({ "all": "It is 6. Next one.", "list": ["It is 6."], "n": 6 }), &written, &passed);
        assert_eq!(reply, json!({ "all": "Try again. ", "list": ["Try again."], "n": 6 }));
    }
}
