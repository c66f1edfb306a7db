//! What is not a whole journal of ours is refused, and stays as it was to the byte.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use rusqlite::Connection;
use rusqlite::config::DbConfig;
use tempfile::TempDir;

use super::{files, open, sqlite};
use crate::conformance::{called, started};
use crate::limits::BLOB_BYTES_MAX;
use crate::sqlite::{FILE, LOCK_FILE};
use crate::{SqliteStore, Store, StoreError, digest};

/// The files that hold something: the index of the log is made anew by whoever looks.
fn contents(dir: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = files(dir);
    files.remove("journal.db-shm");
    files
}

/// Opening is refused with this code, says what to do, and leaves every file as it was.
pub(super) fn refuses(dir: &Path, code: &str) -> StoreError {
    let before = contents(dir);
    let error = SqliteStore::open(dir).expect_err(code);
    assert_eq!(error.code(), code, "{error}");
    assert!(!error.hint().is_empty());
    let after = contents(dir);
    let changed: Vec<_> =
        before.keys().chain(after.keys()).filter(|name| before.get(*name) != after.get(*name)).collect();
    assert!(changed.is_empty(), "{code}: changed are {changed:?}");
    error
}

/// A directory that holds this as its journal.
fn holding(bytes: &[u8]) -> TempDir {
    let dir = TempDir::new().unwrap();
    fs::write(dir.path().join(FILE), bytes).unwrap();
    dir
}

/// A closed journal of some hundred kilobytes.
async fn filled() -> TempDir {
    let (dir, store) = sqlite();
    for last in 0..50 {
        let event = started("teacher", "plan", &"long ".repeat(500));
        store.append("s-1", "r-1", last, 10, vec![event], vec![]).await.unwrap();
    }
    dir
}

#[test]
fn an_empty_file() {
    refuses(holding(b"").path(), "store.corrupt");
}

#[test]
fn garbage() {
    for bytes in [b"x".as_slice(), b"SQLite format 2\0", &[0; 8192], "Liebe Klasse 3B, ".repeat(1000).as_bytes()] {
        refuses(holding(bytes).path(), "store.not_a_journal");
    }
}

#[test]
fn a_directory_of_that_name() {
    let dir = TempDir::new().unwrap();
    fs::create_dir(dir.path().join(FILE)).unwrap();
    refuses(dir.path(), "store.not_a_journal");
}

#[test]
fn another_applications_database() {
    for application_id in [0, 42] {
        let dir = TempDir::new().unwrap();
        let other = Connection::open(dir.path().join(FILE)).unwrap();
        other.pragma_update(None, "application_id", application_id).unwrap();
        other.execute_batch("CREATE TABLE recipes (name TEXT)").unwrap();
        drop(other);
        refuses(dir.path(), "store.not_a_journal");
    }
}

#[tokio::test]
async fn a_newer_schema() {
    let dir = filled().await;
    let newer = Connection::open(dir.path().join(FILE)).unwrap();
    newer.pragma_update(None, "user_version", 99).unwrap();
    drop(newer);
    let error = refuses(dir.path(), "store.newer_schema");
    assert!(error.to_string().ends_with("has schema 99; this version knows 5"), "{error}");
}

#[tokio::test]
async fn an_older_schema() {
    for old in [0, 1, 4] {
        let dir = filled().await;
        let older = Connection::open(dir.path().join(FILE)).unwrap();
        older.pragma_update(None, "user_version", old).unwrap();
        drop(older);
        let error = refuses(dir.path(), "store.older_schema");
        assert!(error.to_string().ends_with(&format!("has schema {old}, and this version reads 5")), "{error}");
        let reading = SqliteStore::open_read_only(dir.path()).unwrap_err();
        assert_eq!(reading, error);
    }
}

#[tokio::test]
async fn a_newer_schema_that_only_the_log_holds() {
    let dir = filled().await;
    // As a newer version that was killed leaves it.
    let newer = Connection::open(dir.path().join(FILE)).unwrap();
    newer.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true).unwrap();
    newer.pragma_update(None, "user_version", 99).unwrap();
    drop(newer);
    refuses(dir.path(), "store.newer_schema");
}

#[tokio::test]
async fn a_file_that_ends_early() {
    let dir = filled().await;
    let whole = fs::read(dir.path().join(FILE)).unwrap();
    for bytes in [100, 4095, 4096, whole.len() / 2, whole.len() - 4096] {
        refuses(holding(&whole[..bytes]).path(), "store.corrupt");
    }
    // Not even a header.
    for bytes in [1, 20] {
        refuses(holding(&whole[..bytes]).path(), "store.not_a_journal");
    }
}

#[tokio::test]
async fn a_log_without_its_file() {
    let dir = filled().await;
    fs::write(dir.path().join("journal.db-wal"), b"somebody's events").unwrap();
    fs::remove_file(dir.path().join(FILE)).unwrap();
    refuses(dir.path(), "store.corrupt");
}

#[tokio::test]
async fn a_damaged_schema() {
    let dir = filled().await;
    let mut bytes = fs::read(dir.path().join(FILE)).unwrap();
    bytes[100..4096].fill(0xff);
    fs::write(dir.path().join(FILE), &bytes).unwrap();
    refuses(dir.path(), "store.corrupt");
}

