//! The person at a page: waited for a little, then the run is parked.

use std::sync::Arc;
use std::time::Duration;

use ta_runtime::surface::{Ask, BoxFuture};
use ta_runtime::{Person, Reply};

use super::LiveRun;

/// Whoever posts answers.
pub(super) struct AtTheDesk {
    pub(super) live: Arc<LiveRun>,
    /// How long a run waits for an answer before it is parked.
    pub(super) patience: Duration,
}

impl Person for AtTheDesk {
    fn ask<'a>(&'a self, ask: &'a Ask) -> BoxFuture<'a, Reply> {
        Box::pin(self.live.desk.take(ask, self.patience))
    }

    fn name(&self) -> &'static str {
        "person"
    }

    fn took_ms(&self, _ask: &Ask) -> Option<u64> {
        self.live.desk.took_ms()
    }

    fn stops(&self) -> BoxFuture<'_, ()> {
        let mut stop = self.live.stop.subscribe();
        Box::pin(async move {
            if stop.wait_for(|stop| *stop).await.is_err() {
                std::future::pending::<()>().await;
            }
        })
    }
}
