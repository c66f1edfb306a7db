//! Threads that take requests from a bounded queue, each with a worker of its own.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use tokio::sync::mpsc::{self, Receiver, Sender};

use crate::error::StoreError;

/// What a thread does with the requests that it takes.
pub(super) trait Worker<T>: Send + 'static {
    /// Carries out requests that were waiting, in their order.
    fn carry_out(&mut self, group: Vec<T>);

    /// No request comes any more.
    fn end(&mut self) {}
}

/// A queue of requests and the threads that carry them out.
pub(super) struct Lane<T> {
    /// None only while it is dropped.
    queue: Option<Sender<T>>,
    threads: Vec<JoinHandle<()>>,
}

impl<T> fmt::Debug for Lane<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lane").field("threads", &self.threads.len()).finish_non_exhaustive()
    }
}

impl<T: Send + 'static> Lane<T> {
    /// Starts a thread for each worker. A thread takes whatever waits, `group_max` requests at the most.
    pub(super) fn start(
        name: &str,
        waiting_max: usize,
        group_max: usize,
        workers: Vec<impl Worker<T>>,
    ) -> Result<Self, StoreError> {
        let (queue, waiting) = mpsc::channel(waiting_max);
        let waiting = Arc::new(Mutex::new(waiting));
        let mut lane = Self { queue: Some(queue), threads: Vec::new() };
        for mut worker in workers {
            let waiting = Arc::clone(&waiting);
            let work = move || {
                while let Some(group) = next_group(&waiting, group_max) {
                    worker.carry_out(group);
                }
                worker.end();
            };
            let thread = thread::Builder::new().name(name.to_owned()).spawn(work);
            let failed = |error: std::io::Error| StoreError::Failed {
                doing: "starting a thread".into(),
                reason: error.to_string(),
            };
            lane.threads.push(thread.map_err(failed)?);
        }
        Ok(lane)
    }

    /// Puts a request in the queue, and waits while that is full.
    pub(super) async fn send(&self, request: T) -> Result<(), StoreError> {
        let queue = self.queue.as_ref().ok_or(StoreError::Closed)?;
        queue.send(request).await.map_err(|_| StoreError::Closed)
    }
}

/// Waits for a request and takes those behind it. None when the lane is dropped and the queue is empty.
fn next_group<T>(waiting: &Mutex<Receiver<T>>, group_max: usize) -> Option<Vec<T>> {
    // The threads of a lane wait here for each other, and hold the lock only until there is something to do.
    let mut waiting = waiting.lock().unwrap_or_else(PoisonError::into_inner);
    let mut group = vec![waiting.blocking_recv()?];
    while group.len() < group_max {
        match waiting.try_recv() {
            Ok(request) => group.push(request),
            Err(_) => break,
        }
    }
    Some(group)
}

impl<T> Drop for Lane<T> {
    fn drop(&mut self) {
        drop(self.queue.take());
        for thread in self.threads.drain(..) {
            // A thread that panicked has closed its connection, and there is nobody left to tell.
            let _ = thread.join();
        }
    }
}
