//! What comes of an answer: shown while it comes, and kept where the call is given up or cut.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ta_core::event::{CallPrice, Event, ModelPartial};
use ta_core::message::Usage;
use ta_core::model::Deltas;
use tokio::sync::Notify;

use crate::observer::Observer;

/// English text comes to about four bytes a token.
const BYTES_PER_TOKEN: usize = 4;

/// What has come of the answer under way. The run keeps hold of it, so that it is there when the call is given up.
#[derive(Clone, Default)]
pub(super) struct Partial(Arc<Mutex<Came>>);

#[derive(Default)]
struct Came {
    turn: u32,
    /// What the request is taken to come to.
    input_tokens: u64,
    price: Option<CallPrice>,
    /// Of tries that were cut.
    void: Vec<String>,
    /// Of the present one.
    text: String,
}

impl Came {
    fn event(&self, text: String) -> ModelPartial {
        let output_tokens = u64::try_from(text.len().div_ceil(BYTES_PER_TOKEN)).unwrap_or(u64::MAX);
        let cost_usd = self.price.and_then(|price| price.usd(self.input_tokens, output_tokens)).unwrap_or_default();
        let usage = Usage { input_tokens: self.input_tokens, output_tokens, estimated: true, ..Usage::default() };
        ModelPartial { turn: self.turn, text, usage, cost_usd }
    }
}

impl Partial {
    /// A call begins: nothing has come yet.
    pub(super) fn begin(&self, turn: u32, input_tokens: u64, price: Option<CallPrice>) {
        *self.came() = Came { turn, input_tokens, price, ..Came::default() };
    }

    /// The answer is there: what has come of it is no partial one.
    pub(super) fn complete(&self) {
        self.came().text.clear();
    }

    /// What was broken off since the call began, as events; they are handed out once.
    pub(super) fn take(&self) -> Vec<Event> {
        let mut came = self.came();
        let mut texts = std::mem::take(&mut came.void);
        texts.push(std::mem::take(&mut came.text));
        texts.retain(|text| !text.is_empty());
        texts.into_iter().map(|text| Event::ModelPartial(came.event(text))).collect()
    }

    /// Declares what has come of the present try void; answers with what all that is void is taken to have cost.
    fn cut(&self) -> f64 {
        let mut came = self.came();
        let text = std::mem::take(&mut came.text);
        came.void.push(text);
        came.void.iter().map(|text| came.event(text.clone()).cost_usd).sum()
    }

    fn came(&self) -> MutexGuard<'_, Came> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Shows an answer while it comes.
pub(super) struct Watch<'a> {
    partial: Partial,
    observer: &'a dyn Observer,
    /// US dollars that tries which were cut may cost before the call no longer fits its budget.
    spare_usd: Option<f64>,
    dear: Notify,
}

impl<'a> Watch<'a> {
    pub(super) fn new(partial: &Partial, observer: &'a dyn Observer, spare_usd: Option<f64>) -> Self {
        Self { partial: partial.clone(), observer, spare_usd, dear: Notify::new() }
    }

    /// Answers when another try would not fit the budget any more.
    pub(super) async fn too_dear(&self) {
        self.dear.notified().await;
    }
}

impl Deltas for Watch<'_> {
    fn text(&self, delta: &str) {
        self.partial.came().text.push_str(delta);
        self.observer.delta(delta);
    }

    fn notice(&self, text: &str) {
        self.observer.notice(text);
    }

    fn restarted(&self) {
        let lost = self.partial.cut();
        self.observer.restarted();
        if self.spare_usd.is_some_and(|spare| lost > spare) {
            self.dear.notify_one();
        }
    }
}
