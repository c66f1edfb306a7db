//! Opening and creating the file: what is not a whole journal of ours is refused before SQLite touches it.

use std::fs::{self, DirBuilder, File, OpenOptions, TryLockError};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};

use super::fault::io_fault;
use super::schema;
use crate::error::StoreError;
use crate::limits::{BUSY_TIMEOUT, CREATE_POLL};

/// The journal within a data directory.
pub(crate) const FILE: &str = "journal.db";

/// Held by the process that creates the journal, while it does.
pub(crate) const LOCK_FILE: &str = "journal.lock";

/// The journal in the making, renamed when it is whole.
const NEW_FILE: &str = "journal.db.new";

/// Length of the header of an SQLite file in bytes, and its first bytes: <https://sqlite.org/fileformat2.html>.
const HEADER_BYTES: u64 = 100;
const MAGIC: &[u8; 16] = b"SQLite format 3\0";

/// The journal of a data directory, created where there is none.
///
/// A journal appears under its name only when it is whole and on disk. So a file without content is always damage,
/// and never one that is just being made.
pub(super) fn journal_in(dir: &Path) -> Result<PathBuf, StoreError> {
    let path = dir.join(FILE);
    if !is_journal(&path)? {
        make_dir(dir)?;
        let _only_us = lock(&dir.join(LOCK_FILE))?;
        // Another process may have been quicker.
        if !is_journal(&path)? {
            create(dir, &path)?;
        }
    }
    Ok(path)
}

/// Whether there is a journal. What is there and is none, or a damaged or newer one, is refused unread by SQLite,
/// which would repair, fill or lock it.
fn is_journal(path: &Path) -> Result<bool, StoreError> {
    let log = path.with_extension("db-wal");
    let not_a_journal = |reason: &str| StoreError::NotAJournal { path: path.to_owned(), reason: reason.into() };
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => return Err(not_a_journal("it is not a file")),
        Ok(_) => {}
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(io_fault(path, &error)),
        Err(_) if bytes_of(&log) == 0 => return Ok(false),
        // SQLite would put the log's pages into the new file.
        Err(_) => return Err(corrupt(path, format!("it is gone, and {} is still there", log.display()))),
    }
    let mut header = Vec::new();
    let file = File::open(path).map_err(|error| io_fault(path, &error))?;
    file.take(HEADER_BYTES).read_to_end(&mut header).map_err(|error| io_fault(path, &error))?;
    if header.is_empty() {
        return Err(corrupt(path, "it is empty".into()));
    }
    if !header.starts_with(MAGIC) {
        return Err(not_a_journal("it is not an SQLite database"));
    }
    let (Some(application_id), Some(version)) = (number(&header, 68), number(&header, 60)) else {
        return Err(corrupt(path, format!("it ends after {} bytes", header.len())));
    };
    schema::check(path, application_id, version)?;
    // Pages that the header counts may still stand in the log. Where another process folds them in just now, the log
    // goes last: without one here, the length below is the final one.
    if let (Some(whole), 0) = (whole_bytes(&header), bytes_of(&log)) {
        let bytes = bytes_of(path);
        if bytes < whole {
            return Err(corrupt(path, format!("it ends after {bytes} of {whole} bytes")));
        }
    }
    Ok(true)
}

/// Length of a file; 0 where there is none.
fn bytes_of(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |metadata| metadata.len())
}

/// The length that the header promises, where it does.
fn whole_bytes(header: &[u8]) -> Option<u64> {
    // An old SQLite that wrote last would not have kept the number of pages: these two then differ.
    if number(header, 24)? != number(header, 92)? {
        return None;
    }
    let page_bytes = u16::from_be_bytes(header.get(16..18)?.try_into().ok()?);
    let page_bytes = if page_bytes == 1 { 65_536 } else { u64::from(page_bytes) };
    u64::try_from(number(header, 28)?).ok()?.checked_mul(page_bytes)
}

/// A field of the header.
fn number(header: &[u8], at: usize) -> Option<i64> {
    let bytes = header.get(at..at.checked_add(4)?)?.try_into().ok()?;
    Some(i32::from_be_bytes(bytes).into())
}

