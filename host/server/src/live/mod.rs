//! Runs at work: one task each, which drives the runtime; whoever asked for it may go away.
//!
//! What is known here is only who to tell. A run that is not here waits in the journal, whatever the row of its session
//! says: this process is the journal's only writer, so a run left `running` by a killed server is one that can go on.

mod desk;
mod exchange;
mod observer;
mod person;
mod waking;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use ta_runtime::person::Saying;
use ta_runtime::surface::{BoxFuture, State};
use ta_runtime::{Ended, ForkRequest, Person, RunEnd, RunRequest, RuntimeError, run};
use tokio::sync::{OwnedSemaphorePermit, oneshot, watch};

use crate::error::{ApiError, Result};
use crate::limits::{LIVE_MAX, LIVE_OF_ONE_MAX};
use crate::state::App;
pub(crate) use desk::{Desk, Posted};
pub(crate) use exchange::{Turns, exchange};
use observer::Watching;
use person::AtTheDesk;
pub(crate) use waking::wake;

/// Code of the error that says that somebody else goes on with the session.
const SESSION_BUSY: &str = "session.busy";
/// Longest time that a run takes to go once its last record is written.
const GOING_MAX: Duration = Duration::from_secs(2);

/// What is to be driven.
pub(crate) enum Job {
    /// A new run.
    Start(Box<RunRequest>),
    /// The latest run of a session.
    Resume(String),
    /// The latest run of a session, whose flow is told this.
    Say(String, String),
    /// A run that shares the past of another.
    Fork(Box<ForkRequest>),
}

/// A run that has begun or goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Begun {
    pub(crate) session: String,
    pub(crate) run: String,
}

/// A run at work.
pub(crate) struct LiveRun {
    pub(crate) teacher: String,
    /// Where answers are put.
    pub(crate) desk: Desk,
    stop: watch::Sender<bool>,
    over: watch::Sender<bool>,
    /// For an exchange of a flow its place among those at work; other runs are counted.
    place: Option<OwnedSemaphorePermit>,
    /// How driving it ended.
    ended: OnceLock<std::result::Result<Ended, RuntimeError>>,
}

impl LiveRun {
    fn new(teacher: &str, desk: Desk, place: Option<OwnedSemaphorePermit>) -> Self {
        let (stop, over) = (watch::channel(false).0, watch::channel(false).0);
        Self { teacher: teacher.to_owned(), desk, stop, over, place, ended: OnceLock::new() }
    }

    /// Asks it to stop: it is parked.
    pub(crate) fn stop(&self) {
        self.stop.send_replace(true);
    }

    /// Ready when it is over or parked.
    pub(crate) async fn over(&self) {
        let _ = self.over.subscribe().wait_for(|over| *over).await;
    }
}

/// All runs at work, by session.
#[derive(Default)]
pub(crate) struct Live {
    runs: Mutex<Runs>,
}

#[derive(Default)]
struct Runs {
    by_session: HashMap<String, Arc<LiveRun>>,
    /// All of them, also those whose session is not known yet.
    all: Vec<Arc<LiveRun>>,
    closed: bool,
}

impl Live {
    /// The run at work in a session.
    pub(crate) fn of(&self, session: &str) -> Option<Arc<LiveRun>> {
        self.runs().by_session.get(session).cloned()
    }

    /// Whether a run may be at work in a session: one is, or one that has just begun is not known by its session yet.
    pub(crate) fn may_drive(&self, session: &str) -> bool {
        let runs = self.runs();
        let known = |run: &Arc<LiveRun>| runs.by_session.values().any(|other| Arc::ptr_eq(other, run));
        runs.by_session.contains_key(session) || !runs.all.iter().all(known)
    }

    /// Stops all runs and lets none begin.
    pub(crate) fn close(&self) {
        let mut runs = self.runs();
        runs.closed = true;
        runs.all.iter().for_each(|run| run.stop());
    }

    /// Ready when none is at work any more.
    pub(crate) async fn all_over(&self) {
        loop {
            let Some(run) = self.runs().all.first().cloned() else { return };
            run.over().await;
        }
    }

    fn enter(&self, live: &Arc<LiveRun>, session: Option<&str>) -> Result<()> {
        let mut runs = self.runs();
        if runs.closed {
            let (message, hint) = ("the server is being stopped", "start it again; nothing is lost");
            return Err(ApiError::new(axum::http::StatusCode::SERVICE_UNAVAILABLE, "server.stopping", message, hint));
        }
        let counted = || runs.all.iter().filter(|other| other.place.is_none());
        let (own, all) = (counted().filter(|other| other.teacher == live.teacher).count(), counted().count());
        if live.place.is_none() && (own >= LIVE_OF_ONE_MAX || all >= LIVE_MAX) {
            let message = format!("{own} of your runs and {all} in all are at work");
            let hint = "wait for one to finish, or stop one";
            let status = axum::http::StatusCode::TOO_MANY_REQUESTS;
            return Err(ApiError::new(status, "run.too_many", message, hint).later(5));
        }
        if let Some(session) = session {
            if runs.by_session.contains_key(session) {
                let (message, hint) = ("a run of this session is at work", "wait for it, or stop it");
                return Err(ApiError::conflict("session.busy", message, hint));
            }
            runs.by_session.insert(session.to_owned(), Arc::clone(live));
        }
        runs.all.push(Arc::clone(live));
        Ok(())
    }

