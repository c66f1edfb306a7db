//! The interface of every backend.

use ta_core::memory::{MemoryFile, MemoryPath};
use ta_core::model::BoxFuture;
use ta_core::{Event, Record};

use crate::audit::AuditRow;
use crate::chain::Stored;
use crate::error::StoreError;
use crate::rows::{Cursor, RunRow, SessionRow};
use crate::search::{Hit, SearchQuery};

/// Which sessions are listed. One that was deleted is in no list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionFilter {
    /// Only sessions of this plugin.
    pub plugin: Option<String>,
    /// Only sessions of this teacher.
    pub teacher: Option<String>,
    /// Only sessions about this class.
    pub class: Option<String>,
    /// Only sessions created at this time or later, in milliseconds since 1970-01-01 UTC.
    pub since_ms: Option<u64>,
    /// Only sessions created at this time or earlier, in milliseconds since 1970-01-01 UTC.
    pub until_ms: Option<u64>,
    /// Only sessions whose latest run is not over.
    pub unfinished: bool,
    /// How many at the most.
    pub limit: usize,
    /// Only what comes after this place: the cursor of the last session of the page before.
    pub after: Option<Cursor>,
}

impl SessionFilter {
    /// The newest sessions.
    #[must_use]
    pub const fn newest(limit: usize) -> Self {
        Self {
            plugin: None,
            teacher: None,
            class: None,
            since_ms: None,
            until_ms: None,
            unfinished: false,
            limit,
            after: None,
        }
    }
}

/// What a prefix stands for.
#[derive(Debug, Clone, PartialEq)]
pub enum Found {
    /// A session.
    Session(SessionRow),
    /// A run.
    Run(RunRow),
}

