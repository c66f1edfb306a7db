//! The clock of the kill switch: it ticks while something runs, and a little longer, so that calls in a row do not start
//! it anew; then its thread sleeps until the next call. An idle server is woken by nobody.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, Thread};
use std::time::Duration;

use wasmtime::EngineWeak;

use crate::limits::{IDLE_TICKS, TICK_MS};

/// Ticks for as long as it lives and something runs.
pub(crate) struct Ticker {
    shared: Arc<Shared>,
    /// None where the system gave no thread: then fuel alone stops a guest.
    thread: Option<Thread>,
}

#[derive(Default)]
struct Shared {
    /// Calls that run.
    running: AtomicUsize,
    /// Whether the thread sleeps without a time.
    asleep: AtomicBool,
    /// Whether nobody needs it any more.
    over: AtomicBool,
}

/// Keeps the clock ticking.
pub(crate) struct Ticking<'a>(&'a Shared);

impl Ticker {
    /// Makes a clock for some engines.
    pub(crate) fn start(engines: Vec<EngineWeak>) -> Self {
        Self::every(Duration::from_millis(TICK_MS), move || {
            engines.iter().filter_map(EngineWeak::upgrade).for_each(|engine| engine.increment_epoch());
        })
    }

    fn every(period: Duration, tick: impl Fn() + Send + 'static) -> Self {
        let shared = Arc::new(Shared::default());
        let of_thread = Arc::clone(&shared);
        let spawned = thread::Builder::new().name("ticker".into()).spawn(move || of_thread.run(period, tick));
        Self { shared, thread: spawned.ok().map(|handle| handle.thread().clone()) }
    }

    /// Ticks for as long as what this returns is held.
    pub(crate) fn ticking(&self) -> Ticking<'_> {
        self.shared.running.fetch_add(1, Ordering::SeqCst);
        if self.shared.asleep.load(Ordering::SeqCst) {
            self.wake();
        }
        Ticking(&self.shared)
    }

    fn wake(&self) {
        if let Some(thread) = &self.thread {
            thread.unpark();
        }
    }
}

impl Drop for Ticking<'_> {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::SeqCst);
        self.wake();
    }
}

impl Shared {
    fn run(&self, period: Duration, tick: impl Fn()) {
        let mut idle = 0;
        while !self.over.load(Ordering::SeqCst) {
            idle = if self.running.load(Ordering::SeqCst) > 0 { 0 } else { idle + 1 };
            if idle > IDLE_TICKS {
                self.sleep();
                idle = 0;
            }
            tick();
            thread::sleep(period);
        }
    }

    /// Sleeps until something runs. Who begins counts himself first and looks for a sleeper then; who sleeps says so first
    /// and counts then: one of both sees the other.
    fn sleep(&self) {
        self.asleep.store(true, Ordering::SeqCst);
        while self.running.load(Ordering::SeqCst) == 0 && !self.over.load(Ordering::SeqCst) {
            thread::park();
        }
        self.asleep.store(false, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    const SOON: Duration = Duration::from_secs(10);

    #[test]
    fn it_ticks_while_something_runs_and_sleeps_when_nothing_does() {
        let (sender, ticks) = mpsc::channel();
        let ticker = Ticker::every(Duration::from_millis(1), move || sender.send(()).unwrap_or_default());
        for _ in 0..3 {
            let running = (ticker.ticking(), ticker.ticking());
            for _ in 0..2 * IDLE_TICKS {
                ticks.recv_timeout(SOON).unwrap();
            }
            drop(running);
            while !ticker.shared.asleep.load(Ordering::SeqCst) {
                thread::yield_now();
            }
            // What was sent before it slept is all that there is: no tick comes any more.
            while ticks.try_recv().is_ok() {}
            assert!(ticks.recv_timeout(Duration::from_millis(20)).is_err());
        }
        drop(ticker);
        // The thread ends, and with it the sender.
        while ticks.recv_timeout(SOON).is_ok() {}
        assert_eq!(ticks.try_recv(), Err(mpsc::TryRecvError::Disconnected));
    }
}
