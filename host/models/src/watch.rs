//! Passes on what comes and remembers whether any of it was shown.

use std::sync::atomic::{AtomicBool, Ordering};

use ta_core::message::Usage;
use ta_core::model::Deltas;

/// Watches for somebody else.
pub(crate) struct Watched<'a> {
    deltas: &'a dyn Deltas,
    shown: AtomicBool,
}

impl<'a> Watched<'a> {
    pub(crate) const fn new(deltas: &'a dyn Deltas) -> Self {
        Self { deltas, shown: AtomicBool::new(false) }
    }

    /// Declares what was shown void, if anything was.
    pub(crate) fn begin_again(&self) {
        if self.shown.swap(false, Ordering::Relaxed) {
            self.deltas.restarted();
        }
    }
}

impl Deltas for Watched<'_> {
    fn text(&self, delta: &str) {
        self.shown.store(true, Ordering::Relaxed);
        self.deltas.text(delta);
    }

    fn notice(&self, text: &str) {
        self.deltas.notice(text);
    }

    fn restarted(&self) {
        self.shown.store(false, Ordering::Relaxed);
        self.deltas.restarted();
    }

    fn begun(&self) {
        self.deltas.begun();
    }

    fn unseen(&self, bytes: usize) {
        self.deltas.unseen(bytes);
    }

    fn counted(&self, usage: &Usage) {
        self.deltas.counted(usage);
    }

    fn lost(&self) {
        self.deltas.lost();
    }
}
