//! The event stream of a tab: the journal from a number on, then what is being said, without a gap and without a copy.
//!
//! A stream is pulled: what its reader does not take is not made. Who falls behind what is being said reads the journal
//! again from where they were; who takes nothing at all is closed by the connection (`stall`) and comes back by
//! `Last-Event-ID`.

use std::collections::HashMap;
use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::{Bytes, BytesMut};
use futures::stream;
use serde::Deserialize;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::sync::watch;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at, sleep_until};
use utoipa::IntoParams;

use crate::error::{ApiError, Problem, Result};
use crate::hub::{self, Frame};
use crate::limits::{BEAT, PIECE_BYTES_MAX, RECORDS_PAGE, STREAMS_MAX, STREAMS_OF_ONE_MAX, STREAMS_UNPACED};
use crate::sign_in::Teacher;
use crate::sign_in::people::Role;
use crate::state::App;

/// Streams that are open, by sign-in.
#[derive(Default)]
pub(crate) struct Streams(Mutex<HashMap<String, usize>>);

impl Streams {
    fn enter(app: &Arc<App>, token_sha256: &str) -> Result<Entered> {
        let mut open = app.streams.open();
        let all: usize = open.values().sum();
        let own = open.entry(token_sha256.to_owned()).or_default();
        if *own >= STREAMS_OF_ONE_MAX || all >= STREAMS_MAX {
            let message = format!("{own} streams of this sign-in and {all} in all are open");
            let status = StatusCode::TOO_MANY_REQUESTS;
            return Err(ApiError::new(status, "stream.too_many", message, "close some tabs").later(5));
        }
        *own += 1;
        Ok(Entered(Arc::clone(app), token_sha256.to_owned()))
    }

    /// How long a stream waits between two pieces: the more there are, the larger the pieces, so that whatever happens
    /// costs the same whoever looks on.
    fn pace(&self) -> Duration {
        let all: usize = self.open().values().sum();
        Duration::from_millis(u64::try_from(all / STREAMS_UNPACED).unwrap_or(0))
    }

    fn open(&self) -> MutexGuard<'_, HashMap<String, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A stream that is open.
struct Entered(Arc<App>, String);

impl Drop for Entered {
    fn drop(&mut self) {
        let mut open = self.0.streams.open();
        if let Some(own) = open.get_mut(&self.1) {
            *own = own.saturating_sub(1);
            if *own == 0 {
                open.remove(&self.1);
            }
        }
    }
}

/// Which session, from where.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct From {
    /// The session; without it only events that have no id.
    session: Option<String>,
    /// Number of the last record that is known already; `Last-Event-ID` wins.
    after: Option<u64>,
}

/// The event stream of a tab. `record` events carry the journal's numbers as ids.
#[utoipa::path(get, path = "/api/events", tag = "stream", params(From),
    responses((status = 200, content_type = "text/event-stream", body = String), (status = 429, body = Problem)))]
pub(crate) async fn events(
    State(app): State<Arc<App>>,
    Teacher(who): Teacher,
    Query(from): Query<From>,
    headers: HeaderMap,
) -> Result<Response> {
    let entered = Streams::enter(&app, &who.holder.key)?;
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.trim().parse().ok());
    let after = last.or(from.after).unwrap_or(0);
    if let Some(session) = &from.session {
        app.own_session(session, &who.owner).await?;
    }
    let tab = Tab {
        session: from.session.as_ref().map(|session| (session.clone(), app.hub.session(session))),
        teacher: app.hub.teacher(&who.owner),
        stopping: app.stopping.subscribe(),
        signed_out: app.sign_in.changed.subscribe(),
        beat: beat(),
        ready: VecDeque::from([Bytes::from_static(b"retry: 2000\n\n")]),
        after,
        behind: from.session.is_some(),
        not_before: Instant::now(),
        app,
        who: who.owner,
        entered,
    };
    let frames = stream::unfold(tab, |mut tab| async move {
        let frame = tab.next().await?;
        Some((Ok::<Bytes, Infallible>(frame), tab))
    });
    let mut response = Body::from_stream(frames).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store, no-transform"));
    headers.insert("x-accel-buffering", HeaderValue::from_static("no"));
    Ok(response)
}

fn beat() -> Interval {
    let mut beat = interval_at(Instant::now() + BEAT, BEAT);
    beat.set_missed_tick_behavior(MissedTickBehavior::Delay);
    beat
}

