//! What was said, and how much of it agents see: the first messages, the last ones, and a summary of those between.

use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

/// Messages of the beginning that agents always see.
pub const FIRST: usize = 3;
/// Messages of the end.
pub const LAST: usize = 12;
/// Messages that are kept with the state beside the first ones; the journal has all of them.
const KEPT: usize = 40;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The tutor.
    Tutor,
    /// The learner.
    Student,
    /// The teacher, who was asked for.
    Teacher,
}

/// A message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// Who.
    pub role: Role,
    /// What.
    pub content: String,
    /// The step that was taught; none before the plan.
    pub step_id: Option<String>,
    /// When.
    pub timestamp: String,
}

/// A summary of the messages between the first and the last ones.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// How many messages it is of.
    pub messages: usize,
    /// Digest of them.
    pub digest: String,
    /// Its text.
    pub text: String,
}

/// What was said.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conversation {
    first: Vec<Message>,
    recent: Vec<Message>,
    /// Messages between the two that are no longer kept.
    left_out: usize,
    /// Digest of all messages that have left the last ones, in order.
    digest: u64,
    summary: Option<Summary>,
}

impl Conversation {
    /// Adds a message.
    pub fn push(&mut self, message: Message) {
        if self.first.len() < FIRST {
            self.first.push(message);
            return;
        }
        self.recent.push(message);
        if let Some(at) = self.recent.len().checked_sub(LAST + 1)
            && let Some(left) = self.recent.get(at)
        {
            self.digest = digest(self.digest, left);
        }
        if self.recent.len() > KEPT {
            self.recent.remove(0);
            self.left_out += 1;
        }
    }

    /// How many messages there were.
    #[must_use]
    pub fn count(&self) -> usize {
        self.first.len() + self.left_out + self.recent.len()
    }

    /// How many stand between the first and the last ones.
    #[must_use]
    pub fn between(&self) -> usize {
        self.count().saturating_sub(FIRST + LAST)
    }

    /// All that are kept, in order.
    pub fn messages(&self) -> impl Iterator<Item = &Message> {
        self.first.iter().chain(&self.recent)
    }

    /// The last of this role.
    #[must_use]
    pub fn last_of(&self, role: Role) -> Option<&Message> {
        self.recent.iter().rev().chain(self.first.iter().rev()).find(|it| it.role == role)
    }

    /// Whether messages stand between that no summary is of.
    #[must_use]
    pub fn needs_summary(&self) -> bool {
        self.between() > 0 && self.summary.as_ref().is_none_or(|summary| summary.digest != self.digest_between())
    }

    fn digest_between(&self) -> String {
        format!("{:016x}", self.digest)
    }

    /// What the summariser reads: the summary before, and the messages that it is not of.
    #[must_use]
    pub fn to_summarise(&self) -> (Option<&Summary>, Vec<&Message>) {
        let (known, between) = (self.summary.as_ref().map_or(0, |summary| summary.messages), self.between());
        let from = known.saturating_sub(self.left_out);
        let to = between.saturating_sub(self.left_out);
        (self.summary.as_ref(), self.recent.iter().take(to).skip(from).collect())
    }

    /// Keeps a summary of the messages that stand between now.
    pub fn summarised(&mut self, text: &str) {
        let (messages, digest) = (self.between(), self.digest_between());
        self.summary = Some(Summary { messages, digest, text: text.to_owned() });
    }

    /// What agents see: at most the first messages, a summary, and the last ones.
    #[must_use]
    pub fn window(&self) -> Vec<Json> {
        let between = self.between();
        let last = self.recent.iter().skip(self.recent.len().saturating_sub(LAST));
        let message = |it: &Message| json!({ "role": it.role, "content": it.content, "step_id": it.step_id });
        let mut window: Vec<Json> = self.first.iter().map(message).collect();
        if between > 0 {
            let text = self.summary.as_ref().map(|summary| summary.text.as_str()).unwrap_or_default();
            window.push(json!({ "role": "system", "content": format!("[{between} messages before: {text}]") }));
        }
        window.extend(last.map(message));
        window
    }
}

/// FNV-1a over who spoke and what was said: enough to know whether a summary is of these very messages.
fn digest(before: u64, message: &Message) -> u64 {
    let seed = if before == 0 { 0xcbf2_9ce4_8422_2325 } else { before };
    let role = [message.role as u8];
    let bytes = role.iter().chain(message.content.as_bytes());
    bytes.fold(seed, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(n: usize) -> Message {
        Message { role: Role::Student, content: format!("m{n}"), step_id: None, timestamp: String::new() }
    }

    #[test]
    fn agents_see_the_first_three_a_summary_and_the_last_twelve() {
        let mut conversation = Conversation::default();
        for n in 0..15 {
            conversation.push(said(n));
            assert!(!conversation.needs_summary() && conversation.window().len() == n + 1);
        }
        for n in 15..120 {
            conversation.push(said(n));
            assert!(conversation.needs_summary(), "{n}");
            let (before, new) = conversation.to_summarise();
            assert_eq!((before.map_or(0, |it| it.messages), new.len()), (n - 15, 1), "each message is summarised once");
            assert_eq!(new[0].content, format!("m{}", n - 12));
            conversation.summarised(&format!("up to {n}"));
            assert!(!conversation.needs_summary());
            let window = conversation.window();
            let texts: Vec<&str> = window.iter().map(|it| it["content"].as_str().unwrap()).collect();
            assert_eq!(texts[..3], ["m0", "m1", "m2"]);
            assert_eq!(texts[3], format!("[{} messages before: up to {n}]", n - 14));
            assert_eq!((texts[4], texts.len()), (format!("m{}", n - 11).as_str(), 16));
        }
        assert_eq!(conversation.count(), 120);
        assert!(conversation.messages().count() < 50);
    }
}
