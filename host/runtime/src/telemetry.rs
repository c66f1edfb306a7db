//! Runs as spans for a collector of OpenTelemetry: sent when a run has ended or waits, and never in its way.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ta_core::Record;
use ta_core::telemetry::requests;
use ta_models::Collector;
use tokio::task::JoinSet;

use crate::error::RuntimeError;

/// How long the end of the process waits for what is still on its way.
const PATIENCE: Duration = Duration::from_secs(3);

/// Where spans go, and what is in them.
#[derive(Debug, Clone, Default)]
pub struct TelemetryConfig {
    /// The collector's address; none sends nothing.
    pub endpoint: Option<String>,
    /// Whether prompts, answers, arguments and results go with them.
    pub content: bool,
}

/// Spans on their way.
#[derive(Debug, Default)]
pub struct Telemetry {
    collector: Option<Collector>,
    content: bool,
    sending: Mutex<JoinSet<Result<(), String>>>,
}

impl Telemetry {
    /// Opens the way to the collector, where there is to be one. Nothing is sent yet.
    ///
    /// # Errors
    /// Where its address cannot be one.
    pub fn open(config: &TelemetryConfig) -> Result<Self, RuntimeError> {
        let collector = config.endpoint.as_deref().filter(|it| !it.is_empty()).map(Collector::at).transpose();
        let collector = collector.map_err(|failure| {
            let hint = failure.hint.clone().unwrap_or_default();
            RuntimeError::usage("otel.endpoint", failure.message.trim_end_matches('.'), hint.trim_end_matches('.'))
        })?;
        Ok(Self { collector, content: config.content, sending: Mutex::default() })
    }

    /// Whether spans are wanted at all.
    #[must_use]
    pub const fn wanted(&self) -> bool {
        self.collector.is_some()
    }

    /// Begins to send the last sitting of a run; comes back at once.
    pub(crate) fn ended(&self, records: &[Record]) {
        let Some(collector) = self.collector.clone() else { return };
        let requests = requests(records, self.content);
        self.sending.lock().unwrap_or_else(PoisonError::into_inner).spawn(async move {
            for spans in requests {
                collector.send(spans).await.map_err(|failure| failure.message)?;
            }
            Ok(())
        });
    }

    /// Waits a little for what is on its way, when everything else is done. Answers with what could not be sent.
    pub async fn flush(&self) -> Vec<String> {
        let mut sending = std::mem::take(&mut *self.sending.lock().unwrap_or_else(PoisonError::into_inner));
        let mut problems = Vec::new();
        let all = async {
            while let Some(sent) = sending.join_next().await {
                problems.extend(sent.ok().and_then(Result::err));
            }
        };
        if tokio::time::timeout(PATIENCE, all).await.is_err() {
            problems.push("the collector did not take everything in time".to_owned());
        }
        problems
    }
}
