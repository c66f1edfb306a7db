//! The interface of every backend.

use ta_core::hook::Subject;
use ta_core::memory::{MemoryFile, MemoryPath};
use ta_core::model::BoxFuture;
use ta_core::step::Blob;
use ta_core::{Event, Record};

use crate::audit::AuditRow;
use crate::chain::Stored;
use crate::codes::{CodeChange, CodeFilter, CodeRow};
use crate::erase::{Erased, Erasure};
use crate::error::StoreError;
use crate::rows::{Cursor, RunRow, SessionRow};
use crate::search::{Hit, SearchQuery};

/// Which sessions are listed. One that was deleted is in no list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SessionFilter {
    /// Only sessions of this plugin.
    pub plugin: Option<String>,
    /// Only sessions of this owner.
    pub owner: Option<String>,
    /// Only sessions about this.
    pub subject: Option<About>,
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
            owner: None,
            subject: None,
            since_ms: None,
            until_ms: None,
            unfinished: false,
            limit,
            after: None,
        }
    }
}

/// What a session has to be about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    /// The kind of thing; any kind where none is given.
    pub kind: Option<String>,
    /// Which one of its kind.
    pub id: String,
}

impl About {
    /// What has this id, of whatever kind it is.
    #[must_use]
    pub const fn id(id: String) -> Self {
        Self { kind: None, id }
    }

    /// Whether a session is about this.
    pub(crate) fn is(&self, subject: Option<&Subject>) -> bool {
        let of_kind = |subject: &Subject| self.kind.as_ref().is_none_or(|kind| *kind == subject.kind);
        subject.is_some_and(|subject| subject.id == self.id && of_kind(subject))
    }
}

impl From<Subject> for About {
    fn from(subject: Subject) -> Self {
        Self { kind: Some(subject.kind), id: subject.id }
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
    /// A session that begins with a change of memory, or with an event of a study, is outside any run: it and its run are never
    /// listed, found or searched.
    ///
    /// # Errors
    /// `store.conflict` where the session ends elsewhere, `session.erased`, `store.blob_missing` where a blob that should be held is not, `store.run_elsewhere` where the run is another session's,
    /// `store.bad_id`, `store.unstorable`, `store.full`, or a failure of the backend.
    fn append<'a>(
        &'a self,
        session: &'a str,
        run: &'a str,
        expected_last: u64,
        at_ms: u64,
        events: Vec<Event>,
        blobs: Vec<Blob>,
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
        blobs: Vec<Blob>,
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
    /// `store.ambiguous` with the candidates, `store.not_found`, `session.erased`, `store.prefix_too_short` for fewer than
    /// [`PREFIX_CHARS_MIN`](crate::PREFIX_CHARS_MIN) characters that are not an id, or a failure of the backend.
    fn find<'a>(&'a self, prefix: &'a str) -> BoxFuture<'a, Result<Found, StoreError>>;

    /// Sessions, the last created first. Reads no events.
    ///
    /// # Errors
    /// On a failure of the backend.
    fn sessions(&self, filter: SessionFilter) -> BoxFuture<'_, Result<Vec<SessionRow>, StoreError>>;

    /// Sessions whose flow is to be woken by now, the first due first, `limit` at the most: those behind a place, the due time
    /// and id of the last one of the page before. One that was woken is listed again when it is due again.
    ///
    /// # Errors
    /// On a failure of the backend.
    fn due(
        &self,
        now_ms: u64,
        after: Option<(u64, String)>,
        limit: usize,
    ) -> BoxFuture<'_, Result<Vec<SessionRow>, StoreError>>;

    /// Adds access codes, all of them or none.
    ///
    /// # Errors
    /// Where one of these ids or digests is there already, or on a failure of the backend.
    fn add_codes(&self, codes: Vec<CodeRow>) -> BoxFuture<'_, Result<(), StoreError>>;

    /// Access codes, the first given first.
    ///
    /// # Errors
    /// On a failure of the backend.
    fn codes(&self, filter: CodeFilter) -> BoxFuture<'_, Result<Vec<CodeRow>, StoreError>>;

    /// Changes the access code with this id; gives it as it is then, a forgotten one as it was, and none where there is none.
    ///
    /// # Errors
    /// On a failure of the backend.
    fn change_code<'a>(&'a self, id: &'a str, change: CodeChange)
    -> BoxFuture<'a, Result<Option<CodeRow>, StoreError>>;

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

    /// An owner's memory files, in the order of their paths.
    ///
    /// # Errors
    /// On a failure of the backend.
    fn memory<'a>(&'a self, owner: &'a str) -> BoxFuture<'a, Result<Vec<MemoryFile>, StoreError>>;

    /// One of an owner's memory files.
    ///
    /// # Errors
    /// On a failure of the backend.
    fn memory_file<'a>(
        &'a self,
        owner: &'a str,
        path: &'a MemoryPath,
    ) -> BoxFuture<'a, Result<Option<MemoryFile>, StoreError>>;