#[tokio::test]
async fn damaged_pages() {
    let dir = filled().await;
    let mut bytes = fs::read(dir.path().join(FILE)).unwrap();
    let end = bytes.len();
    bytes[end / 2..].fill(0xff);
    fs::write(dir.path().join(FILE), &bytes).unwrap();
    let error = refuses(dir.path(), "store.corrupt");
    assert!(error.to_string().contains("journal.db is damaged: "), "{error}");
    // To read alone it is opened: what is whole can be saved.
    let store = SqliteStore::open_read_only(dir.path()).unwrap();
    assert_eq!(store.read("s-1", 0, 100).await.unwrap_err().code(), "store.corrupt");
    assert_eq!(store.check().await.unwrap_err().code(), "store.corrupt");
    assert_eq!(store.read("s-1", 0, 1).await.unwrap().len(), 1);
}

/// A record as it was never appended.
async fn insert(store: &SqliteStore, seq: u64, kind: &'static str, body: &'static str) {
    let insert = "INSERT INTO records (session_id, seq, run_id, at_ms, type, previous, commitment, salt, body)
        VALUES ('s-1', ?1, 'r-1', 10, ?2, zeroblob(32), zeroblob(32), zeroblob(32), ?3)";
    let seq = i64::try_from(seq).unwrap();
    store.tamper(move |connection| connection.execute(insert, (seq, kind, body)).map(drop)).await.unwrap();
}

#[tokio::test]
async fn an_event_of_another_version() {
    let (_dir, store) = sqlite();
    store.append("s-1", "r-1", 0, 10, vec![called(1)], vec![]).await.unwrap();
    let row = store.session("s-1").await.unwrap();
    insert(&store, 2, "flow.stepped", "{\"type\": \"flow.stepped\"}").await;
    let error = store.read("s-1", 0, 10).await.unwrap_err();
    assert_eq!(error.code(), "store.unknown_event");
    assert!(error.to_string().starts_with("event 2 of session `s-1` is a `flow.stepped`"), "{error}");
    assert_eq!(store.read("s-1", 0, 1).await.unwrap().len(), 1, "what comes before it is read");
    assert_eq!(store.rebuild_views().await.unwrap_err(), error);
    assert_eq!(store.session("s-1").await.unwrap(), row, "the views stay");
    store.append("s-2", "r-2", 0, 10, vec![called(1)], vec![]).await.unwrap();
    assert_eq!(store.session("s-2").await.unwrap().unwrap().runs, 1, "and go on");
}

#[tokio::test]
async fn a_damaged_event() {
    let (_dir, store) = sqlite();
    insert(&store, 1, "model.called", "{\"type\": \"model.ca").await;
    let error = store.read("s-1", 0, 10).await.unwrap_err();
    assert_eq!(error.code(), "store.corrupt");
    assert!(error.to_string().starts_with("event 1 of session `s-1` is damaged"), "{error}");
}

#[tokio::test]
async fn a_damaged_blob() {
    let (_dir, store) = sqlite();
    let name = digest(b"evidence");
    let insert = format!("INSERT INTO blobs VALUES ('{name}', x'00')");
    store.tamper(move |connection| connection.execute_batch(&insert)).await.unwrap();
    assert_eq!(store.blob(&name).await.unwrap_err().code(), "store.corrupt");
}

#[tokio::test]
async fn a_blob_above_its_limit() {
    let (_dir, store) = sqlite();
    let outcome = store.append("s-1", "r-1", 0, 10, vec![], vec![vec![0; BLOB_BYTES_MAX + 1].into()]).await;
    assert_eq!(outcome.unwrap_err().code(), "store.unstorable");
}

#[test]
fn a_creation_that_does_not_end() {
    let dir = TempDir::new().unwrap();
    let other = fs::File::create(dir.path().join(LOCK_FILE)).unwrap();
    other.lock().unwrap();
    refuses(dir.path(), "store.locked");
    assert!(!dir.path().join(FILE).exists());
}

#[cfg(unix)]
mod read_only {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    use std::process::Stdio;

    use super::*;
    use crate::tests::{child, of_parent};

    const TEST: &str = "tests::refusals::read_only::what_cannot_be_written";
    const NOBODY: u32 = 65_534;

    fn allow(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    /// Permissions do not hold root back, so the test goes on as somebody else where root runs it.
    #[tokio::test]
    async fn what_cannot_be_written() {
        if let Some(dir) = of_parent() {
            return refuse_all(Path::new(&dir));
        }
        let dir = TempDir::new().unwrap();
        allow(dir.path(), 0o755);
        for place in ["directory", "file"] {
            open(&dir.path().join(place));
            allow(&dir.path().join(place).join(FILE), 0o444);
        }
        fs::create_dir(dir.path().join("empty")).unwrap();
        allow(&dir.path().join("file"), 0o777);
        allow(&dir.path().join("directory"), 0o555);
        allow(&dir.path().join("empty"), 0o555);
        if fs::write(dir.path().join("empty").join("probe"), b"").is_err() {
            return refuse_all(dir.path());
        }
        fs::remove_file(dir.path().join("empty").join("probe")).unwrap();
        // Where everybody may read it.
        let program = dir.path().join("tests");
        fs::copy(std::env::current_exe().unwrap(), &program).unwrap();
        let status = child(&program, TEST, dir.path()).uid(NOBODY).gid(NOBODY).stdout(Stdio::null()).status();
        assert!(status.unwrap().success());
    }

    fn refuse_all(dir: &Path) {
        for place in ["empty", "directory", "file"] {
            refuses_by_code(&dir.join(place));
        }
        let below = SqliteStore::open(&dir.join("empty").join("below")).unwrap_err();
        assert_eq!(below.code(), "store.read_only", "{below}");
    }

    /// Files that the owner alone may read cannot be compared here.
    fn refuses_by_code(dir: &Path) {
        let names = || fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>();
        let before = names();
        let error = SqliteStore::open(dir).unwrap_err();
        assert_eq!(error.code(), "store.read_only", "{error}");
        assert_eq!(names(), before);
    }
}
