//! Ctrl-C, or being asked to stop: listened for before the run's first event, so that none is missed.

/// Listens for being asked to stop.
pub(super) struct Stop {
    #[cfg(unix)]
    signals: Option<(tokio::signal::unix::Signal, tokio::signal::unix::Signal)>,
}

impl Stop {
    /// Begins to listen. From here on the signals no longer end the process by themselves.
    pub(super) fn listen() -> Self {
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            let signals = signal(SignalKind::interrupt()).and_then(|one| Ok((one, signal(SignalKind::terminate())?)));
            Self { signals: signals.ok() }
        }
        #[cfg(not(unix))]
        Self {}
    }

    /// Answers when it is time to stop.
    pub(super) async fn asked(&mut self) {
        #[cfg(unix)]
        if let Some((interrupt, terminate)) = &mut self.signals {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
        // Without a way to listen there is nothing to wait for.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
