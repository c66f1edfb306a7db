//! One exchange of a flow, from what somebody says to what they are shown.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::StatusCode;
use ta_runtime::{Ended, RuntimeError};

use super::{Begun, Desk, Job, LiveRun, begin_live};
use crate::error::{ApiError, Result};
use crate::limits::EXCHANGE_QUEUE;
use crate::state::App;

/// Codes under which the host says that a flow's component went wrong; others are the flow's own words.
const HOST_CODES: [&str; 4] = ["hook.", "flow.", "host.", "plugin."];

/// Sessions in which somebody speaks, or a flow is being woken: from looking where one stands to the end of the exchange, so
/// that what was looked at still holds when the words are said.
#[derive(Default)]
pub(crate) struct Turns(Mutex<HashSet<String>>);

/// Somebody's turn in a session.
pub(crate) struct Turn<'a>(&'a Turns, String);

impl Turns {
    /// The turn in a session; none while it is another's.
    pub(crate) fn take(&self, session: &str) -> Option<Turn<'_>> {
        let mut taken = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        taken.insert(session.to_owned()).then(|| Turn(self, session.to_owned()))
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.1);
    }
}

/// Drives a flow until it waits again or is over. Exchanges have places of their own: a class that answers at once waits in
/// line, and keeps nobody else's run out.
pub(crate) async fn exchange(app: &Arc<App>, teacher: &str, job: Job) -> Result<Begun> {
    let place = tokio::time::timeout(EXCHANGE_QUEUE, Arc::clone(&app.exchanges).acquire_owned()).await;
    let Ok(Ok(place)) = place else {
        let (message, hint) = ("too many exchanges are at work", "say it again in a moment");
        return Err(ApiError::new(StatusCode::TOO_MANY_REQUESTS, "run.too_many", message, hint).later(2));
    };
    let live = Arc::new(LiveRun::new(teacher, Desk::default(), Some(place)));
    let begun = begin_live(app, Arc::clone(&live), job).await?;
    live.over().await;
    match live.ended.get() {
        Some(ended) => of_end(ended).map(|()| begun),
        None => {
            let (message, hint) = ("the run ended without saying how", "look at what the server printed");
            Err(ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "host.bug", message, hint))
        }
    }
}

/// Whether the exchange came to an end; otherwise why it did not, and what is to be done.
fn of_end(ended: &std::result::Result<Ended, RuntimeError>) -> Result<()> {
    match ended {
        Ok(Ended::Finished(_) | Ended::Parked) => Ok(()),
        Ok(Ended::FlowFailed { code, message }) => {
            let hosts = HOST_CODES.iter().any(|prefix| code.starts_with(prefix));
            let (status, code, hint) = match hosts {
                true => (StatusCode::INTERNAL_SERVER_ERROR, "flow.failed", "what was said is undone: say it again"),
                false => (StatusCode::UNPROCESSABLE_ENTITY, code.as_str(), "what was said is undone: say it otherwise"),
            };
            Err(ApiError::new(status, code, message.clone(), hint))
        }
        Ok(Ended::Provider(error)) => {
            let hint = "what was said is kept: say the same again, after the same, and the flow goes on";
            Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, &error.code, error.message.clone(), hint).later(5))
        }
        Ok(Ended::Interrupted) => {
            let (message, hint) = ("the run was stopped", "say the same again, after the same, and the flow goes on");
            Err(ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "run.interrupted", message, hint).later(2))
        }
        Err(error) => Err(error.clone().into()),
    }
}
