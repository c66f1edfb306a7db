//! Ctrl-C, a closed terminal, or being asked to stop: listened for before the run's first event, so that none is missed.

/// Listens for being asked to stop.
pub(super) struct Stop {
    #[cfg(unix)]
    signals: Option<[tokio::signal::unix::Signal; 3]>,
}

impl Stop {
    /// Begins to listen. From here on the signals no longer end the process by themselves.
    pub(super) fn listen() -> Self {
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            let heard = || {
                // The last is a terminal that is closed.
                let kinds = [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()];
                let [interrupt, terminate, hangup] = kinds.map(signal);
                std::io::Result::Ok([interrupt?, terminate?, hangup?])
            };
            Self { signals: heard().ok() }
        }
        #[cfg(not(unix))]
        Self {}
    }

    /// Answers when it is time to stop.
    pub(super) async fn asked(&mut self) {
        #[cfg(unix)]
        if let Some([interrupt, terminate, hangup]) = &mut self.signals {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
                _ = hangup.recv() => {}
            }
            return;
        }
        // Without a way to listen there is nothing to wait for.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
