//! Access codes, and the list of what is due.

use std::sync::Arc;

use ta_core::event::{CallReport, Event, FlowStepped, Status};
use ta_core::flow::{FlowEvent, FlowStep, PersonWait, Wait};
use ta_core::hook::CallContext;

use super::{Outcome, finished, parked, same, started};
use crate::codes::{CodeChange, CodeFilter, CodeRow};
use crate::erase::Erasure;
use crate::store::Store;

fn code(id: &str, owner: &str) -> CodeRow {
    CodeRow {
        id: id.into(),
        sha256: format!("digest of {id}"),
        owner: owner.into(),
        opens: "flows/quiz/quiz".into(),
        role: "guest".into(),
        subject: Some("morning".into()),
        created_ms: 10,
        expires_ms: 1_000,
        revoked_ms: None,
        session: None,
    }
}

fn of(owner: &str, opens: Option<&str>) -> CodeFilter {
    CodeFilter::Of { owner: owner.into(), opens: opens.map(ToOwned::to_owned) }
}

pub(super) async fn are_kept(store: Arc<dyn Store>) -> Outcome {
    let (one, two, other) = (code("c-1", "ana"), code("c-2", "ana"), code("c-3", "ben"));
    store.add_codes(vec![one.clone(), two.clone(), other.clone()]).await?;
    same("an owner's", &store.codes(of("ana", None)).await?, &vec![one.clone(), two.clone()])?;
    same("of another thing", &store.codes(of("ana", Some("flows/quiz/none"))).await?, &vec![])?;
    same("by digest", &store.codes(CodeFilter::Sha256(two.sha256.clone())).await?, &vec![two.clone()])?;
    same("twice", &store.add_codes(vec![one.clone()]).await.is_err(), &true)?;
    let opened = store.change_code("c-1", CodeChange::Open { session: "s-1".into() }).await?;
    same("opened", &opened.as_ref().and_then(|row| row.session.clone()), &Some("s-1".to_owned()))?;
    let again = store.change_code("c-1", CodeChange::Open { session: "s-2".into() }).await?;
    same("it opens one session", &again, &opened)?;
    same(
        "by session",
        &store.codes(CodeFilter::Session("s-1".into())).await?,
        &opened.into_iter().collect::<Vec<_>>(),
    )?;
    let revoked = store.change_code("c-2", CodeChange::Revoke { at_ms: 20 }).await?;
    same("revoked", &revoked, &Some(CodeRow { revoked_ms: Some(20), ..two }))?;
    let once = store.change_code("c-2", CodeChange::Revoke { at_ms: 30 }).await?;
    same("revoked once", &once, &revoked)?;
    same("forgotten", &store.change_code("c-3", CodeChange::Forget).await?, &Some(other))?;
    same("unknown", &store.change_code("c-3", CodeChange::Forget).await?, &None)?;
    store.rebuild_views().await?;
    same("views are no place of theirs", &store.codes(of("ana", None)).await?.len(), &2)
}

pub(super) async fn go_with_their_session(store: Arc<dyn Store>) -> Outcome {
    store.add_codes(vec![code("c-1", "ana"), code("c-2", "ana")]).await?;
    store.change_code("c-1", CodeChange::Open { session: "s-1".into() }).await?;
    store.append("s-1", "r-1", 0, 5, vec![started("p", "c", "words")], Vec::new()).await?;
    let erasure = Erasure {
        sessions: vec!["s-1".into()],
        claimed_by: "me".into(),
        memory_session: "m-1".into(),
        by: "person".into(),
        at_ms: 50,
    };
    store.erase(erasure).await?;
    let left: Vec<String> = store.codes(of("ana", None)).await?.into_iter().map(|row| row.id).collect();
    same("the other one is left", &left, &vec!["c-2".to_owned()])
}

fn stepped(wait: Wait) -> Event {
    let step = FlowStep {
        state: "0".repeat(64),
        messages: Vec::new(),
        observations: Vec::new(),
        facts: None,
        notes: Vec::new(),
        reply: None,
        wait,
    };
    let (flow, sha256) = ("quiz".to_owned(), "0".repeat(64));
    let (context, report) = (CallContext::default(), CallReport::default());
    Event::FlowStepped(Box::new(FlowStepped { flow, sha256, context, event: FlowEvent::Woken, step, report }))
}

fn until(until_ms: Option<u64>) -> Event {
    stepped(Wait::Person(PersonWait { role: "guest".into(), until_ms }))
}

pub(super) async fn due(store: Arc<dyn Store>) -> Outcome {
    for (session, until_ms) in [("s-1", Some(300)), ("s-2", Some(100)), ("s-3", None), ("s-4", Some(200))] {
        let events = vec![started("p", "c", "words"), until(until_ms), parked()];
        store.append(session, &format!("r-{session}"), 0, 5, events, Vec::new()).await?;
    }
    let ids = |rows: Vec<crate::SessionRow>| rows.into_iter().map(|row| row.id).collect::<Vec<_>>();
    let ask = |now_ms, after, limit| store.due(now_ms, after, limit);
    same("nothing yet", &ids(ask(99, None, 9).await?), &Vec::<String>::new())?;
    same("the first first", &ids(ask(200, None, 9).await?), &vec!["s-2".to_owned(), "s-4".to_owned()])?;
    same("a page", &ids(ask(300, None, 2).await?), &vec!["s-2".to_owned(), "s-4".to_owned()])?;
    same("the next", &ids(ask(300, Some((200, "s-4".into())), 2).await?), &vec!["s-1".to_owned()])?;
    store.append("s-2", "r-s-2", 3, 6, vec![Event::FlowWoken], Vec::new()).await?;
    store.append("s-4", "r-s-4", 3, 6, vec![finished(Status::Success)], Vec::new()).await?;
    store.append("s-1", "r-s-1", 3, 6, vec![until(Some(400))], Vec::new()).await?;
    same("over, woken, put off", &ids(ask(399, None, 9).await?), &Vec::<String>::new())?;
    store.rebuild_views().await?;
    same("made again", &ids(ask(400, None, 9).await?), &vec!["s-1".to_owned()])
}
