//! The journal as the runtime sees it: one in memory, which can be made to stop in the middle, and through which a defect
//! can be put back. What is behind it stays true, and is what the rules are checked against.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use ta_core::event::{Event, TasksReplaced};
use ta_core::machine::OUTPUT;
use ta_core::memory::{MemoryFile, MemoryPath};
use ta_core::model::BoxFuture;
use ta_core::{Record, hook::Verdict};
use ta_store::{
    AuditRow, Erased, Erasure, Found, Hit, RamStore, RunRow, SearchQuery, SessionFilter, SessionRow, Store, StoreError,
    Stored,
};
use tokio::sync::Notify;

use super::choices::Choices;
use super::guests::TASKS;

/// How often a run lets others go on before it puts its output in place.
const MEETING: usize = 300;

/// A defect that this project once had. Each is put back where the journal is read or written, so that no way leads to it
/// from what is shipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Defect {
    /// Two parts of one title have one id.
    PartsShareAnId,
    /// Saving puts the file in the place of whatever has its name.
    SavingReplaces,
    /// Calls of one message that replace the tasks run side by side, and the last one to be done is the first.
    TasksSideBySide,
    /// A run that is past begins with no tasks.
    TasksOfOneRun,
    /// A call that is shared by a fork is given another seed.
    SeedOfTheFork,
    /// A run goes on with the plugin's texts as they are now.
    TextsOfNow,
    /// A fork may begin between a call and its effects.
    ForkWithinAStep,
    /// A fork's trace lists the components of the run that it was made from.
    ComponentsOfTheParent,
}

/// What is being done with the journal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum Doing {
    #[default]
    Other,
    Starting,
    /// Forking this session at this record.
    Forking(String, u64),
    Tracing,
}

#[derive(Debug, Default)]
struct State {
    doing: Doing,
    /// Sessions in the order in which they began.
    sessions: Vec<String>,
    /// The edition of the agents' texts at the beginning of each run.
    editions: BTreeMap<String, u64>,
    /// Calls that replace the tasks and are not over, of the latest message of each run.
    open_calls: BTreeMap<String, usize>,
    held: BTreeMap<String, Vec<TasksReplaced>>,
    /// Sessions and who claimed them.
    claims: Vec<(String, String)>,
}

pub(crate) struct Seam {
    pub(crate) inner: RamStore,
    pub(crate) edition: AtomicU64,
    defect: Option<Defect>,
    workspace: PathBuf,
    plugin: PathBuf,
    state: Mutex<State>,
    pauses: Mutex<Choices>,
    /// Appends until the process is killed; below 0, never.
    appends_left: AtomicI64,
    killed: Arc<Notify>,
}

impl Seam {
    pub(crate) fn new(defect: Option<Defect>, workspace: PathBuf, plugin: PathBuf) -> Self {
        Self {
            inner: RamStore::new(),
            edition: AtomicU64::new(0),
            defect,
            workspace,
            plugin,
            state: Mutex::default(),
            pauses: Mutex::new(Choices::of(0)),
            appends_left: AtomicI64::new(-1),
            killed: Arc::default(),
        }
    }

    /// Begins a history: pauses as its seed says, and no sessions so far.
    pub(crate) fn begin(&self, seed: u64) {
        *self.pauses.lock().unwrap() = Choices::of(seed);
        *self.state.lock().unwrap() = State::default();
        self.appends_left.store(-1, Ordering::Relaxed);
    }

    pub(crate) fn sessions(&self) -> Vec<String> {
        self.state.lock().unwrap().sessions.clone()
    }

    pub(crate) fn edition_of(&self, run: &str) -> Option<u64> {
        self.state.lock().unwrap().editions.get(run).copied()
    }

    pub(crate) fn doing(&self, doing: Doing) {
        self.state.lock().unwrap().doing = doing;
    }

