//! Opening and creating the file: what is not a whole journal of ours is refused before SQLite touches it.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags};

use super::fault::{JOURNAL, io_fault};
use super::hold::{LOCK_FILE, lock};
use super::look::Look;
use super::mark::{self, log_of};
use super::{checked, claims, erase, schema};
use crate::error::StoreError;
use crate::limits::{BUSY_TIMEOUT, CHECK_AT_ONCE_BYTES_MAX, LOG_PAGES_MAX};

/// The journal within a data directory.
pub(crate) const FILE: &str = "journal.db";

/// The journal in the making, renamed when it is whole.
const NEW_FILE: &str = "journal.db.new";

/// The journal of a data directory, created where there is none, and the lock that keeps other writers out.
///
/// A journal appears under its name only when it is whole and on disk. So a file without content is always damage,
/// and never one that is just being made.
pub(super) fn journal_in(dir: &Path) -> Result<(PathBuf, File), StoreError> {
    let path = dir.join(FILE);
    if !dir.join(LOCK_FILE).exists() {
        // Refused before anything is made.
        is_journal(&path)?;
        make_dir(dir)?;
    }
    let held = lock(dir)?;
    if is_journal(&path)? {
        // Without a log the file is all there is. With one, whoever reads both looks.
        if bytes(&log_of(&path)) == 0 {
            let vouched = mark::verify(&immutable(&path)?, &path, mark::read(dir).as_ref());
            vouched.map_err(|error| named(&path, error))?;
        }
    } else {
        create(dir, &path)?;
    }
    Ok((path, held))
}

/// The journal of a data directory, to read alone.
pub(super) fn existing_in(dir: &Path) -> Result<PathBuf, StoreError> {
    let path = dir.join(FILE);
    if is_journal(&path)? { Ok(path) } else { Err(StoreError::Missing { path }) }
}

/// A journal somewhere else, to be copied. Without a log it may lie where nothing can be written.
pub(super) fn to_copy(path: &Path) -> Result<Connection, StoreError> {
    if !is_journal(path)? {
        return Err(StoreError::Missing { path: path.to_owned() });
    }
    if bytes(&log_of(path)) == 0 { Ok(immutable(path)?) } else { reader(path) }
}

pub(super) fn bytes(file: &Path) -> u64 {
    fs::metadata(file).map_or(0, |metadata| metadata.len())
}

/// Whether there is a journal. What is there and is none, or a damaged or newer one, is refused.
fn is_journal(path: &Path) -> Result<bool, StoreError> {
    let not_a_journal = |reason: &str| StoreError::NotAJournal { path: path.to_owned(), reason: reason.into() };
    let log = log_of(path);
    let log_bytes = || bytes(&log);
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => return Err(not_a_journal("it is not a file")),
        Ok(metadata) if metadata.len() == 0 => return Err(corrupt(path, "it is empty".into())),
        Ok(_) => {}
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(io_fault(path, &error)),
        Err(_) if log_bytes() == 0 => return Ok(false),
        // SQLite would put the log's pages into the new file.
        Err(_) => {
            return Err(corrupt(path, format!("it is gone, and {} is still there", log.display())));
        }
    }
    match look(path) {
        Ok((application_id, version)) => schema::check(path, application_id, version)?,
        Err(rusqlite::Error::SqliteFailure(failure, _)) if failure.code == ErrorCode::NotADatabase => {
            return Err(not_a_journal("it is not an SQLite database"));
        }
        // With a log, pages that are missing here may still stand in there: whoever reads both decides.
        Err(_) if log_bytes() > 0 => {}
        Err(error) => return Err(error.into()),
    }
    Ok(true)
}

/// The application and the schema that the file names, without its log.
///
/// As immutable, SQLite takes no lock, makes no file and repairs nothing, even where another application left work
/// behind. And it has to be SQLite: closing the file by any other way would drop the locks that another store of this
/// process holds on it (<https://sqlite.org/howtocorrupt.html>, section 2.2).
fn look(path: &Path) -> rusqlite::Result<(i64, i64)> {
    identity(&immutable(path)?)
}

fn immutable(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(immutable_uri(path), flags)
}