    /// What was done to an owner's memory, or to one file of it, the last first, `limit` rows at the most.
    ///
    /// The order is that of the appends, whatever the clock said.
    ///
    /// # Errors
    /// On a failure of the backend.
    fn memory_audit<'a>(
        &'a self,
        owner: &'a str,
        path: Option<&'a MemoryPath>,
        limit: usize,
    ) -> BoxFuture<'a, Result<Vec<AuditRow>, StoreError>>;

    /// Every session that runs for an owner or wrote the owner's memory, those among them that are listed nowhere.
    ///
    /// # Errors
    /// On a failure of the backend.
    fn sessions_of<'a>(&'a self, owner: &'a str) -> BoxFuture<'a, Result<Vec<String>, StoreError>>;

    /// The session that holds what was done to an owner's memory outside any run; none before the first of it.
    ///
    /// # Errors
    /// On a failure of the backend.
    fn memory_session<'a>(&'a self, owner: &'a str) -> BoxFuture<'a, Result<Option<String>, StoreError>>;

    /// Sessions that begin with the past of this one.
    ///
    /// # Errors
    /// On a failure of the backend.
    fn forks<'a>(&'a self, session: &'a str) -> BoxFuture<'a, Result<Vec<String>, StoreError>>;

    /// Erases sessions for good: the bodies of their records with the salts, their rows in all views, what they put into
    /// memory, and blobs that belong to no other session; and appends a tombstone to each, after which nothing follows. The
    /// headers stay, and form their chain. When this is ready, nothing of it is left in what the backend has written, but
    /// for copies that were made of it.
    ///
    /// An erased session is in no list. Who asks for it, or for a run of it, by its id is told `session.erased`.
    ///
    /// # Errors
    /// `store.not_found`, `session.erased`, `session.forked` where a fork of one of them is not to be erased, `store.claimed`;
    /// or a failure of the backend: nothing is erased then. `store.unswept` where all is erased, and not all of it out of the
    /// backend's files yet.
    fn erase(&self, erasure: Erasure) -> BoxFuture<'_, Result<Erased, StoreError>>;

    /// Makes `holder` the one writer of a session, which need not exist yet, for `ttl_ms` milliseconds from `now_ms`.
    /// The holder renews its claim by claiming again, well within that time.
    ///
    /// A claim past its time is taken over. Where one process writes at a time, its claims end with it. So is one that seems to begin more than its own length in the future:
    /// the clock was set back, and its holder would have renewed it. A claim is a courtesy that avoids wasted work;
    /// what keeps two writers apart is the `expected_last` of [`append`](Self::append).
    ///
    /// # Errors
    /// `store.claimed` with the holder where that is another one, `store.bad_id`, or a failure of the backend.
    fn claim<'a>(
        &'a self,
        session: &'a str,
        holder: &'a str,
        now_ms: u64,
        ttl_ms: u64,
    ) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Gives a session free. Does nothing where `holder` does not hold it (any more).
    ///
    /// # Errors
    /// On a failure of the backend.
    fn release<'a>(&'a self, session: &'a str, holder: &'a str) -> BoxFuture<'a, Result<(), StoreError>>;

    /// Those of these digests, SHA-256 in lowercase hexadecimal, that no blob is held of.
    ///
    /// # Errors
    /// A failure of the backend.
    fn missing_blobs<'a>(&'a self, sha256s: &'a [String]) -> BoxFuture<'a, Result<Vec<String>, StoreError>>;

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
