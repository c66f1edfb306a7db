//! The journal as one SQLite file, `journal.db`, in a data directory.
//!
//! One thread writes and commits together whatever waits; a few threads read. Callers wait for them without holding a
//! thread of their own, on any async runtime. Start reading at `open`, then at `writer`.

mod append;
mod backup;
mod checked;
mod claims;
mod codes;
mod erase;
mod fault;
mod hold;
mod lane;
mod look;
mod mark;
mod memory;
mod open;
mod queries;
mod restore;
mod schema;
mod search;
mod value;
mod views;
mod work;
mod writer;

use std::cell::RefCell;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::Connection;
use ta_core::memory::{MemoryFile, MemoryPath};
use ta_core::model::BoxFuture;
use ta_core::step::Blob;
use ta_core::{Event, Record};
use tokio::sync::oneshot;

use crate::audit::AuditRow;
use crate::chain::Stored;
use crate::codes::{CodeChange, CodeFilter, CodeRow};
use crate::erase::{Erased, Erasure};
use crate::error::StoreError;
use crate::limits::{READERS, READS_WAITING_MAX, WRITES_WAITING_MAX};
use crate::prepare::{check_id, prepare, verify_blob};
use crate::rows::{RunRow, SessionRow};
use crate::search::{Hit, SearchQuery};
use crate::store::{Found, SessionFilter, Store};
use checked::Note;
use lane::{Lane, Worker};
use mark::Mark;
use work::{Answer, Work};
use writer::{Shared, Writer};

#[cfg(test)]
pub(crate) use checked::CHECKED_FILE;
#[cfg(test)]
pub(crate) use hold::LOCK_FILE;
#[cfg(test)]
pub(crate) use mark::MARK_FILE;
#[cfg(test)]
pub(crate) use open::FILE;
#[cfg(test)]
pub(crate) use queries::{bind, sessions_sql};

/// Whether the journal of a data directory is taken as it was closed.
#[cfg(test)]
pub(crate) fn is_as_it_was(dir: &Path) -> bool {
    checked::is_as_it_was(dir, &dir.join(FILE))
}

/// A read, carried out on a read connection.
type Read = Box<dyn FnOnce(&Connection) + Send>;

/// A journal in a data directory.
///
/// One process writes it: a second one that opens it is refused, and may open it to read alone. Dropping it ends its
/// threads after the writes that wait are done, and folds the write-ahead log into the file, so it blocks for as long
/// as that takes.
#[derive(Debug)]
pub struct SqliteStore {
    // Fields are dropped in this order: the last connection to close cleans up, and a reader could not; and only then
    // another process may write.
    readers: Lane<Read>,
    /// None where it was opened to read alone.
    writer: Option<Lane<Work>>,
    /// Whether something was accepted that is not written yet.
    keeps: Arc<AtomicBool>,
    _note: Option<Note>,
    _held: Option<File>,
}

