//! What is going on is not erased.

use ta_core::event::{Event, RunFinished, RunStarted, Status, Write, WritesDone, WritesIntended};
use ta_runtime::erase::{EraseRequest, What, erase};
use ta_runtime::host::now_ms;
use ta_runtime::surface::digest;
use ta_runtime::{Host, HostConfig};

const TEXT: &[u8] = b"# Loops\n";
const HELD_MS: u64 = 60_000;

/// A run that saved a file.
fn events(workspace: &std::path::Path) -> Vec<Event> {
    let (by, path) = ("output".to_owned(), "loops.md".to_owned());
    let write = Write { path: path.clone(), before: None, after: digest(TEXT) };
    let start = RunStarted { workspace: workspace.display().to_string(), ..RunStarted::default() };
    let saved = Some(path.clone());
    vec![
        Event::RunStarted(Box::new(start)),
        Event::WritesIntended(WritesIntended { by: by.clone(), writes: vec![write] }),
        Event::WritesDone(WritesDone { by, paths: vec![path], refused: Vec::new() }),
        Event::RunFinished(Box::new(RunFinished { status: Status::Success, reason: None, output: None, saved })),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_is_claimed_keeps_its_records_and_its_files() {
    let dir = tempfile::tempdir().unwrap();
    let workspace = dir.path().join("workspace");
    std::fs::create_dir(&workspace).unwrap();
    let file = workspace.join("loops.md");
    std::fs::write(&file, TEXT).unwrap();
    let data_dir = dir.path().join("data");
    let host = Host::open(HostConfig { data_dir, workspace: workspace.clone(), ..HostConfig::default() }).unwrap();
    let store = host.store().unwrap();
    store.append("s-1", "r-1", 0, 1, events(&workspace), vec![TEXT.to_vec().into()]).await.unwrap();
    store.claim("s-1", "another", now_ms(), HELD_MS).await.unwrap();
    let request = EraseRequest { what: What::Session("s-1".into()), with_forks: false, files: true };
    assert_eq!(erase(&host, &request).await.unwrap_err().code, "session.busy");
    assert!(file.exists() && store.read("s-1", 0, 10).await.unwrap().len() == 4, "nothing is taken away");
    store.release("s-1", "another").await.unwrap();
    assert_eq!(erase(&host, &request).await.unwrap().removed, ["loops.md"]);
    assert!(!file.exists());
}