    /// From here on the process ends at the append of this number, whose record is there or is not: nobody knows.
    pub(crate) fn kill_after(&self, appends: Option<i64>) {
        self.appends_left.store(appends.unwrap_or(-1), Ordering::Relaxed);
    }

    /// Ready when the process was killed.
    pub(crate) async fn killed(&self) {
        self.killed.notified().await;
    }

    /// Another process opens the journal: what the one before had claimed is free.
    pub(crate) async fn open_again(&self) {
        let claims = std::mem::take(&mut self.state.lock().unwrap().claims);
        for (session, holder) in claims {
            self.inner.release(&session, &holder).await.unwrap();
        }
    }

    fn is(&self, defect: Defect) -> bool {
        self.defect == Some(defect)
    }

    /// Lets others go on; before an output is put in place for so long that they come to the same point.
    async fn pause(&self, before: &[Event]) {
        let times = match before {
            [Event::WritesIntended(_)] => MEETING,
            _ => self.pauses.lock().unwrap().below(4),
        };
        for _ in 0..times {
            tokio::task::yield_now().await;
        }
    }

    async fn die(&self) {
        self.killed.notify_one();
        std::future::pending::<()>().await;
    }

    async fn put(
        &self,
        (session, run, expected_last, at_ms): (&str, &str, u64, u64),
        events: Vec<Event>,
        blobs: Vec<Vec<u8>>,
    ) -> Result<Vec<Record>, StoreError> {
        let left = self.appends_left.fetch_sub(1, Ordering::Relaxed);
        let lost = left == 0 && self.pauses.lock().unwrap().percent(50);
        if lost {
            self.die().await;
        }
        self.pause(&events).await;
        let events = self.written(run, events);
        let begins = matches!(events.first(), Some(Event::RunStarted(_)));
        let appended = self.inner.append(session, run, expected_last, at_ms, events.clone(), blobs).await;
        if appended.is_ok() {
            self.note(session, run, begins);
            self.make_way(&events);
        }
        self.pause(&[]).await;
        if left == 0 {
            self.die().await;
        }
        appended
    }

    fn note(&self, session: &str, run: &str, begins: bool) {
        let mut state = self.state.lock().unwrap();
        if !state.sessions.iter().any(|known| known == session) {
            state.sessions.push(session.to_owned());
        }
        if begins {
            state.editions.insert(run.to_owned(), self.edition.load(Ordering::Relaxed));
        }
    }

    /// What is appended, with the defect in it.
    fn written(&self, run: &str, mut events: Vec<Event>) -> Vec<Event> {
        for event in &mut events {
            if let Event::HookFinished(finished) = event
                && self.is(Defect::PartsShareAnId)
                && let Verdict::Rework { accepted, .. } = &mut finished.verdict
            {
                for part in accepted {
                    part.id = part.id.trim_end_matches(|c: char| c == '-' || c.is_ascii_digit()).to_owned();
                }
            }
        }
        if self.is(Defect::TasksSideBySide) { self.side_by_side(run, events) } else { events }
    }

    /// Keeps back what the first of several calls does to the tasks until the others are done.
    fn side_by_side(&self, run: &str, events: Vec<Event>) -> Vec<Event> {
        let mut state = self.state.lock().unwrap();
        let mut written = Vec::new();
        for event in events {
            match event {
                Event::ModelAnswered(answered) => {
                    let calls = answered.answer.calls.iter().filter(|call| call.name == TASKS).count();
                    state.open_calls.insert(run.to_owned(), calls);
                    written.push(Event::ModelAnswered(answered));
                }
                Event::TasksReplaced(replaced) => {
                    let open = state.open_calls.entry(run.to_owned()).or_default();
                    *open = open.saturating_sub(1);
                    let last = *open == 0;
                    let held = state.held.entry(run.to_owned()).or_default();
                    held.insert(0, replaced);
                    if last {
                        written.extend(held.drain(..).map(Event::TasksReplaced));
                    }
                }
                other => written.push(other),
            }
        }
        written
    }

