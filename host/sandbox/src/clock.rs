//! Time of a call: the CPU time that it uses and the time that it waits, each with its own limit, so that neither a
//! busy machine nor another run counts against a guest.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use tokio::time::{Sleep, sleep};

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
    /// Whether the present poll ends because the guest gives way, not because it waits.
    gives_way: Arc<AtomicBool>,
}

impl CpuTime {
    /// Milliseconds so far. To be called from within a poll.
    pub(crate) fn now_ms(&self) -> u64 {
        let present = thread_cpu_ns().saturating_sub(self.began.load(Ordering::Relaxed));
        self.past.load(Ordering::Relaxed).saturating_add(present) / 1_000_000
    }

    /// Says that the present poll is about to end so that others have their turn.
    pub(crate) fn give_way(&self) {
        self.gives_way.store(true, Ordering::Relaxed);
    }

    /// Runs the future for as long as it does not wait for longer than `patience`, all its waits together.
    pub(crate) fn measure<F: Future>(&self, patience: Duration, future: F) -> Measured<F> {
        Measured { time: self.clone(), future: Box::pin(future), patience, waiting: None }
    }
}

/// How a measured future ended.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum End<T> {
    /// It came to its end.
    Returned(T),
    /// It panicked: a bug of the host must not take the host with it.
    Panicked,
    /// It waited for too long.
    Waited,
}

pub(crate) struct Measured<F> {
    time: CpuTime,
    future: Pin<Box<F>>,
    /// Time that it may still wait.
    patience: Duration,
    /// Since when it waits, and what wakes it when its patience is over.
    waiting: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl<F: Future> Future for Measured<F> {
    type Output = End<F::Output>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        if let Some((since, _)) = self.waiting.take() {
            self.patience = self.patience.saturating_sub(since.elapsed());
        }
        let began = thread_cpu_ns();
        self.time.began.store(began, Ordering::Relaxed);
        self.time.gives_way.store(false, Ordering::Relaxed);
        let polled = std::panic::catch_unwind(AssertUnwindSafe(|| self.future.as_mut().poll(context)));
        let spent = thread_cpu_ns().saturating_sub(began);
        self.time.past.fetch_add(spent, Ordering::Relaxed);
        match polled {
            Err(_) => Poll::Ready(End::Panicked),
            Ok(Poll::Ready(value)) => Poll::Ready(End::Returned(value)),
            Ok(Poll::Pending) if self.time.gives_way.load(Ordering::Relaxed) => Poll::Pending,
            Ok(Poll::Pending) => {
                let mut alarm = Box::pin(sleep(self.patience));
                if self.patience.is_zero() || alarm.as_mut().poll(context).is_ready() {
                    return Poll::Ready(End::Waited);
                }
                self.waiting = Some((Instant::now(), alarm));
                Poll::Pending
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PATIENCE: Duration = Duration::from_millis(20);

    #[tokio::test]
    async fn waiting_ends_and_a_panic_is_caught() {
        let time = CpuTime::default();
        assert_eq!(time.measure(PATIENCE, std::future::pending::<()>()).await, End::Waited);
        assert_eq!(time.measure(PATIENCE, async { panic!("a bug") }).await, End::<()>::Panicked);
        let naps = async {
            loop {
                sleep(Duration::from_millis(1)).await;
            }
        };
        assert_eq!(time.measure(PATIENCE, naps).await, End::<()>::Waited);
    }

    /// A machine that is busy with something else for longer than the patience lasts.
    #[tokio::test]
    async fn giving_way_is_not_waiting() {
        let time = CpuTime::default();
        let mut turns = 0;
        let guest = std::future::poll_fn(|context| {
            std::thread::sleep(PATIENCE);
            turns += 1;
            time.give_way();
            context.waker().wake_by_ref();
            if turns < 4 { Poll::Pending } else { Poll::Ready(turns) }
        });
        assert_eq!(time.measure(PATIENCE, guest).await, End::Returned(4));
        assert!(time.past.load(Ordering::Relaxed) < 20_000_000, "sleeping is no CPU time");
    }
}
