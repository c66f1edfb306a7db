//! Room in the model's window: of an older conversation a summary stays.
//!
//! At most 80 % of the window are for what is sent. Where the next request would come to more, messages make room, the
//! oldest first, until half of the window is used. What is left is a conversation that providers take: a call goes with its results.

use super::action::{Action, ModelCall};
use super::{Machine, Step};
use crate::event::{ContextCompacted, Crowded};
use crate::hook::HookInput;
use crate::message::{Message, Messages, Role, Usage};
use crate::summary::{Summary, is_summary};
use crate::tokens;

/// The share of a window that may be sent, in percent.
const INPUT_PERCENT: u64 = 80;
/// The share that is used after messages made room, in percent: so that it does not happen with every turn.
const TARGET_PERCENT: u64 = 50;
/// How far a provider's count may lie from our estimate: what lies further off counts something else.
const RATIO_MIN: (u64, u64) = (1, 2);
const RATIO_MAX: (u64, u64) = (4, 1);

/// What a provider counted for a request, and what we had estimated for the same one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Counted {
    real: u64,
    estimated: u64,
}

/// How much of a window may be sent, in tokens.
const fn input_max(window: u64) -> u64 {
    window.saturating_mul(INPUT_PERCENT) / 100
}

impl Counted {
    fn of(call: &ModelCall, usage: Usage) -> Option<Self> {
        let bytes = call.framing.bytes() + call.messages.bytes();
        let (real, estimated) = (usage.input_tokens, tokens::of_bytes(bytes).max(1));
        (!usage.estimated && real > 0).then_some(Self { real, estimated })
    }

    /// An estimate, corrected by how far the last one was off.
    fn corrected(self, estimate: u64) -> u64 {
        let by = |(real, estimated): (u64, u64)| estimate.saturating_mul(real) / estimated.max(1);
        by((self.real, self.estimated)).clamp(by(RATIO_MIN), by(RATIO_MAX))
    }
}

impl Machine {
    /// What later runs of the session have to know, should the messages of this one make room.
    #[must_use]
    pub fn remembered(&self) -> Summary {
        let mut summary = self.conversation.earlier.clone();
        summary.decided(&self.ledger.questions);
        for part in &self.conversation.accepted {
            summary.constrain(&format!("the section \"{}\" is accepted and stays as it is", part.title));
        }
        for path in &self.ledger.written {
            summary.file(&format!("written: {path}"));
        }
        summary
    }

    /// Keeps what the provider counted, to correct our estimates by.
    pub(super) fn count(&mut self, usage: Usage) {
        let Action::CallModel(call) = &self.pending else { return };
        self.conversation.counted = Counted::of(call, usage).or(self.conversation.counted);
    }

    /// Goes on with the turn, once there is room for it.
    pub(super) fn make_room(&mut self) {
        match self.crowded() {
            Some(compacted) => {
                self.step = Step::Room;
                self.pending = Action::Compact(Box::new(compacted));
            }
            None => self.before_model(),
        }
    }

    /// Applies what the journal holds, so that a later version of these rules changes no run that has been.
    pub(super) fn compacted(&mut self, compacted: &ContextCompacted) -> bool {
        if !matches!(self.step, Step::Room) {
            return false;
        }
        let history = std::mem::take(&mut self.conversation.history);
        let spared = compacted.spared.iter().filter_map(|at| history.get(*at));
        let kept = history.get(compacted.cut..).unwrap_or_default();
        let own = self.conversation.history_before;
        let before = compacted.spared.iter().filter(|at| **at < own).count() + own.saturating_sub(compacted.cut);
        self.conversation.history =
            std::iter::once(&Message::user(compacted.text.clone())).chain(spared).chain(kept).cloned().collect();
        self.conversation.history_before = 1 + before;
        self.conversation.earlier = compacted.summary.clone();
        self.before_model();
        true
    }

    pub(super) fn before_model(&mut self) {
        let system_bytes = self
            .conversation
            .prompt
            .as_ref()
            .map_or(0, |prompt| u32::try_from(prompt.system.len()).unwrap_or(u32::MAX));
        self.run_hooks(HookInput::PreModel { messages: self.conversation.history.clone(), system_bytes }, None);
    }