    /// Takes away what has the name that an output is about to get.
    fn make_way(&self, events: &[Event]) {
        for event in events {
            if let Event::WritesIntended(intended) = event
                && intended.by == OUTPUT
                && self.is(Defect::SavingReplaces)
            {
                for write in &intended.writes {
                    let _gone = std::fs::remove_file(self.workspace.join(&write.path));
                }
            }
        }
    }

    /// What is read, with the defect in it.
    async fn seen(&self, session: &str, records: Vec<Record>) -> Result<Vec<Record>, StoreError> {
        let doing = self.state.lock().unwrap().doing.clone();
        match (self.defect, doing) {
            (Some(Defect::TasksOfOneRun), Doing::Starting) => Ok(forgetful(records)),
            (Some(Defect::SeedOfTheFork), Doing::Forking(..)) => Ok(reseeded(records)),
            (Some(Defect::ForkWithinAStep), Doing::Forking(of, at)) if of == session => {
                Ok(records.into_iter().filter(|record| record.seq <= at).collect())
            }
            (Some(Defect::ComponentsOfTheParent), Doing::Tracing) => self.unswapped(records).await,
            _ => Ok(records),
        }
    }

    async fn unswapped(&self, mut records: Vec<Record>) -> Result<Vec<Record>, StoreError> {
        for record in &mut records {
            let Event::RunForked(forked) = &mut record.event else { continue };
            let of_parent = self.inner.read(&forked.session, 0, usize::MAX).await?;
            let start = of_parent.iter().find_map(|record| match &record.event {
                Event::RunStarted(start) if record.run == forked.run => Some((**start).clone()),
                Event::RunForked(earlier) if record.run == forked.run => Some(earlier.start.clone()),
                _ => None,
            });
            forked.start.components = start.unwrap().components;
        }
        Ok(records)
    }

    /// The plugin's texts as they lie on the disk now, where these are its texts.
    fn texts_of_now(&self, bytes: Vec<u8>) -> Vec<u8> {
        let kept: Result<BTreeMap<String, String>, _> = serde_json::from_slice(&bytes);
        let Some(kept) = kept.ok().filter(|it| it.keys().any(|path| path == "agents/first.md")) else { return bytes };
        let now = |path: &String| std::fs::read_to_string(self.plugin.join(path)).unwrap();
        let now: BTreeMap<String, String> = kept.keys().map(|path| (path.clone(), now(path))).collect();
        serde_json::to_vec(&now).unwrap()
    }
}

/// Every run but the first begins with no tasks.
fn forgetful(records: Vec<Record>) -> Vec<Record> {
    let mut seen = Vec::new();
    for record in records {
        let later = matches!(record.event, Event::RunStarted(_)) && !seen.is_empty();
        let emptied = Record { event: Event::TasksReplaced(TasksReplaced { tasks: Vec::new() }), ..record.clone() };
        seen.push(record);
        seen.extend(later.then_some(emptied));
    }
    seen
}

/// A hook that runs first takes its seed from the number of the run's first record.
fn reseeded(mut records: Vec<Record>) -> Vec<Record> {
    for record in &mut records {
        if matches!(record.event, Event::RunStarted(_)) {
            record.seq = 0;
        }
    }
    records
}

type Reading<'a, T> = BoxFuture<'a, Result<T, StoreError>>;

