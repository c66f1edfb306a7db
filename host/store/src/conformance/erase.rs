//! Erasing: nothing of what was said is left, and the chain still holds.

use std::sync::Arc;

use ta_core::event::Status;
use ta_core::memory::{Change, MemoryPath, MemoryRules};
use ta_core::step::Blob;

use super::{
    Outcome, Wrong, called, finished, finished_with, forked, note, prompted, refused, remembered, same, started_for,
};
use crate::chain::{TOMBSTONE, verify_chain};
use crate::erase::{Erased, Erasure, Tombstone};
use crate::error::StoreError;
use crate::prepare::digest;
use crate::search::SearchQuery;
use crate::store::{SessionFilter, Store};

const LIMIT: usize = 100;

fn of(sessions: &[&str]) -> Erasure {
    let memory_session = format!("m-{}-", sessions.join("-"));
    let sessions = sessions.iter().map(|id| (*id).to_owned()).collect();
    Erasure { sessions, claimed_by: "eraser".into(), memory_session, by: "person".into(), at_ms: 1_000 }
}

/// Two sessions of one owner that share a blob and their memory, and one of another owner.
async fn fill(store: &dyn Store) -> Outcome {
    let path = MemoryPath::entry(None);
    for (id, owner, request, text) in [
        ("s-1", "ana", "Recursion with canaries", "Likes canaries"),
        ("s-2", "ana", "Loops with sparrows", "Likes sparrows"),
        ("s-3", "ben", "Loops with canaries", "Keeps canaries"),
    ] {
        let run = format!("run-of-{id}");
        let events = vec![started_for(owner, "3B", request), remembered(owner, "call-1", note(&path, text)), called(1)];
        let blobs = vec![Blob::from(b"shared by all".to_vec()), Blob::from(format!("blob of {id}").into_bytes())];
        store.append(id, &run, 0, 10, events, blobs).await?;
        let shown = prompted(&path, &[text]);
        store.append(id, &run, 3, 20, vec![shown, finished_with(Status::Success, request)], vec![]).await?;
    }
    Ok(())
}

async fn found(store: &dyn Store, owner: &str, words: &str) -> Result<String, Wrong> {
    let query = SearchQuery { owner: owner.into(), words: words.into(), limit: LIMIT, ..SearchQuery::default() };
    let ids: Vec<_> = store.search(query).await?.into_iter().map(|hit| hit.session.id).collect();
    Ok(ids.join(" "))
}

async fn notes(store: &dyn Store, owner: &str) -> Result<Vec<String>, Wrong> {
    let files = store.memory(owner).await?;
    let lines = files.iter().flat_map(|file| file.text.lines());
    Ok(lines.filter_map(|line| line.strip_prefix("- ")).map(ToOwned::to_owned).collect())
}

