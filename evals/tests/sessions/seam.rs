//! The journal as the runtime sees it: one in memory, which can be made to stop in the middle, and through which a defect
//! can be put back. What is behind it stays true, and is what the rules are checked against.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use ta_core::Record;
use ta_core::event::{Event, TasksReplaced};
use ta_core::memory::{MemoryFile, MemoryPath};
use ta_core::model::BoxFuture;
use ta_core::step::Blob;
use ta_store::{
    AuditRow, CodeChange, CodeFilter, CodeRow, Erased, Erasure, Found, Hit, RamStore, RunRow, SearchQuery,
    SessionFilter, SessionRow, Store, StoreError, Stored,
};
use tokio::sync::Notify;

use super::choices::Choices;
use super::defects::Defect;

/// How often a run lets others go on before it puts its output in place.
const MEETING: usize = 300;

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
pub(super) struct State {
    pub(super) doing: Doing,
    /// Sessions in the order in which they began.
    sessions: Vec<String>,
    /// The edition of the agents' texts at the beginning of each run.
    editions: BTreeMap<String, u64>,
    /// Calls that replace the tasks and are not over, of the latest message of each run.
    pub(super) open_calls: BTreeMap<String, usize>,
    pub(super) held: BTreeMap<String, Vec<TasksReplaced>>,
    /// Sessions and who claimed them.
    claims: Vec<(String, String)>,
    /// What was accepted and is not durable: a killed process takes the end of it along.
    accepted: Vec<Append>,
}

#[derive(Debug, Clone)]
struct Append {
    session: String,
    run: String,
    expected_last: u64,
    at_ms: u64,
    events: Vec<Event>,
    blobs: Vec<Blob>,
}

impl Append {
    /// What a reader will read.
    fn records(&self) -> Vec<Record> {
        let read = |event: &Event| serde_json::from_str(&serde_json::to_string(event).unwrap()).unwrap();
        let numbered = (self.expected_last + 1..).zip(&self.events);
        let record = |(seq, event)| Record {
            session: self.session.clone(),
            seq,
            run: self.run.clone(),
            at_ms: self.at_ms,
            event: read(event),
        };
        numbered.map(record).collect()
    }
}

pub(crate) struct Seam {
    pub(crate) inner: RamStore,
    pub(crate) edition: AtomicU64,
    pub(super) defect: Option<Defect>,
    pub(super) workspace: PathBuf,
    pub(super) plugin: PathBuf,
    pub(super) state: Mutex<State>,
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

    /// What was accepted becomes durable.
    pub(crate) async fn flush(&self) {
        let accepted = std::mem::take(&mut self.state.lock().unwrap().accepted);
        for it in accepted {
            let appended =
                self.inner.append(&it.session, &it.run, it.expected_last, it.at_ms, it.events, it.blobs).await;
            appended.unwrap();
        }
    }

    /// Another process opens the journal: the end of what was not durable is gone, and what the one before had claimed is
    /// free.
    pub(crate) async fn open_again(&self) {
        {
            let mut state = self.state.lock().unwrap();
            let kept = self.pauses.lock().unwrap().below(state.accepted.len() + 1);
            state.accepted.truncate(kept);
        }
        self.flush().await;
        let claims = std::mem::take(&mut self.state.lock().unwrap().claims);
        for (session, holder) in claims {
            self.inner.release(&session, &holder).await.unwrap();
        }
    }