fn identity(connection: &Connection) -> rusqlite::Result<(i64, i64)> {
    // Reads the schema's pages too, so that damage there is found now.
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    let number = |name| connection.pragma_query_value(None, name, |row| row.get(0));
    Ok((number("application_id")?, number("user_version")?))
}

fn immutable_uri(path: &Path) -> String {
    // An absolute path follows an empty host, or `//tmp` would be taken for one.
    let mut uri = String::from(if cfg!(windows) && path.is_absolute() {
        "file:///"
    } else if path.is_absolute() {
        "file://"
    } else {
        "file:"
    });
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'\\' if cfg!(windows) => uri.push('/'),
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b':' => uri.push(char::from(*byte)),
            _ => uri.push_str(&format!("%{byte:02x}")),
        }
    }
    uri + "?immutable=1"
}

/// Makes the whole journal under another name and puts it in place.
fn create(dir: &Path, path: &Path) -> Result<(), StoreError> {
    let new = dir.join(NEW_FILE);
    let at_new = |error: io::Error| io_fault(&new, &error);
    // Whoever held the lock before us may have been killed here. No event was committed: there is nothing to mark.
    for left in [NEW_FILE.to_owned(), format!("{NEW_FILE}-wal"), format!("{NEW_FILE}-shm")] {
        match fs::remove_file(dir.join(left)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(at_new(error)),
            _ => {}
        }
    }
    // SQLite gives the log and its index the permissions of the file.
    private(OpenOptions::new().write(true).create_new(true)).open(&new).map_err(at_new)?;
    let mut connection = connect(&new, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    // Nobody sees the file yet: it is written to disk once, below, and thrown away if we get no further.
    connection.execute_batch("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY;")?;
    schema::create(&mut connection)?;
    write_ahead(&connection, &new)?;
    connection.close().map_err(|(_, error)| error)?;
    File::open(&new).and_then(|file| file.sync_all()).map_err(at_new)?;
    fs::rename(&new, path).map_err(at_new)?;
    sync_dir(dir)
}

/// The connection that writes, with the schema of this version, and the look through the pages that is still to be ended.
/// To be called by whoever holds the lock.
pub(super) fn writer(dir: &Path, path: &Path) -> Result<(Connection, Option<Look>), StoreError> {
    let in_doubt = !checked::is_as_it_was(dir, path);
    let large = bytes(path) > CHECK_AT_ONCE_BYTES_MAX;
    let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    // Before the first read: with that, SQLite makes the log.
    if connection.is_readonly("main")? {
        let reason = "the file is read-only".into();
        return Err(StoreError::ReadOnly { what: path.display().to_string(), reason });
    }
    let admit = || -> Result<(bool, bool), StoreError> {
        // A log that a killed process left may hold a newer schema than the file: look, and leave it as it is.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        let (application_id, version) = identity(&connection)?;
        schema::check(path, application_id, version)?;
        mark::verify(&connection, path, mark::read(dir).as_ref())?;
        // Sweeping writes the whole file anew: all of it has to be known to be whole.
        let to_sweep = erase::to_sweep(&connection)?;
        let beside = in_doubt && large && !to_sweep;
        if in_doubt && !beside {
            check_pages(&connection)?;
        }
        write_ahead(&connection, path)?;
        set_up(&connection)?;
        fold_log(&connection, !beside)?;
        claims::forget(&connection);
        Ok((to_sweep, beside))
    };
    let (to_sweep, beside) = admit().map_err(|error| or_read_only(path, named(path, error)))?;
    // A process that was killed after it had erased something. What cannot be done now is tried when it is opened next.
    if to_sweep {
        let _ = erase::sweep(&connection);
    }
    let look = if beside { Some(Look::begin(path)?) } else { None };
    Ok((connection, look))
}

/// Whether the log is folded into the file: now and then, and when the journal is closed.
pub(super) fn fold_log(connection: &Connection, fold: bool) -> Result<(), StoreError> {
    let pages = if fold { LOG_PAGES_MAX } else { 0 };
    connection.pragma_update_and_check(None, "wal_autocheckpoint", pages, |_| Ok(()))?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !fold)?;
    Ok(())
}

