//! Backups: whole or not there, and a journal like any other.

use std::fs;

use tempfile::TempDir;

use super::{files, open, sqlite};
use crate::conformance::{called, parked, started_for};
use crate::sqlite::FILE;
use crate::{SearchQuery, SqliteStore, Store};

#[tokio::test]
async fn a_backup_is_a_journal() {
    let (dir, store) = sqlite();
    let events = vec![started_for("ana", "3B", "Loops"), parked()];
    let records = store.append("s-1", "r-1", 0, 10, events, vec![]).await.unwrap();
    let row = store.session("s-1").await.unwrap();
    let backup = TempDir::new().unwrap();
    // As well from a process that only reads.
    let reader = SqliteStore::open_read_only(dir.path()).unwrap();
    reader.backup(&backup.path().join(FILE)).await.unwrap();
    assert_eq!(files(backup.path()).into_keys().collect::<Vec<_>>(), [FILE]);
    store.append("s-1", "r-1", 2, 20, vec![called(1)], vec![]).await.unwrap();

    let restored = open(backup.path());
    assert_eq!(restored.read("s-1", 0, 10).await.unwrap(), records);
    assert_eq!(restored.session("s-1").await.unwrap(), row);
    let query = SearchQuery { teacher: "ana".into(), words: "loops".into(), limit: 9, ..SearchQuery::default() };
    assert_eq!(restored.search(query).await.unwrap().len(), 1);
    restored.append("s-1", "r-1", 2, 20, vec![called(1)], vec![]).await.unwrap();
    restored.check().await.unwrap();
}

#[tokio::test]
async fn a_backup_replaces_nothing() {
    let (dir, store) = sqlite();
    let to = dir.path().join("backup.db");
    fs::write(&to, b"the last good one").unwrap();
    assert_eq!(store.backup(&to).await.unwrap_err().code(), "store.exists");
    assert_eq!(fs::read(&to).unwrap(), b"the last good one");
    assert_eq!(store.backup(&dir.path().join(FILE)).await.unwrap_err().code(), "store.exists");
    assert_eq!(store.backup(&dir.path().join("nowhere").join("b.db")).await.unwrap_err().code(), "store.failed");
    // What a killed backup left is in nobody's way.
    fs::write(dir.path().join("next.db.part"), b"half").unwrap();
    store.backup(&dir.path().join("next.db")).await.unwrap();
    assert!(!dir.path().join("next.db.part").exists());
}

#[cfg(unix)]
#[tokio::test]
async fn a_backup_is_the_owners_alone() {
    use std::os::unix::fs::PermissionsExt;
    let (dir, store) = sqlite();
    let to = dir.path().join("backup.db");
    store.backup(&to).await.unwrap();
    assert_eq!(to.metadata().unwrap().permissions().mode() & 0o777, 0o600);
}
