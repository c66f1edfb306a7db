//! What comes of an answer: shown while it comes, kept and reckoned where the call is given up or cut.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ta_core::event::{CallPrice, Event, ModelPartial};
use ta_core::message::Usage;
use ta_core::model::Deltas;
use tokio::sync::Notify;

use crate::observer::Observer;

/// English text comes to about four bytes a token.
const BYTES_PER_TOKEN: usize = 4;
/// No text comes to so many bytes a token: what is dear even so is too dear for certain.
const BYTES_PER_TOKEN_MAX: usize = 8;

/// What has come of the answer under way. The run keeps hold of it, so that it is there when the call is given up.
#[derive(Clone, Default)]
pub(super) struct Partial(Arc<Mutex<Came>>);

#[derive(Default)]
struct Came {
    turn: u32,
    /// What the request is taken to come to.
    input_tokens: u64,
    price: Option<CallPrice>,
    /// Tries that were cut, and what they are taken to have cost.
    void: Vec<Try>,
    lost_usd: f64,
    /// The present one.
    now: Try,
}

/// What came of one try.
#[derive(Default)]
struct Try {
    /// Whether the provider began to answer: a try that it refused, or that never reached it, costs nothing.
    begun: bool,
    text: String,
    /// Bytes of arguments and reasoning.
    unseen: usize,
    /// What the provider has counted.
    told: Option<Usage>,
}

impl Try {
    fn paid(&self) -> bool {
        self.begun || !self.text.is_empty() || self.told.is_some()
    }
}

impl Came {
    /// What a try is taken to have used: what the provider counted, and what came where that is more.
    fn usage(&self, it: &Try, bytes_per_token: usize) -> Usage {
        let told = it.told.unwrap_or_default();
        let bytes = it.text.len().saturating_add(it.unseen);
        let came = u64::try_from(bytes.div_ceil(bytes_per_token)).unwrap_or(u64::MAX);
        let input_tokens = if told.input_tokens > 0 { told.input_tokens } else { self.input_tokens };
        Usage { input_tokens, output_tokens: told.output_tokens.max(came), estimated: true, ..told }
    }

    fn usd(&self, usage: Usage) -> f64 {
        self.price.map_or(0.0, |price| price.usd_at_least(usage.input_tokens, usage.output_tokens))
    }

    fn event(&self, it: Try) -> ModelPartial {
        let usage = self.usage(&it, BYTES_PER_TOKEN);
        ModelPartial { turn: self.turn, usage, cost_usd: self.usd(usage), text: it.text }
    }

    /// What is certainly spent by now.
    fn spent_usd(&self) -> f64 {
        self.lost_usd + self.usd(self.usage(&self.now, BYTES_PER_TOKEN_MAX))
    }
}

impl Partial {
    /// A call begins: nothing has come yet.
    pub(super) fn begin(&self, turn: u32, input_tokens: u64, price: Option<CallPrice>) {
        *self.came() = Came { turn, input_tokens, price, ..Came::default() };
    }

    /// The answer is there: what has come of it is no partial one.
    pub(super) fn complete(&self) {
        self.came().now = Try::default();
    }

    /// What was broken off since the call began; it is handed out once.
    pub(super) fn take(&self) -> Vec<ModelPartial> {
        let mut came = self.came();
        let mut tries = std::mem::take(&mut came.void);
        tries.push(std::mem::take(&mut came.now));
        tries.retain(Try::paid);
        tries.into_iter().map(|it| came.event(it)).collect()
    }

    /// The same as events.
    pub(super) fn events(&self) -> Vec<Event> {
        self.take().into_iter().map(Event::ModelPartial).collect()
    }

    fn came(&self) -> MutexGuard<'_, Came> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a call may cost.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Room {
    /// US dollars that tries which were cut may cost before the whole call no longer fits its budget.
    pub(super) spare_usd: Option<f64>,
    /// US dollars that are left altogether.
    pub(super) left_usd: Option<f64>,
}

/// Shows an answer while it comes.
pub(super) struct Watch<'a> {
    partial: Partial,
    observer: &'a dyn Observer,
    room: Room,
    dear: Notify,
    streams: bool,
}

impl<'a> Watch<'a> {
    pub(super) fn new(partial: &Partial, observer: &'a dyn Observer, room: Room) -> Self {
        Self { partial: partial.clone(), observer, room, dear: Notify::new(), streams: true }
    }

    /// The same, which shows nothing of the answer unless this is so: what a flow's agents write is no word to the person, and
    /// several of them write at once.
    pub(super) fn streaming(self, streams: bool) -> Self {
        Self { streams, ..self }
    }

    /// Answers when another try would not fit the budget any more, or this one has left it behind.
    pub(super) async fn too_dear(&self) {
        self.dear.notified().await;
    }

    /// Notes what has come of the present try.
    fn note(&self, note: impl FnOnce(&mut Try)) {
        let mut came = self.partial.came();
        note(&mut came.now);
        if self.room.left_usd.is_some_and(|left| came.spent_usd() > left) {
            self.dear.notify_one();
        }
    }
}

impl Deltas for Watch<'_> {
    fn text(&self, delta: &str) {
        self.note(|now| now.text.push_str(delta));
        if self.streams {
            self.observer.delta(delta);
        }
    }

    fn notice(&self, text: &str) {
        self.observer.notice(text);
    }

    fn restarted(&self) {
        if self.streams {
            self.observer.restarted();
        }
    }

    fn begun(&self) {
        self.note(|now| now.begun = true);
    }

    fn unseen(&self, bytes: usize) {
        self.note(|now| now.unseen += bytes);
    }

    fn counted(&self, usage: &Usage) {
        self.note(|now| now.told = Some(*usage));
    }

    fn lost(&self) {
        let mut came = self.partial.came();
        let cut = std::mem::take(&mut came.now);
        if cut.paid() {
            came.lost_usd += came.usd(came.usage(&cut, BYTES_PER_TOKEN));
            came.void.push(cut);
        }
        if self.room.spare_usd.is_some_and(|spare| came.lost_usd > spare) {
            self.dear.notify_one();
        }
    }
}
