//! Ctrl-C, a closed terminal, or being asked to stop: listened for before anything begins, so that none is missed.

/// Listens for being asked to stop.
pub struct Stop {
    #[cfg(unix)]
    signals: Option<[tokio::signal::unix::Signal; 3]>,
}

impl Stop {
    /// Begins to listen. From here on the signals no longer end the process by themselves.
    #[must_use]
    pub fn listen() -> Self {
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            // Whoever started this under `nohup` wants it to outlive the terminal.
            let closed = if outlives_terminal() { SignalKind::terminate() } else { SignalKind::hangup() };
            let heard = || {
                let [interrupt, terminate, closed] =
                    [SignalKind::interrupt(), SignalKind::terminate(), closed].map(signal);
                std::io::Result::Ok([interrupt?, terminate?, closed?])
            };
            Self { signals: heard().ok() }
        }
        #[cfg(not(unix))]
        Self {}
    }

    /// Answers when it is time to stop.
    pub async fn asked(&mut self) {
        #[cfg(unix)]
        if let Some([interrupt, terminate, closed]) = &mut self.signals {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
                _ = closed.recv() => {}
            }
            return;
        }
        // Without a way to listen there is nothing to wait for.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// Whether the signal of a closed terminal was to be ignored when this process began, as far as the system tells. Asked
/// once: to listen for it changes the answer.
#[cfg(unix)]
fn outlives_terminal() -> bool {
    static OUTLIVES: std::sync::OnceLock<bool> = std::sync::OnceLock::new();
    *OUTLIVES.get_or_init(|| {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        // The lowest bit is the first signal, and that is it.
        ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 1)
    })
}
