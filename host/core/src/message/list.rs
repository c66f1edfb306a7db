//! A conversation as a whole, and what its messages come to together.

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sha2::{Digest, Sha256};

use super::Message;
use crate::tokens;

/// A conversation, oldest message first. Whoever is handed it shares it; who adds to it has one of its own.
///
/// Every turn asks what all messages come to. That is kept up as messages are added, so that a turn costs what is new in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Messages(Arc<Shared>);

#[derive(Debug, Clone, Default)]
struct Shared {
    list: Vec<Message>,
    /// Bytes of all messages that a model reads.
    bytes: usize,
    /// How many of the first messages were reckoned before, and what those come to.
    before: (usize, JsonSum),
    /// What all come to, once somebody has asked.
    sum: OnceLock<JsonSum>,
}

/// What the JSON of messages comes to together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct JsonSum {
    /// A chain over the messages: the SHA-256 of the chain before a message and of the SHA-256 of that message's JSON.
    /// Before the first stand zeros.
    pub chain: [u8; 32],
    /// Bytes that are ASCII.
    pub ascii: usize,
    /// The other bytes.
    pub other: usize,
}

impl JsonSum {
    fn and(self, message: &Message) -> Self {
        let json = message.json();
        let chain = Sha256::new().chain_update(self.chain).chain_update(json.sha256).finalize().into();
        Self { chain, ascii: self.ascii + json.ascii, other: self.other + json.other }
    }
}

impl Messages {
    /// Adds one at its end.
    pub fn push(&mut self, message: Message) {
        let shared = Arc::make_mut(&mut self.0);
        if let Some(sum) = shared.sum.take() {
            shared.before = (shared.list.len(), sum);
        }
        shared.bytes += tokens::message_bytes(&message);
        shared.list.push(message);
    }

    /// What their JSON comes to.
    #[must_use]
    pub fn json_sum(&self) -> JsonSum {
        let Shared { list, before: (count, sum), sum: all, .. } = &*self.0;
        *all.get_or_init(|| list.iter().skip(*count).fold(*sum, JsonSum::and))
    }

    /// Bytes of them that a model reads.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.0.bytes
    }
}

impl PartialEq for Shared {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || self.list == other.list
    }
}

impl Eq for Shared {}

impl Deref for Messages {
    type Target = [Message];

    fn deref(&self) -> &[Message] {
        &self.0.list
    }
}

impl From<Vec<Message>> for Messages {
    fn from(list: Vec<Message>) -> Self {
        let bytes = list.iter().map(tokens::message_bytes).sum();
        Self(Arc::new(Shared { list, bytes, ..Shared::default() }))
    }
}

impl FromIterator<Message> for Messages {
    fn from_iter<I: IntoIterator<Item = Message>>(messages: I) -> Self {
        Vec::from_iter(messages).into()
    }
}

impl Extend<Message> for Messages {
    fn extend<I: IntoIterator<Item = Message>>(&mut self, messages: I) {
        messages.into_iter().for_each(|message| self.push(message));
    }
}

impl Serialize for Messages {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.list.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Messages {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::from)
    }
}

impl JsonSchema for Messages {
    fn schema_name() -> Cow<'static, str> {
        Vec::<Message>::schema_name()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Vec::<Message>::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reckoned_anew(messages: &Messages) -> JsonSum {
        Messages::from(messages.to_vec()).json_sum()
    }

    #[test]
    fn what_is_kept_up_is_what_comes_out_when_all_is_reckoned_anew() {
        let mut messages = Messages::default();
        let mut sums = Vec::new();
        for number in 0..50 {
            messages.push(Message::user(format!("message {number}, with an é")));
            // Asked for after some messages alone, and while others share what there is so far.
            let shared = messages.clone();
            if number % 3 == 0 {
                assert_eq!(messages.json_sum(), reckoned_anew(&messages));
                sums.push(messages.json_sum().chain);
            }
            messages.push(Message::assistant("yes", Vec::new()));
            assert_eq!(shared.json_sum(), reckoned_anew(&shared));
            assert_eq!(messages.bytes(), messages.iter().map(tokens::message_bytes).sum::<usize>());
        }
        assert_eq!(messages.json_sum(), reckoned_anew(&messages));
        sums.sort_unstable();
        sums.dedup();
        assert_eq!(sums.len(), 17, "every conversation has a chain of its own");
    }

    #[test]
    fn a_chain_tells_the_order_of_messages() {
        let of = |texts: [&str; 2]| texts.map(Message::user).into_iter().collect::<Messages>().json_sum();
        assert_ne!(of(["one", "two"]).chain, of(["two", "one"]).chain);
        assert_eq!(of(["one", "two"]).ascii, of(["two", "one"]).ascii);
        assert_eq!(Messages::default().json_sum(), JsonSum::default());
    }
}