impl Store for Seam {
    fn append<'a>(
        &'a self,
        session: &'a str,
        run: &'a str,
        expected_last: u64,
        at_ms: u64,
        events: Vec<Event>,
        blobs: Vec<Vec<u8>>,
    ) -> Reading<'a, Vec<Record>> {
        Box::pin(self.put((session, run, expected_last, at_ms), events, blobs))
    }

    fn append_later<'a>(
        &'a self,
        session: &'a str,
        run: &'a str,
        expected_last: u64,
        at_ms: u64,
        events: Vec<Event>,
        blobs: Vec<Vec<u8>>,
    ) -> Reading<'a, Vec<Record>> {
        Box::pin(self.put((session, run, expected_last, at_ms), events, blobs))
    }

    fn read<'a>(&'a self, session: &'a str, after: u64, limit: usize) -> Reading<'a, Vec<Record>> {
        Box::pin(async move {
            let records = self.inner.read(session, after, limit).await?;
            self.seen(session, records).await
        })
    }

    fn blob<'a>(&'a self, sha256: &'a str) -> Reading<'a, Option<Vec<u8>>> {
        Box::pin(async move {
            let bytes = self.inner.blob(sha256).await?;
            Ok(if self.is(Defect::TextsOfNow) { bytes.map(|bytes| self.texts_of_now(bytes)) } else { bytes })
        })
    }

    fn barrier<'a>(&'a self, session: &'a str) -> Reading<'a, ()> {
        self.inner.barrier(session)
    }

    fn stored<'a>(&'a self, session: &'a str, after: u64, limit: usize) -> Reading<'a, Vec<Stored>> {
        self.inner.stored(session, after, limit)
    }

    fn last_seq<'a>(&'a self, session: &'a str) -> Reading<'a, u64> {
        self.inner.last_seq(session)
    }

    fn session<'a>(&'a self, id: &'a str) -> Reading<'a, Option<SessionRow>> {
        self.inner.session(id)
    }

    fn run<'a>(&'a self, id: &'a str) -> Reading<'a, Option<RunRow>> {
        self.inner.run(id)
    }

    fn find<'a>(&'a self, prefix: &'a str) -> Reading<'a, Found> {
        self.inner.find(prefix)
    }

    fn sessions(&self, filter: SessionFilter) -> Reading<'_, Vec<SessionRow>> {
        self.inner.sessions(filter)
    }

    fn runs<'a>(&'a self, session: &'a str) -> Reading<'a, Vec<RunRow>> {
        self.inner.runs(session)
    }

    fn search(&self, query: SearchQuery) -> Reading<'_, Vec<Hit>> {
        self.inner.search(query)
    }

    fn memory<'a>(&'a self, owner: &'a str) -> Reading<'a, Vec<MemoryFile>> {
        self.inner.memory(owner)
    }

    fn memory_file<'a>(&'a self, owner: &'a str, path: &'a MemoryPath) -> Reading<'a, Option<MemoryFile>> {
        self.inner.memory_file(owner, path)
    }

    fn memory_audit<'a>(
        &'a self,
        owner: &'a str,
        path: Option<&'a MemoryPath>,
        limit: usize,
    ) -> Reading<'a, Vec<AuditRow>> {
        self.inner.memory_audit(owner, path, limit)
    }

    fn sessions_of<'a>(&'a self, owner: &'a str) -> Reading<'a, Vec<String>> {
        self.inner.sessions_of(owner)
    }

    fn memory_session<'a>(&'a self, owner: &'a str) -> Reading<'a, Option<String>> {
        self.inner.memory_session(owner)
    }

    fn forks<'a>(&'a self, session: &'a str) -> Reading<'a, Vec<String>> {
        self.inner.forks(session)
    }

    fn erase(&self, erasure: Erasure) -> Reading<'_, Erased> {
        self.inner.erase(erasure)
    }

    fn claim<'a>(&'a self, session: &'a str, holder: &'a str, now_ms: u64, ttl_ms: u64) -> Reading<'a, ()> {
        self.state.lock().unwrap().claims.push((session.to_owned(), holder.to_owned()));
        self.inner.claim(session, holder, now_ms, ttl_ms)
    }

    fn release<'a>(&'a self, session: &'a str, holder: &'a str) -> Reading<'a, ()> {
        self.inner.release(session, holder)
    }

    fn rebuild_views(&self) -> Reading<'_, ()> {
        self.inner.rebuild_views()
    }
}
