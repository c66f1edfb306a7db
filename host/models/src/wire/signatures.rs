//! Gemini signs its calls and wants the signatures back with the conversation.
//!
//! They are of no use to anybody else, so they stay out of the journal and live as long as the process. A run that is
//! resumed elsewhere goes on without: the provider names a word to send in their place.

use std::collections::VecDeque;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use ta_core::message::Message;

/// Signatures that are kept; the oldest go first.
const KEPT_MAX: usize = 2_000;

/// Where a call stands: what was said before its message, and its place in the message.
type Key = (u64, usize);

/// The signatures of this process.
#[derive(Debug, Default)]
pub struct Signatures(Mutex<VecDeque<(Key, String)>>);

impl Signatures {
    /// Keeps the signatures of an answer to a conversation.
    pub(crate) fn keep(&self, conversation: &[Message], signatures: Vec<(usize, String)>) {
        if signatures.is_empty() {
            return;
        }
        let mut said = Said::default();
        conversation.iter().for_each(|message| said.add(message));
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        for (place, signature) in signatures {
            kept.push_back(((said.0, place), signature));
        }
        while kept.len() > KEPT_MAX {
            kept.pop_front();
        }
    }

    /// The signature of a call of the message that follows what was said.
    pub(super) fn find(&self, said: Said, place: usize) -> Option<String> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().rev().find(|(key, _)| *key == (said.0, place)).map(|(_, signature)| signature.clone())
    }
}

/// A digest of a conversation up to a message.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Said(u64);

impl Said {
    pub(super) fn add(&mut self, message: &Message) {
        let mut hasher = DefaultHasher::new();
        self.0.hash(&mut hasher);
        message.text.hash(&mut hasher);
        for call in &message.calls {
            (&call.id, &call.name, &call.arguments).hash(&mut hasher);
        }
        if let Some(result) = &message.result {
            (&result.id, &result.text).hash(&mut hasher);
        }
        self.0 = hasher.finish();
    }
}
