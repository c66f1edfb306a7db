//! An answer while it comes, and what is made of it when it is over.

use ta_core::message::{StopReason, ToolCall, Usage};
use ta_core::model::Deltas;

use crate::failure::{Failure, Kind};

/// Calls of one message that are kept; a model that asks for more is told so in the last of them.
pub const CALLS_MAX: usize = 200;
/// Bytes of one call's arguments that are kept; the core allows fewer still.
pub const ARGUMENTS_BYTES_MAX: usize = 1024 * 1024;
/// Bytes of an answer's text.
pub const TEXT_BYTES_MAX: usize = 16 * 1024 * 1024;

/// A decoded answer. Not yet priced.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The text; that of a refusal where the model declined.
    pub text: String,
    /// The calls, with ids that differ and arguments that are JSON objects. See [`ToolCall::unusable`].
    pub calls: Vec<ToolCall>,
    /// Why it stopped.
    pub stop: StopReason,
    /// Tokens, where the provider counts them.
    pub usage: Option<Usage>,
    /// Whether the model reasoned where it could be seen that it did.
    pub reasoned: bool,
}

impl Reply {
    /// What the reply came to, in a word: for reports and tests.
    #[must_use]
    pub fn outcome(&self) -> &'static str {
        match (self.stop, self.calls.is_empty(), self.text.trim().is_empty()) {
            (StopReason::Refusal, ..) => "refusal",
            (StopReason::Length, false, _) => "cut in a call",
            (StopReason::Length, ..) => "cut for length",
            (_, false, true) => "calls",
            (_, false, false) => "text and calls",
            (_, true, false) => "text",
            (_, true, true) if self.reasoned => "reasoning only",
            (_, true, true) => "empty",
        }
    }
}

/// One call while it comes.
#[derive(Debug, Default)]
struct Open {
    /// Where the provider says this call is: events of several calls may be mixed.
    slot: String,
    id: String,
    name: String,
    arguments: String,
    bytes: usize,
}

/// What has come so far.
#[derive(Debug, Default)]
pub(super) struct Draft {
    text: String,
    refusal: String,
    calls: Vec<Open>,
    calls_seen: usize,
    pub(super) stop: Option<StopReason>,
    usage: Option<Usage>,
    pub(super) reasoned: bool,
    /// Bytes of arguments and reasoning: paid for like text, and not shown.
    pub(super) unseen: usize,
    /// Whether the format's own sign of an end has come.
    pub(super) ended: bool,
}

impl Draft {
    pub(super) fn text(&mut self, delta: &str, deltas: &dyn Deltas) -> Result<(), Failure> {
        if delta.is_empty() {
            return Ok(());
        }
        if self.text.len() + delta.len() > TEXT_BYTES_MAX {
            return Err(Failure::new(Kind::ReplyTooLarge, "The provider's answer is longer than 16 MB."));
        }
        self.text.push_str(delta);
        deltas.text(delta);
        Ok(())
    }

    pub(super) fn refusal(&mut self, delta: &str, deltas: &dyn Deltas) {
        if !delta.is_empty() && self.refusal.len() + delta.len() <= TEXT_BYTES_MAX {
            self.refusal.push_str(delta);
            deltas.text(delta);
        }
    }

    /// A call, or more of one. Empty parts change nothing.
    pub(super) fn call(&mut self, slot: &str, id: &str, name: &str, arguments: &str) {
        let known = self.calls.iter().position(|open| open.slot == slot);
        let place = match known {
            Some(place) => place,
            None => {
                self.calls_seen += 1;
                if self.calls.len() >= CALLS_MAX {
                    return;
                }
                self.calls.push(Open { slot: slot.to_owned(), ..Open::default() });
                self.calls.len() - 1
            }
        };
        let Some(open) = self.calls.get_mut(place) else { return };
        if !id.is_empty() {
            id.clone_into(&mut open.id);
        }
        // Some servers send the name again with every piece.
        if !name.is_empty() {
            name.clone_into(&mut open.name);
        }
        open.bytes += arguments.len();
        self.unseen = self.unseen.saturating_add(arguments.len());
        if open.bytes <= ARGUMENTS_BYTES_MAX {
            open.arguments.push_str(arguments);
        }
    }

    /// A call that came in one piece and is no part of another.
    pub(super) fn whole_call(&mut self, id: &str, name: &str, arguments: &str) {
        let slot = format!("whole-{}", self.calls_seen);
        self.call(&slot, id, name, arguments);
    }

    /// The arguments of a call as a whole: what came in pieces is replaced.
    pub(super) fn arguments(&mut self, slot: &str, arguments: &str) {
        if let Some(open) = self.calls.iter_mut().find(|open| open.slot == slot) {
            self.unseen = self.unseen.saturating_add(arguments.len().saturating_sub(open.bytes));
            open.bytes = arguments.len();
            open.arguments.clear();
            if open.bytes <= ARGUMENTS_BYTES_MAX {
                open.arguments.push_str(arguments);
            }
        }
    }