    /// What a request comes to, where it is more than should be sent although older messages have made room.
    pub(super) fn filled(&self, messages: &Messages) -> Option<Crowded> {
        let window = self.ledger.start.context_window?;
        let tokens = self.tokens_of(messages.bytes());
        (tokens > input_max(window)).then_some(Crowded { tokens, window })
    }

    fn tokens_of(&self, messages: usize) -> u64 {
        let estimate = tokens::of_bytes(self.conversation.prompt_bytes + messages);
        self.conversation.counted.map_or(estimate, |counted| counted.corrected(estimate))
    }

    /// How messages make room, where they have to and it helps.
    fn crowded(&self) -> Option<ContextCompacted> {
        let window = self.ledger.start.context_window?;
        let history = &self.conversation.history;
        let bytes = |from: usize| history.iter().skip(from).map(tokens::message_bytes).sum::<usize>();
        let tokens_before = self.tokens_of(history.bytes());
        if tokens_before <= input_max(window) {
            return None;
        }
        let target = window.saturating_mul(TARGET_PERCENT) / 100;
        let first = usize::from(history.first().is_some_and(is_summary));
        let mut spared = self.spared(first);
        let (mut summary, mut kept, mut found) = (self.known(), bytes(first), None);
        for (at, message) in history.iter().enumerate().skip(first) {
            // Whatever may begin what is kept: everything but a result.
            if at > first && message.role != Role::Tool && self.tokens_of(kept) <= target {
                let tokens_after = self.tokens_of(kept + summary.render().len());
                found = Some((at, tokens_after, summary.clone()));
                if tokens_after <= target {
                    break;
                }
            }
            if !spared.contains(&at) {
                kept -= tokens::message_bytes(message);
                summary.drop(message, &self.ledger.start.kept_shapes);
            }
        }
        let (cut, tokens_after, summary) = found.or_else(|| self.all_but_the_last(first, &spared))?;
        spared.retain(|at| *at < cut);
        let (turn, estimated, text) = (self.next_turn(), self.conversation.counted.is_none(), summary.render());
        let compacted =
            ContextCompacted { turn, window, tokens_before, tokens_after, estimated, cut, spared, summary, text };
        (compacted.tokens_after < tokens_before).then_some(compacted)
    }

    /// Where even little is too much: all but the last message, and the results that belong to it.
    fn all_but_the_last(&self, first: usize, spared: &[usize]) -> Option<(usize, u64, Summary)> {
        let history = &self.conversation.history;
        let cut = history.iter().rposition(|message| message.role != Role::Tool).filter(|cut| *cut > first)?;
        let (mut summary, mut kept) = (self.known(), 0);
        for (at, message) in history.iter().enumerate().skip(first) {
            if at >= cut || spared.contains(&at) {
                kept += tokens::message_bytes(message);
            } else {
                summary.drop(message, &self.ledger.start.kept_shapes);
            }
        }
        Some((cut, self.tokens_of(kept + summary.render().len()), summary))
    }

    /// What is known before any message makes room.
    fn known(&self) -> Summary {
        let mut summary = self.remembered();
        for read in &self.ledger.reads {
            summary.file(&format!("read: {} (sha256 {})", read.path, read.sha256.get(..12).unwrap_or(&read.sha256)));
        }
        summary
    }

    /// Messages that stay wherever the cut is: the run's request, its latest draft and what was asked of that.
    fn spared(&self, first: usize) -> Vec<usize> {
        let history = &self.conversation.history;
        let own = self.conversation.history_before;
        let draft = (own..history.len()).rev().find(|at| {
            history.get(*at).is_some_and(|it| it.role == Role::Assistant && it.calls.is_empty() && !it.text.is_empty())
        });
        let asked = draft.map(|at| at + 1).filter(|at| history.get(*at).is_some_and(|it| it.role == Role::User));
        let mut spared: Vec<usize> =
            [Some(own), draft, asked].into_iter().flatten().filter(|at| *at >= first).collect();
        spared.sort_unstable();
        spared.dedup();
        spared
    }
}