/// One tab's place in the journal.
struct Tab {
    app: Arc<App>,
    who: String,
    session: Option<(String, Receiver<Frame>)>,
    teacher: Receiver<Frame>,
    stopping: watch::Receiver<bool>,
    /// Told when a sign-in may have ended.
    signed_out: watch::Receiver<u64>,
    beat: Interval,
    /// Made and not taken yet: a page of records at the most.
    ready: VecDeque<Bytes>,
    /// Number of the last record that was sent.
    after: u64,
    /// Whether there may be records in the journal that were not sent.
    behind: bool,
    /// Not before this is more sent.
    not_before: Instant,
    entered: Entered,
}

impl Tab {
    /// The next piece, of one frame or of all that there are meanwhile; none when the stream ends.
    async fn next(&mut self) -> Option<Bytes> {
        sleep_until(self.not_before).await;
        self.not_before = Instant::now() + self.app.streams.pace();
        let first = self.frame().await?;
        // A few at a time: with all of them at once, whoever asks for a page would stand in line behind a thousand.
        let app = Arc::clone(&self.app);
        let _turn = app.telling_streams.acquire().await;
        let Some(second) = self.frame_at_hand() else { return Some(first) };
        let mut piece = BytesMut::from(&*first);
        piece.extend_from_slice(&second);
        while piece.len() < PIECE_BYTES_MAX {
            let Some(more) = self.frame_at_hand() else { break };
            piece.extend_from_slice(&more);
        }
        Some(piece.freeze())
    }

    /// A frame that need not be waited for.
    fn frame_at_hand(&mut self) -> Option<Bytes> {
        loop {
            if let Some(frame) = self.ready.pop_front() {
                return Some(frame);
            }
            if self.behind {
                return None;
            }
            let (_, session) = self.session.as_mut()?;
            match session.try_recv() {
                Ok(said) => {
                    if let Some(frame) = self.take(said) {
                        return Some(frame);
                    }
                }
                Err(TryRecvError::Lagged(_)) => self.behind = true,
                Err(TryRecvError::Empty | TryRecvError::Closed) => return None,
            }
        }
    }

    /// What is said, where it is new: what was read from the journal already is not.
    fn take(&mut self, said: Frame) -> Option<Bytes> {
        match said {
            Frame::Passing(frame) => Some(frame),
            Frame::Record(seq, frame) if seq == self.after.saturating_add(1) => {
                self.after = seq;
                Some(frame)
            }
            Frame::Record(seq, _) => {
                self.behind |= seq > self.after && self.session.is_some();
                None
            }
        }
    }

    async fn frame(&mut self) -> Option<Bytes> {
        loop {
            if let Some(frame) = self.ready.pop_front() {
                return Some(frame);
            }
            if *self.stopping.borrow() {
                return None;
            }
            if self.behind {
                self.read().await?;
                continue;
            }
            let said = tokio::select! {
                said = said(self.session.as_mut().map(|(_, said)| said)) => said,
                said = self.teacher.recv() => said,
                _ = self.stopping.changed() => return None,
                // Signed out, here or elsewhere, or taken off the list: nothing more is for these eyes.
                _ = self.signed_out.changed() => match self.still_in() {
                    true => continue,
                    false => return None,
                },
                _ = self.beat.tick() => return self.still_in().then(|| Bytes::from_static(b": beat\n\n")),
            };
            match said {
                Ok(said) => {
                    if let Some(frame) = self.take(said) {
                        return Some(frame);
                    }
                }
                Err(RecvError::Lagged(_)) => self.behind = self.session.is_some(),
                Err(RecvError::Closed) => return None,
            }
        }
    }

    /// A page of the journal.
    async fn read(&mut self) -> Option<()> {
        let (session, _) = self.session.as_ref()?;
        let records = match self.app.store.read(session, self.after, RECORDS_PAGE).await {
            Ok(records) => records,
            Err(error) => {
                // The reader comes back by itself, from where it was.
                eprintln!("the stream of {} ends: {error}", self.who);
                return None;
            }
        };
        self.behind = records.len() == RECORDS_PAGE;
        for record in &records {
            self.after = record.seq;
            if let Frame::Record(_, frame) = hub::record(record) {
                self.ready.push_back(frame);
            }
        }
        Some(())
    }

    fn still_in(&self) -> bool {
        let who = self.app.sign_in.of_key(&self.entered.1);
        who.is_some_and(|who| who.roles.contains(&Role::Teacher))
    }
}

/// What is said next in the session, where there is one.
async fn said(receiver: Option<&mut Receiver<Frame>>) -> std::result::Result<Frame, RecvError> {
    match receiver {
        Some(receiver) => receiver.recv().await,
        None => std::future::pending().await,
    }
}