/// Makes the whole journal under another name and puts it in place.
fn create(dir: &Path, path: &Path) -> Result<(), StoreError> {
    let new = dir.join(NEW_FILE);
    let at_new = |error: io::Error| io_fault(&new, &error);
    // Whoever held the lock before us may have been killed here.
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
    schema::migrate(&mut connection)?;
    write_ahead(&connection, &new)?;
    connection.close().map_err(|(_, error)| error)?;
    File::open(&new).and_then(|file| file.sync_all()).map_err(at_new)?;
    fs::rename(&new, path).map_err(at_new)?;
    sync_dir(dir)
}

/// The connection that writes, with the schema of this version.
pub(super) fn writer(path: &Path) -> Result<Connection, StoreError> {
    let mut connection = connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    let opened = (|| {
        // A log that a killed process left may hold a newer schema than the file: look, and leave it as it is.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        let application_id = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
        let version = schema::version(&connection)?;
        schema::check(path, application_id, version)?;
        if connection.is_readonly("main")? {
            let reason = "the file is read-only".into();
            return Err(StoreError::ReadOnly { what: path.display().to_string(), reason });
        }
        // Reads the schema's pages, so that damage there is found now.
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
        write_ahead(&connection, path)?;
        if version < schema::VERSION {
            schema::migrate(&mut connection)?;
        }
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, false)?;
        Ok(())
    })();
    match opened {
        Ok(()) => Ok(connection),
        Err(error) => Err(or_read_only(path, error)),
    }
}

/// A connection that reads.
pub(super) fn reader(path: &Path) -> Result<Connection, StoreError> {
    connect(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
}

fn connect(path: &Path, access: OpenFlags) -> Result<Connection, StoreError> {
    let opened = Connection::open_with_flags(path, access | OpenFlags::SQLITE_OPEN_NO_MUTEX);
    let connection = opened.map_err(|error| or_read_only(path, error.into()))?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    // Full: an event is on disk before anyone sees it. An untrusted schema calls no functions with side effects.
    connection.execute_batch(
        "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;",
    )?;
    Ok(connection)
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

/// SQLite says only that it cannot open a file where a directory does not let it create the log.
fn or_read_only(path: &Path, error: StoreError) -> StoreError {
    let Some(dir) = path.parent().filter(|_| matches!(error, StoreError::Failed { .. })) else { return error };
    let probe = dir.join(format!("{FILE}.probe-{}", std::process::id()));
    match private(OpenOptions::new().write(true).create_new(true)).open(&probe) {
        Ok(_) => {
            let _ = fs::remove_file(&probe);
            error
        }
        Err(refused) => io_fault(dir, &refused),
    }
}

/// Takes the lock, waiting for another process as long as for its transactions.
fn lock(path: &Path) -> Result<File, StoreError> {
    let at_lock = |error: io::Error| io_fault(path, &error);
    let options = &mut OpenOptions::new();
    let file = private(options.write(true).create(true).truncate(false)).open(path).map_err(at_lock)?;
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::Error(error)) => return Err(at_lock(error)),
            Err(TryLockError::WouldBlock) if begun.elapsed() < BUSY_TIMEOUT => thread::sleep(CREATE_POLL),
            Err(TryLockError::WouldBlock) => {
                return Err(StoreError::Locked { reason: format!("{} stays locked", path.display()) });
            }
        }
    }
}

fn make_dir(dir: &Path) -> Result<(), StoreError> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir).map_err(|error| io_fault(dir, &error))
}

/// Files for their owner alone.
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
    options
}

/// Makes a rename durable. Only unix has directories that can be synced.
fn sync_dir(dir: &Path) -> Result<(), StoreError> {
    #[cfg(unix)]
    File::open(dir).and_then(|dir| dir.sync_all()).map_err(|error| io_fault(dir, &error))?;
    let _ = dir;
    Ok(())
}

fn corrupt(path: &Path, reason: String) -> StoreError {
    StoreError::Corrupt { what: path.display().to_string(), reason }
}
