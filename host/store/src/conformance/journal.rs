//! Events and blobs: their order, their wholeness, and who may append.

use std::sync::Arc;

use ta_core::event::RunFinished;
use ta_core::step::Blob;
use ta_core::{Event, Record};
use tokio::task::JoinSet;

use super::{Outcome, Wrong, answered, called, finished, refused, same, started};
use crate::error::StoreError;
use crate::prepare::digest;
use crate::store::{SessionFilter, Store};

pub(super) async fn numbers(store: Arc<dyn Store>) -> Outcome {
    same("the end of no session", &store.last_seq("s-1").await?, &0)?;
    let first = store.append("s-1", "r-1", 0, 10, vec![started("p", "c", "i"), called(1)], vec![]).await?;
    same("the first numbers", &places(&first), &vec![1, 2])?;
    let second = store.append("s-1", "r-1", 2, 11, vec![called(2)], vec![]).await?;
    same("the next number", &places(&second), &vec![3])?;
    let other = store.append("s-2", "r-2", 0, 12, vec![called(1)], vec![]).await?;
    same("the first number of another session", &places(&other), &vec![1])?;
    let nothing = store.append("s-1", "r-1", 3, 13, vec![], vec![]).await?;
    same("no numbers for no events", &places(&nothing), &Vec::<u64>::new())?;
    same("the end", &store.last_seq("s-1").await?, &3)
}

pub(super) async fn reads_pages(store: Arc<dyn Store>) -> Outcome {
    same("events of no session", &store.read("s-1", 0, 10).await?, &Vec::new())?;
    store.append("s-1", "r-1", 0, 10, (1..=5).map(called).collect(), vec![]).await?;
    same("a page", &places(&store.read("s-1", 1, 2).await?), &vec![2, 3])?;
    same("the last page", &places(&store.read("s-1", 4, 2).await?), &vec![5])?;
    same("after the end", &store.read("s-1", 5, 2).await?, &Vec::new())?;
    same("far after the end", &store.read("s-1", u64::MAX, 2).await?, &Vec::new())?;
    same("a page of nothing", &store.read("s-1", 0, 0).await?, &Vec::new())?;
    same("everything", &places(&store.read("s-1", 0, usize::MAX).await?), &vec![1, 2, 3, 4, 5])
}

pub(super) async fn reads_what_was_appended(store: Arc<dyn Store>) -> Outcome {
    // Floats that do not survive their decimal form in every library, and text that could break a format.
    let output = Some("\0 \u{1b}[31m \u{202e} \u{feff} 'x' \"y\" \\ \r\n 𝄞".to_owned());
    let odd = RunFinished { status: ta_core::event::Status::Success, reason: None, output, saved: None };
    let mut events = vec![started("p", "c", "é"), Event::RunFinished(Box::new(odd))];
    events.extend([0.1 + 0.2, 1.0 / 3.0, 5e-324, 1.797_693_134_862_315_7e308].map(|cost| answered(1, 1, 1, cost)));
    let appended = store.append("s-1", "r-1", 0, 10, events, vec![]).await?;
    same("what is read", &store.read("s-1", 0, 100).await?, &appended)
}

pub(super) async fn refuses_conflicts(store: Arc<dyn Store>) -> Outcome {
    let blob = b"not stored".to_vec();
    let early = store.append("s-1", "r-1", 1, 10, vec![called(1)], vec![blob.clone().into()]).await;
    refused("a session that does not begin at 1", early, "store.conflict")?;
    same("sessions after a conflict", &store.sessions(SessionFilter::newest(10)).await?, &Vec::new())?;
    store.append("s-1", "r-1", 0, 10, vec![called(1), called(2)], vec![]).await?;
    let before = store.session("s-1").await?;
    for expected in [0, 1, 3, u64::MAX] {
        let stale = store.append("s-1", "r-1", expected, 11, vec![called(9)], vec![blob.clone().into()]).await;
        let error = refused("a writer elsewhere", stale, "store.conflict")?;
        same("the conflict", &error, &StoreError::Conflict { session: "s-1".into(), expected, last: 2 })?;
    }
    same("the end after conflicts", &store.last_seq("s-1").await?, &2)?;
    same("the row after conflicts", &store.session("s-1").await?, &before)?;
    same("the blob of a refused append", &store.blob(&digest(&blob)).await?, &None)
}

pub(super) async fn one_wins(store: Arc<dyn Store>) -> Outcome {
    let mut tasks = JoinSet::new();
    for turn in 1..=16 {
        let store = Arc::clone(&store);
        tasks.spawn(async move { store.append("s-1", "r-1", 0, 10, vec![called(turn)], vec![]).await });
    }
    let mut won = Vec::new();
    for outcome in tasks.join_all().await {
        match outcome {
            Ok(records) => won.extend(records),
            other => drop(refused("a writer that lost", other, "store.conflict")?),
        }
    }
    same("how many won", &won.len(), &1)?;
    same("what is stored", &store.read("s-1", 0, 100).await?, &won)
}

