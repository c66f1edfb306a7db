//! Room in the model's window: of an older conversation a summary stays.
//!
//! At most 80 % of the window are for what is sent. Where the next request would come to more, messages make room, the
//! oldest first, until half of the window is used. What is left is a conversation that providers take: a call goes with its results.

use super::action::{Action, ModelCall};
use super::{Machine, Step};
use crate::event::ContextCompacted;
use crate::hook::HookInput;
use crate::message::{Message, Role, Usage};
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

impl Counted {
    fn of(call: &ModelCall, usage: Usage) -> Option<Self> {
        let bytes = tokens::request_bytes(&call.system, &call.messages, &call.tools);
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
    /// A session in which messages have made room already, or whose earlier runs decided something.
    #[must_use]
    pub fn remembering(mut self, earlier: Summary) -> Self {
        self.context.earlier = earlier;
        self
    }

    /// What later runs of the session have to know, should the messages of this one make room.
    #[must_use]
    pub fn remembered(&self) -> Summary {
        let mut summary = self.context.earlier.clone();
        summary.decided(&self.context.questions);
        for section in &self.accepted {
            summary.constrain(&format!("the section \"{}\" is accepted and stays as it is", section.heading));
        }
        for path in &self.context.written {
            summary.file(&format!("written: {path}"));
        }
        summary
    }

    /// Keeps what the provider counted, to correct our estimates by.
    pub(super) fn count(&mut self, usage: Usage) {
        let Action::CallModel(call) = &self.pending else { return };
        self.counted = Counted::of(call, usage).or(self.counted);
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
    pub(super) fn compacted(&mut self, compacted: &ContextCompacted) {
        if !matches!(self.step, Step::Room) {
            return;
        }
        let history = std::mem::take(&mut self.context.history);
        let spared = compacted.spared.iter().filter_map(|at| history.get(*at));
        let kept = history.get(compacted.cut..).unwrap_or_default();
        let own = self.context.history_before;
        let before = compacted.spared.iter().filter(|at| **at < own).count() + own.saturating_sub(compacted.cut);
        self.context.history =
            std::iter::once(&Message::user(compacted.text.clone())).chain(spared).chain(kept).cloned().collect();
        self.context.history_before = 1 + before;
        self.context.earlier = compacted.summary.clone();
        self.before_model();
    }

    pub(super) fn before_model(&mut self) {
        let system_bytes =
            self.prompt.as_ref().map_or(0, |prompt| u32::try_from(prompt.system.len()).unwrap_or(u32::MAX));
        self.run_hooks(HookInput::PreModel { messages: self.context.history.clone(), system_bytes }, None);
    }

    fn tokens_of(&self, messages: usize) -> u64 {
        let fixed = match &self.prompt {
            Some(prompt) => tokens::request_bytes(&prompt.system, &[], &prompt.tools),
            None => 0,
        };
        let estimate = tokens::of_bytes(fixed + messages);
        self.counted.map_or(estimate, |counted| counted.corrected(estimate))
    }

    /// How messages make room, where they have to and it helps.
    fn crowded(&self) -> Option<ContextCompacted> {
        let window = self.start.context_window?;
        let history = &self.context.history;
        let tokens_before = self.tokens_of(history.iter().map(tokens::message_bytes).sum());
        if tokens_before <= window.saturating_mul(INPUT_PERCENT) / 100 {
            return None;
        }
        let target = window.saturating_mul(TARGET_PERCENT) / 100;
        let first = usize::from(history.first().is_some_and(is_summary));
        // Whatever may begin what is kept: everything but a result, and never nothing.
        let begins = |at: &usize| history.get(*at).is_some_and(|message| message.role != Role::Tool);
        let cuts: Vec<usize> = (first + 1..history.len()).filter(begins).collect();
        // The later the cut, the less is left.
        let cut_at = |place: usize| cuts.get(place).map(|cut| self.cut(first, *cut, window, tokens_before));
        let enough = |cut: &usize| self.cut(first, *cut, window, tokens_before).tokens_after <= target;
        let place = cuts.partition_point(|cut| !enough(cut)).min(cuts.len().saturating_sub(1));
        cut_at(place).filter(|compacted| compacted.tokens_after < tokens_before)
    }

    fn cut(&self, first: usize, cut: usize, window: u64, tokens_before: u64) -> ContextCompacted {
        let history = &self.context.history;
        let spared = self.spared(first, cut);
        let dropped = (first..cut).filter(|at| !spared.contains(at)).filter_map(|at| history.get(at));
        let mut summary = self.remembered();
        for read in &self.context.reads {
            summary.file(&format!("read: {} (sha256 {})", read.path, read.sha256.get(..12).unwrap_or(&read.sha256)));
        }
        summary.drop(&dropped.collect::<Vec<_>>());
        let text = summary.render();
        let kept = spared.iter().filter_map(|at| history.get(*at)).chain(history.iter().skip(cut));
        let bytes = text.len() + kept.map(tokens::message_bytes).sum::<usize>();
        ContextCompacted {
            turn: self.context.turns + 1,
            window,
            tokens_before,
            tokens_after: self.tokens_of(bytes),
            estimated: self.counted.is_none(),
            cut,
            spared,
            summary,
            text,
        }
    }

    /// Messages before the cut that stay: the run's request, its latest draft and what was asked of that.
    fn spared(&self, first: usize, cut: usize) -> Vec<usize> {
        let history = &self.context.history;
        let own = self.context.history_before;
        let draft = (own..history.len()).rev().find(|at| {
            history.get(*at).is_some_and(|it| it.role == Role::Assistant && it.calls.is_empty() && !it.text.is_empty())
        });
        let asked = draft.map(|at| at + 1).filter(|at| history.get(*at).is_some_and(|it| it.role == Role::User));
        let mut spared: Vec<usize> = [Some(own), draft, asked].into_iter().flatten().collect();
        spared.retain(|at| (first..cut).contains(at));
        spared.sort_unstable();
        spared.dedup();
        spared
    }
}