pub(super) async fn leaves_nothing(store: Arc<dyn Store>) -> Outcome {
    fill(&*store).await?;
    let before = store.stored("s-1", 0, LIMIT).await?;
    let said: usize =
        before.iter().filter_map(|it| it.body.as_ref()).map(|body| body.json.len() + body.salt.len()).sum();
    let bytes = (said + b"blob of s-1".len()) as u64;
    let erased = store.erase(of(&["s-1"])).await?;
    let tombstone = Tombstone { session: "s-1".into(), seq: 6, records: 5, blobs: 1, bytes };
    same("what was erased", &erased, &Erased { at_ms: 1_000, tombstones: vec![tombstone] })?;
    for rebuilt in [false, true] {
        if rebuilt {
            store.rebuild_views().await?;
        }
        refused("its events", store.read("s-1", 0, LIMIT).await, "session.erased")?;
        refused("its last event", store.read("s-1", 5, LIMIT).await, "session.erased")?;
        for id in ["s-1", "run-of-s-1", "run-of-s-"] {
            let error = store.find(id).await;
            let code = if id == "run-of-s-" { "store.ambiguous" } else { "session.erased" };
            refused(id, error, code)?;
        }
        same("its row", &store.session("s-1").await?, &None)?;
        same("its run", &store.run("run-of-s-1").await?, &None)?;
        same("its runs", &store.runs("s-1").await?, &Vec::new())?;
        same("the list", &store.sessions(SessionFilter::newest(LIMIT)).await?.len(), &2)?;
        same("its words", &found(&*store, "ana", "canaries").await?, &"")?;
        same("words of another", &found(&*store, "ana", "sparrows").await?, &"s-2")?;
        same("words of another owner", &found(&*store, "ben", "canaries").await?, &"s-3")?;
        same("its notes", &notes(&*store, "ana").await?, &vec!["Likes sparrows".to_owned()])?;
        same("notes of another owner", &notes(&*store, "ben").await?, &vec!["Keeps canaries".to_owned()])?;
        let audit = store.memory_audit("ana", None, LIMIT).await?;
        same("the audit", &audit.iter().filter(|row| row.session == "s-1").count(), &0)?;
        same("its blob", &store.blob(&digest(b"blob of s-1")).await?, &None)?;
        same("a blob of all", &store.blob(&digest(b"shared by all")).await?.is_some(), &true)?;
        for id in ["s-1", "s-2", "s-3"] {
            same("the chain", &verify_chain(&*store, id).await?, &Vec::new())?;
        }
    }
    let after = store.stored("s-1", 0, LIMIT).await?;
    same("headers", &after.iter().zip(&before).all(|(after, before)| after.header == before.header), &true)?;
    same("bodies", &after.iter().filter(|it| it.body.is_some()).count(), &1)?;
    let last = after.last().map(|it| (it.header.kind.as_str(), it.header.seq, it.header.at_ms));
    same("the tombstone", &last, &Some((TOMBSTONE, 6, 1_000)))
}

pub(super) async fn ends_a_session(store: Arc<dyn Store>) -> Outcome {
    fill(&*store).await?;
    store.erase(of(&["s-1"])).await?;
    same("the end", &store.last_seq("s-1").await?, &6)?;
    for last in [0, 5, 6] {
        let more = store.append("s-1", "run-of-s-1", last, 30, vec![called(1)], vec![]).await;
        refused("an append", more, "session.erased")?;
        let more = store.append_later("s-1", "r-9", last, 30, vec![called(1)], vec![]).await;
        refused("an append that waits", more, "session.erased")?;
    }
    refused("erasing it again", store.erase(of(&["s-1"])).await, "session.erased")?;
    refused("nothing", store.erase(of(&["s-9"])).await, "store.not_found")?;
    // All or none.
    refused("one that is gone among them", store.erase(of(&["s-2", "s-1"])).await, "session.erased")?;
    same("the other", &store.read("s-2", 0, LIMIT).await?.len(), &5)?;
    // Memory goes on without it.
    let events = vec![remembered("ana", "p", note(&MemoryPath::entry(None), "Likes quizzes"))];
    store.append("s-2", "run-of-s-2", 5, 40, events, vec![]).await?;
    same("notes", &notes(&*store, "ana").await?.len(), &2)
}

pub(super) async fn respects_claims(store: Arc<dyn Store>) -> Outcome {
    fill(&*store).await?;
    store.claim("s-1", "node-a", 900, 500).await?;
    let error = refused("a run that is going", store.erase(of(&["s-2", "s-1"])).await, "store.claimed")?;
    let held = StoreError::Claimed { session: "s-1".into(), holder: "node-a".into(), until_ms: 1_400 };
    same("who holds it", &error, &held)?;
    same("the other", &store.read("s-2", 0, LIMIT).await?.len(), &5)?;
    store.release("s-1", "node-a").await?;
    store.claim("s-1", "eraser", 900, 500).await?;
    store.erase(of(&["s-1"])).await?;
    store.claim("s-2", "node-a", 400, 500).await?;
    store.erase(of(&["s-2"])).await.map(drop).map_err(Wrong::from)
}

