//! What all requests share.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use serde::Serialize;
use ta_runtime::flows::Addresses;
use ta_runtime::surface::{SessionRow, State, Store};
use ta_runtime::{Host, run};
use tokio::sync::{Semaphore, watch};

use crate::error::Result;
use crate::host_names::HostNames;
use crate::hub::{self, Frame, Hub};
use crate::limits::{EXCHANGES_MAX, PIECES_MAX, REPLAYS_MAX};
use crate::live::{Live, Turns};
use crate::open_questions::OpenQuestions;
use crate::repeat::Repeats;
use crate::research::Research;
use crate::routes::account::ProviderLine;
use crate::serve::{Listening, Settings, Tell};
use crate::sign_in::{Mode, SignIn};
use crate::stream::Streams;

/// What all requests share.
pub(crate) struct App {
    pub(crate) host: Host,
    pub(crate) store: Arc<dyn Store>,
    pub(crate) settings: Settings,
    pub(crate) names: HostNames,
    pub(crate) hub: Hub,
    pub(crate) live: Live,
    /// Places of exchanges of flows.
    pub(crate) exchanges: Arc<Semaphore>,
    /// Who speaks in which session of a flow.
    pub(crate) turns: Turns,
    /// Shorter addresses of flows.
    pub(crate) addresses: Addresses,
    pub(crate) open: OpenQuestions,
    pub(crate) sign_in: SignIn,
    pub(crate) repeats: Repeats,
    pub(crate) streams: Streams,
    /// Where it listens, and who is told.
    place: Place,
    /// Set once, when the server stops.
    pub(crate) stopping: watch::Sender<bool>,
    pub(crate) research: Research,
    /// One change to a session outside its run at a time.
    pub(crate) changing: tokio::sync::Mutex<()>,
    /// One passcode is checked at a time: each takes memory and a processor.
    pub(crate) checking: Semaphore,
    /// Providers of models, and when they were looked at.
    pub(crate) providers: tokio::sync::Mutex<Option<(Instant, Vec<ProviderLine>)>>,
    /// Pieces of streams that are made at once.
    pub(crate) telling_streams: Semaphore,
    /// Replays take a processor each.
    pub(crate) replaying: Semaphore,
    /// Telling of open questions that is under way, so that a burst of events is told once.
    telling: Mutex<std::collections::HashSet<String>>,
}

/// Where the server listens, and who is told about it.
pub(crate) struct Place {
    pub(crate) address: SocketAddr,
    pub(crate) tell: Box<Tell>,
}

#[derive(Serialize)]
struct Waiting {
    count: usize,
}

#[derive(Serialize)]
struct Files<'a> {
    paths: &'a [String],
}

impl App {
    pub(crate) fn new(
        host: Host,
        store: Arc<dyn Store>,
        settings: Settings,
        (sign_in, addresses): (SignIn, Addresses),
        research: Research,
        place: Place,
    ) -> Self {
        let names = HostNames::new(place.address, &settings.host_names);
        Self {
            host,
            place,
            store,
            settings,
            names,
            hub: Hub::default(),
            live: Live::default(),
            exchanges: Arc::new(Semaphore::new(EXCHANGES_MAX)),
            turns: Turns::default(),
            addresses,
            open: OpenQuestions::default(),
            sign_in,
            repeats: Repeats::default(),
            streams: Streams::default(),
            stopping: watch::channel(false).0,
            research,
            telling_streams: Semaphore::new(PIECES_MAX),
            providers: tokio::sync::Mutex::default(),
            replaying: Semaphore::new(REPLAYS_MAX),
            changing: tokio::sync::Mutex::default(),
            checking: Semaphore::new(1),
            telling: Mutex::default(),
        }
    }

    /// Says where the server is, and the link that is good now.
    pub(crate) fn tell_link(&self, first: bool) {
        let named = self.settings.host_names.first().filter(|_| self.settings.https);
        let address = match named {
            Some(name) => format!("https://{name}"),
            None => format!("http://{}", self.place.address),
        };
        let link = match &self.sign_in.mode {
            Mode::Single { link, .. } => Some(format!("{address}/sign-in?token={}", link.token())),
            Mode::Passcode(_) => None,
        };
        (self.place.tell)(&Listening { socket: self.place.address, address, link, first });
    }

    /// The session of that whole id, where it is this teacher's; another's is not told apart from none. A run of it that
    /// looks like one at work and is none, because the server that drove it was killed, is said to wait first.
    pub(crate) async fn own_session(&self, id: &str, teacher: &str) -> Result<SessionRow> {
        let missing = || crate::error::ApiError::not_found("such session");
        let row = self.store.session(id).await?.filter(|row| row.owner == teacher).ok_or_else(missing)?;
        if row.state != State::Running || self.live.may_drive(id) || !self.not_driven(id, &row.last_run).await {
            return Ok(row);
        }
        self.store.session(id).await?.ok_or_else(missing)
    }

    /// Says in the journal that a run that nothing drives waits, and tells whoever follows it. Whether that was needed and
    /// could be done: a full disk is no reason not to show a session.
    pub(crate) async fn not_driven(&self, session: &str, run: &str) -> bool {
        let records = run::stopped(&*self.store, session, run).await.unwrap_or_default();
        for record in &records {
            self.hub.to_session(session, || hub::record(record));
        }
        !records.is_empty()
    }

    /// The row as it stands: a run that no task drives waits, whatever a killed server left behind.
    pub(crate) fn as_it_stands(&self, mut row: SessionRow) -> SessionRow {
        row.state = self.state_of(&row.id, row.state);
        row
    }

    /// Where a run of a session stands.
    pub(crate) fn state_of(&self, session: &str, state: State) -> State {
        match state {
            State::Finished => State::Finished,
            State::Running | State::Parked if self.live.of(session).is_some() => State::Running,
            State::Running | State::Parked => State::Parked,
        }
    }

    /// Tells a teacher's streams how many questions are open.
    pub(crate) fn tell_waiting(app: &Arc<Self>, teacher: &str) {
        let mut telling = app.telling.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if !telling.insert(teacher.to_owned()) {
            return;
        }
        drop(telling);
        let (app, teacher) = (Arc::clone(app), teacher.to_owned());
        tokio::spawn(async move {
            // Before it counts: what happens from here on tells again.
            app.telling.lock().unwrap_or_else(std::sync::PoisonError::into_inner).remove(&teacher);
            if let Ok(open) = app.open.of_teacher(&*app.store, &teacher).await {
                app.hub.to_teacher(&teacher, || {
                    Frame::Passing(hub::event("waiting", None, &Waiting { count: open.len() }))
                });
            }
        });
    }

    /// Tells everybody that files of the workspace, which all share, have changed.
    pub(crate) fn tell_files(&self, paths: &[String]) {
        self.hub.to_all(&Frame::Passing(hub::event("files", None, &Files { paths })));
    }
}