/// A journal and its views.
///
/// Every method may be called from many tasks at once. A write is durable before its future is ready, but for
/// [`append_later`](Store::append_later), and every read that begins after that sees it. A future does nothing before it is polled; once polled, dropping it does not take
/// the write back. Each backend passes the suite in `conformance`.
pub trait Store: Send + Sync {
    /// Appends events of a run, and blobs, in one transaction: all of them or none.
    ///
    /// Events are numbered per session from 1 without gaps. `expected_last` is the number of the session's last event,
    /// 0 for a session that does not exist yet; the first event creates it. `at_ms` is the time of all of them. What
    /// comes back is what a reader will read. An empty list of events stores the blobs alone.
    ///
    /// A session that begins with a change of memory is outside any run: it and its run are never listed, found or
    /// searched.
    ///
    /// # Errors
    /// `store.conflict` where the session ends elsewhere, `store.run_elsewhere` where the run is another session's,
    /// `store.bad_id`, `store.unstorable`, `store.full`, or a failure of the backend.
    fn append<'a>(
        &'a self,
        session: &'a str,
        run: &'a str,
        expected_last: u64,
        at_ms: u64,
        events: Vec<Event>,
        blobs: Vec<Vec<u8>>,
    ) -> BoxFuture<'a, Result<Vec<Record>, StoreError>>;

    /// Appends like [`append`](Self::append), but is ready as soon as the events are accepted: they are numbered, every read
    /// sees them, and they are durable no later than whatever is appended, claimed or read after them, in this session or
    /// another. Where the process is killed before, they are gone, and so is everything that was accepted after them.
    ///
    /// So nobody outside may see such an event, and nothing that costs money or changes files may be done because of it,
    /// before [`barrier`](Self::barrier) or an [`append`](Self::append) behind it is ready.
    ///
    /// # Errors
    /// As for `append`. That there is no space may be said by the next append or barrier instead: then none of the events
    /// since the last one that was durable is stored.
    fn append_later<'a>(
        &'a self,
        session: &'a str,
        run: &'a str,
        expected_last: u64,
        at_ms: u64,
        events: Vec<Event>,
        blobs: Vec<Vec<u8>>,
    ) -> BoxFuture<'a, Result<Vec<Record>, StoreError>>;

    /// Ready when every event of a session that was accepted before is durable.
    ///
    /// # Errors
    /// Where one of them cannot be stored: then neither are those after it.
    fn barrier<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Events of a session after number `after`, in order, `limit` at the most; none for a session that does not exist.
    ///
    /// # Errors
    /// `session.erased`, `store.unknown_event` where one of them is of a newer version, `store.corrupt`, or a failure of
    /// the backend.
    fn read<'a>(&'a self, session: &'a str, after: u64, limit: usize)
    -> BoxFuture<'a, Result<Vec<Record>, StoreError>>;

    /// The same records as they are stored: headers, and bodies as far as they were not erased.
    ///
    /// # Errors
    /// `store.corrupt`, or a failure of the backend.
    fn stored<'a>(
        &'a self,
        session: &'a str,
        after: u64,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<Stored>, StoreError>>;

    /// Number of the session's last event; 0 for a session that does not exist.
    ///
    /// # Errors
    /// On a failure of the backend.
    fn last_seq<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<u64, StoreError>>;

    /// The session with this id.
    ///
    /// # Errors
    /// On a failure of the backend.
    fn session<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<SessionRow>, StoreError>>;

    /// The run with this id.
    ///
    /// # Errors
    /// On a failure of the backend.
    fn run<'a>(&'a self, id: &'a str) -> BoxFuture<'a, Result<Option<RunRow>, StoreError>>;

    /// The one session or run that has this id or begins with it. A whole id always finds its own, and where a session
    /// and a run share one, the session.
    ///
    /// # Errors
    /// `store.ambiguous` with the candidates, `store.not_found`, `store.prefix_too_short` for fewer than
    /// [`PREFIX_CHARS_MIN`](crate::PREFIX_CHARS_MIN) characters that are not an id, or a failure of the backend.
    fn find<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, Result<Found, StoreError>>;

    /// Sessions, the last created first. Reads no events.
    ///
    /// # Errors
    /// On a failure of the backend.
    fn sessions(&self, filter: SessionFilter) -> BoxFuture<'_, Result<Vec<SessionRow>, StoreError>>;

    /// Runs of a session, the first one first.
    ///
    /// # Errors
    /// On a failure of the backend.
    fn runs<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<Vec<RunRow>, StoreError>>;

    /// Sessions that hold all the words, the best first, of equals the last created.
    ///
    /// Searched are requests, titles, final outputs, and what the person wrote when deciding and answering; not what was
    /// deleted.
    ///
    /// # Errors
    /// `store.bad_query` where the words hold nothing that could be found, or too many; or a failure of the backend.
    fn search(&self, query: SearchQuery) -> BoxFuture<'_, Result<Vec<Hit>, StoreError>>;

    /// A teacher's memory files, in the order of their paths.
    ///
    /// # Errors
    /// On a failure of the backend.
    fn memory<'a>(&'a self, teacher: &'a str) -> BoxFuture<'a, Result<Vec<MemoryFile>, StoreError>>;

    /// One of a teacher's memory files.
    ///
    /// # Errors
    /// On a failure of the backend.
    fn memory_file<'a>(
        &'a self,
        teacher: &'a str,
        path: &'a MemoryPath,
    ) -> BoxFuture<'a, Result<Option<MemoryFile>, StoreError>>;

    /// What was done to a teacher's memory, or to one file of it, the last first, `limit` rows at the most.
    ///
    /// The order is that of the appends, whatever the clock said.
    ///
    /// # Errors
    /// On a failure of the backend.
    fn memory_audit<'a>(
        &'a self,
        teacher: &'a str,
        path: Option<&'a MemoryPath>,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<AuditRow>, StoreError>>;

    /// Makes `owner` the one writer of a session, which need not exist yet, for `ttl_ms` milliseconds from `now_ms`.
    /// The owner renews its claim by claiming again, well within that time.
    ///
    /// A claim past its time is taken over. So is one that seems to begin more than its own length in the future:
    /// the clock was set back, and its owner would have renewed it. A claim is a courtesy that avoids wasted work;
    /// what keeps two writers apart is the `expected_last` of [`append`](Self::append).
    ///
    /// # Errors
    /// `store.claimed` with the owner where another one holds it, `store.bad_id`, or a failure of the backend.
    fn claim<'a>(
        &'a self,
        session: &'a str,
        owner: &'a str,
        now_ms: u64,
        ttl_ms: u64,
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Gives a session free. Does nothing where `owner` does not hold it (any more).
    ///
    /// # Errors
    /// On a failure of the backend.
    fn release<'a>(&'a self, session: &'a str, owner: &'a str) -> BoxFuture<'a, Result<(), StoreError>>;

    /// The blob with this SHA-256 in lowercase hexadecimal, verified.
    ///
    /// # Errors
    /// `store.corrupt` where the bytes have another digest, or a failure of the backend.
    fn blob<'a>(&'a self, sha256: &'a str) -> BoxFuture<'a, Result<Option<Vec<u8>>, StoreError>>;

    /// Drops the views and makes them again from the events: the same rows.
    ///
    /// # Errors
    /// `store.unknown_event`, `store.corrupt`, or a failure of the backend; the views then stay as they were.
    fn rebuild_views(&self) -> BoxFuture<'_, Result<(), StoreError>>;
}
