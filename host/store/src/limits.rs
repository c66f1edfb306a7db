//! What bounds the store. Each limit says its unit and its reason.

use std::time::Duration;

/// Characters of a session's title: one line of a list.
pub const TITLE_CHARS_MAX: usize = 120;

/// Characters of an id's prefix: fewer match by accident.
pub const PREFIX_CHARS_MIN: usize = 6;

/// Candidates that an ambiguous prefix names: more help nobody.
pub const CANDIDATES_MAX: usize = 8;

/// Words of a search: a person types a few.
pub const SEARCH_WORDS_MAX: usize = 32;

/// Words of a snippet: about two lines of a list.
pub(crate) const SNIPPET_WORDS: usize = 24;

/// Bytes of the id of a session, a run or an owner. A UUID has 36.
pub const ID_BYTES_MAX: usize = 64;

/// Bytes of one event as JSON. A long session's prompt is a few hundred kilobytes.
pub const BODY_BYTES_MAX: usize = 64 * 1024 * 1024;

/// Bytes of one blob. SQLite itself ends at a billion.
pub const BLOB_BYTES_MAX: usize = 256 * 1024 * 1024;

/// Numbers above this do not fit SQL's integers; sums stop there.
pub(crate) const INTEGER_MAX: u64 = i64::MAX.unsigned_abs();

/// Bytes of events and blobs that are kept before they are written, over all sessions: some turns of a hundred runs.
pub(crate) const KEPT_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Writes that may wait. They are committed together, so this also bounds a transaction.
pub(crate) const WRITES_WAITING_MAX: usize = 256;

/// Reads that may wait.
pub(crate) const READS_WAITING_MAX: usize = 256;

/// Read connections. Reads are short; a browser with several tabs keeps about this many busy.
pub(crate) const READERS: usize = 4;

/// How long a connection waits for another process that writes.
pub(crate) const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// How long a process waits for another one to let go of the journal: for one that is just ending, not for one at work.
pub(crate) const LOCK_TIMEOUT: Duration = Duration::from_millis(500);

/// How often a process that waits for the journal looks again.
pub(crate) const LOCK_POLL: Duration = Duration::from_millis(10);

/// Bytes of a journal whose pages are all read before it is opened to write: some milliseconds. Those of a larger one are
/// read while work goes on.
pub(crate) const CHECK_AT_ONCE_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// Pages of the log, of 4 KiB each, after which it is folded into the file: SQLite's own limit.
pub(crate) const LOG_PAGES_MAX: i64 = 1_000;