    fn name(&self, live: &Arc<LiveRun>, session: &str) {
        self.runs().by_session.entry(session.to_owned()).or_insert_with(|| Arc::clone(live));
    }

    fn leave(&self, live: &Arc<LiveRun>) {
        let mut runs = self.runs();
        runs.by_session.retain(|_, other| !Arc::ptr_eq(other, live));
        runs.all.retain(|other| !Arc::ptr_eq(other, live));
    }

    fn runs(&self) -> MutexGuard<'_, Runs> {
        self.runs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Takes the run off the list however its task ends.
struct Entered(Arc<App>, Arc<LiveRun>);

impl Drop for Entered {
    fn drop(&mut self) {
        self.0.live.leave(&self.1);
        self.1.desk.close();
        self.1.over.send_replace(true);
        App::tell_waiting(&self.0, &self.1.teacher);
    }
}

/// A run whose journal says that it waits or is over may take a moment to go: who has read that may speak at once.
pub(crate) async fn at_rest(app: &App, session: &str) -> Result<()> {
    if let Some(going) = app.live.of(session)
        && app.store.session(session).await?.is_some_and(|row| row.state != State::Running)
    {
        let _ = tokio::time::timeout(GOING_MAX, going.over()).await;
    }
    Ok(())
}

/// Begins to drive, and answers when the first record is in the journal. Whether the run goes on does not depend on who
/// waits for that.
pub(crate) async fn begin(app: &Arc<App>, teacher: &str, job: Job, desk: Desk) -> Result<Begun> {
    begin_live(app, Arc::new(LiveRun::new(teacher, desk, None)), job).await
}

async fn begin_live(app: &Arc<App>, live: Arc<LiveRun>, job: Job) -> Result<Begun> {
    let session = match &job {
        Job::Resume(session) | Job::Say(session, _) => Some(session.as_str()),
        Job::Start(request) => request.session.as_deref().or(request.begins.as_deref()),
        Job::Fork(_) => None,
    };
    if let Some(session) = session {
        at_rest(app, session).await?;
    }
    app.live.enter(&live, session)?;
    let entered = Entered(Arc::clone(app), Arc::clone(&live));
    let (begun, first) = oneshot::channel();
    tokio::spawn(drive(entered, job, begun));
    match first.await {
        Ok(begun) => begun,
        Err(_) => {
            let (message, hint) = ("the run ended before it began", "look at what the server printed");
            Err(ApiError::new(axum::http::StatusCode::INTERNAL_SERVER_ERROR, "host.bug", message, hint))
        }
    }
}

async fn drive(entered: Entered, job: Job, begun: oneshot::Sender<Result<Begun>>) {
    let Entered(app, live) = &entered;
    let watching = Watching::new(Arc::clone(app), Arc::clone(live), begun);
    // Whoever speaks to a flow waits for its answer: a question of a hook parks it at once.
    let patience = if live.place.is_some() { Duration::ZERO } else { app.settings.park_after };
    let person = AtTheDesk { live: Arc::clone(live), patience };
    let (host, teacher) = (&app.host, live.teacher.as_str());
    let saying = match &job {
        Job::Say(_, text) => Some(Saying::once(text.clone(), &person)),
        Job::Start(_) | Job::Resume(_) | Job::Fork(_) => None,
    };
    let person: &dyn Person = saying.as_ref().map_or(&person, |saying| saying);
    let driven: BoxFuture<'_, std::result::Result<RunEnd, RuntimeError>> = match &job {
        Job::Start(request) => Box::pin(run::start(host, request, person, &watching)),
        Job::Resume(session) | Job::Say(session, _) => Box::pin(run::resume(host, session, teacher, person, &watching)),
        Job::Fork(request) => Box::pin(run::fork(host, request, person, &watching)),
    };
    let driven = driven.await;
    let _ = live.ended.set(driven.as_ref().map(|end| end.ended.clone()).map_err(Clone::clone));
    if let Err(error) = driven {
        let elsewhere = error.code == SESSION_BUSY;
        watching.failed(error);
        if let Some(begun) = watching.begun().filter(|_| !elsewhere) {
            app.not_driven(&begun.session, &begun.run).await;
        }
    }
}
