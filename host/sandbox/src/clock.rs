//! CPU time of a call, so that waiting and a busy machine do not count against a guest.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

use rustix::time::{ClockId, clock_gettime};

fn thread_cpu_ns() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    let nanos = u64::try_from(time.tv_nsec).unwrap_or(0);
    seconds.saturating_mul(1_000_000_000).saturating_add(nanos)
}

/// Adds up the CPU time of the polls of one future, whichever threads they run on.
#[derive(Debug, Clone, Default)]
pub(crate) struct CpuTime {
    /// Nanoseconds of the polls that are over.
    past: Arc<AtomicU64>,
    /// The thread's CPU time when the present poll began.
    began: Arc<AtomicU64>,
}

impl CpuTime {
    /// Milliseconds so far. To be called from within a poll.
    pub(crate) fn now_ms(&self) -> u64 {
        let present = thread_cpu_ns().saturating_sub(self.began.load(Ordering::Relaxed));
        self.past.load(Ordering::Relaxed).saturating_add(present) / 1_000_000
    }

    pub(crate) fn measure<F: Future>(&self, future: F) -> Measured<F> {
        Measured { time: self.clone(), future: Box::pin(future) }
    }
}

pub(crate) struct Measured<F> {
    time: CpuTime,
    future: Pin<Box<F>>,
}

impl<F: Future> Future for Measured<F> {
    /// None where the future panicked: a bug of the host must not take the host with it.
    type Output = Option<F::Output>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        let began = thread_cpu_ns();
        self.time.began.store(began, Ordering::Relaxed);
        let polled = std::panic::catch_unwind(AssertUnwindSafe(|| self.future.as_mut().poll(context)));
        let result = polled.map_or(Poll::Ready(None), |poll| poll.map(Some));
        let spent = thread_cpu_ns().saturating_sub(began);
        self.time.past.fetch_add(spent, Ordering::Relaxed);
        result
    }
}
