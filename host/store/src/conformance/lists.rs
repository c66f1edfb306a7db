//! Lists of sessions, and ids found by their beginning.

use std::sync::Arc;

use ta_core::event::Status;

use super::{
    Outcome, Wrong, called, deleted as taken_out, finished, parked, refused, renamed, restored, resumed, same, started,
    started_for,
};
use crate::error::StoreError;
use crate::rows::{Cursor, State};
use crate::search::{Hit, SearchQuery};
use crate::store::{About, Found, SessionFilter, Store};

pub(super) async fn pages(store: Arc<dyn Store>) -> Outcome {
    // Two of the same millisecond, appended in no order of their times.
    for (id, at_ms) in [("s-c", 20), ("s-a", 10), ("s-b", 20), ("s-e", 5), ("s-d", 30)] {
        begin(&*store, id, "teacher", at_ms).await?;
    }
    let everything = "s-d s-c s-b s-a s-e";
    same("one page", &ids(&*store, SessionFilter::newest(10)).await?, &everything)?;
    let mut filter = SessionFilter::newest(2);
    let mut found = Vec::new();
    loop {
        let page = store.sessions(filter.clone()).await?;
        same("a page within its limit", &(page.len() <= 2), &true)?;
        let Some(last) = page.last() else { break };
        // As it goes through a URL.
        filter.after = Some(last.cursor().to_string().parse().map_err(Wrong)?);
        found.extend(page.into_iter().map(|row| row.id));
    }
    same("page by page", &found.join(" "), &everything)?;
    same("a page of nothing", &ids(&*store, SessionFilter::newest(0)).await?, &"")?;
    same("a page of all", &ids(&*store, SessionFilter::newest(usize::MAX)).await?, &everything)?;
    let after = Some(Cursor { created_ms: u64::MAX, id: "'; --".into() });
    same("from an odd place", &ids(&*store, SessionFilter { after, ..SessionFilter::newest(1) }).await?, &"s-d")
}

pub(super) async fn by_plugin(store: Arc<dyn Store>) -> Outcome {
    for (id, plugin, at_ms) in [("s-1", "teacher", 10), ("s-2", "tutor", 20), ("s-3", "teacher", 30)] {
        begin(&*store, id, plugin, at_ms).await?;
    }
    let plugin = |name: &str, limit| SessionFilter { plugin: Some(name.into()), ..SessionFilter::newest(limit) };
    same("of one plugin", &ids(&*store, plugin("teacher", 10)).await?, &"s-3 s-1")?;
    same("of no plugin", &ids(&*store, plugin("nobody", 10)).await?, &"")?;
    let first = store.sessions(plugin("teacher", 1)).await?;
    let next = SessionFilter { after: first.last().map(|row| row.cursor()), ..plugin("teacher", 1) };
    same("the next of one plugin", &ids(&*store, next).await?, &"s-1")
}