/// Reads every page that holds records and blobs, and looks whether they hang together. Not the views: those can be
/// made again.
pub(super) fn check_pages(connection: &Connection) -> Result<(), StoreError> {
    for table in ["records", "blobs"] {
        let found: String = connection.query_row(&format!("PRAGMA quick_check({table})"), [], |row| row.get(0))?;
        if found != "ok" {
            let reason = format!("of the table `{table}`, {found}");
            return Err(StoreError::Corrupt { what: JOURNAL.into(), reason });
        }
    }
    Ok(())
}

/// A connection that reads what another process may be writing.
pub(super) fn lone_reader(dir: &Path, path: &Path) -> Result<Connection, StoreError> {
    // The mark first: what it names is durable, so the connection sees it.
    let marked = mark::read(dir);
    let connection = reader(path)?;
    let look = || -> Result<(), StoreError> {
        let (application_id, version) = identity(&connection)?;
        schema::check(path, application_id, version)?;
        match mark::verify(&connection, path, marked.as_ref()) {
            // Damaged where the event would be: what is whole can still be read.
            Err(StoreError::Corrupt { what, .. }) if what == JOURNAL => Ok(()),
            verified => verified,
        }
    };
    look().map_err(|error| or_read_only(path, error))?;
    Ok(connection)
}

/// A connection that reads.
pub(super) fn reader(path: &Path) -> Result<Connection, StoreError> {
    let connection = connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    set_up(&connection)?;
    Ok(connection)
}

/// Opens the file, reading nothing yet.
fn connect(path: &Path, access: OpenFlags) -> Result<Connection, StoreError> {
    let opened = Connection::open_with_flags(path, access | OpenFlags::SQLITE_OPEN_NO_MUTEX);
    let connection = opened.map_err(|error| or_read_only(path, error.into()))?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    Ok(connection)
}

fn set_up(connection: &Connection) -> Result<(), StoreError> {
    // An event is on disk before anyone sees it, on macOS too, where an ordinary sync stops at the disk's cache.
    connection.execute_batch("PRAGMA synchronous = FULL; PRAGMA fullfsync = ON;")?;
    // What is deleted is written over, also where it is not erased.
    connection.execute_batch("PRAGMA secure_delete = ON;")?;
    // A schema that somebody changed calls no functions with side effects.
    connection.execute_batch("PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;")?;
    Ok(())
}

/// Turns the write-ahead log on: readers then never wait for the writer.
fn write_ahead(connection: &Connection, path: &Path) -> Result<(), StoreError> {
    let mode: String = connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))?;
    if mode == "wal" {
        return Ok(());
    }
    let reason = format!("its file system has no shared memory, so the journal mode stays `{mode}`");
    Err(StoreError::Failed { doing: format!("opening {}", path.display()), reason })
}

/// Damage that SQLite met without saying where.
pub(super) fn named(path: &Path, error: StoreError) -> StoreError {
    match error {
        StoreError::Corrupt { what, reason } if what == JOURNAL => corrupt(path, reason),
        other => other,
    }
}

/// SQLite says only that it cannot open a file where a directory does not let it create the log.
fn or_read_only(path: &Path, error: StoreError) -> StoreError {
    let Some(dir) = path.parent().filter(|_| matches!(error, StoreError::Failed { .. })) else {
        return error;
    };
    let probe = dir.join(format!("{FILE}.probe-{}", std::process::id()));
    match private(OpenOptions::new().write(true).create_new(true)).open(&probe) {
        Ok(_) => {
            let _ = fs::remove_file(&probe);
            error
        }
        Err(refused) => io_fault(dir, &refused),
    }
}

pub(super) fn make_dir(dir: &Path) -> Result<(), StoreError> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir).map_err(|error| io_fault(dir, &error))
}

/// Files for their owner alone.
pub(super) fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Makes a rename durable. Only unix has directories that can be synced.
pub(super) fn sync_dir(dir: &Path) -> Result<(), StoreError> {
    #[cfg(unix)]
    File::open(dir).and_then(|dir| dir.sync_all()).map_err(|error| io_fault(dir, &error))?;
    let _ = dir;
    Ok(())
}

fn corrupt(path: &Path, reason: String) -> StoreError {
    StoreError::Corrupt { what: path.display().to_string(), reason }
}
