//! Appends that need not be durable yet: to whoever asks this store, they are there.

use std::sync::Arc;

use ta_core::event::Status;

use super::{Outcome, answered, called, finished, note, refused, remembered, same, started, started_for};
use crate::chain::verify_chain;
use crate::prepare::digest;
use crate::rows::State;
use crate::search::SearchQuery;
use crate::store::{SessionFilter, Store};
use ta_core::memory::MemoryPath;

pub(super) async fn is_there(store: Arc<dyn Store>) -> Outcome {
    let first = store.append_later("s-1", "r-1", 0, 10, vec![started("p", "c", "Loops")], vec![]).await?;
    let blob = b"kept beside".to_vec();
    let second = store.append_later("s-1", "r-1", 1, 20, vec![called(1), called(2)], vec![blob.clone().into()]).await?;
    same("numbers", &second.iter().map(|record| record.seq).collect::<Vec<_>>(), &vec![2, 3])?;
    let all = [first, second].concat();
    same("what is read", &store.read("s-1", 0, 10).await?, &all)?;
    let third = store.append_later("s-1", "r-1", 3, 30, vec![answered(1, 100, 10, 0.25)], vec![]).await?;
    same("the end", &store.last_seq("s-1").await?, &4)?;
    same("the blob", &store.blob(&digest(&blob)).await?, &Some(blob))?;
    let row = store.run("r-1").await?.map(|run| (run.last_seq, run.turns, run.input_tokens));
    same("the run", &row, &Some((4, 1, 100)))?;
    // Those of the append alone come back, not what went with it.
    let last = store.append("s-1", "r-1", 4, 40, vec![finished(Status::Success)], vec![]).await?;
    same("what an append gives back", &last.iter().map(|record| record.seq).collect::<Vec<_>>(), &vec![5])?;
    same("all that is read", &store.read("s-1", 0, 10).await?, &[all, third, last].concat())?;
    store.barrier("s-1").await?;
    store.barrier("s-9").await?;
    same("the state", &store.session("s-1").await?.map(|row| row.state), &Some(State::Finished))?;
    same("the chain", &verify_chain(&*store, "s-1").await?, &Vec::new())
}

pub(super) async fn refuses(store: Arc<dyn Store>) -> Outcome {
    store.append_later("s-1", "r-1", 0, 10, vec![called(1)], vec![]).await?;
    for expected in [0, 2] {
        let stale = store.append_later("s-1", "r-1", expected, 10, vec![called(9)], vec![]).await;
        refused("a writer elsewhere", stale, "store.conflict")?;
        let stale = store.append("s-1", "r-1", expected, 10, vec![called(9)], vec![]).await;
        refused("a writer elsewhere that waits", stale, "store.conflict")?;
        store.append_later("s-1", "r-1", store.last_seq("s-1").await?, 10, vec![], vec![]).await?;
    }
    same("what was accepted", &store.last_seq("s-1").await?, &1)?;
    store.append_later("s-2", "r-2", 0, 10, vec![called(1)], vec![]).await?;
    let strayed = store.append_later("s-3", "r-2", 0, 10, vec![called(1)], vec![]).await;
    refused("a run of another session", strayed, "store.run_elsewhere")?;
    same("another session's end", &store.last_seq("s-3").await?, &0)?;
    refused("an id", store.append_later("a b", "r-2", 0, 10, vec![], vec![]).await, "store.bad_id")?;
    let cost = store.append_later("s-2", "r-2", 1, 10, vec![answered(1, 1, 1, f64::NAN)], vec![]).await;
    refused("a cost that is no number", cost, "store.unstorable").map(drop)
}

/// Every way to ask for what was appended.
pub(super) async fn every_read(store: Arc<dyn Store>) -> Outcome {
    let path = MemoryPath::entry(None);
    for number in 1..=10 {
        let (session, run) = (format!("session-{number}"), format!("run-{number}"));
        let owner = format!("owner-{number}");
        let events = vec![started_for(&owner, "3B", "Recursion"), remembered(&owner, "p", note(&path, "One"))];
        store.append_later(&session, &run, 0, number, events, vec![]).await?;
        let query = SearchQuery { owner: owner.clone(), words: "recursion".into(), limit: 9, ..Default::default() };
        let there = match number {
            1 => store.session(&session).await?.is_some(),
            2 => store.run(&run).await?.is_some(),
            3 => store.find(&session).await.is_ok(),
            4 => !store.sessions(SessionFilter { owner: Some(owner), ..SessionFilter::newest(9) }).await?.is_empty(),
            5 => store.runs(&session).await?.len() == 1,
            6 => store.search(query).await?.len() == 1,
            7 => store.memory(&owner).await?.len() == 1,
            8 => store.memory_file(&owner, &path).await?.is_some(),
            9 => !store.memory_audit(&owner, None, 9).await?.is_empty(),
            _ => store.stored(&session, 0, 9).await?.len() == 2,
        };
        same(&format!("what way {number} of asking finds"), &there, &true)?;
    }
    Ok(())
}

pub(super) async fn runs_take_turns(store: Arc<dyn Store>) -> Outcome {
    // Two runs of one session, and another writer beside them, without a barrier between.
    store.append_later("s-1", "r-1", 0, 10, vec![started("p", "c", "One")], vec![]).await?;
    store.append_later("s-1", "r-2", 1, 20, vec![started("p", "c", "Two")], vec![]).await?;
    store.append_later("s-1", "r-1", 2, 30, vec![finished(Status::Success)], vec![]).await?;
    store.append("s-1", "r-2", 3, 40, vec![finished(Status::Success)], vec![]).await?;
    let runs = store.runs("s-1").await?.into_iter().map(|run| (run.id, run.first_seq, run.last_seq));
    let expected = vec![("r-1".to_owned(), 1, 3), ("r-2".to_owned(), 2, 4)];
    same("its runs", &runs.collect::<Vec<_>>(), &expected)?;
    same("the chain", &verify_chain(&*store, "s-1").await?, &Vec::new())
}