pub(super) async fn filters(store: Arc<dyn Store>) -> Outcome {
    for (id, owner, class, at_ms) in
        [("s-1", "ana", "3B", 10), ("s-2", "ben", "3B", 20), ("s-3", "ana", "4A", 30), ("s-4", "ana", "3B", 40)]
    {
        let run = format!("r-{id}");
        store.append(id, &run, 0, at_ms, vec![started_for(owner, class, "Loops")], vec![]).await?;
    }
    let (ana, subject) = (Some("ana".to_owned()), Some(About::id("3B".to_owned())));
    let all = SessionFilter::newest(10);
    let of_ana = SessionFilter { owner: ana, ..all.clone() };
    same("of an owner", &ids(&*store, of_ana.clone()).await?, &"s-4 s-3 s-1")?;
    let about = SessionFilter { subject: subject.clone(), ..all.clone() };
    same("a subject", &ids(&*store, about).await?, &"s-4 s-2 s-1")?;
    let about = SessionFilter { subject, ..of_ana.clone() };
    same("a subject of an owner", &ids(&*store, about).await?, &"s-4 s-1")?;
    for (kind, expected) in [("class", "s-4 s-1"), ("release", "")] {
        let subject = Some(About { kind: Some(kind.into()), id: "3B".into() });
        same("of one kind", &ids(&*store, SessionFilter { subject, ..of_ana.clone() }).await?, &expected)?;
    }
    let within = SessionFilter { since_ms: Some(20), until_ms: Some(30), ..all };
    same("within a time", &ids(&*store, within.clone()).await?, &"s-3 s-2")?;
    let first = store.sessions(SessionFilter { limit: 1, ..within.clone() }).await?;
    let next = SessionFilter { after: first.last().map(|row| row.cursor()), ..within };
    same("the next page within a time", &ids(&*store, next).await?, &"s-2")?;
    let early = SessionFilter {
        until_ms: Some(15),
        after: Some(Cursor { created_ms: 40, id: "s-4".into() }),
        ..of_ana.clone()
    };
    same("a page before its time", &ids(&*store, early).await?, &"s-1")?;
    let plugin = |name: &str| SessionFilter { plugin: Some(name.into()), ..of_ana.clone() };
    same("a plugin of an owner", &ids(&*store, plugin("lesson-planning")).await?, &"s-4 s-3 s-1")?;
    same("no plugin of an owner", &ids(&*store, plugin("tutor")).await?, &"")
}

pub(super) async fn deleted(store: Arc<dyn Store>) -> Outcome {
    for (id, input, at_ms) in [("s-1", "Loops", 10), ("s-2", "Lists", 20)] {
        let events = vec![started_for("ana", "3B", input), finished(Status::Success)];
        store.append(id, &format!("r-{id}"), 0, at_ms, events, vec![]).await?;
    }
    let all = SessionFilter { owner: Some("ana".into()), ..SessionFilter::newest(10) };
    let words = |words: &str| SearchQuery { owner: "ana".into(), words: words.into(), limit: 10, ..Default::default() };
    let found = |hits: Vec<Hit>| hits.into_iter().map(|hit| hit.session.id).collect::<Vec<_>>().join(" ");
    store.append("s-1", "r-s-1", 2, 30, vec![renamed("Fifth try"), taken_out()], vec![]).await?;
    for rebuilt in [false, true] {
        if rebuilt {
            store.rebuild_views().await?;
        }
        same("the list", &ids(&*store, all.clone()).await?, &"s-2")?;
        same("a search without words", &found(store.search(words("")).await?), &"s-2")?;
        same("a search", &found(store.search(words("loops")).await?), &"")?;
        let row = store.session("s-1").await?.map(|row| (row.title, row.deleted_ms, row.state, row.runs));
        same("the row", &row, &Some(("Fifth try".to_owned(), Some(30), State::Finished, 1)))?;
        same("its events", &store.last_seq("s-1").await?, &4)?;
    }
    store.append("s-1", "r-s-1", 4, 40, vec![restored()], vec![]).await?;
    same("put back", &ids(&*store, all).await?, &"s-2 s-1")?;
    same("found by its title", &found(store.search(words("fifth")).await?), &"s-1")?;
    same("and by its request", &found(store.search(words("loops")).await?), &"s-1")
}

pub(super) async fn unfinished(store: Arc<dyn Store>) -> Outcome {
    for (id, last) in [("s-1", finished(Status::Success)), ("s-2", parked()), ("s-3", resumed())] {
        let events = vec![started_for("ana", "3B", "Loops"), last];
        store.append(id, &format!("r-{id}"), 0, 10, events, vec![]).await?;
    }
    let open = SessionFilter { unfinished: true, owner: Some("ana".into()), ..SessionFilter::newest(10) };
    same("not over", &ids(&*store, open.clone()).await?, &"s-3 s-2")?;
    let none = SessionFilter { owner: Some("ben".into()), ..open };
    same("of another owner", &ids(&*store, none).await?, &"")
}

