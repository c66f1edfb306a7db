//! Where posted answers lie until the run takes them.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ta_runtime::Reply;
use ta_runtime::surface::Ask;
use tokio::sync::Notify;

/// A reply that somebody posted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Posted {
    /// Hash of the question that it is for.
    pub(crate) hash: String,
    /// The reply.
    pub(crate) reply: Reply,
    /// When it was posted, in milliseconds since 1970-01-01 UTC.
    pub(crate) at_ms: u64,
}

/// Posted answers of one run.
#[derive(Default)]
pub(crate) struct Desk {
    inner: Mutex<Inner>,
    changed: Notify,
}

#[derive(Default)]
struct Inner {
    posted: VecDeque<Posted>,
    /// Nobody will look any more: the run is being parked or is over.
    closed: bool,
    /// The question before the person, and since when, in milliseconds since 1970-01-01 UTC.
    shown: Option<(String, u64)>,
    /// How long the reply that was taken last took.
    took_ms: Option<u64>,
}

impl Desk {
    /// A desk with answers on it, to a question that was shown at a time.
    pub(crate) fn with(hash: &str, shown_ms: u64, posted: Vec<Posted>) -> Self {
        let shown = Some((hash.to_owned(), shown_ms));
        let inner = Inner { posted: posted.into(), shown, ..Inner::default() };
        Self { inner: Mutex::new(inner), changed: Notify::new() }
    }

    /// Puts answers on it; gives them back where nobody will look any more.
    pub(crate) fn put(&self, posted: Vec<Posted>) -> Option<Vec<Posted>> {
        let mut inner = self.inner();
        if inner.closed {
            return Some(posted);
        }
        inner.posted.extend(posted);
        drop(inner);
        self.changed.notify_one();
        None
    }

    /// A question, or what is left of it, has been before the person since then.
    pub(crate) fn shown(&self, hash: &str, at_ms: u64) {
        self.inner().shown = Some((hash.to_owned(), at_ms));
    }

    /// How long the reply that was taken last took.
    pub(crate) fn took_ms(&self) -> Option<u64> {
        self.inner().took_ms
    }

    /// Nobody will look any more.
    pub(crate) fn close(&self) {
        self.inner().closed = true;
    }

    /// The next reply to this question; later, when none comes in time, and then nobody will look any more.
    pub(crate) async fn take(&self, ask: &Ask, patience: Duration) -> Reply {
        let deadline = tokio::time::sleep(patience);
        tokio::pin!(deadline);
        loop {
            if let Some(reply) = self.next(ask) {
                return reply;
            }
            tokio::select! {
                () = self.changed.notified() => {}
                () = &mut deadline => {
                    let mut inner = self.inner();
                    if inner.posted.is_empty() {
                        inner.closed = true;
                        return Reply::Later;
                    }
                }
            }
        }
    }

    fn next(&self, ask: &Ask) -> Option<Reply> {
        let mut inner = self.inner();
        while let Some(posted) = inner.posted.pop_front() {
            if posted.hash == ask.hash {
                let shown = inner.shown.as_ref().filter(|(hash, _)| *hash == ask.hash);
                inner.took_ms = shown.map(|(_, since)| posted.at_ms.saturating_sub(*since));
                return Some(posted.reply);
            }
        }
        None
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
