//! Processes really killed at random moments: what was acknowledged is there, and nothing is half.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use tempfile::TempDir;

use super::{child, of_parent, open};
use crate::Store;
use crate::conformance::{called, started_for};
use crate::sqlite::FILE;

/// Time that one of these tests spends on killing.
const BUDGET: Duration = Duration::from_secs(4);

/// Runs a test of this program as another process, kills it at a random moment within `window_ms` from its first line,
/// and gives the lines that it had said.
fn kill(test: &str, dir: &Path, window_ms: u64) -> Vec<String> {
    let program = std::env::current_exe().unwrap();
    let mut victim = child(&program, test, dir).stdout(Stdio::piped()).spawn().unwrap();
    let (first, begun) = std::sync::mpsc::channel();
    let output = victim.stdout.take().unwrap();
    let said = thread::spawn(move || {
        let lines = BufReader::new(output).lines().map_while(Result::ok);
        // The harness's own words may stand before the first of them.
        let said = lines.filter_map(|line| line.split_once("said ").map(|(_, said)| said.to_owned()));
        said.inspect(|_| first.send(()).unwrap_or_default()).collect::<Vec<String>>()
    });
    begun.recv_timeout(Duration::from_secs(10)).expect("the child says something");
    let moment = RandomState::new().hash_one(0) % (window_ms * 1_000);
    thread::sleep(Duration::from_micros(moment));
    victim.kill().unwrap();
    victim.wait().unwrap();
    said.join().unwrap()
}

fn say(what: impl std::fmt::Display) {
    let mut out = std::io::stdout().lock();
    writeln!(out, "said {what}").unwrap();
    out.flush().unwrap();
}

fn whole(file: &Path) {
    let connection = Connection::open(file).unwrap();
    let found: String = connection.pragma_query_value(None, "integrity_check", |row| row.get(0)).unwrap();
    assert_eq!(found, "ok");
}

#[tokio::test]
async fn during_checkpoints() {
    const TEST: &str = "tests::kill::during_checkpoints";
    if let Some(dir) = of_parent() {
        let store = open(Path::new(&dir));
        // A checkpoint after every commit.
        store.tamper(|connection| connection.execute_batch("PRAGMA wal_autocheckpoint = 1")).await.unwrap();
        let mut last = store.last_seq("s-1").await.unwrap();
        loop {
            let events = vec![started_for("ana", "3B", &"loops ".repeat(500))];
            store.append("s-1", "r-1", last, 10, events, vec![last.to_le_bytes().to_vec().into()]).await.unwrap();
            last += 1;
            say(last);
        }
    }
    let dir = TempDir::new().unwrap();
    let begun = Instant::now();
    let mut last: u64 = 0;
    while begun.elapsed() < BUDGET {
        let said = kill(TEST, dir.path(), 60);
        let acknowledged = said.last().unwrap().parse::<u64>().unwrap();
        let store = open(dir.path());
        let records = store.read("s-1", 0, usize::MAX).await.unwrap();
        let found = records.len() as u64;
        assert!(records.iter().zip(1..).all(|(record, seq)| record.seq == seq), "in order, and none twice");
        assert!(acknowledged > last && found >= acknowledged, "{found} of {acknowledged} events are there");
        assert_eq!(store.session("s-1").await.unwrap().unwrap().runs, 1);
        last = found;
        drop(store);
        whole(&dir.path().join(FILE));
    }
}

#[tokio::test]
async fn during_backups() {
    const TEST: &str = "tests::kill::during_backups";
    if let Some(dir) = of_parent() {
        let dir = Path::new(&dir);
        let store = open(dir);
        let mut last = store.last_seq("s-1").await.unwrap();
        loop {
            let blob = vec![u8::try_from(last % 256).unwrap(); 200_000];
            store.append("s-1", "r-1", last, 10, vec![called(1)], vec![blob.into()]).await.unwrap();
            last += 1;
            say(last);
            store.backup(&dir.join(format!("backup-{last}"))).await.unwrap();
        }
    }
    let begun = Instant::now();
    while begun.elapsed() < BUDGET {
        let dir = TempDir::new().unwrap();
        let acknowledged = kill(TEST, dir.path(), 80).last().unwrap().parse::<u64>().unwrap();
        let backups = (1..=acknowledged).map(|number| (number, dir.path().join(format!("backup-{number}"))));
        let backups: Vec<_> = backups.filter(|(_, file)| file.exists()).collect();
        assert!(backups.len() as u64 >= acknowledged - 1, "only the last one may be missing");
        for (number, file) in backups {
            whole(&file);
            let restored = TempDir::new().unwrap();
            std::fs::copy(&file, restored.path().join(FILE)).unwrap();
            assert_eq!(open(restored.path()).last_seq("s-1").await.unwrap(), number);
        }
        assert!(open(dir.path()).last_seq("s-1").await.unwrap() >= acknowledged);
    }
}