impl SqliteStore {
    /// Opens the journal of a data directory, and creates both where there is none: the directory for its owner
    /// alone, and so the files. Blocks, and no longer where the journal is large.
    ///
    /// A journal that this store has closed is taken as it was. Any other is looked through for damage: a small one before
    /// anything else, a large one while work goes on. Damage that is found then ends all writing with `store.corrupt`, and
    /// the file is as it was to the byte: what was appended meanwhile stands in the log alone.
    ///
    /// # Errors
    /// `store.locked` within a second where another process, or this one, has it open to write; `store.corrupt`,
    /// `store.newer_schema`, `store.older_schema` and `store.not_a_journal`, after which the journal is as it was to the byte;
    /// `store.read_only`, `store.full`, or a failure of the system.
    pub fn open(dir: &Path) -> Result<Self, StoreError> {
        let (path, held) = open::journal_in(dir)?;
        let shared = Shared::default();
        let writer = Writer::new(open::writer(dir, &path)?, Mark::open(dir)?, shared.clone());
        let readers = (0..READERS).map(|_| open::reader(&path)).collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            readers: read_lane(readers)?,
            writer: Some(Lane::start("journal-writer", WRITES_WAITING_MAX, WRITES_WAITING_MAX, vec![writer])?),
            keeps: shared.keeps,
            _note: Some(Note::new(dir, &path, shared.whole)),
            _held: Some(held),
        })
    }

    /// Opens the journal of a data directory to read alone, while another process may be writing it: to list, to
    /// search, to show traces and to replay. Takes no lock, creates nothing; SQLite may leave an empty log
    /// and its index beside the file. Every write is refused with `store.read_only`.
    ///
    /// # Errors
    /// `store.missing` where there is no journal; otherwise as [`open`](Self::open).
    pub fn open_read_only(dir: &Path) -> Result<Self, StoreError> {
        let path = open::existing_in(dir)?;
        let readers = (0..READERS).map(|_| open::lone_reader(dir, &path)).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { readers: read_lane(readers)?, writer: None, keeps: Arc::default(), _note: None, _held: None })
    }

    /// Writes the whole journal, as it stands when this is polled, into a new file, while writes go on. The file
    /// appears when it is whole; [`SqliteStore::restore`] puts it back.
    ///
    /// # Errors
    /// `store.exists` where there is such a file, `store.full`, `store.read_only`, or a failure of the system.
    pub async fn backup(&self, to: &Path) -> Result<(), StoreError> {
        let to = to.to_owned();
        self.query(move |connection| backup::backup(connection, &to)).await
    }

    /// Puts a backup in the place of a data directory's journal, once it was looked through. Gives the directory below it
    /// that the journal before it was set aside in, where there was one. Blocks.
    ///
    /// # Errors
    /// `store.missing`, `store.not_a_journal`, `store.corrupt` or `store.newer_schema` of the backup; `store.locked` where
    /// the journal is open to write; `store.full`, `store.read_only`, or a failure of the system.
    pub fn restore(dir: &Path, backup: &Path) -> Result<Option<PathBuf>, StoreError> {
        restore::restore(dir, backup)
    }

    /// Reads every event's and blob's page, however long that takes.
    ///
    /// # Errors
    /// `store.corrupt` with what was found first, or a failure of the system.
    pub async fn check(&self) -> Result<(), StoreError> {
        self.query(open::check_pages).await
    }

    /// Carries out a write together with others that wait.
    async fn write<T>(&self, work: impl FnOnce(Answer<T>) -> Work) -> Result<T, StoreError> {
        let writer = self.writer.as_ref().ok_or(StoreError::OpenedToRead)?;
        let (answer, outcome) = oneshot::channel();
        writer.send(work(answer)).await?;
        outcome.await.map_err(|_| StoreError::Closed)?
    }

    /// Carries out a read, of everything that was accepted before it.
    async fn query<T, F>(&self, query: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    {
        if self.keeps.load(Ordering::Acquire) {
            // What cannot be written is said to whoever appended it.
            let _ = self.write(|answer| Work::Barrier { session: None, answer }).await;
        }
        let (answer, outcome) = oneshot::channel();
        let read = move |connection: &Connection| {
            // Nobody waits any more where the caller was dropped.
            let _ = answer.send(query(connection));
        };
        self.readers.send(Box::new(read)).await?;
        outcome.await.map_err(|_| StoreError::Closed)?
    }

    /// Carries out any statement on the write connection, within a transaction.
    #[cfg(test)]
    pub(crate) async fn tamper(
        &self,
        tamper: impl Fn(&Connection) -> rusqlite::Result<()> + Send + 'static,
    ) -> Result<(), StoreError> {
        self.write(|answer| Work::Tamper { tamper: Box::new(tamper), answer }).await
    }

    /// Carries out any query on a read connection.
    #[cfg(test)]
    pub(crate) async fn peek<T: Send + 'static>(
        &self,
        peek: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.query(|connection| Ok(peek(connection)?)).await
    }
}