pub(super) async fn knows_forks(store: Arc<dyn Store>) -> Outcome {
    fill(&*store).await?;
    store.append("f-1", "r-f-1", 0, 30, vec![forked("s-1", "run-of-s-1", 3), called(1)], vec![]).await?;
    store.append("f-2", "r-f-2", 0, 40, vec![forked("f-1", "r-f-1", 1), finished(Status::Success)], vec![]).await?;
    same("forks", &store.forks("s-1").await?, &vec!["f-1".to_owned()])?;
    same("forks of a fork", &store.forks("f-1").await?, &vec!["f-2".to_owned()])?;
    same("no forks", &store.forks("f-2").await?, &Vec::<String>::new())?;
    let error = refused("what others share", store.erase(of(&["s-1"])).await, "session.forked")?;
    same("the forks", &error, &StoreError::Forked { session: "s-1".into(), forks: vec!["f-1".into()] })?;
    refused("what forks of it share", store.erase(of(&["s-1", "f-1"])).await, "session.forked")?;
    store.erase(of(&["f-2"])).await?;
    same("what it shared", &store.read("f-1", 0, LIMIT).await?.len(), &2)?;
    let erased = store.erase(of(&["s-1", "f-1"])).await?;
    same("tombstones", &erased.tombstones.len(), &2)?;
    same("none is left", &store.sessions_of("ana").await?, &vec!["s-2".to_owned()])
}

pub(super) async fn reaches_an_owner(store: Arc<dyn Store>) -> Outcome {
    fill(&*store).await?;
    let path = MemoryPath::entry(None);
    same("before any change", &store.memory_session("ana").await?, &None)?;
    let written =
        Change::written(path.clone(), None, "- Likes canaries\n- Likes jays\n".into(), &MemoryRules::default());
    store.append("m-1", "m-1", 0, 50, vec![remembered("ana", "person", written)], vec![]).await?;
    for rebuilt in [false, true] {
        if rebuilt {
            store.rebuild_views().await?;
        }
        same("where changes are", &store.memory_session("ana").await?, &Some("m-1".to_owned()))?;
        same("of another", &store.memory_session("ben").await?, &None)?;
        let all = vec!["m-1".to_owned(), "s-1".to_owned(), "s-2".to_owned()];
        same("all of an owner", &store.sessions_of("ana").await?, &all)?;
        same("of nobody", &store.sessions_of("").await?, &Vec::<String>::new())?;
    }
    store.erase(of(&["m-1", "s-1", "s-2"])).await?;
    for rebuilt in [false, true] {
        if rebuilt {
            store.rebuild_views().await?;
        }
        same("nothing of an owner", &store.sessions_of("ana").await?, &Vec::<String>::new())?;
        same("no memory", &store.memory("ana").await?, &Vec::new())?;
        same("no audit", &store.memory_audit("ana", None, LIMIT).await?, &Vec::new())?;
        same("no changes", &store.memory_session("ana").await?, &None)?;
        same("the other owner", &notes(&*store, "ben").await?, &vec!["Keeps canaries".to_owned()])?;
        refused("changes of memory", store.find("m-1").await, "session.erased")?;
    }
    // The owner may begin anew.
    store.append("m-2", "m-2", 0, 60, vec![remembered("ana", "person", note(&path, "Likes tea"))], vec![]).await?;
    same("memory begun anew", &notes(&*store, "ana").await?, &vec!["Likes tea".to_owned()])
}

/// The notes of ana's entry point, in a session of their own each.
async fn remember(store: &dyn Store, session: &str, change: Change) -> Outcome {
    let begin = vec![started_for("ana", "3B", "Loops"), remembered("ana", "call-1", change)];
    store.append(session, &format!("run-of-{session}"), 0, 10, begin, vec![]).await?;
    Ok(())
}

