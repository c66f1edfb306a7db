//! The lock of a data directory: one process writes its journal.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;
use std::thread;
use std::time::Instant;

use super::fault::io_fault;
use super::open::private;
use crate::error::StoreError;
use crate::limits::{LOCK_POLL, LOCK_TIMEOUT};

/// Locked by the process that writes the journal, as long as it does, and names that process. The system unlocks it when
/// the process ends, however it ends, so the file stays and means nothing by itself.
pub(crate) const LOCK_FILE: &str = "journal.lock";

/// Takes the lock of a data directory, waiting a moment for a process that is just ending.
pub(super) fn lock(dir: &Path) -> Result<File, StoreError> {
    let path = dir.join(LOCK_FILE);
    let at_lock = |error: io::Error| io_fault(&path, &error);
    let options = &mut OpenOptions::new();
    let file = private(options.write(true).create(true).truncate(false)).open(&path).map_err(at_lock)?;
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => break,
            Err(TryLockError::Error(error)) => return Err(at_lock(error)),
            Err(TryLockError::WouldBlock) if begun.elapsed() < LOCK_TIMEOUT => thread::sleep(LOCK_POLL),
            Err(TryLockError::WouldBlock) => return Err(locked(dir, &path)),
        }
    }
    name_us(&file).map_err(at_lock)?;
    Ok(file)
}

/// Says who holds the lock, for the message of whoever does not get it.
fn name_us(mut file: &File) -> io::Result<()> {
    file.set_len(0)?;
    file.seek(SeekFrom::Start(0))?;
    writeln!(file, "{}", std::process::id())
}

fn locked(dir: &Path, path: &Path) -> StoreError {
    let holder = fs::read_to_string(path).ok().and_then(|text| text.trim().parse::<u32>().ok());
    let holder = holder.map_or_else(|| "another process".to_owned(), |id| format!("process {id}"));
    StoreError::Locked { reason: format!("{holder} has {} open", dir.display()) }
}