fn read_lane(readers: Vec<Connection>) -> Result<Lane<Read>, StoreError> {
    Lane::start("journal-reader", READS_WAITING_MAX, 1, readers.into_iter().map(Reader).collect())
}

/// A thread that reads.
struct Reader(Connection);

impl Worker<Read> for Reader {
    fn carry_out(&mut self, reads: Vec<Read>) {
        reads.into_iter().for_each(|read| read(&self.0));
    }
}

impl Store for SqliteStore {
    fn append<'a>(
        &'a self,
        session: &'a str,
        run: &'a str,
        expected_last: u64,
        at_ms: u64,
        events: Vec<Event>,
        blobs: Vec<Blob>,
    ) -> BoxFuture<'a, Result<Vec<Record>, StoreError>> {
        Box::pin(async move {
            // Here, not on the writer's thread: JSON and digests of one caller need not hold up the others.
            let prepared = prepare(session, run, expected_last, at_ms, &events, blobs)?;
            self.write(|answer| Work::Append { prepared, after: expected_last, answer }).await
        })
    }

    fn append_later<'a>(
        &'a self,
        session: &'a str,
        run: &'a str,
        expected_last: u64,
        at_ms: u64,
        events: Vec<Event>,
        blobs: Vec<Blob>,
    ) -> BoxFuture<'a, Result<Vec<Record>, StoreError>> {
        Box::pin(async move {
            let prepared = prepare(session, run, expected_last, at_ms, &events, blobs)?;
            self.write(|answer| Work::AppendLater { prepared, answer }).await
        })
    }

    fn barrier<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            if !self.keeps.load(Ordering::Acquire) {
                return Ok(());
            }
            let session = Some(session.to_owned());
            self.write(|answer| Work::Barrier { session, answer }).await
        })
    }

    fn read<'a>(
        &'a self,
        session: &'a str,
        after: u64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<Record>, StoreError>> {
        let session = session.to_owned();
        Box::pin(self.query(move |connection| queries::read(connection, &session, after, limit)))
    }

    fn stored<'a>(
        &'a self,
        session: &'a str,
        after: u64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<Stored>, StoreError>> {
        let session = session.to_owned();
        Box::pin(self.query(move |connection| queries::stored(connection, &session, after, limit)))
    }

    fn last_seq<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<u64, StoreError>> {
        let session = session.to_owned();
        Box::pin(self.query(move |connection| queries::last_seq(connection, &session)))
    }

    fn session<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<SessionRow>, StoreError>> {
        let id = id.to_owned();
        Box::pin(self.query(move |connection| views::session(connection, &id)))
    }

    fn run<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<RunRow>, StoreError>> {
        let id = id.to_owned();
        Box::pin(self.query(move |connection| views::run(connection, &id)))
    }

    fn find<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, Result<Found, StoreError>> {
        let prefix = prefix.to_owned();
        Box::pin(self.query(move |connection| queries::find(connection, &prefix)))
    }

    fn sessions(&self, filter: SessionFilter) -> BoxFuture<'_, Result<Vec<SessionRow>, StoreError>> {
        Box::pin(self.query(move |connection| queries::sessions(connection, &filter)))
    }

    fn due(
        &self,
        now_ms: u64,
        after: Option<(u64, String)>,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<SessionRow>, StoreError>> {
        Box::pin(self.query(move |connection| queries::due(connection, now_ms, after, limit)))
    }

    fn add_codes(&self, codes: Vec<CodeRow>) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(self.write(|answer| Work::AddCodes { codes, answer }))
    }

    fn codes(&self, filter: CodeFilter) -> BoxFuture<'_, Result<Vec<CodeRow>, StoreError>> {
        Box::pin(self.query(move |connection| codes::list(connection, &filter)))
    }

    fn change_code<'a>(
        &'a self,
        id: &'a str,
        change: CodeChange,
    ) -> BoxFuture<'a, Result<Option<CodeRow>, StoreError>> {
        let id = id.to_owned();
        Box::pin(self.write(|answer| Work::ChangeCode { id, change, changed: RefCell::new(None), answer }))
    }

    fn runs<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<Vec<RunRow>, StoreError>> {
        let session = session.to_owned();
        Box::pin(self.query(move |connection| queries::runs(connection, &session)))
    }

    fn search(&self, query: SearchQuery) -> BoxFuture<'_, Result<Vec<Hit>, StoreError>> {
        Box::pin(self.query(move |connection| search::search(connection, &query)))
    }

    fn memory<'a>(&'a self, owner: &'a str) -> BoxFuture<'a, Result<Vec<MemoryFile>, StoreError>> {
        let owner = owner.to_owned();
        Box::pin(self.query(move |connection| memory::files(connection, &owner)))
    }

    fn memory_file<'a>(
        &'a self,
        owner: &'a str,
        path: &'a MemoryPath,
    ) -> BoxFuture<'a, Result<Option<MemoryFile>, StoreError>> {
        let (owner, path) = (owner.to_owned(), path.to_string());
        Box::pin(self.query(move |connection| memory::file(connection, &owner, &path)))
    }

    fn memory_audit<'a>(
        &'a self,
        owner: &'a str,
        path: Option<&'a MemoryPath>,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<AuditRow>, StoreError>> {
        let (owner, path) = (owner.to_owned(), path.map(ToString::to_string));
        Box::pin(self.query(move |connection| memory::audit(connection, &owner, path.as_deref(), limit)))
    }

    fn sessions_of<'a>(&'a self, owner: &'a str) -> BoxFuture<'a, Result<Vec<String>, StoreError>> {
        let owner = owner.to_owned();
        Box::pin(self.query(move |connection| erase::sessions_of(connection, &owner)))
    }

    fn memory_session<'a>(&'a self, owner: &'a str) -> BoxFuture<'a, Result<Option<String>, StoreError>> {
        let owner = owner.to_owned();
        Box::pin(self.query(move |connection| Ok(memory::sessions(connection, &owner)?.into_iter().next())))
    }

    fn forks<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<Vec<String>, StoreError>> {
        let session = session.to_owned();
        Box::pin(self.query(move |connection| erase::forks(connection, &session)))
    }

    fn erase(&self, erasure: Erasure) -> BoxFuture<'_, Result<Erased, StoreError>> {
        Box::pin(self.write(|answer| Work::Erase { erasure, erased: RefCell::new(None), answer }))
    }

    fn claim<'a>(
        &'a self,
        session: &'a str,
        holder: &'a str,
        now_ms: u64,
        ttl_ms: u64,
    ) -> BoxFuture<'a, Result<(), StoreError>> {
        Box::pin(async move {
            check_id(session)?;
            check_id(holder)?;
            let (session, holder) = (session.to_owned(), holder.to_owned());
            self.write(|answer| Work::Claim { session, holder, now_ms, ttl_ms, answer }).await
        })
    }

    fn release<'a>(&'a self, session: &'a str, holder: &'a str) -> BoxFuture<'a, Result<(), StoreError>> {
        let (session, holder) = (session.to_owned(), holder.to_owned());
        Box::pin(self.write(|answer| Work::Release { session, holder, answer }))
    }

    fn missing_blobs<'a>(&'a self, sha256s: &'a [String]) -> BoxFuture<'a, Result<Vec<String>, StoreError>> {
        let names = sha256s.to_vec();
        Box::pin(self.query(move |connection| queries::missing_blobs(connection, names)))
    }

    fn blob<'a>(&'a self, sha256: &'a str) -> BoxFuture<'a, Result<Option<Vec<u8>>, StoreError>> {
        let name = sha256.to_owned();
        Box::pin(async move {
            let bytes = self.query(move |connection| queries::blob(connection, &name)).await?;
            bytes.map(|bytes| verify_blob(sha256, bytes)).transpose()
        })
    }

    fn rebuild_views(&self) -> BoxFuture<'_, Result<(), StoreError>> {
        Box::pin(self.write(|answer| Work::Rebuild { answer }))
    }
}
