//! Whatever is appended: the views are what the events make them, in both backends, before and after a rebuild.

use proptest::prelude::*;
use ta_core::event::Status;
use ta_core::memory::{Change, MemoryFile, MemoryPath};
use ta_core::question::{Answer, Outcome};
use ta_core::{Event, Record};
use tempfile::TempDir;

use super::open;
use crate::conformance::{
    answered, asked, called, decided, decision, finished, hooked, note, parked, prompted, remembered, replied, resumed,
    started, started_for,
};
use crate::{AuditRow, RamStore, RunRow, SearchQuery, SessionFilter, SessionRow, Store, StoreError, verify_chain};

/// An append: which session, which run, when, what, and whether it is to be durable at once.
type Append = (u8, u8, u64, Vec<Event>, bool);

fn event() -> impl Strategy<Value = Event> {
    let status = prop_oneof![Just(Status::Success), Just(Status::ErrorHookAbort), Just(Status::ErrorNoProgress)];
    let cost = prop_oneof![0.0..10.0, any::<f64>()];
    prop_oneof![
        // ASCII, since the backends do not split every script into the same words, and the run may come to be an owner's.
        ("(|owner|tutor)", "[a-c]{0,3}", "[ -~]{0,20}")
            .prop_map(|(plugin, command, input)| { started(&plugin, &command, &input) }),
        ("(|ana|ben)", "[a-c ]{0,6}").prop_map(|(owner, input)| started_for(&owner, "3B", &input)),
        remembering(),
        any::<u32>().prop_map(called),
        (0..30_u32, prop_oneof![0..10_000_u64, any::<u64>()], any::<u16>(), cost)
            .prop_map(|(turn, input, output, cost)| answered(turn, input, output.into(), cost)),
        Just(parked()),
        Just(resumed()),
        status.prop_map(finished),
    ]
}

/// What concerns memory: few files and notes, so that they meet.
fn remembering() -> impl Strategy<Value = Event> {
    let path = || prop_oneof![Just(MemoryPath::entry(None)), Just(MemoryPath::entry(Some("3B")))];
    let (_, hash) = asked("memory-capture", &["m1"]);
    let answer = Outcome::Answered(Answer::Items(vec![decision("m1", "edit", Some("ab"))]));
    prop_oneof![
        ("(ana|ben)", path(), "[a-c]{1,2}").prop_map(|(owner, path, text)| remembered(&owner, "p", note(&path, &text))),
        ("(ana|ben)", path(), "(- [a-c]\n){0,3}")
            .prop_map(|(owner, path, text)| { remembered(&owner, "p", Change::Written { path, before: None, text }) }),
        ("(ana|ben)", path()).prop_map(|(owner, path)| remembered(&owner, "p", Change::Removed { path })),
        (path(), "[a-c]{1,2}").prop_map(|(path, text)| prompted(&path, &[&text])),
        path().prop_map(|path| hooked("feedforward", &[&format!("memory.read {path}")])),
        Just(asked("memory-capture", &["m1"]).0),
        "[a-c]{0,2}".prop_map({
            let hash = hash.clone();
            move |text| decided(&hash, decision("m1", "edit", Some(&text)))
        }),
        Just(replied(&hash, answer)),
        Just(replied(&hash, Outcome::Dismissed)),
    ]
}

/// Few sessions and runs, so that they meet; also runs that belong elsewhere, and clocks that jump.
fn appends() -> impl Strategy<Value = Vec<Append>> {
    let at_ms = prop_oneof![0..5_u64, any::<u64>()];
    prop::collection::vec((0..3_u8, 0..6_u8, at_ms, prop::collection::vec(event(), 0..5), any::<bool>()), 0..12)
}

/// Everything that the views say.
async fn rows(store: &dyn Store) -> Rows {
    let mut rows = Rows { sessions: store.sessions(SessionFilter::newest(100)).await.unwrap(), ..Rows::default() };
    for session in &rows.sessions {
        rows.runs.extend(store.runs(&session.id).await.unwrap());
        assert_eq!(store.session(&session.id).await.unwrap().as_ref(), Some(session));
    }
    for owner in ["", "ana", "ben"] {
        rows.files.extend(store.memory(owner).await.unwrap());
        rows.audit.extend(store.memory_audit(owner, None, 1_000).await.unwrap());
        for words in if owner.is_empty() { [""].as_slice() } else { &["", "a", "ab", "b*"] } {
            let query =
                SearchQuery { owner: owner.into(), words: (*words).into(), limit: 100, ..SearchQuery::default() };
            let mut found: Vec<_> = store.search(query).await.unwrap().into_iter().map(|hit| hit.session.id).collect();
            found.sort();
            rows.found.push(found);
        }
    }
    rows
}

#[derive(Debug, Default, PartialEq)]
struct Rows {
    sessions: Vec<SessionRow>,
    runs: Vec<RunRow>,
    files: Vec<MemoryFile>,
    audit: Vec<AuditRow>,
    /// Sessions that each search found; backends rank them differently.
    found: Vec<Vec<String>>,
}

/// Appends, knowing the end of each session from what it was told alone: a read would have everything written.
async fn append(store: &dyn Store, ends: &mut [u64; 3], append: Append) -> Result<Vec<Record>, StoreError> {
    let (session, run, at_ms, events, durable) = append;
    let end = &mut ends[usize::from(session)];
    let (session, run) = (format!("s-{session}"), format!("r-{run}"));
    let appended = if durable {
        store.append(&session, &run, *end, at_ms, events, vec![]).await?
    } else {
        store.append_later(&session, &run, *end, at_ms, events, vec![]).await?
    };
    *end = appended.last().map_or(*end, |record| record.seq);
    Ok(appended)
}

async fn hold(appends: Vec<Append>) {
    let dir = TempDir::new().unwrap();
    let (sqlite, memory) = (open(dir.path()), RamStore::new());
    let (mut ends, mut other_ends) = ([0; 3], [0; 3]);
    for one in appends {
        let appended = append(&sqlite, &mut ends, one.clone()).await;
        assert_eq!(appended, append(&memory, &mut other_ends, one).await);
    }
    for (number, end) in ends.into_iter().enumerate() {
        let records = sqlite.read(&format!("s-{number}"), 0, 1_000).await.unwrap();
        assert_eq!(records.len() as u64, end);
        assert_eq!(records, memory.read(&format!("s-{number}"), 0, 1_000).await.unwrap());
    }
    let before = rows(&sqlite).await;
    assert_eq!(before, rows(&memory).await, "both backends make the same rows");
    sqlite.rebuild_views().await.unwrap();
    memory.rebuild_views().await.unwrap();
    assert_eq!(rows(&sqlite).await, before, "a rebuild makes the same rows");
    assert_eq!(rows(&memory).await, before, "and so in memory");
    for session in ["s-0", "s-1", "s-2"] {
        assert_eq!(verify_chain(&sqlite, session).await, Ok(vec![]));
        assert_eq!(verify_chain(&memory, session).await, Ok(vec![]));
    }
    drop(sqlite);
    assert_eq!(rows(&open(dir.path())).await, before, "and they are there after reopening");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn views_are_what_the_events_make_them(appends in appends()) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(hold(appends));
    }
}