pub(super) async fn keeps_what_was_forgotten(store: Arc<dyn Store>) -> Outcome {
    let path = MemoryPath::entry(None);
    let written = |text: &str| Change::written(path.clone(), None, text.into(), &MemoryRules::default());
    for (number, forgetting) in [
        Change::Forgotten { path: path.clone(), text: "Likes canaries".into() },
        written("- Likes jays\n"),
        Change::Removed { path: path.clone() },
    ]
    .into_iter()
    .enumerate()
    {
        let id = |name: &str| format!("{name}-{number}");
        let removes = matches!(forgetting, Change::Removed { .. });
        remember(&*store, &id("a"), note(&path, "Likes canaries")).await?;
        remember(&*store, &id("b"), note(&path, "Likes jays")).await?;
        remember(&*store, &id("c"), forgetting).await?;
        let stay = if removes { Vec::new() } else { vec!["Likes jays".to_owned()] };
        same("what is forgotten", &notes(&*store, "ana").await?, &stay)?;
        store.erase(of(&[&id("c")])).await?;
        for rebuilt in [false, true] {
            if rebuilt {
                store.rebuild_views().await?;
            }
            same("it stays so", &notes(&*store, "ana").await?, &stay)?;
        }
        // The next begins with nothing.
        let all = store.sessions_of("ana").await?;
        store.erase(of(&all.iter().map(String::as_str).collect::<Vec<_>>())).await?;
        same("nothing", &notes(&*store, "ana").await?.len(), &0)?;
        same("no changes", &store.memory_session("ana").await?, &None)?;
    }
    Ok(())
}

pub(super) async fn gives_back_what_was_moved(store: Arc<dyn Store>) -> Outcome {
    let (entry, archive) = (MemoryPath::entry(None), MemoryPath::entry(None).beside("archive.md"));
    remember(&*store, "s-1", note(&entry, "Likes canaries")).await?;
    let gone = Change::Forgotten { path: entry.clone(), text: "Likes canaries".into() };
    let moved = vec![remembered("ana", "p", note(&archive, "Likes canaries")), remembered("ana", "p", gone)];
    store.append("s-2", "r-2", 0, 20, vec![started_for("ana", "3B", "Loops")], vec![]).await?;
    store.append("s-2", "r-2", 1, 20, moved, vec![]).await?;
    store.erase(of(&["s-2"])).await?;
    let files = store.memory("ana").await?;
    let found: Vec<String> = files.iter().filter(|it| !it.notes.is_empty()).map(|it| it.path.to_string()).collect();
    same("where it was noted", &found, &vec![entry.to_string()])
}

pub(super) async fn leaves_what_a_person_typed(store: Arc<dyn Store>) -> Outcome {
    fill(&*store).await?;
    let path = MemoryPath::entry(None);
    let text = "- Likes sparrows\n- Likes canaries\n- Mine\n".to_owned();
    let written = Change::written(path.clone(), None, text, &MemoryRules::default());
    store.append("m-1", "m-1", 0, 50, vec![remembered("ana", "person", written)], vec![]).await?;
    let erased = store.erase(of(&["s-1"])).await?;
    let gone: Vec<&str> = erased.tombstones.iter().map(|it| it.session.as_str()).collect();
    same("what said it", &gone, &vec!["s-1", "m-1"])?;
    for rebuilt in [false, true] {
        if rebuilt {
            store.rebuild_views().await?;
        }
        same("the notes", &notes(&*store, "ana").await?, &vec!["Likes sparrows".to_owned(), "Mine".to_owned()])?;
        let file = store.memory_file("ana", &path).await?;
        let session = file.as_ref().and_then(|file| file.record("Likes sparrows")).map(|it| it.session.as_str());
        same("where a note of another comes from", &session, &Some("s-2"))?;
        same("notes of another owner", &notes(&*store, "ben").await?, &vec!["Keeps canaries".to_owned()])?;
        same("no changes of another", &store.memory_session("ben").await?, &None)?;
    }
    // What says nothing of it stays as it is.
    let own = store.memory_session("ana").await?.unwrap_or_default();
    same("where changes are now", &(own.as_str() != "m-1" && !own.is_empty()), &true)?;
    store.erase(of(&["s-2"])).await?;
    same("the person's own", &notes(&*store, "ana").await?, &vec!["Mine".to_owned()])
}