    /// Sees all that was accepted before.
    fn behind<'a, T: 'a>(&'a self, asked: Reading<'a, T>) -> Reading<'a, T> {
        Box::pin(async move {
            self.flush().await;
            asked.await
        })
    }

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

    async fn put(&self, append: Append, later: bool) -> Result<Vec<Record>, StoreError> {
        let left = self.appends_left.fetch_sub(1, Ordering::Relaxed);
        let lost = left == 0 && self.pauses.lock().unwrap().percent(50);
        if lost {
            self.die().await;
        }
        self.pause(&append.events).await;
        let append = Append { events: self.written(&append.run, append.events), ..append };
        let appended = self.take(append.clone(), later).await;
        if appended.is_ok() {
            self.note(&append);
            self.make_way(&append.events);
        }
        self.pause(&[]).await;
        if left == 0 {
            self.die().await;
        }
        appended
    }

    async fn take(&self, it: Append, later: bool) -> Result<Vec<Record>, StoreError> {
        let accepted_last = {
            let state = self.state.lock().unwrap();
            let of_session = state.accepted.iter().rfind(|earlier| earlier.session == it.session);
            of_session.map(|earlier| earlier.expected_last + earlier.events.len() as u64)
        };
        let last = match accepted_last {
            Some(last) => last,
            None => self.inner.last_seq(&it.session).await?,
        };
        if later && last == it.expected_last {
            let records = it.records();
            self.state.lock().unwrap().accepted.push(it);
            return Ok(records);
        }
        self.flush().await;
        self.inner.append(&it.session, &it.run, it.expected_last, it.at_ms, it.events, it.blobs).await
    }

    fn note(&self, append: &Append) {
        let mut state = self.state.lock().unwrap();
        if !state.sessions.contains(&append.session) {
            state.sessions.push(append.session.clone());
        }
        if matches!(append.events.first(), Some(Event::RunStarted(_))) {
            state.editions.insert(append.run.clone(), self.edition.load(Ordering::Relaxed));
        }
    }
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
        blobs: Vec<Blob>,
    ) -> Reading<'a, Vec<Record>> {
        let (session, run) = (session.to_owned(), run.to_owned());
        Box::pin(self.put(Append { session, run, expected_last, at_ms, events, blobs }, false))
    }

    fn append_later<'a>(
        &'a self,
        session: &'a str,
        run: &'a str,
        expected_last: u64,
        at_ms: u64,
        events: Vec<Event>,
        blobs: Vec<Blob>,
    ) -> Reading<'a, Vec<Record>> {
        let (session, run) = (session.to_owned(), run.to_owned());
        Box::pin(self.put(Append { session, run, expected_last, at_ms, events, blobs }, true))
    }

    fn read<'a>(&'a self, session: &'a str, after: u64, limit: usize) -> Reading<'a, Vec<Record>> {
        Box::pin(async move {
            self.flush().await;
            let records = self.inner.read(session, after, limit).await?;
            self.seen(session, records).await
        })
    }

    fn missing_blobs<'a>(&'a self, sha256s: &'a [String]) -> Reading<'a, Vec<String>> {
        Box::pin(async move {
            self.flush().await;
            self.inner.missing_blobs(sha256s).await
        })
    }

    fn blob<'a>(&'a self, sha256: &'a str) -> Reading<'a, Option<Vec<u8>>> {
        Box::pin(async move {
            self.flush().await;
            let bytes = self.inner.blob(sha256).await?;
            Ok(if self.is(Defect::TextsOfNow) { bytes.map(|bytes| self.texts_of_now(bytes)) } else { bytes })
        })
    }

    fn barrier<'a>(&'a self, session: &'a str) -> Reading<'a, ()> {
        self.behind(self.inner.barrier(session))
    }

    fn stored<'a>(&'a self, session: &'a str, after: u64, limit: usize) -> Reading<'a, Vec<Stored>> {
        self.behind(self.inner.stored(session, after, limit))
    }

    fn last_seq<'a>(&'a self, session: &'a str) -> Reading<'a, u64> {
        self.behind(self.inner.last_seq(session))
    }

    fn session<'a>(&'a self, id: &'a str) -> Reading<'a, Option<SessionRow>> {
        self.behind(self.inner.session(id))
    }

    fn run<'a>(&'a self, id: &'a str) -> Reading<'a, Option<RunRow>> {
        self.behind(self.inner.run(id))
    }

    fn find<'a>(&'a self, prefix: &'a str) -> Reading<'a, Found> {
        self.behind(self.inner.find(prefix))
    }

    fn sessions(&self, filter: SessionFilter) -> Reading<'_, Vec<SessionRow>> {
        self.behind(self.inner.sessions(filter))
    }

    fn due(&self, now_ms: u64, after: Option<(u64, String)>, limit: usize) -> Reading<'_, Vec<SessionRow>> {
        self.behind(self.inner.due(now_ms, after, limit))
    }

    fn add_codes(&self, codes: Vec<CodeRow>) -> Reading<'_, ()> {
        self.behind(self.inner.add_codes(codes))
    }

    fn codes(&self, filter: CodeFilter) -> Reading<'_, Vec<CodeRow>> {
        self.behind(self.inner.codes(filter))
    }

    fn change_code<'a>(&'a self, id: &'a str, change: CodeChange) -> Reading<'a, Option<CodeRow>> {
        self.behind(self.inner.change_code(id, change))
    }

    fn runs<'a>(&'a self, session: &'a str) -> Reading<'a, Vec<RunRow>> {
        self.behind(self.inner.runs(session))
    }

    fn search(&self, query: SearchQuery) -> Reading<'_, Vec<Hit>> {
        self.behind(self.inner.search(query))
    }

    fn memory<'a>(&'a self, owner: &'a str) -> Reading<'a, Vec<MemoryFile>> {
        self.behind(self.inner.memory(owner))
    }

    fn memory_file<'a>(&'a self, owner: &'a str, path: &'a MemoryPath) -> Reading<'a, Option<MemoryFile>> {
        self.behind(self.inner.memory_file(owner, path))
    }

    fn memory_audit<'a>(
        &'a self,
        owner: &'a str,
        path: Option<&'a MemoryPath>,
        limit: usize,
    ) -> Reading<'a, Vec<AuditRow>> {
        self.behind(self.inner.memory_audit(owner, path, limit))
    }

    fn sessions_of<'a>(&'a self, owner: &'a str) -> Reading<'a, Vec<String>> {
        self.behind(self.inner.sessions_of(owner))
    }

    fn memory_session<'a>(&'a self, owner: &'a str) -> Reading<'a, Option<String>> {
        self.behind(self.inner.memory_session(owner))
    }

    fn forks<'a>(&'a self, session: &'a str) -> Reading<'a, Vec<String>> {
        self.behind(self.inner.forks(session))
    }

    fn erase(&self, erasure: Erasure) -> Reading<'_, Erased> {
        self.behind(self.inner.erase(erasure))
    }

    fn claim<'a>(&'a self, session: &'a str, holder: &'a str, now_ms: u64, ttl_ms: u64) -> Reading<'a, ()> {
        self.state.lock().unwrap().claims.push((session.to_owned(), holder.to_owned()));
        self.behind(self.inner.claim(session, holder, now_ms, ttl_ms))
    }

    fn release<'a>(&'a self, session: &'a str, holder: &'a str) -> Reading<'a, ()> {
        self.behind(self.inner.release(session, holder))
    }

    fn rebuild_views(&self) -> Reading<'_, ()> {
        self.behind(self.inner.rebuild_views())
    }
}
