//! Tells the streams what happens in a run, after it is in the journal.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;
use ta_runtime::surface::{Event, Record, Request, visible};
use ta_runtime::{Observer, RuntimeError, Starting};
use tokio::sync::oneshot;

use super::{Begun, LiveRun};
use crate::error::{ApiError, Result};
use crate::hub::{self, Frame};
use crate::state::App;

/// How often a model's text is told: the eye does not see it come faster.
const TOLD_EVERY: Duration = Duration::from_millis(40);

#[derive(Serialize)]
struct Delta<'a> {
    run: &'a str,
    text: &'a str,
}

#[derive(Serialize)]
struct Restarted<'a> {
    run: &'a str,
}

#[derive(Serialize)]
struct Begins<'a> {
    run: &'a str,
    kind: &'static str,
    names: Vec<String>,
}

#[derive(Serialize)]
struct Notice<'a> {
    text: &'a str,
}

/// Watches one run.
pub(super) struct Watching {
    app: Arc<App>,
    live: Arc<LiveRun>,
    begun: OnceLock<Begun>,
    first: Mutex<Option<oneshot::Sender<Result<Begun>>>>,
    /// Text of a model that came since the last time any was told, and when that was.
    unsaid: Mutex<(String, Option<Instant>)>,
}

impl Watching {
    pub(super) fn new(app: Arc<App>, live: Arc<LiveRun>, first: oneshot::Sender<Result<Begun>>) -> Self {
        Self { app, live, begun: OnceLock::new(), first: Mutex::new(Some(first)), unsaid: Mutex::default() }
    }

    /// The run went wrong: whoever waits for its beginning hears it, or whoever follows it.
    pub(super) fn failed(&self, error: RuntimeError) {
        let first = self.first.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(first) = first {
            let _ = first.send(Err(ApiError::from(error)));
            return;
        }
        eprintln!("a run went wrong: {}", visible(&error.to_string()));
        self.say("notice", &Notice { text: &format!("{} [{}]", error.message, error.code) });
    }

    /// Tells what came of a model's text and was not told yet.
    fn say_text(&self) {
        let mut unsaid = self.unsaid.lock().unwrap_or_else(PoisonError::into_inner);
        if !unsaid.0.is_empty() {
            let text = std::mem::take(&mut unsaid.0);
            unsaid.1 = Some(Instant::now());
            self.say("delta", &Delta { run: self.run(), text: &text });
        }
    }

    /// To whoever follows the session, or all of the teacher's streams as long as there is none.
    fn say(&self, name: &str, data: &impl Serialize) {
        let frame = || Frame::Passing(hub::event(name, None, data));
        match self.begun.get() {
            Some(begun) => self.app.hub.to_session(&begun.session, frame),
            None => self.app.hub.to_teacher(&self.live.teacher, frame),
        }
    }

    /// The session and the run, once it has begun.
    pub(super) fn begun(&self) -> Option<&Begun> {
        self.begun.get()
    }

    fn run(&self) -> &str {
        self.begun.get().map_or("", |begun| &begun.run)
    }

    fn begin(&self, record: &Record) {
        let begun = Begun { session: record.session.clone(), run: record.run.clone() };
        if self.begun.set(begun.clone()).is_err() {
            return;
        }
        self.app.live.name(&self.live, &begun.session);
        let first = self.first.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(first) = first {
            let _ = first.send(Ok(begun));
        }
    }
}

impl Observer for Watching {
    fn record(&self, record: &Record) {
        self.say_text();
        self.begin(record);
        match &record.event {
            Event::RequestMade(made) if matches!(made.request, Request::Ask { .. }) => {
                self.live.desk.shown(&made.hash, record.at_ms);
            }
            Event::ItemDecided(decided) => self.live.desk.shown(&decided.hash, record.at_ms),
            _ => {}
        }
        self.app.hub.to_session(&record.session, || hub::record(record));
        match &record.event {
            Event::RequestMade(made) if matches!(made.request, Request::Ask { .. }) => {
                App::tell_waiting(&self.app, &self.live.teacher);
            }
            Event::RequestAnswered(answered) if answered.outcome().is_some() => {
                App::tell_waiting(&self.app, &self.live.teacher);
            }
            Event::WritesDone(done) if !done.paths.is_empty() => self.app.tell_files(&done.paths),
            _ => {}
        }
    }

    fn starting(&self, starting: &Starting) {
        let (kind, names) = match starting {
            Starting::Component(name) => ("component", vec![name.clone()]),
            Starting::Flow(name) => ("flow", vec![name.clone()]),
            Starting::Hook(name) => ("hook", vec![name.clone()]),
            Starting::Model(provider, model, _) => ("model", vec![provider.clone(), model.clone()]),
            Starting::Tools(names) => ("tools", names.clone()),
            Starting::Agent(name) => ("agent", vec![name.clone()]),
        };
        self.say("starting", &Begins { run: self.run(), kind, names });
    }

    fn notice(&self, text: &str) {
        self.say("notice", &Notice { text });
    }

    fn delta(&self, text: &str) {
        let mut unsaid = self.unsaid.lock().unwrap_or_else(PoisonError::into_inner);
        unsaid.0.push_str(text);
        let due = unsaid.1.is_none_or(|since| since.elapsed() >= TOLD_EVERY);
        drop(unsaid);
        if due {
            self.say_text();
        }
    }

    fn restarted(&self) {
        self.say_text();
        self.say("restarted", &Restarted { run: self.run() });
    }
}
