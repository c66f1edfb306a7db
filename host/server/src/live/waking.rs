//! Flows are woken when the time that they wait for has come: by one task, from the journal's list of what is due.
//!
//! Nothing is remembered that the journal does not hold, but for sessions that could not be woken: they are tried again later
//! and later, and hold up nobody else.

use std::collections::HashMap;
use std::sync::Arc;

use futures::StreamExt;
use ta_runtime::flows::FlowSession;
use ta_runtime::host::now_ms;
use ta_runtime::surface::SessionRow;

use super::{Job, exchange};
use crate::error::Result;
use crate::limits::{WAKE_EVERY, WAKE_PAGE, WAKE_RETRY_MAX_MS, WAKE_RETRY_MS, WAKES_HELD_MAX, WAKES_MAX};
use crate::state::App;

/// A session that was due and could not be woken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Held {
    due_ms: u64,
    tries: u32,
    next_ms: u64,
}

/// Sessions that could not be woken.
#[derive(Debug, Default)]
struct Waking {
    held: HashMap<String, Held>,
}

impl Waking {
    /// Whether a session that is due is to be tried now.
    fn wants(&self, id: &str, due_ms: u64, now_ms: u64) -> bool {
        self.held.get(id).is_none_or(|held| held.due_ms != due_ms || held.next_ms <= now_ms)
    }

    /// It was tried, and is due as before.
    fn failed(&mut self, id: &str, due_ms: u64, now_ms: u64) {
        if self.held.len() >= WAKES_HELD_MAX {
            self.held.clear();
        }
        let known = self.held.get(id).filter(|held| held.due_ms == due_ms);
        let tries = known.map_or(0, |held| held.tries);
        let delay = WAKE_RETRY_MS.checked_shl(tries).unwrap_or(WAKE_RETRY_MAX_MS).min(WAKE_RETRY_MAX_MS);
        let held = Held { due_ms, tries: tries.saturating_add(1), next_ms: now_ms.saturating_add(delay) };
        self.held.insert(id.to_owned(), held);
    }
}

/// Wakes flows until the server stops.
pub(crate) async fn wake(app: Arc<App>) {
    let (mut waking, mut stopping) = (Waking::default(), app.stopping.subscribe());
    loop {
        // What cannot be read now is read the next time.
        let _ = round(&app, &mut waking, now_ms()).await;
        tokio::select! {
            () = tokio::time::sleep(WAKE_EVERY) => {}
            _ = stopping.wait_for(|stopping| *stopping) => return,
        }
    }
}

/// Wakes all that is due, the first due first, a few at a time.
async fn round(app: &Arc<App>, waking: &mut Waking, now_ms: u64) -> Result<()> {
    let mut after = None;
    loop {
        let page = app.store.due(now_ms, after.take(), WAKE_PAGE).await?;
        let full = page.len() == WAKE_PAGE;
        after = page.last().and_then(|row| Some((row.due_ms?, row.id.clone())));
        let wanted = page.into_iter().filter(|row| {
            row.due_ms.is_some_and(|due_ms| waking.wants(&row.id, due_ms, now_ms)) && app.live.of(&row.id).is_none()
        });
        let wanted: Vec<SessionRow> = wanted.collect();
        let tried = futures::stream::iter(wanted).map(|row| async {
            let _ = wake_one(app, &row, now_ms).await;
            row
        });
        for row in tried.buffer_unordered(WAKES_MAX).collect::<Vec<SessionRow>>().await {
            let now = app.store.session(&row.id).await?.and_then(|row| row.due_ms);
            if let Some(due_ms) = row.due_ms.filter(|_| now == row.due_ms) {
                waking.failed(&row.id, due_ms, now_ms);
            }
        }
        if !full {
            return Ok(());
        }
    }
}

/// Wakes one, where it still waits for its time and nobody speaks: an exchange that was broken off is left to whoever spoke.
async fn wake_one(app: &Arc<App>, row: &SessionRow, now_ms: u64) -> Result<()> {
    let Some(_turn) = app.turns.take(&row.id) else { return Ok(()) };
    let Some(row) = app.store.session(&row.id).await? else { return Ok(()) };
    let standing = FlowSession::of(&*app.store, &row).await?;
    let wait = standing.as_ref().and_then(FlowSession::waits_for);
    if wait.and_then(|wait| wait.until_ms).is_some_and(|until_ms| until_ms <= now_ms) {
        exchange(app, &row.owner, Job::Resume(row.id.clone())).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_not_be_woken_is_tried_later_and_later() {
        let mut waking = Waking::default();
        assert!(waking.wants("s", 100, 100));
        let (mut now_ms, mut tried) = (100, 0);
        let day = 24 * 60 * 60 * 1_000;
        while now_ms < 100 + day {
            if waking.wants("s", 100, now_ms) {
                waking.failed("s", 100, now_ms);
                tried += 1;
            }
            now_ms += 1_000;
        }
        assert!((20..=40).contains(&tried), "{tried} times a day");
        assert!(waking.wants("other", 100, now_ms), "others are not held up");
        assert!(waking.wants("s", 200, 200), "it waits for another time now");
    }

    #[test]
    fn what_is_held_is_bounded() {
        let mut waking = Waking::default();
        for number in 0..=WAKES_HELD_MAX {
            waking.failed(&number.to_string(), 1, 1);
        }
        assert!(waking.held.len() <= WAKES_HELD_MAX);
    }
}