pub(super) async fn parallel(store: Arc<dyn Store>) -> Outcome {
    const SESSIONS: u64 = 16;
    const APPENDS: u64 = 20;
    let mut tasks = JoinSet::new();
    for session in 0..SESSIONS {
        let store = Arc::clone(&store);
        tasks.spawn(async move {
            let (id, run) = (format!("s-{session}"), format!("r-{session}"));
            for last in 0..APPENDS {
                store.append(&id, &run, last, 10, vec![called(1)], vec![]).await?;
            }
            store.read(&id, 0, 100).await
        });
    }
    for outcome in tasks.join_all().await {
        same("numbers of a session", &places(&outcome?), &(1..=APPENDS).collect::<Vec<_>>())?;
    }
    Ok(())
}

pub(super) async fn run_stays(store: Arc<dyn Store>) -> Outcome {
    store.append("s-1", "r-1", 0, 10, vec![called(1)], vec![]).await?;
    let strayed = store.append("s-2", "r-1", 0, 10, vec![called(1)], vec![]).await;
    refused("a run of another session", strayed, "store.run_elsewhere")?;
    same("the session that it strayed to", &store.session("s-2").await?, &None)
}

pub(super) async fn refuses_unreadable(store: Arc<dyn Store>) -> Outcome {
    // JSON has no such number: it would be written as `null`.
    let events = vec![called(1), answered(1, 1, 1, f64::NAN)];
    let blob = b"not stored".to_vec();
    let outcome = store.append("s-1", "r-1", 0, 10, events, vec![blob.clone().into()]).await;
    refused("a cost that is no number", outcome, "store.unstorable")?;
    let outcome = store.append("s-1", "r-1", 0, u64::MAX, vec![called(1)], vec![]).await;
    refused("a time after the end of time", outcome, "store.unstorable")?;
    same("the end", &store.last_seq("s-1").await?, &0)?;
    same("the blob", &store.blob(&digest(&blob)).await?, &None)
}

pub(super) async fn refuses_ids(store: Arc<dyn Store>) -> Outcome {
    for id in ["", "a b", "a/b", "é", "a\0", &"a".repeat(65)] {
        let event = || vec![called(1)];
        refused("a session's id", store.append(id, "r-1", 0, 10, event(), vec![]).await, "store.bad_id")?;
        refused("a run's id", store.append("s-1", id, 0, 10, event(), vec![]).await, "store.bad_id")?;
        refused("an owner", store.claim("s-1", id, 10, 10).await, "store.bad_id")?;
        refused("a session to claim", store.claim(id, "o-1", 10, 10).await, "store.bad_id")?;
        same("no such session", &store.session(id).await?, &None)?;
        same("no such run", &store.run(id).await?, &None)?;
    }
    let longest = "a".repeat(64);
    store.append(&longest, "0198c2d4-9f1e-7c3a_B.z", 0, 10, vec![called(1)], vec![]).await?;
    Ok(())
}

pub(super) async fn clock_goes_back(store: Arc<dyn Store>) -> Outcome {
    for (last, at_ms) in [(0, 3_600_000), (1, 0), (2, 1_800_000)] {
        store.append("s-1", "r-1", last, at_ms, vec![called(1)], vec![]).await?;
    }
    let records = store.read("s-1", 0, 10).await?;
    same("times in order of numbers", &times(&records), &vec![3_600_000, 0, 1_800_000])?;
    let row = store.session("s-1").await?.ok_or_else(|| Wrong("the session is gone".into()))?;
    same("first and last event", &(row.created_ms, row.updated_ms), &(3_600_000, 1_800_000))
}

pub(super) async fn keeps_blobs(store: Arc<dyn Store>) -> Outcome {
    let (small, empty, large) = (b"one".to_vec(), Vec::new(), vec![0xff; 3_000_000]);
    let blobs = [&small, &empty, &large, &small].into_iter().cloned().map(Blob::from).collect();
    store.append("s-1", "r-1", 0, 10, vec![finished(ta_core::event::Status::Success)], blobs).await?;
    let held = |bytes: &[u8]| Blob::Held(digest(bytes));
    store.append("s-2", "r-2", 0, 10, vec![], vec![held(&small), Blob::from(b"two".to_vec())]).await?;
    let gone = store.append("s-3", "r-3", 0, 10, vec![], vec![Blob::from(b"four".to_vec()), held(b"three")]).await;
    same("a blob that is taken for held", &gone.map_err(|error| error.code()), &Err("store.blob_missing"))?;
    let names: Vec<String> = [&b"two"[..], b"three", b"four", &small].into_iter().map(digest).collect();
    same("what is missing", &store.missing_blobs(&names).await?, &vec![digest(b"three"), digest(b"four")])?;
    for blob in [small, empty, large, b"two".to_vec()] {
        same("a blob", &(store.blob(&digest(&blob)).await? == Some(blob)), &true)?;
    }
    for unknown in [digest(b"three"), String::new(), "no digest".into()] {
        same("a blob that is not there", &store.blob(&unknown).await?, &None)?;
    }
    same("a session without events", &store.session("s-2").await?, &None)
}

fn places(records: &[Record]) -> Vec<u64> {
    records.iter().map(|record| record.seq).collect()
}

fn times(records: &[Record]) -> Vec<u64> {
    records.iter().map(|record| record.at_ms).collect()
}
