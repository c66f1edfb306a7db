//! Backups: whole or not there, and a journal like any other.

use std::fs;

use tempfile::TempDir;

use super::{files, open, sqlite};
use crate::conformance::{called, parked, started_for};
use crate::sqlite::FILE;
use crate::{SearchQuery, SessionFilter, SqliteStore, Store};

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
    let query = SearchQuery { owner: "ana".into(), words: "loops".into(), limit: 9, ..SearchQuery::default() };
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

async fn sessions(store: &SqliteStore) -> Vec<String> {
    let rows = store.sessions(SessionFilter::newest(99)).await.unwrap();
    rows.into_iter().map(|row| row.id).collect()
}

#[tokio::test]
async fn a_backup_is_put_back_and_what_was_there_is_set_aside() {
    let (dir, store) = sqlite();
    store.append("s-1", "r-1", 0, 10, vec![started_for("ana", "3B", "Loops")], vec![]).await.unwrap();
    let kept = TempDir::new().unwrap();
    let backup = kept.path().join("kept.db");
    store.backup(&backup).await.unwrap();
    store.append("s-2", "r-2", 0, 20, vec![started_for("ana", "3B", "Maps")], vec![]).await.unwrap();
    assert_eq!(SqliteStore::restore(dir.path(), &backup).unwrap_err().code(), "store.locked");
    assert_eq!(sessions(&store).await.len(), 2, "nothing was touched");
    drop(store);

    let aside = SqliteStore::restore(dir.path(), &backup).unwrap().unwrap();
    assert_eq!(sessions(&open(dir.path())).await, ["s-1"]);
    assert_eq!(sessions(&open(&aside)).await.len(), 2, "the journal before it is whole");
    let again = SqliteStore::restore(dir.path(), &aside.join(FILE)).unwrap().unwrap();
    assert_ne!(aside, again);
    assert_eq!(sessions(&open(dir.path())).await.len(), 2);
    let empty = TempDir::new().unwrap();
    assert_eq!(SqliteStore::restore(empty.path(), &backup).unwrap(), None, "there was none");
    assert_eq!(sessions(&open(empty.path())).await, ["s-1"]);
}

#[tokio::test]
async fn a_damaged_journal_is_replaced_log_and_mark_and_all() {
    let (dir, store) = sqlite();
    store.append("s-1", "r-1", 0, 10, vec![started_for("ana", "3B", "Loops")], vec![]).await.unwrap();
    let kept = TempDir::new().unwrap();
    let backup = kept.path().join("kept.db");
    store.backup(&backup).await.unwrap();
    store.append("s-2", "r-2", 0, 20, vec![started_for("ana", "3B", "Maps")], vec![]).await.unwrap();
    // Copied while it is written, so that log and mark are there, and the file is damaged.
    let torn = TempDir::new().unwrap();
    for (name, bytes) in files(dir.path()) {
        let whole = name != FILE;
        fs::write(torn.path().join(name), if whole { &bytes[..] } else { &bytes[..bytes.len() / 2] }).unwrap();
    }
    assert_eq!(SqliteStore::open(torn.path()).unwrap_err().code(), "store.corrupt");
    let before = files(torn.path());
    let aside = SqliteStore::restore(torn.path(), &backup).unwrap().unwrap();
    assert_eq!(sessions(&open(torn.path())).await, ["s-1"]);
    let set_aside = files(&aside);
    assert!(set_aside.len() >= 3 && set_aside.iter().all(|(name, bytes)| before[name] == *bytes), "{set_aside:?}");
}

#[tokio::test]
async fn what_is_no_whole_journal_is_not_put_in_its_place() {
    let (dir, store) = sqlite();
    store.append("s-1", "r-1", 0, 10, vec![started_for("ana", "3B", "Loops")], vec![]).await.unwrap();
    let kept = TempDir::new().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = kept.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let backup = kept.path().join("kept.db");
    store.backup(&backup).await.unwrap();
    drop(store);
    let whole = fs::read(&backup).unwrap();
    let mut flipped = whole.clone();
    flipped.iter_mut().skip(4096).for_each(|byte| *byte ^= 0x55);
    let before = files(dir.path());
    for (path, code) in [
        (file("text.db", b"a note to myself, no journal at all"), "store.not_a_journal"),
        (file("empty.db", b""), "store.corrupt"),
        (file("half.db", &whole[..whole.len() / 2]), "store.corrupt"),
        (file("flipped.db", &flipped), "store.corrupt"),
        (kept.path().join("nowhere.db"), "store.missing"),
        (kept.path().to_owned(), "store.not_a_journal"),
    ] {
        assert_eq!(SqliteStore::restore(dir.path(), &path).unwrap_err().code(), code, "{}", path.display());
        assert_eq!(files(dir.path()), before, "{}", path.display());
    }
    assert_eq!(sessions(&open(dir.path())).await, ["s-1"]);
}