    pub(super) fn has_call(&self, slot: &str) -> bool {
        self.calls.iter().any(|open| open.slot == slot)
    }

    /// The provider's count so far: later ones are of the whole message.
    pub(super) fn usage(&mut self, usage: Usage) {
        self.usage = Some(usage);
    }

    /// What the provider has counted so far.
    pub(super) const fn counted(&self) -> Option<&Usage> {
        self.usage.as_ref()
    }

    /// Reasoning that could be seen; it is not kept.
    pub(super) const fn thought(&mut self, delta: &str) {
        self.reasoned = true;
        self.unseen = self.unseen.saturating_add(delta.len());
    }

    /// The text so far, and that of a refusal.
    pub(super) fn said(&self) -> (&str, &str) {
        (&self.text, &self.refusal)
    }

    /// Where the call with an id stands.
    pub(super) fn slot_of(&self, id: &str) -> Option<String> {
        let found = self.calls.iter().find(|open| !id.is_empty() && open.id == id);
        found.map(|open| open.slot.clone())
    }

    /// What makes an answer grow. An event that leaves all of it as it was is a keep-alive, whatever it is called.
    pub(super) fn grown(&self) -> impl PartialEq + use<> {
        let said = (self.text.len(), self.refusal.len(), self.unseen, self.reasoned);
        (said, self.calls_seen, self.stop, self.ended, self.usage)
    }

    pub(super) fn partial(&self) -> bool {
        !self.text.is_empty() || !self.calls.is_empty() || !self.refusal.is_empty()
    }

    /// The finished reply. `turn` numbers the calls of providers that give no ids.
    pub(super) fn finish(self, turn: usize) -> Reply {
        let cut = self.stop == Some(StopReason::Length);
        let dropped = self.calls_seen.saturating_sub(self.calls.len());
        let last = self.calls.len().saturating_sub(1);
        let seen = self.calls_seen;
        let mut calls: Vec<ToolCall> = Vec::with_capacity(self.calls.len());
        for (index, open) in self.calls.into_iter().enumerate() {
            let reason = (dropped > 0 && index == last).then(|| {
                format!("the message asks for {seen} calls; this one and those after it were dropped, {CALLS_MAX} is the limit")
            });
            let id = unique(&open.id, &calls, turn, index);
            calls.push(open.checked(id, cut, reason));
        }
        let declined = !self.refusal.is_empty();
        let text = if self.text.is_empty() { self.refusal } else { self.text + &self.refusal };
        let stop = match self.stop {
            _ if cut => StopReason::Length,
            _ if declined => StopReason::Refusal,
            Some(StopReason::Refusal) => StopReason::Refusal,
            // What providers say here is not portable: the message itself decides.
            _ if !calls.is_empty() => StopReason::ToolUse,
            Some(StopReason::ToolUse) | None => StopReason::EndTurn,
            Some(stop) => stop,
        };
        Reply { text, calls, stop, usage: self.usage, reasoned: self.reasoned }
    }
}

impl Open {
    /// The call as it may stand in the history.
    fn checked(self, id: String, cut: bool, dropped: Option<String>) -> ToolCall {
        let name = self.name;
        if cut {
            return ToolCall::unusable(id, name, "your message was cut off before the call was complete");
        }
        if let Some(reason) = dropped {
            return ToolCall::unusable(id, name, &reason);
        }
        if self.bytes > ARGUMENTS_BYTES_MAX {
            let reason = format!("arguments of {} bytes; at most {ARGUMENTS_BYTES_MAX} are allowed", self.bytes);
            return ToolCall::unusable(id, name, &reason);
        }
        let text = self.arguments.trim();
        if text.is_empty() || text == "null" {
            return ToolCall { id, name, arguments: "{}".to_owned() };
        }
        match serde_json::from_str::<serde_json::Value>(text) {
            Ok(value) if value.is_object() => ToolCall { id, name, arguments: text.to_owned() },
            Ok(_) => ToolCall::unusable(id, name, "the arguments are no JSON object"),
            Err(error) => ToolCall::unusable(id, name, &format!("the arguments are no JSON: {error}")),
        }
    }
}

/// An id that no call of the message has yet.
fn unique(id: &str, calls: &[ToolCall], turn: usize, index: usize) -> String {
    let taken = |id: &str| calls.iter().any(|call| call.id == id);
    let mut unique = if id.is_empty() { format!("call-{turn}-{}", index + 1) } else { id.to_owned() };
    while taken(&unique) {
        unique = format!("{unique}-{}", index + 1);
    }
    unique
}