pub(super) async fn stays(store: Arc<dyn Store>) -> Outcome {
    for (id, at_ms) in [("s-1", 10), ("s-2", 20), ("s-3", 30)] {
        begin(&*store, id, "teacher", at_ms).await?;
    }
    let first = store.sessions(SessionFilter::newest(2)).await?;
    begin(&*store, "s-4", "teacher", 40).await?;
    // A session that goes on keeps its place.
    store.append("s-1", "r-s-1", 1, 50, vec![called(1)], vec![]).await?;
    let next = SessionFilter { after: first.last().map(|row| row.cursor()), ..SessionFilter::newest(2) };
    same("the next page", &ids(&*store, next).await?, &"s-1")
}

pub(super) async fn finds(store: Arc<dyn Store>) -> Outcome {
    store.append("session-1", "run-one-1", 0, 10, vec![called(1)], vec![]).await?;
    store.append("session-11", "same-id", 0, 10, vec![called(1)], vec![]).await?;
    store.append("same-id", "run-two-1", 0, 10, vec![called(1)], vec![]).await?;
    store.append("s", "r", 0, 10, vec![called(1)], vec![]).await?;
    for (prefix, id) in [("session-11", "session-11"), ("session-1", "session-1"), ("same-i", "same-id"), ("s", "s")] {
        // A session and a run begin with `same-i`: see the next case.
        let found = store.find(prefix).await;
        match found {
            Ok(Found::Session(row)) => same("the session", &row.id, &id.to_owned())?,
            Err(StoreError::Ambiguous { candidates, .. }) if prefix == "same-i" => {
                same("one id of two things", &candidates, &vec![id.to_owned()])?;
            }
            other => return Err(Wrong(format!("`{prefix}`: expected session {id}, found {other:?}"))),
        }
    }
    for (prefix, id) in [("run-on", "run-one-1"), ("run-two-1", "run-two-1"), ("r", "r")] {
        match store.find(prefix).await? {
            Found::Run(row) => same("the run", &row.id, &id.to_owned())?,
            other => return Err(Wrong(format!("`{prefix}`: expected run {id}, found {other:?}"))),
        }
    }
    same("whole id of both", &matches!(store.find("same-id").await?, Found::Session(_)), &true)?;
    refused("a short prefix", store.find("sessi").await, "store.prefix_too_short")?;
    for unknown in ["session-2", "SESSION-1", "sessio%", "session_", "", "session-1\u{7f}", "é"] {
        refused("nothing", store.find(unknown).await, "store.not_found")?;
    }
    Ok(())
}

pub(super) async fn names_candidates(store: Arc<dyn Store>) -> Outcome {
    store.append("0198c2-a", "0198c2-run", 0, 10, vec![called(1)], vec![]).await?;
    let error = refused("a session and its run", store.find("0198c2").await, "store.ambiguous")?;
    let candidates = vec!["0198c2-a".to_owned(), "0198c2-run".to_owned()];
    same("both", &error, &StoreError::Ambiguous { prefix: "0198c2".into(), candidates, more: false })?;
    for number in 0..20 {
        store.append(&format!("0198c2-b{number:02}"), &format!("r-{number}"), 0, 10, vec![called(1)], vec![]).await?;
    }
    match refused("many", store.find("0198c2").await, "store.ambiguous")? {
        StoreError::Ambiguous { candidates, more: true, .. } => same("a few of many", &candidates.len(), &8),
        other => Err(Wrong(format!("expected more candidates than are named, found {other:?}"))),
    }
}

async fn begin(store: &dyn Store, id: &str, plugin: &str, at_ms: u64) -> Outcome {
    let run = format!("r-{id}");
    store.append(id, &run, 0, at_ms, vec![started(plugin, "plan", "i")], vec![]).await?;
    Ok(())
}

async fn ids(store: &dyn Store, filter: SessionFilter) -> Result<String, Wrong> {
    let ids: Vec<_> = store.sessions(filter).await?.into_iter().map(|row| row.id).collect();
    Ok(ids.join(" "))
}
